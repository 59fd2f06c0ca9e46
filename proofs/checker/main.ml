(* Check the certificate in a folder with the checker that Coq has proved.

   This file and json.ml only read files and pass on what is in them; they are what remains to be
   believed. The exit code is 0 for proved, 1 for refused, 2 for unreadable, and 3 for a kind of
   certificate that the checker does not handle. *)

open Json

exception Refused of string
exception Not_handled of string

let most_cards = 20_000
let most_positions = 3_000_000
let strategy_file = "strategy.jsonl"

let require holds text = if not holds then raise (Refused text)

let read folder name =
  let file = open_in_bin (Filename.concat folder name) in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  match parse text with
  | Object members -> members
  | _ -> raise (Malformed (name ^ ": not an object"))

let get key members = match List.assoc_opt key members with
  | Some Null | None -> None
  | found -> found
let list = function List items -> items | _ -> raise (Malformed "not a list")
let whole = function
  | Number digits -> int_of_string digits
  | _ -> raise (Malformed "not a number")

(* A natural number; the proved checker takes machine integers for them, so none may be negative or
   so large that sums could overflow. *)
let number value =
  let found = whole value in
  if found < 0 || found > 1 lsl 40 then raise (Malformed "a number out of range");
  found
let field key members = match get key members with
  | Some found -> found
  | None -> raise (Malformed ("no " ^ key))
let text key members = match field key members with
  | String found -> found
  | _ -> raise (Malformed (key ^ ": not a string"))

(* Values of attributes are numbered in the order in which they are read. *)
let values : (Json.t, int) Hashtbl.t = Hashtbl.create 64
let attribute = function
  | String "*" -> None
  | (String _ | Number _) as value ->
      (match Hashtbl.find_opt values value with
       | Some found -> Some found
       | None ->
           let fresh = Hashtbl.length values in
           Hashtbl.add values value fresh; Some fresh)
  | _ -> raise (Refused "question.json: a value that is neither a number nor a string")
let card value = List.map attribute (list value)
let cards value = List.map card (list value)

type card = int option list
type question = {
  kind : string; at_least : int; after : card option; hands : card list list;
  supply : (card * int) list option; emptied_wins : bool }

(* The cards of a supply with what they cost: 1, unless the question says more. *)
let read_supply kind members =
  require (kind = "fill-in" || get "supply" members = None) "a supply in another question";
  require (get "supply" members <> None || List.mem (get "costs" members) [None; Some (List [])])
    "costs without a supply";
  let priced offered =
    let offered = cards offered in
    match get "costs" members with
    | None | Some (List []) -> List.map (fun c -> (c, 1)) offered
    | Some costs ->
        let costs = List.map number (list costs) in
        require (List.length costs = List.length offered) "not a cost for each card";
        List.combine offered costs in
  Option.map priced (get "supply" members)

let offers question = Option.value question.supply ~default:[]

let read_question folder =
  let members = read folder "question.json" in
  let kind = text "question" members in
  let hands = match kind with
    | "uno-1" | "longest" | "fill-in" -> [cards (field "cards" members)]
    | "uncooperative" -> List.map cards (list (field "hands" members))
    | _ -> raise (Not_handled kind) in
  let at_least = match get "at_least" members with Some found -> number found | None -> 1 in
  let after = Option.map card (get "after" members) in
  let supply = read_supply kind members in
  let all =
    List.concat hands @ List.map fst (Option.value supply ~default:[]) @ Option.to_list after in
  require (List.for_all (fun c -> List.length c = List.length (List.hd all)) all) "ragged cards";
  require (at_least >= 1 && List.for_all (fun c -> at_least <= List.length c) all) "bad at_least";
  if List.length all > most_cards then raise (Not_handled "that many cards");
  let emptied_wins = match get "convention" members with
    | None | Some (String "last-mover") -> false
    | Some (String "empty-hand-wins") -> true
    | _ -> raise (Refused "convention") in
  { kind; at_least; after; hands; supply; emptied_wins }

let indices value = List.map number (list value)

let groups folder =
  let members = read folder "reason.json" in
  let groups = List.map indices (list (field "groups" members)) in
  let needs = match get "needs" members with
    | Some needs -> indices needs
    | None -> List.map (fun _ -> 1) groups in
  (indices (field "removed" members), groups, needs)

let plain question hand =
  let partly c = List.mem None c && not (Proved.universal question.at_least c) in
  if List.exists partly (hand @ Option.to_list question.after) then
    raise (Not_handled "cards that are wild in some attributes")

(* The rows of a bound, described; uno-csp writes them from bound.json. *)
let rows_file = "rows.json"

let multiplier value =
  let found = whole value in
  if found <= 0 then raise (Refused "a multiplier that is not positive");
  Proved.Z.of_nat found

