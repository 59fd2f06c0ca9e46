(** Numbered cards: the check of their hubs, and the numbers of what is chosen of a list. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails HubTrails Hubs Counts Rows Played Checker.
Import ListNotations.

(** ** The check of hubs *)

(** Every card [c] of number [i] has the hubs [at_ i].  Those of a card without wild attributes are
    its choices of [k] attributes, under any names; a card with wild attributes may have any hubs
    that it shares with each card that it matches. *)
Section Check_hubs.

Variable k d hubs_count : nat.
Variable name : place -> nat.
Variable at_ : nat -> list hub.

Definition plain_b (c : card) : bool :=
  forallb (fun a => match a with None => false | _ => true end) c.

Lemma plain_spec : forall c, plain_b c = true -> plain c.
Proof.
  intros c E. unfold plain_b in E. rewrite forallb_forall in E. apply Forall_forall.
  intros a I -> . specialize (E _ I). discriminate.
Qed.

Definition numbered (deck : list card) : list (nat * card) :=
  combine (seq 0 (length deck)) deck.

Definition meets (all : list (nat * card)) (i : nat) (c : card) : bool :=
  forallb (fun jc => negb (matches k c (snd jc)) || shares nat at_ i (fst jc)) all.

Definition check_card (all : list (nat * card)) (ic : nat * card) : bool :=
  let '(i, c) := ic in
  (length c =? d) && negb (length (at_ i) =? 0) && forallb (fun h => h <? hubs_count) (at_ i)
  && if plain_b c
     then if list_eq_dec Nat.eq_dec (at_ i) (map name (hubs k 0 c)) then true else false
     else meets all i c.

Definition check_hubs (deck : list card) : bool :=
  let all := numbered deck in forallb (check_card all) all.

Lemma shares_sym : forall i j, shares nat at_ i j = true -> shares nat at_ j i = true.
Proof. intros i j S. apply shares_hub in S. apply shares_hub. destruct S as [h [I J]]. eauto. Qed.

Lemma numbered_in : forall deck i, i < length deck -> In (i, nth i deck []) (numbered deck).
Proof.
  intros deck i L. unfold numbered.
  assert (E : nth i (combine (seq 0 (length deck)) deck) (0, []) = (i, nth i deck [])).
  { rewrite combine_nth by apply seq_length. now rewrite seq_nth. }
  rewrite <- E. apply nth_In. now rewrite combine_length, seq_length, Nat.min_id.
Qed.

Theorem check_hubs_sound :
  forall deck, check_hubs deck = true ->
  (forall i, i < length deck -> at_ i <> [])
  /\ (forall i h, i < length deck -> In h (at_ i) -> h < hubs_count)
  /\ forall i j, i < length deck -> j < length deck ->
     matches k (nth i deck []) (nth j deck []) = true -> shares nat at_ i j = true.
Proof.
  intros deck E. unfold check_hubs in E. rewrite forallb_forall in E.
  assert (One : forall i, i < length deck -> check_card (numbered deck) (i, nth i deck []) = true).
  { intros i L. apply E. now apply numbered_in. }
  clear E. unfold check_card in One. split; [|split].
  - intros i L N. specialize (One i L). rewrite N in One. simpl in One.
    rewrite andb_false_r in One. discriminate.
  - intros i h L I. specialize (One i L).
    repeat (apply andb_true_iff in One; destruct One as [One ?]).
    match goal with H : forallb _ (at_ i) = true |- _ => rewrite forallb_forall in H;
      specialize (H h I); now apply Nat.ltb_lt in H end.
  - intros i j Li Lj M. pose proof (One i Li) as Oi. pose proof (One j Lj) as Oj.
    apply andb_true_iff in Oi. destruct Oi as [Oi Hi]. apply andb_true_iff in Oi.
    destruct Oi as [Oi _]. apply andb_true_iff in Oi. destruct Oi as [Ti _].
    apply andb_true_iff in Oj. destruct Oj as [Oj Hj]. apply andb_true_iff in Oj.
    destruct Oj as [Oj _]. apply andb_true_iff in Oj. destruct Oj as [Tj _].
    apply Nat.eqb_eq in Ti, Tj.
    destruct (plain_b (nth i deck [])) eqn:Pi.
    + destruct (plain_b (nth j deck [])) eqn:Pj.
      * destruct (list_eq_dec Nat.eq_dec (at_ i) _) as [Ei|]; [|discriminate].
        destruct (list_eq_dec Nat.eq_dec (at_ j) _) as [Ej|]; [|discriminate].
        apply plain_spec in Pi, Pj. unfold matches in M. apply Nat.leb_le in M.
        apply (common_hub _ _ k 0 Pi Pj) in M; [|congruence]. destruct M as [h [Ii Ij]].
        apply shares_hub. exists (name h). rewrite Ei, Ej. split; now apply in_map.
      * apply shares_sym. unfold meets in Hj. rewrite forallb_forall in Hj.
        specialize (Hj _ (numbered_in deck i Li)). cbn [fst snd] in Hj.
        apply orb_true_iff in Hj. destruct Hj as [Hj|Hj]; [|exact Hj].
        apply negb_true_iff in Hj. rewrite matches_sym in M.
        destruct (eq_true_false_abs _ M Hj).
    + unfold meets in Hi. rewrite forallb_forall in Hi.
      specialize (Hi _ (numbered_in deck j Lj)). cbn [fst snd] in Hi.
      apply orb_true_iff in Hi. destruct Hi as [Hi|Hi]; [|exact Hi].
      apply negb_true_iff in Hi. destruct (eq_true_false_abs _ M Hi).
Qed.

End Check_hubs.

(** ** Numbers of what is chosen *)

(** What is chosen of a list, by place; places are numbered from [i]. *)
Lemma places :
  forall A (default : A) i l chosen rest, Permutation (chosen ++ rest) l ->
  exists is js, Permutation (is ++ js) (seq i (length l))
    /\ map (fun x => nth (x - i) l default) is = chosen /\ length js = length rest.
Proof.
  intros A default i l chosen rest P.
  assert (Whole : map (fun x => nth (x - i) l default) (seq i (length l)) = l).
  { clear. revert i. induction l as [|a l IH]; intros i; auto. cbn [length seq map].
    rewrite Nat.sub_diag. cbn [nth]. f_equal. rewrite <- (IH (S i)) at 2. apply map_ext_in.
    intros x I. apply in_seq in I. replace (x - i) with (S (x - S i)) by lia. reflexivity. }
  rewrite <- Whole in P at 1. apply Permutation_map_inv in P. destruct P as [m [E P]].
  symmetry in E. apply map_eq_app in E. destruct E as [is [js [-> [Ei Ej]]]].
  exists is, js. split; [now apply Permutation_sym|]. split; auto. now rewrite <- Ej, map_length.
Qed.

Lemma list_sum_permutation : forall a b, Permutation a b -> list_sum a = list_sum b.
Proof. intros a b P. induction P; simpl in *; lia. Qed.

Lemma total_price_map :
  forall chosen ps i,
  total_price chosen i ps
  = list_sum (map (fun x => if chosen x then nth (x - i) ps 0 else 0) (seq i (length ps))).
Proof.
  intros chosen ps. induction ps as [|n ps IH]; intros i; auto.
  cbn [total_price length seq map]. rewrite Nat.sub_diag, (IH (S i)). cbn [nth]. unfold list_sum.
  cbn [fold_right]. f_equal. f_equal. apply map_ext_in. intros x I. apply in_seq in I.
  replace (x - i) with (S (x - S i)) by lia. reflexivity.
Qed.

Lemma total_price_places :
  forall ps i chosen is js, Permutation (is ++ js) (seq i (length ps)) ->
  (forall x, i <= x < i + length ps -> chosen x = true -> In x is) ->
  total_price chosen i ps <= list_sum (map (fun x => nth (x - i) ps 0) is).
Proof.
  intros ps i chosen is js P C. rewrite total_price_map.
  rewrite <- (list_sum_permutation _ _ (Permutation_map _ P)), map_app, list_sum_app.
  assert (N : NoDup (is ++ js)).
  { apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup. }
  assert (Rest : list_sum (map (fun x => if chosen x then nth (x - i) ps 0 else 0) js) = 0).
  { assert (Z : forall x, In x js -> (if chosen x then nth (x - i) ps 0 else 0) = 0).
    { intros x J. destruct (chosen x) eqn:Ch; auto. exfalso.
      assert (I : In x is).
      { apply C; auto. assert (S : In x (seq i (length ps))).
        { apply (Permutation_in _ P), in_or_app. auto. }
        apply in_seq in S. lia. }
      destruct (in_split _ _ J) as [l1 [l2 ->]]. rewrite app_assoc in N.
      apply NoDup_remove_2 in N. apply N. apply in_or_app. left. apply in_or_app. auto. }
    clear -Z. induction js as [|x js IH]; auto. cbn [map]. unfold list_sum in *.
    cbn [fold_right]. rewrite (Z x (or_introl eq_refl)). apply IH. intros y I. apply Z. simpl. auto.
  }
  rewrite Rest, Nat.add_0_r. clear. induction is as [|x is IH]; auto. cbn [map].
  unfold list_sum in *. cbn [fold_right]. destruct (chosen x); lia.
Qed.

Lemma map_snd_nth :
  forall (l : list (card * nat)) x, nth x (map snd l) 0 = snd (nth x l ([], 0)).
Proof. intros l x. change 0 with (snd (@nil (option nat), 0)) at 1. apply map_nth. Qed.

Lemma map_fst_nth :
  forall (l : list (card * nat)) x, nth x (map fst l) [] = fst (nth x l ([], 0)).
Proof.
  intros l x. change (@nil (option nat)) with (fst (@nil (option nat), 0)) at 1. apply map_nth.
Qed.

Lemma kept_app :
  forall A (f : A -> bool) a b, kept f (a ++ b) = kept f a ++ kept f b.
Proof. intros. unfold kept. apply filter_app. Qed.

Lemma filter_permutation :
  forall A (f : A -> bool) a b, Permutation a b -> Permutation (filter f a) (filter f b).
Proof.
  intros A f a b P. induction P as [|x a b P IH|x y a|a b c P IH Q IH']; simpl; auto.
  - destruct (f x); simpl; auto.
  - destruct (f x), (f y); simpl; auto using perm_swap.
  - eauto using Permutation_trans.
Qed.
