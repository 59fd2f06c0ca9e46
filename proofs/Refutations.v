(** Refutations: clauses that hold for every better play, and lemmas down to a contradiction.

    The variables of the clauses are numbers.  Each has a name that says what it stands for, beside
    the variables of [Rows.v]: the parity of the first cards at a hub, that the first terms of a row
    add up to so much, or that a hub is near an end ([Layers.v]).  Nothing is believed of the names:
    each clause is compared with one that is known to hold. *)

From Coq Require Import List Arith ZArith PArith FMapPositive Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts Rows Borders RowsHold Layers Cases.
From UnoCsp Require Import Propagation.
Import ListNotations.

Inductive name :=
  | Meaning (x : var)
  | Prefix (h : hub) (i : nat)
  | Reached (s i : nat) (t : Z)
  | Near (d : nat) (h : hub)
  | Passed (d c : nat)
  | Through (d c : nat) (h : hub)
  | Onward (d c : nat) (h : hub)
  | Root_among (n : nat).

Definition same_name (m n : name) : bool :=
  match m, n with
  | Meaning x, Meaning y => same_var x y
  | Prefix h i, Prefix g j => (h =? g) && (i =? j)
  | Reached s i t, Reached r j u => (s =? r) && (i =? j) && (t =? u)%Z
  | Near d h, Near e g | Passed d h, Passed e g => (d =? e) && (h =? g)
  | Through d c h, Through e b g | Onward d c h, Onward e b g => (d =? e) && (c =? b) && (h =? g)
  | Root_among n, Root_among m => n =? m
  | _, _ => false
  end.

Lemma same_name_spec : forall m n, same_name m n = true -> m = n.
Proof.
  intros [] [] E; simpl in E; try discriminate; rewrite ?andb_true_iff in E;
    try (apply same_var_spec in E; now subst);
    repeat match goal with
    | H : _ /\ _ |- _ => destruct H
    | H : (_ =? _) = true |- _ => apply Nat.eqb_eq in H
    | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
    end; now subst.
Qed.

(** Why a clause on layers holds: a hub is near an end at first, there is one root, a hub is one
    step further, or a visited hub is near in the end. *)
Inductive layer :=
  | Source (h : hub)
  | Root_first (n : nat)
  | Root_more (n : nat)
  | Root_once (n : nat)
  | Pass (d c : nat)
  | Through_walked (d c : nat) (h : hub)
  | Through_near (d c : nat) (h : hub)
  | Onward_walked (d c : nat) (h : hub)
  | Onward_passed (d c : nat) (h : hub)
  | Further (d : nat) (h : hub)
  | Arrive (d : nat) (h : hub).

(** Why a clause holds: it has the literals of a row, or it is a part of the parity of a hub, of the
    sum of a row, or of the layers. *)
Inductive reason :=
  | By_row (d : description)
  | Chain (h : hub) (i : nat) (a b : bool)
  | Step (s i j : nat) (t : Z) (chosen : bool)
  | Layered (l : layer).

Section Refutation.

Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation walked_var := (Rows.walked_var at_ p).
Local Notation nearby := (Rows.nearby at_ p).
Local Notation row_of := (Rows.row_of at_ p).
Local Notation named_literal := (bool * name)%type.

(** ** Clauses that hold *)

(** Rows without positive weights, which bound a sum from above. *)
Definition falls (r : row var) : bool := forallb (fun wl => fst wl <=? 0)%Z (terms var r).

Definition sums_of (ds : list description) : list (row var) :=
  flat_map (fun d => match row_of d with
    | Some r => if falls r then [r] else []
    | None => []
    end) ds.

Variable sums : list (row var).

(** The parity of the first [i] cards at a hub, one or more. *)
Definition chain_name (h : hub) (i : nat) : name :=
  match i, nearby h with
  | 1, c :: _ => Meaning (walked_var c h)
  | _, _ => if i =? length (nearby h) then Meaning (Odd h) else Prefix h i
  end.

Definition positive_literals (r : row var) : list named_literal :=
  map (fun wl => (fst (snd wl), Meaning (snd (snd wl))))
    (filter (fun wl => 0 <? fst wl)%Z (terms var r)).