let variable value = match list value with
  | [String "visited"; h] -> Proved.Visited (number h)
  | [String "odd"; h] -> Proved.Odd (number h)
  | [String "closed"; h] -> Proved.Closed (number h)
  | [String "walked"; c; h] -> Proved.Walked (number c, number h)
  | [String "played"; c] -> Proved.Played (number c)
  | [String "added"; w] -> Proved.Added (number w)
  | _ -> raise (Malformed "a variable")

let occupant value = match list value with
  | [String "hub"; h] -> Proved.At_hub (number h)
  | [String "card"; c] -> Proved.At_card (number c)
  | _ -> raise (Malformed "an occupant")

let optional read = function Null -> None | value -> Some (read value)

let truth = function Bool b -> b | _ -> raise (Malformed "neither true nor false")

let description value = match list value with
  | [String "cover"; c] -> Proved.Cover (number c)
  | [String "cover any"; c] -> Proved.Cover_any (number c)
  | [String "visit"; c; h] -> Proved.Visit (number c, number h)
  | [String "play"; c; h] -> Proved.Play (number c, number h)
  | [String "close"; h] -> Proved.Close (number h)
  | [String "continue"; c; h] -> Proved.Continue (number c, number h)
  | [String "twice"; c] -> Proved.Twice (number c)
  | [String "start"] -> Proved.Start
  | [String "start once"] -> Proved.Start_once
  | [String "parity"; h; cards; odd] -> Proved.Parity (number h, indices cards, truth odd)
  | [String "around"; hubs; cards; inside; outside] ->
      Proved.Around (indices hubs, indices cards, occupant inside, optional occupant outside)
  | [String "cut"; hubs; cards; inside; outside] ->
      Proved.Cut (indices hubs, indices cards, occupant inside, optional occupant outside)
  | [String "ends"] -> Proved.Ends
  | [String "left out"] -> Proved.Left_out
  | [String "costs"] -> Proved.Costs
  | [String "end prices"] -> Proved.End_prices
  | [String "too dear"; cards; wilds] -> Proved.Too_dear (indices cards, indices wilds)
  | _ -> raise (Malformed "a row")

let rec tree value = match value with
  | Object members when List.mem_assoc "rows" members ->
      Proved.Case (List.map (fun row -> match list row with
        | [times; what] -> (multiplier times, description what)
        | _ -> raise (Malformed "a row")) (list (field "rows" members)))
  | Object members ->
      Proved.Branch (variable (field "variable" members), tree (field "true" members),
        tree (field "false" members))
  | _ -> raise (Malformed "a tree")

let positive n = match Proved.Z.of_nat n with
  | Proved.Zpos found -> found
  | _ -> raise (Malformed "a number that is not positive")

let dimacs n = (n > 0, positive (abs n))

let name value = match list value with
  | [String "prefix"; h; i] -> Proved.Prefix (number h, number i)
  | [String "reached"; s; i; t] ->
      Proved.Reached (number s, number i, Proved.Z.of_nat (number t))
  | _ -> Proved.Meaning (variable value)

let reason value = match list value with
  | [String "chain"; h; i; a; b] -> Proved.Chain (number h, number i, truth a, truth b)
  | [String "step"; s; i; j; t; chosen] ->
      Proved.Step (number s, number i, number j, Proved.Z.of_nat (number t), truth chosen)
  | _ -> Proved.By_row (description value)

let pair value = match list value with
  | [a; b] -> (a, b)
  | _ -> raise (Malformed "not a pair")

(* The clauses of a refutation with their reasons, and the lemmas, each with hints. *)
let refutation members =
  let literals value = List.map whole (list value) in
  let names = List.fold_left (fun names one ->
    let x, called = pair one in
    Proved.PositiveMap.add (positive (number x)) (name called) names)
    Proved.PositiveMap.empty (list (field "names" members)) in
  let clauses = List.map (fun one ->
    let clause, why = pair one in
    (literals clause, why)) (list (field "clauses" members)) in
  let line value = match list value with
    | String "d" :: deleted -> Hints.Deleted (List.map whole deleted)
    | lemma -> Hints.Lemma (List.map whole lemma) in
  let lemmas, is_needed = match
    Hints.find (List.map fst clauses) (List.map line (list (field "proof" members))) with
    | found -> found
    | exception Hints.Not_by_propagation ->
        raise (Not_handled "a lemma that does not follow by unit propagation") in
  let given = List.mapi (fun i clause -> (i + 1, clause)) clauses in
  { Proved.names = (fun x -> Proved.PositiveMap.find x names);
    row_sums = List.map description (list (field "sums" members));
    given = List.filter_map (fun (n, (clause, why)) ->
      if is_needed n then Some ((positive n, List.map dimacs clause), reason why) else None) given;
    lemmas = List.map (fun (n, clause, hints) ->
      { Proved.label = positive n; body = List.map dimacs clause;
        hints = List.map positive hints }) lemmas }

