(** Cooperative play: all players help player 1 to play all her cards before another player has
    played all of his.

    Whoever can play must, and whoever cannot is skipped.  A play is a list of cards by number; here
    are the facts about it that a timetable states. *)

From Coq Require Import List Arith Lia Bool Permutation.
From UnoCsp Require Import Rules Strategies Counts Rows.
Import ListNotations.

(** Player 0, who is "player 1" of the question, can be helped to finish first. *)
Inductive together (k : nat) : position -> Prop :=
  | finishes : forall p c, to_move p = 0 -> turn k p c [] -> together k p
  | goes_on : forall p c h, turn k p c h -> h <> [] -> together k (after p c h) -> together k p
  | is_skipped : forall p, (forall c, In c (hand p) -> fits k (top p) c = false) ->
      together k (Position (next (length (hands p)) (to_move p)) (top p) (hands p)) ->
      together k p.

Section Together.

Variable k : nat.
Variable players : nat.

(** All cards, each with its player. *)
Variable all : list (nat * card).

Definition owner (i : nat) : nat := fst (nth i all (0, [])).
Definition card_of (i : nat) : card := snd (nth i all (0, [])).
Definition indices : list nat := seq 0 (length all).

(** The cards that a player still has when some have been played. *)
Definition left_of (played : list nat) (w : nat) : list nat :=
  filter (fun i => (owner i =? w) && negb (member i played)) indices.

Lemma left_of_spec :
  forall played w i, In i (left_of played w)
  <-> i < length all /\ owner i = w /\ ~ In i played.
Proof.
  intros played w i. unfold left_of, indices.
  rewrite filter_In, in_seq, andb_true_iff, Nat.eqb_eq, negb_true_iff.
  rewrite <- (not_true_iff_false (member i played)), member_spec. intuition lia.
Qed.

(** The cards that are played from some position on, by number. *)
Inductive line : nat -> option card -> list nat -> list nat -> Prop :=
  | line_end : forall last played i,
      i < length all -> owner i = 0 -> ~ In i played -> fits k last (card_of i) = true ->
      (forall j, j < length all -> owner j = 0 -> In j (i :: played)) ->
      line 0 last played [i]
  | line_turn : forall w last played i rest,
      i < length all -> owner i = w -> ~ In i played -> fits k last (card_of i) = true ->
      (exists j, j < length all /\ owner j = w /\ ~ In j (i :: played)) ->
      line (next players w) (Some (card_of i)) (i :: played) rest ->
      line w last played (i :: rest)
  | line_skip : forall w last played rest,
      (forall j, j < length all -> owner j = w -> ~ In j played ->
        fits k last (card_of j) = false) ->
      line (next players w) last played rest ->
      line w last played rest.

Definition represents (p : position) (played : list nat) : Prop :=
  length (hands p) = players
  /\ forall w, Permutation (nth w (hands p) []) (map card_of (left_of played w)).

Lemma nth_update :
  forall hs i h w, i < length hs -> nth w (update i h hs) [] = if w =? i then h else nth w hs [].
Proof.
  induction hs as [|g hs IH]; intros i h w L; simpl in *; [lia|].
  destruct i as [|i], w as [|w]; simpl; auto. apply IH. lia.
Qed.

Lemma length_update : forall hs i h, length (update i h hs) = length hs.
Proof. induction hs as [|g hs IH]; intros [|i] h; simpl; auto. Qed.

Lemma left_of_played :
  forall played i r w, Permutation (left_of played (owner i)) (i :: r) ->
  Permutation (left_of (i :: played) w) (if w =? owner i then r else left_of played w).
