(** From a play of cards to sequences of their numbers.

    The numbered cards are those that are not universal: of the hand, of the supply, and the card on
    the pile.  Sequences are cut at the others, and at cards that are added freely. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Counts Rows Played Checker Deck.
Import ListNotations.

Section Plays.

Variable k : nat.
Variable after : option card.
Variable hand : list card.
Variable supply : list (card * nat).

Definition wild (o : card * nat) : bool := universal k (fst o).

Definition hand_cards : list card := filter (fun c => negb (universal k c)) hand.
Definition offers : list (card * nat) := filter (fun o => negb (wild o)) supply.
Definition pile_counts : bool :=
  match after with Some p => negb (universal k p) | None => false end.
Definition drawn_cards : list card := hand_cards ++ map fst offers.
Definition deck : list card :=
  drawn_cards ++ match after with Some p => if universal k p then [] else [p] | None => [] end.

(** What a better answer is: with as many freely added cards, as many cards of the hand, and as
    low costs. *)
Variable most_added : nat.
Variable least : option nat.
Variable most_cost : option nat.

Record better_play (played left : list card) (chosen rest : list (card * nat)) (extra s : list card)
    : Prop := {
  of_hand : Permutation (played ++ left) hand;
  of_supply : Permutation (chosen ++ rest) supply;
  in_order : Permutation s (played ++ map fst chosen ++ extra);
  rules : feasible k (on_pile after s);
  few_extra : length extra <= most_added;
  no_rest : least = None -> left = [];
  long : forall n, least = Some n -> n + length (filter (universal k) hand) <= length played;
  low_cost : forall b, most_cost = Some b -> list_sum (map snd chosen) <= b
}.

Definition problem_of (hubs_count : nat) (price : hub -> nat) (toll : option nat) : problem :=
  Problem (length hand_cards) (map snd offers) (map snd (filter wild supply)) pile_counts hubs_count
    (1 + length (filter (universal k) hand) + most_added) least most_cost price toll.

Variable p : problem.
Hypothesis Is : exists n price toll, p = problem_of n price toll.

Lemma drawn_is : drawn p = length drawn_cards.
Proof.
  destruct Is as [n [pr [t ->]]]. unfold drawn, drawn_cards. simpl.
  now rewrite app_length, !map_length.
Qed.

Lemma cards_is : cards p = length deck.
Proof.
  unfold cards. rewrite drawn_is. destruct Is as [n [pr [t ->]]]. unfold deck. simpl.
  rewrite app_length. unfold pile_counts. destruct after as [q|]; [destruct (universal k q)|]; auto.
Qed.

Lemma drawn_nth : forall i, i < length drawn_cards -> nth i deck [] = nth i drawn_cards [].
Proof. intros i L. unfold deck. now apply app_nth1. Qed.

Lemma hand_nth : forall i, i < length hand_cards -> nth i deck [] = nth i hand_cards [].
Proof.
  intros i L. unfold deck, drawn_cards. rewrite !app_nth1; auto. rewrite app_length. lia.
Qed.

Lemma offer_nth :
  forall i, length hand_cards <= i < length drawn_cards ->
  nth i deck [] = fst (nth (i - length hand_cards) offers ([], 0)).
Proof.
  intros i L. rewrite drawn_nth by lia. unfold drawn_cards in *. rewrite app_nth2 by lia.
  apply map_fst_nth.
Qed.

Lemma filters_split :
  forall A (f : A -> bool) a b l, Permutation (a ++ b) l ->
  Permutation (kept f a ++ kept f b) (kept f l)
  /\ Permutation (filter f a ++ filter f b) (filter f l).
Proof.
  intros A f a b l P. rewrite <- kept_app, <- filter_app.
  split; [apply (filter_permutation _ _ _ _ P)|now apply filter_permutation].
Qed.

(** ** Tags: a card that is kept has its number *)

Local Notation tagged := (card * option nat)%type (only parsing).
Definition untagged (a : tagged) : bool := match snd a with None => true | Some _ => false end.
Definition number_of (a : tagged) : nat := match snd a with Some i => i | None => 0 end.
Definition with_number (i : nat) : tagged := (nth i deck [], Some i).
Definition near_number (i j : nat) : bool := matches k (nth i deck []) (nth j deck []).

(** The card is what its number says. *)
Definition right (a : tagged) : Prop := forall i, snd a = Some i -> fst a = nth i deck [].

Lemma chain_numbers :
  forall l, Forall right l -> Forall (fun a => untagged a = false) l ->
  chain (fun a b => matches k (fst a) (fst b)) l -> chain near_number (map number_of l).
Proof.
  induction l as [|a l IH]; intros R T C; [exact I|].
  inversion R as [|? ? Ra R']; subst. inversion T as [|? ? Ta T']; subst.
  destruct l as [|b l]; [exact I|]. destruct C as [M C].
  inversion R' as [|? ? Rb _]; subst. inversion T' as [|? ? Tb _]; subst.
  split; [|apply IH; auto].
  unfold near_number, number_of, untagged, right in *.
  destruct (snd a) as [i|]; [|discriminate]. destruct (snd b) as [j|]; [|discriminate].
  now rewrite <- (Ra i eq_refl), <- (Rb j eq_refl).
Qed.

Lemma number_chains :
  forall t, Forall right t -> chain (fun a b => matches k (fst a) (fst b)) t ->
  Forall (chain near_number) (map (map number_of) (cut untagged t)).
Proof.
  intros t R C. pose proof (cut_chains _ _ untagged t C) as Ch.
  rewrite Forall_forall in *. intros l I. apply in_map_iff in I. destruct I as [q [<- I]].
  assert (In' : forall a, In a q -> In a t /\ untagged a = false).
  { intros a Ia. assert (K : In a (kept untagged t)).
    { rewrite <- cut_concat. apply in_concat. eauto. }
    apply filter_In in K. destruct K as [K U]. split; auto. now apply negb_true_iff. }
  apply chain_numbers; auto; apply Forall_forall; intros a Ia; apply In' in Ia; destruct Ia; auto.
Qed.

Lemma tags_kept : forall is, kept untagged (map with_number is) = map with_number is
  /\ filter untagged (map with_number is) = [].
Proof.
  induction is as [|i is [IH IH']]; auto. unfold kept in *. simpl. now rewrite IH, IH'.
Qed.

Lemma removed_tags : forall cs, kept untagged (removed_of cs) = []
  /\ filter untagged (removed_of cs) = removed_of cs.
Proof.
  induction cs as [|c cs [IH IH']]; auto. unfold kept in *. simpl. now rewrite IH, IH'.
Qed.

Lemma numbers_back : forall is, map number_of (map with_number is) = is.
Proof. intros is. rewrite map_map. apply map_id. Qed.

(** The order of play with tags: the numbered cards, and the others. *)
Lemma tagged_order :
  forall s is others, Permutation s (map (fun i => nth i deck []) is ++ others) ->
  exists t, map fst t = s /\ Forall right t
    /\ Permutation (map number_of (kept untagged t)) is
    /\ Permutation (map fst (filter untagged t)) others.
Proof.
  intros s is others P. set (whole := map with_number is ++ removed_of others).
  assert (First : map fst whole = map (fun i => nth i deck []) is ++ others).
  { unfold whole. rewrite map_app, removed_first, map_map. reflexivity. }
  rewrite <- First in P. destruct (Permutation_map_inv _ _ P) as [t [-> Q]].
  exists t. destruct (tags_kept is) as [Ka Fa], (removed_tags others) as [Kb Fb].
  split; [reflexivity|]. split; [|split].
  - apply Forall_forall. intros a I i Si. apply (Permutation_in _ (Permutation_sym Q)) in I.
    apply in_app_or in I. destruct I as [I|I]; apply in_map_iff in I; destruct I as [x [<- _]].
    + simpl in *. now inversion Si.
    + discriminate.
  - apply Permutation_sym. rewrite <- (numbers_back is) at 1.
    replace (map with_number is) with (kept untagged whole).
    + now apply Permutation_map, filter_permutation.
    + unfold whole. rewrite kept_app, Ka, Kb. apply app_nil_r.
  - apply Permutation_sym.
    eapply Permutation_trans; [|apply Permutation_map, filter_permutation, Q].
    unfold whole. rewrite filter_app, Fa, Fb. cbn [app]. rewrite removed_first.
    apply Permutation_refl.
Qed.

(** The numbers of the cards that are played, and of the universal ones that are added. *)
Lemma numbers :
  forall played left chosen rest extra s,
  better_play played left chosen rest extra s ->
  exists is js ks ls ws us,
    Permutation (is ++ js) (seq 0 (length hand_cards))
    /\ map (fun i => nth i deck []) is = kept (universal k) played
    /\ length js = length (kept (universal k) left)
    /\ Permutation (ks ++ ls) (seq (length hand_cards) (length offers))
    /\ map (fun i => nth i deck []) ks = map fst (kept wild chosen)
    /\ list_sum (map (fun x => nth (x - length hand_cards) (map snd offers) 0) ks)
       = list_sum (map snd (kept wild chosen))
    /\ Permutation (ws ++ us) (seq 0 (length (filter wild supply)))
    /\ length ws = length (filter wild chosen)
    /\ list_sum (map (fun x => nth (x - 0) (map snd (filter wild supply)) 0) ws)
       = list_sum (map snd (filter wild chosen)).
Proof.
  intros played left chosen rest extra s B.
  destruct (filters_split _ (universal k) _ _ _ (of_hand _ _ _ _ _ _ B)) as [Ph _].
  destruct (filters_split _ wild _ _ _ (of_supply _ _ _ _ _ _ B)) as [Po Pw].
  destruct (places _ [] 0 _ _ _ Ph) as [is [js [Pi [Mi Lj]]]].
  destruct (places _ ([], 0) (length hand_cards) _ _ _ Po) as [ks [ls [Pk [Mk _]]]].
  destruct (places _ ([], 0) 0 _ _ _ Pw) as [ws [us [Pu [Mw _]]]].
  exists is, js, ks, ls, ws, us. repeat split; auto.
  - rewrite <- Mi. apply map_ext_in. intros i I. rewrite Nat.sub_0_r. apply hand_nth.
    assert (J : In i (seq 0 (length hand_cards))).
    { apply (Permutation_in _ Pi), in_or_app. auto. }
    apply in_seq in J. lia.
  - rewrite <- Mk, map_map. apply map_ext_in. intros i I. apply offer_nth.
    assert (J : In i (seq (length hand_cards) (length offers))).
    { apply (Permutation_in _ Pk), in_or_app. auto. }
    apply in_seq in J. unfold drawn_cards. rewrite app_length, map_length. lia.
  - rewrite <- Mk, map_map. f_equal. apply map_ext. intros x. apply map_snd_nth.
  - now rewrite <- Mw, map_length.
  - rewrite <- Mw, map_map. f_equal. apply map_ext. intros x. apply map_snd_nth.
Qed.

Lemma number_members :
  forall is js i n (f : nat -> bool), Permutation (is ++ js) (seq i n) ->
  (forall x, In x is -> f x = true) -> length is <= number f (seq i n).
Proof.
  intros is js i n f P F. unfold number. apply NoDup_incl_length.
  - assert (N : NoDup (is ++ js)) by (apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup).
    clear -N. induction is as [|x is IH]; [constructor|]. inversion N; subst. constructor; auto.
    intros I. match goal with H : ~ _ |- _ => apply H end. apply in_or_app. auto.
  - intros x I. apply filter_In. split; auto. apply (Permutation_in _ P), in_or_app. auto.
Qed.

Lemma kept_filter_length :
  forall A (f : A -> bool) l, length l = length (kept f l) + length (filter f l).
Proof.
  intros A f l. unfold kept. induction l as [|a l IH]; simpl; auto. destruct (f a); simpl; lia.
Qed.

(** A play that is better gives sequences of numbers, on any hubs that cards share which match. *)
Theorem better_numbers :
  forall at_, (forall i j, i < length deck -> j < length deck -> near_number i j = true ->
    shares nat at_ i j = true) ->
  forall played left chosen rest extra s, better_play played left chosen rest extra s ->
  exists ss added, better at_ p ss added.
Proof.
  intros at_ Sh played left chosen rest extra s B.
  destruct (numbers _ _ _ _ _ _ B) as
    [is [js [ks [ls [ws [us [Pi [Mi [Lj [Pk [Mk [Ck [Pw [Lw Cw]]]]]]]]]]]]]].
  destruct B as [Oh Os Or Ru Fe Nr Lo Lc].
  set (others := filter (universal k) played ++ map fst (filter wild chosen) ++ extra).
  assert (Order : Permutation s (map (fun i => nth i deck []) (is ++ ks) ++ others)).
  { eapply Permutation_trans; [exact Or|]. rewrite map_app, Mi, Mk. unfold others.
    rewrite (split_filter _ (universal k) played) at 1.
    rewrite (split_filter _ wild chosen) at 1. rewrite map_app. unfold kept.
    rewrite <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc.
    apply Permutation_app_tail. rewrite <- !app_assoc. rewrite Permutation_app_comm.
    rewrite <- !app_assoc. apply Permutation_app_head, Permutation_app_comm. }
  destruct (tagged_order s (is ++ ks) others Order) as [t [Et [Rt [Kt Ut]]]].
  apply Permutation_length in Ut. rewrite map_length in Ut.
  assert (Concat : Permutation (concat (map (map number_of) (cut untagged t))) (is ++ ks)).
  { rewrite <- concat_map, cut_concat. exact Kt. }
  assert (All : Permutation ((is ++ ks) ++ (js ++ ls)) (seq 0 (length drawn_cards))).
  { unfold drawn_cards. rewrite app_length, map_length, seq_app. cbn [Nat.add].
    rewrite <- Pi, <- Pk. rewrite <- !app_assoc. apply Permutation_app_head.
    rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
  assert (Drawn : forall i, In i (concat (map (map number_of) (cut untagged t))) ->
    i < length drawn_cards).
  { intros i I. apply (Permutation_in _ Concat) in I.
    assert (J : In i (seq 0 (length drawn_cards))).
    { apply (Permutation_in _ All), in_or_app. auto. }
    apply in_seq in J. lia. }
  assert (Deck' : length drawn_cards <= length deck) by (unfold deck; rewrite app_length; lia).
  exists (map (map number_of) (cut untagged t)), (fun w => member w ws).
  constructor.
  - unfold on_the_pile. rewrite drawn_is.
    assert (Pile : pile p = pile_counts) by (destruct Is as [n [pr [tl ->]]]; reflexivity).
    rewrite Pile. destruct (cut_some _ untagged t) as [q [qs Cu]].
    assert (Near : Forall (chain near_number) (if pile_counts
      then (length drawn_cards :: map number_of q) :: map (map number_of) qs
      else map (map number_of) (q :: qs))).
    { assert (Ct : chain (fun a b => matches k (fst a) (fst b)) t).
      { apply (chain_map _ card fst). rewrite Et. destruct after; [now apply chain_tail in Ru|].
        exact Ru. }
      unfold pile_counts. destruct after as [c|] eqn:Ea;
        [destruct (universal k c) eqn:Uc|]; cbn [negb];
        try (rewrite <- Cu; now apply number_chains).
      set (whole := (c, Some (length drawn_cards)) :: t).
      assert (Rw : Forall right whole).
      { constructor; auto. intros i Ei. inversion Ei. subst i. simpl. unfold deck. rewrite Ea, Uc.
        now rewrite app_nth2, Nat.sub_diag by lia. }
      assert (Ch : chain (fun a b => matches k (fst a) (fst b)) whole).
      { apply (chain_map _ card fst). unfold whole. simpl map. rewrite Et. exact Ru. }
      pose proof (number_chains whole Rw Ch) as Nc. unfold whole in Nc. simpl in Nc.
      rewrite Cu in Nc. exact Nc. }
    rewrite Cu in *. cbn [map] in *.
    assert (Bound : forall l i, In l (if pile_counts
      then (length drawn_cards :: map number_of q) :: map (map number_of) qs
      else map number_of q :: map (map number_of) qs) -> In i l -> i < length deck).
    { intros l i Il Ii.
      assert (Lp : pile_counts = true -> length drawn_cards < length deck).
      { unfold pile_counts, deck. destruct after as [c|]; [|discriminate].
        destruct (universal k c); [discriminate|]. rewrite app_length. simpl. lia. }
      destruct pile_counts.
      - destruct Il as [<-|Il].
        + destruct Ii as [<-|Ii]; [auto|]. eapply Nat.lt_le_trans; [apply Drawn|exact Deck'].
          simpl. apply in_or_app. auto.
        + eapply Nat.lt_le_trans; [apply Drawn|exact Deck'].
          simpl. apply in_or_app. right. apply in_concat. eauto.
      - eapply Nat.lt_le_trans; [apply Drawn|exact Deck'].
        change (In i (concat (map number_of q :: map (map number_of) qs))). apply in_concat.
        eauto. }
    assert (Weak : forall l, chain near_number l -> (forall i, In i l -> i < length deck) ->
      chain (shares nat at_) l).
    { intros l C Bl. apply (chain_weaken nat near_number); auto. }
    rewrite Forall_forall in *. intros l Il. apply Weak.
    + apply Near. destruct pile_counts; exact Il.
    + intros i Ii. now apply (Bound l i).
  - apply (Permutation_NoDup (Permutation_sym Concat)).
    assert (N : NoDup ((is ++ ks) ++ js ++ ls)).
    { apply (Permutation_NoDup (Permutation_sym All)), seq_NoDup. }
    clear -N. induction (is ++ ks) as [|x l IH]; [constructor|]. inversion N; subst.
    constructor; auto. intros I. match goal with H : ~ _ |- _ => apply H end.
    apply in_or_app. auto.
  - intros i I. rewrite drawn_is. now apply Drawn.
  - intros Le c L. assert (least = None) by (destruct Is as [n [pr [tl ->]]]; exact Le).
    rewrite (Nr H) in Lj. destruct js; [|discriminate]. rewrite app_nil_r in Pi.
    apply (Permutation_in _ (Permutation_sym Concat)), in_or_app. left.
    apply (Permutation_in _ (Permutation_sym Pi)), in_seq.
    destruct Is as [n [pr [tl ->]]]. simpl in L. lia.
  - intros n Le. assert (Le' : least = Some n) by (destruct Is as [m [pr [tl ->]]]; exact Le).
    assert (Held : held p = length hand_cards) by (destruct Is as [m [pr [tl ->]]]; reflexivity).
    rewrite Held. eapply Nat.le_trans; [|apply (number_members is js); [exact Pi|]].
    + specialize (Lo n Le'). rewrite <- (map_length (fun i => nth i deck []) is), Mi.
      pose proof (kept_filter_length _ (universal k) played).
      destruct (filters_split _ (universal k) _ _ _ Oh) as [_ Pu].
      apply Permutation_length in Pu. rewrite app_length in Pu. lia.
    + intros x I. apply member_spec, (Permutation_in _ (Permutation_sym Concat)), in_or_app. auto.
  - rewrite map_length, cut_length, Ut. unfold others. rewrite !app_length, map_length.
    destruct (filters_split _ (universal k) _ _ _ Oh) as [_ Pu].
    apply Permutation_length in Pu. rewrite app_length in Pu.
    assert (Nw : length ws <= number (fun w => member w ws)
      (seq 0 (length (filter wild supply)))).
    { apply (number_members ws us); auto. intros x I. now apply member_spec. }
    destruct Is as [n [pr [tl ->]]]. simpl. rewrite map_length. lia.
  - intros _ E. apply map_eq_nil in E. destruct (cut_some _ untagged t) as [q [qs Cu]]. congruence.
  - intros b Eb. assert (Eb' : most_cost = Some b) by (destruct Is as [n [pr [tl ->]]]; exact Eb).
    specialize (Lc b Eb').
    assert (Sum : list_sum (map snd chosen)
      = list_sum (map snd (kept wild chosen)) + list_sum (map snd (filter wild chosen))).
    { rewrite <- list_sum_app, <- map_app. apply list_sum_permutation, Permutation_map.
      apply split_filter. }
    rewrite <- Ck, <- Cw in Sum.
    assert (Wp : wild_prices p = map snd (filter wild supply)
      /\ prices p = map snd offers /\ held p = length hand_cards).
    { destruct Is as [n [pr [tl ->]]]. auto. }
    destruct Wp as [-> [-> ->]].
    pose proof (total_price_places (map snd (filter wild supply)) 0 (fun w => member w ws) ws us)
      as Tw.
    rewrite map_length in Tw. specialize (Tw Pw (fun x _ M => proj1 (member_spec x ws) M)).
    pose proof (total_price_places (map snd offers) (length hand_cards)
      (fun c => member c (concat (map (map number_of) (cut untagged t)))) ks ls) as Tk.
    rewrite map_length in Tk. assert (Tk' := Tk Pk). clear Tk.
    assert (Tk : forall x, length hand_cards <= x < length hand_cards + length offers ->
      member x (concat (map (map number_of) (cut untagged t))) = true -> In x ks).
    { intros x Rx M. apply member_spec, (Permutation_in _ Concat), in_app_or in M.
      destruct M as [M|M]; auto. exfalso.
      assert (J : In x (seq 0 (length hand_cards))).
      { apply (Permutation_in _ Pi), in_or_app. auto. }
      apply in_seq in J. lia. }
    specialize (Tk' Tk). lia.
Qed.

End Plays.
