(** Bounds: inequalities over 0-1 variables whose weighted sum no point fulfils are contradictory.

    A literal is a nonzero integer; its variable is the absolute value, and it is true if its sign
    is that of the value of the variable.  A row says that a weighted sum of literals is at least
    some number. *)

From Coq Require Import List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Definition assignment := positive -> bool.

Definition literal_true (v : assignment) (l : Z) : bool :=
  match l with
  | Z0 => false
  | Zpos x => v x
  | Zneg x => negb (v x)
  end.

Record row := Row { terms : list (Z * Z); least : Z }.

Fixpoint sum_of (v : assignment) (ts : list (Z * Z)) : Z :=
  match ts with
  | [] => 0
  | (w, l) :: rest => (if literal_true v l then w else 0) + sum_of v rest
  end.

Definition holds (v : assignment) (r : row) : Prop := least r <= sum_of v (terms r).

(** ** Weights of variables, in a binary tree over the digits of the variable *)

Inductive weights :=
  | No_weights
  | Weights (low : weights) (one : Z) (high : weights).

Fixpoint add (x : positive) (w : Z) (t : weights) : weights :=
  let '(low, one, high) := match t with
    | No_weights => (No_weights, 0, No_weights)
    | Weights low one high => (low, one, high)
    end in
  match x with
  | xH => Weights low (one + w) high
  | xO y => Weights (add y w low) one high
  | xI y => Weights low one (add y w high)
  end.

Fixpoint value (v : assignment) (t : weights) : Z :=
  match t with
  | No_weights => 0
  | Weights low one high =>
      (if v xH then one else 0) + value (fun x => v (xO x)) low + value (fun x => v (xI x)) high
  end.

Lemma value_add : forall x w t v, value v (add x w t) = value v t + if v x then w else 0.
Proof.
  induction x as [x IH|x IH|]; intros w t v; destruct t as [|low one high]; simpl;
    try rewrite IH; simpl; try destruct (v xH); lia.
Qed.

(** ** Assumed literals: for each variable whether it, and whether its negation, is assumed *)

Inductive assumed :=
  | Nothing_assumed
  | Assumed (low : assumed) (yes no : bool) (high : assumed).

Definition parts (a : assumed) : assumed * bool * bool * assumed :=
  match a with
  | Nothing_assumed => (Nothing_assumed, false, false, Nothing_assumed)
  | Assumed low yes no high => (low, yes, no, high)
  end.

Fixpoint assume (x : positive) (b : bool) (a : assumed) : assumed :=
  let '(low, yes, no, high) := parts a in
  match x with
  | xH => Assumed low (yes || b) (no || negb b) high
  | xO y => Assumed (assume y b low) yes no high
  | xI y => Assumed low yes no (assume y b high)
  end.

(** The assignment fulfils what is assumed. *)
Fixpoint fulfils (v : assignment) (a : assumed) : Prop :=
  match a with
  | Nothing_assumed => True
  | Assumed low yes no high =>
      (yes = true -> v xH = true) /\ (no = true -> v xH = false)
      /\ fulfils (fun x => v (xO x)) low /\ fulfils (fun x => v (xI x)) high
  end.

Lemma fulfils_assume : forall x b a v, fulfils v a -> v x = b -> fulfils v (assume x b a).
Proof.
  induction x as [x IH|x IH|]; intros b a v F E; destruct a as [|low yes no high]; simpl in *;
    repeat split; try tauto; try (intros; discriminate);
    try (apply IH; simpl; auto; tauto).
  - intros ->. now rewrite E.
  - intros N. destruct b; [discriminate|auto].
  - destruct yes; [tauto|]. simpl. intros ->. auto.
  - destruct no; [tauto|]. simpl. destruct b; [discriminate|auto].
Qed.

(** The largest value of a weight, given what is assumed of its variable. *)
Definition most (yes no : bool) (w : Z) : Z :=
  if 0 <? w then (if no then 0 else w) else (if yes then w else 0).

Fixpoint largest (a : assumed) (t : weights) : Z :=
  match t with
  | No_weights => 0
  | Weights low one high =>
      let '(a_low, yes, no, a_high) := parts a in
      most yes no one + largest a_low low + largest a_high high
  end.

Lemma value_largest : forall t a v, fulfils v a -> value v t <= largest a t.
Proof.
  induction t as [|low Low one high High]; intros a v F; simpl; [lia|].
  assert (P : forall l y n h, parts a = (l, y, n, h) ->
    fulfils (fun x => v (xO x)) l /\ fulfils (fun x => v (xI x)) h
    /\ (y = true -> v xH = true) /\ (n = true -> v xH = false)).
  { intros l y n h E. destruct a; simpl in *; inversion E; subst; simpl; repeat split;
      try tauto; intros; discriminate. }
  destruct (parts a) as [[[l y] n] h]. destruct (P l y n h eq_refl) as [Fl [Fh [Y N]]].
  specialize (Low l _ Fl). specialize (High h _ Fh).
  enough ((if v xH then one else 0) <= most y n one) by lia.
  unfold most. destruct (Z.ltb_spec 0 one).
  - destruct n; [rewrite N by auto|destruct (v xH)]; lia.
  - destruct y; [rewrite Y by auto|destruct (v xH)]; lia.
