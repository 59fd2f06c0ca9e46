(* Check certificates of games with open cards. *)

open Json
open Question
open Evidence

let most_positions = 3_000_000
let strategy_file = "strategy.jsonl"

let check_pairs question pairs =
  let first, second = match question.hands with
    | [first; second] -> (Array.of_list first, Array.of_list second)
    | _ -> raise (Refused "pairs are for two players") in
  require (not question.emptied_wins) "pairs are for the convention last-mover";
  let indexed = List.map (fun pair -> match indices pair with
    | [i; j] when i >= 0 && j >= 0 && i < Array.length first && j < Array.length second -> (i, j)
    | _ -> raise (Refused "a pair")) (list pairs) in
  let others all used =
    let is_used = Array.make (Array.length all) false in
    List.iter (fun i -> is_used.(i) <- true) used;
    List.filteri (fun i _ -> not is_used.(i)) (Array.to_list all) in
  let ps = List.map (fun (i, j) -> (first.(i), second.(j))) indexed in
  let alone = others first (List.map fst indexed) in
  let spare = others second (List.map snd indexed) in
  require
    (Proved.check_pairs question.at_least question.after (Array.to_list first)
       (Array.to_list second) ps alone spare) "the pairs"

module Cards = Set.Make (struct type t = card let compare = compare end)

(* The cards without the copies, in the order in which they come first. *)
let distinct cards =
  let keep (seen, kept) c =
    if Cards.mem c seen then (seen, kept) else (Cards.add c seen, c :: kept) in
  List.rev (snd (List.fold_left keep (Cards.empty, []) cards))

let first_key question kinds =
  Proved.key_of kinds { Proved.to_move = 0; top = question.after; hands = question.hands }

let accept question kinds plays found =
  let count = List.length found in
  if count > most_positions then raise (Not_handled "that many positions");
  let parts = Array.make (1 + int_of_float (sqrt (float_of_int count))) [] in
  let place x = Hashtbl.hash_param 1000 1000 x mod Array.length parts in
  List.iter (fun x -> parts.(place x) <- x :: parts.(place x)) found;
  require
    (Proved.check_strategy question.at_least question.emptied_wins question.after question.hands
       kinds (Hashtbl.find_opt plays) place (Array.to_list parts)) "the strategy"

(* Follow a strategy; the positions reached are those that the proved checker is given. [answer]
   gets a position and returns the card that is played there. The position reached last is visited
   first, and player 1 plays the cards in the order dealt. *)
let follow question kinds answer =
  let plays = Hashtbl.create 1024 and seen = Hashtbl.create 1024 in
  let own = distinct (List.hd question.hands) and found = ref [] in
  let start = first_key question kinds in
  let waiting = Stack.create () in
  let size = List.length kinds * List.length question.hands in
  Stack.push start waiting;
  Hashtbl.add seen start ();
  while not (Stack.is_empty waiting) do
    let x = Stack.pop waiting in
    found := x :: !found;
    let (who, _), _ = x in
    let cards =
      if who = 0 then own
      else match answer x with
        | Some c -> Hashtbl.replace plays x c; [c]
        | None -> raise (Refused "the strategy: no card") in
    List.iter (fun c ->
      spend (20 + 10 * size);
      match Proved.turn_of question.at_least kinds x c with
      | Some (emptied, y) ->
          if not (question.emptied_wins && emptied) && not (Hashtbl.mem seen y) then begin
            Hashtbl.add seen y ();
            Stack.push y waiting
          end
      | None -> ()) cards
  done;
  accept question kinds plays !found

let check_positions question positions =
  let kinds = distinct (List.concat question.hands) in
  let plays = Hashtbl.create 1024 in
  List.iter (fun position ->
    let at = match position with Object found -> found | _ -> raise (Malformed "a position") in
    let last = Option.map card (get "last" at) in
    let who = number (field "player" at) - 1 in
    let hands = List.map cards (list (field "hands" at)) in
    (* Keys count the cards of the question only, so a position with others is of no use. *)
    if List.for_all (List.for_all (fun c -> List.mem c kinds)) hands then
      Hashtbl.replace plays
        (Proved.key_of kinds { Proved.to_move = who; top = last; hands })
        (card (field "play" at))) (list positions);
  follow question kinds (Hashtbl.find_opt plays)

let check_lines question folder =
  let file = open_in_bin (Filename.concat folder strategy_file) in
  let next () = match input_line file with
    | line -> Some (card (parse line))
    | exception End_of_file -> None in
  follow question (distinct (List.concat question.hands)) (fun _ -> next ());
  require (next () = None) "the strategy: more lines than positions"

let event value = match list value with
  | [String "laid"; t; i] -> Proved.Laid (number t, number i)
  | [String "full"; t] -> Proved.Full (number t)
  | [String "keeps"; i] -> Proved.Keeps (number i)
  | [String "skipped"; t; who] -> Proved.Skipped (number t, number who)
  | [String "before"; t; i] -> Proved.Before (number t, number i)
  | [String "some card"; t; n] -> Proved.Some_card (number t, number n)
  | [String "some step"; i; n] -> Proved.Some_step (number i, number n)
  | _ -> raise (Malformed "an event")

let rec machine = function
  | Proved.XH -> 1
  | Proved.XO half -> 2 * machine half
  | Proved.XI half -> 2 * machine half + 1

(* The proved checker writes the clauses of the timetable; the file names their variables. *)
let check_timetable folder question =
  let members = only_bound folder in
  let names = names_of event members in
  let meaning x = Proved.PositiveMap.find x names in
  let variables = Hashtbl.create 1024 in
  List.iter (fun one ->
    let x, called = pair one in
    Hashtbl.replace variables (event called) (positive (number x))) (list (field "names" members));
  let variable = Hashtbl.find_opt variables in
  let clauses =
    Proved.timetable_clauses variable meaning question.at_least question.after question.hands in
  let whole_literal (sign, x) = if sign then machine x else - machine x in
  let lemmas, _ = lemmas_of (List.map (List.map whole_literal) clauses) members in
  require (Proved.check_timetable variable meaning question.at_least question.after question.hands
    lemmas) "the timetable"

let check_uncooperative folder question =
  require (List.length question.hands > 1) "a game needs two or more players";
  if is_there folder strategy_file then check_lines question folder
  else begin
    let reason = read folder "reason.json" in
    match get "pairs" reason, get "positions" reason with
    | Some pairs, None -> check_pairs question pairs
    | None, Some positions -> check_positions question positions
    | _ -> raise (Refused "reason.json: neither pairs nor positions")
  end;
  "player 1 loses against the best play of the others"

let check_game folder question claim =
  require (text "status" claim = "UNSATISFIABLE") "only a NO has a certificate here";
  if question.kind = "uncooperative" then check_uncooperative folder question
  else begin
    check_timetable folder question;
    "no play of all players lets player 1 finish first"
  end
