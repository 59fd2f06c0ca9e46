(** The trails of a play have the facts of [Rows.v]. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Converse HubTrails Counts Rows.
Import ListNotations.

Section Played.

Variable at_ : nat -> list hub.
Variable held : nat.
Variable pile : bool.
Variable hubs : nat.
Variable r : nat.

(** ** The trails of a play *)

Variable ts : list (trail nat).
Variable first : hub.
Variable closed : list hub.

Definition steps_cards (us : list (trail nat)) : list nat := flat_map (fun t => map fst (snd t)) us.

Hypothesis Valid : Forall (fun t => valid nat at_ (fst t) (snd t)) ts.
Hypothesis Once : Permutation (steps_cards ts) (seq 0 held).
Hypothesis Few : length ts <= r.
Hypothesis First : pile = true -> In first (at_ held) /\ In first (all_visited nat ts).

Definition entries := all_walked nat ts.

Definition walked_in (w : list (nat * (hub * hub))) (c : nat) (h : hub) : bool :=
  existsb (fun e => (fst e =? c) && ((h =? fst (snd e)) || (h =? snd (snd e)))) w.

Definition meaning (x : var) : bool :=
  match x with
  | Visited h => member h (all_visited nat ts)
  | Odd h => xorb (pile && (h =? first)) (odd_at nat h entries)
  | Closed h => member h closed
  | Walked c h => if pile && (c =? held) then h =? first else walked_in entries c h
  end.

Hypothesis Inside : incl closed (all_visited nat ts).
Hypothesis Ended : ended nat ts (fun h => meaning (Odd h)) closed.
Hypothesis Counted : count hubs (fun h => meaning (Odd h)) + 2 * length closed
  <= 2 * length ts - (if pile then 1 else 0).

(** *** Each card is walked at most once *)

Lemma walked_count :
  forall c l x, count_occ Nat.eq_dec (map fst (walked nat x l)) c
  <= count_occ Nat.eq_dec (map fst l) c.
Proof.
  intros c. induction l as [|[d y] l IH]; intros x; simpl; auto.
  specialize (IH y). destruct (x =? y); simpl; destruct (Nat.eq_dec d c); simpl; lia.
Qed.

Lemma entries_once : NoDup (map fst entries).
Proof.
  assert (C : forall us c, count_occ Nat.eq_dec (map fst (all_walked nat us)) c
    <= count_occ Nat.eq_dec (steps_cards us) c).
  { induction us as [|[x l] us IH]; intros c; simpl; auto.
    unfold all_walked, steps_cards in *. simpl. rewrite map_app, !count_occ_app.
    specialize (IH c). pose proof (walked_count c l x). lia. }
  apply (NoDup_count_occ Nat.eq_dec). intros c.
  eapply Nat.le_trans; [apply C|].
  rewrite (Permutation_count_occ Nat.eq_dec) in Once. rewrite Once.
  revert c. apply NoDup_count_occ, seq_NoDup.
Qed.

Lemma entry :
  forall c x y, In (c, (x, y)) entries ->
  c < held /\ x <> y /\ In x (at_ c) /\ In y (at_ c)
  /\ In x (all_visited nat ts) /\ In y (all_visited nat ts).
Proof.
  intros c x y I. unfold entries, all_walked in I. apply in_flat_map in I.
  destruct I as [t [T I]]. rewrite Forall_forall in Valid. specialize (Valid t T).
  destruct (walked_hubs nat at_ _ _ _ _ _ Valid I) as [D [C [X [Y [Vx Vy]]]]].
  assert (c < held).
  { assert (J : In c (steps_cards ts)) by (apply in_flat_map; eauto).
    apply (Permutation_in _ Once), in_seq in J. lia. }
  repeat split; auto; apply in_flat_map; eauto.
Qed.

Lemma walked_in_spec :
  forall w c x y h, NoDup (map fst w) -> In (c, (x, y)) w ->
  walked_in w c h = (h =? x) || (h =? y).
Proof.
  induction w as [|[d [a b]] w IH]; intros c x y h N I; [destruct I|].
  inversion N as [|? ? Out N']; subst. unfold walked_in in *. cbn [existsb fst snd].
  destruct I as [I|I].
  - inversion I; subst. rewrite Nat.eqb_refl. cbn [andb].
    enough (existsb (fun e => (fst e =? c) && ((h =? fst (snd e)) || (h =? snd (snd e)))) w = false)
      as -> by apply orb_false_r.
    apply not_true_is_false. intros E. apply existsb_exists in E. destruct E as [e [J E]].
    apply andb_true_iff in E. destruct E as [E _]. apply Nat.eqb_eq in E. subst c.
    apply Out. now apply in_map.
  - assert (Ne : (d =? c) = false).
    { apply Nat.eqb_neq. intros ->. apply Out. exact (in_map fst _ _ I). }
    rewrite Ne. cbn [andb orb]. now apply IH.
Qed.

Lemma not_walked :
  forall w c h, ~ In c (map fst w) -> walked_in w c h = false.
Proof.
  intros w c h Out. apply not_true_is_false. intros E. apply existsb_exists in E.
  destruct E as [e [J E]]. apply andb_true_iff in E. destruct E as [E _].
  apply Nat.eqb_eq in E. subst c. apply Out. now apply in_map.
Qed.

(** Counted by cards or by entries, as many walked cards are at a hub, modulo 2. *)
Lemma odd_by_cards :
  forall w n h, NoDup (map fst w) -> (forall c x y, In (c, (x, y)) w -> c < n /\ x <> y) ->
  odd_sum (fun c => walked_in w c h) (seq 0 n) = odd_at nat h w.
Proof.
  induction w as [|[d [a b]] w IH]; intros n h N B.
  - simpl. apply odd_sum_false.
  - inversion N as [|? ? Out N']; subst.
    destruct (B d a b (or_introl eq_refl)) as [L D].
    cbn [odd_at]. rewrite <- (IH n h N') by (intros; apply (B c x y); simpl; auto).
    rewrite (odd_sum_ext _ (fun c => xorb
      ((xorb (h =? a) (h =? b)) && (c =? d)) (walked_in w c h))).
    + rewrite odd_sum_xor. f_equal.
      rewrite (odd_sum_one (fun _ => xorb (h =? a) (h =? b))) by apply seq_NoDup.
      assert (M : member d (seq 0 n) = true) by (apply member_spec, in_seq; lia).
      rewrite M. apply andb_true_r.
    + intros c _. unfold walked_in. cbn [existsb fst snd].
      fold (walked_in w c h). rewrite (Nat.eqb_sym d c).
      destruct (Nat.eqb_spec c d) as [->|_].
      * rewrite (not_walked w d h Out), andb_true_r, orb_false_r, xorb_false_r. cbn [andb].
        destruct (Nat.eqb_spec h a), (Nat.eqb_spec h b); subst; auto. congruence.
      * now rewrite andb_false_r, xorb_false_l.
Qed.

Lemma odd_sum_app : forall f a b, odd_sum f (a ++ b) = xorb (odd_sum f a) (odd_sum f b).
Proof.
  intros f a b. induction a as [|x a IH]; simpl.
  - now destruct (odd_sum f b).
  - now rewrite IH, xorb_assoc.
Qed.

Lemma hand_card : forall c, c < held -> pile && (c =? held) = false.
Proof. intros c L. rewrite (proj2 (Nat.eqb_neq c held)) by lia. apply andb_false_r. Qed.

Theorem trail_facts : facts at_ held pile hubs r meaning.
Proof.
  constructor.
  - intros c L. assert (I : In c (steps_cards ts)).
    { apply (Permutation_in _ (Permutation_sym Once)), in_seq. lia. }
    apply in_flat_map in I. destruct I as [t [T I]].
    rewrite Forall_forall in Valid.
    destruct (covered nat at_ _ _ _ (Valid t T) I) as [h [A V]].
    exists h. split; auto. simpl. apply member_spec, in_flat_map. eauto.
  - intros c L.
    destruct (in_dec Nat.eq_dec c (map fst entries)) as [I|O].
    + right. apply in_map_iff in I. destruct I as [[d [x y]] [E I]]. simpl in E. subst d.
      destruct (entry c x y I) as [_ [D [X [Y _]]]]. exists x, y. repeat split; auto.
      intros h. cbn [meaning]. rewrite hand_card by auto.
      apply walked_in_spec; auto. apply entries_once.
    + left. intros h. cbn [meaning]. rewrite hand_card by auto. now apply not_walked.
  - intros P. destruct (First P) as [I _]. exists first. split; auto. intros h. cbn [meaning].
    now rewrite P, Nat.eqb_refl.
  - intros c h L W. cbn [meaning] in *. apply member_spec.
    destruct (pile && (c =? held)) eqn:P.
    + apply Nat.eqb_eq in W. subst h. apply andb_true_iff in P. destruct P as [P _].
      now apply First.
    + apply existsb_exists in W. destruct W as [[d [x y]] [I W]]. cbn [fst snd] in W.
      apply andb_true_iff in W. destruct W as [_ W].
      destruct (entry d x y I) as [_ [_ [_ [_ [Vx Vy]]]]].
      apply orb_true_iff in W. rewrite !Nat.eqb_eq in W. now destruct W; subst.
  - intros h. unfold cards. rewrite seq_app, odd_sum_app.
    assert (Hand : odd_sum (fun c => meaning (Walked c h)) (seq 0 held) = odd_at nat h entries).
    { rewrite (odd_sum_ext _ (fun c => walked_in entries c h)).
      - apply odd_by_cards; [apply entries_once|]. intros c x y I.
        destruct (entry c x y I) as [L [D _]]. auto.
      - intros c I. apply in_seq in I. cbn [meaning]. rewrite hand_card by lia. reflexivity. }
    rewrite Hand. cbn [meaning]. destruct pile; cbn [seq odd_sum andb Nat.add].
    + rewrite Nat.eqb_refl, xorb_false_r. apply xorb_comm.
    + now rewrite xorb_false_l, xorb_false_r.
  - eapply Nat.le_trans; [|apply Nat.sub_le_mono_r, Nat.mul_le_mono_l; exact Few].
    eapply Nat.le_trans; [|exact Counted]. apply Nat.add_le_mono_l, Nat.mul_le_mono_l.
    unfold count. apply NoDup_incl_length.
    + apply NoDup_filter, seq_NoDup.
    + intros h I. apply filter_In in I. destruct I as [_ I]. now apply member_spec.
  - intros h C. cbn [meaning] in *. apply member_spec in C. apply member_spec. auto.
  - intros S St h V Sh. cbn [meaning] in V. apply member_spec in V.
    destruct (Ended S) with (v := h) as [g [Sg [_ Or]]]; auto.
    + intros c x y I. destruct (entry c x y I) as [L _].
      apply (St c x y L); cbn [meaning]; rewrite hand_card by auto;
        rewrite (walked_in_spec _ _ _ _ _ entries_once I), Nat.eqb_refl; auto using orb_true_r.
    + exists g. split; auto. destruct Or as [O|C]; [left; exact O|right].
      cbn [meaning]. now apply member_spec.
  - intros R S St g h Vg Vh. cbn [meaning] in *. apply member_spec in Vg, Vh.
    assert (No : no_crossing nat S entries).
    { intros c x y I. destruct (entry c x y I) as [L _].
      apply (St c x y L); cbn [meaning]; rewrite hand_card by auto;
        rewrite (walked_in_spec _ _ _ _ _ entries_once I), Nat.eqb_refl; auto using orb_true_r. }
    unfold entries, all_walked, all_visited in *.
    destruct ts as [|t [|u us]]; [destruct Vg| |simpl in Few; lia].
    simpl in *. rewrite app_nil_r in *.
    rewrite (one_side nat _ _ S No g Vg). symmetry. exact (one_side nat _ _ S No h Vh).
Qed.

End Played.

(** ** From sequences to facts *)

Section Sequences.

Variable at_ : nat -> list hub.
Variable held : nat.
Variable hubs : nat.
Variable r : nat.

Lemma steps_cards_of :
  forall ts, map fst (steps_of nat ts) = steps_cards ts.
Proof.
  induction ts as [|[x l] ts IH]; auto.
  change (steps_of nat ((x, l) :: ts)) with (all_steps nat x l ++ steps_of nat ts).
  rewrite map_app.
  exact (f_equal2 (app (A := nat)) (HubTrails.steps_cards nat l x) IH).
Qed.

Lemma visited_below :
  forall ts, Forall (fun t => valid nat at_ (fst t) (snd t)) ts ->
  (forall t, In t ts -> fst t < hubs) ->
  (forall c h, In c (steps_cards ts) -> In h (at_ c) -> h < hubs) ->
  below nat hubs ts.
Proof.
  intros ts V X B. unfold below. apply Forall_forall. intros h I. unfold all_visited in I.
  apply in_flat_map in I. destruct I as [[x l] [T I]]. rewrite Forall_forall in V.
  specialize (V _ T). cbn [fst snd] in *. destruct I as [<-|I]; [exact (X _ T)|].
  apply in_map_iff in I. destruct I as [[c y] [<- I]]. cbn [snd].
  apply (B c y).
  - apply in_flat_map. exists (x, l). split; auto. cbn [snd]. exact (in_map fst _ _ I).
  - clear -V I. revert x V. induction l as [|[d z] l IH]; intros x V; [destruct I|].
    destruct V as [_ [Z V]]. destruct I as [I|I]; [inversion I; subst; auto|].
    exact (IH I z V).
Qed.

Theorem sequences_facts :
  (forall c, c < held -> at_ c <> []) ->
  (forall c h, c < held -> In h (at_ c) -> h < hubs) ->
  covered_by (shares nat at_) r (seq 0 held) ->
  exists v, facts at_ held false hubs r v.
Proof.
  intros Some' B [ss [R [C P]]].
  assert (In' : forall c, In c (concat ss) -> c < held).
  { intros c I. apply (Permutation_in _ P), in_seq in I. lia. }
  destruct (trails_of nat at_ ss C) as [ts [L [V [Ne E]]]]; [auto|].
  rewrite steps_cards_of in E.
  assert (Bel : below nat hubs ts).
  { apply visited_below; auto.
    - intros [x l] T. rewrite Forall_forall in V. specialize (V _ T). cbn [fst snd] in *.
      destruct l as [|[c y] l].
      + rewrite Forall_forall in Ne. now specialize (Ne _ T).
      + destruct V as [X _]. apply (B c); auto. apply In'. rewrite <- E. apply in_flat_map.
        exists (x, (c, y) :: l). simpl. auto.
    - intros c h I H. apply (B c h); auto. apply In'. now rewrite <- E. }
  destruct (ends nat hubs ts Bel) as [closed [I [En Co]]].
  assert (Odd' : forall h, odd_at nat h (all_walked nat ts)
    = meaning held false ts 0 closed (Odd h)).
  { intros h. simpl. unfold entries. now destruct (odd_at nat h (all_walked nat ts)). }
  exists (meaning held false ts 0 closed).
  apply trail_facts; auto.
  - now rewrite E.
  - lia.
  - discriminate.
  - eapply ended_ext; [exact Odd'|exact En].
  - rewrite <- (count_ext hubs _ _ Odd'). lia.
Qed.

(** With a card on the pile, which is the first of the first sequence. *)
Theorem sequences_facts_after :
  (forall c, c <= held -> at_ c <> []) ->
  (forall c h, c <= held -> In h (at_ c) -> h < hubs) ->
  (exists s ss, length (s :: ss) <= r /\ Forall (chain (shares nat at_)) ((held :: s) :: ss)
    /\ Permutation (concat (s :: ss)) (seq 0 held)) ->
  exists v, facts at_ held true hubs r v.
Proof.
  intros Some' B [s [ss [R [C P]]]].
  inversion C as [|? ? Cs Css]; subst.
  assert (In' : forall c, In c (concat (s :: ss)) -> c < held).
  { intros c I. apply (Permutation_in _ P), in_seq in I. lia. }
  simpl in In', P.
  destruct (trails_of nat at_ ss Css) as [ts [L [V [Ne E]]]].
  { intros c I. apply Some'. assert (c < held) by (apply In'; apply in_or_app; auto). lia. }
  rewrite steps_cards_of in E.
  assert (First : exists x l, In x (at_ held) /\ valid nat at_ x l /\ map fst l = s).
  { destruct s as [|c s].
    - destruct (at_ held) as [|x xs] eqn:A; [exfalso; apply (Some' held); auto|].
      exists x, []. simpl. auto.
    - destruct Cs as [M Cs]. apply shares_hub in M. destruct M as [x [Xp Xc]].
      destruct (played_trail nat at_ s c x Cs Xc) as [l [Lc Vl]]. exists x, l. auto. }
  destruct First as [x [l [X [Vl Ls]]]].
  assert (V' : Forall (fun t => valid nat at_ (fst t) (snd t)) ((x, l) :: ts)) by auto.
  assert (E' : steps_cards ((x, l) :: ts) = s ++ concat ss).
  { unfold steps_cards in *. simpl. now rewrite Ls, E. }
  assert (Bel : below nat hubs ((x, l) :: ts)).
  { apply visited_below; auto.
    - intros [y k] [T|T]; [inversion T; subst; apply (B held); auto|].
      rewrite Forall_forall in V, Ne. specialize (V _ T). specialize (Ne _ T). cbn [fst snd] in *.
      destruct k as [|[c z] k]; [congruence|]. destruct V as [Y _]. apply (B c); auto.
      assert (c < held); [|lia]. apply In'. rewrite <- E'. apply in_flat_map.
      exists (y, (c, z) :: k). simpl. auto.
    - intros c h I H. apply (B c h); auto. rewrite E' in I. specialize (In' c I). lia. }
  destruct (ends_after_pile nat hubs x l ts Bel) as [closed [I [En Co]]].
  exists (meaning held true ((x, l) :: ts) x closed).
  apply trail_facts; auto.
  - now rewrite E'.
  - simpl in *. lia.
  - intros _. split; auto. simpl. auto.
Qed.

End Sequences.
