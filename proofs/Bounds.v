(** Bounds: inequalities over 0-1 variables whose weighted sum no point fulfils are contradictory.

    A row says that a weighted sum of literals is at least some number.  Rows are multiplied and
    added up; if the sum cannot be reached, in each case of a split on a few variables, no
    assignment fulfils them all. *)

From Coq Require Import List ZArith Lia Bool Permutation.
Import ListNotations.
Local Open Scope Z_scope.

Section Bounds.

(** Variables of any type that can be compared, and a function that arranges weighted variables so
    that equal ones stand together, which makes the check strong; it has only to keep them all. *)
Variable V : Type.
Variable same : V -> V -> bool.
Hypothesis same_spec : forall x y, same x y = true -> x = y.
Variable arrange : list (V * Z) -> list (V * Z).
Hypothesis arrange_keeps : forall l, Permutation l (arrange l).

Definition assignment := V -> bool.

(** A variable, or with [false] its negation. *)
Definition literal : Type := bool * V.

Definition is_true (v : assignment) (l : literal) : bool := Bool.eqb (v (snd l)) (fst l).

Record row := Row { terms : list (Z * literal); least : Z }.

Fixpoint sum_of (v : assignment) (ts : list (Z * literal)) : Z :=
  match ts with
  | [] => 0
  | (w, l) :: rest => (if is_true v l then w else 0) + sum_of v rest
  end.

Definition holds (v : assignment) (r : row) : Prop := least r <= sum_of v (terms r).

(** ** Weights of variables *)

Fixpoint value (v : assignment) (ws : list (V * Z)) : Z :=
  match ws with
  | [] => 0
  | (x, w) :: rest => (if v x then w else 0) + value v rest
  end.

