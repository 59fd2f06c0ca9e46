(** A checker of certificates, proved: if it says yes, the claim holds.

    It handles witnesses, and the kinds [groups], [pairs] and [strategy].  [proofs/build] extracts
    it to OCaml.  Values of attributes are numbers here; the reader of files numbers them. *)

From Coq Require Import List Arith Lia Bool Permutation Orders Mergesort.
From UnoCsp Require Import Rules Groups Strategies Pairs.
Import ListNotations.

(** ** Lists of cards *)

Lemma card_dec : forall c d : card, {c = d} + {c <> d}.
Proof. apply list_eq_dec. decide equality. apply Nat.eq_dec. Defined.

Definition same (c d : card) : bool := if card_dec c d then true else false.

Lemma same_spec : forall c d, same c d = true <-> c = d.
Proof. intros c d. unfold same. destruct (card_dec c d); split; congruence. Qed.

Fixpoint take (c : card) (l : list card) : option (list card) :=
  match l with
  | [] => None
  | d :: rest => if same c d then Some rest else option_map (cons d) (take c rest)
  end.

Lemma take_permutation : forall c l l', take c l = Some l' -> Permutation l (c :: l').
Proof.
  induction l as [|d l IH]; intros l' E; simpl in E; [discriminate|].
  destruct (same c d) eqn:S.
  - apply same_spec in S. inversion E. subst. auto.
  - destruct (take c l) as [l''|]; [|discriminate]. simpl in E. inversion E. subst.
    eapply Permutation_trans; [apply perm_skip; apply IH; reflexivity|apply perm_swap].
Qed.

(** The same cards, in any order. *)
Fixpoint rearranged (a b : list card) : bool :=
  match a with
  | [] => match b with [] => true | _ => false end
  | c :: a' => match take c b with Some b' => rearranged a' b' | None => false end
  end.

Lemma rearranged_permutation : forall a b, rearranged a b = true -> Permutation a b.
Proof.
  induction a as [|c a IH]; intros b E; simpl in E.
  - destruct b; [constructor|discriminate].
  - destruct (take c b) as [b'|] eqn:T; [|discriminate].
    eapply Permutation_trans; [apply perm_skip, IH, E|].
    apply Permutation_sym, take_permutation, T.
Qed.

(** Sorted first, so that the comparison takes linear time. *)
Definition code (c : card) : list nat :=
  map (fun a => match a with None => 0 | Some x => S x end) c.

Fixpoint before (a b : list nat) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | x :: a', y :: b' => (x <? y) || ((x =? y) && before a' b')
  end.

Module Order <: TotalLeBool.
  Definition t := card.
  Definition leb (c d : card) : bool := before (code c) (code d).
  Lemma leb_total : forall c d, leb c d = true \/ leb d c = true.
  Proof.
    intros c d. unfold leb. generalize (code c) (code d).
    induction l as [|x a IH]; intros [|y b]; simpl; auto.
    destruct (Nat.ltb_spec x y), (Nat.ltb_spec y x), (Nat.eqb_spec x y), (Nat.eqb_spec y x);
      simpl; auto; try lia.
  Qed.
End Order.

Module Sorting := Sort Order.

Definition same_cards (a b : list card) : bool := rearranged (Sorting.sort a) (Sorting.sort b).

Lemma same_cards_permutation : forall a b, same_cards a b = true -> Permutation a b.
Proof.
  intros a b E. apply rearranged_permutation in E.
  eapply Permutation_trans; [apply Sorting.Permuted_sort|].
  eapply Permutation_trans; [exact E|]. apply Permutation_sym, Sorting.Permuted_sort.
Qed.

Fixpoint is_chain (k : nat) (l : list card) : bool :=
  match l with
  | c :: ((d :: _) as rest) => matches k c d && is_chain k rest
  | _ => true
  end.

Lemma is_chain_feasible : forall k l, is_chain k l = true -> feasible k l.
Proof.
  induction l as [|c l IH]; intros E; [exact I|].
  destruct l as [|d l]; [exact I|]. apply andb_true_iff in E. destruct E. split; auto.
  now apply IH.
Qed.

Definition on_pile (after : option card) (s : list card) : list card :=
  match after with Some p => p :: s | None => s end.

(** ** Witnesses: the sequence plays exactly these cards. *)

Definition check_witness (k : nat) (after : option card) (cards s : list card) : bool :=
  is_chain k (on_pile after s) && same_cards s cards.

Theorem check_witness_sound :
  forall k after cards s, check_witness k after cards s = true -> playable k after cards.
Proof.
  intros k after cards s E. apply andb_true_iff in E. destruct E as [C R].
  exists s. split; [now apply same_cards_permutation|].
  apply is_chain_feasible in C. destruct after; exact C.
Qed.

(** ** Groups *)

(** A card with the number of its group, or none if it is removed. *)
Notation labelled := (card * option nat)%type (only parsing).

Definition out (a : labelled) : bool := match snd a with None => true | Some _ => false end.
Definition group_of (a : labelled) : nat := match snd a with Some g => g | None => 0 end.
Definition near (k : nat) (a b : labelled) : bool := matches k (fst a) (fst b).

(** The cards that count: those of the hand that are not universal, and such a pile. *)
Definition counted (k : nat) (after : option card) (hand : list card) : list card :=
  filter (fun c => negb (universal k c)) hand
  ++ match after with Some p => if universal k p then [] else [p] | None => [] end.

Fixpoint place_of (i : nat) (groups : list (list nat)) (g : nat) : option nat :=
  match groups with
  | [] => None
  | members :: rest => if existsb (Nat.eqb i) members then Some g else place_of i rest (S g)
  end.

Definition labels (n : nat) (groups : list (list nat)) : list (option nat) :=
  map (fun i => place_of i groups 0) (seq 0 n).

(** No card matches one of another group. *)
Fixpoint apart_from (k : nat) (a : labelled) (l : list labelled) : bool :=
  match l with
  | [] => true
  | b :: rest =>
      (out b || (group_of a =? group_of b) || (negb (near k a b) && negb (near k b a)))
      && apart_from k a rest
  end.

Fixpoint all_apart (k : nat) (l : list labelled) : bool :=
  match l with
  | [] => true
  | a :: rest => (out a || apart_from k a rest) && all_apart k rest
  end.

Definition has_group (l : list labelled) (g : nat) : bool :=
  existsb (fun a => negb (out a) && (group_of a =? g)) l.

(** Every number below [n] is listed once. *)
Definition each_once (n : nat) (l : list nat) : bool :=
  (length l =? n) && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 n).

Lemma apart_from_spec :
  forall k a l b, apart_from k a l = true -> In b l -> out b = false ->
  near k a b = true \/ near k b a = true -> group_of a = group_of b.
Proof.
  induction l as [|c l IH]; intros b E I O N; [destruct I|].
  simpl in E. apply andb_true_iff in E. destruct E as [E E'].
  destruct I as [<-|I]; [|now apply IH].
  rewrite O in E. simpl in E. apply orb_true_iff in E. destruct E as [E|E].
  - now apply Nat.eqb_eq.
  - apply andb_true_iff in E. destruct E as [E1 E2]. apply negb_true_iff in E1, E2.
    destruct N; congruence.
Qed.

Lemma all_apart_spec :
  forall k l, all_apart k l = true ->
  forall a b, In a l -> In b l -> out a = false -> out b = false ->
  near k a b = true -> group_of a = group_of b.
Proof.
  induction l as [|c l IH]; intros E a b Ia Ib Oa Ob N; [destruct Ia|].
  simpl in E. apply andb_true_iff in E. destruct E as [E E'].
  destruct Ia as [<-|Ia], Ib as [<-|Ib]; auto.
  - rewrite Oa in E. simpl in E. apply (apart_from_spec k _ _ _ E); auto.
  - rewrite Ob in E. simpl in E. symmetry. apply (apart_from_spec k _ _ _ E); auto.
Qed.

Lemma split_filter :
  forall A (f : A -> bool) l, Permutation l (filter (fun x => negb (f x)) l ++ filter f l).
Proof.
  induction l as [|a l IH]; simpl; auto.
  destruct (f a); simpl; auto. now apply Permutation_cons_app.
Qed.

Definition removed_of (cards : list card) : list labelled := map (fun c => (c, None)) cards.

Lemma removed_out : forall cards, filter out (removed_of cards) = removed_of cards.
Proof. induction cards as [|c cards IH]; simpl; auto. now rewrite IH. Qed.

Lemma removed_first : forall cards, map fst (removed_of cards) = cards.
Proof. induction cards as [|c cards IH]; simpl; auto. now rewrite IH. Qed.

Lemma combine_first :
  forall (cards : list card) (ls : list (option nat)), length ls = length cards ->
  map fst (combine cards ls) = cards.
Proof.
  induction cards as [|c cards IH]; intros [|o ls] L; simpl in *; try discriminate; auto.
  rewrite IH; auto.
Qed.

(** What is played, the pile included, in one chain. *)
Lemma one_chain :
  forall k after hand added, playable k after (hand ++ added) ->
  exists t, feasible k t /\
    Permutation t (counted k after hand ++ filter (universal k) hand ++ added).
Proof.
  intros k after hand added [s [P F]].
  assert (Q : Permutation s
    (filter (fun c => negb (universal k c)) hand ++ filter (universal k) hand ++ added)).
  { eapply Permutation_trans; [exact P|]. rewrite app_assoc. apply Permutation_app_tail.
    apply split_filter. }
  unfold counted. destruct after as [p|]; [destruct (universal k p)|].
  - exists s. rewrite app_nil_r. split; auto. now apply chain_tail in F.
  - exists (p :: s). split; auto. rewrite <- app_assoc. simpl.
    now apply Permutation_cons_app.
  - exists s. rewrite app_nil_r. auto.
Qed.

(** The cards of a group. *)
Definition members (l : list labelled) (g : nat) : list card :=
  map fst (filter (in_group labelled group_of g) (kept out l)).

Section Needs.

(** [needs_more cards n] says that [cards] cannot be played in fewer than [n] sequences. *)
Variable needs_more : list card -> nat -> bool.
Variable k : nat.

Hypothesis needs_more_sound :
  forall cards n, needs_more cards n = true ->
  forall r, covered_by (matches k) r cards -> n <= r.

Fixpoint check_needs (l : list labelled) (g : nat) (needs : list nat) : bool :=
  match needs with
  | [] => true
  | n :: rest =>
      (if n <=? 1 then has_group l g else needs_more (members l g) n) && check_needs l (S g) rest
  end.

(** The number of added cards that is needed at least; with one more than zero, none suffices.
    [needs] has for each group how many sequences it needs. *)
Definition needed (after : option card) (hand : list card) (removed : list nat)
    (groups : list (list nat)) (needs : list nat) : option nat :=
  let cards := counted k after hand in
  let n := length cards in
  let l := combine cards (labels n groups) in
  if each_once n (removed ++ concat groups) && all_apart k l
     && (length needs =? length groups) && check_needs l 0 needs
  then Some (list_sum needs - (1 + length (filter (universal k) hand) + length (filter out l)))
  else None.

Lemma check_needs_spec :
  forall all l needs g, kept out all = kept out l -> check_needs l g needs = true ->
  Forall (need labelled (near k) out group_of all) (combine (seq g (length needs)) needs).
Proof.
  intros all l needs. induction needs as [|n needs IH]; intros g K E; simpl; constructor.
  - apply andb_true_iff in E. destruct E as [E _].
    destruct (n <=? 1) eqn:One.
    + apply Nat.leb_le in One. apply existsb_exists in E. destruct E as [a [Ia Ha]].
      apply andb_true_iff in Ha. destruct Ha as [Oa Ga]. apply Nat.eqb_eq in Ga. subst g.
      intros r C. eapply Nat.le_trans; [exact One|].
      apply (one_needed labelled (near k) out group_of all a); auto.
      rewrite K. apply filter_In. auto.
    + intros r [ss [R [F P]]]. apply (needs_more_sound _ _ E). simpl in P. rewrite K in P.
      exists (map (map fst) ss). rewrite map_length. split; auto. split.
      * rewrite Forall_forall in *. intros s I. apply in_map_iff in I. destruct I as [s' [<- I]].
        apply (chain_map labelled card fst (matches k)), F, I.
      * rewrite <- concat_map. unfold members. now apply Permutation_map.
  - apply andb_true_iff in E. apply IH; tauto.
Qed.

Theorem needed_sound :
  forall after hand removed groups needs least,
  needed after hand removed groups needs = Some least ->
  forall added, playable k after (hand ++ added) -> least <= length added.
Proof.
  intros after hand removed groups needs least E added Play. unfold needed in E.
  set (cards := counted k after hand) in *.
  set (l := combine cards (labels (length cards) groups)) in *.
  destruct (each_once _ _ && all_apart k l && _ && check_needs l 0 needs) eqn:C; [|discriminate].
  inversion E; subst least. clear E.
  apply andb_true_iff in C. destruct C as [C Needs]. apply andb_true_iff in C. destruct C as [C _].
  apply andb_true_iff in C. destruct C as [_ Ap].
  destruct (one_chain k after hand added Play) as [t [F P]].
  set (all := l ++ removed_of (filter (universal k) hand) ++ removed_of added).
  assert (First : map fst l = cards).
  { apply combine_first. unfold labels. now rewrite map_length, seq_length. }
  assert (Names : map fst all = cards ++ filter (universal k) hand ++ added).
  { unfold all. now rewrite !map_app, !removed_first, First. }
  fold cards in P. rewrite <- Names in P.
  destruct (Permutation_map_inv _ _ P) as [t' [-> P']].
  assert (Cov : covered_by (near k) 1 all).
  { exists [t']. simpl. rewrite app_nil_r. split; auto. split; [|now apply Permutation_sym].
    constructor; auto. exact (proj1 (chain_map labelled card fst (matches k) t') F). }
  assert (Gone : forall cs, kept out (removed_of cs) = []).
  { induction cs as [|c cs IH]; auto. }
  assert (Kept : kept out all = kept out l).
  { unfold all, kept in *. now rewrite !filter_app, !Gone, !app_nil_r. }
  assert (Out : length (filter out all)
    = length (filter out l) + length (filter (universal k) hand) + length added).
  { unfold all. rewrite !filter_app, !app_length, !removed_out. unfold removed_of.
    rewrite !map_length. apply Nat.add_assoc. }
  assert (Pairs : forall g (ns : list nat), map snd (combine (seq g (length ns)) ns) = ns
    /\ map fst (combine (seq g (length ns)) ns) = seq g (length ns)).
  { intros g ns. revert g. induction ns as [|n ns IH]; intros g; simpl; auto.
    destruct (IH (S g)) as [A B]. now rewrite A, B. }
  destruct (Pairs 0 needs) as [Second Numbers].
  enough (list_sum needs <= 1 + length (filter out all)) by lia.
  rewrite <- Second at 1.
  apply (Groups.groups labelled (near k) out group_of all _ 1); auto.
  - intros a b Ia Ib N. rewrite Kept in Ia, Ib. apply filter_In in Ia, Ib.
    destruct Ia as [Ia Oa], Ib as [Ib Ob]. apply negb_true_iff in Oa, Ob.
    apply (all_apart_spec k l Ap); auto.
  - rewrite Numbers. apply seq_NoDup.
  - now apply check_needs_spec with (l := l).
Qed.

(** [uno-1]: the hand cannot be played. *)
Definition check_unplayable (after : option card) (hand : list card)
    (removed : list nat) (groups : list (list nat)) (needs : list nat) : bool :=
  match needed after hand removed groups needs with
  | Some least => 0 <? least
  | None => false
  end.

Theorem check_unplayable_sound :
  forall after hand removed groups needs,
  check_unplayable after hand removed groups needs = true -> ~ playable k after hand.
Proof.
  intros after hand removed groups needs E P. unfold check_unplayable in E.
  destruct (needed after hand removed groups needs) as [least|] eqn:N; [|discriminate].
  apply Nat.ltb_lt in E. pose proof (needed_sound _ _ _ _ _ _ N []) as H.
  rewrite app_nil_r in H. specialize (H P). simpl in H. lia.
Qed.

(** [fill-in]: [v] added cards suffice, as the witness shows, and fewer do not. *)
Definition check_fill_in (after : option card) (hand added s : list card)
    (removed : list nat) (groups : list (list nat)) (needs : list nat) : bool :=
  check_witness k after (hand ++ added) s
  && match added with
     | [] => true
     | _ => match needed after hand removed groups needs with
            | Some least => length added <=? least
            | None => false
            end
     end.

Theorem check_fill_in_sound :
  forall after hand added s removed groups needs,
  check_fill_in after hand added s removed groups needs = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros after hand added s removed groups needs E. apply andb_true_iff in E. destruct E as [W E].
  split; [eapply check_witness_sound; exact W|]. intros fewer P.
  destruct added as [|c added]; [simpl; lia|].
  destruct (needed after hand removed groups needs) as [least|] eqn:N; [|discriminate].
  apply Nat.leb_le in E. pose proof (needed_sound _ _ _ _ _ _ N fewer P). lia.
Qed.

End Needs.

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

(** The positions that a strategy reaches, found by search.  Nothing is believed of it. *)
Fixpoint explore (fuel k : nat) (emptied_wins : bool) (kinds : list card)
    (play : key -> option card) (seen : key -> list key -> bool)
    (waiting found : list key) : list key :=
  match fuel, waiting with
  | S fuel', x :: rest =>
      let cards := if fst (fst x) =? 0 then kinds
                   else match play x with Some c => [c] | None => [] end in
      let coming := flat_map (fun c =>
        match turn_of k kinds x c with
        | Some (emptied, y) => if emptied_wins && emptied then [] else [y]
        | None => []
        end) cards in
      let fresh := filter (fun y => negb (seen y (rest ++ found))) coming in
      explore fuel' k emptied_wins kinds play seen (rest ++ fresh) (x :: found)
  | _, _ => found
  end.

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

Fixpoint once (l : list card) : bool :=
  match l with
  | [] => true
  | c :: rest => negb (existsb (same c) rest) && once rest
  end.

Definition check_strategy (k : nat) (emptied_wins : bool) (after : option card)
    (hs : list (list card)) (kinds : list card) (play : key -> option card)
    (found : list key) : bool :=
  once kinds
  && forallb (forallb (fun c => existsb (same c) kinds)) hs
  && listed found (key_of kinds (Position 0 after hs))
  && forallb (answered k emptied_wins kinds play (listed found)) found.

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

Lemma update_length : forall i h hs, length (update i h hs) = length hs.
Proof. intros i h hs. revert i. induction hs; intros [|i]; simpl; auto. Qed.

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
  forall k emptied_wins after hs kinds play found,
  check_strategy k emptied_wins after hs kinds play found = true ->
  beaten k emptied_wins (Position 0 after hs).
Proof.
  intros k ew top0 hs kinds play found E. unfold check_strategy in E.
  repeat (apply andb_true_iff in E; destruct E as [E ?]).
  assert (N : NoDup kinds) by now apply once_nodup.
  set (good := fun p => among kinds (hands p) /\ listed found (key_of kinds p) = true).
  apply (closed_strategy k ew good).
  - intros p [A Lp]. unfold listed in Lp. apply existsb_exists in Lp.
    destruct Lp as [x [I X]]. destruct (key_dec (key_of kinds p) x) as [<-|]; [|discriminate].
    rename H into All. rewrite forallb_forall in All. specialize (All _ I).
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
