(** The rules: cards, when two cards match, and sequences of cards.

    A card is a list of attributes, and an attribute without a value is wild.  Everything else in
    this folder speaks of these definitions. *)

From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.

Definition card := list (option nat).

(** A wild attribute agrees with every value. *)
Definition agree (a b : option nat) : bool :=
  match a, b with
  | Some x, Some y => x =? y
  | _, _ => true
  end.

(** The number of attributes in which two cards agree. *)
Fixpoint agreeing (c d : card) : nat :=
  match c, d with
  | a :: c', b :: d' => (if agree a b then 1 else 0) + agreeing c' d'
  | _, _ => 0
  end.

(** Two cards match if they agree in at least [k] attributes. *)
Definition matches (k : nat) (c d : card) : bool := k <=? agreeing c d.

Lemma agree_sym : forall a b, agree a b = agree b a.
Proof. destruct a, b; simpl; auto using Nat.eqb_sym. Qed.

Lemma matches_sym : forall k c d, matches k c d = matches k d c.
Proof.
  intros k c d; unfold matches; f_equal; revert d.
  induction c as [|a c IH]; destruct d as [|b d]; simpl; auto.
  now rewrite agree_sym, IH.
Qed.

(** The number of wild attributes of a card; a card with [k] of them is universal. *)
Fixpoint wilds (c : card) : nat :=
  match c with
  | [] => 0
  | a :: c' => (match a with None => 1 | _ => 0 end) + wilds c'
  end.

Definition universal (k : nat) (c : card) : bool := k <=? wilds c.

Lemma wilds_agree : forall c d, length c = length d -> wilds c <= agreeing c d.
Proof.
  induction c as [|a c IH]; destruct d as [|b d]; simpl; intros L; try lia.
  injection L as L. specialize (IH d L). destruct a; simpl; lia.
Qed.

Lemma universal_matches :
  forall k c d, length c = length d -> universal k c = true -> matches k c d = true.
Proof.
  unfold universal, matches. intros k c d L U. apply Nat.leb_le in U. apply Nat.leb_le.
  pose proof (wilds_agree c d L). lia.
Qed.

(** A list in which neighbours are related.  Sequences of cards are chains for [matches k]. *)
Fixpoint chain {A : Type} (near : A -> A -> bool) (l : list A) : Prop :=
  match l with
  | a :: ((b :: _) as rest) => near a b = true /\ chain near rest
  | _ => True
  end.

Definition feasible (k : nat) : list card -> Prop := chain (matches k).

(** The cards are played in one sequence, on top of the pile if there is one. *)
Definition playable (k : nat) (after : option card) (cards : list card) : Prop :=
  exists s, Permutation s cards
    /\ feasible k (match after with Some p => p :: s | None => s end).

(** The cards are played in [r] sequences or fewer. *)
Definition covered_by {A : Type} (near : A -> A -> bool) (r : nat) (cards : list A) : Prop :=
  exists ss, length ss <= r /\ Forall (chain near) ss /\ Permutation (concat ss) cards.

(** ** Lemmas on chains *)

Lemma chain_tail : forall A near (a : A) l, chain near (a :: l) -> chain near l.
Proof. intros A near a [|b l]; simpl; tauto. Qed.

