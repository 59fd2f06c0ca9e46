(** A checker of certificates of competitive play, proved: pairs and strategies. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Strategies Pairs Checker.
Import ListNotations.

(** ** Pairs *)

(** The pairs whose first card can come to be played, and the others: the first cards that fit on
    what lies on top, then those that fit on their partners, and so on. *)
Fixpoint reached (fuel k : nat) (tops : list (option card)) (ps : list (card * card))
    : list (card * card) * list (card * card) :=
  match fuel with
  | 0 => ([], ps)
  | S fuel' =>
      let '(now, later) :=
        partition (fun ab => existsb (fun top => fits k top (fst ab)) tops) ps in
      match now with
      | [] => ([], later)
      | _ =>
          let '(more, never) := reached fuel' k (map (fun ab => Some (snd ab)) now) later in
          (now ++ more, never)
      end
  end.

Definition all_dead (k : nat) (rest : list card) (last : option card) : bool :=
  forallb (fun c => negb (fits k last c)) rest.

(** [ps] are pairs of cards, [alone] the cards of the first player and [spare] those of the second
    player that are in no pair. *)
Definition check_pairs (k : nat) (after : option card) (first second : list card)
    (ps : list (card * card)) (alone spare : list card) : bool :=
  let '(used, unused) := reached (S (length ps)) k [after] ps in
  let rest := map fst unused ++ alone in
  same_cards first (map fst used ++ rest)
  && same_cards second (map snd used ++ map snd unused ++ spare)
  && forallb (fun ab => matches k (fst ab) (snd ab)) (used ++ unused)
  && all_dead k rest after
  && forallb (fun ab => all_dead k rest (Some (snd ab))) used.

Lemma all_dead_spec : forall k rest last, all_dead k rest last = true -> dead k rest last.
Proof.
  intros k rest last E c I. unfold all_dead in E. rewrite forallb_forall in E.
  apply negb_true_iff, E, I.
Qed.

Theorem check_pairs_sound :
  forall k after first second ps alone spare,
  check_pairs k after first second ps alone spare = true ->
  beaten k false (Position 0 after [first; second]).
Proof.
  intros k after first second ps alone spare E. unfold check_pairs in E.
  destruct (reached _ _ _ _) as [used unused].
  repeat (apply andb_true_iff in E; destruct E as [E ?]).
  apply (pairs k used (map fst unused ++ alone) (map snd unused ++ spare)).
  - now apply same_cards_permutation.
  - now apply same_cards_permutation.
  - apply Forall_forall. rewrite forallb_app in *.
    match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H as [M _] end.
    rewrite forallb_forall in M. auto.
  - now apply all_dead_spec.
  - intros ab I. apply all_dead_spec. rewrite forallb_forall in *. auto.
Qed.

(** ** Strategies *)

(** A position as a key: who is to move, the card on top, and for each player how many cards of
    each kind they hold. *)
Definition key : Type := nat * option card * list (list nat).

Definition amount (h : list card) (c : card) : nat := count_occ card_dec h c.
Definition amounts (kinds : list card) (h : list card) : list nat := map (amount h) kinds.

Definition key_of (kinds : list card) (p : position) : key :=
  (to_move p, top p, map (amounts kinds) (hands p)).

Lemma key_dec : forall a b : key, {a = b} + {a <> b}.
Proof.
  decide equality; [apply list_eq_dec, list_eq_dec, Nat.eq_dec|].
  decide equality; [|apply Nat.eq_dec]. decide equality. apply card_dec.
Defined.

(** The amounts after one card of a kind was laid, if one is held. *)
Fixpoint without (kinds : list card) (c : card) (ns : list nat) : option (list nat) :=
  match kinds, ns with
  | d :: kinds', n :: ns' =>
      if same c d then match n with S m => Some (m :: ns') | 0 => None end
      else option_map (cons n) (without kinds' c ns')
  | _, _ => None
  end.

Fixpoint set_nth (i : nat) (ns : list nat) (l : list (list nat)) : list (list nat) :=
  match l, i with
  | [], _ => []
  | _ :: rest, 0 => ns :: rest
  | n :: rest, S j => n :: set_nth j ns rest
  end.

Definition is_empty (ns : list nat) : bool := forallb (Nat.eqb 0) ns.

(** Where a turn leads: [None] if the player does not hold the card or it does not fit; else whether
    the hand is emptied, and the next position. *)
Definition turn_of (k : nat) (kinds : list card) (x : key) (c : card) : option (bool * key) :=
  let '(who, last, hs) := x in
  if fits k last c then
    match without kinds c (nth who hs []) with
    | Some ns => Some (is_empty ns, (next (length hs) who, Some c, set_nth who ns hs))
    | None => None
    end
  else None.

(** In position [x] all turns of player 0 stay among the positions, or some turn of another does. *)
Definition answered (k : nat) (emptied_wins : bool) (kinds : list card)
    (play : key -> option card) (member : key -> bool) (x : key) : bool :=
  if fst (fst x) =? 0 then
    forallb (fun c =>
      match turn_of k kinds x c with
      | Some (emptied, y) => negb (emptied_wins && emptied) && member y
      | None => true
      end) kinds
  else
    match play x with
    | Some c =>
        existsb (same c) kinds &&
        match turn_of k kinds x c with
        | Some (emptied, y) => (emptied_wins && emptied) || member y
        | None => false
        end
    | None => false
    end.

Definition listed (found : list key) (x : key) : bool :=
  existsb (fun y => if key_dec x y then true else false) found.

(** Positions are listed in several parts, so that a position is looked up in a short list; [place]
    says in which one, and nothing is believed of it. *)
Definition in_parts (place : key -> nat) (parts : list (list key)) (x : key) : bool :=
  listed (nth (place x) parts []) x.

Fixpoint once (l : list card) : bool :=
  match l with
  | [] => true
  | c :: rest => negb (existsb (same c) rest) && once rest
  end.

Definition check_strategy (k : nat) (emptied_wins : bool) (after : option card)
    (hs : list (list card)) (kinds : list card) (play : key -> option card)
    (place : key -> nat) (parts : list (list key)) : bool :=
  once kinds
  && forallb (forallb (fun c => existsb (same c) kinds)) hs
  && in_parts place parts (key_of kinds (Position 0 after hs))
  && forallb (forallb (answered k emptied_wins kinds play (in_parts place parts))) parts.

(** *** Soundness *)

Lemma existsb_same : forall c l, existsb (same c) l = true <-> In c l.
Proof.
  intros c l. rewrite existsb_exists. split.
  - intros [d [I E]]. apply same_spec in E. now subst.
  - intros I. exists c. split; auto. now apply same_spec.
Qed.

Lemma once_nodup : forall l, once l = true -> NoDup l.
Proof.
  induction l as [|c l IH]; intros E; constructor; simpl in E; apply andb_true_iff in E;
    destruct E as [E E']; auto.
  intros I. apply existsb_same in I. rewrite I in E. discriminate.
Qed.

Lemma amounts_permutation :
  forall kinds g h, Permutation g h -> amounts kinds g = amounts kinds h.
Proof.
  intros kinds g h P. unfold amounts. apply map_ext. intros c. unfold amount.
  now apply Permutation_count_occ.
Qed.

Lemma without_amounts :
  forall kinds c h, NoDup kinds -> In c kinds ->
  without kinds c (amounts kinds (c :: h)) = Some (amounts kinds h).
Proof.
  intros kinds c h N I. unfold amounts, amount.
  induction N as [|d kinds Out N IH]; [destruct I|]. simpl.
  destruct (card_dec c d) as [->|Ne].
  - rewrite (proj2 (same_spec d d) eq_refl). f_equal. f_equal.
    apply map_ext_in. intros e E. destruct (card_dec d e); auto. subst. contradiction.
  - destruct I as [I|I]; [congruence|].
    assert (S : same c d = false).
    { apply not_true_is_false. intros S. apply same_spec in S. contradiction. }
    rewrite S. simpl in IH. rewrite (IH I). reflexivity.
Qed.

Lemma is_empty_amounts :
  forall kinds h, (forall c, In c h -> In c kinds) ->
  (is_empty (amounts kinds h) = true <-> h = []).
Proof.
  intros kinds h Sub. unfold is_empty, amounts. rewrite forallb_forall. split.
  - intros All. destruct h as [|c h]; auto. exfalso.
    specialize (All (amount (c :: h) c)). rewrite Nat.eqb_eq in All.
    unfold amount in All. simpl in All. destruct (card_dec c c); [|congruence].
    enough (0 = S (count_occ card_dec h c)) by discriminate. apply All.
    apply in_map_iff. exists c. simpl. destruct (card_dec c c); [|congruence].
    split; auto. apply Sub. simpl. auto.
  - intros ->. intros n I. apply in_map_iff in I. destruct I as [c [<- _]]. reflexivity.
Qed.

Lemma set_nth_update :
  forall kinds i h hs, map (amounts kinds) (update i h hs)
  = set_nth i (amounts kinds h) (map (amounts kinds) hs).
Proof.
  intros kinds i h hs. revert i. induction hs as [|g hs IH]; intros [|i]; simpl; auto.
  now rewrite IH.
Qed.

Lemma nth_amounts :
  forall kinds i hs, i < length hs ->
  nth i (map (amounts kinds) hs) [] = amounts kinds (nth i hs []).
Proof.
  intros kinds i hs. revert i. induction hs as [|h hs IH]; intros [|i] L; simpl in *; try lia; auto.
  apply IH. lia.
Qed.

Definition among (kinds : list card) (hs : list (list card)) : Prop :=
  Forall (fun h => forall c, In c h -> In c kinds) hs.

Lemma among_update :
  forall kinds i h hs, among kinds hs -> (forall c, In c h -> In c kinds) ->
  among kinds (update i h hs).
Proof.
  intros kinds i h hs A. revert i. induction A as [|g hs G A IH]; intros [|i] H; simpl;
    constructor; auto. now apply IH.
Qed.

(** A turn leads where [turn_of] says. *)
Lemma turn_of_spec :
  forall k kinds p c h, NoDup kinds -> among kinds (hands p) ->
  turn k p c h ->
  exists emptied, turn_of k kinds (key_of kinds p) c = Some (emptied, key_of kinds (after p c h))
    /\ (emptied = true <-> h = []) /\ among kinds (hands (after p c h)) /\ In c kinds.
Proof.
  intros k kinds [who last hs] c h N A [P F]. unfold hand in P. simpl in *.
  assert (L : who < length hs).
  { destruct (le_lt_dec (length hs) who) as [G|]; auto. rewrite nth_overflow in P by auto.
    apply Permutation_length in P. discriminate. }
  assert (Sub : forall d, In d (c :: h) -> In d kinds).
  { intros d I. unfold among in A. rewrite Forall_forall in A.
    apply (A (nth who hs [])); [now apply nth_In|].
    eapply Permutation_in; [apply Permutation_sym; exact P|exact I]. }
  exists (is_empty (amounts kinds h)). unfold key_of, after. simpl.
  rewrite F, nth_amounts, (amounts_permutation _ _ _ P), without_amounts, set_nth_update,
    map_length; simpl; auto using in_eq.
  repeat split; auto using in_eq.
  - intros E. apply (is_empty_amounts kinds h); auto. intros d I. apply Sub. simpl. auto.
  - intros ->. apply (is_empty_amounts kinds []); auto. intros d [].
  - apply among_update; auto. intros d I. apply Sub. simpl. auto.
Qed.

Lemma without_held :
  forall kinds c h ns, NoDup kinds ->
  without kinds c (amounts kinds h) = Some ns -> In c h.
Proof.
  intros kinds c h ns N. revert ns. unfold amounts, amount.
  induction N as [|d kinds Out N IH]; intros ns E; simpl in E; [discriminate|].
  destruct (same c d) eqn:S.
  - apply same_spec in S. subst d. destruct (count_occ card_dec h c) eqn:C; [discriminate|].
    apply (count_occ_In card_dec). lia.
  - destruct (without kinds c (map (fun e => count_occ card_dec h e) kinds)) as [ms|] eqn:W;
      [|discriminate].
    eapply IH. reflexivity.
Qed.

Theorem check_strategy_sound :
  forall k emptied_wins after hs kinds play place parts,
  check_strategy k emptied_wins after hs kinds play place parts = true ->
  beaten k emptied_wins (Position 0 after hs).
Proof.
  intros k ew top0 hs kinds play place parts E. unfold check_strategy in E.
  repeat (apply andb_true_iff in E; destruct E as [E ?]).
  assert (N : NoDup kinds) by now apply once_nodup.
  set (good := fun p => among kinds (hands p) /\ in_parts place parts (key_of kinds p) = true).
  apply (closed_strategy k ew good).
  - intros p [A Lp]. unfold in_parts, listed in Lp. apply existsb_exists in Lp.
    destruct Lp as [x [I X]]. destruct (key_dec (key_of kinds p) x) as [<-|]; [|discriminate].
    rename H into All. rewrite forallb_forall in All.
    assert (Small : place (key_of kinds p) < length parts).
    { destruct (le_lt_dec (length parts) (place (key_of kinds p))) as [G|]; auto.
      rewrite nth_overflow in I by auto. destruct I. }
    specialize (All _ (nth_In parts [] Small)). rewrite forallb_forall in All. specialize (All _ I).
    unfold answered in All. change (fst (fst (key_of kinds p))) with (to_move p) in All.
    split; intros Z.
    + rewrite Z in All. cbn [Nat.eqb] in All. rewrite forallb_forall in All.
      intros c h T. destruct (turn_of_spec k kinds p c h N A T) as [b [Eb [B [A' K]]]].
      specialize (All c K). rewrite Eb in All. apply andb_true_iff in All.
      destruct All as [M L]. split; [|split; auto].
      intros [W Em]. apply B in Em. rewrite W, Em in M. discriminate.
    + destruct (Nat.eqb_spec (to_move p) 0) as [Z'|_]; [contradiction|].
      destruct (play (key_of kinds p)) as [c|]; [|discriminate].
      apply andb_true_iff in All. destruct All as [_ All].
      destruct (turn_of k kinds (key_of kinds p) c) as [[b y]|] eqn:T; [|discriminate].
      assert (Held : exists h, turn k p c h).
      { unfold turn_of, key_of in T. destruct (fits k (top p) c) eqn:F; [|discriminate].
        destruct (le_lt_dec (length (hands p)) (to_move p)) as [G|L].
        - rewrite nth_overflow in T by (rewrite map_length; auto).
          destruct kinds; discriminate.
        - rewrite nth_amounts in T by auto.
          destruct (without kinds c (amounts kinds (nth (to_move p) (hands p) []))) eqn:W;
            [|discriminate].
          apply without_held in W; auto. destruct (in_split _ _ W) as [l1 [l2 S]].
          exists (l1 ++ l2). split; auto. unfold hand. rewrite S.
          apply Permutation_sym, Permutation_middle. }
      destruct Held as [h Th]. exists c, h. split; auto.
      destruct (turn_of_spec k kinds p c h N A Th) as [b' [Eb [B [A' K]]]].
      rewrite T in Eb. inversion Eb; subst b' y. clear Eb.
      apply orb_true_iff in All. destruct All as [All|All].
      * left. apply andb_true_iff in All. destruct All as [W Em]. split; auto. now apply B.
      * right. split; auto.
  - split; auto. unfold among. apply Forall_forall. intros h I c C.
    match goal with H : forallb (forallb _) _ = true |- _ => rewrite forallb_forall in H;
      specialize (H h I); rewrite forallb_forall in H; specialize (H c C) end.
    now apply existsb_same.
Qed.