Proof.
  intros played i r w P.
  assert (N : NoDup (left_of played (owner i))) by (apply NoDup_filter, seq_NoDup).
  pose proof (Permutation_NoDup P N) as N'. inversion N' as [|? ? Out Nr]; subst.
  apply NoDup_Permutation.
  - apply NoDup_filter, seq_NoDup.
  - destruct (w =? owner i); auto. apply NoDup_filter, seq_NoDup.
  - intros j. rewrite left_of_spec. destruct (Nat.eqb_spec w (owner i)) as [->|Ne].
    + split.
      * intros [L [O Nj]]. assert (I : In j (i :: r)).
        { apply (Permutation_in _ P), left_of_spec. simpl in Nj. tauto. }
        destruct I as [<-|I]; auto. destruct Nj. simpl. auto.
      * intros I. assert (J : In j (left_of played (owner i))).
        { apply (Permutation_in _ (Permutation_sym P)). simpl. auto. }
        apply left_of_spec in J. destruct J as [L [O Nj]]. repeat split; auto.
        intros [<-|J]; auto.
    + rewrite left_of_spec. simpl. intuition. subst. congruence.
Qed.

Lemma next_below : forall w, w < players -> next players w < players.
Proof. intros w L. unfold next. destruct (Nat.eqb_spec (S w) players); lia. Qed.

Lemma play_line :
  forall p, together k p -> forall played, to_move p < players -> represents p played ->
  exists s, line (to_move p) (top p) played s.
Proof.
  assert (Turn : forall p c h played, to_move p < players -> represents p played ->
    turn k p c h -> exists i r, i < length all /\ owner i = to_move p /\ ~ In i played
      /\ c = card_of i /\ h = map card_of r /\ Permutation (left_of played (owner i)) (i :: r)).
  { intros p c h played Lw [_ R] [P _]. specialize (R (to_move p)).
    assert (Q : Permutation (map card_of (left_of played (to_move p))) (c :: h)).
    { eapply Permutation_trans; [apply Permutation_sym; exact R|exact P]. }
    apply Permutation_sym, Permutation_map_inv in Q. destruct Q as [l [E Q]].
    destruct l as [|i r]; [discriminate|]. injection E as -> ->. exists i, r.
    assert (I : In i (left_of played (to_move p))).
    { apply (Permutation_in _ (Permutation_sym Q)). simpl. auto. }
    apply left_of_spec in I. destruct I as [L [O N]]. rewrite O. repeat split; auto. }
  induction 1 as [p c Z T|p c h T Ne G IH|p No G IH]; intros played Lw R.
  - destruct (Turn p c [] played Lw R T) as [i [r [L [O [N [-> [E P]]]]]]].
    destruct r; [|discriminate]. exists [i]. rewrite Z in *. apply line_end; auto.
    + apply T.
    + intros j Lj Oj. destruct (in_dec Nat.eq_dec j played) as [J|J]; [simpl; auto|].
      assert (I : In j [i]).
      { apply (Permutation_in _ P), left_of_spec. split; auto. split; auto. congruence. }
      destruct I as [<-|[]]. simpl. auto.
  - destruct (Turn p c h played Lw R T) as [i [r [L [O [N [-> [E P]]]]]]].
    destruct (IH (i :: played)) as [s Ln].
    + unfold after. simpl. destruct R as [<- _] in *. unfold next.
      destruct (Nat.eqb_spec (S (to_move p)) (length (hands p))); lia.
    + destruct R as [Lh R]. split; [unfold after; simpl; now rewrite length_update|].
      intros w. unfold after. cbn [hands]. rewrite nth_update by lia.
      eapply Permutation_trans;
        [|apply Permutation_map, Permutation_sym, (left_of_played _ _ _ w P)].
      rewrite O. destruct (w =? to_move p); [rewrite E; apply Permutation_refl|apply R].
    + exists (i :: s). unfold after in Ln. simpl in Ln. destruct R as [Lh R]. rewrite Lh in Ln.
      apply line_turn; auto; [apply T|].
      destruct r as [|j r]; [simpl in E; congruence|]. exists j.
      assert (I : In j (left_of played (owner i))).
      { apply (Permutation_in _ (Permutation_sym P)). simpl. auto. }
      assert (Nd : NoDup (i :: j :: r)).
      { apply (Permutation_NoDup P), NoDup_filter, seq_NoDup. }
      apply left_of_spec in I. destruct I as [Lj [Oj Nj]]. split; auto. split; [congruence|].
      intros [Eq|I]; auto. subst j. inversion Nd as [|? ? Out _]. apply Out. simpl. auto.
  - destruct R as [Lh R]. cbn [to_move top hands] in IH. rewrite Lh in IH.
    destruct (IH played (next_below _ Lw)) as [s Ln]; [split; auto|].
    exists s. apply line_skip; auto. intros j Lj Oj Nj. apply No. unfold hand.
    apply (Permutation_in _ (Permutation_sym (R (to_move p)))), in_map, left_of_spec. auto.
