(** Trails: every play gives trails on hubs.

    Every card lies on some hubs, and cards that match share one.  In sequences that are feasible,
    let each two neighbours choose a hub that they share.  A card between two different chosen hubs
    is walked from one to the other.  So each sequence becomes a trail; here are the facts about
    [r] trails which the rows of a formula state: every card has a visited hub, walked cards join
    visited hubs, there are at most [2 r] ends, and every set of hubs that no walked card leaves
    has an end, if it has a visited hub. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules.
Import ListNotations.

Definition hub := nat.

Section Trails.

(** Cards are of any type; [at_ c] are the hubs of [c]. *)
Variable A : Type.
Variable at_ : A -> list hub.

Definition shares (c d : A) : bool := existsb (fun h => existsb (Nat.eqb h) (at_ d)) (at_ c).

Lemma shares_hub : forall c d, shares c d = true <-> exists h, In h (at_ c) /\ In h (at_ d).
Proof.
  intros c d. unfold shares. rewrite existsb_exists. split.
  - intros [h [C D]]. apply existsb_exists in D. destruct D as [g [D E]].
    apply Nat.eqb_eq in E. subst g. eauto.
  - intros [h [C D]]. exists h. split; auto. apply existsb_exists. exists h.
    split; auto. apply Nat.eqb_refl.
Qed.

(** A trail begins at a hub; each step is a card and the hub to which it leads, where the trail
    stays if it is the same hub as before. *)
Definition step : Type := A * hub.

Fixpoint valid (x : hub) (l : list step) : Prop :=
  match l with
  | [] => True
  | (c, y) :: rest => In x (at_ c) /\ In y (at_ c) /\ valid y rest
  end.

Fixpoint last_hub (x : hub) (l : list step) : hub :=
  match l with
  | [] => x
  | (_, y) :: rest => last_hub y rest
  end.

Definition visited (x : hub) (l : list step) : list hub := x :: map snd l.

(** The walked cards, each with the hubs that it joins. *)
Fixpoint walked (x : hub) (l : list step) : list (A * (hub * hub)) :=
  match l with
  | [] => []
  | (c, y) :: rest => if x =? y then walked y rest else (c, (x, y)) :: walked y rest
  end.

(** A feasible sequence is a trail, from any hub of its first card. *)
Theorem played_trail :
  forall rest c h, chain shares (c :: rest) -> In h (at_ c) ->
  exists l, map fst l = c :: rest /\ valid h l.
Proof.
  induction rest as [|d rest IH]; intros c h C H.
  - exists [(c, h)]. simpl. auto.
  - destruct C as [M C]. apply shares_hub in M. destruct M as [g [Gc Gd]].
    destruct (IH d g C Gd) as [l [L V]].
    exists ((c, g) :: l). simpl. rewrite L. auto.
Qed.

Lemma last_visited : forall l x, In (last_hub x l) (visited x l).
Proof.
  induction l as [|[c y] l IH]; intros x; simpl; auto.
  right. destruct (IH y) as [E|E]; auto.
Qed.

(** Every card has a visited hub. *)
Theorem covered :
  forall l x c, valid x l -> In c (map fst l) -> exists h, In h (at_ c) /\ In h (visited x l).
Proof.
  induction l as [|[d y] l IH]; intros x c V I; [destruct I|].
  destruct V as [_ [Y V]]. destruct I as [E|I]; simpl in *.
  - subst d. exists y. auto.
  - destruct (IH y c V I) as [h [H1 H2]]. exists h. simpl in H2. tauto.
Qed.

(** A walked card joins two of its own hubs, and both are visited. *)
Theorem walked_hubs :
  forall l x c g h, valid x l -> In (c, (g, h)) (walked x l) ->
  g <> h /\ In c (map fst l) /\ In g (at_ c) /\ In h (at_ c)
  /\ In g (visited x l) /\ In h (visited x l).
Proof.
  induction l as [|[d y] l IH]; intros x c g h V I; [destruct I|].
  destruct V as [X [Y V]]. simpl in I. destruct (Nat.eqb_spec x y) as [E|E].
  - subst y. destruct (IH x c g h V I) as [D [C [G [H [Vg Vh]]]]].
    unfold visited in *. simpl in *. repeat split; auto; tauto.
  - destruct I as [I|I].
    + inversion I; subst. unfold visited. simpl. repeat split; auto.
    + destruct (IH y c g h V I) as [D [C [G [H [Vg Vh]]]]].
      unfold visited in *. simpl in *. repeat split; auto; tauto.
Qed.

(** ** Parity *)

(** Whether an odd number of walked cards is at a hub. *)
Fixpoint odd_at (v : hub) (w : list (A * (hub * hub))) : bool :=
  match w with
  | [] => false
  | (_, (x, y)) :: rest => xorb (xorb (v =? x) (v =? y)) (odd_at v rest)
  end.

Lemma odd_at_app : forall v a b, odd_at v (a ++ b) = xorb (odd_at v a) (odd_at v b).
Proof.
  induction a as [|[c [x y]] a IH]; intros b; simpl.
  - case (odd_at v b); reflexivity.
  - now rewrite IH, !xorb_assoc.
Qed.

(** Of one trail, only the two ends are odd, if they differ. *)
Theorem parity :
  forall l x v, odd_at v (walked x l) = xorb (v =? x) (v =? last_hub x l).
Proof.
  induction l as [|[c y] l IH]; intros x v; simpl.
  - now rewrite xorb_nilpotent.
  - destruct (Nat.eqb_spec x y) as [E|E]; [subst; apply IH|].
    simpl. rewrite IH. destruct (v =? x), (v =? y), (v =? last_hub y l); reflexivity.
Qed.

(** ** Sets of hubs *)

(** No walked card leaves the set. *)
Definition no_crossing (S : hub -> bool) (w : list (A * (hub * hub))) : Prop :=
  forall c x y, In (c, (x, y)) w -> S x = S y.

Lemma no_crossing_app :
  forall S a b, no_crossing S (a ++ b) <-> no_crossing S a /\ no_crossing S b.
Proof.
  unfold no_crossing. intros S a b. split.
  - intros H. split; intros c x y I; apply (H c); apply in_or_app; auto.
  - intros [H1 H2] c x y I. apply in_app_or in I. destruct I; eauto.
Qed.

(** A trail that does not leave a set is inside or outside. *)
Theorem one_side :
  forall l x S, no_crossing S (walked x l) -> forall h, In h (visited x l) -> S h = S x.
Proof.
  induction l as [|[c y] l IH]; intros x S N h I.
  - destruct I as [<-|[]]; auto.
  - assert (E : S y = S x).
    { simpl in N. destruct (Nat.eqb_spec x y) as [->|_]; auto.
      symmetry. apply (N c). simpl; auto. }
    destruct I as [<-|I]; auto. rewrite <- E. apply IH; auto.
    simpl in N. destruct (x =? y); auto. intros c' x' y' I'. apply (N c'). simpl; auto.
Qed.

(** A trail with hubs on both sides of a border has a walked card that crosses it. *)
Corollary crossed :
  forall l x S a b, In a (visited x l) -> In b (visited x l) -> S a = true -> S b = false ->
  exists c g h, In (c, (g, h)) (walked x l) /\ S g <> S h.
Proof.
  intros l x S a b Ia Ib Sa Sb.
  assert (D : forall w : list (A * (hub * hub)), no_crossing S w
    \/ exists c g h, In (c, (g, h)) w /\ S g <> S h).
  { induction w as [|[c [g h]] w [N|[c' [g' [h' [I D]]]]]].
    - left. intros c x' y' [].
    - destruct (bool_dec (S g) (S h)) as [E|E].
      + left. intros c' x' y' [I|I]; [inversion I; subst; auto|eauto].
      + right. exists c, g, h. simpl. auto.
    - right. exists c', g', h'. simpl. auto. }
  destruct (D (walked x l)) as [N|]; auto.
  pose proof (one_side _ _ _ N a Ia). pose proof (one_side _ _ _ N b Ib). congruence.
Qed.

(** The walked cards that cross the border of a set of hubs, and the odd hubs in it, are together
    even in number.  [hubs] is the set, each hub once. *)
Fixpoint odd_crossings (S : hub -> bool) (w : list (A * (hub * hub))) : bool :=
  match w with
  | [] => false
  | (_, (x, y)) :: rest => xorb (xorb (S x) (S y)) (odd_crossings S rest)
  end.

Fixpoint odd_sum (f : hub -> bool) (hubs : list hub) : bool :=
  match hubs with
  | [] => false
  | h :: rest => xorb (f h) (odd_sum f rest)
  end.

Lemma odd_sum_xor :
  forall f g hubs,
  odd_sum (fun h => xorb (f h) (g h)) hubs = xorb (odd_sum f hubs) (odd_sum g hubs).
Proof.
  induction hubs as [|h hubs IH]; simpl; auto. rewrite IH.
  destruct (f h), (g h), (odd_sum f hubs), (odd_sum g hubs); reflexivity.
Qed.

Lemma odd_sum_member :
  forall x hubs, NoDup hubs -> odd_sum (fun h => h =? x) hubs = existsb (Nat.eqb x) hubs.
Proof.
  induction 1 as [|h hubs Out N IH]; simpl; auto. rewrite IH, Nat.eqb_sym.
  destruct (Nat.eqb_spec x h) as [->|_]; simpl; [|now destruct (existsb (Nat.eqb x) hubs)].
  enough (existsb (Nat.eqb h) hubs = false) as -> by reflexivity.
  apply not_true_is_false. intros E. apply existsb_exists in E. destruct E as [g [I E]].
  apply Nat.eqb_eq in E. subst g. contradiction.
Qed.

Theorem border_parity :
  forall hubs w, NoDup hubs ->
  odd_crossings (fun h => existsb (Nat.eqb h) hubs) w = odd_sum (fun h => odd_at h w) hubs.
Proof.
  intros hubs w N. induction w as [|[c [x y]] w IH]; simpl.
  - clear N. induction hubs as [|h hubs IH]; simpl; auto. now rewrite <- IH.
  - now rewrite IH, !odd_sum_xor, !odd_sum_member.
Qed.

End Trails.

(** ** Ends of several trails *)

Section Ends.

Variable A : Type.

Definition trail : Type := hub * list (step A).

Definition all_walked (ts : list trail) := flat_map (fun t => walked A (fst t) (snd t)) ts.
Definition all_visited (ts : list trail) := flat_map (fun t => visited A (fst t) (snd t)) ts.

(** The number of hubs below [m] with a property. *)
Definition count (m : nat) (f : hub -> bool) : nat := length (filter f (seq 0 m)).

Lemma count_toggle :
  forall m f x, x < m ->
  count m (fun v => xorb (f v) (v =? x)) + (if f x then 1 else 0)
  = count m f + (if f x then 0 else 1).
Proof.
  intros m f x L. unfold count.
  assert (I : In x (seq 0 m)) by (apply in_seq; lia).
  pose proof (seq_NoDup m 0) as N. revert N I.
  generalize (seq 0 m). clear. intros l N I.
  assert (Same : forall l', ~ In x l' -> filter (fun v => xorb (f v) (v =? x)) l' = filter f l').
  { induction l' as [|v l' IH]; simpl; auto. intros O.
    destruct (Nat.eqb_spec v x) as [E|E]; [exfalso; apply O; auto|].
    rewrite xorb_false_r, IH by tauto. reflexivity. }
  induction N as [|v l Out N IH]; [destruct I|].
  simpl. destruct (Nat.eqb_spec v x) as [E|E].
  - subst v. rewrite Same by auto. destruct (f x); simpl; lia.
  - destruct I as [I|I]; [contradiction|]. specialize (IH I). rewrite xorb_false_r.
    destruct (f v); simpl; lia.
Qed.

Lemma count_ext : forall m f g, (forall v, f v = g v) -> count m f = count m g.
Proof.
  intros m f g E. unfold count. f_equal. apply filter_ext. auto.
Qed.

Lemma count_one : forall m x, x < m -> count m (fun v => v =? x) = 1.
Proof.
  intros m x L. pose proof (count_toggle m (fun _ => false) x L) as T. cbv beta iota in T.
  rewrite (count_ext m (fun v => v =? x) (fun v => xorb false (v =? x)))
    by (intros v; now rewrite xorb_false_l).
  assert (Z : count m (fun _ => false) = 0).
  { unfold count. induction (seq 0 m); auto. }
  rewrite Z in T. lia.
Qed.

(** Each set of hubs that no walked card leaves has an end, if it has a visited hub: an odd one, or
    one of [closed], where two ends are. *)
Definition ended (ts : list trail) (odd : hub -> bool) (closed : list hub) : Prop :=
  forall S, no_crossing A S (all_walked ts) ->
  forall v, In v (all_visited ts) -> S v = true ->
  exists h, S h = true /\ In h (all_visited ts) /\ (odd h = true \/ In h closed).

Definition below (m : nat) (ts : list trail) : Prop := Forall (fun h => h < m) (all_visited ts).

(** One more trail, with the ends [x] and [y], adds two ends or none. *)
Lemma one_more :
  forall m ts x l odd closed most,
  below m ((x, l) :: ts) ->
  incl closed (all_visited ts) -> ended ts odd closed ->
  count m odd + 2 * length closed <= most ->
  exists closed',
    incl closed' (all_visited ((x, l) :: ts))
    /\ ended ((x, l) :: ts)
         (fun v => xorb (xorb (odd v) (v =? x)) (v =? last_hub A x l)) closed'
    /\ count m (fun v => xorb (xorb (odd v) (v =? x)) (v =? last_hub A x l)) + 2 * length closed'
       <= most + 2.
Proof.
  intros m ts x l odd closed most B I E C.
  set (y := last_hub A x l). set (odd' := fun v => xorb (xorb (odd v) (v =? x)) (v =? y)).
  assert (Vx : In x (all_visited ((x, l) :: ts))) by (simpl; auto).
  assert (Vy : In y (all_visited ((x, l) :: ts))).
  { unfold all_visited. simpl. apply (in_or_app (visited A x l)). left. apply last_visited. }
  unfold below in B. rewrite Forall_forall in B.
  pose proof (count_toggle m odd x (B x Vx)) as Tx.
  pose proof (count_toggle m (fun v => xorb (odd v) (v =? x)) y (B y Vy)) as Ty.
  cbv beta in Ty. fold odd' in Ty.
  set (both := (x =? y) || (odd x && odd y)).
  exists (if both then x :: closed else closed).
  split; [|split].
  - assert (J : incl closed (all_visited ((x, l) :: ts))).
    { intros h H. unfold all_visited. simpl. right. apply in_or_app. right. auto. }
    destruct both; auto. intros h [<-|H]; auto.
  - intros S N v V Sv. unfold all_walked in N. simpl in N. apply no_crossing_app in N.
    destruct N as [Nl N]. pose proof (one_side A l x S Nl) as Side.
    destruct (S x) eqn:Sx.
    + destruct both eqn:Bo; [exists x; simpl; auto|].
      unfold both in Bo. apply orb_false_iff in Bo. destruct Bo as [D O].
      apply Nat.eqb_neq in D. apply andb_false_iff in O.
      assert (Sy : S y = true) by (apply Side, last_visited).
      destruct O as [O|O]; [exists x|exists y]; repeat split; auto; left; unfold odd'.
      * rewrite O, Nat.eqb_refl. destruct (Nat.eqb_spec x y); [contradiction|reflexivity].
      * rewrite O, Nat.eqb_refl. destruct (Nat.eqb_spec y x); [congruence|reflexivity].
    + unfold all_visited in V. simpl in V.
      assert (V' : In v (all_visited ts)).
      { change (In v (visited A x l ++ all_visited ts)) in V.
        apply in_app_or in V. destruct V as [V|V]; auto. rewrite (Side v V) in Sv. discriminate. }
      destruct (E S N v V' Sv) as [h [Sh [Vh Or]]].
      exists h. split; auto. split.
      { unfold all_visited. simpl. right. apply in_or_app. auto. }
      destruct Or as [O|O]; [left|right].
      * unfold odd'. rewrite O.
        destruct (Nat.eqb_spec h x) as [->|_]; [congruence|].
        destruct (Nat.eqb_spec h y) as [->|_]; [|reflexivity].
        assert (S y = false) by (apply Side, last_visited). congruence.
      * destruct both; simpl; auto.
  - fold odd'. unfold both. set (after := count m odd') in *. clearbody after. clear -C Tx Ty.
    destruct (Nat.eqb_spec x y) as [D|D]; simpl in *.
    + rewrite <- D, Nat.eqb_refl in Ty. simpl. destruct (odd x); simpl in *; lia.
    + assert (Q : (y =? x) = false) by (apply Nat.eqb_neq; auto). rewrite Q in Ty.
      destruct (odd x), (odd y); simpl in *; lia.
Qed.

Lemma odd_at_all :
  forall x l ts v,
  odd_at A v (all_walked ((x, l) :: ts))
  = xorb (xorb (odd_at A v (all_walked ts)) (v =? x)) (v =? last_hub A x l).
Proof.
  intros x l ts v. unfold all_walked. simpl. rewrite odd_at_app, parity.
  destruct (v =? x), (v =? last_hub A x l),
    (odd_at A v (flat_map (fun t => walked A (fst t) (snd t)) ts)); reflexivity.
Qed.

Lemma ended_ext :
  forall ts f g closed, (forall v, f v = g v) -> ended ts f closed -> ended ts g closed.
Proof.
  intros ts f g closed E H S N v V Sv. destruct (H S N v V Sv) as [h [Sh [Vh Or]]].
  exists h. rewrite <- E. auto.
Qed.

(** [r] trails have at most [2 r] ends: one at each odd hub, and two at some hub of each component
    without odd hubs. *)
Theorem ends :
  forall m ts, below m ts ->
  exists closed,
    incl closed (all_visited ts)
    /\ ended ts (fun v => odd_at A v (all_walked ts)) closed
    /\ count m (fun v => odd_at A v (all_walked ts)) + 2 * length closed <= 2 * length ts.
Proof.
  intros m ts. induction ts as [|[x l] ts IH]; intros B.
  - exists []. split; [intros h []|]. split; [intros S N v []|].
    assert (Z : forall hubs, filter (fun _ : hub => false) hubs = []) by (induction hubs; auto).
    unfold count. simpl. rewrite Z. auto.
  - assert (B' : below m ts).
    { unfold below in *. rewrite Forall_forall in *. intros h H. apply B.
      unfold all_visited. simpl. right. apply in_or_app. auto. }
    destruct (IH B') as [closed [I [E C]]].
    destruct (one_more m ts x l _ closed _ B I E C) as [closed' [I' [E' C']]].
    exists closed'. split; auto. split.
    + eapply ended_ext; [|exact E']. intros v. now rewrite odd_at_all.
    + erewrite count_ext; [|intros v; apply odd_at_all]. simpl in *. lia.
Qed.

(** With a pile, one more walked card leads to the first hub [x] of the first trail, and only one
    end of that trail is left: there are at most [2 r - 1] ends. *)
Theorem ends_after_pile :
  forall m x l ts, below m ((x, l) :: ts) ->
  let odd v := xorb (v =? x) (odd_at A v (all_walked ((x, l) :: ts))) in
  exists closed,
    incl closed (all_visited ((x, l) :: ts))
    /\ ended ((x, l) :: ts) odd closed
    /\ count m odd + 2 * length closed <= 2 * length ((x, l) :: ts) - 1.
Proof.
  intros m x l ts. simpl length. induction ts as [|[x' l'] ts IH]; intros B odd.
  - exists []. split; [intros h []|].
    assert (O : forall v, odd v = (v =? last_hub A x l)).
    { intros v. unfold odd. rewrite odd_at_all. simpl. unfold all_walked. simpl.
      destruct (v =? x), (v =? last_hub A x l); reflexivity. }
    split.
    + intros S N v V Sv. unfold all_walked in N. simpl in N. rewrite app_nil_r in N.
      unfold all_visited in V. simpl in V. rewrite app_nil_r in V.
      pose proof (one_side A l x S N v V) as Side.
      exists (last_hub A x l). split; [|split].
      * rewrite <- Sv, Side. apply (one_side A l x S N), last_visited.
      * unfold all_visited. simpl. rewrite app_nil_r. apply last_visited.
      * left. rewrite O. apply Nat.eqb_refl.
    + simpl. rewrite (count_ext m odd (fun v => v =? last_hub A x l) O).
      assert (L : last_hub A x l < m).
      { unfold below in B. rewrite Forall_forall in B. apply B. unfold all_visited. simpl.
        rewrite app_nil_r. apply last_visited. }
      rewrite count_one by exact L. lia.
  - assert (Sub : forall h, In h (all_visited ((x, l) :: ts)) ->
      In h (all_visited ((x, l) :: (x', l') :: ts))).
    { intros h H. unfold all_visited in *. simpl in *. rewrite in_app_iff in *. simpl.
      rewrite in_app_iff. tauto. }
    assert (B1 : below m ((x, l) :: ts)).
    { unfold below in *. rewrite Forall_forall in *. auto. }
    destruct (IH B1) as [closed [I [E C]]].
    assert (B2 : below m ((x', l') :: (x, l) :: ts)).
    { unfold below in *. rewrite Forall_forall in *. intros h H. apply B.
      unfold all_visited in *. simpl in *. rewrite in_app_iff in *. simpl in *.
      rewrite in_app_iff in *. tauto. }
    destruct (one_more m ((x, l) :: ts) x' l' _ closed _ B2 I E C) as [closed' [I' [E' C']]].
    assert (Same : forall h, In h (all_visited ((x', l') :: (x, l) :: ts))
      <-> In h (all_visited ((x, l) :: (x', l') :: ts))).
    { intros h. unfold all_visited. simpl. rewrite !in_app_iff. simpl. rewrite !in_app_iff.
      tauto. }
    assert (O : forall v, xorb (xorb (xorb (v =? x) (odd_at A v (all_walked ((x, l) :: ts))))
        (v =? x')) (v =? last_hub A x' l') = odd v).
    { intros v. unfold odd. rewrite !odd_at_all.
      destruct (v =? x), (v =? x'), (v =? last_hub A x' l'), (v =? last_hub A x l),
        (odd_at A v (all_walked ts)); reflexivity. }
    exists closed'. split; [|split].
    + intros h H. apply Same, I', H.
    + intros S N v V Sv.
      destruct (E' S) with (v := v) as [h [Sh [Vh Or]]]; auto.
      * intros c g g' H. apply (N c). unfold all_walked in *. simpl in *.
        rewrite !in_app_iff in *. tauto.
      * apply Same, V.
      * exists h. rewrite <- O. split; auto. split; auto. apply Same, Vh.
    + rewrite <- (count_ext m _ _ O). eapply Nat.le_trans; [exact C'|]. simpl. lia.
Qed.

End Ends.
