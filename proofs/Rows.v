(** The rows of a bound, and the facts about a play from which they follow.

    A formula about trails has variables for visited hubs, walked and played cards, odd hubs, and
    hubs with two ends.  [facts] says what is known of them if cards are played; [row_of] writes a
    row from its description; and each row that it writes holds if the facts do. *)

From Coq Require Import List Arith ZArith Lia Bool.
From UnoCsp Require Import Rules Trails Bounds Counts.
Import ListNotations.

Inductive var :=
  | Visited (h : hub)
  | Odd (h : hub)
  | Closed (h : hub)
  | Walked (c : nat) (h : hub)
  | Played (c : nat)
  | Added (w : nat).

(** A card of the hand, the pile, or a hub: why a set of hubs has a visited one. *)
Inductive occupant :=
  | At_hub (h : hub)
  | At_card (c : nat).

Inductive description :=
  | Cover (c : nat)
  | Cover_any (c : nat)
  | Visit (c : nat) (h : hub)
  | Play (c : nat) (h : hub)
  | Close (h : hub)
  | Continue (c : nat) (h : hub)
  | Twice (c : nat)
  | Start
  | Start_once
  | Parity (h : hub) (walked : list nat) (odd : bool)
  | Around (hubs : list hub) (cards : list nat) (inside : occupant) (outside : option occupant)
  | Cut (hubs : list hub) (cards : list nat) (inside : occupant) (outside : option occupant)
  | Ends
  | Left_out
  | Costs
  | Too_dear (offers wilds : list nat)
  | End_prices.

(** What is to be refuted: a play in few sequences, of many cards, or at a low cost.

    Cards are numbered: those of the hand, then those that are offered (in a supply), and last the
    card on the pile if there is one.  Universal cards are not among them: those of the hand make
    [sequences] larger, and those that are offered have prices only. *)
Record problem := Problem {
  held : nat;
  prices : list nat;
  wild_prices : list nat;
  pile : bool;
  all_hubs : nat;
  sequences : nat;
  (* The number of cards of the hand that are played at least; without it, all are. *)
  least_played : option nat;
  (* What the offered cards that are used cost at most. *)
  budget : option nat;
  (* What an end at a hub costs, and what all ends do at most. *)
  price : hub -> nat;
  toll : option nat
}.

(** The prices of what is chosen, numbered from [i]. *)
Fixpoint total_price (chosen : nat -> bool) (i : nat) (ps : list nat) : nat :=
  match ps with
  | [] => 0
  | p :: rest => (if chosen i then p else 0) + total_price chosen (S i) rest
  end.

Section Rows.

(** [at_ c] are the hubs of card [c]. *)
Variable at_ : nat -> list hub.
Variable p : problem.

Local Notation r := (sequences p).
Local Notation hubs := (all_hubs p).

Definition drawn : nat := held p + length (prices p).
Definition cards : nat := drawn + (if pile p then 1 else 0).
Definition is_pile (c : nat) : bool := pile p && (c =? drawn).
Definition joins : bool := (1 <? r) || negb (length (wild_prices p) =? 0).
Definition is_free (h : hub) : bool := price p h =? 0.

(** No walked card leaves the set. *)
Definition stays (v : var -> bool) (S : hub -> bool) : Prop :=
  forall c x y, c < drawn -> v (Walked c x) = true -> v (Walked c y) = true -> S x = S y.

(** What the ends of a card cost. *)
Definition ends_price (v : var -> bool) (c : nat) : nat :=
  list_sum (map (fun h => if v (Walked c h) then price p h else 0) (at_ c)).

