(** A checker of bounds and refutations, proved: if it says yes, no answer is better. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Rows Played Checker Deck Plays Refutations.
Import ListNotations.

(** ** Bounds of questions *)

(** The hubs of each card, with names for choices of attributes: tables that a program makes. *)
Record hub_table := Table {
  named : place -> nat;
  at_card : nat -> list hub;
  hub_count : nat
}.

Definition right_table (k d : nat) (cards : list card) (table : hub_table) : bool :=
  check_hubs k d (hub_count table) (named table) (at_card table) cards.

Section Check.

Variable k : nat.
Variable after : option card.
Variable hand : list card.
Variable supply : list (card * nat).

(** No play has as few freely added cards, as many cards of the hand and as low costs. *)
Definition check_bound (most_added : nat) (least most_cost : option nat) (d : nat)
    (table : hub_table) (e : evidence) : bool :=
  right_table k d (deck k after hand supply) table
  && refuted (at_card table) (problem_of k after hand supply most_added least most_cost
       (hub_count table) (fun _ => 0) None) e.

Theorem check_bound_sound :
  forall most_added least most_cost d table e,
  check_bound most_added least most_cost d table e = true ->
  forall played left chosen rest extra s,
  ~ better_play k after hand supply most_added least most_cost played left chosen rest extra s.
Proof.
  intros most_added least most_cost d table e E played left chosen rest extra s B.
  unfold check_bound in E. apply andb_true_iff in E. destruct E as [T E].
  destruct (check_hubs_sound _ _ _ _ _ _ T) as [Some' [Below Sh]].
  set (p := problem_of k after hand supply most_added least most_cost (hub_count table)
    (fun _ => 0) None) in *.
  assert (Is : exists n pr tl,
    p = problem_of k after hand supply most_added least most_cost n pr tl)
    by (unfold p; eauto).
  pose proof (cards_is k after hand supply _ _ _ p Is) as Cards.
  destruct (better_numbers k after hand supply _ _ _ p Is _ Sh _ _ _ _ _ _ B) as [ss [added Be]].
  destruct (play_facts (at_card table) p (fun _ => eq_refl) eq_refl) with ss added as [v Fv]; auto.
  - intros c L. apply Some'. now rewrite <- Cards.
  - intros c h L I. apply (Below c h); auto. now rewrite <- Cards.
  - exact (refuted_sound _ _ _ E v Fv).
Qed.

End Check.

(** *** [uno-1] *)

Definition check_unplayable_bound (k : nat) (after : option card) (hand : list card) (d : nat)
    (table : hub_table) (e : evidence) : bool :=
  check_bound k after hand [] 0 None None d table e.

Theorem check_unplayable_bound_sound :
  forall k after hand d table e, check_unplayable_bound k after hand d table e = true ->
  ~ playable k after hand.
Proof.
  intros k after hand d table e E [s [P F]].
  apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ E hand [] [] [] [] s).
  constructor; simpl; rewrite ?app_nil_r; auto; discriminate.
Qed.

(** *** [fill-in] *)

Definition check_fill_in_bound (k : nat) (after : option card) (hand added s : list card) (d : nat)
    (table : hub_table) (e : evidence) : bool :=
  check_witness k after (hand ++ added) s
  && (1 <=? length added) && check_bound k after hand [] (length added - 1) None None d table e.

Theorem check_fill_in_bound_sound :
  forall k after hand added s d table e,
  check_fill_in_bound k after hand added s d table e = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros k after hand added s d table e E. unfold check_fill_in_bound in E.
  apply andb_true_iff in E. destruct E as [E B]. apply andb_true_iff in E. destruct E as [W N].
  apply Nat.leb_le in N. split; [eapply check_witness_sound; exact W|].
  intros fewer [s' [P F]]. destruct (le_lt_dec (length added) (length fewer)) as [|L]; auto.
  exfalso. apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ B hand [] [] [] fewer s').
  constructor; simpl; rewrite ?app_nil_r; auto; try discriminate. lia.
Qed.

(** *** [fill-in] from a supply *)

(** No choice of offered cards joins the hand, or none that costs as little. *)
Definition check_supply_bound (k : nat) (after : option card) (hand : list card)
    (supply : list (card * nat)) (most_cost : option nat) (d : nat) (table : hub_table)
    (e : evidence) : bool :=
  check_bound k after hand supply 0 None most_cost d table e.

Theorem check_supply_bound_sound :
  forall k after hand supply most_cost d table e,
  check_supply_bound k after hand supply most_cost d table e = true ->
  forall chosen rest, Permutation (chosen ++ rest) supply ->
  playable k after (hand ++ map fst chosen) ->
  exists b, most_cost = Some b /\ b < list_sum (map snd chosen).
Proof.
  intros k after hand supply most_cost d table e E chosen rest P [s [Q F]].
  assert (N := check_bound_sound _ _ _ _ _ _ _ _ _ _ E hand [] chosen rest [] s).
  destruct most_cost as [b|].
  - exists b. split; auto. destruct (le_lt_dec (list_sum (map snd chosen)) b) as [L|]; auto.
    exfalso. apply N. constructor; simpl; rewrite ?app_nil_r; auto; try discriminate.
    intros b' Eb. now inversion Eb; subst.
  - exfalso. apply N. constructor; simpl; rewrite ?app_nil_r; auto; discriminate.
Qed.

(** A card with its price as one more attribute. *)
Definition with_price (o : card * nat) : card := Some (snd o) :: fst o.

Lemma with_price_injective : forall o q, with_price o = with_price q -> o = q.
Proof. intros [c n] [e m] E. unfold with_price in E. simpl in E. inversion E. now subst. Qed.

Definition check_offers (k : nat) (after : option card) (hand : list card)
    (supply chosen rest : list (card * nat)) (s : list card) : bool :=
  same_cards (map with_price (chosen ++ rest)) (map with_price supply)
  && check_witness k after (hand ++ map fst chosen) s.

Lemma check_offers_sound :
  forall k after hand supply chosen rest s,
  check_offers k after hand supply chosen rest s = true ->
  Permutation (chosen ++ rest) supply /\ playable k after (hand ++ map fst chosen).
Proof.
  intros k after hand supply chosen rest s E. apply andb_true_iff in E. destruct E as [P W].
  split; [|eapply check_witness_sound; exact W].
  apply same_cards_permutation, Permutation_map_inv in P. destruct P as [l [E P]].
  enough (chosen ++ rest = l) as -> by now apply Permutation_sym.
  clear -E. revert l E. induction (chosen ++ rest) as [|o a IH]; intros [|q l] E;
    simpl in E; try discriminate; auto. inversion E. f_equal; [|now apply IH].
  apply with_price_injective. unfold with_price. congruence.
Qed.

Definition check_supply (k : nat) (after : option card) (hand : list card)
    (supply chosen rest : list (card * nat)) (s : list card) (d : nat) (table : hub_table)
    (e : evidence) : bool :=
  check_offers k after hand supply chosen rest s
  && match list_sum (map snd chosen) with
     | 0 => true
     | S less => check_supply_bound k after hand supply (Some less) d table e
     end.

Theorem check_supply_sound :
  forall k after hand supply chosen rest s d table e,
  check_supply k after hand supply chosen rest s d table e = true ->
  Permutation (chosen ++ rest) supply /\ playable k after (hand ++ map fst chosen)
  /\ forall chosen' rest', Permutation (chosen' ++ rest') supply ->
     playable k after (hand ++ map fst chosen') ->
     list_sum (map snd chosen) <= list_sum (map snd chosen').
Proof.
  intros k after hand supply chosen rest s d table e E. apply andb_true_iff in E.
  destruct E as [O B]. destruct (check_offers_sound _ _ _ _ _ _ _ O) as [P Pl].
  split; auto. split; auto. intros chosen' rest' P' Pl'.
  destruct (list_sum (map snd chosen)) as [|less]; [lia|].
  destruct (check_supply_bound_sound _ _ _ _ _ _ _ _ B chosen' rest' P' Pl') as [b [Eb L]].
  inversion Eb. lia.
Qed.

(** *** [longest] *)

Definition check_longest (k : nat) (after : option card) (hand s left : list card) (d : nat)
    (table : hub_table) (e : evidence) : bool :=
  let wilds := length (filter (universal k) hand) in
  is_chain k (on_pile after s) && same_cards (s ++ left) hand
  && ((length s =? length hand)
      || ((wilds <=? S (length s))
          && check_bound k after hand [] 0 (Some (S (length s) - wilds)) None d table e)).

Theorem check_longest_sound :
  forall k after hand s left d table e, check_longest k after hand s left d table e = true ->
  Permutation (s ++ left) hand /\ feasible k (on_pile after s)
  /\ forall s' left', Permutation (s' ++ left') hand -> feasible k (on_pile after s') ->
     length s' <= length s.
Proof.
  intros k after hand s left d table e E. apply andb_true_iff in E. destruct E as [E B].
  apply andb_true_iff in E. destruct E as [C P].
  split; [now apply same_cards_permutation|]. split; [now apply is_chain_feasible|].
  intros s' left' P' F. pose proof (Permutation_length P') as L. rewrite app_length in L.
  apply orb_true_iff in B. destruct B as [B|B]; [apply Nat.eqb_eq in B; lia|].
  apply andb_true_iff in B. destruct B as [W B]. apply Nat.leb_le in W.
  destruct (le_lt_dec (length s') (length s)) as [|M]; auto. exfalso.
  apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ B s' left' [] [] [] s').
  constructor; cbn [app map]; rewrite ?app_nil_r; auto; try discriminate.
  intros n Eq. injection Eq as Eq. rewrite <- Eq. change (S (length s)
    - length (filter (universal k) hand) + length (filter (universal k) hand) <= length s'). lia.
Qed.
