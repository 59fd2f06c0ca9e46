(** The converse, and with it the hub-trail theorem: a choice of two hubs for each card, with few
    ends, gives sequences.

    The cards are the edges of a multigraph on hubs.  Take its edges apart into as few trails as
    possible (Euler's theorem, for any number of odd nodes): no two open trails have an end in
    common, for they would be one; no closed trail has a hub in common with another trail, for it
    could be inserted there.  So the ends of open trails are the odd hubs, each once, and each
    closed trail is on a set of hubs of its own that has no odd one. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails.
Import ListNotations.

Section Converse.

Variable A : Type.

(** An edge is a card with its two hubs, which may be equal. *)
Definition edge : Type := A * (hub * hub).

Definition joins (e : edge) (x y : hub) : Prop := snd e = (x, y) \/ snd e = (y, x).

Fixpoint path (x : hub) (l : list (edge * hub)) : Prop :=
  match l with
  | [] => True
  | (e, y) :: rest => joins e x y /\ path y rest
  end.

Definition edges (l : list (edge * hub)) : list edge := map fst l.
Definition target : hub -> list (edge * hub) -> hub := last_hub edge.
Definition hubs_of : hub -> list (edge * hub) -> list hub := visited edge.

(** ** Paths are joined, reversed, and split *)

Lemma path_app :
  forall l1 l2 x, path x (l1 ++ l2) <-> path x l1 /\ path (target x l1) l2.
Proof.
  induction l1 as [|[e y] l1 IH]; intros l2 x; simpl; [tauto|].
  rewrite IH. unfold target. simpl. tauto.
Qed.

Lemma target_app : forall l1 l2 x, target x (l1 ++ l2) = target (target x l1) l2.
Proof. induction l1 as [|[e y] l1 IH]; intros l2 x; [reflexivity|]. exact (IH l2 y). Qed.

Lemma path_reverse :
  forall l x, path x l ->
  exists l', path (target x l) l' /\ target (target x l) l' = x /\ Permutation (edges l') (edges l).
Proof.
  induction l as [|[e y] l IH]; intros x P.
  - exists []. simpl. auto.
  - destruct P as [J P]. destruct (IH y P) as [l' [P' [T' E']]].
    change (target x ((e, y) :: l)) with (target y l).
    exists (l' ++ [(e, x)]). rewrite path_app, target_app, T'. repeat split; auto.
    + destruct J; [right|left]; auto.
    + unfold edges. rewrite map_app. simpl.
      eapply Permutation_trans; [apply Permutation_app_comm|]. simpl. auto.
Qed.

Lemma path_split :
  forall l x v, In v (hubs_of x l) -> exists l1 l2, l = l1 ++ l2 /\ target x l1 = v.
Proof.
  induction l as [|[e y] l IH]; intros x v I.
  - destruct I as [<-|[]]. exists [], []. auto.
  - destruct I as [<-|I].
    + exists [], ((e, y) :: l). auto.
    + destruct (IH y v I) as [l1 [l2 [E T]]]. exists ((e, y) :: l1), l2. subst l. auto.
Qed.

Lemma edges_app : forall a b, edges (a ++ b) = edges a ++ edges b.
Proof. intros. unfold edges. apply map_app. Qed.

(** A closed path that meets another one is inserted into it. *)
Lemma insert_closed :
  forall x l z n v, path x l -> target x l = x -> path z n ->
  In v (hubs_of x l) -> In v (hubs_of z n) ->
  exists l', path z l' /\ target z l' = target z n /\ Permutation (edges l') (edges l ++ edges n).
Proof.
  intros x l z n v P T Q I J.
  destruct (path_split l x v I) as [l1 [l2 [-> T1]]].
  destruct (path_split n z v J) as [n1 [n2 [-> U1]]].
  apply path_app in P. destruct P as [P1 P2]. rewrite T1 in P2.
  apply path_app in Q. destruct Q as [Q1 Q2]. rewrite U1 in Q2.
  rewrite target_app, T1 in T.
  exists (n1 ++ (l2 ++ l1) ++ n2). rewrite !path_app, !target_app, U1, T, T1.
  repeat split; auto. rewrite !edges_app.
  eapply Permutation_trans; [apply Permutation_app_swap_app|].
  apply Permutation_app_tail, Permutation_app_comm.
