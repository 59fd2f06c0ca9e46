(** Counting modulo 2. *)

From Coq Require Import List Arith Lia Bool.
From UnoCsp Require Import Rules Trails.
Import ListNotations.

Definition member (x : nat) (l : list nat) : bool := existsb (Nat.eqb x) l.

Lemma member_spec : forall x l, member x l = true <-> In x l.
Proof.
  intros x l. unfold member. rewrite existsb_exists. split.
  - intros [y [I E]]. apply Nat.eqb_eq in E. now subst.
  - intros I. exists x. split; auto. apply Nat.eqb_refl.
Qed.

Fixpoint no_twice (l : list nat) : bool :=
  match l with
  | [] => true
  | x :: rest => negb (member x rest) && no_twice rest
  end.

Lemma no_twice_spec : forall l, no_twice l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros E; constructor; apply andb_true_iff in E; destruct E as [E E'].
  - intros I. apply member_spec in I. rewrite I in E. discriminate.
  - auto.
Qed.

(** The number of true values, and whether it is odd. *)
Definition number {A} (f : A -> bool) (l : list A) : nat := length (filter f l).

Lemma number_odd : forall f l, Nat.odd (number f l) = odd_sum f l.
Proof.
  intros f l. unfold number. induction l as [|x l IH]; auto. cbn [filter odd_sum].
  destruct (f x); [|now rewrite xorb_false_l].
  cbn [length]. rewrite Nat.odd_succ, <- Nat.negb_odd, IH. now destruct (odd_sum f l).
Qed.

Lemma number_some : forall A (f : A -> bool) l x, In x l -> f x = true -> 1 <= number f l.
Proof.
  intros A f l x I F. unfold number. assert (J : In x (filter f l)) by (apply filter_In; auto).
  destruct (filter f l); [destruct J|simpl; lia].
Qed.

Lemma number_filter :
  forall A (f p : A -> bool) l, number f (filter p l) = number (fun x => p x && f x) l.
Proof.
  intros A f p l. unfold number. induction l as [|x l IH]; simpl; auto.
  destruct (p x); simpl; auto. destruct (f x); simpl; auto.
Qed.

Lemma odd_sum_false : forall l, odd_sum (fun _ => false) l = false.
Proof. induction l as [|x l IH]; auto. cbn [odd_sum]. now rewrite IH. Qed.

Lemma odd_sum_ext :
  forall (f g : nat -> bool) l, (forall x, In x l -> f x = g x) -> odd_sum f l = odd_sum g l.
Proof.
  intros f g l. induction l as [|x l IH]; intros E; auto. cbn [odd_sum].
  rewrite IH, (E x); simpl; auto. intros; apply E; simpl; auto.
Qed.

Lemma odd_sum_app : forall f a b, odd_sum f (a ++ b) = xorb (odd_sum f a) (odd_sum f b).
Proof.
  intros f a b. induction a as [|x a IH]; simpl.
  - now destruct (odd_sum f b).
  - now rewrite IH, xorb_assoc.
Qed.

Lemma odd_sum_filter :
  forall (f keep : nat -> bool) l, (forall x, In x l -> f x = true -> keep x = true) ->
  odd_sum f l = odd_sum f (filter keep l).
Proof.
  intros f keep l. induction l as [|x l IH]; intros K; auto. cbn [odd_sum filter].
  destruct (keep x) eqn:E; cbn [odd_sum]; rewrite <- IH by (intros; apply K; simpl; auto); auto.
  destruct (f x) eqn:G; [|apply xorb_false_l]. rewrite (K x) in E by (simpl; auto). discriminate.
Qed.

Lemma odd_sum_one :
  forall p x l, NoDup l -> odd_sum (fun h => p h && (h =? x)) l = p x && member x l.
Proof.
  intros p x l N. destruct (p x) eqn:P; simpl.
  - unfold member. rewrite <- (odd_sum_member x l N). apply odd_sum_ext. intros h _.
    destruct (Nat.eqb_spec h x) as [->|_]; [now rewrite P|apply andb_false_r].
  - rewrite <- (odd_sum_false l). apply odd_sum_ext. intros h _.
    destruct (Nat.eqb_spec h x) as [->|_]; [now rewrite P|apply andb_false_r].
Qed.

Lemma odd_sum_two :
  forall p x y l, NoDup l -> x <> y ->
  odd_sum (fun h => p h && ((h =? x) || (h =? y))) l
  = xorb (p x && member x l) (p y && member y l).
Proof.
  intros p x y l N D. rewrite <- !odd_sum_one by auto. rewrite <- odd_sum_xor.
  apply odd_sum_ext. intros h _.
  destruct (p h), (Nat.eqb_spec h x), (Nat.eqb_spec h y); subst; simpl; auto. congruence.
Qed.

Lemma odd_sum_swap :
  forall (f : nat -> nat -> bool) a b,
  odd_sum (fun x => odd_sum (f x) b) a = odd_sum (fun y => odd_sum (fun x => f x y) a) b.
Proof.
  intros f a b. induction a as [|x a IH]; cbn [odd_sum].
  - symmetry. apply odd_sum_false.
  - now rewrite IH, <- odd_sum_xor.
Qed.

Lemma number_flat_map :
  forall A (f : A -> bool) g l,
  Nat.odd (number f (flat_map g l)) = odd_sum (fun c => Nat.odd (number f (g c))) l.
Proof.
  intros A f g l. induction l as [|x l IH]; auto. cbn [flat_map odd_sum]. rewrite <- IH.
  unfold number. now rewrite filter_app, app_length, Nat.odd_add.
Qed.