let evidence members =
  if List.mem_assoc "tree" members then Proved.By_cases (tree (field "tree" members))
  else Proved.By_lemmas (refutation members)

(* The hubs of each card in a described bound; the checker compares them with the cards. *)
let hubs_of cards bound =
  let at = Array.of_list (List.map indices (list (field "at" bound))) in
  require (Array.length at = List.length cards) "not the hubs of each card";
  at

let table_with named at bound =
  { Proved.named; at_card = (fun c -> if c < Array.length at then at.(c) else []);
    hub_count = number (field "hubs" bound) }

(* The same with names for choices of attributes. *)
let table_of question cards bound =
  let at = hubs_of cards bound in
  let numbers = Hashtbl.create 1024 in
  let name c at =
    if not (List.mem None c) then
      let hubs = Proved.hubs question.at_least 0 c in
      require (List.length hubs = List.length at) "not the hubs of a card";
      List.iter2 (Hashtbl.replace numbers) hubs at in
  List.iter2 name cards (Array.to_list at);
  table_with (fun hub -> Option.value (Hashtbl.find_opt numbers hub) ~default:0) at bound

let members_of = function Object members -> members | _ -> raise (Malformed "not an object")
let is_there folder name = Sys.file_exists (Filename.concat folder name)

(* The bounds of groups, by their cards, with the tables of their hubs. *)
let bounds_of folder question hand groups =
  let tables = Hashtbl.create 16 and found = Hashtbl.create 16 in
  if is_there folder rows_file then begin
    let all = Array.of_list (Proved.deck question.at_least question.after hand []) in
    List.iter (fun (place, bound) ->
      let bound = members_of bound in
      let own = List.map (Array.get all) (List.nth groups (int_of_string place)) in
      Hashtbl.replace tables own (table_of question own bound);
      Hashtbl.replace found own (evidence bound)) (read folder rows_file)
  end;
  (Hashtbl.find tables, Hashtbl.find_opt found)

let only_bound folder =
  if not (is_there folder rows_file) then raise (Not_handled "this kind of certificate");
  members_of (field "0" (read folder rows_file))

(* The bound of the whole question. *)
let bound_of folder question hand =
  let bound = only_bound folder in
  let deck = Proved.deck question.at_least question.after hand (offers question) in
  (table_of question deck bound, evidence bound)

(* Where nothing is to be refuted, no bound is needed. *)
let no_bound = ({ Proved.named = (fun _ -> 0); at_card = (fun _ -> []); hub_count = 0 },
  Proved.By_cases (Proved.Case []))

let shape question = match List.concat question.hands @ List.map fst (offers question)
    @ Option.to_list question.after with
  | [] -> 0
  | c :: _ -> List.length c

(* Take each of the wanted cards once, as far as it is there; what is taken, and the rest. *)
let split wanted card_of all =
  let left = Hashtbl.create 1024 in
  let count c = Option.value (Hashtbl.find_opt left c) ~default:0 in
  List.iter (fun c -> Hashtbl.replace left c (count c + 1)) wanted;
  List.partition (fun item ->
    let c = card_of item in
    let n = count c in
    if n > 0 then Hashtbl.replace left c (n - 1);
    n > 0) all

(* The cards cannot be played; with [added], not even together with any added cards. *)
let check_no folder question hand ~added =
  let k = question.at_least and d = shape question in
  let by_groups, by_bound =
    if added then (Proved.check_never_groups, Proved.check_never_bound)
    else (Proved.check_unplayable_groups, Proved.check_unplayable_bound) in
  if is_there folder "reason.json" then begin
    plain question hand;
    let removed, groups, needs = groups folder in
    let tables, found = bounds_of folder question hand groups in
    require (by_groups k d tables found question.after hand removed groups needs) "the groups"
  end else begin
    let table, found = bound_of folder question hand in
    require (by_bound k question.after hand d table found) "the bound"
  end;
  if added then "no added cards join the hand" else "no sequence plays all cards"

(* Joining two cards may take several added ones, and the ends at hubs have prices. *)
let check_levels folder question hand added sequence =
  let k = question.at_least and bound = only_bound folder in
  let at = hubs_of (Proved.deck k question.after hand []) bound in
  let prices = Array.of_list (indices (field "prices" bound)) in
  let price hub = if hub < Array.length prices then prices.(hub) else 0 in
  require (Proved.check_fill_in_levels k (shape question - k) question.after hand added sequence
    (table_with (fun _ -> 0) at bound) price (evidence bound))
    "the witness or the bound with prices"

