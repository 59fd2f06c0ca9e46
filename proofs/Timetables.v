(** The timetable of a cooperative play, which card is laid at which step, as clauses; and the check
    of lemmas from them down to a contradiction. *)

From Coq Require Import List Arith PArith FMapPositive Lia Bool.
From UnoCsp Require Import Rules Strategies Bounds Counts Rows Propagation Together.
Import ListNotations.

(** What a variable says: that a card is laid at a step, that some card is, that a card is never
    laid, that a player is skipped after a step, that a card is laid at a step or before, that one
    of the first [n] cards is laid at a step, or a card at one of the first [n] steps. *)
Inductive event :=
  | Laid (t i : nat)
  | Full (t : nat)
  | Keeps (i : nat)
  | Skipped (t w : nat)
  | Before (t i : nat)
  | Some_card (t n : nat)
  | Some_step (i n : nat).

Definition same_event (a b : event) : bool :=
  match a, b with
  | Laid t i, Laid u j | Skipped t i, Skipped u j | Before t i, Before u j
  | Some_card t i, Some_card u j | Some_step t i, Some_step u j => (t =? u) && (i =? j)
  | Full t, Full u | Keeps t, Keeps u => t =? u
  | _, _ => false
  end.

Lemma same_event_spec : forall a b, same_event a b = true -> a = b.
Proof.
  intros [] [] E; simpl in E; try discriminate;
    repeat (apply andb_true_iff in E; destruct E as [E ?]);
    repeat match goal with H : (_ =? _) = true |- _ => apply Nat.eqb_eq in H end; now subst.
Qed.

Section Timetable.

Variable k players : nat.
Variable all : list (nat * card).
Variable start : option card.

Local Notation owner := (Together.owner all).
Local Notation card_of := (Together.card_of all).
Local Notation indices := (Together.indices all).
Local Notation passed := (Together.passed players all).
Local Notation clause := (list (bool * event)).

(** Each player but the first keeps a card. *)
Definition steps : list nat := seq 0 (length all - (players - 1)).

(** ** The clauses *)

(** One of the events that [row] lists, or none; [some n] says that one of the first [n] is true. *)
Definition once (row some : nat -> event) (count : nat) : list clause :=
  flat_map (fun n => [
    [(false, row n); (true, some (S n))];
    [(false, some n); (true, some (S n))];
    [(false, some n); (false, row n)]]) (seq 0 count).

Definition one_each : list clause :=
  map (fun t => (false, Full t) :: map (fun i => (true, Laid t i)) indices) steps
  ++ flat_map (fun t => map (fun i => [(false, Laid t i); (true, Full t)]) indices) steps
  ++ flat_map (fun t => once (Laid t) (Some_card t) (length all)) steps
  ++ flat_map (fun i => once (fun t => Laid t i) (Some_step i) (length steps)) indices
  ++ map (fun t => [(true, Full t); (false, Full (S t))]) steps.

(** A card that does not fit at the start, or that a player has before whom another one can play. *)
Definition not_first (i : nat) : bool :=
  negb (fits k start (card_of i))
  || existsb (fun j => (owner j <? owner i) && fits k start (card_of j)) indices.

Definition all_match : list clause :=
  map (fun i => [(false, Laid 0 i)]) (filter not_first indices)
  ++ flat_map (fun t => flat_map (fun i => flat_map (fun j =>
       if matches k (card_of i) (card_of j) then []
       else [[(false, Laid t i); (false, Laid (S t) j)]]) indices) indices) steps.

Definition of_others : list nat := filter (fun i => negb (owner i =? 0)) indices.

Definition in_the_end : list clause :=
  map (fun i => map (fun t => (true, Laid t i)) steps) (filter (fun i => owner i =? 0) indices)
  ++ flat_map (fun t => map (fun i => [(false, Laid t i); (true, Full (S t))]) of_others) steps
  ++ map (fun i => [(false, Laid (pred (length steps)) i)]) of_others
  ++ flat_map (fun t => map (fun i => [(false, Keeps i); (false, Laid t i)]) of_others) steps
  ++ map (fun w => map (fun i => (true, Keeps i)) (filter (fun i => owner i =? w) indices))
       (seq 1 (players - 1)).

