(** The rows of a bound, and the facts about a play from which they follow.

    A formula about trails has variables for visited hubs, walked cards, odd hubs, and hubs with two
    ends.  [facts] says what is known of them if the cards are played; [row_of] writes a row from
    its description; and each row that it writes holds if the facts do. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts.
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

End Rows.

Arguments covers {at_ held pile hubs r v} _.
Arguments walks {at_ held pile hubs r v} _.
Arguments starts {at_ held pile hubs r v} _.
Arguments visits {at_ held pile hubs r v} _.
Arguments odds {at_ held pile hubs r v} _.
Arguments few_ends {at_ held pile hubs r v} _.
Arguments closes {at_ held pile hubs r v} _.
Arguments cuts {at_ held pile hubs r v} _.
Arguments one_part {at_ held pile hubs r v} _.
