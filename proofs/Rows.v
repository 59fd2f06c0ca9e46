(** The rows of a bound, and that they hold for whatever is played.

    A formula about trails has variables for visited hubs, walked cards, odd hubs, and hubs with two
    ends.  [facts] says what is known of them if the cards are played; [row_of] writes a row from
    its description; and each row that it writes holds if the facts do. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds.
Import ListNotations.

Inductive var :=
  | Visited (h : hub)
  | Odd (h : hub)
  | Closed (h : hub)
  | Walked (c : nat) (h : hub).

(** A card that must be played, or a hub: why a set of hubs has a visited one. *)
Inductive occupant :=
  | At_hub (h : hub)
  | At_card (c : nat).

Inductive description :=
  | Cover (c : nat)
  | Visit (c : nat) (h : hub)
  | Close (h : hub)
  | Continue (c : nat) (h : hub)
  | Twice (c : nat)
  | Start
  | Start_once
  | Parity (h : hub) (walked : list nat) (odd : bool)
  | Around (hubs : list hub) (cards : list nat) (inside outside : occupant)
  | Ends.

Definition member (x : nat) (l : list nat) : bool := existsb (Nat.eqb x) l.

Lemma member_spec : forall x l, member x l = true <-> In x l.
Proof.
  intros x l. unfold member. rewrite existsb_exists. split.
  - intros [y [I E]]. apply Nat.eqb_eq in E. now subst.
  - intros I. exists x. split; auto. apply Nat.eqb_refl.
Qed.

Fixpoint no_twice (l : list nat) : bool :=
  match l with
  | [] => true
  | x :: rest => negb (member x rest) && no_twice rest
  end.

Lemma no_twice_spec : forall l, no_twice l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros E; constructor; apply andb_true_iff in E; destruct E as [E E'].
  - intros I. apply member_spec in I. rewrite I in E. discriminate.
  - auto.
Qed.

(** The number of true values, and whether it is odd. *)
Definition number {A} (f : A -> bool) (l : list A) : nat := length (filter f l).

Lemma number_odd : forall f l, Nat.odd (number f l) = odd_sum f l.
Proof.
  intros f l. unfold number. induction l as [|x l IH]; auto. cbn [filter odd_sum].
  destruct (f x); [|now rewrite xorb_false_l].
  cbn [length]. rewrite Nat.odd_succ, <- Nat.negb_odd, IH. now destruct (odd_sum f l).
Qed.

Lemma number_some : forall A (f : A -> bool) l x, In x l -> f x = true -> 1 <= number f l.
Proof.
  intros A f l x I F. unfold number. assert (J : In x (filter f l)) by (apply filter_In; auto).
  destruct (filter f l); [destruct J|simpl; lia].
Qed.

Lemma number_filter :
  forall A (f p : A -> bool) l, number f (filter p l) = number (fun x => p x && f x) l.
Proof.
  intros A f p l. unfold number. induction l as [|x l IH]; simpl; auto.
  destruct (p x); simpl; auto. destruct (f x); simpl; auto.
Qed.

Lemma odd_sum_false : forall l, odd_sum (fun _ => false) l = false.
Proof. induction l as [|x l IH]; auto. cbn [odd_sum]. now rewrite IH. Qed.

Lemma odd_sum_ext :
  forall (f g : nat -> bool) l, (forall x, In x l -> f x = g x) -> odd_sum f l = odd_sum g l.
Proof.
  intros f g l. induction l as [|x l IH]; intros E; auto. cbn [odd_sum].
  rewrite IH, (E x); simpl; auto. intros; apply E; simpl; auto.
Qed.

Lemma odd_sum_filter :
  forall (f keep : nat -> bool) l, (forall x, In x l -> f x = true -> keep x = true) ->
  odd_sum f l = odd_sum f (filter keep l).
Proof.
  intros f keep l. induction l as [|x l IH]; intros K; auto. cbn [odd_sum filter].
  destruct (keep x) eqn:E; cbn [odd_sum]; rewrite <- IH by (intros; apply K; simpl; auto); auto.
  destruct (f x) eqn:G; [|apply xorb_false_l]. rewrite (K x) in E by (simpl; auto). discriminate.
Qed.

Lemma odd_sum_one :
  forall p x l, NoDup l -> odd_sum (fun h => p h && (h =? x)) l = p x && member x l.
Proof.
  intros p x l N. destruct (p x) eqn:P; simpl.
  - unfold member. rewrite <- (odd_sum_member x l N). apply odd_sum_ext. intros h _.
    destruct (Nat.eqb_spec h x) as [->|_]; [now rewrite P|apply andb_false_r].
  - rewrite <- (odd_sum_false l). apply odd_sum_ext. intros h _.
    destruct (Nat.eqb_spec h x) as [->|_]; [now rewrite P|apply andb_false_r].
Qed.

Lemma odd_sum_two :
  forall p x y l, NoDup l -> x <> y ->
  odd_sum (fun h => p h && ((h =? x) || (h =? y))) l
  = xorb (p x && member x l) (p y && member y l).
Proof.
  intros p x y l N D. rewrite <- !odd_sum_one by auto. rewrite <- odd_sum_xor.
  apply odd_sum_ext. intros h _.
  destruct (p h), (Nat.eqb_spec h x), (Nat.eqb_spec h y); subst; simpl; auto. congruence.
Qed.

Lemma odd_sum_swap :
  forall (f : nat -> nat -> bool) a b,
  odd_sum (fun x => odd_sum (f x) b) a = odd_sum (fun y => odd_sum (fun x => f x y) a) b.
Proof.
  intros f a b. induction a as [|x a IH]; cbn [odd_sum].
  - symmetry. apply odd_sum_false.
  - now rewrite IH, <- odd_sum_xor.
Qed.

Lemma number_flat_map :
  forall A (f : A -> bool) g l,
  Nat.odd (number f (flat_map g l)) = odd_sum (fun c => Nat.odd (number f (g c))) l.
Proof.
  intros A f g l. induction l as [|x l IH]; auto. cbn [flat_map odd_sum]. rewrite <- IH.
  unfold number. now rewrite filter_app, app_length, Nat.odd_add.
Qed.

Section Rows.

(** Cards are numbered: [held] cards of the hand, and after them the card on the pile if there is
    one.  [at_ c] are the hubs of card [c]; there are [hubs] hubs, and [r] sequences. *)
Variable at_ : nat -> list hub.
Variable held : nat.
Variable pile : bool.
Variable hubs : nat.
Variable r : nat.

Definition cards : nat := held + (if pile then 1 else 0).
Definition is_pile (c : nat) : bool := pile && (c =? held).

(** No walked card leaves the set. *)
Definition stays (v : var -> bool) (S : hub -> bool) : Prop :=
  forall c x y, c < held -> v (Walked c x) = true -> v (Walked c y) = true -> S x = S y.

Record facts (v : var -> bool) : Prop := {
  (* Each card of the hand has a visited hub. *)
  covers : forall c, c < held -> exists h, In h (at_ c) /\ v (Visited h) = true;
  (* It is walked between two of its hubs, or not at all. *)
  walks : forall c, c < held -> (forall h, v (Walked c h) = false) \/
    exists x y, x <> y /\ In x (at_ c) /\ In y (at_ c)
      /\ forall h, v (Walked c h) = (h =? x) || (h =? y);
  (* The card on the pile is walked to one of its hubs. *)
  starts : pile = true -> exists x, In x (at_ held) /\ forall h, v (Walked held h) = (h =? x);
  (* Walked cards lead to visited hubs. *)
  visits : forall c h, c < cards -> v (Walked c h) = true -> v (Visited h) = true;
  (* A hub is odd if an odd number of walked cards is at it. *)
  odds : forall h, v (Odd h) = odd_sum (fun c => v (Walked c h)) (seq 0 cards);
  (* There are at most 2 r ends, one less with a pile. *)
  few_ends : count hubs (fun h => v (Odd h)) + 2 * count hubs (fun h => v (Closed h))
    <= 2 * r - (if pile then 1 else 0);
  closes : forall h, v (Closed h) = true -> v (Visited h) = true;
  (* A set of hubs that no walked card leaves has an end, if it has a visited hub. *)
  cuts : forall S, stays v S -> forall h, v (Visited h) = true -> S h = true ->
    exists g, S g = true /\ (v (Odd g) = true \/ v (Closed g) = true);
  (* If there is one sequence, all visited hubs are on one side of such a set. *)
  one_part : r <= 1 -> forall S, stays v S -> forall g h,
    v (Visited g) = true -> v (Visited h) = true -> S g = S h
}.

(** ** Variables that are the same *)

(** A card on two hubs is walked to both or to none, so one variable is enough. *)
Definition walked_var (c : nat) (h : hub) : var :=
  match at_ c with
  | [a; _] => if is_pile c then Walked c h else Walked c a
  | _ => Walked c h
  end.

Definition walkable (c : nat) : bool := (2 <=? length (at_ c)) || is_pile c.

(** The cards that may be walked to a hub. *)
Definition nearby (h : hub) : list nat :=
  filter (fun c => member h (at_ c) && walkable c) (seq 0 cards).

(** A hub with one such card is odd if the card is walked. *)
Definition odd_var (h : hub) : var :=
  match nearby h with
  | [c] => walked_var c h
  | _ => Odd h
  end.

(** ** The rows *)

Local Notation lit := (literal var).
Definition yes (x : var) : lit := (true, x).
Definition no (x : var) : lit := (false, x).

Definition clause (ls : list lit) : row var := Row var (map (fun l => (1%Z, l)) ls) 1.

Definition is_inside (hs : list hub) (h : hub) : bool := member h hs.

(** The literals of a card that leads out of a set of hubs, and of cards on three hubs or more. *)
Definition leading_out (hs : list hub) (cs : list nat) (c : nat) : list lit :=
  if member c cs then
    map (fun h => yes (Walked c h)) (filter (fun h => negb (is_inside hs h)) (at_ c))
  else if is_pile c then map (fun h => yes (Walked c h)) (filter (is_inside hs) (at_ c))
  else match at_ c with
    | [] => []
    | [_] => []
    | [a; b] => if xorb (is_inside hs a) (is_inside hs b) then [yes (Walked c a)] else []
    | _ => map (fun h => yes (Walked c h)) (filter (is_inside hs) (at_ c))
    end.

(** The literals that are true if the occupant's hub is not visited; [None] if it is not there. *)
Definition excuse (hs : list hub) (within : bool) (o : occupant) : option (list lit) :=
  match o with
  | At_hub h => if Bool.eqb (is_inside hs h) within then Some [no (Visited h)] else None
  | At_card c =>
      if (c <? cards) && forallb (fun h => Bool.eqb (is_inside hs h) within) (at_ c)
      then Some [] else None
  end.

Definition around (hs : list hub) (cs : list nat) (excuses : list lit) : row var :=
  Row var
    (map (fun l => (2%Z, l)) excuses
     ++ map (fun l => (1%Z, l)) (flat_map (leading_out hs cs) (seq 0 cards))
     ++ map (fun h => (1%Z, yes (odd_var h))) hs
     ++ (if r <=? 1 then [] else map (fun h => (2%Z, yes (Closed h))) hs)) 2.

Definition row_of (d : description) : option (row var) :=
  match d with
  | Cover c => if c <? held then Some (clause (map (fun h => yes (Visited h)) (at_ c))) else None
  | Visit c h =>
      if (c <? cards) && member h (at_ c)
      then Some (clause [no (walked_var c h); yes (Visited h)]) else None
  | Close h => Some (clause [no (Closed h); yes (Visited h)])
  | Continue c h =>
      if (c <? held) && member h (at_ c)
      then Some (clause (no (Walked c h) ::
        map (fun g => yes (Walked c g)) (filter (fun g => negb (g =? h)) (at_ c))))
      else None
  | Twice c =>
      if (c <? held) && no_twice (at_ c)
      then Some (Row var (map (fun h => ((-1)%Z, yes (Walked c h))) (at_ c)) (-2)) else None
  | Start => if pile then Some (clause (map (fun h => yes (Walked held h)) (at_ held))) else None
  | Start_once =>
      if pile && no_twice (at_ held)
      then Some (Row var (map (fun h => ((-1)%Z, yes (Walked held h))) (at_ held)) (-1)) else None
  | Parity h walked odd =>
      if no_twice walked && forallb (fun c => member c (nearby h)) walked
         && xorb (Nat.odd (length walked)) odd
      then Some (clause ((negb odd, odd_var h) ::
        map (fun c => (negb (member c walked), walked_var c h)) (nearby h)))
      else None
  | Around hs cs inside outside =>
      if no_twice hs && forallb (fun c => (c <? held) && no_twice (at_ c)) cs
         && forallb (fun c => no_twice (at_ c)) (seq 0 cards)
      then
        match excuse hs true inside with
        | None => None
        | Some ins =>
            if r <=? 1 then
              match excuse hs false outside with
              | None => None
              | Some outs => Some (around hs cs (ins ++ outs))
              end
            else Some (around hs cs ins)
        end
      else None
  | Ends =>
      Some (Row var (map (fun h => ((-1)%Z, yes (odd_var h))) (seq 0 hubs)
        ++ map (fun h => ((-2)%Z, yes (Closed h))) (seq 0 hubs))
        (- Z.of_nat (2 * r - (if pile then 1 else 0))))
  end.

(** ** They hold *)

Variable v : var -> bool.
Hypothesis F : facts v.

Lemma clause_holds : forall ls l, In l ls -> is_true var v l = true -> holds var v (clause ls).
Proof.
  intros ls l I T. unfold holds, clause. simpl.
  assert (N : forall ks, (0 <= sum_of var v (map (fun k => (1%Z, k)) ks))%Z).
  { induction ks as [|k ks IH]; simpl; [lia|]. destruct (is_true var v k); lia. }
  induction ls as [|k ls IH]; [destruct I|]. simpl. specialize (N ls).
  destruct I as [<-|I]; [rewrite T; lia|]. specialize (IH I). destruct (is_true var v k); lia.
Qed.

Lemma sum_number :
  forall A (g : A -> var) w l,
  sum_of var v (map (fun a => (w, yes (g a))) l)
  = (w * Z.of_nat (number (fun a => v (g a)) l))%Z.
Proof.
  intros A g w l. unfold number. induction l as [|a l IH]; simpl; [lia|].
  rewrite IH. unfold is_true. simpl. destruct (v (g a)); simpl; lia.
Qed.

Lemma sum_app :
  forall a b, sum_of var v (a ++ b) = (sum_of var v a + sum_of var v b)%Z.
Proof. induction a as [|[w l] a IH]; intros b; simpl; auto. rewrite IH. lia. Qed.

Lemma sum_literals :
  forall w ls, sum_of var v (map (fun l => (w, l)) ls)
  = (w * Z.of_nat (number (is_true var v) ls))%Z.
Proof.
  intros w ls. unfold number. induction ls as [|l ls IH]; simpl; [lia|].
  rewrite IH. destruct (is_true var v l); simpl; lia.
Qed.

Lemma walked_at : forall c h, c < cards -> v (Walked c h) = true -> In h (at_ c).
Proof.
  intros c h L W. unfold cards in L.
  destruct (Nat.lt_ge_cases c held) as [H|H].
  - destruct (walks v F c H) as [N|[x [y [_ [X [Y E]]]]]]; [rewrite N in W; discriminate|].
    rewrite E in W. apply orb_true_iff in W. destruct W as [W|W]; apply Nat.eqb_eq in W; now subst.
  - destruct pile eqn:P; [|lia]. assert (c = held) by lia. subst c.
    destruct (starts v F P) as [x [X E]]. rewrite E in W. apply Nat.eqb_eq in W. now subst.
Qed.

Lemma walked_walkable : forall c h, c < cards -> v (Walked c h) = true -> walkable c = true.
Proof.
  intros c h L W. unfold walkable. apply orb_true_iff. unfold cards in L.
  destruct (Nat.lt_ge_cases c held) as [H|H].
  - left. destruct (walks v F c H) as [N|[x [y [D [X [Y _]]]]]]; [rewrite N in W; discriminate|].
    apply Nat.leb_le. destruct (at_ c) as [|a [|b l]]; simpl in *; lia.
  - right. unfold is_pile. destruct pile; [|lia]. simpl. apply Nat.eqb_eq. lia.
Qed.

Lemma walked_var_value :
  forall c h, c < cards -> In h (at_ c) -> v (walked_var c h) = v (Walked c h).
Proof.
  intros c h L I. unfold walked_var. destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
  destruct (is_pile c) eqn:P; auto.
  assert (H : c < held).
  { unfold is_pile, cards in *. destruct pile; simpl in P; [|lia].
    apply Nat.eqb_neq in P. lia. }
  destruct (walks v F c H) as [N|[x [y [D [X [Y E]]]]]]; [now rewrite !N|].
  rewrite !E, A in *. simpl in *.
  assert (Ha : (a =? x) || (a =? y) = true).
  { apply orb_true_iff. rewrite !Nat.eqb_eq. intuition congruence. }
  assert (Hh : (h =? x) || (h =? y) = true).
  { apply orb_true_iff. rewrite !Nat.eqb_eq. intuition congruence. }
  now rewrite Ha, Hh.
Qed.

Lemma odd_nearby : forall h, v (Odd h) = odd_sum (fun c => v (walked_var c h)) (nearby h).
Proof.
  intros h. rewrite (odds v F h).
  rewrite (odd_sum_filter _ (fun c => member h (at_ c) && walkable c)).
  - apply odd_sum_ext. intros c I. apply filter_In in I. destruct I as [L K].
    apply in_seq in L. apply andb_true_iff in K. destruct K as [M _].
    symmetry. apply walked_var_value; [lia|]. now apply member_spec.
  - intros c I W. apply in_seq in I. apply andb_true_iff. split.
    + apply member_spec. apply walked_at; auto. lia.
    + apply (walked_walkable c h); auto. lia.
Qed.

Lemma odd_var_value : forall h, v (odd_var h) = v (Odd h).
Proof.
  intros h. unfold odd_var. rewrite odd_nearby.
  destruct (nearby h) as [|c [|d l]] eqn:N.
  - rewrite odd_nearby, N. reflexivity.
  - cbn [odd_sum]. now rewrite xorb_false_r.
  - rewrite odd_nearby, N. reflexivity.
Qed.

(** ** Each row *)

Lemma number_walked :
  forall c l, number (is_true var v) (map (fun h => yes (Walked c h)) l)
  = number (fun h => v (Walked c h)) l.
Proof.
  intros c l. unfold number. induction l as [|h l IH]; auto. simpl.
  assert (E : is_true var v (yes (Walked c h)) = v (Walked c h)).
  { unfold is_true. simpl. now destruct (v (Walked c h)). }
  rewrite E. destruct (v (Walked c h)); simpl; auto.
Qed.

(** A card leads out of a set by as many ends, modulo 2, as it has in the set. *)
Lemma leading_out_odd :
  forall hs cs c, c < cards -> NoDup hs -> NoDup (at_ c) ->
  (forall d, In d cs -> d < held) ->
  Nat.odd (number (is_true var v) (leading_out hs cs c))
  = odd_sum (fun h => v (Walked c h)) hs.
Proof.
  intros hs cs c L Nh Na Cs.
  assert (Sum : forall p, Nat.odd (number (is_true var v)
      (map (fun h => yes (Walked c h)) (filter p (at_ c))))
    = odd_sum (fun h => p h && v (Walked c h)) (at_ c)).
  { intros p. now rewrite number_walked, number_filter, number_odd. }
  unfold leading_out. destruct (Nat.lt_ge_cases c held) as [H|H].
  - assert (P : is_pile c = false).
    { unfold is_pile. destruct pile; auto. apply Nat.eqb_neq. lia. }
    rewrite P. destruct (walks v F c H) as [Z|[x [y [D [X [Y E]]]]]].
    + rewrite (odd_sum_ext _ (fun _ => false) hs), odd_sum_false by auto.
      assert (None : forall p, odd_sum (fun h => p h && v (Walked c h)) (at_ c) = false).
      { intros p. rewrite <- (odd_sum_false (at_ c)). apply odd_sum_ext. intros h _.
        rewrite Z. apply andb_false_r. }
      destruct (member c cs); [rewrite Sum; apply None|].
      destruct (at_ c) as [|a [|b [|d l]]] eqn:A; auto.
      * destruct (xorb (is_inside hs a) (is_inside hs b)); auto. unfold number, is_true. simpl.
        now rewrite Z.
      * rewrite Sum. apply None.
    + rewrite (odd_sum_ext _ (fun h => true && ((h =? x) || (h =? y))) hs) by (intros; now rewrite E).
      rewrite (odd_sum_two (fun _ => true)) by auto. cbn [andb].
      assert (Two : forall p, odd_sum (fun h => p h && v (Walked c h)) (at_ c) = xorb (p x) (p y)).
      { intros p. rewrite (odd_sum_ext _ (fun h => p h && ((h =? x) || (h =? y)))).
        - rewrite odd_sum_two by auto. apply member_spec in X, Y.
          now rewrite X, Y, !andb_true_r.
        - intros h _. now rewrite E. }
      destruct (member c cs).
      * rewrite Sum, Two. unfold is_inside. now destruct (member x hs), (member y hs).
      * destruct (at_ c) as [|a [|b [|d l]]] eqn:A.
        -- destruct X.
        -- destruct X as [X|[]], Y as [Y|[]]. congruence.
        -- assert (Va : v (Walked c a) = true).
           { rewrite E. apply orb_true_iff. rewrite !Nat.eqb_eq. simpl in X, Y.
             intuition congruence. }
           assert (S : xorb (is_inside hs a) (is_inside hs b)
             = xorb (member x hs) (member y hs)).
           { unfold is_inside. simpl in X, Y.
             destruct X as [-> | [-> | []]], Y as [-> | [-> | []]]; try congruence.
             apply xorb_comm. }
           rewrite S. destruct (xorb (member x hs) (member y hs)); auto.
           unfold number, is_true. simpl. now rewrite Va.
        -- rewrite Sum, Two. reflexivity.
  - assert (Pi : pile = true) by (unfold cards in L; destruct pile; auto; lia).
    assert (c = held) by (unfold cards in L; rewrite Pi in L; lia). subst c.
    assert (P : is_pile held = true) by (unfold is_pile; now rewrite Pi, Nat.eqb_refl).
    assert (M : member held cs = false).
    { apply not_true_is_false. intros M. apply member_spec, Cs in M. lia. }
    rewrite M, P, Sum. destruct (starts v F Pi) as [x [X E]].
    rewrite (odd_sum_ext _ (fun h => is_inside hs h && (h =? x))) by (intros; now rewrite E).
    rewrite odd_sum_one by auto. apply member_spec in X. rewrite X, andb_true_r.
    rewrite (odd_sum_ext _ (fun h => true && (h =? x)) hs) by (intros; now rewrite E).
    rewrite (odd_sum_one (fun _ => true)) by auto. reflexivity.
Qed.

Lemma excuse_spec :
  forall hs within o ls, excuse hs within o = Some ls ->
  1 <= number (is_true var v) ls \/ exists h, v (Visited h) = true /\ member h hs = within.
Proof.
  intros hs within [h|c] ls E; simpl in E.
  - destruct (Bool.eqb (is_inside hs h) within) eqn:I; [|discriminate]. inversion E. subst ls.
    apply eqb_prop in I. destruct (v (Visited h)) eqn:V; [right; eauto|left].
    unfold number, is_true. simpl. rewrite V. simpl. lia.
  - destruct ((c <? cards) && _) eqn:I; [|discriminate]. right.
    apply andb_true_iff in I. destruct I as [L A]. apply Nat.ltb_lt in L.
    rewrite forallb_forall in A.
    assert (V : exists h, In h (at_ c) /\ v (Visited h) = true).
    { destruct (Nat.lt_ge_cases c held) as [H|H]; [now apply (covers v F)|].
      assert (Pi : pile = true) by (unfold cards in L; destruct pile; auto; lia).
      assert (c = held) by (unfold cards in L; rewrite Pi in L; lia). subst c.
      destruct (starts v F Pi) as [x [X Ex]]. exists x. split; auto.
      apply (visits v F held); auto. rewrite Ex. apply Nat.eqb_refl. }
    destruct V as [h [Ih Vh]]. exists h. split; auto. apply eqb_prop, A, Ih.
Qed.

Lemma around_holds :
  forall hs cs excuses, NoDup hs -> (forall c, c < cards -> NoDup (at_ c)) ->
  (forall d, In d cs -> d < held) ->
  (1 <= number (is_true var v) excuses
   \/ (exists h, v (Visited h) = true /\ member h hs = true)
      /\ (r <= 1 -> exists h, v (Visited h) = true /\ member h hs = false)) ->
  holds var v (around hs cs excuses).
Proof.
  intros hs cs excuses Nh Na Cs Why. unfold holds, around. cbn [terms least].
  rewrite !sum_app, !sum_literals, sum_number.
  set (out := number (is_true var v) (flat_map (leading_out hs cs) (seq 0 cards))).
  set (odd := number (fun h => v (odd_var h)) hs).
  assert (Even : Nat.odd out = Nat.odd odd).
  { unfold out, odd. rewrite number_flat_map, number_odd.
    rewrite (odd_sum_ext _ (fun c => odd_sum (fun h => v (Walked c h)) hs)).
    - rewrite odd_sum_swap. apply odd_sum_ext. intros h _.
      now rewrite odd_var_value, (odds v F h).
    - intros c I. apply in_seq in I. apply leading_out_odd; auto; try lia. apply Na. lia. }
  assert (Nonneg : (0 <= sum_of var v
    (if (r <=? 1)%nat then [] else map (fun h => (2%Z, yes (Closed h))) hs))%Z).
  { destruct (r <=? 1); simpl; [lia|]. rewrite sum_number. lia. }
  assert (Enough : (2 <= Z.of_nat out + Z.of_nat odd
      + sum_of var v (if (r <=? 1)%nat then [] else map (fun h => (2%Z, yes (Closed h))) hs))%Z
    \/ 1 <= number (is_true var v) excuses).
  { destruct Why as [Ex|[[h [Vh Ih]] Outside]]; [auto|left].
    destruct (Nat.eq_dec out 0) as [Z|Z].
    - assert (St : stays v (fun g => member g hs)).
      { intros c x y L X Y.
        assert (None : number (is_true var v) (leading_out hs cs c) = 0).
        { unfold out in Z. assert (Ic : In c (seq 0 cards)).
          { apply in_seq. unfold cards. lia. }
          destruct (in_split _ _ Ic) as [l1 [l2 Sp]]. rewrite Sp in Z.
          rewrite flat_map_app in Z. cbn [flat_map] in Z. unfold number in *.
          rewrite !filter_app, !app_length in Z. lia. }
        assert (Lc : c < cards) by (unfold cards; lia).
        pose proof (leading_out_odd hs cs c Lc Nh (Na c Lc) Cs) as P. rewrite None in P.
        destruct (walks v F c L) as [N|[x' [y' [D [_ [_ E]]]]]]; [rewrite N in X; discriminate|].
        rewrite (odd_sum_ext _ (fun h => true && ((h =? x') || (h =? y'))) hs) in P
          by (intros; now rewrite E).
        rewrite (odd_sum_two (fun _ => true)) in P by auto. cbn [andb] in P.
        symmetry in P. apply xorb_eq in P.
        rewrite E in X, Y. apply orb_true_iff in X, Y. rewrite !Nat.eqb_eq in X, Y.
        destruct X, Y; subst; congruence. }
      destruct (r <=? 1) eqn:R.
      + apply Nat.leb_le in R. destruct (Outside R) as [g [Vg Og]].
        pose proof (one_part v F R _ St h g Vh Vg). cbv beta in *. congruence.
      + destruct (cuts v F _ St h Vh Ih) as [g [Sg [Og|Cg]]]; apply member_spec in Sg.
        * assert (1 <= odd).
          { unfold odd. apply (number_some _ _ hs g); auto. now rewrite odd_var_value. }
          rewrite Z in Even. destruct odd as [|[|n]]; [lia|discriminate|lia].
        * rewrite sum_number.
          assert (1 <= number (fun a => v (Closed a)) hs) by now apply (number_some _ _ hs g).
          lia.
    - destruct out as [|[|n]]; [lia| |lia].
      destruct odd as [|m]; [discriminate|lia]. }
  destruct Enough; lia.
Qed.

Lemma at_most_two :
  forall c x y, NoDup (at_ c) -> (forall h, v (Walked c h) = true -> h = x \/ h = y) ->
  number (fun h => v (Walked c h)) (at_ c) <= 2.
Proof.
  intros c x y N E. change 2 with (length [x; y]). apply NoDup_incl_length.
  - now apply NoDup_filter.
  - intros h I. apply filter_In in I. destruct I as [_ I]. apply E in I. destruct I as [-> | ->]; simpl; auto.
Qed.

Theorem rows_hold : forall d row, row_of d = Some row -> holds var v row.
Proof.
  intros [c|c h|h|c h|c| | |h walked odd|hs cs inside outside|] row E; simpl in E.
  - destruct (c <? held) eqn:L; [|discriminate]. inversion E. subst row. apply Nat.ltb_lt in L.
    destruct (covers v F c L) as [h [I V]].
    apply (clause_holds _ (yes (Visited h))); [now apply (in_map (fun h => yes (Visited h)))|].
    unfold is_true. simpl. now rewrite V.
  - destruct ((c <? cards) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L M]. apply Nat.ltb_lt in L. apply member_spec in M.
    destruct (v (walked_var c h)) eqn:W.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      rewrite walked_var_value in W by auto. unfold is_true. simpl.
      now rewrite (visits v F c h L W).
    + apply (clause_holds _ (no (walked_var c h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite W.
  - inversion E. subst row. destruct (v (Closed h)) eqn:C.
    + apply (clause_holds _ (yes (Visited h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite (closes v F h C).
    + apply (clause_holds _ (no (Closed h))); [simpl; auto|].
      unfold is_true. simpl. now rewrite C.
  - destruct ((c <? held) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L _]. apply Nat.ltb_lt in L.
    destruct (v (Walked c h)) eqn:W.
    + destruct (walks v F c L) as [N|[x [y [D [X [Y Ex]]]]]]; [rewrite N in W; discriminate|].
      assert (O : exists g, g <> h /\ In g (at_ c) /\ v (Walked c g) = true).
      { rewrite Ex in W. apply orb_true_iff in W. rewrite !Nat.eqb_eq in W.
        destruct W as [-> | ->]; [exists y|exists x]; repeat split; auto;
          rewrite Ex, Nat.eqb_refl; auto using orb_true_r. }
      destruct O as [g [Ng [Ig Wg]]].
      apply (clause_holds _ (yes (Walked c g))).
      * right. apply (in_map (fun g => yes (Walked c g))). apply filter_In. split; auto.
        apply negb_true_iff. now apply Nat.eqb_neq.
      * unfold is_true. simpl. now rewrite Wg.
    + apply (clause_holds _ (no (Walked c h))); [simpl; auto|]. unfold is_true. simpl. now rewrite W.
  - destruct ((c <? held) && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [L N]. apply Nat.ltb_lt in L. apply no_twice_spec in N.
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked c h)) (at_ c) <= 2) by lia.
    destruct (walks v F c L) as [Z|[x [y [_ [_ [_ Ex]]]]]].
    + apply (at_most_two c 0 0 N). intros h W. rewrite Z in W. discriminate.
    + apply (at_most_two c x y N). intros h W. rewrite Ex in W. apply orb_true_iff in W.
      now rewrite !Nat.eqb_eq in W.
  - destruct pile eqn:P; [|discriminate]. inversion E. subst row.
    destruct (starts v F P) as [x [X Ex]].
    apply (clause_holds _ (yes (Walked held x))).
    + now apply (in_map (fun h => yes (Walked held h))).
    + unfold is_true. simpl. now rewrite Ex, Nat.eqb_refl.
  - destruct (pile && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [P N]. apply no_twice_spec in N.
    destruct (starts v F P) as [x [X Ex]].
    unfold holds. cbn [terms least]. rewrite sum_number.
    enough (number (fun h => v (Walked held h)) (at_ held) <= 1) by lia.
    change 1 with (length [x]). apply NoDup_incl_length; [now apply NoDup_filter|].
    intros h I. apply filter_In in I. destruct I as [_ I]. rewrite Ex in I.
    apply Nat.eqb_eq in I. simpl. auto.
  - destruct (no_twice walked && _ && _) eqn:G; [|discriminate]. inversion E. subst row.
    apply andb_true_iff in G. destruct G as [G Pa]. apply andb_true_iff in G.
    destruct G as [N Sub]. apply no_twice_spec in N. rewrite forallb_forall in Sub.
    set (ls := (negb odd, odd_var h)
      :: map (fun c => (negb (member c walked), walked_var c h)) (nearby h)).
    destruct (existsb (is_true var v) ls) eqn:Some'.
    + apply existsb_exists in Some'. destruct Some' as [l [I T]].
      exact (clause_holds ls l I T).
    + exfalso. assert (None : forall l, In l ls -> is_true var v l = false).
      { intros l I. apply not_true_is_false. intros T.
        assert (existsb (is_true var v) ls = true) by (apply existsb_exists; eauto). congruence. }
      assert (Vo : v (odd_var h) = odd).
      { specialize (None _ (or_introl eq_refl)). unfold is_true in None. simpl in None.
        destruct (v (odd_var h)), odd; simpl in *; congruence. }
      assert (Vw : forall c, In c (nearby h) -> v (walked_var c h) = member c walked).
      { intros c I.
        specialize (None _ (or_intror (in_map
          (fun c => (negb (member c walked), walked_var c h)) _ _ I))).
        unfold is_true in None. simpl in None.
        destruct (v (walked_var c h)), (member c walked); simpl in *; congruence. }
      rewrite odd_var_value, odd_nearby in Vo.
      rewrite (odd_sum_ext _ (fun c => member c walked)) in Vo by exact Vw.
      assert (Len : @number hub (fun c => member c walked) (nearby h) = length walked).
      { unfold number. apply Permutation.Permutation_length. apply Permutation.NoDup_Permutation; auto.
        - apply NoDup_filter. unfold nearby. apply NoDup_filter, seq_NoDup.
        - intros c. rewrite filter_In, member_spec. split; [tauto|]. intros I. split; auto.
          apply member_spec, Sub, I. }
      rewrite <- number_odd in Vo.
      pose proof (eq_trans (f_equal Nat.odd (eq_sym Len)) Vo) as Even.
      rewrite Even, xorb_nilpotent in Pa. discriminate.
  - destruct (no_twice hs && _ && _) eqn:G; [|discriminate].
    apply andb_true_iff in G. destruct G as [G Na]. apply andb_true_iff in G.
    destruct G as [N Cs]. apply no_twice_spec in N. rewrite forallb_forall in Cs, Na.
    assert (Na' : forall c, c < cards -> NoDup (at_ c)).
    { intros c L. apply no_twice_spec, Na, in_seq. lia. }
    assert (Cs' : forall d, In d cs -> d < held).
    { intros d I. apply Cs in I. apply andb_true_iff in I. now apply Nat.ltb_lt. }
    destruct (excuse hs true inside) as [ins|] eqn:In'; [|discriminate].
    destruct (excuse_spec _ _ _ _ In') as [Ei|Vi].
    + destruct (r <=? 1); [destruct (excuse hs false outside); [|discriminate]|];
        inversion E; subst row; apply around_holds; auto; left.
      unfold number in *. rewrite filter_app, app_length. lia.
    + destruct (r <=? 1) eqn:R.
      * destruct (excuse hs false outside) as [outs|] eqn:Out'; [|discriminate].
        inversion E. subst row. apply around_holds; auto.
        destruct (excuse_spec _ _ _ _ Out') as [Eo|Vo]; [left|right; auto].
        unfold number in *. rewrite filter_app, app_length. lia.
      * inversion E. subst row. apply around_holds; auto. right. split; auto.
        intros R'. apply Nat.leb_gt in R. lia.
  - inversion E. subst row. unfold holds. cbn [terms least].
    rewrite sum_app, !sum_number. pose proof (few_ends v F) as Few. unfold count in Few.
    unfold number. rewrite (filter_ext _ (fun h => v (Odd h))) by apply odd_var_value. lia.
Qed.

End Rows.
