(** Missing cards, if a card can agree with any two others (2k <= d): each joins two sequences. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Hubs WildCards.
Import ListNotations.

Section FillIn.

Variable k d : nat.
Hypothesis positive : 1 <= k.
Hypothesis wide : 2 * k <= d.

Local Notation wide_card := (of_width d).

(** ** A card that matches two others *)

Definition some_value (a : option nat) : option nat :=
  match a with Some x => Some x | None => Some 0 end.

Definition joiner (x y : card) : card :=
  firstn k (map some_value x) ++ skipn k (map some_value y).

Lemma agree_some_value : forall a, agree a (some_value a) = true.
Proof. intros [x|]; simpl; auto. apply Nat.eqb_refl. Qed.

Lemma agrees_before :
  forall n x rest, n <= length x -> n <= agreeing x (firstn n (map some_value x) ++ rest).
Proof.
  induction n as [|n IH]; intros x rest L; [lia|]. destruct x as [|a x]; simpl in *; [lia|].
  rewrite agree_some_value. specialize (IH x rest ltac:(lia)). lia.
Qed.

Lemma agrees_after :
  forall n x y, length x = length y ->
  length y - n <= agreeing (firstn n (map some_value x) ++ skipn n (map some_value y)) y.
Proof.
  induction n as [|n IH]; intros x y L.
  - simpl. clear L. induction y as [|b y IH]; simpl in *; auto.
    rewrite agree_sym, agree_some_value. lia.
  - destruct x as [|a x], y as [|b y]; simpl in *; try lia. specialize (IH x y ltac:(lia)). lia.
Qed.

Lemma some_value_plain : forall c, plain (map some_value c).
Proof.
  intros c. apply Forall_forall. intros a I. apply in_map_iff in I. now destruct I as [[|] [<- _]].
Qed.

Lemma joiner_joins :
  forall x y, wide_card x -> wide_card y ->
  may_be_added d (joiner x y) /\ matches k x (joiner x y) = true /\ matches k (joiner x y) y = true.
Proof.
  unfold of_width, joiner, matches. intros x y Lx Ly.
  split; [split|split; apply Nat.leb_le].
  - pose proof (some_value_plain x) as Px. pose proof (some_value_plain y) as Py.
    unfold plain in *. rewrite Forall_forall in *. intros a I. apply in_app_or in I.
    destruct I as [I|I]; [apply Px|apply Py].
    + rewrite <- (firstn_skipn k). apply in_or_app. auto.
    + rewrite <- (firstn_skipn k). apply in_or_app. auto.
  - unfold of_width. rewrite app_length, firstn_length, skipn_length, !map_length. lia.
  - apply agrees_before. lia.
  - pose proof (agrees_after k x y ltac:(congruence)). lia.
Qed.

(** ** Sequences joined by added cards *)

Lemma chain_link :
  forall (l : list card) x r, chain (matches k) (l ++ [x]) -> chain (matches k) (x :: r) ->
  chain (matches k) (l ++ x :: r).
Proof.
  induction l as [|a l IH]; intros x r C R; [exact R|].
  destruct l as [|b l]; destruct C as [N C]; (split; [exact N|]); [exact R|].
  exact (IH x r C R).
Qed.

Lemma join_two :
  forall s t, chain (matches k) s -> chain (matches k) t -> Forall wide_card s ->
  Forall wide_card t ->
  exists added u, length added <= 1 /\ Forall (may_be_added d) added /\ chain (matches k) u
    /\ Permutation u (s ++ t ++ added).
Proof.
  intros s t Cs Ct Ws Wt. destruct t as [|y t].
  { exists [], s. rewrite !app_nil_r. auto. }
  destruct s as [|z s].
  { exists [], (y :: t). rewrite app_nil_r. auto. }
  destruct (@exists_last _ (z :: s) ltac:(discriminate)) as [l [x E]]. rewrite E in *.
  apply Forall_app in Ws. destruct Ws as [_ Wx]. inversion Wx as [|? ? Wx' _]; subst.
  inversion Wt as [|? ? Wy _]; subst.
  destruct (joiner_joins x y Wx' Wy) as [A [M N]].
  exists [joiner x y], (l ++ x :: joiner x y :: y :: t). repeat split; auto.
  - apply chain_link; auto. split; [exact M|]. split; [exact N|exact Ct].
  - rewrite <- !app_assoc. apply Permutation_app_head. simpl. apply perm_skip.
    exact (Permutation_cons_append (y :: t) (joiner x y)).
Qed.

Lemma join_all :
  forall a n ss, length ss <= S n + a -> Forall (chain (matches k)) ss ->
  Forall (Forall wide_card) ss ->
  exists added us, length added <= a /\ Forall (may_be_added d) added /\ length us <= S n
    /\ Forall (chain (matches k)) us /\ Permutation (concat us) (concat ss ++ added).
Proof.
  induction a as [|a IH]; intros n ss L C W.
  { exists [], ss. rewrite app_nil_r. repeat split; auto. lia. }
  destruct ss as [|s [|t ss]].
  1, 2: eexists [], _; rewrite app_nil_r; repeat split; eauto; simpl; lia.
  inversion C as [|? ? Cs C']; subst. inversion C' as [|? ? Ct C'']; subst.
  inversion W as [|? ? Ws W']; subst. inversion W' as [|? ? Wt W'']; subst.
  destruct (join_two s t Cs Ct Ws Wt) as [one [u [Lo [Ao [Cu Pu]]]]].
  destruct (IH n (u :: ss)) as [added [us [La [Aa [Lu [Cus Pus]]]]]].
  - simpl in *. lia.
  - constructor; auto.
  - constructor; auto. apply (Permutation_Forall (Permutation_sym Pu)).
    apply Forall_app. split; auto. apply Forall_app. split; auto.
    eapply Forall_impl; [|exact Ao]. intros c [_ Lc]. exact Lc.
  - exists (one ++ added), us. rewrite app_length. repeat split; auto; try lia.
    + apply Forall_app. auto.
    + eapply Permutation_trans; [exact Pus|]. simpl.
      eapply Permutation_trans; [apply Permutation_app_tail, Permutation_app_tail, Pu|].
      rewrite <- !app_assoc. do 2 apply Permutation_app_head. rewrite !app_assoc.
      apply Permutation_app_tail, Permutation_app_comm.
Qed.

(** ** Theorem 9 *)

Section Hand.

Variable cards universals : list card.
Hypothesis Cards : Forall (fun c => universal k c = false /\ wide_card c) cards.
Hypothesis Universals : Forall (fun c => universal k c = true /\ wide_card c) universals.

(** Added and universal cards together join sequences. *)
Theorem added_cards :
  forall a,
  (exists added, length added <= a /\ Forall (may_be_added d) added
     /\ playable k None (cards ++ universals ++ added))
  <-> covered_by (matches k) (S (length universals) + a) cards.
Proof.
  intros a. split.
  - intros [added [La [_ [s [P F]]]]].
    set (all := map (fun c => (c, false)) cards
      ++ map (fun c => (c, true)) (universals ++ added)).
    assert (Names : map fst all = cards ++ universals ++ added).
    { unfold all. now rewrite map_app, !map_map, !map_id. }
    rewrite <- Names in P. apply Permutation_map_inv in P. destruct P as [t [-> P]].
    assert (One : covered_by (fun x y => matches k (fst x) (fst y)) 1 all).
    { exists [t]. simpl. rewrite app_nil_r. split; auto. split; [|now apply Permutation_sym].
      constructor; auto. exact (proj1 (chain_map _ _ fst (matches k) t) F). }
    apply (removal_adds_sequences _ _ snd) in One.
    assert (Kept : kept snd all = map (fun c => (c, false)) cards
      /\ length (filter snd all) = length universals + length added).
    { unfold all, kept. rewrite !filter_app, app_length. split.
      - enough (forall l m : list card, filter (fun x => negb (snd x)) (map (fun c => (c, false)) l)
          ++ filter (fun x => negb (snd x)) (map (fun c => (c, true)) m)
          = map (fun c => (c, false)) l) by auto.
        intros l m. assert (M : filter (fun x => negb (snd x)) (map (fun c : card => (c, true)) m)
          = []) by (induction m; auto).
        rewrite M, app_nil_r. induction l; simpl; auto. now f_equal.
      - rewrite <- (app_length universals added). generalize (universals ++ added).
        intros m. assert (M : length (filter snd (map (fun c : card => (c, true)) m)) = length m)
          by (induction m; simpl; auto).
        assert (N : filter snd (map (fun c : card => (c, false)) cards) = [])
          by (clear; induction cards; auto).
        now rewrite N, M. }
    destruct Kept as [Ks Ls]. rewrite Ks, Ls in One. destruct One as [ss [R [C Q]]].
    exists (map (map fst) ss). rewrite map_length. split; [lia|]. split.
    + rewrite Forall_forall in *. intros u I. apply in_map_iff in I. destruct I as [v [<- I]].
      apply chain_map. now apply C.
    + rewrite <- concat_map. apply (Permutation_map fst) in Q. now rewrite map_map, map_id in Q.
  - intros [ss [R [C Q]]].
    assert (W : Forall (Forall wide_card) ss).
    { apply Forall_forall. intros s I. apply Forall_forall. intros c Ic.
      rewrite Forall_forall in Cards. apply Cards, (Permutation_in _ Q), in_concat. eauto. }
    destruct (join_all a (length universals) ss R C W) as [added [us [La [Aa [Lu [Cu Pu]]]]]].
    exists added. split; auto. split; auto.
    destruct (wild_cards k d (cards ++ added) universals) as [_ Play]; auto.
    { apply Forall_app. split; auto. eapply Forall_impl; [|exact Aa]. intros c [P L].
      split; auto. now apply (plain_not_universal k). }
    destruct Play as [s [P F]].
    { exists us. split; auto. split; auto. eapply Permutation_trans; [exact Pu|].
      now apply Permutation_app_tail. }
    exists s. split; [|exact F]. eapply Permutation_trans; [exact P|]. rewrite <- app_assoc.
    apply Permutation_app_head, Permutation_app_comm.
Qed.

(** The least number of added cards, if [r] is the least number of sequences without the universal
    cards. *)
Corollary fill_in :
  forall r, covered_by (matches k) r cards ->
  (forall q, covered_by (matches k) q cards -> r <= q) ->
  (exists added, length added <= r - 1 - length universals /\ Forall (may_be_added d) added
     /\ playable k None (cards ++ universals ++ added))
  /\ forall added, Forall (may_be_added d) added ->
     playable k None (cards ++ universals ++ added) ->
     r - 1 - length universals <= length added.
Proof.
  intros r [ss [R C]] Least. split.
  - apply added_cards. exists ss. split; auto. lia.
  - intros added A P. assert (Cov := proj1 (added_cards (length added)) ltac:(eauto)).
    apply Least in Cov. lia.
Qed.

End Hand.

End FillIn.