Qed.

(** ** Trails that cannot be joined *)

Definition walk : Type := hub * list (edge * hub).

Definition is_closed (t : walk) : bool := target (fst t) (snd t) =? fst t.
Definition ends_of (t : walk) : list hub := [fst t; target (fst t) (snd t)].
Definition on (t : walk) : list hub := hubs_of (fst t) (snd t).

Lemma member : forall h l, existsb (Nat.eqb h) l = true <-> In h l.
Proof.
  intros h l. rewrite existsb_exists. split.
  - intros [g [I E]]. apply Nat.eqb_eq in E. now subst.
  - intros I. exists h. split; auto. apply Nat.eqb_refl.
Qed.

Definition meet (a b : list hub) : bool := existsb (fun h => existsb (Nat.eqb h) b) a.

Lemma meet_spec : forall a b, meet a b = true <-> exists h, In h a /\ In h b.
Proof.
  intros a b. unfold meet. rewrite existsb_exists. split.
  - intros [h [I E]]. apply existsb_exists in E. destruct E as [g [J E]].
    apply Nat.eqb_eq in E. subst g. eauto.
  - intros [h [I J]]. exists h. split; auto. apply existsb_exists. exists h. split; auto.
    apply Nat.eqb_refl.
Qed.

(** Two trails can be joined: one is closed and they meet, or they have an end in common. *)
Definition joinable (s t : walk) : bool :=
  if is_closed s || is_closed t then meet (on s) (on t) else meet (ends_of s) (ends_of t).

Definition good (t : walk) : Prop := path (fst t) (snd t) /\ snd t <> [].

Lemma joined :
  forall s t, good s -> good t -> joinable s t = true ->
  exists u, good u /\ Permutation (edges (snd u)) (edges (snd s) ++ edges (snd t)).
