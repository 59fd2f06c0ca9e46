(** The theorem of priced trails: a hand is played with [n] added cards if and only if two hubs can
    be chosen for each card, so that the multigraph on hubs whose edges are the cards has few ends
    and the prices at the ends of its edges are [2 n] or less.

    The card on the pile has one more hub, [start], on which no other card is: its edge leads from
    there to the first hub of the play. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs WildCards Converse HubTrails Plays Levels PricedPlays.
From UnoCsp Require Import FillIn Played Checker Distances.
Import ListNotations.

Section PricedTrails.

Variable k changes : nat.
Variable after : option card.
Variable hand : list card.

Local Notation deck := (Plays.deck k after hand []).
Local Notation numbered_cards := (Plays.hand_cards k hand).
Local Notation universals := (filter (universal k) hand).
Local Notation pile := (Plays.pile_counts k after).
Local Notation fits := (may_be_added (k + changes)).
Local Notation card_of i := (nth i deck []).

Hypothesis Wide : Forall (fun c => length c = k + changes) (on_pile after hand).

Lemma wide_hand : Forall (of_width (k + changes)) hand.
Proof. destruct after; [exact (Forall_inv_tail Wide)|exact Wide]. Qed.

Lemma wide_deck : Forall (fun c => length c = k + changes) deck.
Proof.
  unfold Plays.deck, Plays.drawn_cards, Plays.offers. simpl. rewrite app_nil_r.
  apply Forall_app. split.
  - pose proof wide_hand as W. unfold of_width in W. rewrite Forall_forall in *. intros c I.
    apply filter_In in I. now apply W.
  - destruct after as [c|]; [|constructor]. destruct (universal k c); [constructor|].
    constructor; [exact (Forall_inv Wide)|constructor].
Qed.

Lemma wide_card : forall i, i < length deck -> length (card_of i) = k + changes.
Proof. exact (wide_nth changes k deck wide_deck). Qed.

(** ** Choices *)

Variable at_ : nat -> list hub.
Variable price : hub -> nat.
Variable start : hub.

Hypothesis Positive : 1 <= k.
Hypothesis Once : forall i, i < length deck -> NoDup (at_ i).

(** Two cards at a hub differ so little that its price is enough to join them, and any two cards
    share hubs at which the price is no more than it takes. *)
Hypothesis Near : forall i j h, i < length deck -> j < length deck ->
  In h (at_ i) -> In h (at_ j) -> differing (card_of i) (card_of j) <= S (price h) * changes.
Hypothesis Joined : forall i j, i < length deck -> j < length deck ->
  joined changes at_ price i j (differing (card_of i) (card_of j)) = true.

Hypothesis Fresh : forall i, i < length deck -> ~ In start (at_ i).
Hypothesis Start_free : price start = 0.

(** The card on the pile has the last number. *)
Definition is_pile (i : nat) : bool := pile && (i =? length numbered_cards).
Definition at_start (i : nat) : list hub := if is_pile i then start :: at_ i else at_ i.

Definition choice_price (choice : list (edge nat)) : nat :=
  list_sum (map (fun e => price (fst (snd e)) + price (snd (snd e))) choice).

(** A choice of two hubs for each card, with ends for one sequence more than there are universal
    cards. A card that stays at a hub stays at one without a price. *)
Record priced_choice (n : nat) (choice : list (edge nat)) (closed : list hub) : Prop := {
  of_trails :
    trails_for nat at_start (S (length universals)) (seq 0 (length deck)) choice closed;
  from_pile : forall e, In e choice -> is_pile (fst e) = true ->
    fst (snd e) = start /\ In (snd (snd e)) (at_ (fst e));
  loops_free : forall e, In e choice -> fst (snd e) = snd (snd e) -> price (fst (snd e)) = 0;
  low_price : choice_price choice <= 2 * n
}.

Definition played_with (n : nat) : Prop :=
  exists added, length added <= n /\ Forall fits added /\ playable k after (hand ++ added).

(** ** From a play to a choice *)

Lemma steps_price :
  forall l x, free_stays price x l -> choice_price (all_steps nat x l) = trail_price price x l.
Proof.
  unfold choice_price. induction l as [|[c y] l IH]; intros x F; auto. destruct F as [Same F].
  simpl. rewrite (IH y F). destruct (Nat.eqb_spec x y) as [E|_]; auto.
  specialize (Same E). rewrite E in *. lia.
Qed.

Lemma choice_price_app : forall a b, choice_price (a ++ b) = choice_price a + choice_price b.
Proof. intros a b. unfold choice_price. now rewrite map_app, list_sum_app. Qed.

Lemma steps_loops :
  forall l x e, free_stays price x l -> In e (all_steps nat x l) -> fst (snd e) = snd (snd e) ->
  price (fst (snd e)) = 0.
Proof.
  induction l as [|[c y] l IH]; intros x e F I E; [destruct I|]. destruct F as [Same F].
  destruct I as [<-|I]; [|now apply (IH y)]. simpl in *. rewrite E. now apply Same.
Qed.

Lemma trails_choice :
  forall ts, Forall (fun t => free_stays price (fst t) (snd t)) ts ->
  choice_price (steps_of nat ts) = trails_price price ts
  /\ forall e, In e (steps_of nat ts) -> fst (snd e) = snd (snd e) -> price (fst (snd e)) = 0.
Proof.
  unfold steps_of, trails_price. induction 1 as [|[x l] ts F _ [IHp IHl]].
  - split; [reflexivity|]. intros e [].
  - cbn [flat_map fst snd map] in *. split.
    + rewrite choice_price_app, (steps_price l x F), IHp. reflexivity.
    + intros e I. apply in_app_or in I. destruct I as [I|I]; [|now apply IHl].
      now apply (steps_loops l x).
Qed.

Lemma valid_start : forall l x, valid nat at_ x l -> valid nat at_start x l.
Proof.
  assert (More : forall h c, In h (at_ c) -> In h (at_start c)).
  { intros h c I. unfold at_start. destruct (is_pile c); simpl; auto. }
  induction l as [|[c y] l IH]; intros x V; [exact I|]. destruct V as [X [Y V]]. simpl. auto.
Qed.

(** The trails of a play, with the step of the card on the pile. *)
Lemma play_steps :
  forall n, played_with n -> exists ts : list (trail nat),
  length ts <= S (length universals)
  /\ Forall (fun t => valid nat at_start (fst t) (snd t)) ts
  /\ Permutation (map fst (steps_of nat ts)) (seq 0 (length deck))
  /\ Forall (fun t => free_stays price (fst t) (snd t)) ts
  /\ trails_price price ts <= 2 * n
  /\ forall e, In e (steps_of nat ts) -> is_pile (fst e) = true ->
       fst (snd e) = start /\ In (snd (snd e)) (at_ (fst e)).
Proof.
  intros n [added [Ln [Fit [s [P F]]]]].
  assert (Fd : feasible k (on_pile after s)) by (destruct after; exact F).
  destruct (play_trails k changes at_ price after hand Positive wide_deck Once Joined added s Fit P
    Fd) as [x [ts [cards [Lt [Pc [[V St B E C] First]]]]]].
  assert (Small : forall e, In e (steps_of nat ts) -> is_pile (fst e) = false).
  { intros e I. apply (in_map fst) in I. rewrite steps_cards_of, E in I.
    apply (Permutation_in _ Pc), in_seq in I. unfold is_pile.
    rewrite (proj2 (Nat.eqb_neq _ _)) by lia.
    apply andb_false_r. }
  pose proof (deck_numbers k after hand) as Count.
  destruct pile eqn:Pi.
  - destruct (First eq_refl) as [X [l [us ->]]]. set (p := length numbered_cards) in *.
    assert (Is : is_pile p = true) by (unfold is_pile; now rewrite Pi, Nat.eqb_refl).
    inversion V as [|? ? Vl Vs]; subst. inversion St as [|? ? Sl Ss]; subst. cbn [fst snd] in *.
    assert (Lp : p < length deck) by lia.
    assert (Apart : start <> x) by (intros Eq; subst x; exact (Fresh p Lp X)).
    exists ((start, (p, x) :: l) :: us). split; [exact Lt|]. split; [|split; [|split; [|split]]].
    + constructor; [|eapply Forall_impl; [|exact Vs]; intros t; apply valid_start].
      cbn [fst snd valid]. unfold at_start at 1 2. rewrite Is. simpl.
      split; auto. split; auto. now apply valid_start.
    + change (steps_of nat ((start, (p, x) :: l) :: us))
        with ((p, (start, x)) :: steps_of nat ((x, l) :: us)).
      cbn [map fst]. rewrite steps_cards_of, Count, seq_app. cbn [seq plus].
      eapply Permutation_trans; [apply perm_skip; exact Pc|]. apply Permutation_cons_append.
    + constructor; auto. cbn [fst snd free_stays]. split; auto. intros; contradiction.
    + unfold trails_price in *. cbn [map fst snd trail_price] in *.
      rewrite (proj2 (Nat.eqb_neq _ _) Apart). unfold list_sum in *. cbn [fold_right] in *. lia.
    + change (steps_of nat ((start, (p, x) :: l) :: us))
        with ((p, (start, x)) :: steps_of nat ((x, l) :: us)).
      intros e [<-|I] Pe; [auto|]. rewrite (Small e I) in Pe. discriminate.
  - exists ts. split; [exact Lt|]. split; [|split; [|split; [|split]]]; auto.
    + eapply Forall_impl; [|exact V]. intros t. apply valid_start.
    + rewrite steps_cards_of, E, Count, Nat.add_0_r. exact Pc.
    + lia.
    + intros e I Pe. rewrite (Small e I) in Pe. discriminate.
Qed.

Theorem play_gives_choice :
  forall n, played_with n -> exists choice closed, priced_choice n choice closed.
Proof.
  intros n Pl. destruct (play_steps n Pl) as [ts [L [V [P [St [C Pe]]]]]].
  destruct (trails_choice ts St) as [Cp Lf].
  destruct (choice_of_trails nat at_start _ ts L V) as [closed T].
  exists (steps_of nat ts), closed. constructor; auto; [|lia].
  destruct T as [_ T]. split; auto.
Qed.

(** ** From a choice to a play *)

(** A card of the deck, on hubs of its own. *)
Definition of_card (e : edge nat) : Prop :=
  fst e < length deck /\ on_own_hubs nat at_start e.

Definition cards_of (es : list (edge nat)) : list card := map (fun e => card_of (fst e)) es.

Lemma at_start_other :
  forall i h, In h (at_start i) -> h = start /\ is_pile i = true \/ In h (at_ i).
Proof.
  intros i h. unfold at_start. destruct (is_pile i); [|auto]. intros [<-|I]; auto.
Qed.

Lemma pile_number : forall i, is_pile i = true -> i = length numbered_cards.
Proof.
  intros i P. unfold is_pile in P. apply andb_true_iff in P. destruct P as [_ P].
  now apply Nat.eqb_eq.
Qed.

Lemma near_start :
  forall i j h, i < length deck -> j < length deck -> In h (at_start i) -> In h (at_start j) ->
  differing (card_of i) (card_of j) <= S (price h) * changes.
Proof.
  intros i j h Li Lj I J.
  destruct (at_start_other i h I) as [[E Pi]|Ii], (at_start_other j h J) as [[E' Pj]|Jj].
  - rewrite (pile_number i Pi), (pile_number j Pj), differing_self. lia.
  - subst h. destruct (Fresh j Lj Jj).
  - subst h. destruct (Fresh i Li Ii).
  - now apply Near.
Qed.

(** A walk is played with half of its price. *)
Lemma walk_play :
  forall l x e y, path nat x ((e, y) :: l) -> Forall of_card (edges nat ((e, y) :: l)) ->
  exists added s, feasible k (card_of (fst e) :: s) /\ Forall fits added
    /\ Permutation (card_of (fst e) :: s) (cards_of (edges nat ((e, y) :: l)) ++ added)
    /\ 2 * length added + price x <= choice_price (edges nat ((e, y) :: l)).
Proof.
  assert (Two : forall (e : edge nat) x y, joins nat e x y ->
    price (fst (snd e)) + price (snd (snd e)) = price x + price y).
  { intros [c [a b]] x y J. unfold joins in J. cbn [fst snd] in *.
    destruct J as [J|J]; inversion J; subst; lia. }
  induction l as [|[f z] l IH]; intros x e y [J P] O.
  - exists [], []. split; [exact I|]. split; [constructor|]. split; [apply Permutation_refl|].
    unfold choice_price. simpl. rewrite (Two e x y J). lia.
  - inversion O as [|? ? Oe O']; subst. destruct (IH y f z P O') as [added [s [F [Fit [Pm C]]]]].
    pose proof (Forall_inv O') as Of. destruct Oe as [Le [Xe Ye]], Of as [Lf [Xf Yf]].
    destruct P as [J' _].
    assert (Share : In y (at_start (fst e)) /\ In y (at_start (fst f))).
    { destruct e as [c [a b]], f as [d [a' b']]. unfold joins in J, J'. cbn [fst snd] in *.
      destruct J as [J|J], J' as [J'|J']; inversion J; inversion J'; subst; auto. }
    destruct Share as [Se Sf].
    pose proof (near_start _ _ y Le Lf Se Sf) as N.
    apply (joined_by k) in N; auto using wide_card. destruct N as [between [Lb [Fb Cb]]].
    exists (between ++ added), (between ++ card_of (fst f) :: s).
    split; [|split; [|split]].
    + exact (chain_link k (card_of (fst e) :: between) _ s Cb F).
    + apply Forall_app. auto.
    + apply (perm_skip (card_of (fst e))).
      eapply Permutation_trans; [apply Permutation_app_head; exact Pm|].
      apply Permutation_app_swap_app.
    + rewrite app_length.
      change (choice_price (edges nat ((e, y) :: (f, z) :: l))) with
        (price (fst (snd e)) + price (snd (snd e)) + choice_price (edges nat ((f, z) :: l))).
      rewrite (Two e x y J). lia.
Qed.

Lemma walks_play :
  forall ts, Forall (good nat) ts -> Forall of_card (all_edges nat ts) ->
  exists added ss, length ss = length ts /\ Forall (feasible k) ss /\ Forall fits added
    /\ Permutation (concat ss) (cards_of (all_edges nat ts) ++ added)
    /\ 2 * length added <= choice_price (all_edges nat ts).
Proof.
  induction ts as [|[x l] ts IH]; intros G O.
  - exists [], []. simpl. repeat split; auto.
  - inversion G as [|? ? [P Ne] G']; subst. cbn [fst snd] in *.
    change (all_edges nat ((x, l) :: ts)) with (edges nat l ++ all_edges nat ts) in *.
    apply Forall_app in O. destruct O as [Ol O].
    destruct (IH G' O) as [added [ss [L [F [Fit [Pm C]]]]]].
    destruct l as [|[e y] l]; [congruence|].
    destruct (walk_play l x e y P Ol) as [more [s [Fs [Fm [Ps Cs]]]]].
    exists (more ++ added), ((card_of (fst e) :: s) :: ss).
    split; [simpl; lia|]. split; [constructor; auto|]. split; [apply Forall_app; auto|].
    split; [|rewrite app_length, choice_price_app; lia].
    unfold cards_of in *. rewrite map_app. cbn [concat].
    eapply Permutation_trans; [apply Permutation_app; [exact Ps|exact Pm]|].
    rewrite <- !app_assoc. apply Permutation_app_head, Permutation_app_swap_app.
Qed.

(** The walk with the card on the pile can begin with it, for no other card is on [start]. *)
Lemma begin_with_pile :
  forall z l e, path nat z l -> Forall of_card (edges nat l) -> NoDup (map fst (edges nat l)) ->
  In e (edges nat l) -> is_pile (fst e) = true -> fst (snd e) = start -> snd (snd e) <> start ->
  exists y l', path nat start ((e, y) :: l')
    /\ Permutation (edges nat ((e, y) :: l')) (edges nat l).
Proof.
  intros z l e P O N Ie Pe Start Apart.
  assert (Other : forall f x y, In f (edges nat l) -> joins nat f x y -> x = start \/ y = start ->
    fst f = fst e).
  { intros f x y If J Or. rewrite Forall_forall in O. destruct (O f If) as [Lf [X Y]].
    assert (S : In start (at_start (fst f))).
    { destruct f as [c [a b]]. unfold joins in J. cbn [fst snd] in *.
      destruct J as [J|J]; inversion J; subst; destruct Or; subst; auto. }
    destruct (at_start_other _ _ S) as [[_ Pf]|I]; [|destruct (Fresh _ Lf I)].
    now rewrite (pile_number _ Pf), (pile_number _ Pe). }
  apply in_map_iff in Ie. destruct Ie as [[e' y0] [E Il]]. cbn [fst] in E. subst e'.
  destruct (in_split _ _ Il) as [l1 [l2 ->]].
  rewrite edges_app in *. apply path_app in P. destruct P as [P1 [J P2]].
  rewrite map_app in N.
  change (map fst (edges nat ((e, y0) :: l2))) with (fst e :: map fst (edges nat l2)) in N.
  pose proof (NoDup_remove_2 _ _ _ N) as Out.
  assert (Not : forall f x y, In f (edges nat l1) \/ In f (edges nat l2) -> joins nat f x y ->
    x <> start /\ y <> start).
  { intros f x y If Jf. split; intros E; apply Out; rewrite <- (Other f x y); auto;
      try (apply in_or_app; destruct If; [left|right]; now apply in_map);
      apply in_or_app; simpl; tauto. }
  assert (Ends : target nat z l1 = start /\ y0 = snd (snd e)
    \/ target nat z l1 = snd (snd e) /\ y0 = start).
  { destruct e as [c [a b]]. unfold joins in J. cbn [fst snd] in *.
    destruct J as [J|J]; inversion J; subst; auto. }
  destruct Ends as [[T ->]|[T ->]].
  - destruct l1 as [|s l1].
    + unfold target in T. simpl in T. subst z.
      exists (snd (snd e)), l2. split; [split; [exact J|exact P2]|apply Permutation_refl].
    + exfalso. destruct (@exists_last _ (s :: l1) ltac:(discriminate)) as [l0 [[f y] El]].
      rewrite El in *. rewrite target_app in T. unfold target in T at 1. simpl in T.
      apply path_app in P1. destruct P1 as [_ [Jf _]].
      destruct (Not f (target nat z l0) y) as [_ Ne]; auto.
      left. rewrite edges_app. apply in_or_app. simpl. auto.
  - destruct l2 as [|[f y] l2].
    + destruct (path_reverse nat l1 z P1) as [l' [P' [_ E']]]. rewrite T in P'.
      exists (snd (snd e)), l'. split.
      * split; [|exact P']. left. destruct e as [c [a b]]. cbn [fst snd] in *. now subst.
      * change (edges nat ((e, snd (snd e)) :: l')) with (e :: edges nat l').
        eapply Permutation_trans; [apply perm_skip; exact E'|]. apply Permutation_cons_append.
    + exfalso. destruct P2 as [Jf _]. destruct (Not f start y) as [Ne _]; auto.
      right. simpl. auto.
Qed.

(** The pieces of a play; the card on the pile begins the first one. *)
Lemma choice_pieces :
  forall n choice closed, priced_choice n choice closed ->
  exists added ss, length ss <= S (length universals) /\ Forall (feasible k) ss
    /\ Forall fits added /\ length added <= n /\ Permutation (concat ss) (deck ++ added)
    /\ (pile = true -> exists s rest, ss = (card_of (length numbered_cards) :: s) :: rest).
Proof.
  intros n choice closed [[P [O [D [m [B C]]]]] Pe Lf Low].
  destruct (few_walks nat m choice closed _ B D C) as [ts [G [Q L]]].
  assert (Cards : Forall of_card choice).
  { rewrite Forall_forall in *. intros e I. split; [|now apply O].
    apply (in_map fst), (Permutation_in _ P), in_seq in I. lia. }
  assert (Deck : forall es, Permutation es choice -> Permutation (cards_of es) deck).
  { intros es Pm. unfold cards_of. rewrite <- (map_map fst (fun i => card_of i)).
    eapply Permutation_trans.
    - apply Permutation_map. eapply Permutation_trans; [apply Permutation_map; exact Pm|exact P].
    - generalize deck. clear. intros l. induction l as [|c l IH]; auto. simpl. apply perm_skip.
      rewrite <- seq_shift, map_map. exact IH. }
  assert (Sum : forall es, Permutation es choice -> choice_price es = choice_price choice).
  { intros es Pm. apply Deck.list_sum_permutation, Permutation_map, Pm. }
  destruct pile eqn:Pi.
  - pose proof (deck_numbers k after hand) as Count. rewrite Pi in Count.
    set (p := length numbered_cards) in *.
    assert (Ip : In p (map fst choice)).
    { apply (Permutation_in _ (Permutation_sym P)), in_seq. lia. }
    apply in_map_iff in Ip. destruct Ip as [e [Ep Ie]].
    assert (Is : is_pile (fst e) = true).
    { unfold is_pile. now rewrite Pi, Ep, Nat.eqb_refl. }
    destruct (Pe e Ie Is) as [Start X].
    assert (Apart : snd (snd e) <> start).
    { intros E. rewrite E in X. apply (Fresh (fst e)); auto. lia. }
    assert (Ia : In e (all_edges nat ts)) by (now apply (Permutation_in _ (Permutation_sym Q))).
    apply in_flat_map in Ia. destruct Ia as [[z l] [T Il]]. cbn [snd] in Il.
    destruct (in_split _ _ T) as [ts1 [ts2 Et]].
    assert (Q' : Permutation (edges nat l ++ all_edges nat (ts1 ++ ts2)) choice).
    { eapply Permutation_trans; [|exact Q]. rewrite Et.
      change (edges nat l ++ all_edges nat (ts1 ++ ts2))
        with (all_edges nat ((z, l) :: ts1 ++ ts2)).
      apply all_edges_permutation, Permutation_middle. }
    assert (G' : good nat (z, l) /\ Forall (good nat) (ts1 ++ ts2)).
    { rewrite Et in G. apply Forall_app in G. destruct G as [G1 G2]. inversion G2; subst.
      split; auto. now apply Forall_app. }
    destruct G' as [[Pz _] G']. cbn [fst snd] in Pz.
    assert (O' := Permutation_Forall (Permutation_sym Q') Cards).
    apply Forall_app in O'. destruct O' as [Ol Or].
    assert (Nl : NoDup (map fst (edges nat l))).
    { assert (N : NoDup (map fst (edges nat l) ++ map fst (all_edges nat (ts1 ++ ts2)))).
      { rewrite <- map_app. refine (Permutation_NoDup (Permutation_sym _) (seq_NoDup _ 0)).
        eapply Permutation_trans; [apply Permutation_map; exact Q'|exact P]. }
      clear -N. induction (map fst (edges nat l)) as [|a b IH]; [constructor|].
      inversion N as [|? ? Out N']; subst. constructor; auto.
      intros I. apply Out, in_or_app. auto. }
    destruct (begin_with_pile z l e Pz Ol Nl Il Is Start Apart) as [y [l' [P' E']]].
    destruct (walk_play l' start e y P' (Permutation_Forall (Permutation_sym E') Ol))
      as [more [s [Fs [Fm [Ps Cs]]]]].
    destruct (walks_play (ts1 ++ ts2) G' Or) as [added [ss [Ls [F [Fit [Pm Ca]]]]]].
    rewrite Ep in *.
    exists (more ++ added), ((card_of p :: s) :: ss).
    assert (Q2 : Permutation (edges nat ((e, y) :: l') ++ all_edges nat (ts1 ++ ts2)) choice).
    { eapply Permutation_trans; [apply Permutation_app_tail; exact E'|exact Q']. }
    split; [|split; [|split; [|split; [|split]]]]; eauto.
    + rewrite Et, app_length in L. simpl in L. simpl. rewrite Ls, app_length. lia.
    + apply Forall_app. auto.
    + pose proof (Sum _ Q2) as Eq. rewrite choice_price_app in Eq. rewrite app_length.
      pose proof (Nat.add_le_mono _ _ _ _ Cs Ca) as Half. unfold edge in *. lia.
    + pose proof (Deck _ Q2) as Dk. unfold cards_of in *. rewrite map_app in Dk. cbn [concat].
      eapply Permutation_trans; [apply Permutation_app; [exact Ps|exact Pm]|].
      eapply Permutation_trans; [|apply Permutation_app_tail; exact Dk].
      rewrite <- !app_assoc. apply Permutation_app_head, Permutation_app_swap_app.
  - destruct (walks_play ts G (Permutation_Forall (Permutation_sym Q) Cards))
      as [added [ss [Ls [F [Fit [Pm Ca]]]]]].
    exists added, ss. rewrite Ls, (Sum _ Q) in *.
    split; [exact L|]. split; auto. split; auto. split; [lia|]. split; [|discriminate].
    eapply Permutation_trans; [exact Pm|]. apply Permutation_app_tail. now apply Deck.
Qed.

Theorem choice_gives_play :
  forall n choice closed, priced_choice n choice closed -> played_with n.
Proof.
  intros n choice closed Ch.
  destruct (choice_pieces n choice closed Ch) as [added [ss [L [F [Fit [La [P First]]]]]]].
  assert (Uni : Forall (fun w => universal k w = true /\ of_width (k + changes) w) universals).
  { pose proof wide_hand as W. rewrite Forall_forall in *. intros w I. apply filter_In in I.
    split; [tauto|]. now apply W. }
  assert (Wa : Forall (of_width (k + changes)) (deck ++ added)).
  { apply Forall_app. split; [exact wide_deck|]. eapply Forall_impl; [|exact Fit].
    intros c [_ Lc]. exact Lc. }
  assert (Ws : Forall (Forall (of_width (k + changes))) ss).
  { rewrite Forall_forall in *. intros s I. apply Forall_forall. intros c Ic. apply Wa.
    apply (Permutation_in _ P), in_concat. eauto. }
  pose proof (weave_chain k (k + changes) ss universals F Ws Uni L) as Chain.
  assert (Pw : Permutation (weave ss universals) (deck ++ added ++ universals)).
  { eapply Permutation_trans; [apply weave_permutation|]. rewrite app_assoc.
    apply Permutation_app_tail, P. }
  assert (Hand : Permutation (numbered_cards ++ added ++ universals) (hand ++ added)).
  { eapply Permutation_trans; [|apply Permutation_app_tail, Permutation_sym,
      (split_filter _ (universal k))].
    rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_comm. }
  exists added. split; auto. split; auto.
  assert (Drawn : Plays.drawn_cards k hand [] = numbered_cards).
  { unfold Plays.drawn_cards, Plays.offers. simpl. apply app_nil_r. }
  unfold Plays.deck in Pw. rewrite Drawn in Pw.
  destruct after as [c|] eqn:Ea.
  - destruct (universal k c) eqn:Uc.
    + rewrite app_nil_r in Pw. exists (weave ss universals). split.
      * eapply Permutation_trans; [exact Pw|exact Hand].
      * apply (wild_chain k (k + changes)); auto.
        -- exact (Forall_inv Wide).
        -- apply (Permutation_Forall (Permutation_sym Pw)).
           apply (Permutation_Forall (Permutation_sym Hand)), Forall_app. split.
           ++ exact (Forall_inv_tail Wide).
           ++ apply Forall_app in Wa. apply Wa.
    + destruct First as [s [rest ->]].
      { unfold Plays.pile_counts. now rewrite Uc. }
      assert (Top : nth (length numbered_cards) (Plays.deck k (Some c) hand []) [] = c).
      { unfold Plays.deck. rewrite Drawn, Uc, app_nth2, Nat.sub_diag; auto. }
      rewrite Top in *. set (w := weave ((c :: s) :: rest) universals) in *.
      assert (Begins : exists t, w = c :: t) by (unfold w; destruct universals; simpl; eauto).
      destruct Begins as [t Ew]. rewrite Ew in *. exists t. split; [|exact Chain].
      eapply Permutation_trans; [|exact Hand]. apply (Permutation_cons_inv (a := c)).
      eapply Permutation_trans; [exact Pw|]. rewrite <- app_assoc. apply Permutation_sym.
      exact (Permutation_middle numbered_cards _ c).
  - rewrite app_nil_r in Pw. exists (weave ss universals). split; [|exact Chain].
    eapply Permutation_trans; [exact Pw|exact Hand].
Qed.

(** Theorem 18, for hands with universal wild cards and a card on the pile. *)
Theorem priced_trails :
  forall n, played_with n <-> exists choice closed, priced_choice n choice closed.
Proof.
  intros n. split; [apply play_gives_choice|].
  intros [choice [closed Ch]]. now apply choice_gives_play with choice closed.
Qed.

End PricedTrails.