Qed.

(** ** The sum of rows, each multiplied *)

(** Add the terms of a row to the weights; the second number is what negations add to them. *)
Fixpoint add_terms (times : Z) (ts : list (Z * Z)) (t : weights) (fixed : Z) : weights * Z :=
  match ts with
  | [] => (t, fixed)
  | (w, l) :: rest =>
      match l with
      | Z0 => add_terms times rest t fixed
      | Zpos x => add_terms times rest (add x (times * w) t) fixed
      | Zneg x => add_terms times rest (add x (- (times * w)) t) (fixed + times * w)
      end
  end.

Lemma add_terms_value : forall times v ts t fixed,
  let '(t', fixed') := add_terms times ts t fixed in
  value v t' + fixed' = value v t + fixed + times * sum_of v ts.
Proof.
  induction ts as [|[w l] rest IH]; intros t fixed; simpl; [lia|].
  destruct l as [|x|x]; simpl.
  - specialize (IH t fixed). destruct (add_terms times rest t fixed). lia.
  - specialize (IH (add x (times * w) t) fixed).
    destruct (add_terms times rest (add x (times * w) t) fixed).
    rewrite value_add in IH. destruct (v x); lia.
  - specialize (IH (add x (- (times * w)) t) (fixed + times * w)).
    destruct (add_terms times rest (add x (- (times * w)) t) (fixed + times * w)).
    rewrite value_add in IH. destruct (v x); simpl; lia.
Qed.

(** The weights and the constant of a sum of rows, and the lower bound of the sum. *)
Fixpoint total (rows : list (Z * row)) (t : weights) (fixed bound : Z) : weights * Z * Z :=
  match rows with
  | [] => (t, fixed, bound)
  | (times, r) :: rest =>
      let '(t', fixed') := add_terms times (terms r) t fixed in
      total rest t' fixed' (bound + times * least r)
  end.

Lemma total_value : forall v rows t fixed bound,
  Forall (fun tr => 0 <= fst tr /\ holds v (snd tr)) rows ->
  bound <= value v t + fixed ->
  let '(t', fixed', bound') := total rows t fixed bound in bound' <= value v t' + fixed'.
Proof.
  induction rows as [|[times r] rest IH]; intros t fixed bound F B; simpl; auto.
  inversion F as [|? ? [T H] Rest]; subst. simpl in T, H. unfold holds in H.
  pose proof (add_terms_value times v (terms r) t fixed) as V.
  destruct (add_terms times (terms r) t fixed) as [t' fixed'].
  apply IH; auto. nia.
Qed.

(** The sum exceeds what it can be at most. *)
Definition contradictory (a : assumed) (rows : list (Z * row)) : bool :=
  let '(t, fixed, bound) := total rows No_weights 0 0 in
  forallb (fun tr => 0 <=? fst tr) rows && (largest a t + fixed <? bound).

Theorem contradictory_sound : forall a rows v,
  contradictory a rows = true -> fulfils v a -> ~ Forall (holds v) (map snd rows).
Proof.
  intros a rows v C F H. unfold contradictory in C.
  pose proof (total_value v rows No_weights 0 0) as V.
  destruct (total rows No_weights 0 0) as [[t fixed] bound].
  apply andb_true_iff in C. destruct C as [Pos C]. apply Z.ltb_lt in C.
  pose proof (value_largest t a v F). simpl in V.
  enough (bound <= value v t + fixed) by lia. apply V; [|lia].
  rewrite forallb_forall in Pos. rewrite Forall_forall in *. intros [times r] I. split.
  - apply Z.leb_le. exact (Pos _ I).
  - apply H. apply in_map_iff. exists (times, r). auto.
Qed.

(** ** Splits into cases *)

Inductive cases :=
  | Sum (rows : list (Z * row))
  | Split (x : positive) (if_true if_false : cases).

Fixpoint rows_of (c : cases) : list row :=
  match c with
  | Sum rows => map snd rows
  | Split _ yes no => rows_of yes ++ rows_of no
  end.

Fixpoint check (a : assumed) (c : cases) : bool :=
  match c with
  | Sum rows => contradictory a rows
  | Split x yes no => check (assume x true a) yes && check (assume x false a) no
  end.

Lemma check_sound : forall c a v,
  check a c = true -> fulfils v a -> ~ Forall (holds v) (rows_of c).
Proof.
  induction c as [rows|x yes Yes no No]; intros a v C F; simpl in *.
  - now apply contradictory_sound with (a := a).
  - apply andb_true_iff in C. destruct C as [Cy Cn]. rewrite Forall_app. intros [Hy Hn].
    destruct (v x) eqn:E.
    + apply (Yes _ v Cy); auto using fulfils_assume.
    + apply (No _ v Cn); auto using fulfils_assume.
Qed.

(** No assignment fulfils all rows that an accepted tree of cases uses. *)
Theorem bounds : forall c v, check Nothing_assumed c = true -> ~ Forall (holds v) (rows_of c).
Proof. intros c v C. apply (check_sound c Nothing_assumed v C). exact I. Qed.
