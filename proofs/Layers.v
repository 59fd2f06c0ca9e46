(** Connectedness without cuts: the hubs that are near an end, or one visited hub if there is one
    sequence.  After as many steps as there are hubs, less one, these are all visited hubs. *)

From Coq Require Import List Arith Lia Bool.
From UnoCsp Require Import Rules Trails Counts Rows Borders.
Import ListNotations.

Section Layers.

Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation cards := (Rows.cards p).
Local Notation drawn := (Rows.drawn p).
Local Notation nearby := (Rows.nearby at_ p).
Local Notation walked_var := (Rows.walked_var at_ p).

(** The number of hubs; those of all cards are below it. *)
Variable count : nat.

Definition hubs_below : bool :=
  forallb (fun c => forallb (fun h => h <? count) (at_ c)) (seq 0 cards).

(** The cards that may be walked from a hub, without that on the pile. *)
Definition passing (h : hub) : list nat := filter (fun c => negb (is_pile p c)) (nearby h).

Variable v : var -> bool.

(** The first visited hub. *)
Definition root : option hub :=
  find (fun h => v (Visited h)) (seq 0 count).

Definition is_root (h : hub) : bool :=
  match root with
  | Some g => h =? g
  | None => false
  end.

Definition source (h : hub) : bool :=
  if joins p then v (Odd h) || v (Closed h) else is_root h.

