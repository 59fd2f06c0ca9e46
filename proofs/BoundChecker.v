(** A checker of bounds, proved: if it says yes, the hand cannot be played with that many added cards.

    The rows are described, not written out; [Rows.v] writes them from the question. *)

From Coq Require Import List Arith ZArith Lia Bool Permutation Orders Mergesort.
From UnoCsp Require Import Rules Trails HubTrails Hubs Bounds Counts Rows RowsHold Played Checker.
Import ListNotations.

(** ** Variables in order *)

Definition rank (x : var) : nat * nat * nat :=
  match x with
  | Visited h => (0, h, 0)
  | Odd h => (1, h, 0)
  | Closed h => (2, h, 0)
  | Walked c h => (3, c, h)
  end.

Definition rank_leb (a b : nat * nat * nat) : bool :=
  let '(x, y, z) := a in
  let '(x', y', z') := b in
  (x <? x') || ((x =? x') && ((y <? y') || ((y =? y') && (z <=? z')))).

Module Weighted <: TotalLeBool.
  Definition t : Type := var * Z.
  Definition leb (a b : t) : bool := rank_leb (rank (fst a)) (rank (fst b)).
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros a b. unfold leb, rank_leb.
    destruct (rank (fst a)) as [[x y] z], (rank (fst b)) as [[x' y'] z'].
    destruct (Nat.ltb_spec x x'), (Nat.ltb_spec x' x), (Nat.eqb_spec x x'), (Nat.eqb_spec x' x),
      (Nat.ltb_spec y y'), (Nat.ltb_spec y' y), (Nat.eqb_spec y y'), (Nat.eqb_spec y' y),
      (Nat.leb_spec z z'), (Nat.leb_spec z' z); simpl; auto; lia.
  Qed.
End Weighted.

Module Weights := Sort Weighted.

Definition same_var (x y : var) : bool :=
  match x, y with
  | Visited g, Visited h | Odd g, Odd h | Closed g, Closed h => g =? h
  | Walked c g, Walked d h => (c =? d) && (g =? h)
  | _, _ => false
  end.

Lemma same_var_spec : forall x y, same_var x y = true -> x = y.
Proof.
  intros [] [] E; simpl in E; try discriminate; try (apply Nat.eqb_eq in E; now subst).
  apply andb_true_iff in E. destruct E as [E E']. apply Nat.eqb_eq in E, E'. now subst.
Qed.

(** ** The check *)

Inductive tree :=
  | Leaf (rows : list (Z * description))
  | Branch (x : var) (if_true if_false : tree).

Section Check.

Variable k : nat.
Variable after : option card.
Variable hand : list card.

Definition hand_cards : list card := filter (fun c => negb (universal k c)) hand.
Definition pile_counts : bool :=
  match after with Some p => negb (universal k p) | None => false end.
Definition all_cards : list card := counted k after hand.

Definition hubs_at (known : list place) (c : nat) : list hub :=
  map (fun h => index h known) (hubs k 0 (nth c all_cards [])).

Fixpoint row_list (row_of : description -> option (row var)) (ds : list (Z * description))
    : option (list (Z * row var)) :=
  match ds with
  | [] => Some []
  | (times, d) :: rest =>
      match row_of d, row_list row_of rest with
      | Some r, Some rs => Some ((times, r) :: rs)
      | _, _ => None
      end
  end.

Fixpoint cases_of (row_of : description -> option (row var)) (t : tree) : option (cases var) :=
  match t with
  | Leaf ds => option_map (Sum var) (row_list row_of ds)
  | Branch x yes no =>
      match cases_of row_of yes, cases_of row_of no with
      | Some a, Some b => Some (Split var x a b)
      | _, _ => None
      end
  end.

Definition well_formed_b (d : nat) (cs : list card) : bool :=
  (1 <=? k) && (k <=? d)
  && forallb (fun c => forallb (fun a => match a with None => false | _ => true end) c
                       && (length c =? d)) cs.

(** [at_] has to be [hubs_at]; it is a parameter so that a program can tabulate it. *)
Definition check_bound (d : nat) (added : nat) (at_ : nat -> list hub) (t : tree) : bool :=
  let known := known_hubs k all_cards in
  well_formed_b d all_cards
  && forallb (fun c => if list_eq_dec Nat.eq_dec (at_ c) (hubs_at known c) then true else false)
       (seq 0 (length all_cards))
  && match cases_of (row_of at_ (length hand_cards) pile_counts (length known)
             (1 + length (filter (universal k) hand) + added)) t with
     | Some c => check_cases var same_var Weights.sort [] c
     | None => false
     end.

(** ** Soundness *)

Lemma well_formed_spec : forall d cs, well_formed_b d cs = true -> well_formed k d cs.
Proof.
  intros d cs E. unfold well_formed_b in E. repeat (apply andb_true_iff in E; destruct E as [E ?]).
  split; [now apply Nat.leb_le|]. apply Forall_forall. intros c I.
  match goal with H : forallb _ cs = true |- _ => rewrite forallb_forall in H; specialize (H c I);
    apply andb_true_iff in H; destruct H as [P L] end.
  split; [|now apply Nat.eqb_eq]. apply Forall_forall. intros a A -> .
  rewrite forallb_forall in P. specialize (P _ A). discriminate.
Qed.

Lemma row_list_holds :
  forall row_of v ds rs, (forall d r, row_of d = Some r -> holds var v r) ->
  row_list row_of ds = Some rs -> Forall (holds var v) (map snd rs).
Proof.
  intros row_of v ds. induction ds as [|[times d] ds IH]; intros rs H E; simpl in E.
  - inversion E. constructor.
  - destruct (row_of d) as [r|] eqn:R; [|discriminate].
    destruct (row_list row_of ds) as [rs'|]; [|discriminate]. inversion E. subst. simpl.
    constructor; eauto.
Qed.

Lemma cases_hold :
  forall row_of v t c, (forall d r, row_of d = Some r -> holds var v r) ->
  cases_of row_of t = Some c -> Forall (holds var v) (rows_of var c).
Proof.
  intros row_of v t. induction t as [ds|x yes Yes no No]; intros c H E; simpl in E.
  - destruct (row_list row_of ds) as [rs|] eqn:R; [|discriminate]. inversion E. subst. simpl.
    eapply row_list_holds; eauto.
  - destruct (cases_of row_of yes) as [a|]; [|discriminate].
    destruct (cases_of row_of no) as [b|]; [|discriminate]. inversion E. subst. simpl.
    apply Forall_app. eauto.
Qed.

(** *** The play, in pieces, by the numbers of the cards *)

Definition near_number (i j : nat) : bool := matches k (nth i all_cards []) (nth j all_cards []).

Local Notation tagged := (card * option nat)%type (only parsing).
Definition untagged (a : tagged) : bool := match snd a with None => true | Some _ => false end.
Definition number_of (a : tagged) : nat := match snd a with Some i => i | None => 0 end.

(** The cards of a list, numbered, and each is what its number says. *)
Definition right (a : tagged) : Prop :=
  forall i, snd a = Some i -> fst a = nth i all_cards [].

Lemma chain_numbers :
  forall l, Forall right l -> Forall (fun a => untagged a = false) l ->
  chain (fun a b => matches k (fst a) (fst b)) l -> chain near_number (map number_of l).
Proof.
  induction l as [|a l IH]; intros R T C; [exact I|].
  inversion R as [|? ? Ra R']; subst. inversion T as [|? ? Ta T']; subst.
  destruct l as [|b l]; [exact I|]. destruct C as [M C].
  inversion R' as [|? ? Rb _]; subst. inversion T' as [|? ? Tb _]; subst.
  split; [|apply IH; auto].
  unfold near_number, number_of, untagged, right in *.
  destruct (snd a) as [i|]; [|discriminate]. destruct (snd b) as [j|]; [|discriminate].
  now rewrite <- (Ra i eq_refl), <- (Rb j eq_refl).
Qed.

Definition hand_tagged (added : list card) : list tagged :=
  combine hand_cards (map Some (seq 0 (length hand_cards)))
  ++ removed_of (filter (universal k) hand ++ added).

Lemma combine_tags :
  forall (cs : list card) (l : list nat), length l = length cs ->
  map fst (combine cs (map Some l)) = cs
  /\ filter untagged (combine cs (map Some l)) = []
  /\ map number_of (kept untagged (combine cs (map Some l))) = l.
Proof.
  induction cs as [|c cs IH]; intros [|i l] L; simpl in *; try discriminate; auto.
  injection L as L. destruct (IH l L) as [A [B D]]. unfold kept in *. simpl.
  now rewrite A, B, D.
Qed.

Lemma removed_kept : forall cs, kept untagged (removed_of cs) = [].
Proof. induction cs as [|c cs IH]; auto. Qed.

Lemma removed_untagged : forall cs, filter untagged (removed_of cs) = removed_of cs.
Proof. induction cs as [|c cs IH]; simpl; auto. now rewrite IH. Qed.

Lemma kept_app :
  forall A (f : A -> bool) a b, kept f (a ++ b) = kept f a ++ kept f b.
Proof. intros. unfold kept. apply filter_app. Qed.

Lemma kept_permutation :
  forall A (f : A -> bool) a b, Permutation a b -> Permutation (kept f a) (kept f b).
Proof.
  intros A f a b P. unfold kept. induction P as [|x a b P IH|x y a|a b c P IH Q IH']; simpl; auto.
  - destruct (f x); simpl; auto.
  - destruct (f x), (f y); simpl; auto using perm_swap.
  - eauto using Permutation_trans.
Qed.

Lemma filter_length_permutation :
  forall A (f : A -> bool) a b, Permutation a b -> length (filter f a) = length (filter f b).
Proof.
  intros A f a b P.
  induction P as [|x a b P IH|x y a|a b c P IH Q IH']; simpl; auto; try congruence.
  - destruct (f x); simpl; auto.
  - destruct (f x), (f y); auto.
Qed.

(** The hand in order, with its tags. *)
Lemma tagged_play :
  forall added s, Permutation s (hand ++ added) ->
  exists t, map fst t = s /\ Permutation t (hand_tagged added) /\ Forall right t.
Proof.
  intros added s P.
  destruct (combine_tags hand_cards (seq 0 (length hand_cards)) (seq_length _ _)) as [A [_ _]].
  assert (Names : Permutation s (map fst (hand_tagged added))).
  { unfold hand_tagged. rewrite map_app, A, removed_first, app_assoc.
    eapply Permutation_trans; [exact P|]. apply Permutation_app_tail, split_filter. }
  destruct (Permutation_map_inv _ _ Names) as [t [-> Q]].
  exists t. repeat split; [now apply Permutation_sym|].
  apply Forall_forall. intros a I. apply (Permutation_in _ (Permutation_sym Q)) in I.
  unfold hand_tagged in I. apply in_app_or in I. destruct I as [I|I].
  - intros i Si. destruct a as [c o]. simpl in *. subst o.
    apply in_combine_l in I as Ic.
    assert (H : forall cs m, In (c, Some i) (combine cs (map Some (seq m (length cs)))) ->
      m <= i /\ nth (i - m) cs [] = c /\ i - m < length cs).
    { clear. induction cs as [|d cs IH]; intros m J; [destruct J|]. simpl in J.
      destruct J as [J|J].
      - inversion J; subst. rewrite Nat.sub_diag. simpl. repeat split; auto. lia.
      - destruct (IH (S m) J) as [L [N B]]. replace (i - m) with (S (i - S m)) by lia.
        simpl. repeat split; auto; lia. }
    destruct (H hand_cards 0 I) as [_ [N B]]. rewrite Nat.sub_0_r in *.
    unfold all_cards, counted. rewrite app_nth1; auto.
  - intros i Si. apply in_map_iff in I. destruct I as [c [<- _]]. discriminate.
Qed.

Lemma hand_numbers :
  forall added, map number_of (kept untagged (hand_tagged added)) = seq 0 (length hand_cards)
  /\ length (filter untagged (hand_tagged added))
     = length (filter (universal k) hand) + length added.
Proof.
  intros added. unfold hand_tagged.
  destruct (combine_tags hand_cards (seq 0 (length hand_cards)) (seq_length _ _)) as [_ [B D]].
  rewrite kept_app, filter_app, B, removed_kept, app_nil_r, removed_untagged.
  unfold removed_of. split; auto. simpl. now rewrite map_length, app_length.
Qed.

Lemma pieces_right :
  forall t, Forall right t -> Forall (Forall right) (cut untagged t)
  /\ Forall (Forall (fun a => untagged a = false)) (cut untagged t).
Proof.
  intros t R.
  assert (In' : forall p a, In p (cut untagged t) -> In a p -> In a (kept untagged t)).
  { intros p a Ip Ia. rewrite <- cut_concat. apply in_concat. eauto. }
  rewrite Forall_forall in R.
  split; apply Forall_forall; intros p Ip; apply Forall_forall; intros a Ia;
    specialize (In' p a Ip Ia); apply filter_In in In'; destruct In' as [It Ut].
  - auto.
  - now apply negb_true_iff.
Qed.

Lemma concat_numbers :
  forall t added, Permutation t (hand_tagged added) ->
  Permutation (concat (map (map number_of) (cut untagged t))) (seq 0 (length hand_cards)).
Proof.
  intros t added P. rewrite concat_map, cut_concat || rewrite <- concat_map, cut_concat.
  destruct (hand_numbers added) as [<- _]. apply Permutation_map, kept_permutation, P.
Qed.

Lemma number_chains :
  forall t, Forall right t -> chain (fun a b => matches k (fst a) (fst b)) t ->
  Forall (chain near_number) (map (map number_of) (cut untagged t)).
Proof.
  intros t R C. destruct (pieces_right t R) as [Pr Pu].
  pose proof (cut_chains _ _ untagged t C) as Ch. rewrite Forall_forall in *.
  intros l I. apply in_map_iff in I. destruct I as [p [<- I]].
  apply chain_numbers; auto.
Qed.

Theorem check_bound_sound :
  forall d limit at_ t, check_bound d limit at_ t = true ->
  forall added, length added <= limit -> ~ playable k after (hand ++ added).
Proof.
  intros d limit at_ t E added L [s [P F]]. unfold check_bound in E.
  set (known := known_hubs k all_cards) in *.
  apply andb_true_iff in E. destruct E as [E Ch]. apply andb_true_iff in E. destruct E as [W Same].
  apply well_formed_spec in W.
  destruct (cases_of _ t) as [c|] eqn:Cases; [|discriminate].
  set (r := 1 + length (filter (universal k) hand) + limit) in *.
  set (held := length hand_cards) in *.
  assert (At : forall i, i < length all_cards -> at_ i = at_hubs k all_cards (nth i all_cards [])).
  { intros i Li. rewrite forallb_forall in Same. specialize (Same i ltac:(apply in_seq; lia)).
    destruct (list_eq_dec Nat.eq_dec (at_ i) (hubs_at known i)) as [Eq|]; [exact Eq|discriminate]. }
  assert (Shares : forall i j, i < length all_cards -> j < length all_cards ->
    near_number i j = shares nat at_ i j).
  { intros i j Li Lj. unfold near_number.
    rewrite <- (shares_matches k d all_cards W) by (apply nth_In; auto).
    unfold shares. now rewrite !At. }
  assert (Some' : forall i, i < length all_cards -> at_ i <> []).
  { intros i Li. rewrite At by auto. unfold at_hubs. destruct W as [K W].
    rewrite Forall_forall in W. destruct (W _ (nth_In all_cards [] Li)) as [Pl Len].
    pose proof (hubs_some (nth i all_cards []) k 0 Pl ltac:(lia)).
    destruct (hubs k 0 (nth i all_cards [])); [congruence|discriminate]. }
  assert (Below : forall i h, i < length all_cards -> In h (at_ i) -> h < length known).
  { intros i h Li I. rewrite At in I by auto. unfold at_hubs in I. apply in_map_iff in I.
    destruct I as [g [<- I]]. fold known.
    assert (Ik : In g known).
    { apply in_flat_map. exists (nth i all_cards []). split; auto using nth_In. }
    clear -Ik. induction known as [|f known IH]; [destruct Ik|]. simpl.
    destruct (place_dec f g); [lia|]. destruct Ik as [|Ik]; [contradiction|].
    specialize (IH Ik). lia. }
  destruct (tagged_play added s P) as [u [Eu [Pu Ru]]].
  pose proof (concat_numbers u added Pu) as Cn. fold held in Cn.
  assert (Short : length (cut untagged u) <= r).
  { rewrite cut_length, (filter_length_permutation _ _ _ _ Pu).
    destruct (hand_numbers added) as [_ ->]. unfold r. lia. }
  assert (Numbers : forall i, In i (concat (map (map number_of) (cut untagged u))) -> i < held).
  { intros i I. apply (Permutation_in _ Cn), in_seq in I. lia. }
  assert (Len : length all_cards = held + (if pile_counts then 1 else 0)).
  { unfold all_cards, counted, pile_counts, held, hand_cards. rewrite app_length.
    destruct after as [p|]; [destruct (universal k p)|]; auto. }
  assert (Facts : exists v, facts at_ held pile_counts (length known) r v).
  { destruct pile_counts eqn:Pc.
    - unfold pile_counts in Pc. destruct after as [p|] eqn:A; [|discriminate].
      apply negb_true_iff in Pc.
      destruct (cut_some _ untagged u) as [q [qs Cu]].
      apply sequences_facts_after.
      + intros i Li. apply Some'. lia.
      + intros i h Li. apply Below. lia.
      + exists (map number_of q), (map (map number_of) qs).
        rewrite Cu in *. simpl in Short, Cn, Numbers. split; [simpl; now rewrite map_length|].
        split; [|exact Cn].
        set (whole := (p, Some held) :: u).
        assert (Rw : Forall right whole).
        { constructor; auto. intros i Ei. inversion Ei. subst i. simpl.
          unfold all_cards, counted. rewrite A, Pc, app_nth2 by (fold hand_cards held; lia).
          fold hand_cards held. now rewrite Nat.sub_diag. }
        assert (Cw : chain (fun a b => matches k (fst a) (fst b)) whole).
        { apply (chain_map tagged card fst). unfold whole. simpl map. rewrite Eu. exact F. }
        pose proof (number_chains whole Rw Cw) as Nc. unfold whole in Nc. simpl in Nc.
        rewrite Cu in Nc. simpl in Nc.
        rewrite Forall_forall in *. intros l I. apply (chain_ext nat near_number); auto.
        intros i j Ii Ij. apply Shares.
        * destruct I as [<-|I].
          -- destruct Ii as [<-|Ii]; [lia|].
             assert (i < held); [|lia]. apply Numbers, in_or_app. auto.
          -- assert (i < held); [|lia]. apply Numbers, in_or_app. right. apply in_concat. eauto.
        * destruct I as [<-|I].
          -- destruct Ij as [<-|Ij]; [lia|].
             assert (j < held); [|lia]. apply Numbers, in_or_app. auto.
          -- assert (j < held); [|lia]. apply Numbers, in_or_app. right. apply in_concat. eauto.
    - assert (Fu : chain (fun a b => matches k (fst a) (fst b)) u).
      { apply (chain_map tagged card fst). rewrite Eu.
        destruct after; [now apply chain_tail in F|exact F]. }
      apply sequences_facts.
      + intros i Li. apply Some'. lia.
      + intros i h Li. apply Below. lia.
      + exists (map (map number_of) (cut untagged u)). rewrite map_length. split; auto.
        split; [|exact Cn].
        pose proof (number_chains u Ru Fu) as Nc. rewrite Forall_forall in *.
        intros l I. apply (chain_ext nat near_number); auto.
        intros i j Ii Ij. apply Shares.
        * assert (i < held); [|lia]. apply Numbers, in_concat. eauto.
        * assert (j < held); [|lia]. apply Numbers, in_concat. eauto. }
  destruct Facts as [v Fv].
  apply (bounds var same_var same_var_spec Weights.sort Weights.Permuted_sort c v Ch).
  eapply cases_hold; [|exact Cases]. intros q row Eq. eapply rows_hold; eauto.
Qed.

End Check.

(** [uno-1] and [fill-in] by bounds. *)
Definition check_unplayable_bound (k : nat) (after : option card) (hand : list card) (d : nat)
    (at_ : nat -> list hub) (t : tree) : bool :=
  check_bound k after hand d 0 at_ t.

Theorem check_unplayable_bound_sound :
  forall k after hand d at_ t, check_unplayable_bound k after hand d at_ t = true ->
  ~ playable k after hand.
Proof.
  intros k after hand d at_ t E. pose proof (check_bound_sound _ _ _ _ _ _ _ E [] (le_n 0)) as H.
  now rewrite app_nil_r in H.
Qed.

Definition check_fill_in_bound (k : nat) (after : option card) (hand added s : list card) (d : nat)
    (at_ : nat -> list hub) (t : tree) : bool :=
  check_witness k after (hand ++ added) s
  && (1 <=? length added) && check_bound k after hand d (length added - 1) at_ t.

Theorem check_fill_in_bound_sound :
  forall k after hand added s d at_ t,
  check_fill_in_bound k after hand added s d at_ t = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros k after hand added s d at_ t E. unfold check_fill_in_bound in E.
  apply andb_true_iff in E. destruct E as [E B]. apply andb_true_iff in E. destruct E as [W N].
  apply Nat.leb_le in N. split; [eapply check_witness_sound; exact W|].
  intros fewer P. destruct (le_lt_dec (length added) (length fewer)) as [|L]; auto. exfalso.
  apply (check_bound_sound _ _ _ _ _ _ _ B fewer); auto. lia.
Qed.
