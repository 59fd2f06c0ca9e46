(** Each row of a bound follows from the facts of [Rows.v]. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts Rows.
Import ListNotations.

Section RowsHold.

Variable at_ : nat -> list hub.
Variable held : nat.
Variable pile : bool.
Variable hubs : nat.
Variable r : nat.

Local Notation lit := (literal var).
Local Notation cards := (Rows.cards held pile).
Local Notation is_pile := (Rows.is_pile held pile).
Local Notation stays := (Rows.stays held).
Local Notation facts := (Rows.facts at_ held pile hubs r).
Local Notation walked_var := (Rows.walked_var at_ held pile).
Local Notation walkable := (Rows.walkable at_ held pile).
Local Notation nearby := (Rows.nearby at_ held pile).
Local Notation odd_var := (Rows.odd_var at_ held pile).
Local Notation leading_out := (Rows.leading_out at_ held pile).
Local Notation excuse := (Rows.excuse at_ held pile).
Local Notation around := (Rows.around at_ held pile r).
Local Notation row_of := (Rows.row_of at_ held pile hubs r).

Variable v : var -> bool.
Hypothesis F : facts v.

Lemma clause_holds : forall ls l, In l ls -> is_true var v l = true -> holds var v (clause ls).
Proof.
  intros ls l I T. unfold holds, clause. simpl.
  assert (N : forall ks, (0 <= sum_of var v (map (fun k => (1%Z, k)) ks))%Z).
  { induction ks as [|k ks IH]; simpl; [lia|]. destruct (is_true var v k); lia. }
  induction ls as [|k ls IH]; [destruct I|]. simpl. specialize (N ls).
  destruct I as [<-|I]; [rewrite T; lia|]. specialize (IH I). destruct (is_true var v k); lia.
Qed.

Lemma sum_number :
  forall A (g : A -> var) w l,
  sum_of var v (map (fun a => (w, yes (g a))) l)
  = (w * Z.of_nat (number (fun a => v (g a)) l))%Z.
Proof.
  intros A g w l. unfold number. induction l as [|a l IH]; simpl; [lia|].
  rewrite IH. unfold is_true. simpl. destruct (v (g a)); simpl; lia.
Qed.

Lemma sum_app :
  forall a b, sum_of var v (a ++ b) = (sum_of var v a + sum_of var v b)%Z.
Proof. induction a as [|[w l] a IH]; intros b; simpl; auto. rewrite IH. lia. Qed.

Lemma sum_literals :
  forall w ls, sum_of var v (map (fun l => (w, l)) ls)
  = (w * Z.of_nat (number (is_true var v) ls))%Z.
Proof.
  intros w ls. unfold number. induction ls as [|l ls IH]; simpl; [lia|].
  rewrite IH. destruct (is_true var v l); simpl; lia.
Qed.

Lemma walked_at : forall c h, c < cards -> v (Walked c h) = true -> In h (at_ c).
Proof.
  intros c h L W. unfold Rows.cards in L.
  destruct (Nat.lt_ge_cases c held) as [H|H].
  - destruct (walks F c H) as [N|[x [y [_ [X [Y E]]]]]]; [rewrite N in W; discriminate|].
    rewrite E in W. apply orb_true_iff in W. destruct W as [W|W]; apply Nat.eqb_eq in W; now subst.
  - destruct pile eqn:P; [|lia]. assert (c = held) by lia. subst c.
    destruct (starts F eq_refl) as [x [X E]].
    rewrite E in W. apply Nat.eqb_eq in W. now subst.
Qed.

Lemma walked_walkable : forall c h, c < cards -> v (Walked c h) = true -> walkable c = true.
Proof.
  intros c h L W. unfold Rows.walkable. apply orb_true_iff. unfold Rows.cards in L.
  destruct (Nat.lt_ge_cases c held) as [H|H].
  - left. destruct (walks F c H) as [N|[x [y [D [X [Y _]]]]]]; [rewrite N in W; discriminate|].
    apply Nat.leb_le. destruct (at_ c) as [|a [|b l]]; simpl in *; lia.
  - right. unfold Rows.is_pile. destruct pile; [|lia]. simpl. apply Nat.eqb_eq. lia.
Qed.

Lemma walked_var_value :
  forall c h, c < cards -> In h (at_ c) -> v (walked_var c h) = v (Walked c h).
Proof.
  intros c h L I. unfold Rows.walked_var. destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
  destruct (is_pile c) eqn:P; auto.
  assert (H : c < held).
  { unfold Rows.is_pile, Rows.cards in *. destruct pile; simpl in P; [|lia].
    apply Nat.eqb_neq in P. lia. }
  destruct (walks F c H) as [N|[x [y [D [X [Y E]]]]]]; [now rewrite !N|].
  rewrite !E, A in *. simpl in *.
  assert (Ha : (a =? x) || (a =? y) = true).
  { apply orb_true_iff. rewrite !Nat.eqb_eq. intuition congruence. }
  assert (Hh : (h =? x) || (h =? y) = true).
  { apply orb_true_iff. rewrite !Nat.eqb_eq. intuition congruence. }
  now rewrite Ha, Hh.
Qed.

Lemma odd_nearby : forall h, v (Odd h) = odd_sum (fun c => v (walked_var c h)) (nearby h).
Proof.
  intros h. rewrite (odds F h).
  rewrite (odd_sum_filter _ (fun c => member h (at_ c) && walkable c)).
  - apply odd_sum_ext. intros c I. apply filter_In in I. destruct I as [L K].
    apply in_seq in L. apply andb_true_iff in K. destruct K as [M _].
    symmetry. apply walked_var_value; [lia|]. now apply member_spec.
  - intros c I W. apply in_seq in I. apply andb_true_iff. split.
    + apply member_spec. apply walked_at; auto. lia.
    + apply (walked_walkable c h); auto. lia.
Qed.

Lemma odd_var_value : forall h, v (odd_var h) = v (Odd h).
Proof.
  intros h. unfold Rows.odd_var. rewrite odd_nearby.
  destruct (nearby h) as [|c [|d l]] eqn:N.
  - rewrite odd_nearby, N. reflexivity.
  - cbn [odd_sum]. now rewrite xorb_false_r.
  - rewrite odd_nearby, N. reflexivity.
Qed.

(** ** Each row *)

Lemma number_walked :
  forall c l, number (is_true var v) (map (fun h => yes (Walked c h)) l)
  = number (fun h => v (Walked c h)) l.
Proof.
  intros c l. unfold number. induction l as [|h l IH]; auto. simpl.
  assert (E : is_true var v (yes (Walked c h)) = v (Walked c h)).
  { unfold is_true. simpl. now destruct (v (Walked c h)). }
  rewrite E. destruct (v (Walked c h)); simpl; auto.
Qed.

(** A card leads out of a set by as many ends, modulo 2, as it has in the set. *)
Lemma leading_out_odd :
  forall hs cs c, c < cards -> NoDup hs -> NoDup (at_ c) ->
  (forall d, In d cs -> d < held) ->
  Nat.odd (number (is_true var v) (leading_out hs cs c))
  = odd_sum (fun h => v (Walked c h)) hs.
Proof.
  intros hs cs c L Nh Na Cs.
  assert (Sum : forall p, Nat.odd (number (is_true var v)
      (map (fun h => yes (Walked c h)) (filter p (at_ c))))
    = odd_sum (fun h => p h && v (Walked c h)) (at_ c)).
  { intros p. now rewrite number_walked, number_filter, number_odd. }
  unfold Rows.leading_out. destruct (Nat.lt_ge_cases c held) as [H|H].
  - assert (P : is_pile c = false).
    { unfold Rows.is_pile. destruct pile; auto. apply Nat.eqb_neq. lia. }
    rewrite P. destruct (walks F c H) as [Z|[x [y [D [X [Y E]]]]]].
    + rewrite (odd_sum_ext _ (fun _ => false) hs), odd_sum_false by auto.
      assert (None : forall p, odd_sum (fun h => p h && v (Walked c h)) (at_ c) = false).
      { intros p. rewrite <- (odd_sum_false (at_ c)). apply odd_sum_ext. intros h _.
        rewrite Z. apply andb_false_r. }
      destruct (member c cs); [rewrite Sum; apply None|].
      destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
      * destruct (xorb (is_inside hs a) (is_inside hs b)); auto. unfold number, is_true. simpl.
        now rewrite Z.
      * rewrite Sum. apply None.
    + rewrite (odd_sum_ext _ (fun h => true && ((h =? x) || (h =? y))) hs)
        by (intros; now rewrite E).
      rewrite (odd_sum_two (fun _ => true)) by auto. cbn [andb].
      assert (Two : forall p, odd_sum (fun h => p h && v (Walked c h)) (at_ c) = xorb (p x) (p y)).
      { intros p. rewrite (odd_sum_ext _ (fun h => p h && ((h =? x) || (h =? y)))).
        - rewrite odd_sum_two by auto. apply member_spec in X, Y.
          now rewrite X, Y, !andb_true_r.
        - intros h _. now rewrite E. }
      destruct (member c cs).
      * rewrite Sum, Two. unfold is_inside. now destruct (member x hs), (member y hs).
      * destruct (at_ c) as [|a [|b [|d l]]] eqn:A.
        -- destruct X.
        -- destruct X as [X|[]], Y as [Y|[]]. congruence.
        -- assert (Va : v (Walked c a) = true).
           { rewrite E. apply orb_true_iff. rewrite !Nat.eqb_eq. simpl in X, Y.
             intuition congruence. }
           assert (S : xorb (is_inside hs a) (is_inside hs b)
             = xorb (member x hs) (member y hs)).
           { unfold is_inside. simpl in X, Y.
             destruct X as [-> | [-> | []]], Y as [-> | [-> | []]]; try congruence.
             apply xorb_comm. }
           rewrite S. destruct (xorb (member x hs) (member y hs)); auto.
           unfold number, is_true. simpl. now rewrite Va.
        -- rewrite Sum, Two. reflexivity.
  - assert (Pi : pile = true) by (unfold Rows.cards in L; destruct pile; auto; lia).
    assert (c = held) by (unfold Rows.cards in L; rewrite Pi in L; lia). subst c.
    assert (P : is_pile held = true) by (unfold Rows.is_pile; now rewrite Pi, Nat.eqb_refl).
    assert (M : member held cs = false).
    { apply not_true_is_false. intros M. apply member_spec, Cs in M. lia. }
    rewrite M, P, Sum. destruct (starts F Pi) as [x [X E]].
    rewrite (odd_sum_ext _ (fun h => is_inside hs h && (h =? x))) by (intros; now rewrite E).
    rewrite odd_sum_one by auto. apply member_spec in X. rewrite X, andb_true_r.
    rewrite (odd_sum_ext _ (fun h => true && (h =? x)) hs) by (intros; now rewrite E).
    rewrite (odd_sum_one (fun _ => true)) by auto. reflexivity.
Qed.

Lemma excuse_spec :
  forall hs within o ls, excuse hs within o = Some ls ->
  1 <= number (is_true var v) ls \/ exists h, v (Visited h) = true /\ member h hs = within.
Proof.
  intros hs within [h|c] ls E; simpl in E.
  - destruct (Bool.eqb (is_inside hs h) within) eqn:I; [|discriminate]. inversion E. subst ls.
    apply eqb_prop in I. destruct (v (Visited h)) eqn:V; [right; eauto|left].
    unfold number, is_true. simpl. rewrite V. simpl. lia.
  - destruct ((c <? cards) && _) eqn:I; [|discriminate]. right.
    apply andb_true_iff in I. destruct I as [L A]. apply Nat.ltb_lt in L.
    rewrite forallb_forall in A.
    assert (V : exists h, In h (at_ c) /\ v (Visited h) = true).
    { destruct (Nat.lt_ge_cases c held) as [H|H]; [now apply (covers F)|].
      assert (Pi : pile = true) by (unfold Rows.cards in L; destruct pile; auto; lia).
      assert (c = held) by (unfold Rows.cards in L; rewrite Pi in L; lia). subst c.
      destruct (starts F Pi) as [x [X Ex]]. exists x. split; auto.
      apply (visits F held); auto. rewrite Ex. apply Nat.eqb_refl. }
    destruct V as [h [Ih Vh]]. exists h. split; auto. apply eqb_prop, A, Ih.
Qed.

Lemma around_holds :
  forall hs cs excuses, NoDup hs -> (forall c, c < cards -> NoDup (at_ c)) ->
  (forall d, In d cs -> d < held) ->
  (1 <= number (is_true var v) excuses
   \/ (exists h, v (Visited h) = true /\ member h hs = true)
      /\ (r <= 1 -> exists h, v (Visited h) = true /\ member h hs = false)) ->
  holds var v (around hs cs excuses).
Proof.
  intros hs cs excuses Nh Na Cs Why. unfold holds, Rows.around. cbn [terms least].
  rewrite !sum_app, !sum_literals, sum_number.
  set (out := number (is_true var v) (flat_map (leading_out hs cs) (seq 0 cards))).
  set (odd := number (fun h => v (odd_var h)) hs).
  assert (Even : Nat.odd out = Nat.odd odd).
  { unfold out, odd. rewrite number_flat_map, number_odd.
    rewrite (odd_sum_ext _ (fun c => odd_sum (fun h => v (Walked c h)) hs)).
    - rewrite odd_sum_swap. apply odd_sum_ext. intros h _.
      now rewrite odd_var_value, (odds F h).
    - intros c I. apply in_seq in I. apply leading_out_odd; auto; try lia. apply Na. lia. }
  assert (Nonneg : (0 <= sum_of var v
    (if (r <=? 1)%nat then [] else map (fun h => (2%Z, yes (Closed h))) hs))%Z).
  { destruct (r <=? 1); simpl; [lia|]. rewrite sum_number. lia. }
  assert (Enough : (2 <= Z.of_nat out + Z.of_nat odd
      + sum_of var v (if (r <=? 1)%nat then [] else map (fun h => (2%Z, yes (Closed h))) hs))%Z
    \/ 1 <= number (is_true var v) excuses).
  { destruct Why as [Ex|[[h [Vh Ih]] Outside]]; [auto|left].
    destruct (Nat.eq_dec out 0) as [Z|Z].
    - assert (St : stays v (fun g => member g hs)).
      { intros c x y L X Y.
        assert (None : number (is_true var v) (leading_out hs cs c) = 0).
        { unfold out in Z. assert (Ic : In c (seq 0 cards)).
          { apply in_seq. unfold Rows.cards. lia. }
          destruct (in_split _ _ Ic) as [l1 [l2 Sp]]. rewrite Sp in Z.
          rewrite flat_map_app in Z. cbn [flat_map] in Z. unfold number in *.
          rewrite !filter_app, !app_length in Z. lia. }
        assert (Lc : c < cards) by (unfold cards; lia).
        pose proof (leading_out_odd hs cs c Lc Nh (Na c Lc) Cs) as P. rewrite None in P.
        destruct (walks F c L) as [N|[x' [y' [D [_ [_ E]]]]]]; [rewrite N in X; discriminate|].
        rewrite (odd_sum_ext _ (fun h => true && ((h =? x') || (h =? y'))) hs) in P
          by (intros; now rewrite E).
        rewrite (odd_sum_two (fun _ => true)) in P by auto. cbn [andb] in P.
        symmetry in P. apply xorb_eq in P.
        rewrite E in X, Y. apply orb_true_iff in X, Y. rewrite !Nat.eqb_eq in X, Y.
        destruct X, Y; subst; congruence. }
      destruct (r <=? 1) eqn:R.
      + apply Nat.leb_le in R. destruct (Outside R) as [g [Vg Og]].
        pose proof (one_part F R _ St h g Vh Vg). cbv beta in *. congruence.
      + destruct (cuts F _ St h Vh Ih) as [g [Sg [Og|Cg]]]; apply member_spec in Sg.
        * assert (1 <= odd).
          { unfold odd. apply (number_some _ _ hs g); auto. now rewrite odd_var_value. }
          rewrite Z in Even. destruct odd as [|[|n]]; [lia|discriminate|lia].
        * rewrite sum_number.
          assert (1 <= number (fun a => v (Closed a)) hs) by now apply (number_some _ _ hs g).
          lia.
    - destruct out as [|[|n]]; [lia| |lia].
      destruct odd as [|m]; [discriminate|lia]. }
  destruct Enough; lia.
