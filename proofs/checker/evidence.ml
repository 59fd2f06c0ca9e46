(* Read bounds and refutations, which uno-csp describes in a file of their own. *)

open Json
open Question

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

(* Large proofs name the same numbers millions of times: equal ones share their memory. *)
let shared make =
  let known = Hashtbl.create 1024 in
  fun n -> match Hashtbl.find_opt known n with
    | Some found -> found
    | None -> let found = make n in Hashtbl.add known n found; found

let positive = shared (fun n -> match Proved.Z.of_nat n with
  | Proved.Zpos found -> found
  | _ -> raise (Malformed "a number that is not positive"))

let dimacs = shared (fun n -> (n > 0, positive (abs n)))

let name value = match list value with
  | [String "prefix"; h; i] -> Proved.Prefix (number h, number i)
  | [String "reached"; s; i; t] ->
      Proved.Reached (number s, number i, Proved.Z.of_nat (number t))
  | [String "near"; d; h] -> Proved.Near (number d, number h)
  | [String "passed"; d; c] -> Proved.Passed (number d, number c)
  | [String "through"; d; c; h] -> Proved.Through (number d, number c, number h)
  | [String "onward"; d; c; h] -> Proved.Onward (number d, number c, number h)
  | [String "root among"; n] -> Proved.Root_among (number n)
  | _ -> Proved.Meaning (variable value)

let layer value = match value with
  | [String "source"; h] -> Proved.Source (number h)
  | [String "root first"; n] -> Proved.Root_first (number n)
  | [String "root more"; n] -> Proved.Root_more (number n)
  | [String "root once"; n] -> Proved.Root_once (number n)
  | [String "pass"; d; c] -> Proved.Pass (number d, number c)
  | [String "through walked"; d; c; h] -> Proved.Through_walked (number d, number c, number h)
  | [String "through near"; d; c; h] -> Proved.Through_near (number d, number c, number h)
  | [String "onward walked"; d; c; h] -> Proved.Onward_walked (number d, number c, number h)
  | [String "onward passed"; d; c; h] -> Proved.Onward_passed (number d, number c, number h)
  | [String "further"; d; h] -> Proved.Further (number d, number h)
  | [String "arrive"; d; h] -> Proved.Arrive (number d, number h)
  | _ -> raise (Malformed "a layer")

let reason value = match list value with
  | [String "chain"; h; i; a; b] -> Proved.Chain (number h, number i, truth a, truth b)
  | [String "step"; s; i; j; t; chosen] ->
      Proved.Step (number s, number i, number j, Proved.Z.of_nat (number t), truth chosen)
  | String "layer" :: which -> Proved.Layered (layer which)
  | _ -> Proved.By_row (description value)

let pair value = match list value with
  | [a; b] -> (a, b)
  | _ -> raise (Malformed "not a pair")

(* Variables by number, each with what it is called. *)
let names_of read members = List.fold_left (fun names one ->
  let x, called = pair one in
  Proved.PositiveMap.add (positive (number x)) (read called) names)
  Proved.PositiveMap.empty (list (field "names" members))

(* The lemmas of a proof from clauses, each with hints, and which of the clauses they need. *)
let lemmas_of clauses members =
  let line value = match list value with
    | String "d" :: deleted -> Hints.Deleted (List.map whole deleted)
    | lemma -> Hints.Lemma (List.map whole lemma) in
  match Hints.find clauses (List.map line (list (field "proof" members))) with
  | exception Hints.Not_by_propagation ->
      raise (Not_handled "a lemma that does not follow by unit propagation")
  | exception Hints.Too_many ->
      raise (Not_handled (Printf.sprintf "a proof of more than %d hints" Hints.most_hints))
  | lemmas, is_needed ->
      (List.map (fun (n, clause, hints) ->
        { Proved.label = positive n; body = List.map dimacs clause;
          hints = List.map positive hints }) lemmas, is_needed)

(* The clauses of a refutation with their reasons, and the lemmas. *)
let refutation members =
  let names = names_of name members in
  let clauses = List.map (fun one ->
    let clause, why = pair one in
    (List.map whole (list clause), why)) (list (field "clauses" members)) in
  let lemmas, is_needed = lemmas_of (List.map fst clauses) members in
  let given = List.mapi (fun i clause -> (i + 1, clause)) clauses in
  { Proved.names = (fun x -> Proved.PositiveMap.find x names);
    row_sums = List.map description (list (field "sums" members));
    given = List.filter_map (fun (n, (clause, why)) ->
      if is_needed n then Some ((positive n, List.map dimacs clause), reason why) else None) given;
    lemmas }

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
