(** A checker of groups some of which need several sequences, proved: their needs are bounds. *)

From Coq Require Import List Arith ZArith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Bounds Rows RowsHold Played Checker BoundChecker.
Import ListNotations.

(** ** Cards that need more than some number of sequences *)

Section Cover.

Variable k : nat.
Variable cards : list card.

Definition cover_hubs (known : list place) (c : nat) : list hub :=
  map (fun h => index h known) (hubs k 0 (nth c cards [])).

Definition check_cover (d r : nat) (at_ : nat -> list hub) (t : tree) : bool :=
  let known := known_hubs k cards in
  well_formed_b k d cards
  && forallb (fun c => if list_eq_dec Nat.eq_dec (at_ c) (cover_hubs known c) then true else false)
       (seq 0 (length cards))
  && match cases_of (row_of at_ (length cards) false (length known) r) t with
     | Some c => check_cases var same_var Weights.sort [] c
     | None => false
     end.

Lemma split_map :
  forall (f : nat -> card) ss l, map f l = concat ss ->
  exists ls, map (map f) ls = ss /\ concat ls = l.
Proof.
  intros f. induction ss as [|s ss IH]; intros l E; simpl in E.
  - apply map_eq_nil in E. subst. exists []. auto.
  - apply map_eq_app in E. destruct E as [a [b [-> [Ea Eb]]]].
    destruct (IH b Eb) as [ls [El Ec]]. exists (a :: ls). simpl. now rewrite Ea, El, Ec.
Qed.

Lemma in_order : map (fun i => nth i cards []) (seq 0 (length cards)) = cards.
Proof.
  clear. induction cards as [|c cs IH]; auto. simpl. f_equal.
  rewrite <- seq_shift, map_map. exact IH.
Qed.

Theorem check_cover_sound :
  forall d r at_ t, check_cover d r at_ t = true -> ~ covered_by (matches k) r cards.
Proof.
  intros d r at_ t E [ss [R [F P]]]. unfold check_cover in E.
  set (known := known_hubs k cards) in *.
  apply andb_true_iff in E. destruct E as [E Ch]. apply andb_true_iff in E. destruct E as [W Same].
  apply well_formed_spec in W.
  destruct (cases_of _ t) as [c|] eqn:Cases; [|discriminate].
  assert (At : forall i, i < length cards -> at_ i = at_hubs k cards (nth i cards [])).
  { intros i Li. rewrite forallb_forall in Same. specialize (Same i ltac:(apply in_seq; lia)).
    destruct (list_eq_dec Nat.eq_dec (at_ i) (cover_hubs known i)) as [Eq|]; [|discriminate].
    exact Eq. }
  rewrite <- in_order in P. apply Permutation_map_inv in P. destruct P as [l [El Pl]].
  destruct (split_map (fun i => nth i cards []) ss l (eq_sym El)) as [ls [<- Ec]]. subst l.
  assert (In' : forall s i, In s ls -> In i s -> i < length cards).
  { intros s i Is Ii. assert (I : In i (concat ls)) by (apply in_concat; eauto).
    apply (Permutation_in _ (Permutation_sym Pl)), in_seq in I. lia. }
  assert (Facts : exists v, facts at_ (length cards) false (length known) r v).
  { apply sequences_facts.
    - intros i Li. rewrite At by auto. unfold at_hubs. destruct W as [K W].
      rewrite Forall_forall in W. destruct (W _ (nth_In cards [] Li)) as [Pn Len].
      pose proof (hubs_some (nth i cards []) k 0 Pn ltac:(lia)).
      destruct (hubs k 0 (nth i cards [])); [congruence|discriminate].
    - intros i h Li I. rewrite At in I by auto. apply in_map_iff in I. destruct I as [g [<- I]].
      fold known. assert (Ik : In g known).
      { apply in_flat_map. exists (nth i cards []). split; auto using nth_In. }
      clear -Ik. induction known as [|f known IH]; [destruct Ik|]. simpl.
      destruct (place_dec f g); [lia|]. destruct Ik as [|Ik]; [contradiction|].
      specialize (IH Ik). lia.
    - exists ls. rewrite map_length in R. split; auto. split; [|now apply Permutation_sym].
      rewrite Forall_forall in *. intros s Is.
      pose proof (F (map (fun i => nth i cards []) s) (in_map _ _ _ Is)) as Cs.
      apply (chain_map nat card (fun i => nth i cards []) (matches k)) in Cs.
      eapply (chain_ext nat); [|exact Cs]. intros i j Ii Ij. cbv beta.
      rewrite <- (shares_matches k d cards W) by (apply nth_In; eauto).
      unfold shares. now rewrite !At by eauto. }
  destruct Facts as [v Fv].
  apply (bounds var same_var same_var_spec Weights.sort Weights.Permuted_sort c v Ch).
  eapply cases_hold; [|exact Cases]. intros q row Eq. eapply rows_hold; eauto.
Qed.

End Cover.

(** *** Groups whose needs are bounds *)

(** [tree_of] finds the bound of a group, and [at_of] tabulates its hubs. *)
Definition more_needed (k d : nat) (at_of : list card -> nat -> list hub)
    (tree_of : list card -> option tree) (cards : list card) (n : nat) : bool :=
  match tree_of cards with
  | Some t => (1 <=? n) && check_cover k cards d (n - 1) (at_of cards) t
  | None => false
  end.

Lemma more_needed_sound :
  forall k d at_of tree_of cards n, more_needed k d at_of tree_of cards n = true ->
  forall r, covered_by (matches k) r cards -> n <= r.
Proof.
  intros k d at_of tree_of cards n E r [ss [R C]]. unfold more_needed in E.
  destruct (tree_of cards) as [t|]; [|discriminate]. apply andb_true_iff in E.
  destruct E as [_ E]. destruct (le_lt_dec n r) as [|L]; auto. exfalso.
  apply (check_cover_sound k cards _ _ _ _ E). exists ss. split; auto. lia.
Qed.

Definition check_unplayable_groups (k d : nat) at_of tree_of :=
  check_unplayable (more_needed k d at_of tree_of) k.

Theorem check_unplayable_groups_sound :
  forall k d at_of tree_of after hand removed groups needs,
  check_unplayable_groups k d at_of tree_of after hand removed groups needs = true ->
  ~ playable k after hand.
Proof.
  intros k d at_of tree_of. apply check_unplayable_sound. apply more_needed_sound.
Qed.

Definition check_fill_in_groups (k d : nat) at_of tree_of :=
  check_fill_in (more_needed k d at_of tree_of) k.

Theorem check_fill_in_groups_sound :
  forall k d at_of tree_of after hand added s removed groups needs,
  check_fill_in_groups k d at_of tree_of after hand added s removed groups needs = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros k d at_of tree_of. apply check_fill_in_sound. apply more_needed_sound.
Qed.