Lemma value_permutation : forall v a b, Permutation a b -> value v a = value v b.
Proof.
  intros v a b P. induction P as [|[x w] a b P IH|[x w] [y u] a|a b c P IH Q IH']; simpl; lia.
Qed.

(** Add up the weights of equal variables that are neighbours. *)
Fixpoint merge (ws : list (V * Z)) : list (V * Z) :=
  match ws with
  | [] => []
  | (x, w) :: rest =>
      match merge rest with
      | [] => [(x, w)]
      | (y, u) :: more => if same x y then (x, w + u) :: more else (x, w) :: (y, u) :: more
      end
  end.

Lemma value_merge : forall v ws, value v (merge ws) = value v ws.
Proof.
  induction ws as [|[x w] rest IH]; simpl; auto.
  destruct (merge rest) as [|[y u] more]; simpl in *; [lia|].
  destruct (same x y) eqn:E; simpl; [|lia].
  apply same_spec in E. subst y. destruct (v x); lia.
Qed.

(** ** Assumptions *)

Definition fulfils (v : assignment) (assumed : list literal) : Prop :=
  Forall (fun l => is_true v l = true) assumed.

Definition assumes (assumed : list literal) (b : bool) (x : V) : bool :=
  existsb (fun l => Bool.eqb (fst l) b && same (snd l) x) assumed.

Lemma assumes_spec :
  forall v assumed b x, fulfils v assumed -> assumes assumed b x = true -> v x = b.
Proof.
  intros v assumed b x F A. apply existsb_exists in A. destruct A as [[c y] [I E]].
  apply andb_true_iff in E. destruct E as [Eb Ex]. simpl in *.
  apply eqb_prop in Eb. apply same_spec in Ex. subst.
  unfold fulfils in F. rewrite Forall_forall in F. specialize (F _ I).
  unfold is_true in F. simpl in F. now apply eqb_prop in F.
Qed.

(** The largest value of a weight, given the assumptions. *)
Definition most (assumed : list literal) (x : V) (w : Z) : Z :=
  if 0 <? w then (if assumes assumed false x then 0 else w)
  else (if assumes assumed true x then w else 0).

Fixpoint largest (assumed : list literal) (ws : list (V * Z)) : Z :=
  match ws with
  | [] => 0
  | (x, w) :: rest => most assumed x w + largest assumed rest
  end.

Lemma value_largest :
  forall v assumed ws, fulfils v assumed -> value v ws <= largest assumed ws.
Proof.
  intros v assumed ws F. induction ws as [|[x w] rest IH]; simpl; [lia|].
  enough ((if v x then w else 0) <= most assumed x w) by lia. unfold most.
  destruct (Z.ltb_spec 0 w).
  - destruct (assumes assumed false x) eqn:A; [|destruct (v x); lia].
    rewrite (assumes_spec v assumed false x F A). lia.
  - destruct (assumes assumed true x) eqn:A; [|destruct (v x); lia].
    rewrite (assumes_spec v assumed true x F A). lia.
Qed.

(** ** The sum of rows, each multiplied *)

(** The weights of a row's variables, and what its negations add. *)
Fixpoint weights_of (times : Z) (ts : list (Z * literal)) : list (V * Z) * Z :=
  match ts with
  | [] => ([], 0)
  | (w, (b, x)) :: rest =>
      let '(ws, fixed) := weights_of times rest in
      if b then ((x, times * w) :: ws, fixed) else ((x, - (times * w)) :: ws, fixed + times * w)
  end.

Lemma weights_of_value :
  forall times v ts, let '(ws, fixed) := weights_of times ts in
  value v ws + fixed = times * sum_of v ts.
Proof.
  induction ts as [|[w [b x]] rest IH]; simpl; [lia|].
  destruct (weights_of times rest) as [ws fixed]. unfold is_true. simpl.
  destruct b; simpl; destruct (v x); simpl; lia.
Qed.

(** The weights and the constant of a sum of rows, and its lower bound. *)
Fixpoint total (rows : list (Z * row)) : list (V * Z) * Z * Z :=
  match rows with
  | [] => ([], 0, 0)
  | (times, r) :: rest =>
      let '(ws, fixed) := weights_of times (terms r) in
      let '(more, constant, bound) := total rest in
      (rev_append ws more, fixed + constant, times * least r + bound)
  end.

Lemma value_app : forall v a b, value v (a ++ b) = value v a + value v b.
Proof. induction a as [|[x w] a IH]; intros b; simpl; auto. rewrite IH. lia. Qed.

Lemma total_value :
  forall v rows, Forall (fun tr => 0 <= fst tr /\ holds v (snd tr)) rows ->
  let '(ws, fixed, bound) := total rows in bound <= value v ws + fixed.
Proof.
  induction rows as [|[times r] rest IH]; intros F; simpl; [lia|].
  inversion F as [|? ? [T H] F']; subst. simpl in T, H. unfold holds in H. specialize (IH F').
  pose proof (weights_of_value times v (terms r)) as W.
  destruct (weights_of times (terms r)) as [ws fixed].
  destruct (total rest) as [[more constant] bound].
  rewrite rev_append_rev, value_app.
  rewrite <- (value_permutation v ws (rev ws)) by apply Permutation_rev. nia.
Qed.

(** The sum has to exceed what it can be at most. *)
Definition contradictory (assumed : list literal) (rows : list (Z * row)) : bool :=
  let '(ws, fixed, bound) := total rows in
  forallb (fun tr => 0 <=? fst tr) rows
  && (largest assumed (merge (arrange ws)) + fixed <? bound).

Lemma contradictory_sound :
  forall assumed rows v, contradictory assumed rows = true -> fulfils v assumed ->
  ~ Forall (holds v) (map snd rows).
Proof.
  intros assumed rows v C F H. unfold contradictory in C.
  pose proof (total_value v rows) as T. destruct (total rows) as [[ws fixed] bound].
  apply andb_true_iff in C. destruct C as [Pos C]. apply Z.ltb_lt in C.
  pose proof (value_largest v assumed (merge (arrange ws)) F) as L.
  rewrite value_merge, <- (value_permutation v _ _ (arrange_keeps ws)) in L.
  enough (bound <= value v ws + fixed) by lia. apply T.
  rewrite forallb_forall in Pos. rewrite Forall_forall in *. intros [times r] I. split.
  - apply Z.leb_le. exact (Pos _ I).
  - apply H. apply in_map_iff. exists (times, r). auto.
Qed.

(** ** Splits into cases *)

Inductive cases :=
  | Sum (rows : list (Z * row))
  | Split (x : V) (if_true if_false : cases).

Fixpoint rows_of (c : cases) : list row :=
  match c with
  | Sum rows => map snd rows
  | Split _ yes no => rows_of yes ++ rows_of no
  end.

Fixpoint check_cases (assumed : list literal) (c : cases) : bool :=
  match c with
  | Sum rows => contradictory assumed rows
  | Split x yes no =>
      check_cases ((true, x) :: assumed) yes && check_cases ((false, x) :: assumed) no
  end.

Lemma check_cases_sound :
  forall c assumed v, check_cases assumed c = true -> fulfils v assumed ->
  ~ Forall (holds v) (rows_of c).
Proof.
  induction c as [rows|x yes Yes no No]; intros assumed v C F; simpl in *.
  - now apply contradictory_sound with (assumed := assumed).
  - apply andb_true_iff in C. destruct C as [Cy Cn]. rewrite Forall_app. intros [Hy Hn].
    destruct (v x) eqn:E.
    + apply (Yes _ v Cy); auto. constructor; auto. unfold is_true. simpl. now rewrite E.
    + apply (No _ v Cn); auto. constructor; auto. unfold is_true. simpl. now rewrite E.
Qed.

(** No assignment fulfils all rows that an accepted tree of cases uses. *)
Theorem bounds : forall c v, check_cases [] c = true -> ~ Forall (holds v) (rows_of c).
Proof. intros c v C. apply (check_cases_sound c [] v C). constructor. Qed.

End Bounds.
