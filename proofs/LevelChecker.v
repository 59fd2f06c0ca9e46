(** The checker of missing cards where joining two cards may take several (2k > D), proved. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs Bounds Counts Rows RowsHold Checker Deck Plays
  Refutations BoundChecker Levels PricedPlays.
Import ListNotations.

(** ** The check of hubs with prices *)

Section Check_hubs.

Variable k changes hubs_count : nat.
Variable at_ : nat -> list hub.
Variable price : hub -> nat.

Definition check_priced_card (all : list (nat * card)) (ic : nat * card) : bool :=
  let '(i, c) := ic in
  (length c =? k + changes) && no_twice (at_ i) && forallb (fun h => h <? hubs_count) (at_ i)
  && forallb (fun jd => joined changes at_ price i (fst jd) (differing c (snd jd))) all.

Definition check_priced_hubs (deck : list card) : bool :=
  let all := numbered deck in forallb (check_priced_card all) all.

Theorem check_priced_hubs_sound :
  forall deck, check_priced_hubs deck = true ->
  Forall (fun c => length c = k + changes) deck
  /\ (forall i, i < length deck -> NoDup (at_ i))
  /\ (forall i h, i < length deck -> In h (at_ i) -> h < hubs_count)
  /\ forall i j, i < length deck -> j < length deck ->
     joined changes at_ price i j (differing (nth i deck []) (nth j deck [])) = true.
Proof.
  intros deck E. unfold check_priced_hubs in E. rewrite forallb_forall in E.
  assert (One : forall i, i < length deck ->
    (length (nth i deck []) = k + changes /\ NoDup (at_ i))
    /\ (forall h, In h (at_ i) -> h < hubs_count)
    /\ forall jd, In jd (numbered deck) ->
       joined changes at_ price i (fst jd) (differing (nth i deck []) (snd jd)) = true).
  { intros i L. specialize (E _ (numbered_in deck i L)). unfold check_priced_card in E.
    apply andb_true_iff in E. destruct E as [E J]. apply andb_true_iff in E. destruct E as [E B].
    apply andb_true_iff in E. destruct E as [W N]. rewrite forallb_forall in B, J.
    split; [split; [now apply Nat.eqb_eq|now apply no_twice_spec]|]. split; [|exact J].
    intros h I. apply Nat.ltb_lt. now apply B. }
  split; [|split; [|split]].
  - apply Forall_forall. intros c I. destruct (In_nth _ _ [] I) as [i [L <-]]. apply (One i L).
  - intros i L. apply (One i L).
  - intros i h L I. now apply (One i L).
  - intros i j Li Lj. destruct (One i Li) as [_ [_ J]]. exact (J _ (numbered_in deck j Lj)).
Qed.

End Check_hubs.

(** ** [fill-in] *)

(** The hand is playable with the added cards, and no play has fewer added cards. *)
Definition check_fill_in_levels (k changes : nat) (after : option card)
    (hand added s : list card) (table : hub_table) (price : hub -> nat) (e : evidence) : bool :=
  check_witness k after (hand ++ added) s
  && forallb (fun c => plain_b c && (length c =? k + changes)) added
  && (1 <=? k) && (1 <=? length added)
  && check_priced_hubs k changes (hub_count table) (at_card table) price (deck k after hand [])
  && refuted (at_card table) (problem_of k after hand [] 0 None None (hub_count table) price
       (Some (2 * (length added - 1)))) e.

Theorem check_fill_in_levels_sound :
  forall k changes after hand added s table price e,
  check_fill_in_levels k changes after hand added s table price e = true ->
  (Forall (may_be_added (k + changes)) added /\ playable k after (hand ++ added))
  /\ forall fewer, Forall (may_be_added (k + changes)) fewer -> playable k after (hand ++ fewer) ->
     length added <= length fewer.
Proof.
  intros k changes after hand added s table price e E. unfold check_fill_in_levels in E.
  apply andb_true_iff in E. destruct E as [E R]. apply andb_true_iff in E. destruct E as [E H].
  apply andb_true_iff in E. destruct E as [E Some']. apply andb_true_iff in E. destruct E as [E K].
  apply andb_true_iff in E. destruct E as [W A]. apply Nat.leb_le in Some', K.
  destruct (check_priced_hubs_sound _ _ _ _ _ _ H) as [Wide [Once [Below Joined]]].
  split; [split; [|eapply check_witness_sound; exact W]|].
  - apply Forall_forall. intros c I. rewrite forallb_forall in A. specialize (A c I).
    apply andb_true_iff in A. destruct A as [P L].
    split; [now apply plain_spec|now apply Nat.eqb_eq].
  - intros fewer Fits [s' [P F]]. destruct (le_lt_dec (length added) (length fewer)) as [|L]; auto.
    exfalso. set (toll := 2 * (length added - 1)) in *.
    assert (Toll : 2 * length fewer <= toll) by (unfold toll; lia).
    destruct (level_facts k changes (at_card table) price after hand K Wide Once Joined
      (hub_count table) toll Below fewer s' Fits P F Toll) as [v Fv].
    exact (refuted_sound _ _ _ R v Fv).
Qed.
