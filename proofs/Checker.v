(** A checker of certificates, proved: if it says yes, the claim holds.

    This file handles witnesses and groups; [GameChecker.v] and [BoundChecker.v] have the other
    kinds.  [proofs/build] extracts them to OCaml.  Values of attributes are numbers here; the
    reader of files numbers them. *)

From Coq Require Import List Arith Lia Bool Permutation Orders Mergesort.
From UnoCsp Require Import Rules Groups.
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