Qed.

Lemma at_most_two :
  forall c x y, NoDup (at_ c) -> (forall h, v (Walked c h) = true -> h = x \/ h = y) ->
  number (fun h => v (Walked c h)) (at_ c) <= 2.
Proof.
  intros c x y N E. change 2 with (length [x; y]). apply NoDup_incl_length.
  - now apply NoDup_filter.
  - intros h I. apply filter_In in I. destruct I as [_ I]. apply E in I.
    destruct I as [-> | ->]; simpl; auto.
Qed.

Theorem rows_hold : forall d row, row_of d = Some row -> holds var v row.
Proof.
  intros [c|c h|h|c h|c| | |h walked odd|hs cs inside outside|] row E; simpl in E.
  - destruct (c <? held) eqn:L; [|discriminate]. inversion E. subst row. apply Nat.ltb_lt in L.
    destruct (covers F c L) as [h [I V]].
    apply (clause_holds _ (yes (Visited h))); [now apply (in_map (fun h => yes (Visited h)))|].
    unfold is_true. simpl. now rewrite V.
  - destruct ((c <? cards) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L M]. apply Nat.ltb_lt in L. apply member_spec in M.
    destruct (v (walked_var c h)) eqn:W.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      rewrite walked_var_value in W by auto. unfold is_true. simpl.
      now rewrite (visits F c h L W).
    + apply (clause_holds _ (no (walked_var c h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite W.
  - inversion E. subst row. destruct (v (Closed h)) eqn:C.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite (closes F h C).
    + apply (clause_holds _ (no (Closed h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite C.
  - destruct ((c <? held) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L _]. apply Nat.ltb_lt in L.
    destruct (v (Walked c h)) eqn:W.
    + destruct (walks F c L) as [N|[x [y [D [X [Y Ex]]]]]]; [rewrite N in W; discriminate|].
      assert (O : exists g, g <> h /\ In g (at_ c) /\ v (Walked c g) = true).
      { rewrite Ex in W. apply orb_true_iff in W. rewrite !Nat.eqb_eq in W.
        destruct W as [-> | ->]; [exists y|exists x]; repeat split; auto;
          rewrite Ex, Nat.eqb_refl; auto using orb_true_r. }
      destruct O as [g [Ng [Ig Wg]]].
      apply (clause_holds _ (yes (Walked c g))).
      * right. apply (in_map (fun g => yes (Walked c g))). apply filter_In. split; auto.
        apply negb_true_iff. now apply Nat.eqb_neq.
      * unfold is_true. simpl. now rewrite Wg.
    + apply (clause_holds _ (no (Walked c h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite W.
  - destruct ((c <? held) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L N]. apply Nat.ltb_lt in L. apply no_twice_spec in N.
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked c h)) (at_ c) <= 2) by lia.
    destruct (walks F c L) as [Z|[x [y [_ [_ [_ Ex]]]]]].
    + apply (at_most_two c 0 0 N). intros h W. rewrite Z in W. discriminate.
    + apply (at_most_two c x y N). intros h W. rewrite Ex in W. apply orb_true_iff in W.
      now rewrite !Nat.eqb_eq in W.
  - destruct pile eqn:P; [|discriminate]. inversion E. subst row.
    destruct (starts F eq_refl) as [x [X Ex]].
    apply (clause_holds _ (yes (Walked held x))).
    + now apply (in_map (fun h => yes (Walked held h))).
    + unfold is_true. simpl. now rewrite Ex, Nat.eqb_refl.
  - destruct (pile && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [P N]. apply no_twice_spec in N.
    destruct (starts F P) as [x [X Ex]].
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked held h)) (at_ held) <= 1) by lia.
    change 1 with (length [x]). apply NoDup_incl_length; [now apply NoDup_filter|].
    intros h I. apply filter_In in I. destruct I as [_ I]. rewrite Ex in I.
    apply Nat.eqb_eq in I. simpl. auto.
  - destruct (no_twice walked && _ && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [G Pa]. apply andb_true_iff in G.
    destruct G as [N Sub]. apply no_twice_spec in N. rewrite forallb_forall in Sub.
    set (ls := (negb odd, odd_var h)
      :: map (fun c => (negb (member c walked), walked_var c h)) (nearby h)).
    destruct (existsb (is_true var v) ls) eqn:Some'.
    + apply existsb_exists in Some'. destruct Some' as [l [I T]].
      exact (clause_holds ls l I T).
    + exfalso. assert (None : forall l, In l ls -> is_true var v l = false).
      { intros l I. apply not_true_is_false. intros T.
        assert (existsb (is_true var v) ls = true) by (apply existsb_exists; eauto). congruence. }
      assert (Vo : v (odd_var h) = odd).
      { specialize (None _ (or_introl eq_refl)). unfold is_true in None. simpl in None.
        destruct (v (odd_var h)), odd; simpl in *; congruence. }
      assert (Vw : forall c, In c (nearby h) -> v (walked_var c h) = member c walked).
      { intros c I.
        specialize (None _ (or_intror (in_map
          (fun c => (negb (member c walked), walked_var c h)) _ _ I))).
        unfold is_true in None. simpl in None.
        destruct (v (walked_var c h)), (member c walked); simpl in *; congruence. }
      rewrite odd_var_value, odd_nearby in Vo.
      rewrite (odd_sum_ext _ (fun c => member c walked)) in Vo by exact Vw.
      assert (Len : @number hub (fun c => member c walked) (nearby h) = length walked).
      { unfold number. apply Permutation.Permutation_length.
        apply Permutation.NoDup_Permutation; auto.
        - apply NoDup_filter. unfold Rows.nearby. apply NoDup_filter, seq_NoDup.
        - intros c. rewrite filter_In, member_spec. split; [tauto|]. intros I. split; auto.
          apply member_spec, Sub, I. }
      rewrite <- number_odd in Vo.
      pose proof (eq_trans (f_equal Nat.odd (eq_sym Len)) Vo) as Even.
      rewrite Even, xorb_nilpotent in Pa. discriminate.
  - destruct (no_twice hs && _ && _) eqn:G; [|discriminate].
    apply andb_true_iff in G. destruct G as [G Na]. apply andb_true_iff in G.
    destruct G as [N Cs]. apply no_twice_spec in N. rewrite forallb_forall in Cs, Na.
    assert (Na' : forall c, c < cards -> NoDup (at_ c)).
    { intros c L. apply no_twice_spec, Na, in_seq. lia. }
    assert (Cs' : forall d, In d cs -> d < held).
    { intros d I. apply Cs in I. apply andb_true_iff in I. now apply Nat.ltb_lt. }
    destruct (excuse hs true inside) as [ins|] eqn:In'; [|discriminate].
    destruct (excuse_spec _ _ _ _ In') as [Ei|Vi].
    + destruct (r <=? 1); [destruct (excuse hs false outside); [|discriminate]|];
        inversion E; subst row; apply around_holds; auto; left.
      unfold number in *. rewrite filter_app, app_length. lia.
    + destruct (r <=? 1) eqn:R.
      * destruct (excuse hs false outside) as [outs|] eqn:Out'; [|discriminate].
        inversion E. subst row. apply around_holds; auto.
        destruct (excuse_spec _ _ _ _ Out') as [Eo|Vo]; [left|right; auto].
        unfold number in *. rewrite filter_app, app_length. lia.
      * inversion E. subst row. apply around_holds; auto. right. split; auto.
        intros R'. apply Nat.leb_gt in R. lia.
  - inversion E. subst row. unfold holds. cbn [terms least].
    rewrite sum_app, !sum_number. pose proof (few_ends F) as Few. unfold count in Few.
    unfold number. rewrite (filter_ext _ (fun h => v (Odd h))) by apply odd_var_value. lia.
Qed.

End RowsHold.
