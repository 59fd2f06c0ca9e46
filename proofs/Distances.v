(** How many added cards two cards need between them. *)

From Coq Require Import List Arith Lia Bool.
From UnoCsp Require Import Rules Hubs FillIn Levels.
Import ListNotations.

Section Distances.

(** The number of attributes in which cards have to agree, and that of the others. *)
Variable k changes : nat.

Local Notation fits := (may_be_added (k + changes)).
Local Notation wide c := (length c = k + changes).

Lemma agreeing_differing :
  forall c d, length c = length d -> agreeing c d + differing c d = length c.
Proof.
  induction c as [|a c IH]; intros [|b d] L; simpl in *; try lia.
  specialize (IH d ltac:(lia)). destruct (agree a b); lia.
Qed.

Lemma near_matches :
  forall c d, wide c -> wide d -> differing c d <= changes -> matches k c d = true.
Proof.
  intros c d C D N. apply Nat.leb_le. pose proof (agreeing_differing c d ltac:(congruence)). lia.
Qed.

(** A card without wild attributes that differs from [c] in [m] attributes at most, where it has the
    values of [d]. *)
Fixpoint toward (m : nat) (c d : card) : card :=
  match c, d with
  | a :: c', b :: d' =>
      if agree a b
      then some_value (match a with Some _ => a | None => b end) :: toward m c' d'
      else match m with
           | 0 => some_value a :: toward 0 c' d'
           | S m' => some_value b :: toward m' c' d'
           end
  | _, _ => []
  end.

Lemma toward_fits :
  forall c d m, length c = length d -> plain (toward m c d) /\ length (toward m c d) = length c.
Proof.
  assert (Some_plain : forall a : option nat, some_value a <> None) by (now intros [x|]).
  induction c as [|a c IH]; intros [|b d] m L; simpl in *; try lia; [split; [constructor|auto]|].
  destruct (agree a b); [|destruct m as [|m]];
    (edestruct IH as [P E]; [injection L as L; exact L|]);
    (split; [constructor; [apply Some_plain|exact P]|simpl; now rewrite E]).
Qed.

Lemma from_toward : forall c d m, length c = length d -> differing c (toward m c d) <= m.
Proof.
  induction c as [|a c IH]; intros [|b d] m L; simpl in *; try lia. injection L as L.
  destruct (agree a b) eqn:E.
  - specialize (IH d m L). destruct a as [x|], b as [y|]; simpl in *; rewrite ?Nat.eqb_refl; lia.
  - destruct m as [|m]; simpl.
    + rewrite agree_some_value. now apply (IH d 0).
    + specialize (IH d m L). destruct (agree a (some_value b)); lia.
Qed.

Lemma toward_to :
  forall c d m, length c = length d -> differing (toward m c d) d <= differing c d - m.
Proof.
  induction c as [|a c IH]; intros [|b d] m L; simpl in *; try lia. injection L as L.
  destruct (agree a b) eqn:E.
  - specialize (IH d m L).
    destruct a as [x|], b as [y|]; simpl in *; rewrite ?Nat.eqb_refl, ?E; lia.
  - destruct m as [|m]; simpl.
    + specialize (IH d 0 L). destruct (agree (some_value a) b); lia.
    + specialize (IH d m L). rewrite agree_sym, agree_some_value. lia.
Qed.

(** Theorem 10: two cards can be joined by [n] added cards if and only if they differ in at most
    [(n + 1) changes] attributes. *)
Theorem joined_by :
  forall n c d, wide c -> wide d ->
  (exists added, length added <= n /\ Forall fits added /\ feasible k (c :: added ++ [d]))
  <-> differing c d <= S n * changes.
Proof.
  intros n c d C D. split.
  - intros [added [L [Fit F]]]. revert n c C L F.
    induction Fit as [|x added [Px Lx] Fit IH]; intros n c C L [M F].
    + pose proof (differing_matches k _ c d C D M). simpl. lia.
    + destruct n as [|n]; [simpl in L; lia|].
      specialize (IH n x Lx ltac:(simpl in L; lia) F).
      pose proof (differing_matches k _ c x C Lx M).
      pose proof (differing_between c x d Px ltac:(congruence) ltac:(congruence)). simpl in *. lia.
  - revert c C. induction n as [|n IH]; intros c C N.
    + exists []. split; [auto|]. split; [constructor|]. split; [|exact I].
      apply near_matches; auto. lia.
    + set (x := toward changes c d).
      destruct (toward_fits c d changes ltac:(congruence)) as [Px Lx]. fold x in Px, Lx.
      rewrite C in Lx. destruct (IH x Lx) as [added [L [Fit F]]].
      { pose proof (toward_to c d changes ltac:(congruence)) as T. fold x in T. simpl in *. lia. }
      exists (x :: added). split; [simpl; lia|]. split; [constructor; [split|]; auto|].
      split; [|exact F]. apply near_matches; auto.
      unfold x. apply from_toward. congruence.
Qed.

End Distances.