Definition was_before (t i : nat) : clause :=
  match t with
  | 0 => []
  | S u => [(true, Before u i)]
  end.

Definition turns : list clause :=
  flat_map (fun t => flat_map (fun i => flat_map (fun j =>
    if matches k (card_of i) (card_of j) && negb (i =? j)
    then ([(false, Skipped t (owner j)); (false, Laid t i)] ++ was_before t j)
      :: map (fun w => [(false, Laid t i); (false, Laid (S t) j); (true, Skipped t w)]) (passed i j)
    else []) indices) indices) steps
  ++ flat_map (fun t =>
       map (fun i => (false, Before t i) :: was_before t i ++ [(true, Laid t i)]) indices) steps.

Definition timetable : list clause := one_each ++ all_match ++ in_the_end ++ turns.

(** ** They hold *)

Variable s : list nat.
Hypothesis Line : line k players all 0 start [] s.
Hypothesis Held : forall w, 0 < w < players -> exists j, j < length all /\ owner j = w.
Hypothesis Some_players : 0 < players.
Hypothesis Owners : forall i, i < length all -> owner i < players.

Definition laid (t i : nat) : bool :=
  match nth_error s t with
  | Some j => j =? i
  | None => false
  end.

Definition happens (e : event) : bool :=
  match e with
  | Laid t i => laid t i
  | Full t => t <? length s
  | Keeps i => negb (member i s)
  | Skipped t w =>
      match nth_error s t, nth_error s (S t) with
      | Some i, Some j => member w (passed i j)
      | _, _ => false
      end
  | Before t i => member i (firstn (S t) s)
  | Some_card t n => existsb (laid t) (seq 0 n)
  | Some_step i n => existsb (fun t => laid t i) (seq 0 n)
  end.

Definition right (l : bool * event) : bool := Bool.eqb (happens (snd l)) (fst l).
Definition holds (c : clause) : Prop := existsb right c = true.

Lemma laid_spec : forall t i, laid t i = true <-> nth_error s t = Some i.
Proof.
  intros t i. unfold laid. destruct (nth_error s t) as [j|].
  - rewrite Nat.eqb_eq. split; congruence.
  - split; discriminate.
Qed.

Lemma laid_false : forall t i, nth_error s t <> Some i -> laid t i = false.
Proof. intros t i N. apply not_true_iff_false. now rewrite laid_spec. Qed.

Lemma laid_card : forall t i, nth_error s t = Some i -> i < length all.
Proof. intros t i E. apply (line_cards _ _ _ _ _ _ _ Line). now apply nth_error_In in E. Qed.

Lemma few_steps : length s <= length steps.
Proof.
  unfold steps. rewrite seq_length.
  pose proof (line_length k players all s start Line Held). lia.
Qed.

Lemma in_steps : forall t, t < length s -> In t steps.
Proof.
  intros t L. pose proof few_steps as F. unfold steps in *. rewrite seq_length in F.
  apply in_seq. lia.
Qed.

Lemma in_indices : forall i, In i indices <-> i < length all.
Proof. intros i. unfold indices. rewrite in_seq. lia. Qed.

(** A clause holds if not all of its literals are wrong. *)
Lemma one_right : forall c l, In l c -> happens (snd l) = fst l -> holds c.
Proof.
  intros c l I E. apply existsb_exists. exists l. split; auto. unfold right. rewrite E.
  apply eqb_reflx.
Qed.

Lemma once_holds :
  forall row some count,
  (forall n, happens (some n) = existsb (fun j => happens (row j)) (seq 0 n)) ->
  (forall i j, i < j -> happens (row i) = true -> happens (row j) = true -> False) ->
  Forall holds (once row some count).
Proof.
  intros row some count Is Once. apply Forall_forall. intros c I. apply in_flat_map in I.
  destruct I as [n [_ I]]. unfold holds.
  assert (Next : happens (some (S n)) = happens (some n) || happens (row n)).
  { rewrite !Is, seq_S, existsb_app. simpl. now rewrite orb_false_r. }
  assert (Not : happens (some n) = true -> happens (row n) = true -> False).
  { intros A B. rewrite Is in A. apply existsb_exists in A. destruct A as [j [J A]].
    apply in_seq in J. apply (Once j n); auto. lia. }
  destruct I as [<-|[<-|[<-|[]]]]; unfold right; cbn [existsb fst snd]; rewrite ?Next;
    destruct (happens (some n)), (happens (row n)); auto; exfalso; auto.
