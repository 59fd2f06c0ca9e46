(** Hubs of cards: two cards without wild attributes match if and only if they lie on a common hub.
    With it the hub-trail theorem speaks of cards. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Converse HubTrails.
Import ListNotations.

(** A hub is a choice of [k] attributes with their values; attributes are numbered from [i]. *)
Definition place : Type := list (nat * nat).

Fixpoint hubs (k i : nat) (c : card) : list place :=
  match k, c with
  | 0, _ => [[]]
  | S _, [] => []
  | S k', a :: rest =>
      match a with
      | Some x => map (cons (i, x)) (hubs k' (S i) rest)
      | None => []
      end ++ hubs k (S i) rest
  end.

Lemma hubs_from : forall c k i h, In h (hubs k i c) -> Forall (fun p => i <= fst p) h.
Proof.
  induction c as [|a c IH]; intros [|k] i h I; simpl in I.
  1, 3: destruct I as [<-|[]]; constructor.
  - destruct I.
  - apply in_app_or in I. destruct I as [I|I].
    + destruct a as [x|]; [|destruct I]. apply in_map_iff in I. destruct I as [h' [<- I]].
      constructor; simpl; auto.
      eapply Forall_impl; [|exact (IH k (S i) h' I)]. simpl. intros p L. lia.
    + eapply Forall_impl; [|exact (IH (S k) (S i) h I)]. simpl. intros p L. lia.
Qed.

Definition plain (c : card) : Prop := Forall (fun a => a <> None) c.

(** Cards that may be added have all [d] attributes, and none of them wild. *)
Definition may_be_added (d : nat) (c : card) : Prop := plain c /\ length c = d.

Lemma plain_not_universal : forall k c, 1 <= k -> plain c -> universal k c = false.
Proof.
  intros k c K P. unfold universal. apply Nat.leb_gt. enough (wilds c = 0) by lia.
  clear K. induction P as [|a c Pa P IH]; auto. destruct a; [exact IH|congruence].
Qed.

Lemma common_hub :
  forall c d k i, plain c -> plain d -> length c = length d ->
  (k <= agreeing c d <-> exists h, In h (hubs k i c) /\ In h (hubs k i d)).
Proof.
  induction c as [|a c IH]; intros [|b d] k i C D L; try discriminate L.
  - destruct k; simpl; split; try lia; [eauto|]. intros [h [[] _]].
  - inversion C as [|? ? Ca C']; subst. inversion D as [|? ? Db D']; subst.
    injection L as L. destruct a as [x|]; [|congruence]. destruct b as [y|]; [|congruence].
    destruct k as [|k]; [simpl; split; [eauto|lia]|]. simpl hubs. simpl agreeing.
    split.
    + intros K. destruct (Nat.eqb_spec x y) as [<-|_].
      * assert (K' : k <= agreeing c d) by lia. apply (IH d k (S i) C' D' L) in K'.
        destruct K' as [h [Hc Hd]]. exists ((i, x) :: h).
        split; apply in_or_app; left; apply in_map; auto.
      * apply (IH d (S k) (S i) C' D' L) in K. destruct K as [h [Hc Hd]].
        exists h. split; apply in_or_app; auto.
    + intros [h [Hc Hd]]. apply in_app_or in Hc. apply in_app_or in Hd.
      assert (Apart : forall z e g, In g (hubs (S k) (S i) e) -> g <> (i, z) :: tl g).
      { intros z e g G E. apply hubs_from in G. rewrite E in G. inversion G. simpl in *. lia. }
      destruct Hc as [Hc|Hc], Hd as [Hd|Hd].
      * apply in_map_iff in Hc. destruct Hc as [hc [<- Hc]].
        apply in_map_iff in Hd. destruct Hd as [hd [E Hd]]. inversion E; subst.
        rewrite Nat.eqb_refl. enough (k <= agreeing c d) by lia.
        apply (IH d k (S i) C' D' L). eauto.
      * apply in_map_iff in Hc. destruct Hc as [hc [<- Hc]].
        exfalso. now apply (Apart x _ _ Hd).
      * apply in_map_iff in Hd. destruct Hd as [hd [<- Hd]].
        exfalso. now apply (Apart y _ _ Hc).
      * enough (S k <= agreeing c d) by (destruct (x =? y); lia).
        apply (IH d (S k) (S i) C' D' L). eauto.
Qed.

Lemma hubs_some : forall c k i, plain c -> k <= length c -> hubs k i c <> [].
Proof.
  induction c as [|a c IH]; intros [|k] i C L; simpl in *; try discriminate; try lia.
  inversion C as [|? ? Ca C']; subst. destruct a as [x|]; [|congruence].
  specialize (IH k (S i) C' ltac:(lia)). destruct (hubs k (S i) c); [congruence|discriminate].
Qed.

(** ** Numbers of hubs *)

Lemma place_dec : forall g h : place, {g = h} + {g <> h}.
Proof. apply list_eq_dec. decide equality; apply Nat.eq_dec. Defined.

Fixpoint index (h : place) (known : list place) : nat :=
  match known with
  | [] => 0
  | g :: rest => if place_dec g h then 0 else S (index h rest)
  end.

Lemma index_injective :
  forall known g h, In g known -> In h known -> index g known = index h known -> g = h.
Proof.
  induction known as [|f known IH]; intros g h G H E; [destruct G|]. simpl in E.
  destruct (place_dec f g) as [Eg|Ng], (place_dec f h) as [Eh|Nh]; try congruence.
  injection E as E. destruct G as [G|G]; [contradiction|]. destruct H as [H|H]; [contradiction|].
  auto.
Qed.

Definition known_hubs (k : nat) (cards : list card) : list place := flat_map (hubs k 0) cards.

(** The hubs of a card, by number. *)
Definition at_hubs (k : nat) (cards : list card) (c : card) : list hub :=
  map (fun h => index h (known_hubs k cards)) (hubs k 0 c).

Definition well_formed (k d : nat) (cards : list card) : Prop :=
  k <= d /\ Forall (fun c => plain c /\ length c = d) cards.

Lemma shares_matches :
  forall k n cards, well_formed k n cards -> forall c d, In c cards -> In d cards ->
  shares card (at_hubs k cards) c d = matches k c d.
Proof.
  intros k n cards [_ W] c d C D. rewrite Forall_forall in W.
  destruct (W c C) as [Pc Lc]. destruct (W d D) as [Pd Ld].
  apply eq_true_iff_eq. rewrite shares_hub. unfold matches. rewrite Nat.leb_le.
  rewrite (common_hub c d k 0 Pc Pd) by congruence. unfold at_hubs. split.
  - intros [v [Vc Vd]]. apply in_map_iff in Vc. destruct Vc as [g [<- G]].
    apply in_map_iff in Vd. destruct Vd as [h [E H]].
    exists g. split; auto.
    enough (h = g) by congruence.
    apply (index_injective (known_hubs k cards)); auto; apply in_flat_map; eauto.
  - intros [h [Hc Hd]]. exists (index h (known_hubs k cards)).
    split; apply in_map_iff; eauto.
Qed.

Lemma covered_ext :
  forall (near near' : card -> card -> bool) r cards,
  (forall c d, In c cards -> In d cards -> near c d = near' c d) ->
  covered_by near r cards -> covered_by near' r cards.
Proof.
  intros near near' r cards E [ss [R [F P]]]. exists ss. repeat split; auto.
  rewrite Forall_forall in *. intros s I. apply (chain_ext card near); auto.
  intros c d C D. apply E; eapply Permutation_in; try exact P; apply in_concat; eauto.
Qed.

(** The hub-trail theorem for hands of cards: [r] feasible sequences, if and only if there is a
    choice of two hubs for each card with at most [2 r] ends. *)
Theorem hub_trails_of_cards :
  forall k d r cards, well_formed k d cards ->
  (covered_by (matches k) r cards
   <-> exists choice closed, trails_for card (at_hubs k cards) r cards choice closed).
Proof.
  intros k d r cards W.
  rewrite <- hub_trails.
  - split; apply covered_ext; intros; [symmetry|]; eapply shares_matches; eauto.
  - intros c I. destruct W as [K W]. rewrite Forall_forall in W. destruct (W c I) as [P L].
    unfold at_hubs. pose proof (hubs_some c k 0 P ltac:(lia)).
    destruct (hubs k 0 c); [congruence|discriminate].
Qed.

(** [uno-1]: all cards in one sequence. *)
Corollary uno_1 :
  forall k d cards, well_formed k d cards ->
  (playable k None cards
   <-> exists choice closed, trails_for card (at_hubs k cards) 1 cards choice closed).
Proof.
  intros k d cards W. rewrite <- (hub_trails_of_cards k d 1 cards W). unfold playable. split.
  - intros [s [P F]]. exists [s]. simpl. rewrite app_nil_r. auto.
  - intros [[|s [|]] [L [F P]]]; simpl in *; try lia.
    + exists []. split; [exact P|exact I].
    + inversion F. rewrite app_nil_r in P. eauto.
Qed.
