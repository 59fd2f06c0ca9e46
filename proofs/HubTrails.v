(** The hub-trail theorem: cards are played in [r] sequences if and only if two hubs of each card
    can be chosen, so that the multigraph on hubs whose edges are the cards has at most [2 r]
    ends.

    An end is an odd hub; a connected part without odd hubs has two ends at one of its hubs, which
    is listed in [closed].  That each connected part has an end is said without paths: each set of
    hubs that no edge leaves has one, if it has a hub of an edge. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Converse.
Import ListNotations.

Section HubTrails.

Variable A : Type.
Variable at_ : A -> list hub.

Definition on_own_hubs (e : edge A) : Prop :=
  In (fst (snd e)) (at_ (fst e)) /\ In (snd (snd e)) (at_ (fst e)).

(** A choice of two hubs for each card, with at most [2 r] ends. *)
Definition trails_for (r : nat) (cards : list A) (choice : list (edge A)) (closed : list hub) :=
  Permutation (map fst choice) cards
  /\ Forall on_own_hubs choice
  /\ dominated A choice closed
  /\ exists m, Forall (fun h => h < m) (edge_hubs A choice)
       /\ count m (fun v => odd_at A v choice) + 2 * length closed <= 2 * r.

(** ** From trails to sequences *)

Lemma path_chain :
  forall l x, path A x l -> Forall on_own_hubs (edges A l) ->
  chain (shares A at_) (map fst (edges A l)).
Proof.
  induction l as [|[[c [a b]] y] l IH]; intros x P O; [exact I|].
  destruct P as [J P]. inversion O as [|? ? Oc O']; subst.
  specialize (IH y P O').
  destruct l as [|[[d [a' b']] z] l]; [exact I|].
  split; [|exact IH].
  destruct P as [J' _]. inversion O' as [|? ? Od _]; subst.
  unfold on_own_hubs, joins in *. simpl in *.
  apply shares_hub. exists y. split.
  - destruct J as [J|J]; inversion J; subst; tauto.
  - destruct J' as [J'|J']; inversion J'; subst; tauto.
Qed.

Theorem trails_give_sequences :
  forall r cards choice closed,
  trails_for r cards choice closed -> covered_by (shares A at_) r cards.
Proof.
  intros r cards choice closed [P [O [D [m [B C]]]]].
  destruct (few_walks A m choice closed r B D C) as [ts [G [Q L]]].
  exists (map (fun t => map fst (edges A (snd t))) ts).
  rewrite map_length. split; auto. split.
  - apply Forall_forall. intros s I. apply in_map_iff in I. destruct I as [t [<- T]].
    rewrite Forall_forall in G. destruct (G t T) as [Pt _].
    apply (path_chain _ _ Pt). apply Forall_forall. intros e E. rewrite Forall_forall in O.
    apply O. eapply Permutation_in; [exact Q|]. apply in_flat_map. eauto.
  - eapply Permutation_trans; [|exact P].
    eapply Permutation_trans; [|apply Permutation_map; exact Q].
    unfold all_edges. rewrite flat_map_concat_map, concat_map, map_map. apply Permutation_refl.
Qed.

(** ** From sequences to trails *)

(** All steps of a trail as edges, also those that stay at a hub. *)
Fixpoint all_steps (x : hub) (l : list (step A)) : list (edge A) :=
  match l with
  | [] => []
  | (c, y) :: rest => (c, (x, y)) :: all_steps y rest
  end.

Lemma steps_odd : forall l x v, odd_at A v (all_steps x l) = odd_at A v (walked A x l).
Proof.
  induction l as [|[c y] l IH]; intros x v; simpl; auto. rewrite IH.
  destruct (Nat.eqb_spec x y) as [<-|_]; auto. now rewrite xorb_nilpotent, xorb_false_l.
Qed.

Lemma steps_crossing :
  forall S l x, no_crossing A S (all_steps x l) -> no_crossing A S (walked A x l).
Proof.
  intros S l x N c g h I. apply (N c). clear N. revert x I.
  induction l as [|[d y] l IH]; intros x I; [destruct I|]. simpl in *.
  destruct (x =? y); auto. destruct I; auto.
Qed.

Lemma steps_cards : forall l x, map fst (all_steps x l) = map fst l.
Proof. induction l as [|[c y] l IH]; intros x; simpl; auto. now rewrite IH. Qed.

Lemma steps_own : forall l x, valid A at_ x l -> Forall on_own_hubs (all_steps x l).
Proof.
  induction l as [|[c y] l IH]; intros x V; simpl; constructor; destruct V as [X [Y V]]; auto.
  split; auto.
Qed.

Lemma steps_visited :
  forall l x h, In h (edge_hubs A (all_steps x l)) -> In h (visited A x l).
Proof.
  induction l as [|[c y] l IH]; intros x h I; [destruct I|].
  unfold edge_hubs in *. simpl in *. destruct I as [<-|[<-|I]]; auto.
Qed.

Definition steps_of (ts : list (trail A)) : list (edge A) :=
  flat_map (fun t => all_steps (fst t) (snd t)) ts.

Lemma trails_of :
  forall ss, Forall (chain (shares A at_)) ss ->
  (forall c, In c (concat ss) -> at_ c <> []) ->
  exists ts : list (trail A),
    length ts <= length ss
    /\ Forall (fun t => valid A at_ (fst t) (snd t)) ts
    /\ Forall (fun t => snd t <> []) ts
    /\ map fst (steps_of ts) = concat ss.
Proof.
  induction ss as [|s ss IH]; intros C N.
  - exists []. auto.
  - inversion C as [|? ? Cs C']; subst.
    destruct (IH C') as [ts [L [V [Ne E]]]].
    { intros c I. apply N. simpl. apply in_or_app. auto. }
    destruct s as [|c s].
    + exists ts. simpl. auto.
    + destruct (at_ c) as [|h hs] eqn:H.
      { exfalso. apply (N c); simpl; auto. }
      destruct (played_trail A at_ s c h Cs) as [l [Lc Vl]]; [rewrite H; simpl; auto|].
      exists ((h, l) :: ts). split; [simpl; lia|]. split; [constructor; auto|].
      split; [constructor; auto; simpl; intros N'; rewrite N' in Lc; discriminate|].
      change (steps_of ((h, l) :: ts)) with (all_steps h l ++ steps_of ts).
      rewrite map_app, steps_cards, Lc. exact (f_equal (app (c :: s)) E).
Qed.

(** The steps of trails are a choice of two hubs for each of their cards. *)
Theorem choice_of_trails :
  forall r (ts : list (trail A)), length ts <= r ->
  Forall (fun t => valid A at_ (fst t) (snd t)) ts ->
  exists closed, trails_for r (map fst (steps_of ts)) (steps_of ts) closed.
Proof.
  intros r ts L V.
  set (m := S (list_max (all_visited A ts))).
  assert (B : below A m ts).
  { unfold below, m. apply Forall_forall. intros h I.
    pose proof (proj1 (list_max_le (all_visited A ts) _) (le_n _)) as F.
    rewrite Forall_forall in F. specialize (F h I). lia. }
  destruct (ends A m ts B) as [closed [Ic [Ec Cc]]].
  assert (Odd : forall v, odd_at A v (steps_of ts) = odd_at A v (all_walked A ts)).
  { intros v. unfold steps_of, all_walked. clear. induction ts as [|t ts IH]; simpl; auto.
    now rewrite !odd_at_app, IH, steps_odd. }
  assert (Seen : forall h, In h (edge_hubs A (steps_of ts)) -> In h (all_visited A ts)).
  { intros h I. unfold edge_hubs, steps_of, all_visited in *. apply in_flat_map in I.
    destruct I as [e [I J]]. apply in_flat_map in I. destruct I as [t [T I]].
    apply in_flat_map. exists t. split; auto. apply steps_visited.
    apply in_flat_map. eauto. }
  exists closed. split; [apply Permutation_refl|]. split; [|split].
  - unfold steps_of. clear -V. induction V; simpl; [constructor|].
    apply Forall_app. split; auto. now apply steps_own.
  - intros S No v I Sv. destruct (Ec S) with (v := v) as [h [Sh [_ Or]]]; auto.
    + intros c x y W. unfold all_walked in W. apply in_flat_map in W. destruct W as [t [T W]].
      apply (steps_crossing S (snd t) (fst t)) with (c := c); auto.
      intros c' x' y' W'. apply (No c'). apply in_flat_map. eauto.
    + exists h. rewrite Odd. auto.
  - exists m. split.
    + apply Forall_forall. intros h I. unfold below in B. rewrite Forall_forall in B. auto.
    + erewrite count_ext; [|exact Odd]. lia.
Qed.

Theorem sequences_give_trails :
  forall r cards, (forall c, In c cards -> at_ c <> []) ->
  covered_by (shares A at_) r cards -> exists choice closed, trails_for r cards choice closed.
Proof.
  intros r cards N [ss [R [C P]]].
  destruct (trails_of ss C) as [ts [L [V [_ E]]]].
  { intros c I. apply N. eapply Permutation_in; eauto. }
  destruct (choice_of_trails r ts ltac:(lia) V) as [closed [_ T]].
  exists (steps_of ts), closed. split; [now rewrite E|exact T].
Qed.

Theorem hub_trails :
  forall r cards, (forall c, In c cards -> at_ c <> []) ->
  (covered_by (shares A at_) r cards <-> exists choice closed, trails_for r cards choice closed).
Proof.
  intros r cards N. split; [now apply sequences_give_trails|].
  intros [choice [closed T]]. now apply trails_give_sequences with choice closed.
Qed.

End HubTrails.
