(** A tree of cases: the rows of each case contradict each other. *)

From Coq Require Import List Arith ZArith Lia Bool Permutation Orders Mergesort.
From UnoCsp Require Import Rules Trails Bounds Rows.
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
  | Case (rows : list (Z * description))
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
  | Case ds => option_map (Sum var) (row_list ds)
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