Qed.

(** ** Facts about a line *)

(** The players from [w] up to, but not with, [o]. *)
Fixpoint between (fuel w o : nat) : list nat :=
  match fuel with
  | 0 => []
  | S fuel' => if w =? o then [] else w :: between fuel' (next players w) o
  end.

Definition passed (i j : nat) : list nat := between players (next players (owner i)) (owner j).

Lemma line_cards :
  forall w last played s, line w last played s ->
  NoDup s /\ forall i, In i s -> i < length all /\ ~ In i played.
Proof.
  induction 1 as [last played i L O N F A|w last played i rest L O N F Ex Ln [Nd In']|]; auto.
  - split; [repeat constructor; simpl; auto|]. intros j [<-|[]]. auto.
  - split.
    + constructor; auto. intros I. destruct (In' i I) as [_ Ni]. apply Ni. simpl. auto.
    + intros j [<-|I]; auto. destruct (In' j I) as [Lj Nj]. simpl in Nj. auto.
Qed.

Lemma line_first :
  forall w last played s, line w last played s ->
  exists i rest, s = i :: rest /\ fits k last (card_of i) = true
    /\ forall fuel q, In q (between fuel w (owner i)) ->
       forall j, j < length all -> owner j = q -> ~ In j played -> fits k last (card_of j) = false.
Proof.
  induction 1 as [last played i L O N F A|w last played i rest L O N F Ex Ln _
    |w last played rest No Ln [i [r [-> [F B]]]]].
  - exists i, []. repeat split; auto. intros [|fuel] q I; [destruct I|]. simpl in I. rewrite O in I.
    destruct I.
  - exists i, rest. repeat split; auto. intros [|fuel] q I; [destruct I|]. simpl in I.
    rewrite O, Nat.eqb_refl in I. destruct I.
  - exists i, r. repeat split; auto. intros [|fuel] q I j; [destruct I|]. simpl in I.
    destruct (w =? owner i); [destruct I|]. destruct I as [<-|I]; [apply No|]. now apply (B fuel).
Qed.

Lemma line_steps :
  forall w last played s, line w last played s ->
  forall t i j, nth_error s t = Some i -> nth_error s (S t) = Some j ->
  matches k (card_of i) (card_of j) = true
  /\ forall fuel q, In q (between fuel (next players (owner i)) (owner j)) ->
     forall c, c < length all -> owner c = q -> ~ In c played -> ~ In c (firstn (S t) s) ->
     matches k (card_of i) (card_of c) = false.
Proof.
  induction 1 as [last played a L O N F A|w last played a rest L O N F Ex Ln IH|]; auto.
  - intros [|t] i j _ E; [discriminate|]. destruct t; discriminate.
  - intros [|t] i j Ei Ej.
    + injection Ei as <-. destruct (line_first _ _ _ _ Ln) as [b [r [-> [M B]]]].
      injection Ej as <-. split; [exact M|]. intros fuel q I c Lc Oc Np Nf. rewrite O in I.
      apply (B fuel q I c Lc Oc). simpl in *. tauto.
    + destruct (IH t i j Ei Ej) as [M B]. split; auto. intros fuel q I c Lc Oc Np Nf.
      apply (B fuel q I c Lc Oc).
      * simpl in *. tauto.
      * intros J. apply Nf. rewrite firstn_cons. now right.
Qed.

Lemma line_own :
  forall w last played s, line w last played s ->
  forall i, i < length all -> owner i = 0 -> In i played \/ In i s.
Proof.
  induction 1 as [last played a L O N F A|w last played a rest L O N F Ex Ln IH|]; auto;
    intros i Li Oi.
  - destruct (A i Li Oi); simpl; auto.
  - destruct (IH i Li Oi) as [[<-|I]|I]; simpl; auto.
Qed.

Lemma line_last :
  forall w last played s, line w last played s ->
  forall t i, nth_error s t = Some i -> owner i <> 0 -> S t < length s.
Proof.
  induction 1 as [last played a L O N F A|w last played a rest L O N F Ex Ln IH|]; auto.
  - intros [|t] i E Ne; [injection E as <-; congruence|destruct t; discriminate].
  - intros [|t] i E Ne; simpl in *; [|specialize (IH t i E Ne); lia].
    destruct (line_first _ _ _ _ Ln) as [b [r [-> _]]]. simpl. lia.
Qed.

Lemma line_keeps :
  forall w last played s, line w last played s ->
  forall q, q <> 0 -> (exists j, j < length all /\ owner j = q /\ ~ In j played) ->
  exists j, j < length all /\ owner j = q /\ ~ In j played /\ ~ In j s.
Proof.
  induction 1 as [last played a L O N F A|w last played a rest L O N F Ex Ln IH|]; auto;
    intros q Q [j [Lj [Oj Nj]]].
  - exists j. repeat split; auto. intros [<-|[]]. congruence.
  - destruct (IH q Q) as [c [Lc [Oc [Nc Ns]]]].
    + destruct (Nat.eq_dec w q) as [->|Ne]; auto. exists j. repeat split; auto.
      intros [<-|I]; [congruence|auto].
    + exists c. simpl in *. tauto.
Qed.

(** Each player but the first keeps a card. *)
Lemma line_length :
  forall s last, line 0 last [] s ->
  (forall q, 0 < q < players -> exists j, j < length all /\ owner j = q) ->
  length s + (players - 1) <= length all.
Proof.
  intros s last Ln Held. destruct (line_cards _ _ _ _ Ln) as [Nd In'].
  assert (Kept : forall m, m < players -> exists kept, length kept = m /\ NoDup kept
    /\ forall j, In j kept -> j < length all /\ 0 < owner j <= m /\ ~ In j s).
  { induction m as [|m IH]; intros L.
    - exists []. split; auto. split; [constructor|]. intros j [].
    - destruct IH as [kept [Lk [Nk Ik]]]; [lia|].
      destruct (Held (S m) ltac:(lia)) as [c [Lc Oc]].
      destruct (line_keeps _ _ _ _ Ln (S m) ltac:(lia)) as [j [Lj [Oj [_ Nj]]]].
      { exists c. repeat split; auto. }
      exists (j :: kept). simpl. rewrite Lk. split; auto. split.
      + constructor; auto. intros I. destruct (Ik j I) as [_ [B _]]. lia.
      + intros i [<-|I]; [repeat split; auto; lia|].
        destruct (Ik i I) as [A [B C]]. repeat split; auto; lia. }
  destruct players as [|m] eqn:Pm.
  - rewrite Nat.add_0_r, <- (seq_length (length all) 0). apply NoDup_incl_length; auto.
    intros i I. apply in_seq. destruct (In' i I). lia.
  - destruct (Kept m ltac:(lia)) as [kept [Lk [Nk Ik]]].
    rewrite Nat.sub_succ, Nat.sub_0_r, <- Lk, <- app_length, <- (seq_length (length all) 0).
    apply NoDup_incl_length.
    + clear -Nd Nk Ik. induction Nd as [|i s Out Nd IH]; simpl; auto. constructor.
      * intros I. apply in_app_or in I. destruct I as [I|I]; [contradiction|].
        destruct (Ik i I) as [_ [_ Ni]]. apply Ni. simpl. auto.
      * apply IH. intros j J. destruct (Ik j J) as [A [B C]]. simpl in C. tauto.
    + intros i I. apply in_seq. apply in_app_or in I.
      destruct I as [I|I]; [destruct (In' i I)|destruct (Ik i I)]; lia.
Qed.

Lemma between_below :
  forall fuel q o w, w <= q -> q < o -> o < players -> q - w < fuel -> In q (between fuel w o).
Proof.
  induction fuel as [|fuel IH]; intros q o w A B C D; [lia|]. simpl.
  destruct (Nat.eqb_spec w o) as [E|_]; [lia|].
  destruct (Nat.eq_dec w q) as [->|Ne]; [now left|]. right. apply IH; auto;
    unfold next; destruct (Nat.eqb_spec (S w) players); lia.
Qed.

End Together.

(** ** The cards of hands *)

Fixpoint with_owners (w : nat) (hands : list (list card)) : list (nat * card) :=
  match hands with
  | [] => []
  | h :: rest => map (pair w) h ++ with_owners (S w) rest
  end.

Lemma mapped_filter :
  forall (A B C : Type) (f : B -> C) (p : B -> bool) (g : A -> B) l,
  map f (filter p (map g l)) = map (fun x => f (g x)) (filter (fun x => p (g x)) l).
Proof.
  intros. induction l as [|x l IH]; simpl; auto. destruct (p (g x)); simpl; now rewrite IH.
Qed.

Lemma left_of_all :
  forall all w, map (card_of all) (left_of all [] w)
  = map snd (filter (fun a => fst a =? w) all).
Proof.
  intros all w. unfold left_of, indices, owner, card_of.
  induction all as [|a all IH]; auto. cbn [length]. rewrite <- cons_seq, <- seq_shift.
  cbn [filter nth]. rewrite andb_true_r. cbn [filter].
  assert (E : forall i : bool, map (fun i => snd (nth i (a :: all) (0, [])))
    (if i then 0 :: filter (fun i => (fst (nth i (a :: all) (0, [])) =? w) && negb (member i []))
      (map S (seq 0 (length all)))
    else filter (fun i => (fst (nth i (a :: all) (0, [])) =? w) && negb (member i []))
      (map S (seq 0 (length all))))
    = map snd (if i then a :: filter (fun a => fst a =? w) all
      else filter (fun a => fst a =? w) all)).
  { intros [|]; cbn [map nth]; rewrite mapped_filter; [f_equal|]; exact IH. }
  exact (E (fst a =? w)).
Qed.

Lemma owned_cards :
  forall hands w0 w, map snd (filter (fun a => fst a =? w0 + w) (with_owners w0 hands))
  = nth w hands [].
Proof.
  induction hands as [|h hands IH]; intros w0 w; [destruct w; reflexivity|]. simpl.
  rewrite filter_app, map_app.
  assert (Own : map snd (filter (fun a => fst a =? w0 + w) (map (pair w0) h))
    = if w =? 0 then h else []).
  { destruct (Nat.eqb_spec w 0) as [->|Ne].
    - rewrite Nat.add_0_r. induction h as [|c h IHh]; auto. simpl. rewrite Nat.eqb_refl. simpl.
      now rewrite IHh.
    - induction h as [|c h IHh]; auto. simpl. rewrite (proj2 (Nat.eqb_neq w0 (w0 + w))) by lia.
      exact IHh. }
  rewrite Own. destruct w as [|w].
  - assert (Later : filter (fun a => fst a =? w0 + 0) (with_owners (S w0) hands) = []).
    { clear. assert (G : forall v, w0 < v ->
        filter (fun a => fst a =? w0 + 0) (with_owners v hands) = []).
      { induction hands as [|h hands IH]; intros v L; auto. simpl.
        rewrite filter_app, (IH (S v)) by lia. rewrite app_nil_r.
        induction h as [|c h IHh]; auto. simpl. rewrite (proj2 (Nat.eqb_neq v (w0 + 0))) by lia.
        exact IHh. }
      apply G. lia. }
    rewrite Later. simpl. apply app_nil_r.
  - simpl. rewrite <- (IH (S w0) w). f_equal. f_equal. now rewrite Nat.add_succ_comm.
Qed.

(** Every play is a line. *)
Theorem together_line :
  forall k top hands, hands <> [] -> together k (Position 0 top hands) ->
  exists s, line k (length hands) (with_owners 0 hands) 0 top [] s.
Proof.
  intros k top hands Ne T. apply (play_line k (length hands) (with_owners 0 hands) _ T []).
  - simpl. destruct hands; [congruence|simpl; lia].
  - split; auto. intros w. simpl. rewrite left_of_all.
    pose proof (owned_cards hands 0 w) as E. simpl in E. rewrite E. apply Permutation_refl.
Qed.