let check_fill_in folder question hand added sequence ~levels =
  let k = question.at_least and d = shape question in
  let fits c = List.length c = List.length (List.hd hand) && not (List.mem None c) in
  require (List.for_all fits added) "a card that may not be added";
  if added <> [] && levels then check_levels folder question hand added sequence
  else if added = [] || is_there folder "reason.json" then begin
    if added <> [] then plain question hand;
    let removed, groups, needs = if added = [] then ([], [], []) else groups folder in
    let tables, found = bounds_of folder question hand groups in
    require (Proved.check_fill_in_groups k d tables found question.after hand added sequence
      removed groups needs) "the witness or the groups"
  end else begin
    let table, found = bound_of folder question hand in
    require (Proved.check_fill_in_bound k question.after hand added sequence d table found)
      "the witness or the bound"
  end;
  Printf.sprintf "%d added cards are the fewest" (List.length added)

let check_supply folder question hand added sequence objective =
  let cheapest_first = List.stable_sort (fun (_, a) (_, b) -> compare a b) (offers question) in
  let chosen, rest = split added fst cheapest_first in
  require (List.length chosen = List.length added) "cards that are not in the supply";
  require (List.fold_left (fun sum (_, cost) -> sum + cost) 0 chosen = objective) "another cost";
  let table, found = if objective = 0 then no_bound else bound_of folder question hand in
  require (Proved.check_supply question.at_least question.after hand (offers question) chosen rest
    sequence (shape question) table found) "the witness or the bound";
  Printf.sprintf "no cards of the supply cost less than %d" objective

let check_longest folder question hand sequence objective =
  require (List.length sequence = objective) "another length";
  let _, left = split sequence Fun.id hand in
  let table, found =
    if objective = List.length hand then no_bound else bound_of folder question hand in
  require (Proved.check_longest question.at_least question.after hand sequence left (shape question)
    table found) "the witness or the bound";
  Printf.sprintf "no sequence has more than %d cards" objective

let check_hand folder question claim =
  let hand = List.hd question.hands and k = question.at_least in
  let objective () = number (field "objective" claim) in
  let witness () = read folder "witness.json" in
  let sequence () = cards (field "sequence" (witness ())) in
  let added () = match get "added" (witness ()) with Some found -> cards found | None -> [] in
  match question.kind, text "status" claim, question.supply with
  | "uno-1", "UNSATISFIABLE", _ -> check_no folder question hand ~added:false
  | "fill-in", "UNSATISFIABLE", None -> check_no folder question hand ~added:true
  | "longest", "OPTIMAL", _ -> check_longest folder question hand (sequence ()) (objective ())
  | "fill-in", "OPTIMAL", None ->
      let added = added () in
      require (List.length added = objective ()) "another number of added cards";
      check_fill_in folder question hand added (sequence ())
        ~levels:(get "levels" claim = Some (Bool true))
  | "fill-in", "OPTIMAL", Some _ ->
      check_supply folder question hand (added ()) (sequence ()) (objective ())
  | "fill-in", "UNSATISFIABLE", Some offered ->
      let table, found = bound_of folder question hand in
      require (Proved.check_supply_bound k question.after hand offered None (shape question) table
        found) "the bound";
      "no cards of the supply join the hand"
  | _ -> raise (Not_handled "this kind of certificate")

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

let distinct cards = List.fold_left (fun l c -> if List.mem c l then l else l @ [c]) [] cards

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

let check folder =
  let question = read_question folder in
  let claim = read folder "claim.json" in
  if question.kind <> "uncooperative" then check_hand folder question claim
  else begin
    require (text "status" claim = "UNSATISFIABLE") "only a NO has a certificate here";
    require (List.length question.hands > 1) "a game needs two or more players";
    if Sys.file_exists (Filename.concat folder strategy_file) then check_lines question folder
    else begin
      let reason = read folder "reason.json" in
      match get "pairs" reason, get "positions" reason with
      | Some pairs, None -> check_pairs question pairs
      | None, Some positions -> check_positions question positions
      | _ -> raise (Refused "reason.json: neither pairs nor positions")
    end;
    "player 1 loses against the best play of the others"
  end

let () =
  let code, line =
    try (0, "proved: " ^ check Sys.argv.(1)) with
    | Refused text -> (1, "refused: " ^ text)
    | Not_handled text -> (3, "not handled: " ^ text)
    | Malformed text | Sys_error text | Failure text | Invalid_argument text ->
        (2, "unreadable: " ^ text)
    | Stack_overflow -> (3, "not handled: too large") in
  print_endline line;
  exit code