Definition layer_literals (l : layer) : option (list named_literal) :=
  match l with
  | Source h =>
      if joins p
      then Some ((false, Near 0 h)
        :: (if length (nearby h) =? 0 then [] else [(true, chain_name h (length (nearby h)))])
        ++ [(true, Meaning (Closed h))])
      else None
  | Root_first n => if joins p then None else Some [(false, Near 0 n); (true, Root_among (S n))]
  | Root_more n => Some [(false, Root_among n); (true, Root_among (S n))]
  | Root_once n => if joins p then None else Some [(false, Root_among n); (false, Near 0 n)]
  | Pass d c =>
      if c <? cards p
      then Some ((false, Passed d c)
        :: if walkable at_ p c then map (fun h => (true, Through d c h)) (at_ c) else [])
      else None
  | Through_walked d c h => Some [(false, Through d c h); (true, Meaning (walked_var c h))]
  | Through_near d c h => Some [(false, Through d c h); (true, Near d h)]
  | Onward_walked d c h => Some [(false, Onward d c h); (true, Meaning (walked_var c h))]
  | Onward_passed d c h => Some [(false, Onward d c h); (true, Passed d c)]
  | Further d h =>
      Some ((false, Near (S d) h) :: (true, Near d h)
        :: map (fun c => (true, Onward d c h)) (passing at_ p h))
  | Arrive d h =>
      if (all_hubs p <=? S d) && (h <? all_hubs p) && hubs_below at_ p (all_hubs p)
      then Some [(false, Meaning (Visited h)); (true, Near d h)]
      else None
  end.

(** The literals of a clause that holds. *)
Definition expected (why : reason) : option (list named_literal) :=
  match why with
  | By_row d =>
      match row_of d with
      | Some r => if (0 <? least var r)%Z then Some (positive_literals r) else None
      | None => None
      end
  | Chain h i a b =>
      match nth_error (nearby h) i with
      | Some c =>
          if 1 <=? i
          then Some [(a, chain_name h i); (b, Meaning (walked_var c h));
            (xorb a b, chain_name h (S i))]
          else None
      | None => None
      end
  | Step s i j t chosen =>
      match nth_error sums s with
      | Some r =>
          match nth_error (terms var r) i with
          | Some (w, l) =>
              let after := if chosen then (t - w)%Z else t in
              if i <? j
              then Some ((if (t <=? 0)%Z then [] else [(false, Reached s i t)])
                ++ (if chosen then [(negb (fst l), Meaning (snd l))] else [])
                ++ (if (- least var r <? after)%Z then [] else [(true, Reached s j after)]))
              else None
          | None => None
          end
      | None => None
      end
  | Layered l => layer_literals l
  end.

(** ** They do *)

Variable v : var -> bool.
Hypothesis F : facts at_ p v.
Local Notation root := (Layers.root (all_hubs p) v).
Local Notation source := (Layers.source p (all_hubs p) v).
Local Notation near := (Layers.near at_ p (all_hubs p) v).
Local Notation passed := (Layers.passed at_ p (all_hubs p) v).
Hypothesis Sums : Forall (fun r => holds var v r /\ falls r = true) sums.

Definition partial (r : row var) (i : nat) : Z := (- sum_of var v (firstn i (terms var r)))%Z.

Definition value (n : name) : bool :=
  match n with
  | Meaning x => v x
  | Prefix h i => odd_sum (fun c => v (walked_var c h)) (firstn i (nearby h))
  | Reached s i t =>
      match nth_error sums s with
      | Some r => (t <=? partial r i)%Z
      | None => false
      end
  | Near d h => near d h
  | Passed d c => passed d c
  | Through d c h => v (walked_var c h) && near d h
  | Onward d c h => v (walked_var c h) && passed d c
  | Root_among n => match root with Some g => g <? n | None => false end
  end.

Definition named_true (l : named_literal) : bool := Bool.eqb (value (snd l)) (fst l).

Lemma chain_value :
  forall h i, 1 <= i <= length (nearby h) ->
  value (chain_name h i) = odd_sum (fun c => v (walked_var c h)) (firstn i (nearby h)).
Proof.
  intros h i L. unfold chain_name.
  assert (Last : value (if i =? length (nearby h) then Meaning (Odd h) else Prefix h i)
    = odd_sum (fun c => v (walked_var c h)) (firstn i (nearby h))).
  { destruct (Nat.eqb_spec i (length (nearby h))) as [->|_]; auto.
    rewrite firstn_all. exact (odd_nearby at_ p v F h). }
  destruct i as [|[|i]]; try exact Last. destruct (nearby h) as [|c l]; [exact Last|].
  simpl. now rewrite xorb_false_r.