Proof.
  intros [x l] [z n] [P L] [Q _] J.
  unfold joinable, is_closed, good, on, ends_of in *. cbn [fst snd] in *.
  assert (More : forall x' l', path x' l' -> Permutation (edges l') (edges l ++ edges n) ->
    exists u, (path (fst u) (snd u) /\ snd u <> []) /\
      Permutation (edges (snd u)) (edges l ++ edges n)).
  { intros x' l' P' E. exists (x', l'). simpl. repeat split; auto. intros ->.
    apply Permutation_nil in E. destruct l; [congruence|discriminate]. }
  destruct (Nat.eqb_spec (target x l) x) as [C|C]; cbn [orb] in J.
  { apply meet_spec in J. destruct J as [v [I J]].
    destruct (insert_closed x l z n v P C Q I J) as [l' [P' [_ E]]]. exact (More z l' P' E). }
  destruct (Nat.eqb_spec (target z n) z) as [D|D]; cbn [orb] in J.
  { apply meet_spec in J. destruct J as [v [I J]].
    destruct (insert_closed z n x l v Q D P J I) as [l' [P' [_ E]]].
    apply (More x l' P'). eapply Permutation_trans; [exact E|]. apply Permutation_app_comm. }
  apply meet_spec in J. destruct J as [v [I J]].
  assert (Into : exists x' l', path x' l' /\ target x' l' = v
    /\ Permutation (edges l') (edges l)).
  { destruct (path_reverse l x P) as [l' [P' [T' E']]].
    destruct I as [<-|[<-|[]]]; [exists (target x l), l'|exists x, l]; auto. }
  assert (From : exists n', path v n' /\ Permutation (edges n') (edges n)).
  { destruct (path_reverse n z Q) as [n' [Q' [U' F']]].
    destruct J as [<-|[<-|[]]]; eauto. }
  destruct Into as [x' [l' [P' [T' E']]]]. destruct From as [n' [Q' F']].
  apply (More x' (l' ++ n')).
  - apply path_app. rewrite T'. auto.
  - rewrite edges_app. apply Permutation_app; auto.
Qed.

(** Any edges are taken apart into trails no two of which can be joined. *)
Definition apart (ts : list walk) : Prop := ForallOrdPairs (fun s t => joinable s t = false) ts.

Definition all_edges (ts : list walk) : list edge := flat_map (fun t => edges (snd t)) ts.

Lemma apart_or_joinable :
  forall ts, apart ts
  \/ exists s t rest, Permutation ts (s :: t :: rest) /\ joinable s t = true.
Proof.
  induction ts as [|s ts [IH|[a [b [rest [P J]]]]]].
  - left. constructor.
  - destruct (existsb (joinable s) ts) eqn:E.
    + right. apply existsb_exists in E. destruct E as [t [I J]].
      destruct (in_split _ _ I) as [l1 [l2 ->]]. exists s, t, (l1 ++ l2). split; auto.
      apply perm_skip, Permutation_sym, Permutation_middle.
    + left. constructor; auto. apply Forall_forall. intros t I.
      destruct (joinable s t) eqn:J; auto.
      assert (existsb (joinable s) ts = true) by (apply existsb_exists; eauto). congruence.
  - right. exists a, b, (s :: rest). split; auto.
    eapply Permutation_trans; [apply perm_skip; exact P|].
    eapply Permutation_trans; [apply perm_swap|]. apply perm_skip, perm_swap.
Qed.

Lemma all_edges_permutation :
  forall ss ts, Permutation ss ts -> Permutation (all_edges ss) (all_edges ts).
Proof.
  intros ss ts P. unfold all_edges. rewrite !flat_map_concat_map.
  induction P; simpl; auto.
  - now apply Permutation_app_head.
  - rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
  - eauto using Permutation_trans.
Qed.

Lemma take_apart :
  forall es : list edge, exists ts,
  Forall good ts /\ Permutation (all_edges ts) es /\ apart ts.
Proof.
  intros es.
  assert (Start : exists ts, Forall good ts /\ Permutation (all_edges ts) es).
  { exists (map (fun e => (fst (snd e), [(e, snd (snd e))])) es). split.
    - apply Forall_forall. intros t I. apply in_map_iff in I. destruct I as [[c [x y]] [<- _]].
      unfold good. simpl. repeat split; [left; auto|discriminate].
    - unfold all_edges. induction es as [|e es IH]; simpl; auto. }
  destruct Start as [ts [G P]]. revert G P. remember (length ts) as n eqn:N. revert ts N.
  induction n as [|n IH]; intros ts N G P.
  - destruct ts; [|discriminate]. exists []. repeat split; auto. constructor.
  - destruct (apart_or_joinable ts) as [Ap|[s [t [rest [Q J]]]]]; [eauto|].
    assert (G' : Forall good (s :: t :: rest)).
    { rewrite Forall_forall in *. intros u U. apply G.
      eapply Permutation_in; [apply Permutation_sym; exact Q|exact U]. }
    inversion G' as [|? ? Gs Gr]; subst. inversion Gr as [|? ? Gt Grest]; subst.
    destruct (joined s t Gs Gt J) as [u [Gu E]].
    apply (IH (u :: rest)); auto.
    + apply Permutation_length in Q. simpl in *. lia.
    + eapply Permutation_trans; [|exact P].
      eapply Permutation_trans; [|apply Permutation_sym, all_edges_permutation; exact Q].
      unfold all_edges. simpl. rewrite app_assoc. apply Permutation_app_tail. exact E.
Qed.

(** ** Counting the trails *)

Lemma odd_at_permutation :
  forall v es fs, Permutation es fs -> odd_at A v es = odd_at A v fs.
Proof.
  intros v es fs P.
  induction P as [|[c [x y]] es fs P IH|[c [x y]] [d [z w]] es|es fs gs P IH Q IH'];
    simpl; auto; try congruence.
  destruct (v =? x), (v =? y), (v =? z), (v =? w), (odd_at A v es); reflexivity.
Qed.

Lemma odd_of_path :
  forall l x v, path x l -> odd_at A v (edges l) = xorb (v =? x) (v =? target x l).
Proof.
  induction l as [|[[c [a b]] y] l IH]; intros x v P; simpl.
  - unfold target. simpl. now rewrite xorb_nilpotent.
  - destruct P as [J P]. rewrite (IH y v P).
    change (target x ((c, (a, b), y) :: l)) with (target y l).
    unfold joins in J. simpl in J. destruct J as [J|J]; inversion J; subst;
      destruct (v =? x), (v =? y), (v =? target y l); reflexivity.
Qed.

Definition open_ends (ts : list walk) : list hub :=
  flat_map (fun t => if is_closed t then [] else ends_of t) ts.

Lemma odd_is_open_end :
  forall ts v, Forall good ts -> NoDup (open_ends ts) ->
  odd_at A v (all_edges ts) = existsb (Nat.eqb v) (open_ends ts).
Proof.
  induction ts as [|[x l] ts IH]; intros v G N; auto.
  inversion G as [|? ? [P _] G']; subst. cbn [fst snd] in P.
  change (all_edges ((x, l) :: ts)) with (edges l ++ all_edges ts).
  change (open_ends ((x, l) :: ts))
    with ((if target x l =? x then [] else [x; target x l]) ++ open_ends ts) in *.
  rewrite odd_at_app, (odd_of_path l x v P).
  destruct (Nat.eqb_spec (target x l) x) as [C|C].
  - rewrite C, xorb_nilpotent, xorb_false_l. apply IH; auto.
  - simpl in N. inversion N as [|? ? X N']; subst. inversion N' as [|? ? Y N'']; subst.
    rewrite (IH v G' N''). simpl.
    destruct (v =? x) eqn:Vx, (v =? target x l) eqn:Vy,
      (existsb (Nat.eqb v) (open_ends ts)) eqn:Vr; auto; exfalso;
      try (apply Nat.eqb_eq in Vx; subst v); try (apply Nat.eqb_eq in Vy; subst);
      try (apply member in Vr); simpl in *; tauto || congruence.
Qed.

Lemma open_ends_once : forall ts, apart ts -> NoDup (open_ends ts).
Proof.
  induction 1 as [|t ts Ap _ IH]; [constructor|].
  change (open_ends (t :: ts)) with ((if is_closed t then [] else ends_of t) ++ open_ends ts).
  destruct (is_closed t) eqn:C; auto.
  assert (Out : forall h, In h (ends_of t) -> ~ In h (open_ends ts)).
  { intros h I J. unfold open_ends in J. apply in_flat_map in J. destruct J as [u [U J]].
    rewrite Forall_forall in Ap. specialize (Ap u U). unfold joinable in Ap. rewrite C in Ap.
    destruct (is_closed u) eqn:D; [destruct J|].
    assert (M : meet (ends_of t) (ends_of u) = true) by (apply meet_spec; eauto).
    cbn [orb] in Ap. congruence. }
  unfold is_closed in C. apply Nat.eqb_neq in C.
  simpl. constructor; [|constructor]; auto.
  - intros [E|I]; [congruence|]. apply (Out (fst t)); simpl; auto.
  - apply Out. simpl. auto.
Qed.

Definition closed_ones (ts : list walk) : list walk := filter is_closed ts.

Lemma number_of_walks :
  forall ts, 2 * length ts = length (open_ends ts) + 2 * length (closed_ones ts).
Proof.
  induction ts as [|t ts IH]; auto. unfold open_ends, closed_ones in *. simpl.
  destruct (is_closed t); simpl in *; lia.
Qed.

(** Lists without common hubs that all meet [closed] are no more than it has hubs. *)
Lemma disjoint_meet :
  forall (sets : list (list hub)) closed,
  ForallOrdPairs (fun a b => meet a b = false) sets ->
  Forall (fun a => meet a closed = true) sets ->
  length sets <= length closed.
Proof.
  induction sets as [|a sets IH]; intros closed D M; simpl; [lia|].
  inversion D as [|? ? Da D']; subst. inversion M as [|? ? Ma M']; subst.
  apply meet_spec in Ma. destruct Ma as [h [Ha Hc]].
  destruct (in_split _ _ Hc) as [c1 [c2 ->]].
  enough (length sets <= length (c1 ++ c2)) by (rewrite app_length in *; simpl; lia).
  apply IH; auto. rewrite Forall_forall in *. intros b B.
  specialize (M' b B). apply meet_spec in M'. destruct M' as [g [Gb Gc]].
  apply meet_spec. exists g. split; auto.
  apply in_app_or in Gc. apply in_or_app. destruct Gc as [|[<-|]]; auto.
  specialize (Da b B). assert (meet a b = true) by (apply meet_spec; eauto). congruence.
Qed.

Lemma path_hubs : forall l x e y, path x l -> In (e, y) l ->
  In (fst (snd e)) (hubs_of x l) /\ In (snd (snd e)) (hubs_of x l).
Proof.
  induction l as [|[f z] l IH]; intros x e y P I; [destruct I|].
  destruct P as [J P]. destruct I as [I|I].
  - inversion I; subst. unfold joins in J. destruct e as [c [a b]]. simpl in *.
    destruct J as [J|J]; inversion J; subst; unfold hubs_of, visited; simpl; auto.
  - destruct (IH z e y P I). unfold hubs_of, visited in *. simpl in *. tauto.
Qed.

Lemma ends_on : forall t h, In h (ends_of t) -> In h (on t).
Proof.
  intros [x l] h [<-|[<-|[]]]; unfold on, hubs_of; simpl; auto. apply last_visited.
Qed.

Definition edge_hubs (es : list edge) : list hub :=
  flat_map (fun e => [fst (snd e); snd (snd e)]) es.

Lemma hubs_on_edges :
  forall l x, path x l -> l <> [] -> forall h, In h (hubs_of x l) -> In h (edge_hubs (edges l)).
Proof.
  induction l as [|[[c [a b]] y] l IH]; intros x P N h H; [congruence|].
  destruct P as [J P]. unfold joins in J. simpl in J.
  assert (XY : In x [a; b] /\ In y [a; b]).
  { destruct J as [J|J]; inversion J; subst; simpl; auto. }
  unfold edge_hubs in *. simpl.
  destruct H as [<-|H].
  - destruct XY as [[<-|[<-|[]]] _]; auto.
  - destruct l as [|s l].
    + destruct H as [<-|[]]. destruct XY as [_ [<-|[<-|[]]]]; auto.
    + right. right. apply (IH y P ltac:(discriminate) h H).
Qed.

(** Each set of hubs that no edge leaves has an odd hub or one of [closed], if it has a hub. *)
Definition dominated (es : list edge) (closed : list hub) : Prop :=
  forall S, no_crossing A S es -> forall v, In v (edge_hubs es) -> S v = true ->
  exists h, S h = true /\ (odd_at A h es = true \/ In h closed).

Theorem few_walks :
  forall m es closed r,
  Forall (fun h => h < m) (edge_hubs es) ->
  dominated es closed ->
  count m (fun v => odd_at A v es) + 2 * length closed <= 2 * r ->
  exists ts, Forall good ts /\ Permutation (all_edges ts) es /\ length ts <= r.
Proof.
  intros m es closed r B D C.
  destruct (take_apart es) as [ts [G [P Ap]]]. exists ts. repeat split; auto.
  pose proof (open_ends_once ts Ap) as Once.
  assert (Odd : forall v, odd_at A v es = existsb (Nat.eqb v) (open_ends ts)).
  { intros v. rewrite <- (odd_at_permutation v _ _ P). now apply odd_is_open_end. }
  assert (OnEdges : forall t h, In t ts -> In h (on t) -> In h (edge_hubs es)).
  { intros t h T H. rewrite Forall_forall in G. destruct (G t T) as [Pt Nt].
    assert (E : In h (edge_hubs (edges (snd t)))) by (apply (hubs_on_edges _ (fst t)); auto).
    unfold edge_hubs in *. apply in_flat_map in E. destruct E as [e [I E]].
    apply in_flat_map. exists e. split; auto. eapply Permutation_in; [exact P|].
    apply in_flat_map. eauto. }
  assert (Ends : length (open_ends ts) <= count m (fun v => odd_at A v es)).
  { unfold count. apply NoDup_incl_length; auto. intros h H. apply filter_In. split.
    - apply in_seq. split; [lia|]. rewrite Forall_forall in B. apply B.
      unfold open_ends in H. apply in_flat_map in H. destruct H as [t [T H]].
      destruct (is_closed t); [destruct H|]. apply (OnEdges t); auto. now apply ends_on.
    - rewrite Odd. apply existsb_exists. exists h. split; auto. apply Nat.eqb_refl. }
  assert (Closed : length (map on (closed_ones ts)) <= length closed).
  { apply disjoint_meet.
    - clear -Ap. induction Ap as [|t ts F Ap IH]; [constructor|].
      unfold closed_ones in *. simpl. destruct (is_closed t) eqn:Ct; auto. simpl.
      constructor; auto. apply Forall_forall. intros b I. apply in_map_iff in I.
      destruct I as [u [<- I]]. apply filter_In in I. destruct I as [I Cu].
      rewrite Forall_forall in F. specialize (F u I). unfold joinable in F.
      now rewrite Ct in F.
    - apply Forall_forall. intros b I. apply in_map_iff in I. destruct I as [t [<- I]].
      apply filter_In in I. destruct I as [T Ct].
      assert (Alone : forall u h, In u ts -> In h (on t) -> In h (on u) -> u = t).
      { intros u h U Ht Hu.
        assert (M1 : meet (on t) (on u) = true) by (apply meet_spec; eauto).
        assert (M2 : meet (on u) (on t) = true) by (apply meet_spec; eauto).
        destruct (ForallOrdPairs_In Ap t u T U) as [E|[J|J]]; auto;
          unfold joinable in J; rewrite Ct in J; [|rewrite orb_true_r in J]; cbn [orb] in J;
          congruence. }
      destruct (D (fun h => existsb (Nat.eqb h) (on t))) with (v := fst t) as [h [Sh Or]].
      + intros c x y E. apply (Permutation_in _ (Permutation_sym P)) in E.
        apply in_flat_map in E. destruct E as [u [U E]].
        rewrite Forall_forall in G. destruct (G u U) as [Pu _].
        apply in_map_iff in E. destruct E as [[e z] [Ee E]]. simpl in Ee. subst e.
        destruct (path_hubs _ _ _ _ Pu E) as [X Y]. cbn [fst snd] in X, Y.
        destruct (existsb (Nat.eqb x) (on t)) eqn:Ex, (existsb (Nat.eqb y) (on t)) eqn:Ey; auto.
        * apply member in Ex. rewrite (Alone u x U Ex X) in Y.
          change (In y (on t)) in Y. apply member in Y. congruence.
        * apply member in Ey. rewrite (Alone u y U Ey Y) in X.
          change (In x (on t)) in X. apply member in X. congruence.
      + apply (OnEdges t); auto. unfold on, hubs_of, visited. simpl. auto.
      + apply member. unfold on, hubs_of, visited. simpl. auto.
      + apply member in Sh. apply meet_spec. exists h. split; auto.
        destruct Or as [O|]; auto. exfalso. rewrite Odd in O. apply member in O.
        unfold open_ends in O. apply in_flat_map in O. destruct O as [u [U O]].
        destruct (is_closed u) eqn:Cu; [destruct O|].
        rewrite (Alone u h U Sh (ends_on u h O)) in Cu. congruence. }
  rewrite map_length in Closed. pose proof (number_of_walks ts). lia.
Qed.

End Converse.