Qed.

Lemma one_each_holds : Forall holds one_each.
Proof.
  destruct (line_cards _ _ _ _ _ _ _ Line) as [Nd _].
  unfold one_each. repeat (apply Forall_app; split); apply Forall_forall; intros c I.
  - apply in_map_iff in I. destruct I as [t [<- T]].
    destruct (nth_error s t) as [i|] eqn:E.
    + apply (one_right _ (true, Laid t i)); [|now apply laid_spec]. right. apply in_map_iff.
      exists i. split; auto. apply in_indices. now apply (laid_card t).
    + apply (one_right _ (false, Full t)); [now left|]. apply nth_error_None in E.
      now apply Nat.ltb_ge.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_map_iff in I.
    destruct I as [i [<- I]]. destruct (laid t i) eqn:L.
    + apply (one_right _ (true, Full t)); [simpl; auto|]. apply laid_spec in L. apply Nat.ltb_lt.
      apply nth_error_Some. congruence.
    + apply (one_right _ (false, Laid t i)); simpl; auto.
  - apply in_flat_map in I. destruct I as [t [T I]]. revert c I. apply Forall_forall.
    apply once_holds; auto. intros i j L A B. apply laid_spec in A, B. assert (i = j) by congruence.
    lia.
  - apply in_flat_map in I. destruct I as [i [J I]]. revert c I. apply Forall_forall.
    apply once_holds; auto. intros t u L A B. apply laid_spec in A, B.
    assert (t = u); [|lia]. apply (proj1 (NoDup_nth_error s) Nd); [|congruence].
    apply nth_error_Some. congruence.
  - apply in_map_iff in I. destruct I as [t [<- T]]. unfold holds, right.
    cbn [existsb fst snd happens].
    destruct (Nat.ltb_spec t (length s)), (Nat.ltb_spec (S t) (length s)); auto. lia.
Qed.