Qed.

Lemma firstn_next :
  forall A i (l : list A) x, nth_error l i = Some x -> firstn (S i) l = firstn i l ++ [x].
Proof.
  intros A i. induction i as [|i IH]; intros [|y l] x E; try discriminate.
  - now injection E as ->.
  - cbn [firstn app]. f_equal. now apply IH.
Qed.

Lemma falls_sum :
  forall ts, forallb (fun wl => fst wl <=? 0)%Z ts = true -> (sum_of var v ts <= 0)%Z.
Proof.
  induction ts as [|[w l] ts IH]; intros E; simpl in *; [lia|]. apply andb_true_iff in E.
  destruct E as [W E]. apply Z.leb_le in W. specialize (IH E). destruct (is_true var v l); lia.
Qed.

Lemma partial_grows :
  forall r i j, falls r = true -> i <= j -> (partial r i <= partial r j)%Z.
Proof.
  intros r i j Fa L. unfold partial, falls in *.
  assert (Cut : firstn j (terms var r)
    = firstn i (terms var r) ++ firstn (j - i) (skipn i (terms var r))).
  { rewrite <- (firstn_skipn i (terms var r)) at 1. rewrite firstn_app, firstn_firstn.
    rewrite Nat.min_r by lia. f_equal. rewrite firstn_length.
    destruct (Nat.le_gt_cases i (length (terms var r))).
    - now rewrite Nat.min_l.
    - rewrite skipn_all2 by lia. now rewrite !firstn_nil. }
  rewrite Cut, sum_app.
  assert (S : (sum_of var v (firstn (j - i) (skipn i (terms var r))) <= 0)%Z); [|lia].
  apply falls_sum. rewrite forallb_forall in *. intros x I. apply Fa.
  rewrite <- (firstn_skipn i (terms var r)). apply in_or_app. right.
  rewrite <- (firstn_skipn (j - i) (skipn i (terms var r))). apply in_or_app. now left.
Qed.

Lemma partial_most :
  forall r i, holds var v r -> falls r = true -> (partial r i <= - least var r)%Z.
Proof.
  intros r i H Fa. eapply Z.le_trans; [apply (partial_grows r i (i + length (terms var r))); auto;
    lia|]. unfold partial, holds in *. rewrite firstn_all2 by lia. lia.
Qed.

Lemma positive_holds :
  forall r, holds var v r -> (0 < least var r)%Z ->
  exists l, In l (positive_literals r) /\ named_true l = true.
Proof.
  intros r H L. unfold holds in H. unfold positive_literals. remember (terms var r) as ts eqn:E.
  clear E. assert (P : (0 < sum_of var v ts)%Z) by lia. clear -P.
  induction ts as [|[w l] ts IH]; simpl in P; [lia|]. cbn [filter fst].
  destruct (is_true var v l) eqn:T.
  - destruct (Z.ltb_spec 0 w) as [W|W].
    + exists (fst l, Meaning (snd l)). split; [now left|exact T].
    + destruct IH as [k [I K]]; [lia|]. eauto.
  - destruct IH as [k [I K]]; [lia|]. exists k. split; auto.
    destruct (0 <? w)%Z; [now right|exact I].
Qed.

Lemma literal_right :
  forall ls l, In l ls -> value (snd l) = fst l -> exists l, In l ls /\ named_true l = true.
Proof. intros ls l I E. exists l. split; auto. unfold named_true. rewrite E. apply eqb_reflx. Qed.

Lemma layers_hold :
  forall l ls, layer_literals l = Some ls -> exists l, In l ls /\ named_true l = true.
