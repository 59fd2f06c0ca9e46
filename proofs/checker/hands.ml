(* Check certificates of one hand. *)

open Json
open Question
open Evidence

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
