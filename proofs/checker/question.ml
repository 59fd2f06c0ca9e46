(* Read the files of a certificate and its question. *)

open Json

exception Refused of string
exception Not_handled of string

let most_cards = 20_000

let require holds text = if not holds then raise (Refused text)

(* Raise Refused unless all keys are among those allowed. *)
let only name allowed members =
  List.iter (fun (key, _) -> require (List.mem key allowed) (name ^ ": an unknown key")) members

let keys_of = function
  | "claim.json" ->
      Some ["version"; "status"; "objective"; "strict"; "levels"; "kind"; "made_by"; "files"]
  | "witness.json" -> Some ["sequence"; "added"]
  | "reason.json" -> Some ["removed"; "groups"; "needs"; "pairs"; "positions"]
  | _ -> None

let most_bytes = 1 lsl 26

(* The rows of a bound or of a refutation, described; uno-csp writes them from the other files. *)
let rows_file = "rows.json"
let claim_file = "claim.json"

(* A file that the claim does not list is no part of the certificate. *)
let listed : (string, unit) Hashtbl.t = Hashtbl.create 16
let is_listed name = name = rows_file || name = claim_file || Hashtbl.mem listed name
let is_there folder name = is_listed name && Sys.file_exists (Filename.concat folder name)

let read folder name =
  require (is_listed name) (name ^ ": not listed in claim.json");
  let file = open_in_bin (Filename.concat folder name) and written = name = rows_file in
  let size = in_channel_length file in
  if size > most_bytes && not written then raise (Malformed (name ^ ": over 64 MiB"));
  let text = really_input_string file size in
  close_in file;
  match parse ~written text with
  | Object members -> Option.iter (fun keys -> only name keys members) (keys_of name); members
  | _ -> raise (Malformed (name ^ ": not an object"))

let members_of = function Object members -> members | _ -> raise (Malformed "not an object")

let get key members = match List.assoc_opt key members with
  | Some Null | None -> None
  | found -> found
let list = function List items -> items | _ -> raise (Malformed "not a list")
let whole = function
  | Number digits when String.length digits > 18 -> raise (Not_handled "a number of 18 digits")
  | Number digits -> int_of_string digits
  | _ -> raise (Malformed "not a number")

(* A natural number; the proved checker takes machine integers for them, so none may be negative or
   so large that sums could overflow. *)
let number value =
  let found = whole value in
  if found < 0 then raise (Malformed "a negative number");
  if found > 1 lsl 40 then raise (Not_handled "a number over 2^40");
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
    | None -> List.map (fun c -> (c, 1)) offered
    | Some costs ->
        let costs = List.map number (list costs) in
        require (List.length costs = List.length offered) "not a cost for each card";
        List.combine offered costs in
  Option.map priced (get "supply" members)

let offers question = Option.value question.supply ~default:[]

let question_keys kind = ["question"; "name"; "comment"; "at_least"; "expected"; "after"]
  @ match kind with
    | "fill-in" -> ["cards"; "supply"; "costs"]
    | "uncooperative" -> ["hands"; "convention"]
    | "cooperative" -> ["hands"]
    | _ -> ["cards"]

let require_text members key = match List.assoc_opt key members with
  | None | Some (String _) -> ()
  | _ -> raise (Refused ("question.json: " ^ key))

let require_expected members = match List.assoc_opt "expected" members with
  | None -> ()
  | Some (Object known) ->
      only "question.json: expected" ["status"; "objective"; "bound"; "why"] known;
      List.iter (require_text known) ["status"; "why"];
      List.iter (fun key -> ignore (Option.map whole (List.assoc_opt key known)))
        ["objective"; "bound"]
  | _ -> raise (Refused "question.json: expected")

(* A player without cards has won already; only where the last to play wins may one play on. *)
let require_hands kind emptied_wins hands =
  let games = kind = "cooperative" || kind = "uncooperative" in
  let may_be_empty = not games || (kind = "uncooperative" && not emptied_wins) in
  require (may_be_empty || List.for_all (fun hand -> hand <> []) hands) "an empty hand"

let read_question folder =
  let members = read folder "question.json" in
  let kind = text "question" members in
  only "question.json" (question_keys kind) members;
  require (List.for_all (fun (_, value) -> value <> Null) members) "question.json: null";
  List.iter (require_text members) ["name"; "comment"];
  require_expected members;
  let hands = match kind with
    | "uno-1" | "longest" | "fill-in" -> [cards (field "cards" members)]
    | "uncooperative" | "cooperative" -> List.map cards (list (field "hands" members))
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
  require_hands kind emptied_wins hands;
  (* Cooperative play of one player is uno-1. *)
  let kind = if kind = "cooperative" && List.length hands = 1 then "uno-1" else kind in
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

let shape question = match List.concat question.hands @ List.map fst (offers question)
    @ Option.to_list question.after with
  | [] -> 0
  | c :: _ -> List.length c