Proof.
  assert (Either : forall m b rest ls, ls = (false, m) :: rest -> value m = b ->
    (b = true -> exists l, In l rest /\ value (snd l) = fst l) ->
    exists l, In l ls /\ named_true l = true).
  { intros m [|] rest ls -> E H.
    - destruct (H eq_refl) as [l [I R]]. apply (literal_right _ l); simpl; auto.
    - apply (literal_right _ (false, m)); simpl; auto. }
  assert (Source_is : forall h, near 0 h = source h) by auto.
  intros l ls E.
  destruct l as [h|n|n|n|d c|d c h|d c h|d c h|d c h|d h|d h]; cbn [layer_literals] in E.
  - destruct (joins p) eqn:J; [|discriminate]. injection E as <-.
    eapply Either; [reflexivity|reflexivity|]. cbn [value]. rewrite Source_is. unfold source.
    rewrite J. intros So. apply orb_true_iff in So. destruct So as [O|C].
    + destruct (Nat.eqb_spec (length (nearby h)) 0) as [Z|Ne].
      * rewrite (odd_nearby at_ p v F h) in O. destruct (nearby h); discriminate.
      * exists (true, chain_name h (length (nearby h))). split; [simpl; auto|].
        cbn [fst snd]. rewrite chain_value by lia. rewrite firstn_all.
        now rewrite <- (odd_nearby at_ p v F h).
    + exists (true, Meaning (Closed h)). split; [apply in_or_app; simpl; auto|exact C].
  - destruct (joins p) eqn:J; [discriminate|]. injection E as <-.
    eapply Either; [reflexivity|reflexivity|]. cbn [value]. rewrite Source_is.
    unfold source, is_root.
    rewrite J. intros So. exists (true, Root_among (S n)). split; [now left|]. cbn [value fst snd].
    destruct (root); [|discriminate]. apply Nat.eqb_eq in So. apply Nat.ltb_lt. lia.
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros R.
    exists (true, Root_among (S n)). split; [now left|]. cbn [value fst snd].
    destruct (root); [|discriminate]. apply Nat.ltb_lt in R. apply Nat.ltb_lt. lia.
  - destruct (joins p) eqn:J; [discriminate|]. injection E as <-.
    eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros R. exists (false, Near 0 n).
    split; [now left|]. cbn [value fst snd]. rewrite Source_is. unfold source, is_root. rewrite J.
    destruct (root); [|discriminate]. apply Nat.ltb_lt in R. apply Nat.eqb_neq. lia.
  - destruct (Nat.ltb_spec c (cards p)) as [L|_]; [|discriminate]. injection E as <-.
    eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros P. unfold passed in P.
    apply existsb_exists in P. destruct P as [g [G P]]. exists (true, Through d c g).
    split; [|exact P]. apply andb_true_iff in P. destruct P as [W _].
    rewrite (walked_var_value at_ p v F c g L G) in W.
    rewrite (walked_walkable at_ p v F c g L W).
    now apply (in_map (fun h => (true, Through d c h))).
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros T.
    apply andb_true_iff in T. exists (true, Meaning (walked_var c h)). split; [now left|apply T].
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros T.
    apply andb_true_iff in T. exists (true, Near d h). split; [now left|apply T].
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros T.
    apply andb_true_iff in T. exists (true, Meaning (walked_var c h)). split; [now left|apply T].
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros T.
    apply andb_true_iff in T. exists (true, Passed d c). split; [now left|apply T].
  - injection E as <-. eapply Either; [reflexivity|reflexivity|]. cbn [value near]. intros N.
    apply orb_true_iff in N. destruct N as [N|N].
    + exists (true, Near d h). split; [now left|exact N].
    + apply existsb_exists in N. destruct N as [c [I N]]. exists (true, Onward d c h).
      split; [right; now apply (in_map (fun c => (true, Onward d c h)))|exact N].
  - destruct ((all_hubs p <=? S d) && (h <? all_hubs p) && hubs_below at_ p (all_hubs p)) eqn:C;
      [|discriminate]. injection E as <-. rewrite !andb_true_iff in C. destruct C as [[D L] B].
    apply Nat.leb_le in D. apply Nat.ltb_lt in L.
    eapply Either; [reflexivity|reflexivity|]. cbn [value]. intros V. exists (true, Near d h).
    split; [now left|]. exact (all_near at_ p (all_hubs p) v F B d h D L V).
Qed.

Lemma expected_holds :
  forall why ls, expected why = Some ls -> exists l, In l ls /\ named_true l = true.
