(** Values of literals under the facts of [Rows.v], and the rows around sets of hubs. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts Rows.
Import ListNotations.

Section Borders.

Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation hubs := (all_hubs p).
Local Notation drawn := (Rows.drawn p).
Local Notation cards := (Rows.cards p).
Local Notation is_pile := (Rows.is_pile p).
Local Notation is_free := (Rows.is_free p).
Local Notation joins := (Rows.joins p).
Local Notation stays := (Rows.stays p).
Local Notation unless_played := (Rows.unless_played p).
Local Notation walked_var := (Rows.walked_var at_ p).
Local Notation walkable := (Rows.walkable at_ p).
Local Notation nearby := (Rows.nearby at_ p).
Local Notation odd_var := (Rows.odd_var at_ p).
Local Notation leading_out := (Rows.leading_out at_ p).
Local Notation excuse := (Rows.excuse at_ p).
Local Notation few_touch := (Rows.few_touch at_ p).
Local Notation excuses := (Rows.excuses at_ p).
Local Notation around := (Rows.around at_ p).
Local Notation cut_row := (Rows.cut_row at_ p).

Variable v : var -> bool.
Hypothesis F : facts at_ p v.

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
  destruct (Nat.lt_ge_cases c drawn) as [H|H].
  - destruct (walks F c H) as [N|[x [y [_ [X [Y E]]]]]]; [rewrite N in W; discriminate|].
    rewrite E in W. apply orb_true_iff in W. destruct W as [W|W]; apply Nat.eqb_eq in W; now subst.
  - destruct (pile p) eqn:P; [|lia]. assert (c = drawn) by lia. subst c.
    destruct (starts F P) as [x [X E]].
    rewrite E in W. apply Nat.eqb_eq in W. now subst.
Qed.

Lemma walked_walkable : forall c h, c < cards -> v (Walked c h) = true -> walkable c = true.
Proof.
  intros c h L W. unfold Rows.walkable. apply orb_true_iff. unfold Rows.cards in L.
  destruct (Nat.lt_ge_cases c drawn) as [H|H].
  - left. destruct (walks F c H) as [N|[x [y [D [X [Y _]]]]]]; [rewrite N in W; discriminate|].
    apply Nat.leb_le. destruct (at_ c) as [|a [|b l]]; simpl in *; lia.
  - right. unfold Rows.is_pile. destruct (pile p); [|lia]. simpl. apply Nat.eqb_eq. lia.
Qed.

Lemma walked_var_value :
  forall c h, c < cards -> In h (at_ c) -> v (walked_var c h) = v (Walked c h).
Proof.
  intros c h L I. unfold Rows.walked_var. destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
  destruct (is_pile c) eqn:P; auto.
  assert (H : c < drawn).
  { unfold Rows.is_pile, Rows.cards in *. destruct (pile p); simpl in P; [|lia].
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

Lemma number_odd_literals :
  forall hs, number (is_true var v) (flat_map (odd_literals at_ p) hs)
  = number (fun h => v (Odd h)) hs.
Proof.
  intros hs. unfold number. induction hs as [|h hs IH]; auto.
  cbn [flat_map filter]. rewrite filter_app, app_length, IH.
  pose proof (odd_var_value h) as V. unfold Rows.odd_var in V. unfold Rows.odd_literals.
  destruct (nearby h) as [|c [|d l]] eqn:N.
  - rewrite odd_nearby, N. reflexivity.
  - cbn [filter]. unfold is_true at 1. cbn [fst snd yes]. rewrite V. now destruct (v (Odd h)).
  - cbn [filter]. unfold is_true at 1. cbn [fst snd yes]. now destruct (v (Odd h)).
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
  forall hs cs c, c < cards -> NoDup hs -> NoDup (at_ c) -> (In c cs -> c < drawn) ->
  Nat.odd (number (is_true var v) (leading_out hs cs c))
  = odd_sum (fun h => v (Walked c h)) hs.
Proof.
  intros hs cs c L Nh Na Cs.
  assert (Sum : forall q, Nat.odd (number (is_true var v)
      (map (fun h => yes (Walked c h)) (filter q (at_ c))))
    = odd_sum (fun h => q h && v (Walked c h)) (at_ c)).
  { intros q. now rewrite number_walked, number_filter, number_odd. }
  unfold Rows.leading_out. destruct (Nat.lt_ge_cases c drawn) as [H|H].
  - assert (P : is_pile c = false).
    { unfold Rows.is_pile. destruct (pile p); auto. apply Nat.eqb_neq. lia. }
    rewrite P. destruct (walks F c H) as [Z|[x [y [D [X [Y E]]]]]].
    + rewrite (odd_sum_ext _ (fun _ => false) hs), odd_sum_false by auto.
      assert (None : forall q, odd_sum (fun h => q h && v (Walked c h)) (at_ c) = false).
      { intros q. rewrite <- (odd_sum_false (at_ c)). apply odd_sum_ext. intros h _.
        rewrite Z. apply andb_false_r. }
      destruct (member c cs); [rewrite Sum; apply None|].
      destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
      * destruct (xorb (is_inside hs a) (is_inside hs b)); auto. unfold number, is_true. simpl.
        now rewrite Z.
      * rewrite Sum. apply None.
    + rewrite (odd_sum_ext _ (fun h => true && ((h =? x) || (h =? y))) hs)
        by (intros; now rewrite E).
      rewrite (odd_sum_two (fun _ => true)) by auto. cbn [andb].
      assert (Two : forall q, odd_sum (fun h => q h && v (Walked c h)) (at_ c) = xorb (q x) (q y)).
      { intros q. rewrite (odd_sum_ext _ (fun h => q h && ((h =? x) || (h =? y)))).
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
  - assert (Pi : pile p = true) by (unfold Rows.cards in L; destruct (pile p); auto; lia).
    assert (c = drawn) by (unfold Rows.cards in L; rewrite Pi in L; lia). subst c.
    assert (P : is_pile drawn = true) by (unfold Rows.is_pile; now rewrite Pi, Nat.eqb_refl).
    assert (M : member drawn cs = false).
    { apply not_true_is_false. intros M. apply member_spec, Cs in M. lia. }
    rewrite M, P, Sum. destruct (starts F Pi) as [x [X E]].
    rewrite (odd_sum_ext _ (fun h => is_inside hs h && (h =? x))) by (intros; now rewrite E).
    rewrite odd_sum_one by auto. apply member_spec in X. rewrite X, andb_true_r.
    rewrite (odd_sum_ext _ (fun h => true && (h =? x)) hs) by (intros; now rewrite E).
    rewrite (odd_sum_one (fun _ => true)) by auto. reflexivity.
Qed.

Lemma sum_number_not :
  forall A (g : A -> var) w l,
  sum_of var v (map (fun a => (w, no (g a))) l)
  = (w * (Z.of_nat (length l) - Z.of_nat (number (fun a => v (g a)) l)))%Z.
Proof.
  intros A g w l. unfold number. induction l as [|a l IH]; [simpl; lia|].
  cbn [map sum_of filter length]. rewrite IH. unfold is_true. cbn [fst snd Rows.no].
  destruct (v (g a)); cbn [Bool.eqb length]; rewrite ?Nat2Z.inj_succ; ring.
Qed.

Lemma number_most : forall A (f : A -> bool) l, number f l <= length l.
Proof.
  intros A f l. unfold number. induction l as [|a l IH]; simpl; auto. destruct (f a); simpl; lia.
Qed.

Lemma number_app :
  forall A (f : A -> bool) a b, number f (a ++ b) = number f a + number f b.
Proof. intros. unfold number. now rewrite filter_app, app_length. Qed.

Lemma unless_played_spec :
  forall c, c < held p -> 1 <= number (is_true var v) (unless_played c) \/ v (Played c) = true.
Proof.
  intros c L. unfold Rows.unless_played. destruct (least_played p) eqn:S.
  - rewrite (proj2 (Nat.ltb_lt _ _) L). destruct (v (Played c)) eqn:V; [auto|left].
    unfold number, is_true. simpl. rewrite V. simpl. lia.
  - right. now apply (all_played F).
Qed.

(** A clause for cards that are played. *)
Lemma unless_clause :
  forall c ls, c < held p ->
  (v (Played c) = true -> exists l, In l ls /\ is_true var v l = true) ->
  holds var v (clause (unless_played c ++ ls)).
Proof.
  intros c ls L H. destruct (unless_played_spec c L) as [U|Pl].
  - destruct (filter (is_true var v) (unless_played c)) as [|l ks] eqn:Un;
      [unfold number in U; rewrite Un in U; simpl in U; lia|].
    assert (I : In l (filter (is_true var v) (unless_played c))) by (rewrite Un; simpl; auto).
    apply filter_In in I. destruct I as [I T]. apply (clause_holds _ l); auto.
    apply in_or_app. auto.
  - destruct (H Pl) as [l [I T]]. apply (clause_holds _ l); auto. apply in_or_app. auto.
Qed.

(** Hubs at which a card has an end are all inside or all outside, or it leads out. *)
Lemma leads_out :
  forall hs cs c h, c < cards -> In h (at_ c) -> v (Walked c h) = true ->
  member h hs = negb (member c cs) ->
  1 <= number (is_true var v) (leading_out hs cs c)
  \/ (exists a b, at_ c = [a; b] /\ is_pile c = false /\ member c cs = false
      /\ member a hs = true /\ member b hs = true).
Proof.
  intros hs cs c h L I W M. unfold Rows.leading_out.
  assert (Some' : forall q, q h = true ->
    1 <= number (is_true var v) (map (fun g => yes (Walked c g)) (filter q (at_ c)))).
  { intros q Q. rewrite number_walked. apply (number_some _ _ _ h); auto. now apply filter_In. }
  unfold is_inside in *. destruct (member c cs) eqn:Mc; simpl in M.
  - left. apply Some'. now rewrite M.
  - destruct (is_pile c) eqn:P; [left; now apply Some'|].
    destruct (at_ c) as [|a [|b [|d l]]] eqn:A; try (left; now apply Some').
    + destruct I.
    + exfalso. assert (Walkable : walkable c = true) by now apply (walked_walkable c h).
      unfold Rows.walkable in Walkable. rewrite A, P in Walkable. discriminate.
    + destruct (member a hs) eqn:Ma, (member b hs) eqn:Mb; simpl.
      * right. exists a, b. auto.
      * left. rewrite <- (walked_var_value c h L) in W by (rewrite A; auto).
        unfold Rows.walked_var in W. rewrite A, P in W. unfold number, is_true. simpl.
        rewrite W. simpl. lia.
      * left. rewrite <- (walked_var_value c h L) in W by (rewrite A; auto).
        unfold Rows.walked_var in W. rewrite A, P in W. unfold number, is_true. simpl.
        rewrite W. simpl. lia.
      * simpl in I. destruct I as [<-|[<-|[]]]; congruence.
Qed.

Lemma excuse_spec :
  forall hs cs within o ls, excuse hs cs within o = Some ls ->
  1 <= number (is_true var v) ls
  \/ (exists h, v (Visited h) = true /\ member h hs = within)
  \/ exists c, c < cards /\ 1 <= number (is_true var v) (leading_out hs cs c).
Proof.
  intros hs cs within [h|c] ls E; simpl in E.
  - destruct (Bool.eqb (is_inside hs h) within) eqn:I; [|discriminate]. inversion E. subst ls.
    apply eqb_prop in I. destruct (v (Visited h)) eqn:V; [right; left; eauto|left].
    unfold number, is_true. simpl. rewrite V. simpl. lia.
  - destruct (((c <? held p) || is_pile c) && _ && _) eqn:G; [|discriminate].
    inversion E. subst ls. clear E. apply andb_true_iff in G. destruct G as [G Paid].
    apply andb_true_iff in G. destruct G as [Sure Free]. rewrite forallb_forall in Free.
    assert (Lc : c < cards).
    { unfold Rows.cards, Rows.drawn. apply orb_true_iff in Sure. destruct Sure as [H|H].
      - apply Nat.ltb_lt in H. lia.
      - unfold Rows.is_pile in H. destruct (pile p); [|discriminate]. apply Nat.eqb_eq in H.
        unfold Rows.drawn in H. lia. }
    assert (V : 1 <= number (is_true var v) (unless_played c)
      \/ exists h, In h (at_ c) /\ v (Visited h) = true
                   /\ (is_free h = true \/ v (Walked c h) = true)).
    { apply orb_true_iff in Sure. destruct Sure as [H|H].
      - apply Nat.ltb_lt in H. destruct (unless_played_spec c H) as [U|Pl]; [auto|right].
        now apply (covers F).
      - right. unfold Rows.is_pile in H. apply andb_true_iff in H. destruct H as [Pi H].
        apply Nat.eqb_eq in H. subst c. destruct (starts F Pi) as [x [X Ex]].
        exists x. split; auto. assert (W : v (Walked drawn x) = true).
        { rewrite Ex. apply Nat.eqb_refl. }
        split; auto. apply (visits F drawn); auto. }
    destruct V as [V|[h [Ih [Vh Or]]]]; [auto|].
    destruct (is_free h) eqn:Fh.
    { right. left. exists h. split; auto. apply eqb_prop, Free. apply filter_In. auto. }
    destruct Or as [Or|W]; [discriminate|].
    apply orb_true_iff in Paid. destruct Paid as [Paid|Paid].
    { rewrite forallb_forall in Paid. rewrite (Paid h Ih) in Fh. discriminate. }
    apply andb_true_iff in Paid. destruct Paid as [Ex Side]. apply eqb_prop in Side.
    destruct (bool_dec (member h hs) within) as [|Ne]; [right; left; eauto|].
    assert (M : member h hs = negb (member c cs)).
    { rewrite Side. destruct (member h hs), within; simpl; congruence. }
    destruct (leads_out hs cs c h Lc Ih W M) as [O|[a [b [A [_ [Mc [Ma Mb]]]]]]].
    + right. right. exists c. auto.
    + exfalso. rewrite Mc in Side. subst within. apply existsb_exists in Ex.
      destruct Ex as [g [Ig Fg]]. specialize (Free g).
      rewrite filter_In in Free. specialize (Free (conj Ig Fg)). apply eqb_prop in Free.
      unfold is_inside in Free. rewrite A in Ig. destruct Ig as [<-|[<-|[]]]; congruence.
Qed.

(** If fewer cards of the hand touch a set than are played, some hub outside is visited. *)
Lemma few_touch_spec :
  forall hs, few_touch hs = true -> exists h, v (Visited h) = true /\ member h hs = false.
Proof.
  intros hs E. unfold Rows.few_touch in E. destruct (least_played p) as [n|] eqn:S; [|discriminate].
  apply Nat.ltb_lt in E. pose proof (enough F n S) as En.
  destruct (existsb (fun c => v (Played c) && negb (existsb (is_inside hs) (at_ c)))
    (seq 0 (held p))) eqn:X.
  - apply existsb_exists in X. destruct X as [c [I X]]. apply in_seq in I.
    apply andb_true_iff in X. destruct X as [Pl N]. apply negb_true_iff in N.
    destruct (covers F c ltac:(lia) Pl) as [h [Ih [Vh _]]]. exists h. split; auto.
    apply not_true_is_false. intros M.
    assert (existsb (is_inside hs) (at_ c) = true) by (apply existsb_exists; eauto). congruence.
  - exfalso. assert (Le : number (fun c => v (Played c)) (seq 0 (held p))
      <= number (fun c => existsb (is_inside hs) (at_ c)) (seq 0 (held p))); [|lia].
    assert (All : forall c, In c (seq 0 (held p)) -> v (Played c) = true ->
      existsb (is_inside hs) (at_ c) = true).
    { intros c I Pl. destruct (existsb (is_inside hs) (at_ c)) eqn:T; auto.
      assert (existsb (fun c => v (Played c) && negb (existsb (is_inside hs) (at_ c)))
        (seq 0 (held p)) = true); [|congruence].
      apply existsb_exists. exists c. now rewrite Pl, T. }
    clear -All. unfold number. induction (seq 0 (held p)) as [|c l IH]; simpl; auto.
    assert (IH' := IH (fun c I => All c (or_intror I))).
    destruct (v (Played c)) eqn:Pl.
    + rewrite (All c (or_introl eq_refl) Pl). simpl. lia.
    + destruct (existsb (is_inside hs) (at_ c)); simpl; lia.
Qed.

Lemma out_of :
  forall hs cs c, c < cards -> 1 <= number (is_true var v) (leading_out hs cs c) ->
  1 <= number (is_true var v) (flat_map (leading_out hs cs) (seq 0 cards)).
Proof.
  intros hs cs c L N. assert (Ic : In c (seq 0 cards)) by (apply in_seq; lia).
  destruct (in_split _ _ Ic) as [l1 [l2 ->]]. rewrite flat_map_app. cbn [flat_map].
  rewrite !number_app. lia.
Qed.

Lemma none_leads_out :
  forall hs cs, NoDup hs -> (forall c, c < cards -> NoDup (at_ c)) ->
  number (is_true var v) (flat_map (leading_out hs cs) (seq 0 cards)) = 0 ->
  stays v (fun g => member g hs).
Proof.
  intros hs cs Nh Na Z c x y L X Y.
  assert (Lc : c < cards) by (unfold Rows.cards; lia).
  assert (None : number (is_true var v) (leading_out hs cs c) = 0).
  { destruct (number (is_true var v) (leading_out hs cs c)) as [|n] eqn:N; auto.
    pose proof (out_of hs cs c Lc ltac:(lia)) as O. lia. }
  pose proof (leading_out_odd hs cs c Lc Nh (Na c Lc) (fun _ => L)) as P. rewrite None in P.
  destruct (walks F c L) as [N|[x' [y' [D [_ [_ E]]]]]]; [rewrite N in X; discriminate|].
  rewrite (odd_sum_ext _ (fun h => true && ((h =? x') || (h =? y'))) hs) in P
    by (intros; now rewrite E).
  rewrite (odd_sum_two (fun _ => true)) in P by auto. cbn [andb] in P.
  symmetry in P. apply xorb_eq in P.
  rewrite E in X, Y. apply orb_true_iff in X, Y. rewrite !Nat.eqb_eq in X, Y.
  destruct X, Y; subst; congruence.
Qed.

(** Why a set of hubs has a visited one, and there is another outside if that matters. *)
Definition occupied (hs : list hub) (cs : list nat) (ls : list (literal var)) : Prop :=
  1 <= number (is_true var v) ls
  \/ (exists c, c < cards /\ 1 <= number (is_true var v) (leading_out hs cs c))
  \/ (exists h, v (Visited h) = true /\ member h hs = true)
     /\ (joins = false -> exists h, v (Visited h) = true /\ member h hs = false).

Lemma around_holds :
  forall hs cs ls, NoDup hs -> (forall c, c < cards -> NoDup (at_ c)) ->
  (forall d, In d cs -> d < drawn) -> occupied hs cs ls ->
  holds var v (around hs cs ls).
Proof.
  intros hs cs ls Nh Na Cs Why. unfold holds, Rows.around. cbn [terms least].
  rewrite !sum_app, !sum_literals, number_odd_literals.
  set (out := number (is_true var v) (flat_map (leading_out hs cs) (seq 0 cards))).
  set (odd := number (fun h => v (Odd h)) hs).
  assert (Even : Nat.odd out = Nat.odd odd).
  { unfold out, odd. rewrite number_flat_map, number_odd.
    rewrite (odd_sum_ext _ (fun c => odd_sum (fun h => v (Walked c h)) hs)).
    - rewrite odd_sum_swap. apply odd_sum_ext. intros h _. now rewrite (odds F h).
    - intros c I. apply in_seq in I. apply leading_out_odd; auto; try lia. apply Na. lia. }
  assert (Nonneg : (0 <= sum_of var v
    (if joins then map (fun h => (2%Z, yes (Closed h))) hs else []))%Z).
  { destruct joins; simpl; [|lia]. rewrite sum_number. lia. }
  assert (Enough : (2 <= Z.of_nat out + Z.of_nat odd
      + sum_of var v (if joins then map (fun h => (2%Z, yes (Closed h))) hs else []))%Z
    \/ 1 <= number (is_true var v) ls).
  { destruct (Nat.eq_dec out 0) as [Z|Z].
    - destruct Why as [Ex|[[c [L O]]|[[h [Vh Ih]] Outside]]]; [auto| |left].
      { pose proof (out_of hs cs c L O). fold out in H. lia. }
      pose proof (none_leads_out hs cs Nh Na Z) as St.
      destruct joins eqn:J.
      + destruct (cuts F _ St h Vh Ih) as [g [Sg [Og|Cg]]]; apply member_spec in Sg.
        * assert (1 <= odd).
          { unfold odd. now apply (number_some _ _ hs g). }
          rewrite Z in Even. destruct odd as [|[|n]]; [lia|discriminate|lia].
        * rewrite sum_number.
          assert (1 <= number (fun a => v (Closed a)) hs) by now apply (number_some _ _ hs g).
          lia.
      + destruct (Outside eq_refl) as [g [Vg Og]].
        pose proof (one_part F J _ St h g Vh Vg). cbv beta in *. congruence.
    - left. destruct out as [|[|n]]; [lia| |lia].
      destruct odd as [|m]; [discriminate|lia]. }
  destruct Enough; lia.
Qed.

Lemma cut_holds :
  forall hs cs ls, NoDup hs -> (forall c, c < cards -> NoDup (at_ c)) -> occupied hs cs ls ->
  holds var v (cut_row hs cs ls).
Proof.
  intros hs cs ls Nh Na Why.
  assert (Some' : forall ks, 1 <= number (is_true var v) ks ->
    exists l, In l ks /\ is_true var v l = true).
  { intros ks N. unfold number in N. destruct (filter (is_true var v) ks) as [|l m] eqn:E;
      simpl in N; [lia|]. exists l. apply filter_In. rewrite E. simpl. auto. }
  unfold Rows.cut_row. set (out := flat_map (leading_out hs cs) (seq 0 cards)).
  destruct (Nat.eq_dec (number (is_true var v) out) 0) as [Z|Z].
  - destruct Why as [Ex|[[c [L O]]|[[h [Vh Ih]] Outside]]].
    + destruct (Some' _ Ex) as [l [I T]]. apply (clause_holds _ l); auto. apply in_or_app. auto.
    + pose proof (out_of hs cs c L O). unfold out in Z. lia.
    + pose proof (none_leads_out hs cs Nh Na Z) as St. destruct joins eqn:J.
      * destruct (cuts F _ St h Vh Ih) as [g [Sg [Og|Cg]]]; apply member_spec in Sg.
        -- destruct (Some' (flat_map (odd_literals at_ p) hs)) as [l [I T]].
           { rewrite number_odd_literals. now apply (number_some _ _ hs g). }
           apply (clause_holds _ l); auto. rewrite !in_app_iff. auto.
        -- apply (clause_holds _ (yes (Closed g))); [|unfold is_true; simpl; now rewrite Cg].
           rewrite !in_app_iff. right. right. right.
           now apply (in_map (fun h => yes (Closed h))).
      * destruct (Outside eq_refl) as [g [Vg Og]].
        pose proof (one_part F J _ St h g Vh Vg). cbv beta in *. congruence.
  - destruct (Some' out ltac:(lia)) as [l [I T]]. apply (clause_holds _ l); auto.
    rewrite !in_app_iff. auto.
Qed.

Lemma excuses_spec :
  forall hs cs inside outside ls, excuses hs cs inside outside = Some ls ->
  occupied hs cs ls.
Proof.
  intros hs cs inside outside ls E. unfold Rows.excuses in E. unfold occupied.
  destruct (excuse hs cs true inside) as [ins|] eqn:In'; [|discriminate].
  pose proof (excuse_spec _ _ _ _ _ In') as Ei.
  destruct joins eqn:J; simpl orb in E.
  { inversion E. subst ls. destruct Ei as [Ei|[Vi|Ei]]; auto. right. right. split; auto.
    discriminate. }
  destruct (few_touch hs) eqn:T.
  { inversion E. subst ls. pose proof (few_touch_spec hs T). destruct Ei as [Ei|[Vi|Ei]]; auto. }
  destruct outside as [o|]; [|discriminate].
  destruct (excuse hs cs false o) as [outs|] eqn:Out'; [|discriminate]. inversion E. subst ls.
  pose proof (excuse_spec _ _ _ _ _ Out') as Eo. rewrite number_app.
  destruct Ei as [Ei|[Vi|Ei]]; [left; lia| |auto].
  destruct Eo as [Eo|[Vo|Eo]]; [left; lia| |auto]. auto.
Qed.

End Borders.
