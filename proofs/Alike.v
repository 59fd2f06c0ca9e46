(** If cards have to agree in all attributes, added cards join nothing.

    An added card has no wild attribute, so two cards that both agree with it in all attributes
    agree with each other.  Without it the sequence is feasible too. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Checker Deck Refutations BoundChecker GroupChecker.
Import ListNotations.

Lemma agreeing_most : forall c d, agreeing c d <= length c.
Proof.
  induction c as [|a c IH]; intros [|b d]; simpl; try lia. specialize (IH d).
  destruct (agree a b); lia.
Qed.

Lemma between :
  forall x k a b, may_be_added k x -> length a = k -> length b = k ->
  matches k a x = true -> matches k x b = true -> matches k a b = true.
Proof.
  unfold matches. induction x as [|v x IH]; intros k a b [P L] La Lb A B; simpl in L; subst k.
  - reflexivity.
  - destruct a as [|s a], b as [|t b]; simpl in La, Lb; try lia.
    injection La as La. injection Lb as Lb. inversion P as [|? ? Pv Px]; subst.
    destruct v as [v|]; [|congruence]. apply Nat.leb_le in A, B. simpl in A, B.
    pose proof (agreeing_most a x). pose proof (agreeing_most x b).
    assert (Ax : agree s (Some v) = true) by (destruct (agree s (Some v)); auto; lia).
    assert (Bx : agree (Some v) t = true).
    { destruct t as [t|]; simpl in *; auto. destruct (v =? t); auto. lia. }
    assert (Rest : (length x <=? agreeing a b) = true).
    { apply (IH (length x)); auto; [split; auto|apply Nat.leb_le|apply Nat.leb_le].
      - rewrite Ax in A. lia.
      - destruct t as [t|]; simpl in *; [destruct (v =? t)|]; lia. }
    apply Nat.leb_le in Rest. apply Nat.leb_le. simpl.
    assert (E : agree s t = true).
    { destruct s as [s|], t as [t|]; auto. simpl in *. apply Nat.eqb_eq in Ax, Bx.
      apply Nat.eqb_eq. congruence. }
    rewrite E. lia.
Qed.

Lemma dropped :
  forall k x l l', may_be_added k x -> Forall (fun c => length c = k) (l ++ x :: l') ->
  feasible k (l ++ x :: l') -> feasible k (l ++ l').
Proof.
  intros k x l l' X. unfold feasible. induction l as [|a l IH]; intros W F.
  - exact (chain_tail _ _ _ _ F).
  - inversion W as [|? ? Wa W']; subst. destruct l as [|b l].
    + destruct l' as [|c l']; [exact I|]. simpl in *. destruct F as [A [B F]]. split; auto.
      inversion W' as [|? ? _ Wc]; subst. inversion Wc; subst. now apply (between x).
    + destruct F as [A F]. split; [exact A|]. now apply IH.
Qed.

Definition with_pile (after : option card) (cards : list card) : list card :=
  cards ++ match after with Some p => [p] | None => [] end.

Theorem alike :
  forall k after hand added, Forall (fun c => length c = k) (with_pile after hand) ->
  Forall (may_be_added k) added -> playable k after (hand ++ added) -> playable k after hand.
Proof.
  intros k after hand added W. apply Forall_app in W. destruct W as [Wh Wp].
  induction added as [|x added IH]; intros Ad Pl; [now rewrite app_nil_r in Pl|].
  inversion Ad as [|? ? X Ad']; subst. apply IH; auto. destruct Pl as [s [P F]].
  assert (I : In x s).
  { apply (Permutation_in _ (Permutation_sym P)), in_or_app. simpl. auto. }
  destruct (in_split _ _ I) as [l [l' ->]]. exists (l ++ l').
  split; [exact (Permutation_app_inv _ _ _ _ _ P)|].
  assert (Ws : Forall (fun c => length c = k) (l ++ x :: l')).
  { apply (Permutation_Forall (Permutation_sym P)). apply Forall_app. split; auto.
    eapply Forall_impl; [|exact Ad]. intros c [_ L]. exact L. }
  destruct after as [p|]; [|now apply (dropped k x)].
  apply (dropped k x (p :: l)); auto. constructor; auto. now inversion Wp.
Qed.

(** ** The checkers *)

Definition check_alike (k : nat) (after : option card) (hand : list card) : bool :=
  forallb (fun c => length c =? k) (with_pile after hand).

Lemma check_alike_sound :
  forall k after hand, check_alike k after hand = true -> ~ playable k after hand ->
  forall added, Forall (may_be_added k) added -> ~ playable k after (hand ++ added).
Proof.
  intros k after hand E N added Ad P. apply N. apply (alike k after hand added); auto.
  apply Forall_forall. intros c I. unfold check_alike in E. rewrite forallb_forall in E.
  now apply Nat.eqb_eq, E.
Qed.

Definition check_never_groups (k d : nat) table_of evidence_of after hand removed groups needs
    : bool :=
  check_alike k after hand
  && check_unplayable_groups k d table_of evidence_of after hand removed groups needs.

Theorem check_never_groups_sound :
  forall k d table_of evidence_of after hand removed groups needs,
  check_never_groups k d table_of evidence_of after hand removed groups needs = true ->
  forall added, Forall (may_be_added k) added -> ~ playable k after (hand ++ added).
Proof.
  intros k d table_of evidence_of after hand removed groups needs E. apply andb_true_iff in E.
  destruct E as [A E]. apply check_alike_sound; auto.
  exact (check_unplayable_groups_sound _ _ _ _ _ _ _ _ _ E).
Qed.

Definition check_never_bound (k : nat) (after : option card) (hand : list card) (d : nat)
    (table : hub_table) (e : evidence) : bool :=
  check_alike k after hand && check_unplayable_bound k after hand d table e.

Theorem check_never_bound_sound :
  forall k after hand d table e, check_never_bound k after hand d table e = true ->
  forall added, Forall (may_be_added k) added -> ~ playable k after (hand ++ added).
Proof.
  intros k after hand d table e E. apply andb_true_iff in E. destruct E as [A E].
  apply check_alike_sound; auto. exact (check_unplayable_bound_sound _ _ _ _ _ _ E).
Qed.