Proof.
  intros [d|h i a b|s i j t chosen|l] ls E; cbn [expected] in E.
  - destruct (row_of d) as [r|] eqn:R; [|discriminate].
    destruct (Z.ltb_spec 0 (least var r)) as [L|_]; [|discriminate]. injection E as <-.
    apply positive_holds; auto. eapply rows_hold; eauto.
  - destruct (nth_error (nearby h) i) as [c|] eqn:N; [|discriminate].
    destruct (Nat.leb_spec 1 i) as [L|_]; [|discriminate]. injection E as <-.
    assert (Li : i < length (nearby h)) by (apply nth_error_Some; congruence).
    assert (Next : value (chain_name h (S i)) = xorb (value (chain_name h i)) (v (walked_var c h))).
    { rewrite !chain_value by lia. rewrite (firstn_next _ i _ c N), odd_sum_app. cbn [odd_sum].
      now rewrite xorb_false_r. }
    destruct (named_true (a, chain_name h i)) eqn:A;
      [exists (a, chain_name h i); split; [now left|exact A]|].
    destruct (named_true (b, Meaning (walked_var c h))) eqn:B;
      [exists (b, Meaning (walked_var c h)); split; [right; now left|exact B]|].
    exists (xorb a b, chain_name h (S i)). split; [right; right; now left|].
    unfold named_true in *. cbn [fst snd] in *. rewrite Next.
    change (value (Meaning (walked_var c h))) with (v (walked_var c h)) in *.
    destruct (value (chain_name h i)), (v (walked_var c h)), a, b; auto.
  - destruct (nth_error sums s) as [r|] eqn:S; [|discriminate].
    destruct (nth_error (terms var r) i) as [[w l]|] eqn:N; [|discriminate].
    destruct (Nat.ltb_spec i j) as [L|_]; [|discriminate]. injection E as <-.
    rewrite Forall_forall in Sums. destruct (Sums r (nth_error_In _ _ S)) as [H Fa].
    set (after := if chosen then (t - w)%Z else t).
    destruct (is_true var v l || negb chosen) eqn:Ch.
    + assert (Next : (t <= partial r i -> after <= partial r j)%Z).
      { intros T. assert (G := partial_grows r (Datatypes.S i) j Fa L).
        assert (P : partial r (Datatypes.S i)
          = (partial r i - if is_true var v l then w else 0)%Z).
        { unfold partial. rewrite (firstn_next _ i _ _ N), sum_app. simpl. lia. }
        assert (W : (w <= 0)%Z).
        { unfold falls in Fa. rewrite forallb_forall in Fa.
          specialize (Fa _ (nth_error_In _ _ N)). now apply Z.leb_le in Fa. }
        unfold after. destruct chosen; [rewrite orb_false_r in Ch; rewrite Ch in P; lia|].
        destruct (is_true var v l); lia. }
      destruct (Z.leb_spec t (partial r i)) as [T|T].
      * specialize (Next T). pose proof (partial_most r j H Fa).
        destruct (Z.ltb_spec (- least var r) after) as [O|_]; [lia|].
        exists (true, Reached s j after). split.
        -- rewrite !in_app_iff. right. right. now left.
        -- unfold named_true. simpl. rewrite S. now apply Z.leb_le in Next; rewrite Next.
      * assert (Zero : (0 <= partial r i)%Z).
        { pose proof (partial_grows r 0 i Fa ltac:(lia)) as G. exact G. }
        destruct (Z.leb_spec t 0) as [Lt|_]; [lia|].
        exists (false, Reached s i t). split; [now left|]. unfold named_true. simpl. rewrite S.
        now apply Z.leb_gt in T; rewrite T.
    + apply orb_false_iff in Ch. destruct Ch as [Ch C]. apply negb_false_iff in C. subst chosen.
      exists (negb (fst l), Meaning (snd l)). split.
      * rewrite !in_app_iff. right. left. now left.
      * unfold named_true, is_true in *. simpl. destruct (v (snd l)), (fst l); simpl in *; auto.
  - now apply (layers_hold l).
Qed.

End Refutation.

Lemma sums_hold :
  forall at_ p v ds, facts at_ p v ->
  Forall (fun r => holds var v r /\ falls r = true) (sums_of at_ p ds).
Proof.
  intros at_ p v ds F. apply Forall_forall. intros r I. apply in_flat_map in I.
  destruct I as [d [_ I]]. destruct (row_of at_ p d) as [q|] eqn:R; [|destruct I].
  destruct (falls q) eqn:Fa; [|destruct I]. destruct I as [<-|[]]. split; auto.
  eapply rows_hold; eauto.
Qed.

