(** Universal wild cards: each joins two sequences. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules.
Import ListNotations.

Section WildCards.

Variable k d : nat.

Definition of_width (c : card) : Prop := length c = d.

Lemma chain_app :
  forall (near : card -> card -> bool) a w b, chain near a -> chain near (w :: b) ->
  (forall c, In c a -> near c w = true) -> chain near (a ++ w :: b).
Proof.
  induction a as [|c a IH]; intros w b A B N; [exact B|].
  assert (T : chain near (a ++ w :: b)).
  { apply IH; auto. - now apply chain_tail in A. - intros e E. apply N. simpl. auto. }
  destruct a as [|e a]; simpl in *.
  - split; auto.
  - destruct A. split; auto.
Qed.

(** The sequences one after the other, with a wild card between two, and the spare ones last. *)
Fixpoint weave (ss : list (list card)) (ws : list card) : list card :=
  match ss, ws with
  | [], _ => ws
  | s :: rest, [] => s ++ concat rest
  | s :: rest, w :: ws' => s ++ w :: weave rest ws'
  end.

Lemma weave_permutation : forall ss ws, Permutation (weave ss ws) (concat ss ++ ws).
Proof.
  induction ss as [|s ss IH]; intros ws; simpl; auto.
  destruct ws as [|w ws]; [now rewrite app_nil_r|]. rewrite <- app_assoc.
  apply Permutation_app_head. eapply Permutation_trans; [apply perm_skip, IH|].
  apply Permutation_middle.
Qed.

Lemma wild_chain :
  forall w l, universal k w = true -> of_width w -> Forall of_width l ->
  chain (matches k) l -> chain (matches k) (w :: l).
Proof.
  intros w [|c l] U W L C; [exact I|]. split; auto. inversion L; subst.
  apply universal_matches; auto. unfold of_width in *. congruence.
Qed.

Lemma weave_chain :
  forall ss ws, Forall (chain (matches k)) ss -> Forall (Forall of_width) ss ->
  Forall (fun w => universal k w = true /\ of_width w) ws -> length ss <= S (length ws) ->
  chain (matches k) (weave ss ws).
Proof.
  induction ss as [|s ss IH]; intros ws C W U L.
  - simpl. clear -U. induction U as [|w ws [Uw Ww] U IH]; [exact I|].
    apply wild_chain; auto. clear -U. induction U as [|v ws [_ V] U IH]; constructor; auto.
  - inversion C as [|? ? Cs C']; subst. inversion W as [|? ? Ws W']; subst.
    destruct ws as [|w ws]; simpl in *.
    + destruct ss; simpl in *; [now rewrite app_nil_r|lia].
    + inversion U as [|? ? [Uw Ww] U']; subst. apply chain_app; auto.
      * apply wild_chain; auto.
        -- apply Forall_forall. intros c I. apply (Permutation_in _ (weave_permutation ss ws)) in I.
           apply in_app_or in I. destruct I as [I|I].
           ++ apply in_concat in I. destruct I as [s' [Is Ic]].
              rewrite Forall_forall in W'. specialize (W' s' Is).
              rewrite Forall_forall in W'. auto.
           ++ rewrite Forall_forall in U'. now apply U'.
        -- apply IH; auto. lia.
      * intros c I. rewrite matches_sym. apply universal_matches; auto.
        rewrite Forall_forall in Ws. specialize (Ws c I). unfold of_width in *. congruence.
Qed.

(** [w] universal wild cards and other cards are played in one sequence if and only if the others
    are played in [w + 1] sequences. *)
Theorem wild_cards :
  forall cards wilds,
  Forall (fun c => universal k c = false /\ of_width c) cards ->
  Forall (fun w => universal k w = true /\ of_width w) wilds ->
  (playable k None (cards ++ wilds) <-> covered_by (matches k) (S (length wilds)) cards).
Proof.
  intros cards wilds P U.
  assert (K : kept (universal k) (cards ++ wilds) = cards
    /\ length (filter (universal k) (cards ++ wilds)) = length wilds).
  { unfold kept. rewrite !filter_app, app_length.
    assert (A : filter (fun a => negb (universal k a)) cards = cards
      /\ filter (universal k) cards = []).
    { clear U. induction P as [|c cards [Uc _] P [IH IH']]; simpl; auto.
      rewrite Uc. simpl. now rewrite IH, IH'. }
    assert (B : filter (fun a => negb (universal k a)) wilds = []
      /\ filter (universal k) wilds = wilds).
    { clear P A. induction U as [|w wilds [Uw _] U [IH IH']]; simpl; auto.
      rewrite Uw. simpl. now rewrite IH, IH'. }
    destruct A as [-> ->], B as [-> ->]. now rewrite app_nil_r. }
  destruct K as [K L]. split.
  - intros [s [Q F]].
    assert (C : covered_by (matches k) 1 (cards ++ wilds)).
    { exists [s]. simpl. rewrite app_nil_r. auto. }
    apply (removal_adds_sequences _ _ (universal k)) in C. rewrite K, L in C. exact C.
  - intros [ss [R [C Q]]]. exists (weave ss wilds). split.
    + eapply Permutation_trans; [apply weave_permutation|]. now apply Permutation_app_tail.
    + apply weave_chain; auto. apply Forall_forall. intros s I. apply Forall_forall. intros c Ic.
      rewrite Forall_forall in P. apply P. eapply Permutation_in; [exact Q|].
      apply in_concat. eauto.
Qed.

End WildCards.
