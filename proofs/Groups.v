(** Groups: cards that fall apart need many sequences.

    Some cards are removed, so that the others fall into groups, and no card matches one of another
    group.  Then the numbers of sequences that the groups need, less the number of removed cards,
    is a lower bound of the number of sequences that all cards need.  Each group needs one at
    least, so [c] groups after the removal of [t] cards need [c - t] sequences. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules.
Import ListNotations.

Section Groups.

Variable A : Type.
Variable near : A -> A -> bool.
Variable removed : A -> bool.
Variable group : A -> nat.

Definition in_group (g : nat) (a : A) : bool := group a =? g.

Definition starts_in (g : nat) (piece : list A) : bool :=
  match piece with
  | [] => false
  | a :: _ => in_group g a
  end.

(** All elements of a piece are in the group of its first one. *)
Definition of_one_group (piece : list A) : Prop :=
  forall a b, In a piece -> In b piece -> group a = group b.

Lemma chain_of_one_group :
  forall piece, chain near piece ->
  (forall a b, In a piece -> In b piece -> near a b = true -> group a = group b) ->
  of_one_group piece.
Proof.
  assert (Head : forall piece a, chain near (a :: piece) ->
    (forall x y, In x (a :: piece) -> In y (a :: piece) -> near x y = true -> group x = group y) ->
    forall b, In b (a :: piece) -> group b = group a).
  { induction piece as [|c piece IH]; intros a C N b B.
    - destruct B as [<-|[]]; auto.
    - destruct B as [<-|B]; auto.
      destruct C as [M C].
      rewrite (IH c C (fun x y X Y => N x y (or_intror X) (or_intror Y)) b B).
      symmetry. apply N; simpl; auto. }
  intros [|a piece] C N x y X Y; [destruct X|].
  rewrite (Head piece a C N x X). symmetry. apply (Head piece a C N y Y).
Qed.

Lemma pieces_of_group :
  forall g ps, Forall of_one_group ps ->
  concat (filter (starts_in g) ps) = filter (in_group g) (concat ps).
Proof.
  induction ps as [|p ps IH]; intros F; simpl; auto.
  inversion F as [|? ? P PS]; subst. rewrite filter_app.
  assert (E : filter (in_group g) p = if starts_in g p then p else []).
  { destruct p as [|a p]; auto. simpl starts_in.
    assert (All : forall l, incl l (a :: p) ->
      filter (in_group g) l = if in_group g a then l else []).
    { induction l as [|b l IHl]; simpl; intros I.
      - destruct (in_group g a); auto.
      - rewrite IHl by (intros z Z; apply I; simpl; auto).
        unfold in_group. rewrite (P b a) by (simpl; auto using in_eq; apply I; simpl; auto).
        destruct (group a =? g); auto. }
    apply All, incl_refl. }
  rewrite E, <- IH by auto. destruct (starts_in g p); auto.
Qed.

Lemma groups_share_no_piece :
  forall gs ps, NoDup gs ->
  list_sum (map (fun g => length (filter (starts_in g) ps)) gs) <= length ps.
Proof.
  intros gs ps N. induction ps as [|p ps IH]; simpl.
  - induction gs as [|g gs IHg]; simpl; auto. inversion N; auto.
  - enough (H : list_sum (map (fun g => length (filter (starts_in g) (p :: ps))) gs)
      <= 1 + list_sum (map (fun g => length (filter (starts_in g) ps)) gs)) by (simpl in H; lia).
    clear IH. induction gs as [|g gs IHg]; simpl; auto.
    inversion N as [|? ? Out N']; subst. specialize (IHg N'). simpl in IHg.
    destruct p as [|a p]; simpl in *; [lia|].
    unfold in_group at 1. destruct (Nat.eqb_spec (group a) g) as [E|E]; simpl; [|lia].
    assert (Rest : map (fun h => length (if in_group h a then (a :: p) :: filter (starts_in h) ps
                                         else filter (starts_in h) ps)) gs
                 = map (fun h => length (filter (starts_in h) ps)) gs).
    { apply map_ext_in. intros h H. unfold in_group.
      destruct (Nat.eqb_spec (group a) h); auto. congruence. }
    rewrite Rest. lia.
Qed.

(** [need (g, n)]: the cards of group [g] cannot be played in fewer than [n] sequences. *)
Definition need (cards : list A) (gn : nat * nat) : Prop :=
  forall r, covered_by near r (filter (in_group (fst gn)) (kept removed cards)) -> snd gn <= r.

Theorem groups :
  forall cards needs r,
  (forall a b, In a (kept removed cards) -> In b (kept removed cards) ->
    near a b = true -> group a = group b) ->
  NoDup (map fst needs) ->
  Forall (need cards) needs ->
  covered_by near r cards ->
  list_sum (map snd needs) <= r + length (filter removed cards).
Proof.
  intros cards needs r Apart N Needs C.
  destruct (removal_adds_sequences A near removed r cards C) as [ps [L [F P]]].
  assert (One : Forall of_one_group ps).
  { rewrite Forall_forall in *. intros p Hp. apply chain_of_one_group; auto.
    intros a b Ha Hb. apply Apart; eapply Permutation_in; eauto; apply in_concat; eauto. }
  enough (list_sum (map snd needs) <= length ps) by lia.
  eapply Nat.le_trans; [|apply (groups_share_no_piece (map fst needs) ps N)].
  clear N. induction Needs as [|[g n] needs Hn _ IH]; simpl; auto.
  enough (n <= length (filter (starts_in g) ps)) by lia.
  apply Hn. exists (filter (starts_in g) ps). repeat split; auto.
  - rewrite Forall_forall in *. intros p Hp. apply filter_In in Hp. apply F; tauto.
  - rewrite pieces_of_group by auto. simpl.
    clear -P. induction P; simpl; auto.
    + destruct (in_group g x); auto.
    + destruct (in_group g x), (in_group g y); auto using perm_swap.
    + eauto using Permutation_trans.
Qed.

(** A group that has a card needs one sequence. *)
Lemma one_needed :
  forall cards a, In a (kept removed cards) -> need cards (group a, 1).
Proof.
  intros cards a I r [ss [R [_ P]]]. simpl in *.
  destruct ss as [|s ss]; simpl in *; [|lia].
  assert (In a []); [|contradiction].
  eapply Permutation_in; [apply Permutation_sym; exact P|].
  apply filter_In. split; auto. apply Nat.eqb_refl.
Qed.

End Groups.