Lemma all_match_holds : Forall holds all_match.
Proof.
  unfold all_match. apply Forall_app. split; apply Forall_forall; intros c I.
  - apply in_map_iff in I. destruct I as [i [<- I]]. apply filter_In in I. destruct I as [_ N].
    apply (one_right _ (false, Laid 0 i)); [now left|]. apply laid_false. intros E.
    destruct (line_first _ _ _ _ _ _ _ Line) as [j [rest [Es [F B]]]]. rewrite Es in E.
    injection E as ->. apply orb_true_iff in N. rewrite F in N.
    destruct N as [N|N]; [discriminate|].
    apply existsb_exists in N. destruct N as [j [J N]]. apply andb_true_iff in N.
    destruct N as [L G]. apply Nat.ltb_lt in L. apply in_indices in J.
    assert (Li : i < length all) by (apply (laid_card 0); now rewrite Es).
    pose proof (Owners i Li) as O.
    rewrite (B players (owner j)) in G; auto; [discriminate|].
    apply between_below; lia.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_flat_map in I.
    destruct I as [i [Ii I]]. apply in_flat_map in I. destruct I as [j [Ij I]].
    destruct (matches k (card_of i) (card_of j)) eqn:M; [destruct I|]. destruct I as [<-|[]].
    destruct (laid t i) eqn:L; [|apply (one_right _ (false, Laid t i)); simpl; auto].
    apply (one_right _ (false, Laid (S t) j)); [simpl; auto|]. apply laid_false. intros E.
    apply laid_spec in L. destruct (line_steps _ _ _ _ _ _ _ Line t i j L E) as [M' _]. congruence.
Qed.

Lemma in_the_end_holds : Forall holds in_the_end.
Proof.
  assert (Other : forall i, In i of_others -> i < length all /\ owner i <> 0).
  { intros i I. apply filter_In in I. destruct I as [I N]. split; [now apply in_indices|].
    now apply negb_true_iff, Nat.eqb_neq in N. }
  unfold in_the_end. repeat (apply Forall_app; split); apply Forall_forall; intros c I.
  - apply in_map_iff in I. destruct I as [i [<- I]]. apply filter_In in I. destruct I as [I O].
    apply Nat.eqb_eq in O. apply in_indices in I.
    destruct (line_own _ _ _ _ _ _ _ Line i I O) as [[]|J].
    apply In_nth_error in J. destruct J as [t E].
    apply (one_right _ (true, Laid t i)); [|now apply laid_spec].
    apply in_map_iff. exists t. split; auto. apply in_steps, nth_error_Some. congruence.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_map_iff in I.
    destruct I as [i [<- I]]. destruct (laid t i) eqn:L.
    + apply (one_right _ (true, Full (S t))); [simpl; auto|]. apply laid_spec in L.
      apply Nat.ltb_lt. now apply (line_last _ _ _ _ _ _ _ Line t i L), Other.
    + apply (one_right _ (false, Laid t i)); simpl; auto.
  - apply in_map_iff in I. destruct I as [i [<- I]].
    apply (one_right _ (false, Laid (pred (length steps)) i)); [now left|]. apply laid_false.
    intros E. apply (line_last _ _ _ _ _ _ _ Line _ i) in E; [|now apply Other].
    pose proof few_steps. lia.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_map_iff in I.
    destruct I as [i [<- I]]. destruct (laid t i) eqn:L.
    + apply (one_right _ (false, Keeps i)); [simpl; auto|]. apply laid_spec, nth_error_In in L.
      apply negb_false_iff. now apply member_spec.
    + apply (one_right _ (false, Laid t i)); simpl; auto.
  - apply in_map_iff in I. destruct I as [w [<- W]]. apply in_seq in W.
    destruct (Held w ltac:(lia)) as [j0 [L0 O0]].
    destruct (line_keeps _ _ _ _ _ _ _ Line w ltac:(lia)) as [j [L [O [_ N]]]]; eauto.
    apply (one_right _ (true, Keeps j)).
    + apply in_map_iff. exists j. split; auto. apply filter_In. split; [now apply in_indices|].
      now apply Nat.eqb_eq.
    + apply negb_true_iff, not_true_iff_false. now rewrite member_spec.
Qed.

Lemma was_before_right :
  forall t j, In j (firstn t s) -> exists l, In l (was_before t j) /\ happens (snd l) = fst l.
Proof.
  intros [|u] j I; [destruct I|]. exists (true, Before u j). split; [now left|].
  now apply member_spec.
Qed.

Lemma firstn_with_next :
  forall t i, nth_error s t = Some i -> firstn (S t) s = firstn t s ++ [i].
Proof.
  intros t. generalize s. induction t as [|t IH]; intros [|c l] i E; try discriminate.
  - now injection E as ->.
  - cbn [firstn app]. f_equal. now apply IH.
Qed.

Lemma turns_hold : Forall holds turns.
Proof.
  unfold turns. apply Forall_app. split; apply Forall_forall; intros c I.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_flat_map in I.
    destruct I as [i [Ii I]]. apply in_flat_map in I. destruct I as [j [Ij I]].
    destruct (matches k (card_of i) (card_of j)) eqn:M; [|destruct I].
    destruct (Nat.eqb_spec i j) as [|Ne]; [destruct I|]. cbn [andb negb] in I.
    destruct (laid t i) eqn:L.
    2: { apply (one_right _ (false, Laid t i)); auto. destruct I as [<-|I]; [simpl; auto|].
         apply in_map_iff in I. destruct I as [w [<- _]]. simpl. auto. }
    apply laid_spec in L. destruct I as [<-|I].
    + destruct (happens (Skipped t (owner j))) eqn:Sk;
        [|apply (one_right _ (false, Skipped t (owner j))); simpl; auto].
      cbn [happens] in Sk. rewrite L in Sk. destruct (nth_error s (S t)) as [a|] eqn:E;
        [|discriminate]. apply member_spec in Sk.
      destruct (line_steps _ _ _ _ _ _ _ Line t i a L E) as [_ B].
      destruct (in_dec Nat.eq_dec j (firstn (S t) s)) as [J|J].
      * rewrite (firstn_with_next t i L) in J. apply in_app_or in J.
        destruct J as [J|[J|[]]]; [|congruence].
        destruct (was_before_right t j J) as [l [Il Hl]]. apply (one_right _ l); auto.
        apply in_or_app. auto.
      * apply in_indices in Ij.
        rewrite (B players (owner j) Sk j Ij eq_refl (fun x => x) J) in M. discriminate.
    + apply in_map_iff in I. destruct I as [w [<- W]].
      destruct (laid (S t) j) eqn:L'; [|apply (one_right _ (false, Laid (S t) j)); simpl; auto].
      apply laid_spec in L'. apply (one_right _ (true, Skipped t w)); [simpl; auto|].
      cbn [happens snd fst]. rewrite L, L'. now apply member_spec.
  - apply in_flat_map in I. destruct I as [t [T I]]. apply in_map_iff in I.
    destruct I as [i [<- I]]. destruct (happens (Before t i)) eqn:B;
      [|apply (one_right _ (false, Before t i)); simpl; auto].
    cbn [happens] in B. apply member_spec in B. destruct (nth_error s t) as [j|] eqn:E.
    + rewrite (firstn_with_next t j E) in B. apply in_app_or in B. destruct B as [B|[->|[]]].
      * destruct (was_before_right t i B) as [l [Il Hl]]. apply (one_right _ l); auto.
        right. apply in_or_app. auto.
      * apply (one_right _ (true, Laid t i)); [|now apply laid_spec].
        right. apply in_or_app. simpl. auto.
    + apply nth_error_None in E. rewrite firstn_all2 in B by lia.
      destruct (was_before_right t i) as [l [Il Hl]]; [now rewrite firstn_all2 by lia|].
      apply (one_right _ l); auto. right. apply in_or_app. auto.
Qed.

Theorem timetable_holds : Forall holds timetable.
Proof.
  unfold timetable. apply Forall_app. split; [exact one_each_holds|].
  apply Forall_app. split; [exact all_match_holds|].
  apply Forall_app. split; [exact in_the_end_holds|exact turns_hold].
Qed.

End Timetable.

(** ** The check *)

Section Check.

(** The variable of an event, and back; nothing is believed of them. *)
Variable variable : event -> option positive.
Variable meaning : positive -> option event.

Definition number_literal (l : bool * event) : option (literal positive) :=
  match variable (snd l) with
  | Some x =>
      match meaning x with
      | Some e => if same_event e (snd l) then Some (fst l, x) else None
      | None => None
      end
  | None => None
  end.

Fixpoint number_clause (c : list (bool * event)) : option (list (literal positive)) :=
  match c with
  | [] => Some []
  | l :: rest =>
      match number_literal l, number_clause rest with
      | Some x, Some xs => Some (x :: xs)
      | _, _ => None
      end
  end.

(** The clauses all of whose events have variables. *)
Definition timetable_clauses (k : nat) (start : option card) (hands : list (list card))
    : list (list (literal positive)) :=
  flat_map (fun c => match number_clause c with Some ls => [ls] | None => [] end)
    (timetable k (length hands) (with_owners 0 hands) start).

Fixpoint labelled (label : positive) (cs : list (list (literal positive))) (m : clauses)
    : clauses :=
  match cs with
  | [] => m
  | c :: rest => labelled (Pos.succ label) rest (PositiveMap.add label c m)
  end.

Definition check_timetable (k : nat) (start : option card) (hands : list (list card))
    (lemmas : list derived) : bool :=
  match hands with
  | [] => false
  | _ => forallb (fun h => match h with [] => false | _ => true end) hands
  end
  && derives_false (labelled 1 (timetable_clauses k start hands)
       (PositiveMap.empty (list (literal positive)))) lemmas.

Lemma labelled_in :
  forall cs label m n c, PositiveMap.find n (labelled label cs m) = Some c ->
  In c cs \/ PositiveMap.find n m = Some c.
Proof.
  induction cs as [|d cs IH]; intros label m n c F; [now right|]. simpl in F.
  apply IH in F. destruct F as [F|F]; [left; now right|].
  rewrite find_add in F. destruct (Pos.eqb n label); [|now right].
  injection F as <-. left. now left.
Qed.

End Check.

Lemma owners_of :
  forall hands w i, i < length (with_owners w hands) ->
  w <= owner (with_owners w hands) i < w + length hands.
Proof.
  assert (In_range : forall hands w a, In a (with_owners w hands) ->
    w <= fst a < w + length hands).
  { induction hands as [|h hands IH]; intros w a I; [destruct I|]. simpl in *.
    apply in_app_or in I. destruct I as [I|I].
    - apply in_map_iff in I. destruct I as [c [<- _]]. simpl. lia.
    - specialize (IH (S w) a I). lia. }
  intros hands w i L. unfold owner. now apply In_range, nth_In.
Qed.

Lemma cards_of_owner :
  forall hands w q, nth q hands [] <> [] ->
  exists j, j < length (with_owners w hands) /\ owner (with_owners w hands) j = w + q.
Proof.
  intros hands w q Ne. pose proof (owned_cards hands w q) as E.
  destruct (filter (fun a => fst a =? w + q) (with_owners w hands)) as [|a l] eqn:F.
  - simpl in E. congruence.
  - assert (I : In a (filter (fun a => fst a =? w + q) (with_owners w hands))).
    { rewrite F. now left. }
    apply filter_In in I. destruct I as [I Q]. apply Nat.eqb_eq in Q.
    destruct (In_nth _ _ (0, []) I) as [j [L J]]. exists j. split; auto.
    exact (eq_trans (f_equal fst J) Q).
Qed.

Theorem check_timetable_sound :
  forall variable meaning k start hands lemmas,
  check_timetable variable meaning k start hands lemmas = true ->
  ~ together k (Position 0 start hands).
Proof.
  intros variable meaning k start hands lemmas E T. unfold check_timetable in E.
  apply andb_true_iff in E. destruct E as [Full D].
  destruct hands as [|h0 hands0] eqn:Eh; [discriminate|]. rewrite <- Eh in *.
  destruct (together_line k start hands) as [s Ln]; [congruence|exact T|].
  set (all := with_owners 0 hands) in *.
  assert (Pos : 0 < length hands) by (rewrite Eh; simpl; lia).
  assert (Held : forall w, 0 < w < length hands ->
    exists j, j < length all /\ Together.owner all j = w).
  { intros w [_ W]. apply (cards_of_owner hands 0 w). rewrite forallb_forall in Full.
    specialize (Full (nth w hands []) (nth_In hands [] W)).
    destruct (nth w hands []); [discriminate|congruence]. }
  pose proof (timetable_holds k (length hands) all start s Ln Held Pos
    (fun i L => proj2 (owners_of hands 0 i L))) as H.
  rewrite Forall_forall in H.
  set (v := fun x => match meaning x with
    | Some e => happens (length hands) all s e | None => false end).
  apply (derives_false_sound v _ _ D). intros n c F. apply labelled_in in F.
  destruct F as [F|F]; [|rewrite PositiveMap.gempty in F; discriminate].
  apply in_flat_map in F. destruct F as [d [I F]]. specialize (H d I).
  destruct (number_clause variable meaning d) as [ls|] eqn:N; [|destruct F].
  destruct F as [<-|[]]. clear -H N. unfold holds in H. revert ls N.
  induction d as [|l d IH]; intros ls N; [discriminate|]. simpl in N, H.
  destruct (number_literal variable meaning l) as [x|] eqn:X; [|discriminate].
  destruct (number_clause variable meaning d) as [xs|]; [|discriminate]. injection N as <-.
  apply orb_true_iff in H. unfold clause_true. simpl. apply orb_true_iff.
  destruct H as [H|H]; [left|right; now apply IH].
  unfold number_literal in X. destruct (variable (snd l)) as [y|]; [|discriminate].
  destruct (meaning y) as [e|] eqn:Me; [|discriminate].
  destruct (same_event e (snd l)) eqn:Sa; [|discriminate]. injection X as <-.
  apply same_event_spec in Sa. subst e. unfold is_true, v. simpl. now rewrite Me.
Qed.
