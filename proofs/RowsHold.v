(** Each row of a bound follows from the facts of [Rows.v]. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts Rows Borders.
Import ListNotations.

Section RowsHold.

Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation drawn := (Rows.drawn p).
Local Notation cards := (Rows.cards p).
Local Notation is_free := (Rows.is_free p).
Local Notation walked_var := (Rows.walked_var at_ p).
Local Notation walkable := (Rows.walkable at_ p).
Local Notation nearby := (Rows.nearby at_ p).
Local Notation odd_var := (Rows.odd_var at_ p).
Local Notation used_var := (Rows.used_var at_).
Local Notation excuses := (Rows.excuses at_ p).
Local Notation row_of := (Rows.row_of at_ p).

Variable v : var -> bool.
Hypothesis F : facts at_ p v.

Local Notation walked_var_value := (Borders.walked_var_value at_ p v F).
Local Notation odd_nearby := (Borders.odd_nearby at_ p v F).
Local Notation odd_var_value := (Borders.odd_var_value at_ p v F).
Local Notation number_odd_literals := (Borders.number_odd_literals at_ p v F).
Local Notation unless_clause := (Borders.unless_clause at_ p v F).
Local Notation around_holds := (Borders.around_holds at_ p v F).
Local Notation cut_holds := (Borders.cut_holds at_ p v F).
Local Notation excuses_spec := (Borders.excuses_spec at_ p v F).
Local Notation clause_holds := (Borders.clause_holds v).

Lemma at_most_two :
  forall c x y, NoDup (at_ c) -> (forall h, v (Walked c h) = true -> h = x \/ h = y) ->
  number (fun h => v (Walked c h)) (at_ c) <= 2.
Proof.
  intros c x y N E. change 2 with (length [x; y]). apply NoDup_incl_length.
  - now apply NoDup_filter.
  - intros h I. apply filter_In in I. destruct I as [_ I]. apply E in I.
    destruct I as [-> | ->]; simpl; auto.
Qed.

(** A sum of prices, of what is true or of less. *)
Lemma priced_sum :
  forall of chosen ps i,
  (forall n, i <= n < i + length ps -> v (of n) = true -> chosen n = true) ->
  (- Z.of_nat (total_price chosen i ps) <= sum_of var v (priced of i ps))%Z.
Proof.
  intros of chosen ps. unfold priced. induction ps as [|n ps IH]; intros i H; simpl; [lia|].
  specialize (IH (S i)). assert (H' : forall m, S i <= m < S i + length ps ->
    v (of m) = true -> chosen m = true) by (intros; apply H; simpl; auto; lia).
  specialize (IH H'). unfold is_true. simpl. destruct (v (of i)) eqn:V; simpl.
  - rewrite (H i ltac:(simpl; lia) V). lia.
  - destruct (chosen i); lia.
Qed.

Lemma used_played : forall c, c < drawn -> v (used_var c) = true -> v (Played c) = true.
Proof.
  intros c L V. unfold Rows.used_var in V. destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
  now apply (plays F c a).
Qed.

Lemma ends_sum :
  forall c, c < cards ->
  (- Z.of_nat (ends_price at_ p v c) <= sum_of var v (ends_of at_ p c))%Z.
Proof.
  intros c L. unfold ends_price, Rows.ends_of. destruct (walkable c); [|simpl; lia].
  assert (G : forall l, (forall h, In h l -> In h (at_ c)) ->
    (- Z.of_nat (list_sum (map (fun h => if v (Walked c h) then price p h else 0%nat) l))
     <= sum_of var v (map (fun h => (- Z.of_nat (price p h), yes (walked_var c h)))%Z l))%Z).
  { induction l as [|h l IH]; intros Sub; simpl; [lia|].
    specialize (IH (fun g I => Sub g (or_intror I))).
    unfold is_true at 1. simpl. rewrite walked_var_value by (auto; apply Sub; simpl; auto).
    destruct (v (Walked c h)); simpl; lia. }
  now apply G.
Qed.

Lemma all_ends_sum :
  forall l, (forall c, In c l -> c < cards) ->
  (- Z.of_nat (list_sum (map (ends_price at_ p v) l))
   <= sum_of var v (flat_map (ends_of at_ p) l))%Z.
Proof.
  induction l as [|c l IH]; intros B; cbn [map list_sum flat_map fold_right]; [simpl; lia|].
  rewrite sum_app. pose proof (ends_sum c (B c (or_introl eq_refl))).
  specialize (IH (fun d I => B d (or_intror I))). unfold list_sum in *. simpl. lia.
Qed.

Lemma total_price_monotone :
  forall (f g : nat -> bool) ps i, (forall n, f n = true -> g n = true) ->
  total_price f i ps <= total_price g i ps.
Proof.
  intros f g ps. induction ps as [|n ps IH]; intros i M; simpl; auto.
  specialize (IH (S i) M). pose proof (M i). destruct (f i), (g i); try lia.
Qed.

(** Offered cards that cost too much together are not all used. *)
Lemma too_dear :
  forall b cs ws, budget p = Some b ->
  b < total_price (fun w => member w ws) 0 (wild_prices p)
      + total_price (fun c => member c cs) (held p) (prices p) ->
  (forall c, In c cs -> (c <? drawn) = true) ->
  holds var v (clause (map (fun w => no (Added w)) ws ++ map (fun c => no (used_var c)) cs)).
Proof.
  intros b cs ws B Dear Cs.
  set (ls := map (fun w => no (Added w)) ws ++ map (fun c => no (used_var c)) cs).
  destruct (existsb (is_true var v) ls) eqn:Some'.
  - apply existsb_exists in Some'. destruct Some' as [l [I T]]. exact (clause_holds ls l I T).
  - exfalso. assert (All : forall x, In (no x) ls -> v x = true).
    { intros x I. destruct (v x) eqn:Vx; auto.
      assert (T : existsb (is_true var v) ls = true).
      { apply existsb_exists. exists (no x). split; auto. unfold is_true. simpl. now rewrite Vx. }
      destruct (eq_true_false_abs _ T Some'). }
    pose proof (affordable F b B) as Few.
    pose proof (total_price_monotone (fun w => member w ws) (fun w => v (Added w))
      (wild_prices p) 0) as Mw.
    pose proof (total_price_monotone (fun c => member c cs) (fun c => v (Played c))
      (prices p) (held p)) as Mc.
    assert (Mw' : forall n, member n ws = true -> v (Added n) = true).
    { intros n M. apply member_spec in M. apply All, in_or_app. left.
      now apply (in_map (fun w => no (Added w))). }
    assert (Mc' : forall n, member n cs = true -> v (Played n) = true).
    { intros n M. apply member_spec in M. apply used_played; [now apply Nat.ltb_lt, Cs|].
      apply All, in_or_app. right. now apply (in_map (fun c => no (used_var c))). }
    specialize (Mw Mw'). specialize (Mc Mc'). lia.
Qed.

Theorem rows_hold : forall d row, row_of d = Some row -> holds var v row.
Proof.
  intros [c|c|c h|c h|h|c h|c| | |h walked odd|hs cs inside outside|hs cs inside outside| | |
    |cs ws|] row E; simpl in E.
  - destruct (c <? held p) eqn:L; [|discriminate]. inversion E. subst row. apply Nat.ltb_lt in L.
    apply unless_clause; auto. intros Pl. destruct (covers F c L Pl) as [h [I [V Or]]].
    exists (yes (if is_free h then Visited h else walked_var c h)). split.
    + now apply (in_map (fun h => yes (if is_free h then Visited h else walked_var c h))).
    + unfold is_true. simpl. destruct (is_free h); [now rewrite V|].
      destruct Or as [Or|W]; [discriminate|].
      rewrite walked_var_value; [now rewrite W| |auto].
      unfold Rows.cards, Rows.drawn. lia.
  - destruct (c <? held p) eqn:L; [|discriminate]. inversion E. subst row. apply Nat.ltb_lt in L.
    apply unless_clause; auto. intros Pl. destruct (covers F c L Pl) as [h [I [V _]]].
    exists (yes (Visited h)). split; [now apply (in_map (fun h => yes (Visited h)))|].
    unfold is_true. simpl. now rewrite V.
  - destruct ((c <? cards) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L M]. apply Nat.ltb_lt in L. apply member_spec in M.
    destruct (v (walked_var c h)) eqn:W.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      rewrite walked_var_value in W by auto. unfold is_true. simpl.
      now rewrite (visits F c h L W).
    + apply (clause_holds _ (no (walked_var c h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite W.
  - destruct ((c <? drawn) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L M]. apply Nat.ltb_lt in L. apply member_spec in M.
    destruct (v (walked_var c h)) eqn:W.
    + apply (clause_holds _ (yes (Played c))); [simpl; auto|].
      rewrite walked_var_value in W by (auto; unfold Rows.cards; lia). unfold is_true. simpl.
      now rewrite (plays F c h L W).
    + apply (clause_holds _ (no (walked_var c h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite W.
  - inversion E. subst row. destruct (v (Closed h)) eqn:C.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite (closes F h C).
    + apply (clause_holds _ (no (Closed h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite C.
  - destruct ((c <? drawn) && _) eqn:G; [|discriminate]. inversion E. subst row.
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
  - destruct ((c <? drawn) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L N]. apply Nat.ltb_lt in L. apply no_twice_spec in N.
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked c h)) (at_ c) <= 2) by lia.
    destruct (walks F c L) as [Z|[x [y [_ [_ [_ Ex]]]]]].
    + apply (at_most_two c 0 0 N). intros h W. rewrite Z in W. discriminate.
    + apply (at_most_two c x y N). intros h W. rewrite Ex in W. apply orb_true_iff in W.
      now rewrite !Nat.eqb_eq in W.
  - destruct (pile p) eqn:P; [|discriminate]. inversion E. subst row.
    destruct (starts F P) as [x [X Ex]].
    apply (clause_holds _ (yes (Walked drawn x))).
    + now apply (in_map (fun h => yes (Walked drawn h))).
    + unfold is_true. simpl. now rewrite Ex, Nat.eqb_refl.
  - destruct (pile p && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [P N]. apply no_twice_spec in N.
    destruct (starts F P) as [x [X Ex]].
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked drawn h)) (at_ drawn) <= 1) by lia.
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
    destruct (excuses hs cs inside outside) as [ls|] eqn:Ex; [|discriminate].
    inversion E. subst row.
    assert (Cs' : forall d, In d cs -> d < drawn).
    { intros d I. apply Cs in I. apply andb_true_iff in I. now apply Nat.ltb_lt. }
    apply around_holds; auto.
    + intros c L. apply no_twice_spec, Na, in_seq. lia.
    + now apply (excuses_spec hs cs inside outside).
  - destruct (no_twice hs && _) eqn:G; [|discriminate]. apply andb_true_iff in G.
    destruct G as [N Na]. apply no_twice_spec in N. rewrite forallb_forall in Na.
    destruct (excuses hs cs inside outside) as [ls|] eqn:Ex; [|discriminate].
    inversion E. subst row. apply cut_holds; auto.
    + intros c L. apply no_twice_spec, Na, in_seq. lia.
    + now apply (excuses_spec hs cs inside outside).
  - inversion E. subst row. unfold holds. cbn [terms least].
    rewrite !sum_app, sum_literals, number_odd_literals, sum_number, sum_number_not.
    pose proof (few_ends F) as Few.
    unfold count in Few. rewrite seq_length in *.
    set (w := length (wild_prices p)) in *.
    assert (Lw : number (fun a => v (Added a)) (seq 0 w) <= w).
    { rewrite <- (seq_length w 0) at 2. apply number_most. }
    unfold number in *. destruct (pile p); lia.
  - destruct (least_played p) as [n|] eqn:S; [|discriminate]. inversion E. subst row.
    unfold holds. cbn [terms least]. rewrite sum_number_not, seq_length.
    pose proof (enough F n S). lia.
  - destruct (budget p) as [b|] eqn:B; [|discriminate]. inversion E. subst row.
    unfold holds. cbn [terms least]. rewrite sum_app. pose proof (affordable F b B).
    pose proof (priced_sum Added (fun w => v (Added w)) (wild_prices p) 0 (fun n _ V => V)).
    pose proof (priced_sum used_var (fun c => v (Played c)) (prices p) (held p)) as U.
    assert (U' := U (fun n L => used_played n ltac:(unfold Rows.drawn; lia))). lia.
  - destruct (budget p) as [b|] eqn:B; [|discriminate].
    destruct ((b <? _) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [G Cs]. apply Nat.ltb_lt in G.
    rewrite forallb_forall in Cs. now apply (too_dear b).
  - destruct (toll p) as [n|] eqn:T; [|discriminate]. inversion E. subst row.
    unfold holds. cbn [terms least]. pose proof (few_prices F n T).
    pose proof (all_ends_sum (seq 0 cards)) as A.
    assert (A' := A (fun c I => proj2 (proj1 (in_seq _ _ _) I))). lia.
Qed.

End RowsHold.
