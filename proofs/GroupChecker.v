(** A checker of groups some of which need several sequences, proved: their needs are bounds. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Rows Played Checker Deck Refutations BoundChecker.
Import ListNotations.

(** ** Cards that need more than some number of sequences *)

Section Cover.

Variable k : nat.
Variable cards : list card.

Definition cover_problem (r hubs_count : nat) : problem :=
  Problem (length cards) [] [] false hubs_count r None None (fun _ => 0) None.

Definition check_cover (d r : nat) (table : hub_table) (e : evidence) : bool :=
  right_table k d cards table
  && refuted (at_card table) (cover_problem r (hub_count table)) e.

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
  forall d r table e, check_cover d r table e = true -> ~ covered_by (matches k) r cards.
Proof.
  intros d r table e E [ss [R [F P]]]. unfold check_cover in E.
  apply andb_true_iff in E. destruct E as [T E].
  destruct (check_hubs_sound _ _ _ _ _ _ T) as [Some' [Below Sh]].
  rewrite <- in_order in P. apply Permutation_map_inv in P. destruct P as [l [El Pl]].
  destruct (split_map (fun i => nth i cards []) ss l (eq_sym El)) as [ls [<- Ec]]. subst l.
  set (p := cover_problem r (hub_count table)) in *.
  assert (Lc : Rows.cards p = length cards).
  { unfold Rows.cards, drawn, p. simpl. lia. }
  assert (In' : forall i, In i (concat ls) -> i < length cards).
  { intros i I. apply (Permutation_in _ (Permutation_sym Pl)), in_seq in I. lia. }
  destruct (play_facts (at_card table) p (fun _ => eq_refl) eq_refl) with ls (fun _ : nat => false)
    as [v Fv]; rewrite ?Lc; auto.
  - constructor; try discriminate.
    + unfold on_the_pile. simpl. assert (C : Forall (chain (shares nat (at_card table))) ls).
      { rewrite Forall_forall in *. intros s Is.
        pose proof (F (map (fun i => nth i cards []) s) (in_map _ _ _ Is)) as Cs.
        apply (chain_map nat card (fun i => nth i cards []) (matches k)) in Cs.
        eapply (chain_weaken nat); [|exact Cs]. intros i j Ii Ij. cbv beta. apply Sh.
        - apply In', in_concat. eauto.
        - apply In', in_concat. eauto. }
      now destruct ls.
    + apply (Permutation_NoDup Pl), seq_NoDup.
    + intros c I. unfold drawn. simpl. apply In' in I. lia.
    + intros _ c L. apply (Permutation_in _ Pl), in_seq. simpl in L. lia.
    + rewrite map_length in R. simpl. lia.
  - exact (refuted_sound _ _ _ E v Fv).
Qed.

End Cover.

(** *** Groups whose needs are bounds *)

(** [evidence_of] finds what refutes fewer sequences of a group, and [table_of] its hubs. *)
Definition more_needed (k d : nat) (table_of : list card -> hub_table)
    (evidence_of : list card -> option evidence) (cards : list card) (n : nat) : bool :=
  match evidence_of cards with
  | Some e => (1 <=? n) && check_cover k cards d (n - 1) (table_of cards) e
  | None => false
  end.

Lemma more_needed_sound :
  forall k d table_of evidence_of cards n, more_needed k d table_of evidence_of cards n = true ->
  forall r, covered_by (matches k) r cards -> n <= r.
Proof.
  intros k d table_of evidence_of cards n E r [ss [R C]]. unfold more_needed in E.
  destruct (evidence_of cards) as [e|]; [|discriminate]. apply andb_true_iff in E.
  destruct E as [_ E]. destruct (le_lt_dec n r) as [|L]; auto. exfalso.
  apply (check_cover_sound k cards _ _ _ _ E). exists ss. split; auto. lia.
Qed.

Definition check_unplayable_groups (k d : nat) table_of evidence_of :=
  check_unplayable (more_needed k d table_of evidence_of) k.

Theorem check_unplayable_groups_sound :
  forall k d table_of evidence_of after hand removed groups needs,
  check_unplayable_groups k d table_of evidence_of after hand removed groups needs = true ->
  ~ playable k after hand.
Proof.
  intros k d table_of evidence_of. apply check_unplayable_sound. apply more_needed_sound.
Qed.

Definition check_fill_in_groups (k d : nat) table_of evidence_of :=
  check_fill_in (more_needed k d table_of evidence_of) k.

Theorem check_fill_in_groups_sound :
  forall k d table_of evidence_of after hand added s removed groups needs,
  check_fill_in_groups k d table_of evidence_of after hand added s removed groups needs = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros k d table_of evidence_of. apply check_fill_in_sound. apply more_needed_sound.
Qed.
