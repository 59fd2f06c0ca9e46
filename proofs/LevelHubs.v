(** The hubs of all levels, and with them the theorem of priced trails for hands of cards.

    A hub of level [j] is a choice of [k - j changes] attributes with their values; the hub of the
    last level fixes none.  Its price is its level.  A card may have both ends at a hub with a
    price, so there are two copies of each. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Converse Hubs Counts Checker Plays Levels Distances PricedTrails.
Import ListNotations.

(** ** Numbers of places *)

Lemma nth_index : forall known g, In g known -> nth (index g known) known [] = g.
Proof.
  induction known as [|f known IH]; intros g I; [destruct I|]. simpl.
  destruct (place_dec f g) as [E|N]; auto. destruct I as [E|I]; [contradiction|]. now apply IH.
Qed.

Lemma index_below : forall known g, In g known -> index g known < length known.
Proof.
  induction known as [|f known IH]; intros g I; [destruct I|]. simpl.
  destruct (place_dec f g) as [E|N]; [lia|]. destruct I as [E|I]; [contradiction|].
  specialize (IH g I). lia.
Qed.

Lemma map_once :
  forall (A B : Type) (f : A -> B) l, NoDup l ->
  (forall a b, In a l -> In b l -> f a = f b -> a = b) -> NoDup (map f l).
Proof.
  intros A B f l N. induction N as [|a l Out N IH]; intros Inj; simpl; constructor.
  - intros I. apply in_map_iff in I. destruct I as [b [E I]]. apply Out.
    rewrite <- (Inj b a); simpl; auto.
  - apply IH. intros b c Ib Ic. apply Inj; simpl; auto.
Qed.

Lemma app_once :
  forall (A : Type) (l m : list A), NoDup l -> NoDup m -> (forall a, In a l -> ~ In a m) ->
  NoDup (l ++ m).
Proof.
  intros A l m N M Apart. induction N as [|a l Out N IH]; simpl; auto. constructor.
  - intros I. apply in_app_or in I. destruct I as [I|I]; [auto|]. apply (Apart a); simpl; auto.
  - apply IH. intros b I. apply Apart. simpl. auto.
Qed.

Lemma flat_map_once :
  forall (A B : Type) (f : A -> list B) l, NoDup l -> (forall a, In a l -> NoDup (f a)) ->
  (forall a b x, In x (f a) -> In x (f b) -> a = b) -> NoDup (flat_map f l).
Proof.
  intros A B f l N Each Apart. induction N as [|a l Out N IH]; simpl; [constructor|].
  apply app_once; [apply Each; simpl; auto|apply IH; intros b I; apply Each; simpl; auto|].
  intros x X I. apply in_flat_map in I. destruct I as [b [Ib Xb]]. apply Out.
  now rewrite (Apart a b x X Xb).
Qed.

Lemma hubs_once : forall c k i, NoDup (hubs k i c).
Proof.
  induction c as [|a c IH]; intros [|k] i; simpl.
  1, 3: constructor; [intros []|constructor].
  - constructor.
  - apply app_once; auto.
    + destruct a as [x|]; [|constructor]. apply map_once; auto. intros g h _ _ E. congruence.
    + intros h I J. destruct a as [x|]; [|destruct I]. apply in_map_iff in I.
      destruct I as [g [<- _]]. apply hubs_from in J. inversion J. simpl in *. lia.
Qed.

(** ** Hubs of all levels *)

Section LevelHubs.

Variable k changes : nat.
Variable after : option card.
Variable hand : list card.

Local Notation deck := (Plays.deck k after hand []).

Hypothesis Positive : 1 <= k.
Hypothesis Some_change : 1 <= changes.
Hypothesis Wide : Forall (fun c => length c = k + changes) (on_pile after hand).
Hypothesis Plain : Forall (fun c => universal k c = true \/ plain c) (on_pile after hand).

Definition levels : list nat :=
  filter (fun j => (j =? 0) || (pred j * changes <? k)) (seq 0 (S k)).
Definition copies (j : nat) : list nat := if j =? 0 then [0] else [0; 1].

(** The hubs of a card; the level and the copy stand before the attributes. *)
Definition hubs_of_level (c : card) (level_copy : nat * nat) : list place :=
  map (cons level_copy) (hubs (k - fst level_copy * changes) 0 c).
Definition level_copies : list (nat * nat) := flat_map (fun j => map (pair j) (copies j)) levels.
Definition level_hubs (c : card) : list place := flat_map (hubs_of_level c) level_copies.

Definition known_level_hubs : list place := flat_map level_hubs deck.
Definition at_levels (i : nat) : list hub :=
  map (fun h => index h known_level_hubs) (level_hubs (nth i deck [])).
Definition level_of (h : place) : nat := match h with (j, _) :: _ => j | [] => 0 end.
Definition level (h : hub) : nat := level_of (nth h known_level_hubs []).
Definition start : hub := length known_level_hubs.

Lemma deck_card :
  forall i, i < length deck -> plain (nth i deck []) /\ length (nth i deck []) = k + changes.
Proof.
  intros i L. split; [|exact (wide_card k changes after hand Wide i L)].
  pose proof (nth_In deck [] L) as I. set (c := nth i deck []) in *. clearbody c.
  unfold Plays.deck, Plays.drawn_cards, Plays.offers in I. simpl in I. rewrite app_nil_r in I.
  apply in_app_or in I. rewrite Forall_forall in Plain. destruct I as [I|I].
  - apply filter_In in I. destruct I as [I U]. apply negb_true_iff in U.
    destruct (Plain c) as [V|P]; auto; [|congruence]. destruct after; simpl; auto.
  - destruct after as [p|]; [|destruct I]. destruct (universal k p) eqn:U; [destruct I|].
    destruct I as [<-|[]]. destruct (Plain p) as [V|P]; simpl; auto. congruence.
Qed.

Lemma known : forall i h, i < length deck -> In h (level_hubs (nth i deck [])) ->
  In h known_level_hubs.
Proof.
  intros i h L I. apply in_flat_map. exists (nth i deck []). split; auto. now apply nth_In.
Qed.

Lemma at_levels_place :
  forall i h, i < length deck -> In h (at_levels i) ->
  exists g, h = index g known_level_hubs /\ In g (level_hubs (nth i deck [])).
Proof. intros i h L I. apply in_map_iff in I. destruct I as [g [<- G]]. eauto. Qed.

Lemma level_hubs_from :
  forall c g, In g (level_hubs c) ->
  exists j copy p, g = (j, copy) :: p /\ In p (hubs (k - j * changes) 0 c).
Proof.
  intros c g I. apply in_flat_map in I. destruct I as [[j copy] [J I]].
  apply in_map_iff in I. destruct I as [p [<- P]]. eauto.
Qed.

Lemma level_hubs_once : forall c, NoDup (level_hubs c).
Proof.
  intros c. apply flat_map_once.
  - apply flat_map_once.
    + apply NoDup_filter, seq_NoDup.
    + intros j _. apply map_once; [|intros; congruence].
      unfold copies. destruct (j =? 0); repeat constructor; simpl; intuition lia.
    + intros a b [j copy] I J. apply in_map_iff in I, J.
      destruct I as [? [I _]], J as [? [J _]]. congruence.
  - intros a _. apply map_once; [apply hubs_once|]. intros; congruence.
  - intros a b x I J. apply in_map_iff in I, J. destruct I as [? [I _]], J as [? [J _]]. congruence.
Qed.

Lemma at_levels_once : forall i, i < length deck -> NoDup (at_levels i).
Proof.
  intros i L. apply map_once; [apply level_hubs_once|]. intros g h G H.
  apply index_injective; apply (known i); auto.
Qed.

Lemma near_levels :
  forall i j h, i < length deck -> j < length deck -> In h (at_levels i) -> In h (at_levels j) ->
  differing (nth i deck []) (nth j deck []) <= S (level h) * changes.
Proof.
  intros i j h Li Lj I J. destruct (at_levels_place i h Li I) as [g [-> G]].
  destruct (at_levels_place j _ Lj J) as [g' [E G']].
  apply index_injective in E; [|exact (known i g Li G)|exact (known j g' Lj G')]. subst g'.
  unfold level. rewrite nth_index by exact (known i g Li G).
  destruct (level_hubs_from _ _ G) as [l [copy [p [-> Pi]]]].
  destruct (level_hubs_from _ _ G') as [l' [copy' [p' [E' Pj]]]].
  injection E' as <- <- <-. cbn [level_of].
  destruct (deck_card i Li) as [Ci Wi], (deck_card j Lj) as [Cj Wj].
  assert (A : k - l * changes <= agreeing (nth i deck []) (nth j deck [])).
  { apply (common_hub _ _ _ 0 Ci Cj); [congruence|]. eauto. }
  pose proof (agreeing_differing _ _ (eq_trans Wi (eq_sym Wj))) as Sum. simpl. lia.
Qed.

Lemma joined_levels :
  forall i j, i < length deck -> j < length deck ->
  joined changes at_levels level i j (differing (nth i deck []) (nth j deck [])) = true.
Proof.
  intros i j Li Lj. set (apart := differing (nth i deck []) (nth j deck [])).
  destruct (deck_card i Li) as [Ci Wi], (deck_card j Lj) as [Cj Wj].
  pose proof (agreeing_differing _ _ (eq_trans Wi (eq_sym Wj))) as Sum. fold apart in Sum.
  assert (Share : forall l, apart <= S l * changes -> exists p, forall copy,
    In (l, copy) level_copies ->
    In (index ((l, copy) :: p) known_level_hubs) (at_levels i)
    /\ In (index ((l, copy) :: p) known_level_hubs) (at_levels j)
    /\ level (index ((l, copy) :: p) known_level_hubs) = l
    /\ In ((l, copy) :: p) known_level_hubs).
  { intros l A. assert (K : k - l * changes <= agreeing (nth i deck []) (nth j deck [])).
    { simpl in A. lia. }
    apply (common_hub _ _ _ 0 Ci Cj ltac:(congruence)) in K. destruct K as [p [Pi Pj]].
    exists p. intros copy I.
    assert (In' : forall c, In p (hubs (k - l * changes) 0 c) ->
      In ((l, copy) :: p) (level_hubs c)).
    { intros c P. apply in_flat_map. exists (l, copy). split; auto. now apply in_map. }
    assert (Kn : In ((l, copy) :: p) known_level_hubs) by exact (known i _ Li (In' _ Pi)).
    repeat split; auto.
    - apply (in_map (fun h => index h known_level_hubs)). auto.
    - apply (in_map (fun h => index h known_level_hubs)). auto.
    - unfold level. now rewrite nth_index. }
  unfold joined. apply orb_true_iff. destruct (le_lt_dec apart changes) as [Close|Far].
  - left. destruct (Share 0) as [p P]; [lia|]. destruct (P 0) as [I [J [L _]]].
    + apply in_flat_map. exists 0. split; [|simpl; auto]. apply filter_In. simpl. auto.
    + apply existsb_exists. eexists. split; [exact I|]. rewrite L. simpl. now apply member_spec.
  - right. set (l := (apart - 1) / changes).
    pose proof (Nat.div_mod (apart - 1) changes ltac:(lia)) as Div. fold l in Div.
    pose proof (Nat.mod_upper_bound (apart - 1) changes ltac:(lia)) as Mod.
    assert (Pos : 1 <= l) by nia.
    assert (Up : apart <= S l * changes) by nia.
    destruct (Share l Up) as [p P].
    assert (Lev : In l levels).
    { apply filter_In. split.
      - apply in_seq. destruct l as [|l]; nia.
      - apply orb_true_iff. right. apply Nat.ltb_lt. destruct l as [|l]; simpl; nia. }
    assert (Copy : forall copy, In copy [0; 1] -> In (l, copy) level_copies).
    { intros copy I. apply in_flat_map. exists l. split; auto. apply in_map. unfold copies.
      rewrite (proj2 (Nat.eqb_neq l 0)) by lia. exact I. }
    set (f := fun copy => index ((l, copy) :: p) known_level_hubs).
    apply Nat.leb_le. change 2 with (length (map f [0; 1])). apply NoDup_incl_length.
    + apply map_once.
      * repeat constructor; simpl; intuition lia.
      * intros a b A B E. apply index_injective in E; [congruence| |]; apply P; auto.
    + intros h I. apply in_map_iff in I. destruct I as [copy [<- I]].
      destruct (P copy (Copy copy I)) as [Hi [Hj [L _]]]. apply filter_In. split; auto.
      apply andb_true_iff. split; [|now apply member_spec]. unfold affordable, f. rewrite L.
      apply orb_true_iff. right. apply Nat.ltb_lt. nia.
Qed.

(** Theorem 18, for hands whose cards have either no wild attribute or [k] and more. *)
Theorem priced_trails_of_cards :
  forall n, played_with k changes after hand n <->
  exists choice closed, priced_choice k after hand at_levels level start n choice closed.
Proof.
  intros n. apply priced_trails; auto.
  - exact at_levels_once.
  - exact near_levels.
  - exact joined_levels.
  - intros i L I. destruct (at_levels_place i _ L I) as [g [E G]].
    pose proof (index_below known_level_hubs g (known i g L G)) as B. unfold start in E. lia.
  - unfold level, start. now rewrite nth_overflow by lia.
Qed.

End LevelHubs.