(** ** The check *)

Record refutation := Refutation {
  names : positive -> option name;
  row_sums : list description;
  given : list (positive * list (literal positive) * reason);
  lemmas : list derived
}.

Section Check.

Variable at_ : nat -> list hub.
Variable p : problem.
Variable names : positive -> option name.

Definition has_literal (c : list (literal positive)) (l : bool * name) : bool :=
  existsb (fun k => Bool.eqb (fst k) (fst l)
    && match names (snd k) with Some n => same_name n (snd l) | None => false end) c.

Definition check_clause (sums : list (row var))
    (clause : positive * list (literal positive) * reason) : bool :=
  let '(_, c, why) := clause in
  match expected at_ p sums why with
  | Some ls => forallb (has_literal c) ls
  | None => false
  end.

Definition known_clauses (given : list (positive * list (literal positive) * reason)) : clauses :=
  fold_left (fun m clause => let '(n, c, _) := clause in PositiveMap.add n c m) given
    (PositiveMap.empty (list (literal positive))).

Lemma known_clauses_in :
  forall given n c, PositiveMap.find n (known_clauses given) = Some c ->
  exists why, In (n, c, why) given.
Proof.
  intros given. unfold known_clauses.
  assert (G : forall m n c, PositiveMap.find n (fold_left (fun m clause =>
      let '(n, c, _) := clause in PositiveMap.add n c m) given m) = Some c ->
    PositiveMap.find n m = Some c \/ exists why, In (n, c, why) given).
  { induction given as [|[[k d] why] given IH]; intros m n c Fn; [now left|]. simpl in Fn.
    destruct (IH _ n c Fn) as [Fm|[w I]]; [|right; exists w; now right].
    rewrite find_add in Fm. destruct (Pos.eqb_spec n k) as [->|_]; auto.
    injection Fm as ->. right. exists why. now left. }
  intros n c Fn. destruct (G _ n c Fn) as [Fm|Ex]; auto.
  rewrite PositiveMap.gempty in Fm. discriminate.
Qed.

End Check.

Definition check_refutation (at_ : nat -> list hub) (p : problem) (r : refutation) : bool :=
  let sums := sums_of at_ p (row_sums r) in
  forallb (check_clause at_ p (names r) sums) (given r)
  && derives_false (known_clauses (given r)) (lemmas r).

Theorem check_refutation_sound :
  forall at_ p r, check_refutation at_ p r = true -> forall v, ~ facts at_ p v.
Proof.
  intros at_ p r E v F. unfold check_refutation in E. apply andb_true_iff in E.
  destruct E as [C D]. set (sums := sums_of at_ p (row_sums r)) in *.
  rewrite forallb_forall in C.
  set (s := fun x => match names r x with Some n => value at_ p sums v n | None => false end).
  apply (derives_false_sound s _ _ D). intros n c Fn.
  destruct (known_clauses_in _ n c Fn) as [why I]. specialize (C _ I). unfold check_clause in C.
  destruct (expected at_ p sums why) as [ls|] eqn:Ex; [|discriminate].
  destruct (expected_holds at_ p sums v F (sums_hold at_ p v _ F) why ls Ex) as [l [Il T]].
  rewrite forallb_forall in C. specialize (C l Il). apply existsb_exists in C.
  destruct C as [k [Ik C]]. apply andb_true_iff in C. destruct C as [B N].
  apply existsb_exists. exists k. split; auto. unfold is_true, s.
  destruct (names r (snd k)) as [m|]; [|discriminate]. apply same_name_spec in N. subst m.
  apply eqb_prop in B. rewrite B. exact T.
Qed.

(** ** Either way *)

Inductive evidence :=
  | By_cases (t : tree)
  | By_lemmas (r : refutation).

(** No play has the facts. *)
Definition refuted (at_ : nat -> list hub) (p : problem) (e : evidence) : bool :=
  match e with
  | By_cases t => refutes (row_of at_ p) t
  | By_lemmas r => check_refutation at_ p r
  end.

Theorem refuted_sound :
  forall at_ p e, refuted at_ p e = true -> forall v, ~ facts at_ p v.
Proof.
  intros at_ p [t|r] E v F; [|exact (check_refutation_sound at_ p r E v F)].
  apply (refutes_sound _ t E v). intros d row R. eapply rows_hold; eauto.
Qed.
