(** Lemmas that follow by unit propagation, each from the clauses that its hints name in that order:
    an LRAT proof without deletions. *)

From Coq Require Import List PArith FMapPositive Bool.
From UnoCsp Require Import Bounds.
Import ListNotations.

Local Notation lit := (literal positive).

Definition clause_true (v : positive -> bool) (c : list lit) : bool :=
  existsb (is_true positive v) c.

(** ** Propagation *)

(** The values of some variables, and clauses by number. *)
Definition values := PositiveMap.t bool.
Definition clauses := PositiveMap.t (list lit).

Definition agrees (v : positive -> bool) (a : values) : Prop :=
  forall x b, PositiveMap.find x a = Some b -> v x = b.

Definition make_true (a : values) (l : lit) : values := PositiveMap.add (snd l) (fst l) a.
Definition opposite (l : lit) : lit := (negb (fst l), snd l).

Definition denied (c : list lit) : values :=
  fold_left (fun a l => make_true a (opposite l)) c (PositiveMap.empty bool).

Inductive state :=
  | Conflict
  | Unit (l : lit)
  | Undecided.

(** What the values say of a clause; [found] is a literal without a value. *)
Fixpoint look (a : values) (found : option lit) (c : list lit) : state :=
  match c with
  | [] => match found with None => Conflict | Some l => Unit l end
  | l :: rest =>
      match PositiveMap.find (snd l) a with
      | Some b => if Bool.eqb b (fst l) then Undecided else look a found rest
      | None => match found with None => look a (Some l) rest | Some _ => Undecided end
      end
  end.

Fixpoint conflicts (known : clauses) (a : values) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | n :: rest =>
      match PositiveMap.find n known with
      | None => false
      | Some c =>
          match look a None c with
          | Conflict => true
          | Unit l => conflicts known (make_true a l) rest
          | Undecided => conflicts known a rest
          end
      end
  end.

Record derived := Derived { label : positive; body : list lit; hints : list positive }.

(** Each lemma follows from the clauses and the lemmas before it; the last one is empty. *)
Fixpoint derives_false (known : clauses) (ls : list derived) : bool :=
  match ls with
  | [] => false
  | l :: rest =>
      conflicts known (denied (body l)) (hints l)
      && match body l with
         | [] => true
         | _ => derives_false (PositiveMap.add (label l) (body l) known) rest
         end
  end.

(** ** It is sound *)

Section Sound.

Variable v : positive -> bool.

Definition all_true (known : clauses) : Prop :=
  forall n c, PositiveMap.find n known = Some c -> clause_true v c = true.

Lemma find_add :
  forall A x y (e : A) m, PositiveMap.find x (PositiveMap.add y e m)
  = if Pos.eqb x y then Some e else PositiveMap.find x m.
Proof.
  intros A x y e m. destruct (Pos.eqb_spec x y) as [->|N].
  - apply PositiveMap.gss.
  - now apply PositiveMap.gso.
Qed.

Lemma make_true_agrees :
  forall a l, agrees v a -> is_true positive v l = true -> agrees v (make_true a l).
Proof.
  intros a l A T x b E. unfold make_true in E. rewrite find_add in E.
  destruct (Pos.eqb_spec x (snd l)) as [->|_]; [|now apply A].
  injection E as <-. unfold is_true in T. now apply eqb_prop.
Qed.

Lemma is_true_opposite : forall l, is_true positive v l = false ->
  is_true positive v (opposite l) = true.
Proof.
  intros [b x] E. unfold is_true in *. simpl in *. destruct (v x), b; simpl in *; auto.
Qed.

Lemma denied_agrees : forall c, clause_true v c = false -> agrees v (denied c).
Proof.
  unfold denied, clause_true. intros c E.
  assert (G : forall a, agrees v a ->
    agrees v (fold_left (fun a l => make_true a (opposite l)) c a)).
  { induction c as [|l c IH]; intros a A; auto. simpl in *. apply orb_false_iff in E.
    destruct E as [El Ec]. apply IH; auto. apply make_true_agrees; auto.
    now apply is_true_opposite. }
  apply G. intros x b F. rewrite PositiveMap.gempty in F. discriminate.
Qed.

Lemma look_spec :
  forall a c found, agrees v a -> clause_true v c = true \/ (exists l, found = Some l
    /\ is_true positive v l = true) ->
  match look a found c with
  | Conflict => False
  | Unit l => is_true positive v l = true
  | Undecided => True
  end.
Proof.
  intros a c. induction c as [|l c IH]; intros found A Or; simpl.
  - destruct Or as [Or|[l [-> T]]]; [discriminate|exact T].
  - destruct (PositiveMap.find (snd l) a) as [b|] eqn:Fb.
    + apply A in Fb. destruct (Bool.eqb b (fst l)) eqn:Q; auto. apply IH; auto.
      destruct Or as [Or|Or]; auto. left. unfold clause_true in *. simpl in Or.
      unfold is_true in Or at 1. rewrite Fb, Q in Or. exact Or.
    + destruct found as [k|]; auto. apply IH; auto. destruct Or as [Or|[k [K _]]]; [|discriminate].
      unfold clause_true in *. simpl in Or. apply orb_true_iff in Or.
      destruct Or as [Or|Or]; eauto.
Qed.

Lemma conflicts_sound :
  forall known hs a, all_true known -> agrees v a -> conflicts known a hs = true -> False.
Proof.
  intros known hs. induction hs as [|n hs IH]; intros a K A E; simpl in E; [discriminate|].
  destruct (PositiveMap.find n known) as [c|] eqn:Fn; [|discriminate]. apply K in Fn.
  pose proof (look_spec a c None A (or_introl Fn)) as L.
  destruct (look a None c) as [|l|]; auto.
  - apply (IH (make_true a l)); auto. now apply make_true_agrees.
  - now apply (IH a).
Qed.

Theorem derives_false_sound :
  forall ls known, derives_false known ls = true -> ~ all_true known.
Proof.
  induction ls as [|l ls IH]; intros known E K; simpl in E; [discriminate|].
  apply andb_true_iff in E. destruct E as [C E].
  assert (T : clause_true v (body l) = true).
  { apply not_false_is_true. intros N.
    exact (conflicts_sound known _ _ K (denied_agrees _ N) C). }
  destruct (body l) as [|k b] eqn:B; [discriminate|]. apply (IH _ E).
  intros n c Fn. rewrite find_add in Fn. destruct (Pos.eqb n (label l)); [|now apply (K n)].
  now injection Fn as <-.
Qed.

End Sound.
