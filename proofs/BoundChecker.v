(** A checker of bounds, proved: if it says yes, no answer is better.

    The rows are described, not written out; [Rows.v] writes them from the question. *)

From Coq Require Import List Arith ZArith Lia Bool Permutation Orders Mergesort.
From UnoCsp Require Import Rules Trails Hubs Bounds Rows RowsHold Played Checker Deck Plays.
Import ListNotations.

(** ** Variables in order *)

Definition rank (x : var) : nat * nat * nat :=
  match x with
  | Visited h => (0, h, 0)
  | Odd h => (1, h, 0)
  | Closed h => (2, h, 0)
  | Walked c h => (3, c, h)
  | Played c => (4, c, 0)
  | Added w => (5, w, 0)
  end.

Definition rank_leb (a b : nat * nat * nat) : bool :=
  let '(x, y, z) := a in
  let '(x', y', z') := b in
  (x <? x') || ((x =? x') && ((y <? y') || ((y =? y') && (z <=? z')))).

Module Weighted <: TotalLeBool.
  Definition t : Type := var * Z.
  Definition leb (a b : t) : bool := rank_leb (rank (fst a)) (rank (fst b)).
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros a b. unfold leb, rank_leb.
    destruct (rank (fst a)) as [[x y] z], (rank (fst b)) as [[x' y'] z'].
    destruct (Nat.ltb_spec x x'), (Nat.ltb_spec x' x), (Nat.eqb_spec x x'), (Nat.eqb_spec x' x),
      (Nat.ltb_spec y y'), (Nat.ltb_spec y' y), (Nat.eqb_spec y y'), (Nat.eqb_spec y' y),
      (Nat.leb_spec z z'), (Nat.leb_spec z' z); simpl; auto; lia.
  Qed.
End Weighted.

Module Weights := Sort Weighted.

Definition same_var (x y : var) : bool :=
  match x, y with
  | Visited g, Visited h | Odd g, Odd h | Closed g, Closed h | Played g, Played h
  | Added g, Added h => g =? h
  | Walked c g, Walked d h => (c =? d) && (g =? h)
  | _, _ => false
  end.

Lemma same_var_spec : forall x y, same_var x y = true -> x = y.
Proof.
  intros [] [] E; simpl in E; try discriminate; try (apply Nat.eqb_eq in E; now subst).
  apply andb_true_iff in E. destruct E as [E E']. apply Nat.eqb_eq in E, E'. now subst.
Qed.

(** ** The check *)

Inductive tree :=
  | Leaf (rows : list (Z * description))
  | Branch (x : var) (if_true if_false : tree).

Section Cases.

Variable row_of : description -> option (row var).

Fixpoint row_list (ds : list (Z * description)) : option (list (Z * row var)) :=
  match ds with
  | [] => Some []
  | (times, d) :: rest =>
      match row_of d, row_list rest with
      | Some r, Some rs => Some ((times, r) :: rs)
      | _, _ => None
      end
  end.

Fixpoint cases_of (t : tree) : option (cases var) :=
  match t with
  | Leaf ds => option_map (Sum var) (row_list ds)
  | Branch x yes no =>
      match cases_of yes, cases_of no with
      | Some a, Some b => Some (Split var x a b)
      | _, _ => None
      end
  end.

(** The rows of a tree contradict each other. *)
Definition refutes (t : tree) : bool :=
  match cases_of t with
  | Some c => check_cases var same_var Weights.sort [] c
  | None => false
  end.

Lemma row_list_holds :
  forall v ds rs, (forall d r, row_of d = Some r -> holds var v r) ->
  row_list ds = Some rs -> Forall (holds var v) (map snd rs).
Proof.
  intros v ds. induction ds as [|[times d] ds IH]; intros rs H E; simpl in E.
  - inversion E. constructor.
  - destruct (row_of d) as [r|] eqn:R; [|discriminate].
    destruct (row_list ds) as [rs'|]; [|discriminate]. inversion E. subst. simpl.
    constructor; eauto.
Qed.

Lemma cases_hold :
  forall v t c, (forall d r, row_of d = Some r -> holds var v r) ->
  cases_of t = Some c -> Forall (holds var v) (rows_of var c).
Proof.
  intros v t. induction t as [ds|x yes Yes no No]; intros c H E; simpl in E.
  - destruct (row_list ds) as [rs|] eqn:R; [|discriminate]. inversion E. subst. simpl.
    eapply row_list_holds; eauto.
  - destruct (cases_of yes) as [a|]; [|discriminate].
    destruct (cases_of no) as [b|]; [|discriminate]. inversion E. subst. simpl.
    apply Forall_app. eauto.
Qed.

Theorem refutes_sound :
  forall t, refutes t = true -> forall v, ~ (forall d r, row_of d = Some r -> holds var v r).
Proof.
  intros t E v H. unfold refutes in E. destruct (cases_of t) as [c|] eqn:C; [|discriminate].
  apply (bounds var same_var same_var_spec Weights.sort Weights.Permuted_sort c v E).
  eapply cases_hold; eauto.
Qed.

End Cases.

(** ** Bounds of questions *)

(** The hubs of each card, with names for choices of attributes: tables that a program makes. *)
Record hub_table := Table {
  named : place -> nat;
  at_card : nat -> list hub;
  hub_count : nat
}.

Definition right_table (k d : nat) (cards : list card) (table : hub_table) : bool :=
  check_hubs k d (hub_count table) (named table) (at_card table) cards.

Section Check.

Variable k : nat.
Variable after : option card.
Variable hand : list card.
Variable supply : list (card * nat).

(** No play has as few freely added cards, as many cards of the hand and as low costs. *)
Definition check_bound (most_added : nat) (least most_cost : option nat) (d : nat)
    (table : hub_table) (t : tree) : bool :=
  right_table k d (deck k after hand supply) table
  && refutes (row_of (at_card table) (problem_of k after hand supply most_added least most_cost
       (hub_count table) (fun _ => 0) None)) t.

Theorem check_bound_sound :
  forall most_added least most_cost d table t,
  check_bound most_added least most_cost d table t = true ->
  forall played left chosen rest extra s,
  ~ better_play k after hand supply most_added least most_cost played left chosen rest extra s.
Proof.
  intros most_added least most_cost d table t E played left chosen rest extra s B.
  unfold check_bound in E. apply andb_true_iff in E. destruct E as [T E].
  destruct (check_hubs_sound _ _ _ _ _ _ T) as [Some' [Below Sh]].
  set (p := problem_of k after hand supply most_added least most_cost (hub_count table)
    (fun _ => 0) None) in *.
  assert (Is : exists n pr tl,
    p = problem_of k after hand supply most_added least most_cost n pr tl)
    by (unfold p; eauto).
  pose proof (cards_is k after hand supply _ _ _ p Is) as Cards.
  destruct (better_numbers k after hand supply _ _ _ p Is _ Sh _ _ _ _ _ _ B) as [ss [added Be]].
  destruct (play_facts (at_card table) p (fun _ => eq_refl) eq_refl) with ss added as [v Fv]; auto.
  - intros c L. apply Some'. now rewrite <- Cards.
  - intros c h L I. apply (Below c h); auto. now rewrite <- Cards.
  - apply (refutes_sound _ t E v). intros q row Eq. eapply rows_hold; eauto.
Qed.

End Check.

(** *** [uno-1] *)

Definition check_unplayable_bound (k : nat) (after : option card) (hand : list card) (d : nat)
    (table : hub_table) (t : tree) : bool :=
  check_bound k after hand [] 0 None None d table t.

Theorem check_unplayable_bound_sound :
  forall k after hand d table t, check_unplayable_bound k after hand d table t = true ->
  ~ playable k after hand.
Proof.
  intros k after hand d table t E [s [P F]].
  apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ E hand [] [] [] [] s).
  constructor; simpl; rewrite ?app_nil_r; auto; discriminate.
Qed.

(** *** [fill-in] *)

Definition check_fill_in_bound (k : nat) (after : option card) (hand added s : list card) (d : nat)
    (table : hub_table) (t : tree) : bool :=
  check_witness k after (hand ++ added) s
  && (1 <=? length added) && check_bound k after hand [] (length added - 1) None None d table t.

Theorem check_fill_in_bound_sound :
  forall k after hand added s d table t,
  check_fill_in_bound k after hand added s d table t = true ->
  playable k after (hand ++ added)
  /\ forall fewer, playable k after (hand ++ fewer) -> length added <= length fewer.
Proof.
  intros k after hand added s d table t E. unfold check_fill_in_bound in E.
  apply andb_true_iff in E. destruct E as [E B]. apply andb_true_iff in E. destruct E as [W N].
  apply Nat.leb_le in N. split; [eapply check_witness_sound; exact W|].
  intros fewer [s' [P F]]. destruct (le_lt_dec (length added) (length fewer)) as [|L]; auto.
  exfalso. apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ B hand [] [] [] fewer s').
  constructor; simpl; rewrite ?app_nil_r; auto; try discriminate. lia.
Qed.

(** *** [fill-in] from a supply *)

(** No choice of offered cards joins the hand, or none that costs as little. *)
Definition check_supply_bound (k : nat) (after : option card) (hand : list card)
    (supply : list (card * nat)) (most_cost : option nat) (d : nat) (table : hub_table) (t : tree)
    : bool :=
  check_bound k after hand supply 0 None most_cost d table t.

Theorem check_supply_bound_sound :
  forall k after hand supply most_cost d table t,
  check_supply_bound k after hand supply most_cost d table t = true ->
  forall chosen rest, Permutation (chosen ++ rest) supply ->
  playable k after (hand ++ map fst chosen) ->
  exists b, most_cost = Some b /\ b < list_sum (map snd chosen).
Proof.
  intros k after hand supply most_cost d table t E chosen rest P [s [Q F]].
  assert (N := check_bound_sound _ _ _ _ _ _ _ _ _ _ E hand [] chosen rest [] s).
  destruct most_cost as [b|].
  - exists b. split; auto. destruct (le_lt_dec (list_sum (map snd chosen)) b) as [L|]; auto.
    exfalso. apply N. constructor; simpl; rewrite ?app_nil_r; auto; try discriminate.
    intros b' Eb. now inversion Eb; subst.
  - exfalso. apply N. constructor; simpl; rewrite ?app_nil_r; auto; discriminate.
Qed.

(** A card with its price as one more attribute. *)
Definition with_price (o : card * nat) : card := Some (snd o) :: fst o.

Lemma with_price_injective : forall o q, with_price o = with_price q -> o = q.
Proof. intros [c n] [e m] E. unfold with_price in E. simpl in E. inversion E. now subst. Qed.

Definition check_offers (k : nat) (after : option card) (hand : list card)
    (supply chosen rest : list (card * nat)) (s : list card) : bool :=
  same_cards (map with_price (chosen ++ rest)) (map with_price supply)
  && check_witness k after (hand ++ map fst chosen) s.

Lemma check_offers_sound :
  forall k after hand supply chosen rest s,
  check_offers k after hand supply chosen rest s = true ->
  Permutation (chosen ++ rest) supply /\ playable k after (hand ++ map fst chosen).
Proof.
  intros k after hand supply chosen rest s E. apply andb_true_iff in E. destruct E as [P W].
  split; [|eapply check_witness_sound; exact W].
  apply same_cards_permutation, Permutation_map_inv in P. destruct P as [l [E P]].
  enough (chosen ++ rest = l) as -> by now apply Permutation_sym.
  clear -E. revert l E. induction (chosen ++ rest) as [|o a IH]; intros [|q l] E;
    simpl in E; try discriminate; auto. inversion E. f_equal; [|now apply IH].
  apply with_price_injective. unfold with_price. congruence.
Qed.

Definition check_supply (k : nat) (after : option card) (hand : list card)
    (supply chosen rest : list (card * nat)) (s : list card) (d : nat) (table : hub_table)
    (t : tree) : bool :=
  check_offers k after hand supply chosen rest s
  && match list_sum (map snd chosen) with
     | 0 => true
     | S less => check_supply_bound k after hand supply (Some less) d table t
     end.

Theorem check_supply_sound :
  forall k after hand supply chosen rest s d table t,
  check_supply k after hand supply chosen rest s d table t = true ->
  Permutation (chosen ++ rest) supply /\ playable k after (hand ++ map fst chosen)
  /\ forall chosen' rest', Permutation (chosen' ++ rest') supply ->
     playable k after (hand ++ map fst chosen') ->
     list_sum (map snd chosen) <= list_sum (map snd chosen').
Proof.
  intros k after hand supply chosen rest s d table t E. apply andb_true_iff in E.
  destruct E as [O B]. destruct (check_offers_sound _ _ _ _ _ _ _ O) as [P Pl].
  split; auto. split; auto. intros chosen' rest' P' Pl'.
  destruct (list_sum (map snd chosen)) as [|less]; [lia|].
  destruct (check_supply_bound_sound _ _ _ _ _ _ _ _ B chosen' rest' P' Pl') as [b [Eb L]].
  inversion Eb. lia.
Qed.

(** *** [longest] *)

Definition check_longest (k : nat) (after : option card) (hand s left : list card) (d : nat)
    (table : hub_table) (t : tree) : bool :=
  let wilds := length (filter (universal k) hand) in
  is_chain k (on_pile after s) && same_cards (s ++ left) hand
  && ((length s =? length hand)
      || ((wilds <=? S (length s))
          && check_bound k after hand [] 0 (Some (S (length s) - wilds)) None d table t)).

Theorem check_longest_sound :
  forall k after hand s left d table t, check_longest k after hand s left d table t = true ->
  Permutation (s ++ left) hand /\ feasible k (on_pile after s)
  /\ forall s' left', Permutation (s' ++ left') hand -> feasible k (on_pile after s') ->
     length s' <= length s.
Proof.
  intros k after hand s left d table t E. apply andb_true_iff in E. destruct E as [E B].
  apply andb_true_iff in E. destruct E as [C P].
  split; [now apply same_cards_permutation|]. split; [now apply is_chain_feasible|].
  intros s' left' P' F. pose proof (Permutation_length P') as L. rewrite app_length in L.
  apply orb_true_iff in B. destruct B as [B|B]; [apply Nat.eqb_eq in B; lia|].
  apply andb_true_iff in B. destruct B as [W B]. apply Nat.leb_le in W.
  destruct (le_lt_dec (length s') (length s)) as [|M]; auto. exfalso.
  apply (check_bound_sound _ _ _ _ _ _ _ _ _ _ B s' left' [] [] [] s').
  constructor; cbn [app map]; rewrite ?app_nil_r; auto; try discriminate.
  intros n Eq. injection Eq as Eq. rewrite <- Eq. change (S (length s)
    - length (filter (universal k) hand) + length (filter (universal k) hand) <= length s'). lia.
Qed.
