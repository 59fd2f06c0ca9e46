(** Pairs: if each card that player 1 can ever play has its own matching partner in the hand of
    player 2, then player 2 answers each card with its partner, and player 1 loses. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Strategies.
Import ListNotations.

Section Pairs.

Variable k : nat.

(** A card is dead below another one if it cannot be laid on it. *)
Definition dead (rest : list card) (last : option card) : Prop :=
  forall c, In c rest -> fits k last c = false.

Definition partners (ab : card * card) : Prop := matches k (fst ab) (snd ab) = true.

(** [pairs] are the pairs left, and [rest] the cards of player 1 that have no partner: they can
    neither be laid on the card on top nor on any partner. *)
Theorem pairs :
  forall pairs rest spare last first second,
  Permutation first (map fst pairs ++ rest) ->
  Permutation second (map snd pairs ++ spare) ->
  Forall partners pairs ->
  dead rest last ->
  (forall ab, In ab pairs -> dead rest (Some (snd ab))) ->
  beaten k false (Position 0 last [first; second]).
Proof.
  intros pairs. remember (length pairs) as n eqn:N. revert pairs N.
  induction n as [|n IH]; intros pairs N rest spare last first second F S M D DP.
  - apply all_turns_lose; auto. intros c h [P T]. unfold hand in P. simpl in P, T.
    destruct pairs; [|discriminate]. simpl in *. rewrite D in T; [discriminate|].
    eapply Permutation_in; [exact F|]. eapply Permutation_in; [apply Permutation_sym; exact P|].
    simpl; auto.
  - apply all_turns_lose; auto. intros c h [P T]. unfold hand in P. simpl in P, T.
    split; [intros [E _]; discriminate|].
    assert (I : In c (map fst pairs ++ rest)).
    { eapply Permutation_in; [exact F|]. eapply Permutation_in; [apply Permutation_sym; exact P|].
      simpl; auto. }
    apply in_app_or in I. destruct I as [I|I]; [|rewrite D in T by auto; discriminate].
    apply in_map_iff in I. destruct I as [[c' b] [E I]]. simpl in E. subst c'.
    destruct (in_split _ _ I) as [before [behind Split]]. subst pairs.
    assert (Mb : matches k c b = true).
    { rewrite Forall_forall in M. apply (M (c, b)). auto. }
    unfold after, next. simpl.
    apply (a_turn_beats k false _ b (map snd (before ++ behind) ++ spare)).
    + simpl; auto.
    + split; [|exact Mb]. unfold hand. simpl.
      eapply Permutation_trans; [exact S|]. rewrite !map_app. simpl. rewrite <- !app_assoc. simpl.
      apply Permutation_sym, Permutation_middle.
    + right. unfold after, next. simpl.
      apply (IH (before ++ behind)) with (rest := rest) (spare := spare).
      * rewrite app_length in *. simpl in N. lia.
      * apply (Permutation_cons_inv (a := c)).
        eapply Permutation_trans; [apply Permutation_sym; exact P|].
        eapply Permutation_trans; [exact F|]. rewrite !map_app. simpl. rewrite <- !app_assoc. simpl.
        apply Permutation_sym, Permutation_middle.
      * apply Permutation_refl.
      * rewrite Forall_app in *. destruct M as [M1 M2]. inversion M2. auto.
      * exact (DP (c, b) I).
      * intros ab In'. apply DP. apply in_app_or in In'. apply in_or_app. simpl. tauto.
Qed.

End Pairs.