Lemma chain_weaken :
  forall A (near near' : A -> A -> bool) l,
  (forall c d, In c l -> In d l -> near c d = true -> near' c d = true) ->
  chain near l -> chain near' l.
Proof.
  induction l as [|c l IH]; intros E C; [exact I|].
  destruct l as [|d l]; [exact I|]. destruct C as [M C]. split.
  - apply E; simpl; auto.
  - apply IH; auto. intros; apply E; simpl in *; auto.
Qed.

Lemma chain_ext :
  forall A (near near' : A -> A -> bool) l,
  (forall c d, In c l -> In d l -> near c d = near' c d) -> chain near l -> chain near' l.
Proof.
  intros A near near' l E. apply chain_weaken. intros c d Ic Id N. now rewrite <- E.
Qed.

Lemma chain_map :
  forall A B (f : A -> B) near l, chain near (map f l) <-> chain (fun x y => near (f x) (f y)) l.
Proof.
  induction l as [|a l IH]; [simpl; tauto|].
  destruct l as [|b l]; [simpl; tauto|].
  change (near (f a) (f b) = true /\ chain near (map f (b :: l))
          <-> near (f a) (f b) = true /\ chain (fun x y => near (f x) (f y)) (b :: l)).
  rewrite IH. tauto.
Qed.

(** A chain is cut at the elements that are removed: the pieces are chains, there is at most one
    more of them than of removed elements, and together they are what is left. *)
Fixpoint cut {A : Type} (removed : A -> bool) (l : list A) : list (list A) :=
  match l with
  | [] => [[]]
  | a :: rest =>
      match cut removed rest with
      | [] => []
      | p :: ps => if removed a then [] :: p :: ps else (a :: p) :: ps
      end
  end.

Definition kept {A : Type} (removed : A -> bool) (l : list A) : list A :=
  filter (fun a => negb (removed a)) l.

Lemma cut_some : forall A removed (l : list A), exists p ps, cut removed l = p :: ps.
Proof.
  induction l as [|a l [p [ps IH]]]; simpl; eauto.
  rewrite IH. destruct (removed a); eauto.
Qed.

Lemma cut_length :
  forall A removed (l : list A), length (cut removed l) = 1 + length (filter removed l).
Proof.
  induction l as [|a l IH]; simpl; auto.
  destruct (cut_some A removed l) as [p [ps E]]. rewrite E in *. simpl in IH.
  destruct (removed a); simpl; lia.
Qed.

Lemma cut_concat : forall A removed (l : list A), concat (cut removed l) = kept removed l.
Proof.
  induction l as [|a l IH]; simpl; auto.
  destruct (cut_some A removed l) as [p [ps E]]. rewrite E in *. simpl in IH.
  unfold kept in *. simpl. destruct (removed a); simpl; now rewrite <- IH.
Qed.

Lemma cut_head :
  forall A removed (a : A) l p ps,
  cut removed l = (a :: p) :: ps -> exists rest, l = a :: rest.
Proof.
  intros A removed a [|b l] p ps; simpl; try discriminate.
  destruct (cut_some A removed l) as [q [qs E]]. rewrite E.
  destruct (removed b); intros H; inversion H; eauto.
Qed.

Lemma cut_chains :
  forall A near removed (l : list A), chain near l -> Forall (chain near) (cut removed l).
Proof.
  induction l as [|a l IH]; simpl; intros C.
  - repeat constructor.
  - specialize (IH (chain_tail _ _ _ _ C)).
    destruct (cut removed l) as [|p ps] eqn:E; auto.
    destruct (removed a).
    + constructor; simpl; auto.
    + inversion IH as [|? ? P PS]; subst. constructor; auto.
      destruct p as [|b p]; simpl; auto.
      destruct (cut_head _ _ _ _ _ _ E) as [rest ->].
      split; [apply C | apply P].
Qed.

(** Cut in pieces, [r] chains with [t] removed elements are [r + t] chains or fewer. *)
Lemma cut_all :
  forall A near removed (ss : list (list A)), Forall (chain near) ss ->
  exists pieces,
    length pieces = length ss + length (filter removed (concat ss))
    /\ Forall (chain near) pieces
    /\ concat pieces = kept removed (concat ss).
Proof.
  induction ss as [|s ss IH]; intros F.
  - exists []. auto.
  - inversion F as [|? ? S SS]; subst. destruct (IH SS) as [ps [L [C E]]].
    exists (cut removed s ++ ps).
    rewrite app_length, cut_length, Forall_app, concat_app, cut_concat, E. simpl.
    rewrite filter_app, app_length. unfold kept. rewrite filter_app.
    repeat split; auto using cut_chains. lia.
Qed.

(** What remains is covered with the pieces. *)
Theorem removal_adds_sequences :
  forall A near removed r (cards : list A),
  covered_by near r cards ->
  covered_by near (r + length (filter removed cards)) (kept removed cards).
Proof.
  intros A near removed r cards [ss [R [F P]]].
  destruct (cut_all A near removed ss F) as [ps [L [C E]]].
  assert (Q : forall f : A -> bool, Permutation (filter f (concat ss)) (filter f cards)).
  { intros f. clear -P. induction P; simpl; auto.
    - destruct (f x); auto.
    - destruct (f x), (f y); auto using perm_swap.
    - eauto using Permutation_trans. }
  exists ps. split; [| split; auto].
  - rewrite L, (Permutation_length (Q removed)). lia.
  - rewrite E. apply Q.
Qed.
