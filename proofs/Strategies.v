(** Competitive play: a set of positions that is closed under all replies beats player 1.

    The players take turns in a circle; players are numbered from 0, and player 0 is "player 1" of
    the question.  Whoever cannot play loses, and with [emptied_wins] whoever empties their hand
    wins.  All others play against player 0. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules.
Import ListNotations.

Record position := Position {
  to_move : nat;
  top : option card;
  hands : list (list card)
}.

Section Duel.

Variable k : nat.
Variable emptied_wins : bool.

Definition hand (p : position) : list card := nth (to_move p) (hands p) [].

(** The card on top lets a card be played; without one, any card may be. *)
Definition fits (last : option card) (c : card) : bool :=
  match last with
  | Some d => matches k d c
  | None => true
  end.

Fixpoint update (i : nat) (h : list card) (hs : list (list card)) : list (list card) :=
  match hs, i with
  | [], _ => []
  | _ :: rest, 0 => h :: rest
  | g :: rest, S j => g :: update j h rest
  end.

Definition next (players i : nat) : nat := if S i =? players then 0 else S i.

(** The position after the player to move has laid [c] and keeps [h]. *)
Definition after (p : position) (c : card) (h : list card) : position :=
  Position (next (length (hands p)) (to_move p)) (Some c) (update (to_move p) h (hands p)).

(** A turn: the card [c] is laid, and [h] is kept. *)
Definition turn (p : position) (c : card) (h : list card) : Prop :=
  Permutation (hand p) (c :: h) /\ fits (top p) c = true.

Definition empties (h : list card) : Prop := emptied_wins = true /\ h = [].

(** The others can force that player 0 is the first to lose, or that another player wins. *)
Inductive beaten : position -> Prop :=
  | all_turns_lose : forall p, to_move p = 0 ->
      (forall c h, turn p c h -> ~ empties h /\ beaten (after p c h)) -> beaten p
  | a_turn_beats : forall p c h, to_move p <> 0 ->
      turn p c h -> empties h \/ beaten (after p c h) -> beaten p.

(** Player 0 can force that another player is the first to lose, or can win. *)
Inductive escapes : position -> Prop :=
  | a_turn_escapes : forall p c h, to_move p = 0 ->
      turn p c h -> empties h \/ escapes (after p c h) -> escapes p
  | all_turns_let_escape : forall p, to_move p <> 0 ->
      (forall c h, turn p c h -> ~ empties h /\ escapes (after p c h)) -> escapes p.

(** The number of cards held, which every turn makes smaller. *)
Definition held (p : position) : nat := list_sum (map (@length card) (hands p)).

Lemma turn_holds_less : forall p c h, turn p c h -> held (after p c h) < held p.
Proof.
  intros [i t hs] c h [P _]. unfold held, hand, after in *. simpl in *.
  revert i P. induction hs as [|g hs IH]; intros i P.
  - destruct i; apply Permutation_length in P; simpl in P; lia.
  - destruct i as [|i]; simpl in *.
    + apply Permutation_length in P. simpl in P. lia.
    + specialize (IH i P). lia.
Qed.

Theorem beaten_not_escapes : forall p, beaten p -> ~ escapes p.
Proof.
  assert (H : forall n p, held p <= n -> beaten p -> escapes p -> False).
  { induction n as [|n IH]; intros p Small B X;
      inversion B as [q Z All | q c h Z T Or]; subst;
      inversion X as [q' c' h' Z' T' Or' | q' Z' All']; subst; try congruence.
    - pose proof (turn_holds_less _ _ _ T'). lia.
    - pose proof (turn_holds_less _ _ _ T). lia.
    - pose proof (turn_holds_less _ _ _ T'). destruct (All _ _ T') as [M B'].
      destruct Or' as [M'|X']; [tauto|]. apply (IH (after p c' h')); auto; lia.
    - pose proof (turn_holds_less _ _ _ T). destruct (All' _ _ T) as [M X'].
      destruct Or as [M'|B']; [tauto|]. apply (IH (after p c h)); auto; lia. }
  intros p B X. exact (H (held p) p (le_n _) B X).
Qed.

(** A set of positions that is closed under all replies: where player 0 is to move, all turns stay
    in it; where another player is, some turn does, or wins. *)
Definition closed (good : position -> Prop) : Prop :=
  forall p, good p ->
    (to_move p = 0 -> forall c h, turn p c h -> ~ empties h /\ good (after p c h))
    /\ (to_move p <> 0 -> exists c h, turn p c h /\ (empties h \/ good (after p c h))).

Theorem closed_strategy : forall good, closed good -> forall p, good p -> beaten p.
Proof.
  intros good Closed.
  assert (H : forall n p, held p <= n -> good p -> beaten p).
  { induction n as [|n IH]; intros p Small G; destruct (Closed p G) as [Zero Other];
      destruct (Nat.eq_dec (to_move p) 0) as [Z|Z].
    - apply all_turns_lose; auto. intros c h T. pose proof (turn_holds_less _ _ _ T). lia.
    - destruct (Other Z) as [c [h [T _]]]. pose proof (turn_holds_less _ _ _ T). lia.
    - apply all_turns_lose; auto. intros c h T. pose proof (turn_holds_less _ _ _ T).
      destruct (Zero Z c h T). split; auto. apply IH; auto; lia.
    - destruct (Other Z) as [c [h [T Or]]]. pose proof (turn_holds_less _ _ _ T).
      apply (a_turn_beats p c h); auto. destruct Or; auto. right. apply IH; auto; lia. }
  intros p. exact (H (held p) p (le_n _)).
Qed.

End Duel.
