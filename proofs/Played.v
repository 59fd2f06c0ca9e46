(** The trails of a play have the facts of [Rows.v]. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Trails Converse HubTrails Counts Rows.
Import ListNotations.

Section Played.

Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation drawn := (drawn p).
Local Notation cards := (cards p).

Lemma drawn_card : forall c, c < drawn -> pile p && (c =? drawn) = false.
Proof. intros c L. rewrite (proj2 (Nat.eqb_neq c drawn)) by lia. apply andb_false_r. Qed.

(** ** The trails of a play *)

Variable ts : list (trail nat).
Variable first : hub.
Variable closed : list hub.
Variable added : nat -> bool.

Definition steps_cards (us : list (trail nat)) : list nat := flat_map (fun t => map fst (snd t)) us.

Definition entries := all_walked nat ts.

(** *** Each card is walked at most once *)

Lemma walked_count :
  forall c l x, count_occ Nat.eq_dec (map fst (walked nat x l)) c
  <= count_occ Nat.eq_dec (map fst l) c.
Proof.
  intros c. induction l as [|[d y] l IH]; intros x; simpl; auto.
  specialize (IH y). destruct (x =? y); simpl; destruct (Nat.eq_dec d c); simpl; lia.
Qed.

Lemma entries_once : NoDup (steps_cards ts) -> NoDup (map fst entries).
Proof.
  intros Once.
  assert (C : forall us c, count_occ Nat.eq_dec (map fst (all_walked nat us)) c
    <= count_occ Nat.eq_dec (steps_cards us) c).
  { induction us as [|[x l] us IH]; intros c; simpl; auto.
    unfold all_walked, steps_cards in *. simpl. rewrite map_app, !count_occ_app.
    specialize (IH c). pose proof (walked_count c l x). lia. }
  apply (NoDup_count_occ Nat.eq_dec). intros c.
  eapply Nat.le_trans; [apply C|]. revert c. now apply NoDup_count_occ.
Qed.

Definition walked_in (w : list (nat * (hub * hub))) (c : nat) (h : hub) : bool :=
  existsb (fun e => (fst e =? c) && ((h =? fst (snd e)) || (h =? snd (snd e)))) w.

Definition meaning (x : var) : bool :=
  match x with
  | Visited h => member h (all_visited nat ts)
  | Odd h => xorb (pile p && (h =? first)) (odd_at nat h entries)
  | Closed h => member h closed
  | Walked c h => if pile p && (c =? drawn) then h =? first else walked_in entries c h
  | Played c => member c (steps_cards ts)
  | Added w => added w
  end.

(** *** What is known of the play *)

Hypothesis Valid : Forall (fun t => valid nat at_ (fst t) (snd t)) ts.
Hypothesis Once : NoDup (steps_cards ts).
Hypothesis Drawn : forall c, In c (steps_cards ts) -> c < drawn.
Hypothesis Covered : forall c, In c (steps_cards ts) ->
  exists h, In h (at_ c) /\ In h (all_visited nat ts)
    /\ (is_free p h = true \/ walked_in entries c h = true).
Hypothesis All : least_played p = None -> forall c, c < held p -> In c (steps_cards ts).
Hypothesis Enough : forall n, least_played p = Some n ->
  n <= number (fun c => member c (steps_cards ts)) (seq 0 (held p)).
Hypothesis Few :
  length ts <= sequences p + number added (seq 0 (length (wild_prices p))).
Hypothesis Affordable : forall b, budget p = Some b ->
  total_price added 0 (wild_prices p)
  + total_price (fun c => member c (steps_cards ts)) (held p) (prices p) <= b.
Hypothesis Tolls : forall t, toll p = Some t ->
  list_sum (map (ends_price at_ p meaning) (seq 0 cards)) <= t.
Hypothesis First : pile p = true -> In first (at_ drawn) /\ In first (all_visited nat ts).
Hypothesis Inside : incl closed (all_visited nat ts).
Hypothesis Ended : ended nat ts (fun h => meaning (Odd h)) closed.
Hypothesis Counted : count (all_hubs p) (fun h => meaning (Odd h)) + 2 * length closed
  + (if pile p then 1 else 0) <= 2 * length ts.

Lemma entry :
  forall c x y, In (c, (x, y)) entries ->
  c < drawn /\ In c (steps_cards ts) /\ x <> y /\ In x (at_ c) /\ In y (at_ c)
  /\ In x (all_visited nat ts) /\ In y (all_visited nat ts).
Proof.
  intros c x y I. unfold entries, all_walked in I. apply in_flat_map in I.
  destruct I as [t [T I]]. rewrite Forall_forall in Valid. specialize (Valid t T).
  destruct (walked_hubs nat at_ _ _ _ _ _ Valid I) as [D [C [X [Y [Vx Vy]]]]].
  assert (J : In c (steps_cards ts)) by (apply in_flat_map; eauto).
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

Lemma no_crossing_of :
  forall S, stays p meaning S -> no_crossing nat S entries.
Proof.
  intros S St c x y I. destruct (entry c x y I) as [L _].
  apply (St c x y L); cbn [meaning]; rewrite drawn_card by auto;
    rewrite (walked_in_spec _ _ _ _ _ (entries_once Once) I), Nat.eqb_refl; auto using orb_true_r.
Qed.

Theorem trail_facts : facts at_ p meaning.
Proof.
  constructor; auto.
  - intros c L Pl. cbn [meaning] in Pl. apply member_spec in Pl.
    destruct (Covered c Pl) as [h [A [V Or]]]. exists h. split; auto. split.
    + cbn [meaning]. now apply member_spec.
    + cbn [meaning]. rewrite drawn_card by auto. exact Or.
  - intros S c L. cbn [meaning]. apply member_spec. auto.
  - intros c L.
    destruct (in_dec Nat.eq_dec c (map fst entries)) as [I|O].
    + right. apply in_map_iff in I. destruct I as [[d [x y]] [E I]]. simpl in E. subst d.
      destruct (entry c x y I) as [_ [_ [D [X [Y _]]]]]. exists x, y. repeat split; auto.
      intros h. cbn [meaning]. rewrite drawn_card by auto.
      apply walked_in_spec; auto. now apply entries_once.
    + left. intros h. cbn [meaning]. rewrite drawn_card by auto. now apply not_walked.
  - intros c h L W. cbn [meaning] in *. rewrite drawn_card in W by auto. apply member_spec.
    apply existsb_exists in W. destruct W as [[d [x y]] [I W]]. cbn [fst snd] in W.
    apply andb_true_iff in W. destruct W as [E _]. apply Nat.eqb_eq in E. subst d.
    now destruct (entry c x y I) as [_ [J _]].
  - intros P. destruct (First P) as [I _]. exists first. split; auto. intros h. cbn [meaning].
    now rewrite P, Nat.eqb_refl.
  - intros c h L W. cbn [meaning] in *. apply member_spec.
    destruct (pile p && (c =? drawn)) eqn:P.
    + apply Nat.eqb_eq in W. subst h. apply andb_true_iff in P. destruct P as [P _].
      now apply First.
    + apply existsb_exists in W. destruct W as [[d [x y]] [I W]]. cbn [fst snd] in W.
      apply andb_true_iff in W. destruct W as [_ W].
      destruct (entry d x y I) as [_ [_ [_ [_ [_ [Vx Vy]]]]]].
      apply orb_true_iff in W. rewrite !Nat.eqb_eq in W. now destruct W; subst.
  - intros h. unfold Rows.cards. rewrite seq_app, odd_sum_app.
    assert (Hand : odd_sum (fun c => meaning (Walked c h)) (seq 0 drawn) = odd_at nat h entries).
    { rewrite (odd_sum_ext _ (fun c => walked_in entries c h)).
      - apply odd_by_cards; [now apply entries_once|]. intros c x y I.
        destruct (entry c x y I) as [L [_ [D _]]]. auto.
      - intros c I. apply in_seq in I. cbn [meaning]. rewrite drawn_card by lia. reflexivity. }
    rewrite Hand. cbn [meaning]. destruct (pile p); cbn [seq odd_sum andb Nat.add].
    + rewrite Nat.eqb_refl, xorb_false_r. apply xorb_comm.
    + now rewrite xorb_false_l, xorb_false_r.
  - eapply Nat.le_trans; [|apply Nat.mul_le_mono_l; exact Few].
    eapply Nat.le_trans; [|exact Counted].
    apply Nat.add_le_mono_r, Nat.add_le_mono_l, Nat.mul_le_mono_l.
    unfold count. apply NoDup_incl_length.
    + apply NoDup_filter, seq_NoDup.
    + intros h I. apply filter_In in I. destruct I as [_ I]. now apply member_spec.
  - intros h C. cbn [meaning] in *. apply member_spec in C. apply member_spec. auto.
  - intros S St h V Sh. cbn [meaning] in V. apply member_spec in V.
    destruct (Ended S (no_crossing_of S St) h V Sh) as [g [Sg [_ Or]]].
    exists g. split; auto. destruct Or as [O|C]; [left; exact O|right].
    cbn [meaning]. now apply member_spec.
  - intros J S St g h Vg Vh. cbn [meaning] in *. apply member_spec in Vg, Vh.
    pose proof (no_crossing_of S St) as No. unfold Rows.joins in J.
    apply orb_false_iff in J. destruct J as [R W]. apply Nat.ltb_ge in R.
    apply negb_false_iff, Nat.eqb_eq in W. rewrite W in Few.
    change (number added (seq 0 0)) with 0 in Few.
    unfold entries, all_walked, all_visited in *.
    destruct ts as [|t [|u us]]; [destruct Vg| |simpl in Few; lia].
    simpl in *. rewrite app_nil_r in *.
    rewrite (one_side nat _ _ S No g Vg). symmetry. exact (one_side nat _ _ S No h Vh).
Qed.

End Played.

(** ** From sequences to facts *)

Section Sequences.

Variable at_ : nat -> list hub.
Variable p : problem.

Lemma steps_cards_of :
  forall ts, map fst (steps_of nat ts) = steps_cards ts.
Proof.
  induction ts as [|[x l] ts IH]; auto.
  change (steps_of nat ((x, l) :: ts)) with (all_steps nat x l ++ steps_of nat ts).
  rewrite map_app.
  exact (f_equal2 (app (A := nat)) (HubTrails.steps_cards nat l x) IH).
Qed.

Lemma visited_below :
  forall hubs ts, Forall (fun t => valid nat at_ (fst t) (snd t)) ts ->
  (forall t, In t ts -> fst t < hubs) ->
  (forall c h, In c (steps_cards ts) -> In h (at_ c) -> h < hubs) ->
  below nat hubs ts.
Proof.
  intros hubs ts V X B. unfold below. apply Forall_forall. intros h I. unfold all_visited in I.
  apply in_flat_map in I. destruct I as [[x l] [T I]]. rewrite Forall_forall in V.
  specialize (V _ T). cbn [fst snd] in *. destruct I as [<-|I]; [exact (X _ T)|].
  apply in_map_iff in I. destruct I as [[c y] [<- I]]. cbn [snd].
  apply (B c y).
  - apply in_flat_map. exists (x, l). split; auto. cbn [snd]. exact (in_map fst _ _ I).
  - clear -V I. revert x V. induction l as [|[d z] l IH]; intros x V; [destruct I|].
    destruct V as [_ [Z V]]. destruct I as [I|I]; [inversion I; subst; auto|].
    exact (IH I z V).
Qed.

(** Sequences of the hand's and the offered cards, the first one on top of the pile. *)
Definition on_the_pile (ss : list (list nat)) : list (list nat) :=
  match ss with
  | s :: rest => if pile p then (drawn p :: s) :: rest else ss
  | [] => []
  end.

(** What a play has to be, so that it is a better answer. *)
Record better (ss : list (list nat)) (added : nat -> bool) : Prop := {
  chains : Forall (chain (shares nat at_)) (on_the_pile ss);
  once : NoDup (concat ss);
  from_hand : forall c, In c (concat ss) -> c < drawn p;
  every : least_played p = None -> forall c, c < held p -> In c (concat ss);
  many : forall n, least_played p = Some n ->
    n <= number (fun c => member c (concat ss)) (seq 0 (held p));
  few : length ss <= sequences p + number added (seq 0 (length (wild_prices p)));
  some_on_pile : pile p = true -> ss <> [];
  cheap : forall b, budget p = Some b ->
    total_price added 0 (wild_prices p)
    + total_price (fun c => member c (concat ss)) (held p) (prices p) <= b
}.

(** The trails of sequences, and their first hub. *)
Lemma trails_of_play :
  forall ss, Forall (chain (shares nat at_)) (on_the_pile ss) ->
  (forall c, In c (concat ss) -> c < drawn p) ->
  (pile p = true -> ss <> []) ->
  (forall c, c < cards p -> at_ c <> []) ->
  (forall c h, c < cards p -> In h (at_ c) -> h < all_hubs p) ->
  exists first (ts : list (trail nat)),
    length ts <= length ss
    /\ Forall (fun t => valid nat at_ (fst t) (snd t)) ts
    /\ steps_cards ts = concat ss
    /\ below nat (all_hubs p) ts
    /\ (pile p = true -> In first (at_ (drawn p)) /\ exists l us, ts = (first, l) :: us).
Proof.
  intros ss C In' Ne Some' B.
  assert (Lc : forall c, In c (concat ss) -> c < cards p).
  { intros c I. apply In' in I. unfold cards. lia. }
  assert (Plain : forall us, Forall (chain (shares nat at_)) us ->
    (forall c, In c (concat us) -> c < cards p) ->
    exists ts : list (trail nat), length ts <= length us
      /\ Forall (fun t => valid nat at_ (fst t) (snd t)) ts
      /\ steps_cards ts = concat us /\ below nat (all_hubs p) ts).
  { intros us Cu Lu. destruct (trails_of nat at_ us Cu) as [ts [L [V [N E]]]].
    { intros c I. apply Some'. auto. }
    rewrite steps_cards_of in E. exists ts. repeat split; auto.
    apply visited_below; auto.
    - intros [x l] T. rewrite Forall_forall in V, N. specialize (V _ T). specialize (N _ T).
      cbn [fst snd] in *. destruct l as [|[c y] l]; [congruence|]. destruct V as [X _].
      apply (B c); auto. apply Lu. rewrite <- E. apply in_flat_map.
      exists (x, (c, y) :: l). simpl. auto.
    - intros c h I H. apply (B c h); auto. apply Lu. now rewrite <- E. }
  destruct (pile p) eqn:P.
  2: { unfold on_the_pile in C. rewrite P in C.
       assert (C' : Forall (chain (shares nat at_)) ss) by (destruct ss; auto).
       destruct (Plain ss C' Lc) as [ts [L [V [E Bl]]]]. exists 0, ts. repeat split; auto;
         discriminate. }
  destruct ss as [|s ss]; [exfalso; now apply Ne|]. unfold on_the_pile in C. rewrite P in C.
  inversion C as [|? ? Cs Css]; subst. simpl in In', Lc.
  destruct (Plain ss Css) as [ts [L [V [E Bl]]]].
  { intros c I. apply Lc, in_or_app. auto. }
  assert (Lp : drawn p < cards p) by (unfold cards; rewrite P; lia).
  assert (First : exists x l, In x (at_ (drawn p)) /\ valid nat at_ x l /\ map fst l = s).
  { destruct s as [|c s].
    - destruct (at_ (drawn p)) as [|x xs] eqn:A; [exfalso; now apply (Some' (drawn p))|].
      exists x, []. simpl. auto.
    - destruct Cs as [M Cs]. apply shares_hub in M. destruct M as [x [Xp Xc]].
      destruct (played_trail nat at_ s c x Cs Xc) as [l [Ll Vl]]. exists x, l. auto. }
  destruct First as [x [l [X [Vl Ls]]]].
  assert (E' : steps_cards ((x, l) :: ts) = s ++ concat ss).
  { unfold steps_cards in *. simpl. now rewrite Ls, E. }
  exists x, ((x, l) :: ts). repeat split; auto; [simpl; lia| |eauto].
  apply Forall_app. split; [|exact Bl]. assert (One : below nat (all_hubs p) [(x, l)]).
  { apply visited_below; auto.
    - intros t [<-|[]]. apply (B (drawn p)); auto.
    - intros c h I H. apply (B c h); auto. apply Lc, in_or_app. left. unfold steps_cards in I.
      simpl in I. now rewrite app_nil_r, Ls in I. }
  unfold below, all_visited in One. simpl in One. rewrite app_nil_r in One. exact One.
Qed.

(** The ends of the trails of a play. *)
Lemma ends_of_play :
  forall x ts, below nat (all_hubs p) ts ->
  (pile p = true -> exists l us, ts = (x, l) :: us) ->
  let odd h := xorb (pile p && (h =? x)) (odd_at nat h (all_walked nat ts)) in
  exists closed, incl closed (all_visited nat ts) /\ ended nat ts odd closed
    /\ count (all_hubs p) odd + 2 * length closed + (if pile p then 1 else 0) <= 2 * length ts.
Proof.
  intros x ts Bel First. cbv zeta. destruct (pile p).
  - destruct (First eq_refl) as [l [us ->]].
    destruct (ends_after_pile nat (all_hubs p) x l us Bel) as [closed [I [En Co]]].
    exists closed. repeat split; auto. apply (Nat.add_le_mono_r _ _ 1) in Co.
    rewrite Nat.sub_add in Co by (simpl; lia).
    exact Co.
  - destruct (ends nat (all_hubs p) ts Bel) as [closed [I [En Co]]].
    assert (X : forall h, odd_at nat h (all_walked nat ts)
      = xorb (false && (h =? x)) (odd_at nat h (all_walked nat ts))).
    { intros h. simpl. now destruct (odd_at nat h (all_walked nat ts)). }
    exists closed. repeat split; auto.
    + eapply ended_ext; [exact X|exact En].
    + eapply Nat.le_trans; [|exact Co]. rewrite Nat.add_0_r.
      apply Nat.add_le_mono_r, Nat.eq_le_incl.
      symmetry. apply count_ext, X.
Qed.

(** A play that is better has the facts, if ends have no prices. *)
Theorem play_facts :
  (forall h, price p h = 0) -> toll p = None ->
  (forall c, c < cards p -> at_ c <> []) ->
  (forall c h, c < cards p -> In h (at_ c) -> h < all_hubs p) ->
  forall ss added, better ss added -> exists v, facts at_ p v.
Proof.
  intros Free Toll Some' B ss added [C O In' Ev Ma Fe Pi Ch].
  destruct (trails_of_play ss C In' Pi Some' B) as [x [ts [L [V [E [Bel First]]]]]].
  destruct (ends_of_play x ts Bel) as [closed [I [En Co]]].
  { intros P. now destruct (First P). }
  exists (meaning p ts x closed added). apply trail_facts; auto; rewrite ?E; auto.
  - intros c J. rewrite <- E in J. apply in_flat_map in J. destruct J as [t [T J]].
    rewrite Forall_forall in V. destruct (covered nat at_ _ _ _ (V t T) J) as [h [A Vh]].
    exists h. split; auto. split; [apply in_flat_map; eauto|]. left. unfold is_free.
    now rewrite Free.
  - lia.
  - rewrite Toll. discriminate.
  - intros P. destruct (First P) as [X [l [us ->]]]. split; auto. simpl. auto.
Qed.

End Sequences.