Record facts (v : var -> bool) : Prop := {
  (* Each played card of the hand has a visited hub, at which it has an end if the hub has a
     price. *)
  covers : forall c, c < held p -> v (Played c) = true ->
    exists h, In h (at_ c) /\ v (Visited h) = true /\ (is_free h = true \/ v (Walked c h) = true);
  (* All cards of the hand are played, or enough of them. *)
  all_played : least_played p = None -> forall c, c < held p -> v (Played c) = true;
  enough : forall n, least_played p = Some n ->
    n <= number (fun c => v (Played c)) (seq 0 (held p));
  (* A card is walked between two of its hubs, or not at all. *)
  walks : forall c, c < drawn -> (forall h, v (Walked c h) = false) \/
    exists x y, x <> y /\ In x (at_ c) /\ In y (at_ c)
      /\ forall h, v (Walked c h) = (h =? x) || (h =? y);
  (* What is walked is played. *)
  plays : forall c h, c < drawn -> v (Walked c h) = true -> v (Played c) = true;
  (* The card on the pile is walked to one of its hubs. *)
  starts : pile p = true ->
    exists x, In x (at_ drawn) /\ forall h, v (Walked drawn h) = (h =? x);
  (* Walked cards lead to visited hubs. *)
  visits : forall c h, c < cards -> v (Walked c h) = true -> v (Visited h) = true;
  (* A hub is odd if an odd number of walked cards is at it. *)
  odds : forall h, v (Odd h) = odd_sum (fun c => v (Walked c h)) (seq 0 cards);
  (* There are two ends for each sequence, one less with a pile. *)
  few_ends : count hubs (fun h => v (Odd h)) + 2 * count hubs (fun h => v (Closed h))
      + (if pile p then 1 else 0)
    <= 2 * (r + number (fun w => v (Added w)) (seq 0 (length (wild_prices p))));
  closes : forall h, v (Closed h) = true -> v (Visited h) = true;
  (* A set of hubs that no walked card leaves has an end, if it has a visited hub. *)
  cuts : forall S, stays v S -> forall h, v (Visited h) = true -> S h = true ->
    exists g, S g = true /\ (v (Odd g) = true \/ v (Closed g) = true);
  (* If there is one sequence, all visited hubs are on one side of such a set. *)
  one_part : joins = false -> forall S, stays v S -> forall g h,
    v (Visited g) = true -> v (Visited h) = true -> S g = S h;
  (* The offered cards that are used can be paid. *)
  affordable : forall b, budget p = Some b ->
    total_price (fun w => v (Added w)) 0 (wild_prices p)
    + total_price (fun c => v (Played c)) (held p) (prices p) <= b;
  (* And so can the ends. *)
  few_prices : forall t, toll p = Some t -> list_sum (map (ends_price v) (seq 0 cards)) <= t
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

(** An offered card is paid for if it is walked. *)
Definition used_var (c : nat) : var :=
  match at_ c with
  | [a; _] => Walked c a
  | _ => Played c
  end.

(** ** The rows *)

Local Notation lit := (literal var).
Definition yes (x : var) : lit := (true, x).
Definition no (x : var) : lit := (false, x).

Definition clause (ls : list lit) : row var := Row var (map (fun l => (1%Z, l)) ls) 1.

Definition is_inside (hs : list hub) (h : hub) : bool := member h hs.

(** The literal that is true if the hub is odd; there is none if it cannot be. *)
Definition odd_literals (h : hub) : list lit :=
  match nearby h with
  | [] => []
  | [c] => [yes (walked_var c h)]
  | _ => [yes (Odd h)]
  end.

(** The literal that is true if the card may be left out and is. *)
Definition unless_played (c : nat) : list lit :=
  match least_played p with
  | Some _ => if c <? held p then [no (Played c)] else []
  | None => []
  end.

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

(** The literals that are true if the occupant's hub is not visited; [None] if it is not there.  A
    card with ends that have a price is on that side of the set itself, so that it leads out if it
    is walked to the other side. *)
Definition excuse (hs : list hub) (cs : list nat) (within : bool) (o : occupant)
    : option (list lit) :=
  match o with
  | At_hub h => if Bool.eqb (is_inside hs h) within then Some [no (Visited h)] else None
  | At_card c =>
      if ((c <? held p) || is_pile c)
         && forallb (fun h => Bool.eqb (is_inside hs h) within) (filter is_free (at_ c))
         && (forallb is_free (at_ c)
             || (existsb is_free (at_ c) && Bool.eqb (member c cs) within))
      then Some (unless_played c) else None
  end.

(** Fewer cards of the hand touch the set than are played. *)
Definition few_touch (hs : list hub) : bool :=
  match least_played p with
  | Some n => number (fun c => existsb (is_inside hs) (at_ c)) (seq 0 (held p)) <? n
  | None => false
  end.

Definition around (hs : list hub) (cs : list nat) (excuses : list lit) : row var :=
  Row var
    (map (fun l => (2%Z, l)) excuses
     ++ map (fun l => (1%Z, l)) (flat_map (leading_out hs cs) (seq 0 cards))
     ++ map (fun l => (1%Z, l)) (flat_map odd_literals hs)
     ++ (if joins then map (fun h => (2%Z, yes (Closed h))) hs else [])) 2.

(** Without parity: some card leads out, or the set has an end. *)
Definition cut_row (hs : list hub) (cs : list nat) (excuses : list lit) : row var :=
  clause (excuses ++ flat_map (leading_out hs cs) (seq 0 cards)
    ++ (if joins then flat_map odd_literals hs ++ map (fun h => yes (Closed h)) hs else [])).

(** The excuses of both sides; the outside counts if there is one sequence only, and if all cards
    that are played may touch the set. *)
Definition excuses (hs : list hub) (cs : list nat) (inside : occupant)
    (outside : option occupant) : option (list lit) :=
  match excuse hs cs true inside with
  | None => None
  | Some ins =>
      if joins || few_touch hs then Some ins else
      match outside with
      | None => None
      | Some o => option_map (app ins) (excuse hs cs false o)
      end
  end.

(** Weighted literals for numbered prices. *)
Definition priced (of : nat -> var) (i : nat) (ps : list nat) : list (Z * lit) :=
  map (fun ip => (- Z.of_nat (snd ip), yes (of (fst ip))))%Z (combine (seq i (length ps)) ps).

Definition ends_of (c : nat) : list (Z * lit) :=
  map (fun h => (- Z.of_nat (price p h), yes (walked_var c h)))%Z
    (if walkable c then at_ c else []).

Definition row_of (d : description) : option (row var) :=
  match d with
  | Cover c =>
      if c <? held p
      then Some (clause (unless_played c
        ++ map (fun h => yes (if is_free h then Visited h else walked_var c h)) (at_ c)))
      else None
  | Cover_any c =>
      if c <? held p
      then Some (clause (unless_played c ++ map (fun h => yes (Visited h)) (at_ c))) else None
  | Visit c h =>
      if (c <? cards) && member h (at_ c)
      then Some (clause [no (walked_var c h); yes (Visited h)]) else None
  | Play c h =>
      if (c <? drawn) && member h (at_ c)
      then Some (clause [no (walked_var c h); yes (Played c)]) else None
  | Close h => Some (clause [no (Closed h); yes (Visited h)])
  | Continue c h =>
      if (c <? drawn) && member h (at_ c)
      then Some (clause (no (Walked c h) ::
        map (fun g => yes (Walked c g)) (filter (fun g => negb (g =? h)) (at_ c))))
      else None
  | Twice c =>
      if (c <? drawn) && no_twice (at_ c)
      then Some (Row var (map (fun h => ((-1)%Z, yes (Walked c h))) (at_ c)) (-2)) else None
  | Start =>
      if pile p then Some (clause (map (fun h => yes (Walked drawn h)) (at_ drawn))) else None
  | Start_once =>
      if pile p && no_twice (at_ drawn)
      then Some (Row var (map (fun h => ((-1)%Z, yes (Walked drawn h))) (at_ drawn)) (-1))
      else None
  | Parity h walked odd =>
      if no_twice walked && forallb (fun c => member c (nearby h)) walked
         && xorb (Nat.odd (length walked)) odd
      then Some (clause ((negb odd, odd_var h) ::
        map (fun c => (negb (member c walked), walked_var c h)) (nearby h)))
      else None
  | Around hs cs inside outside =>
      if no_twice hs && forallb (fun c => (c <? drawn) && no_twice (at_ c)) cs
         && forallb (fun c => no_twice (at_ c)) (seq 0 cards)
      then option_map (around hs cs) (excuses hs cs inside outside)
      else None
  | Cut hs cs inside outside =>
      if no_twice hs && forallb (fun c => no_twice (at_ c)) (seq 0 cards)
      then option_map (cut_row hs cs) (excuses hs cs inside outside)
      else None
  | Ends =>
      let w := length (wild_prices p) in
      Some (Row var (map (fun l => ((-1)%Z, l)) (flat_map odd_literals (seq 0 hubs))
        ++ map (fun h => ((-2)%Z, yes (Closed h))) (seq 0 hubs)
        ++ map (fun a => ((-2)%Z, no (Added a))) (seq 0 w))
        (Z.of_nat (if pile p then 1 else 0) - Z.of_nat (2 * (r + w))))
  | Left_out =>
      match least_played p with
      | Some n =>
          Some (Row var (map (fun c => ((-1)%Z, no (Played c))) (seq 0 (held p)))
            (Z.of_nat n - Z.of_nat (held p)))
      | None => None
      end
  | Costs =>
      match budget p with
      | Some b =>
          Some (Row var (priced Added 0 (wild_prices p) ++ priced used_var (held p) (prices p))
            (- Z.of_nat b))
      | None => None
      end
  | Too_dear cs ws =>
      match budget p with
      | Some b =>
          if (b <? total_price (fun w => member w ws) 0 (wild_prices p)
              + total_price (fun c => member c cs) (held p) (prices p))
             && forallb (fun c => c <? drawn) cs
          then Some (clause (map (fun w => no (Added w)) ws ++ map (fun c => no (used_var c)) cs))
          else None
      | None => None
      end
  | End_prices =>
      match toll p with
      | Some t => Some (Row var (flat_map ends_of (seq 0 cards)) (- Z.of_nat t))
      | None => None
      end
  end.

End Rows.

Arguments covers {at_ p v} _.
Arguments all_played {at_ p v} _.
Arguments enough {at_ p v} _.
Arguments walks {at_ p v} _.
Arguments plays {at_ p v} _.
Arguments starts {at_ p v} _.
Arguments visits {at_ p v} _.
Arguments odds {at_ p v} _.
Arguments few_ends {at_ p v} _.
Arguments closes {at_ p v} _.
Arguments cuts {at_ p v} _.
Arguments one_part {at_ p v} _.
Arguments affordable {at_ p v} _.
Arguments few_prices {at_ p v} _.
