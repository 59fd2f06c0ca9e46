(** Every play has the facts of trails with prices. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Counts Rows Played Checker Deck Plays Levels.
Import ListNotations.

(** ** Covered cards, and prices by cards *)

Section By_cards.

Variable at_ : nat -> list hub.
Variable price : hub -> nat.

Lemma covered_free :
  forall l x c, valid nat at_ x l -> free_stays price x l -> In c (map fst l) ->
  exists h, In h (at_ c) /\ In h (visited nat x l)
    /\ (price h = 0 \/ walked_in (walked nat x l) c h = true).
Proof.
  induction l as [|[d y] l IH]; intros x c V F I; [destruct I|].
  destruct V as [X [Y V]]. destruct F as [Same F]. destruct I as [E|I].
  - cbn [fst] in E. subst d. exists y. split; auto. split; [simpl; auto|].
    cbn [walked]. destruct (Nat.eqb_spec x y) as [E|_]; [left; auto|right].
    unfold walked_in. cbn [existsb fst snd]. now rewrite !Nat.eqb_refl, orb_true_r.
  - destruct (IH y c V F I) as [h [H [Vh Or]]]. exists h. split; auto. split.
    + cbn [visited map]. right. exact Vh.
    + destruct Or as [P|W]; auto. right. cbn [walked]. destruct (x =? y); auto.
      unfold walked_in in *. cbn [existsb]. rewrite W. apply orb_true_r.
Qed.

Lemma covered_trails :
  forall ts c, Forall (fun t => valid nat at_ (fst t) (snd t)) ts ->
  Forall (fun t => free_stays price (fst t) (snd t)) ts -> In c (steps_cards ts) ->
  exists h, In h (at_ c) /\ In h (all_visited nat ts)
    /\ (price h = 0 \/ walked_in (all_walked nat ts) c h = true).
Proof.
  intros ts c V F I. apply in_flat_map in I. destruct I as [t [T I]].
  rewrite Forall_forall in V, F.
  destruct (covered_free _ _ _ (V t T) (F t T) I) as [h [H [Vh Or]]].
  exists h. split; auto. split; [apply in_flat_map; eauto|]. destruct Or as [P|W]; auto. right.
  apply existsb_exists in W. destruct W as [e [J W]]. apply existsb_exists. exists e. split; auto.
  apply in_flat_map. eauto.
Qed.

(** What the ends of walked cards cost, by entries and by cards. *)
Definition entry_price (e : nat * (hub * hub)) : nat := price (fst (snd e)) + price (snd (snd e)).

Lemma trails_entries :
  forall ts, trails_price price ts = list_sum (map entry_price (all_walked nat ts)).
Proof.
  assert (One : forall l x, trail_price price x l = list_sum (map entry_price (walked nat x l))).
  { induction l as [|[c y] l IH]; intros x; auto. cbn [trail_price walked].
    rewrite IH. destruct (x =? y); auto. }
  induction ts as [|[x l] ts IH]; auto. unfold all_walked in *. cbn [flat_map fst snd].
  rewrite map_app, list_sum_app, <- IH, <- One. reflexivity.
Qed.

Lemma list_sum_add :
  forall (f g e : nat -> nat) l, (forall x, In x l -> f x <= g x + e x) ->
  list_sum (map f l) <= list_sum (map g l) + list_sum (map e l).
Proof.
  intros f g e l. induction l as [|x l IH]; intros H; auto. unfold list_sum in *.
  cbn [map fold_right]. pose proof (H x ltac:(simpl; auto)).
  specialize (IH (fun y I => H y (or_intror I))). lia.
Qed.

Lemma list_sum_one :
  forall x n l, NoDup l -> list_sum (map (fun y => if y =? x then n else 0) l) <= n.
Proof.
  intros x n l N. induction N as [|y l Out N IH]; simpl; [lia|].
  destruct (Nat.eqb_spec y x) as [->|_]; [|exact IH].
  enough (list_sum (map (fun y => if y =? x then n else 0) l) = 0) by lia.
  clear -Out. induction l as [|y l IH]; auto. simpl.
  destruct (Nat.eqb_spec y x) as [->|_]; [exfalso; apply Out; simpl; auto|].
  apply IH. intros I. apply Out. simpl. auto.
Qed.

Lemma entries_price :
  forall w n, NoDup (map fst w) -> (forall c, c < n -> NoDup (at_ c)) ->
  list_sum (map (fun c =>
    list_sum (map (fun h => if walked_in w c h then price h else 0) (at_ c))) (seq 0 n))
  <= list_sum (map entry_price w).
Proof.
  induction w as [|[d [a b]] w IH]; intros n N Nd.
  - simpl. enough (forall l, list_sum (map (fun c => list_sum
      (map (fun _ : hub => 0) (at_ c))) l) <= 0) by auto.
    assert (Z : forall l : list hub, list_sum (map (fun _ => 0) l) = 0)
      by (induction l; simpl; auto).
    induction l as [|c l IHl]; simpl; auto. now rewrite Z.
  - inversion N as [|? ? Out N']; subst. specialize (IH n N' Nd). cbn [map]. unfold list_sum at 3.
    cbn [fold_right]. fold (list_sum (map entry_price w)).
    pose proof (list_sum_one d (price a + price b) (seq 0 n) (seq_NoDup n 0)) as One.
    eapply Nat.le_trans; [|apply Nat.add_le_mono; [exact One|exact IH]]. rewrite Nat.add_comm.
    apply list_sum_add. intros c Ic. apply in_seq in Ic.
    destruct (Nat.eqb_spec c d) as [->|Ne].
    + eapply Nat.le_trans; [apply (list_sum_add _ (fun _ => 0) (fun h =>
        (if h =? a then price a else 0) + (if h =? b then price b else 0)))|].
      * intros h _. unfold walked_in. cbn [existsb fst snd]. fold (walked_in w d h).
        rewrite (not_walked w d h Out), Nat.eqb_refl. cbn [andb].
        destruct (Nat.eqb_spec h a), (Nat.eqb_spec h b); subst; simpl; lia.
      * assert (Nat' := Nd d ltac:(lia)).
        pose proof (list_sum_one a (price a) (at_ d) Nat') as A.
        pose proof (list_sum_one b (price b) (at_ d) Nat') as B.
        pose proof (list_sum_add (fun h => (if h =? a then price a else 0)
          + (if h =? b then price b else 0)) (fun h => if h =? a then price a else 0)
          (fun h => if h =? b then price b else 0) (at_ d)
          ltac:(intros; cbv beta; lia)) as S.
        assert (Z : forall l : list hub, list_sum (map (fun _ => 0) l) = 0)
          by (induction l; simpl; auto).
        rewrite Z. lia.
    + rewrite Nat.add_0_r. unfold walked_in. cbn [existsb fst snd].
      rewrite (proj2 (Nat.eqb_neq d c)) by auto. cbn [andb orb]. apply Nat.le_refl.
Qed.

End By_cards.

(** ** From a play to trails *)

(** The numbered cards are those of the hand that are not universal, and the card on the pile. *)
Lemma deck_numbers :
  forall k after hand, length (Plays.deck k after hand [])
    = length (Plays.hand_cards k hand) + (if Plays.pile_counts k after then 1 else 0).
Proof.
  intros k after hand. unfold Plays.deck, Plays.drawn_cards, Plays.offers, Plays.pile_counts.
  simpl. rewrite !app_length. simpl.
  destruct after as [c|]; [destruct (universal k c)|]; simpl; lia.
Qed.

Section From_play.

Variable k changes : nat.
Variable at_ : nat -> list hub.
Variable price : hub -> nat.
Variable after : option card.
Variable hand : list card.

Local Notation deck := (Plays.deck k after hand []).
Local Notation numbered_cards := (Plays.hand_cards k hand).
Local Notation pile := (Plays.pile_counts k after).

Hypothesis Positive : 1 <= k.
Hypothesis Wide : Forall (fun c => length c = k + changes) deck.
Hypothesis Once : forall i, i < length deck -> NoDup (at_ i).
Hypothesis Joined : forall i j, i < length deck -> j < length deck ->
  joined changes at_ price i j (differing (nth i deck []) (nth j deck [])) = true.

Local Notation fits := (may_be_added (k + changes)).

Definition is_universal (a : card * option nat) : bool := universal k (fst a).

Lemma filter_map_fst :
  forall (f : card -> bool) (t : list (card * option nat)),
  length (filter f (map fst t)) = length (filter (fun a => f (fst a)) t).
Proof.
  intros f t. induction t as [|a t IH]; simpl; auto. destruct (f (fst a)); simpl; auto.
Qed.

Lemma hand_numbered : forall i, i < length numbered_cards ->
  universal k (nth i deck []) = false.
Proof.
  intros i L. unfold Plays.deck, Plays.drawn_cards. rewrite !app_nth1 by
    (rewrite ?app_length; simpl; lia).
  pose proof (nth_In numbered_cards [] L) as I. apply filter_In in I. destruct I as [_ I].
  now apply negb_true_iff.
Qed.

(** The play with tags: the cards of the hand that are not universal, by number. *)
Lemma tagged_play :
  forall added s, Forall fits added -> Permutation s (hand ++ added) ->
  exists t, map fst t = s
    /\ Permutation (map number_of (kept untagged t)) (seq 0 (length numbered_cards))
    /\ length (filter is_universal t) = length (filter (universal k) hand)
    /\ length (filter untagged (kept is_universal t)) <= length added
    /\ kept untagged (kept is_universal t) = kept untagged t
    /\ Forall (fun a => is_universal a = false -> of_deck changes k deck a) t.
Proof.
  intros added s Ad P. set (is := seq 0 (length numbered_cards)).
  set (others := filter (universal k) hand ++ added).
  assert (Numbers : map (fun i => nth i deck []) is = numbered_cards).
  { unfold is. rewrite <- (map_ext_in (fun i => nth i numbered_cards [])).
    - generalize numbered_cards. clear. intros l. induction l as [|c l IH]; auto. simpl.
      f_equal. rewrite <- seq_shift, map_map. exact IH.
    - intros i I. apply in_seq in I. symmetry. apply Plays.hand_nth. lia. }
  assert (Order : Permutation s (map (fun i => nth i deck []) is ++ others)).
  { rewrite Numbers. unfold others. rewrite app_assoc. eapply Permutation_trans; [exact P|].
    apply Permutation_app_tail. eapply Permutation_trans; [apply (split_filter _ (universal k))|].
    apply Permutation_refl. }
  destruct (Plays.tagged_order k after hand [] s is others Order) as [t [Et [Rt [Kt Ut]]]].
  exists t. split; [exact Et|]. split; [exact Kt|].
  assert (Tagged : forall a, In a t -> untagged a = false ->
    exists i, i < length numbered_cards /\ snd a = Some i /\ fst a = nth i deck []).
  { intros [c [i|]] I U; [|discriminate]. exists i. split; [|split; auto].
    - assert (J : In i is).
      { apply (Permutation_in _ Kt). change i with (number_of (c, Some i)). apply in_map.
        apply filter_In. auto. }
      apply in_seq in J. lia.
    - rewrite Forall_forall in Rt. exact (Rt _ I i eq_refl). }
  assert (Not : forall a, In a t -> untagged a = false -> is_universal a = false).
  { intros a I U. destruct (Tagged a I U) as [i [L [_ E]]]. unfold is_universal. rewrite E.
    now apply hand_numbered. }
  assert (Same : filter is_universal t = filter is_universal (filter untagged t)).
  { clear -Not. induction t as [|a t IH]; auto. simpl.
    assert (IH' := IH (fun b I => Not b (or_intror I))). destruct (untagged a) eqn:U; simpl.
    - now rewrite IH'.
    - rewrite (Not a (or_introl eq_refl) U). exact IH'. }
  assert (Universals : length (filter is_universal t) = length (filter (universal k) hand)).
  { rewrite Same. unfold is_universal. rewrite <- (filter_map_fst (universal k)).
    rewrite (Permutation_length (filter_permutation _ (universal k) _ _ Ut)). unfold others.
    rewrite filter_app, app_length.
    assert (Z : filter (universal k) added = []).
    { clear -Ad Positive. induction Ad as [|c added A Ad IH]; auto. simpl.
      rewrite plain_not_universal; auto. apply A. }
    rewrite Z, Nat.add_0_r. f_equal. clear. induction hand as [|c l IH]; auto. simpl.
    destruct (universal k c) eqn:U; auto. simpl. now rewrite U, IH. }
  split; [exact Universals|]. split; [|split].
  - assert (Split : length (filter untagged t)
      = length (filter untagged (kept is_universal t)) + length (filter is_universal t)).
    { rewrite Same. unfold kept. clear. induction t as [|a t IH]; auto. simpl.
      destruct (is_universal a) eqn:I, (untagged a) eqn:U; simpl; rewrite ?U, ?I; simpl; lia. }
    apply Permutation_length in Ut. rewrite map_length in Ut. unfold others in Ut.
    rewrite app_length in Ut. lia.
  - unfold kept. clear -Not. induction t as [|a t IH]; auto. simpl.
    assert (IH' := IH (fun b I => Not b (or_intror I))).
    destruct (untagged a) eqn:U, (is_universal a) eqn:I; simpl; rewrite ?U; simpl; auto.
    + rewrite (Not a (or_introl eq_refl) U) in I. discriminate.
    + now rewrite IH'.
  - apply Forall_forall. intros a I U. destruct (untagged a) eqn:T.
    + destruct a as [c [i|]]; [discriminate|]. unfold of_deck. simpl.
      assert (J : In c others).
      { apply (Permutation_in _ Ut). change c with (fst (c, @None nat)). apply in_map.
        apply filter_In. auto. }
      apply in_app_or in J. destruct J as [J|J].
      * apply filter_In in J. destruct J as [_ J]. unfold is_universal in U. simpl in U. congruence.
      * rewrite Forall_forall in Ad. exact (Ad c J).
    + destruct (Tagged a I T) as [i [L [E E']]]. unfold of_deck. rewrite E. split; auto.
      rewrite deck_numbers. lia.
Qed.

Lemma cut_feasible :
  forall t, feasible k (map fst t) ->
  Forall (fun q => feasible k (map fst q)) (cut is_universal t).
Proof.
  intros t F. apply (chain_map _ card fst) in F.
  pose proof (cut_chains _ _ is_universal t F) as C. eapply Forall_impl; [|exact C].
  intros q Cq. now apply (chain_map _ card fst).
Qed.

Lemma cut_of_deck :
  forall t, Forall (fun a => is_universal a = false -> of_deck changes k deck a) t ->
  Forall (Forall (of_deck changes k deck)) (cut is_universal t).
Proof.
  intros t G. rewrite Forall_forall in G. apply Forall_forall. intros q I. apply Forall_forall.
  intros a J. assert (K : In a (kept is_universal t)).
  { rewrite <- cut_concat. apply in_concat. eauto. }
  apply filter_In in K. destruct K as [K U]. apply G; auto. now apply negb_true_iff.
Qed.

(** The trails of a play: at most one more than universal cards, from the pile if there is one, and
    their ends cost at most two for each added card. *)
Theorem play_trails :
  forall added s, Forall fits added -> Permutation s (hand ++ added) ->
  feasible k (on_pile after s) ->
  exists x ts cards, length ts <= 1 + length (filter (universal k) hand)
    /\ Permutation cards (seq 0 (length numbered_cards))
    /\ walked_as at_ price deck ts cards (if pile then price x else 0) (length added)
    /\ (pile = true -> In x (at_ (length numbered_cards)) /\ exists l us, ts = (x, l) :: us).
Proof.
  intros added s Ad P F. destruct (tagged_play added s Ad P) as [t [Et [Nt [Ut [Lt [Kt Gt]]]]]].
  pose proof (cut_of_deck t Gt) as G. destruct (cut_some _ is_universal t) as [q [qs Cu]].
  pose proof (cut_length _ is_universal t) as Lc. rewrite Ut, Cu in Lc. simpl in Lc.
  assert (Cards : kept untagged (concat (q :: qs)) = kept untagged t).
  { rewrite <- Cu, cut_concat. exact Kt. }
  assert (Added : length (filter untagged (concat (q :: qs))) <= length added).
  { rewrite <- Cu, cut_concat. exact Lt. }
  assert (More : forall ts cards paid, walked_as at_ price deck ts cards paid
      (length (filter untagged (concat (q :: qs)))) ->
    walked_as at_ price deck ts cards paid (length added)).
  { intros ts cards paid [V S B E C]. constructor; auto. lia. }
  assert (Ft : feasible k (map fst t)).
  { rewrite Et. destruct after; [now apply chain_tail in F|exact F]. }
  pose proof (cut_feasible t Ft) as Fc. rewrite Cu in G, Fc.
  destruct pile eqn:Pi.
  - assert (Top : exists c, after = Some c /\ universal k c = false).
    { unfold Plays.pile_counts in Pi. destruct after as [c|]; [|discriminate]. exists c.
      split; auto. now apply negb_true_iff. }
    destruct Top as [c [Ea Uc]].
    assert (Last : nth (length numbered_cards) deck [] = c
      /\ length numbered_cards < length deck).
    { rewrite deck_numbers, Pi. split; [|simpl; lia].
      unfold Plays.deck, Plays.drawn_cards, Plays.offers.
      rewrite Ea, Uc. simpl. rewrite app_nil_r, app_nth2, Nat.sub_diag; auto. }
    destruct Last as [Last Ll]. pose proof (Forall_inv_tail Fc) as Fqs.
    assert (First : feasible k (c :: map fst q)).
    { pose proof (cut_feasible ((c, None) :: t)) as Fp. simpl in Fp. rewrite Cu in Fp.
      unfold is_universal in Fp at 1. cbn [fst map] in Fp.
      rewrite Uc, Et in Fp. rewrite Ea in F. specialize (Fp F). exact (Forall_inv Fp). }
    destruct (pieces_after_pile changes at_ price k deck Wide Once Joined (length numbered_cards)
      q qs) as [x [l [ts [L [X W]]]]]; auto.
    { now rewrite Last. }
    exists x, ((x, l) :: ts), (map number_of (kept untagged t)).
    injection Lc as Lc. rewrite <- Lc. split; [exact (le_n_S _ _ L)|]. split; [exact Nt|].
    split; [|eauto].
    apply More. now rewrite <- Cards.
  - destruct (pieces_trails changes at_ price k deck Wide Once Joined (q :: qs) G Fc)
      as [ts [L W]].
    exists 0, ts, (map number_of (kept untagged t)).
    split; [simpl in L; lia|]. split; [exact Nt|]. split; [|discriminate].
    apply More. now rewrite <- Cards.
Qed.

(** The facts of a play with that many added cards. *)
Theorem level_facts :
  forall n toll, (forall i h, i < length deck -> In h (at_ i) -> h < n) ->
  forall added s, Forall fits added -> Permutation s (hand ++ added) ->
  feasible k (on_pile after s) -> 2 * length added <= toll ->
  exists v, facts at_ (Plays.problem_of k after hand [] 0 None None n price (Some toll)) v.
Proof.
  intros n toll Below added s Ad P F L.
  destruct (play_trails added s Ad P F) as [x [ts [is [Lt [Pc [[V S B E C] First]]]]]].
  set (p := Plays.problem_of k after hand [] 0 None None n price (Some toll)).
  assert (Drawn : drawn p = length numbered_cards).
  { unfold drawn, p. simpl. apply Nat.add_0_r. }
  assert (Once' : NoDup (steps_cards ts)).
  { rewrite E. apply (Permutation_NoDup (Permutation_sym Pc)), seq_NoDup. }
  assert (Bel : below nat (all_hubs p) ts).
  { apply (visited_below at_); auto.
    - intros t T. destruct (B t T) as [i [Li X]]. now apply (Below i).
    - intros c h Ic X. apply (Below c); auto. rewrite E in Ic. apply (Permutation_in _ Pc) in Ic.
      apply in_seq in Ic. rewrite deck_numbers. lia. }
  destruct (ends_of_play p x ts Bel) as [closed [Ic [En Co]]].
  { intros Pi. now destruct (First Pi). }
  exists (meaning p ts x closed (fun _ => false)). apply trail_facts; auto; try discriminate.
  - intros c I. rewrite Drawn. rewrite E in I. apply (Permutation_in _ Pc) in I.
    apply in_seq in I. lia.
  - intros c I. destruct (covered_trails at_ price ts c V S I) as [h [H [Vh Or]]].
    exists h. split; auto. split; auto. destruct Or as [Free|W]; auto. left. unfold is_free. simpl.
    now apply Nat.eqb_eq.
  - intros _ c Lc. rewrite E. apply (Permutation_in _ (Permutation_sym Pc)), in_seq.
    exact (conj (Nat.le_0_l c) Lc).
  - eapply Nat.le_trans; [exact Lt|]. simpl. lia.
  - intros t Et. inversion Et as [Toll]. clear Et. rewrite <- Toll. eapply Nat.le_trans; [|exact L].
    eapply Nat.le_trans; [|exact C]. rewrite Nat.add_comm. unfold Rows.cards.
    rewrite seq_app, map_app, list_sum_app. apply Nat.add_le_mono.
    + rewrite (map_ext_in _ (fun c => list_sum (map (fun h =>
        if walked_in (all_walked nat ts) c h then price h else 0) (at_ c)))).
      * rewrite trails_entries. apply entries_price.
        -- exact (entries_once ts Once').
        -- intros c Lc. apply Once. rewrite deck_numbers. lia.
      * intros c I. apply in_seq in I. unfold ends_price. f_equal. apply map_ext. intros h.
        cbn [meaning]. rewrite (drawn_card p c) by lia. reflexivity.
    + cbn [Nat.add]. change (Rows.pile p) with pile. destruct pile eqn:Pi; [|apply Nat.le_refl].
      cbn [seq map]. unfold list_sum at 1. cbn [fold_right]. rewrite Nat.add_0_r. unfold ends_price.
      rewrite (map_ext _ (fun h => if h =? x then price x else 0)).
      * apply list_sum_one, Once. rewrite deck_numbers, Pi, Drawn. lia.
      * intros h. cbn [meaning]. change (Rows.pile p) with pile. rewrite Pi, Nat.eqb_refl.
        cbn [andb].
        destruct (Nat.eqb_spec h x) as [->|_]; reflexivity.
  - intros Pi. destruct (First Pi) as [X [l [us ->]]]. rewrite Drawn. split; auto. simpl. auto.
Qed.

End From_play.
