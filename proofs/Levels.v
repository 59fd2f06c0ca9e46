(** Trails with prices: how many added cards a play needs, where joining two cards may take several.

    Two cards that differ in at most [(j + 1) step] attributes, where [step] is the number of
    attributes that may change at a time, are joined by [j] added cards, and by no fewer.  So a hub
    with the price [j] may stand for [j] added cards between any two cards that lie on it.  A play
    walks from hub to hub with its cards, and each card of the hand has a visited hub without a
    price, or ends at one that has.  Half the prices of all ends add up to the number of added
    cards, or less. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Counts Rows Played Checker Deck Plays.
Import ListNotations.

(** ** How far two cards are apart *)

(** The number of attributes in which two cards disagree. *)
Fixpoint differing (c d : card) : nat :=
  match c, d with
  | a :: c', b :: d' => (if agree a b then 0 else 1) + differing c' d'
  | _, _ => 0
  end.

Lemma differing_matches :
  forall k n c d, length c = n -> length d = n -> matches k c d = true -> differing c d <= n - k.
Proof.
  intros k n c d Lc Ld M. unfold matches in M. apply Nat.leb_le in M.
  enough (agreeing c d + differing c d = n) by lia.
  clear M. revert d n Lc Ld. induction c as [|a c IH]; intros [|b d] n Lc Ld; simpl in *; try lia.
  specialize (IH d (length c) eq_refl ltac:(lia)). destruct (agree a b); lia.
Qed.

Lemma differing_self : forall c, differing c c = 0.
Proof.
  induction c as [|[x|] c IH]; simpl; auto. now rewrite Nat.eqb_refl.
Qed.

(** A card without wild attributes lies between two others. *)
Lemma differing_between :
  forall c x d, plain x -> length c = length x -> length d = length x ->
  differing c d <= differing c x + differing x d.
Proof.
  induction c as [|a c IH]; intros [|v x] [|b d] P Lc Ld; simpl in *; try lia.
  inversion P as [|? ? Pv Px]; subst. specialize (IH x d Px ltac:(lia) ltac:(lia)).
  destruct v as [v|]; [|congruence].
  destruct a as [a|], b as [b|]; simpl; try lia;
    repeat match goal with |- context [?y =? ?z] => destruct (Nat.eqb_spec y z) end; subst;
    try congruence; lia.
Qed.

(** ** Hubs with prices *)

Section Priced.

(** The number of attributes that may change at a time. *)
Variable changes : nat.
Variable at_ : nat -> list hub.
Variable price : hub -> nat.

(** Two cards that differ so much are joined by as many added cards as the hub costs, or more. *)
Definition affordable (apart : nat) (h : hub) : bool :=
  (price h =? 0) || (price h * changes <? apart).

(** Two cards share a hub without a price, or two hubs at which they may be joined, so that a card
    can be walked from one to the other. *)
Definition joined (i j apart : nat) : bool :=
  existsb (fun h => (price h =? 0) && member h (at_ j)) (at_ i)
  || (2 <=? length (filter (fun h => affordable apart h && member h (at_ j)) (at_ i))).

Lemma joined_spec :
  forall i j apart x n, NoDup (at_ i) -> joined i j apart = true -> apart <= S n * changes ->
  exists y, In y (at_ i) /\ In y (at_ j) /\ price y <= n /\ (x = y -> price y = 0).
Proof.
  intros i j apart x n N J A. apply orb_true_iff in J. destruct J as [J|J].
  - apply existsb_exists in J. destruct J as [y [I J]]. apply andb_true_iff in J.
    destruct J as [F M]. apply Nat.eqb_eq in F. apply member_spec in M. exists y.
    repeat split; auto. lia.
  - apply Nat.leb_le in J.
    assert (Good : forall y,
      In y (filter (fun h => affordable apart h && member h (at_ j)) (at_ i)) ->
      In y (at_ i) /\ In y (at_ j) /\ price y <= n).
    { intros y I. apply filter_In in I. destruct I as [I G]. apply andb_true_iff in G.
      destruct G as [G M]. apply member_spec in M. repeat split; auto. unfold affordable in G.
      apply orb_true_iff in G. destruct G as [G|G]; [apply Nat.eqb_eq in G; lia|].
      apply Nat.ltb_lt in G. assert (price y * changes < S n * changes) by lia. nia. }
    pose proof (NoDup_filter (fun h => affordable apart h && member h (at_ j)) N) as Nf.
    destruct (filter _ (at_ i)) as [|y [|z l]]; simpl in J; try lia.
    destruct (Nat.eq_dec x y) as [->|Ne].
    + destruct (Good z ltac:(simpl; auto)) as [Iz [Jz Pz]]. exists z. repeat split; auto.
      intros ->. inversion Nf as [|? ? Out _]. exfalso. apply Out. simpl. auto.
    + destruct (Good y ltac:(simpl; auto)) as [Iy [Jy Py]]. exists y. repeat split; auto.
      intros; contradiction.
Qed.

(** ** The trail of a piece *)

(** What the ends of the walked cards of a trail cost. *)
Fixpoint trail_price (x : hub) (l : list (step nat)) : nat :=
  match l with
  | [] => 0
  | (_, y) :: rest => (if x =? y then 0 else price x + price y) + trail_price y rest
  end.

(** A card that is not walked stays at a hub without a price. *)
Fixpoint free_stays (x : hub) (l : list (step nat)) : Prop :=
  match l with
  | [] => True
  | (_, y) :: rest => (x = y -> price y = 0) /\ free_stays y rest
  end.

(** The cards of a piece: those of the deck have numbers, and the others are added. *)
Variable k : nat.
Variable deck : list card.
Hypothesis Wide : Forall (fun c => length c = k + changes) deck.
Hypothesis Once : forall i, i < length deck -> NoDup (at_ i).
Hypothesis Joined : forall i j, i < length deck -> j < length deck ->
  joined i j (differing (nth i deck []) (nth j deck [])) = true.

Definition of_deck (a : card * option nat) : Prop :=
  match snd a with
  | Some i => i < length deck /\ fst a = nth i deck []
  | None => plain (fst a) /\ length (fst a) = k + changes
  end.

Lemma wide_nth : forall i, i < length deck -> length (nth i deck []) = k + changes.
Proof. intros i L. rewrite Forall_forall in Wide. apply Wide. now apply nth_In. Qed.

Lemma free_hub : forall i, i < length deck -> exists h, In h (at_ i) /\ price h = 0.
Proof.
  intros i L. destruct (joined_spec i i _ 0 0 (Once i L) (Joined i i L L)) as [y [I [_ [P _]]]].
  - rewrite differing_self. lia.
  - exists y. split; auto. lia.
Qed.

Lemma piece_walk :
  forall q c x last j, c < length deck -> In x (at_ c) -> length last = k + changes ->
  plain last \/ last = nth c deck [] -> differing (nth c deck []) last <= j * changes ->
  Forall of_deck q -> feasible k (last :: map fst q) ->
  exists l, map fst l = c :: map number_of (kept untagged q) /\ valid nat at_ x l
    /\ free_stays x l /\ trail_price x l <= price x + 2 * (j + length (filter untagged q)).
Proof.
  induction q as [|[a tag] q IH]; intros c x last j Lc X Ll Or D Q F.
  - destruct (free_hub c Lc) as [y [Y P]]. exists [(c, y)]. simpl. repeat split; auto.
    destruct (x =? y); lia.
  - inversion Q as [|? ? Qa Q']; subst. destruct F as [M F]. cbn [map fst] in F.
    assert (La : length a = k + changes).
    { unfold of_deck in Qa. cbn [fst snd] in Qa. destruct tag as [i|]; [|tauto].
      destruct Qa as [Li ->]. now apply wide_nth. }
    pose proof (differing_matches _ _ _ _ Ll La M) as Near.
    assert (Far : differing (nth c deck []) a <= S j * changes).
    { destruct Or as [P| ->]; [|simpl; lia].
      pose proof (differing_between (nth c deck []) last a P) as B.
      rewrite (wide_nth c Lc), Ll, La in B. specialize (B eq_refl eq_refl). simpl. lia. }
    destruct tag as [i|]; unfold of_deck in Qa; cbn [fst snd] in Qa.
    + destruct Qa as [Li ->].
      destruct (joined_spec c i _ x j (Once c Lc) (Joined c i Lc Li) Far)
        as [y [Yc [Yi [Py Same]]]].
      destruct (IH i y (nth i deck []) 0) as [l [El [Vl [Fl Pl]]]]; auto.
      { rewrite differing_self. lia. }
      exists ((c, y) :: l). unfold kept, untagged in *. simpl in *. rewrite El.
      repeat split; auto. destruct (Nat.eqb_spec x y) as [E|_]; [specialize (Same E)|]; lia.
    + destruct Qa as [Pa _].
      destruct (IH c x a (S j)) as [l [El [Vl [Fl Pl]]]]; auto.
      exists l. unfold kept, untagged in *. simpl in *. repeat split; auto. lia.
Qed.

Definition trails_price (ts : list (trail nat)) : nat :=
  list_sum (map (fun t => trail_price (fst t) (snd t)) ts).

Lemma trails_price_app : forall ts us, trails_price (ts ++ us) = trails_price ts + trails_price us.
Proof. intros ts us. unfold trails_price. now rewrite map_app, list_sum_app. Qed.

(** Trails that play some numbered cards, and what their ends cost beside [paid]. *)
Record walked_as (ts : list (trail nat)) (cards : list nat) (paid added : nat) : Prop := {
  are_valid : Forall (fun t => valid nat at_ (fst t) (snd t)) ts;
  stay_free : Forall (fun t => free_stays (fst t) (snd t)) ts;
  start_on : forall t, In t ts -> exists i, i < length deck /\ In (fst t) (at_ i);
  of_cards : steps_cards ts = cards;
  cheap_ends : paid + trails_price ts <= 2 * added
}.

Lemma piece_trails :
  forall q, Forall of_deck q -> feasible k (map fst q) ->
  exists ts, length ts <= 1
    /\ walked_as ts (map number_of (kept untagged q)) 0 (length (filter untagged q)).
Proof.
  induction q as [|[a [i|]] q IH]; intros Q F.
  - exists []. split; [simpl; auto|]. constructor; simpl; auto. intros t [].
  - inversion Q as [|? ? Qa Q']; subst. destruct Qa as [Li Ea]. cbn [fst] in Ea. subst a.
    destruct (free_hub i Li) as [x [X P]].
    destruct (piece_walk q i x (nth i deck []) 0) as [l [El [Vl [Fl Pl]]]]; auto.
    { now apply wide_nth. }
    { rewrite differing_self. lia. }
    exists [(x, l)]. split; auto. constructor; simpl; auto.
    + intros t [<-|[]]. eauto.
    + unfold steps_cards. simpl. now rewrite app_nil_r.
    + unfold trails_price. simpl in *. lia.
  - inversion Q as [|? ? _ Q']; subst. destruct (IH Q' (chain_tail _ _ _ _ F)) as [ts [L W]].
    exists ts. split; auto. destruct W as [V S B E C]. constructor; auto. simpl. lia.
Qed.

Lemma pieces_trails :
  forall qs, Forall (Forall of_deck) qs -> Forall (fun q => feasible k (map fst q)) qs ->
  exists ts, length ts <= length qs
    /\ walked_as ts (map number_of (kept untagged (concat qs))) 0
         (length (filter untagged (concat qs))).
Proof.
  induction qs as [|q qs IH]; intros Q F.
  - exists []. split; [simpl; auto|]. constructor; simpl; auto. intros t [].
  - inversion Q; subst. inversion F; subst.
    destruct (piece_trails q) as [ts [L [V S B E C]]]; auto.
    destruct IH as [us [L' [V' S' B' E' C']]]; auto.
    exists (ts ++ us). rewrite app_length. simpl. split; [lia|].
    rewrite filter_app, app_length, kept_app, map_app. constructor.
    + apply Forall_app. auto.
    + apply Forall_app. auto.
    + intros t I. apply in_app_or in I. destruct I; auto.
    + rewrite <- E, <- E'. apply flat_map_app.
    + rewrite trails_price_app. lia.
Qed.

(** The same with the card on the pile, which leads to the first hub. *)
Lemma pieces_after_pile :
  forall c q qs, c < length deck -> Forall (Forall of_deck) (q :: qs) ->
  feasible k (nth c deck [] :: map fst q) -> Forall (fun q => feasible k (map fst q)) qs ->
  exists x l ts, length ts <= length qs /\ In x (at_ c)
    /\ walked_as ((x, l) :: ts) (map number_of (kept untagged (concat (q :: qs)))) (price x)
         (length (filter untagged (concat (q :: qs)))).
Proof.
  intros c q qs Lc Q F Fs. inversion Q as [|? ? Qq Qs]; subst.
  destruct (pieces_trails qs Qs Fs) as [ts [L [V S B E C]]].
  destruct (free_hub c Lc) as [x0 [X0 P0]].
  destruct (piece_walk q c x0 (nth c deck []) 0) as [l0 [El [Vl [Fl Pl]]]]; auto.
  { now apply wide_nth. }
  { rewrite differing_self. lia. }
  destruct l0 as [|[d x] l]; [discriminate|]. cbn [map fst] in El. injection El as -> El.
  destruct Vl as [_ [X Vl]]. destruct Fl as [Same Fl].
  exists x, l, ts. split; auto. split; auto. cbn [concat].
  rewrite filter_app, app_length, kept_app, map_app. constructor.
  - constructor; auto.
  - constructor; auto.
  - intros t [<-|I]; eauto.
  - rewrite <- E. unfold steps_cards. cbn [flat_map snd]. exact (f_equal (fun a => a ++ _) El).
  - change (trails_price ((x, l) :: ts)) with (trail_price x l + trails_price ts). simpl in Pl.
    destruct (Nat.eqb_spec x0 x) as [Eq|_]; [specialize (Same Eq)|]; lia.
Qed.

End Priced.