(** The hubs within [d] walked cards of a source. *)
Fixpoint near (d : nat) (h : hub) : bool :=
  match d with
  | 0 => source h
  | S d' => near d' h
      || existsb (fun c => v (walked_var c h)
           && existsb (fun g => v (walked_var c g) && near d' g) (at_ c)) (passing h)
  end.

Definition passed (d c : nat) : bool := existsb (fun g => v (walked_var c g) && near d g) (at_ c).

Hypothesis F : facts at_ p v.

Lemma near_more : forall d h, near d h = true -> near (S d) h = true.
Proof. intros d h N. simpl. now rewrite N. Qed.

Lemma near_from_source : forall d h, source h = true -> near d h = true.
Proof. induction d as [|d IH]; intros h S; auto. apply near_more. auto. Qed.

Lemma near_walks :
  forall d c x y, c < drawn -> v (Walked c x) = true -> v (Walked c y) = true ->
  near d x = true -> near (S d) y = true.
Proof.
  intros d c x y L X Y N. simpl. apply orb_true_iff. right.
  assert (Lc : c < cards) by (unfold Rows.cards; lia).
  pose proof (walked_at at_ p v F c x Lc X) as Ix. pose proof (walked_at at_ p v F c y Lc Y) as Iy.
  apply existsb_exists. exists c. split.
  - apply filter_In. split.
    + apply filter_In. split; [apply in_seq; lia|]. apply andb_true_iff. split.
      * now apply member_spec.
      * exact (walked_walkable at_ p v F c y Lc Y).
    + unfold is_pile. rewrite (proj2 (Nat.eqb_neq c drawn)) by lia. now rewrite andb_false_r.
  - rewrite (walked_var_value at_ p v F c y Lc Iy), Y. apply existsb_exists. exists x. split; auto.
    now rewrite (walked_var_value at_ p v F c x Lc Ix), X.
Qed.

(** No walked card leads on. *)
Definition complete (d : nat) : Prop :=
  forall c x y, c < drawn -> v (Walked c x) = true -> v (Walked c y) = true ->
  near d x = true -> near d y = true.

Lemma passing_walked :
  forall c h, In c (passing h) -> v (walked_var c h) = true ->
  c < drawn /\ v (Walked c h) = true.
Proof.
  intros c h I W. apply filter_In in I. destruct I as [I P]. apply filter_In in I.
  destruct I as [I M]. apply andb_true_iff in M. destruct M as [M _]. apply member_spec in M.
  apply in_seq in I. rewrite (walked_var_value at_ p v F c h ltac:(lia) M) in W. split; auto.
  apply negb_true_iff in P. unfold is_pile, Rows.cards in *. destruct (pile p); [|lia].
  apply Nat.eqb_neq in P. lia.
Qed.

Lemma complete_stays : forall d h, complete d -> near (S d) h = true -> near d h = true.
Proof.
  intros d h C N. simpl in N. apply orb_true_iff in N. destruct N as [N|N]; auto.
  apply existsb_exists in N. destruct N as [c [I N]]. apply andb_true_iff in N.
  destruct N as [W N]. destruct (passing_walked c h I W) as [L Wh].
  apply existsb_exists in N. destruct N as [g [G N]]. apply andb_true_iff in N.
  destruct N as [Wg N]. assert (Lc : c < cards) by (unfold Rows.cards; lia).
  rewrite (walked_var_value at_ p v F c g Lc G) in Wg. now apply (C c g h).
Qed.

Lemma complete_more : forall d, complete d -> complete (S d).
Proof.
  intros d C c x y L X Y N. apply near_more. apply (C c x y L X Y). now apply complete_stays.
Qed.

Hypothesis Below : hubs_below = true.

Lemma walked_below : forall c h, c < drawn -> v (Walked c h) = true -> h < count.
Proof.
  intros c h L W. assert (Lc : c < cards) by (unfold Rows.cards; lia).
  pose proof (walked_at at_ p v F c h Lc W) as I. unfold hubs_below in Below.
  rewrite forallb_forall in Below. specialize (Below c ltac:(apply in_seq; lia)).
  rewrite forallb_forall in Below. specialize (Below h I). now apply Nat.ltb_lt.
Qed.

Definition reached (d : nat) : nat := Trails.count count (near d).

Lemma not_complete :
  forall d, ~ complete d -> exists c x y, c < drawn /\ v (Walked c x) = true
    /\ v (Walked c y) = true /\ near d x = true /\ near d y = false.
Proof.
  intros d N.
  set (bad := fun c => existsb (fun x => existsb (fun y =>
    v (Walked c x) && v (Walked c y) && near d x && negb (near d y)) (seq 0 count)) (seq 0 count)).
  destruct (existsb bad (seq 0 drawn)) eqn:E.
  - apply existsb_exists in E. destruct E as [c [C E]]. apply in_seq in C.
    apply existsb_exists in E. destruct E as [x [_ E]]. apply existsb_exists in E.
    destruct E as [y [_ E]]. rewrite !andb_true_iff, negb_true_iff in E.
    destruct E as [[[X Y] Nx] Ny]. exists c, x, y. repeat split; auto. lia.
  - exfalso. apply N. intros c x y L X Y Nx. apply not_false_is_true. intros Ny.
    assert (B : existsb bad (seq 0 drawn) = true); [|congruence].
    apply existsb_exists. exists c. split; [apply in_seq; lia|].
    apply existsb_exists. exists x. split; [apply in_seq; pose proof (walked_below c x L X); lia|].
    apply existsb_exists. exists y. split; [apply in_seq; pose proof (walked_below c y L Y); lia|].
    now rewrite X, Y, Nx, Ny.
Qed.

Lemma reached_more : forall d, ~ complete d -> 1 <= reached d /\ S (reached d) <= reached (S d).
Proof.
  intros d N. destruct (not_complete d N) as [c [x [y [L [X [Y [Nx Ny]]]]]]].
  pose proof (near_walks d c x y L X Y Nx) as Next.
  unfold reached, Trails.count. split.
  - assert (I : In x (filter (near d) (seq 0 count))).
    { apply filter_In. split; auto. apply in_seq. pose proof (walked_below c x L X). lia. }
    destruct (filter (near d) (seq 0 count)); [destruct I|simpl; lia].
  - change (S (length (filter (near d) (seq 0 count))))
      with (length (y :: filter (near d) (seq 0 count))).
    apply NoDup_incl_length.
    + constructor; [|apply NoDup_filter, seq_NoDup]. intros I. apply filter_In in I.
      destruct I as [_ I]. congruence.
    + intros h [<-|I].
      * apply filter_In. split; auto. apply in_seq. pose proof (walked_below c y L Y). lia.
      * apply filter_In in I. destruct I as [I Nh]. apply filter_In. split; auto.
        now apply near_more.
Qed.

Lemma complete_or_more : forall d, complete d \/ S d < reached (S d).
Proof.
  assert (Dec : forall d, complete d \/ ~ complete d).
  { intros d. destruct (forallb (fun c => forallb (fun x => forallb (fun y =>
      negb (v (Walked c x) && v (Walked c y) && near d x) || near d y)
      (seq 0 count)) (seq 0 count)) (seq 0 drawn)) eqn:E.
    - left. intros c x y L X Y Nx. rewrite forallb_forall in E.
      specialize (E c ltac:(apply in_seq; lia)). rewrite forallb_forall in E.
      specialize (E x ltac:(apply in_seq; pose proof (walked_below c x L X); lia)).
      rewrite forallb_forall in E.
      specialize (E y ltac:(apply in_seq; pose proof (walked_below c y L Y); lia)).
      now rewrite X, Y, Nx in E.
    - right. intros C. apply not_true_iff_false in E. apply E.
      apply forallb_forall. intros c Ic. apply forallb_forall. intros x _.
      apply forallb_forall. intros y _. apply in_seq in Ic.
      destruct (v (Walked c x)) eqn:X, (v (Walked c y)) eqn:Y, (near d x) eqn:Nx; auto.
      simpl. apply (C c x y); auto. lia. }
  induction d as [|d IH]; destruct (Dec 0) as [C0|N0].
  - now left.
  - right. destruct (reached_more 0 N0). lia.
  - left. clear IH. induction d as [|d IHd]; now apply complete_more.
  - destruct (Dec (S d)) as [C|N]; [now left|right].
    destruct IH as [C|M]; [destruct N; now apply complete_more|].
    destruct (reached_more (S d) N). lia.
Qed.

(** After as many steps as there are hubs, less one, no walked card leads on. *)
Lemma complete_in_the_end : forall d, count <= S d -> complete d.
Proof.
  intros d L. destruct (complete_or_more d) as [C|M]; auto. exfalso.
  unfold reached, Trails.count in M.
  assert (B : length (filter (near (S d)) (seq 0 count)) <= count); [|lia].
  rewrite <- (seq_length count 0) at 2. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
  intros h I. now apply filter_In in I.
Qed.

Theorem all_near :
  forall d h, count <= S d -> h < count -> v (Visited h) = true -> near d h = true.
Proof.
  intros d h L Lh V. pose proof (complete_in_the_end d L) as C.
  apply not_false_is_true. intros N.
  assert (St : stays p v (fun g => negb (near d g))).
  { intros c x y Lc X Y. destruct (near d x) eqn:Nx, (near d y) eqn:Ny; auto.
    - rewrite (C c x y Lc X Y Nx) in Ny. discriminate.
    - rewrite (C c y x Lc Y X Ny) in Nx. discriminate. }
  destruct (joins p) eqn:J.
  - destruct (cuts F _ St h V) as [g [Sg Or]]; [now rewrite N|].
    assert (So : source g = true).
    { unfold source. rewrite J. apply orb_true_iff. tauto. }
    now rewrite (near_from_source d g So) in Sg.
  - destruct root as [g|] eqn:R.
    + pose proof R as R'. unfold root in R'. apply find_some in R'. destruct R' as [_ Vg].
      assert (So : source g = true).
      { unfold source, is_root. rewrite J, R. apply Nat.eqb_refl. }
      pose proof (one_part F J _ St g h Vg V) as E. cbv beta in E.
      rewrite N, (near_from_source d g So) in E. discriminate.
    + pose proof (find_none _ _ R h ltac:(apply in_seq; lia)) as No. cbv beta in No. congruence.
Qed.

End Layers.
