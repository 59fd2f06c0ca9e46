(* Find the hints of lemmas: for each, the clauses from which it follows by unit propagation.

   Nothing is believed of them: the proved checker follows the hints. They are found as SAT solvers
   propagate, with two watched literals in each clause. Clauses are numbered from 1, and the lemmas
   after them. *)

exception Not_by_propagation

(* All hints of a proof are in memory at once, at three words each. *)
let most_hints = 200_000_000
exception Too_many

(* A line of a proof. *)
type line = Lemma of int list | Deleted of int list

(* Clauses by all of their literals; the hash of the library reads the first ten. *)
module By_literals = Hashtbl.Make (struct
  type t = int list
  let equal = List.equal Int.equal
  let hash = List.fold_left (fun found literal -> (31 * found + literal) land max_int) 7
end)

(* Numbers in an array that grows. *)
type numbers = { mutable items : int array; mutable size : int }

let none () = { items = [||]; size = 0 }

let push numbers item =
  if numbers.size = Array.length numbers.items then begin
    let larger = Array.make (max 4 (2 * numbers.size)) 0 in
    Array.blit numbers.items 0 larger 0 numbers.size;
    numbers.items <- larger
  end;
  numbers.items.(numbers.size) <- item;
  numbers.size <- numbers.size + 1

(* Literals are shifted where they are places, so that none is negative. *)
type database = {
  shift : int;
  clauses : int array array;
  mutable last : int;
  numbers : int By_literals.t;
  (* By literal: the clauses that watch it, and the clause that made it true; 0 if it is assumed,
     and -1 if it is not true. *)
  watching : numbers array;
  reason : int array;
  trail : numbers;
  (* A clause that contradicts the units, or 0. *)
  mutable conflict : int;
  (* By literal and by variable: the lemma that denies it, and that whose reasons need it. *)
  denied : int array;
  wanted : int array }

let reason_of db literal = db.reason.(literal + db.shift)
let is_true db literal = reason_of db literal >= 0
let is_false db literal = is_true db (- literal)

let assign db literal reason =
  db.reason.(literal + db.shift) <- reason;
  push db.trail literal

(* The first literal from a place on that is not false, or -1. *)
let rec not_false db clause i =
  if i >= Array.length clause then -1
  else if is_false db clause.(i) then not_false db clause (i + 1) else i

type visited = Keeps | Leaves | Conflicts

(* A literal that a clause watches is false: watch another one, or assign the last that is left. *)
let visit db number falsified =
  let clause = db.clauses.(number) in
  if Array.length clause > 1 && clause.(0) = falsified then begin
    clause.(0) <- clause.(1);
    clause.(1) <- falsified
  end;
  if is_true db clause.(0) then Keeps
  else
    let i = not_false db clause 2 in
    if i >= 0 then begin
      clause.(1) <- clause.(i);
      clause.(i) <- falsified;
      push db.watching.(clause.(1) + db.shift) number;
      Leaves
    end
    else if Array.length clause > 1 && not (is_false db clause.(0)) then begin
      assign db clause.(0) number;
      Keeps
    end
    else Conflicts

(* Assign a literal and what follows; the result is a clause in conflict, or 0. *)
let propagate db literal reason =
  let waiting = ref db.trail.size and found = ref 0 in
  assign db literal reason;
  while !found = 0 && !waiting < db.trail.size do
    let falsified = - db.trail.items.(!waiting) in
    incr waiting;
    let watchers = db.watching.(falsified + db.shift) in
    Json.spend (10 + 4 * watchers.size);
    let kept = ref 0 in
    for i = 0 to watchers.size - 1 do
      let number = watchers.items.(i) in
      let deleted = Array.length db.clauses.(number) = 0 in
      let keeps = not deleted && (!found <> 0 || match visit db number falsified with
        | Keeps -> true
        | Leaves -> false
        | Conflicts -> found := number; true) in
      if keeps then begin
        watchers.items.(!kept) <- number;
        incr kept
      end
    done;
    watchers.size <- !kept
  done;
  !found

(* Add a clause. Literals that are not false are watched. *)
let add db literals =
  let free, others = List.partition (fun l -> not (is_false db l)) literals in
  let clause = Array.of_list (free @ others) in
  db.last <- db.last + 1;
  db.clauses.(db.last) <- clause;
  By_literals.add db.numbers literals db.last;
  for i = 0 to min 1 (Array.length clause - 1) do
    push db.watching.(clause.(i) + db.shift) db.last
  done;
  if db.conflict = 0 then match free with
    | [] -> db.conflict <- db.last
    | [alone] when not (is_true db alone) -> db.conflict <- propagate db alone db.last
    | _ -> ()

(* Delete a clause, unless it is the reason of a unit. *)
let delete db literals = match By_literals.find_opt db.numbers literals with
  | Some number when number <> db.conflict
      && not (List.exists (fun l -> reason_of db l = number) literals) ->
      By_literals.remove db.numbers literals;
      db.clauses.(number) <- [||]
  | _ -> ()

(* The reasons of a conflict, in the order of the trail, then the conflict itself. *)
let reasons db conflict =
  let stamp = db.last + 1 and found = ref [] in
  let want number =
    Json.spend (Array.length db.clauses.(number));
    Array.iter (fun l -> db.wanted.(abs l) <- stamp) db.clauses.(number) in
  Json.spend db.trail.size;
  want conflict;
  for i = db.trail.size - 1 downto 0 do
    let literal = db.trail.items.(i) in
    let reason = reason_of db literal in
    if db.wanted.(abs literal) = stamp && db.denied.(db.shift - literal) <> stamp
      && reason <> conflict
    then begin
      found := reason :: !found;
      want reason
    end
  done;
  !found @ [conflict]

(* The hints of a lemma. *)
let hints_of db lemma =
  let before = db.trail.size in
  List.iter (fun l -> db.denied.(l + db.shift) <- db.last + 1) lemma;
  let rec deny = function
    | [] -> 0
    | l :: rest ->
        if is_false db l then deny rest
        else if is_true db l then reason_of db l
        else match propagate db (- l) 0 with 0 -> deny rest | found -> found in
  let conflict = match List.find_opt (is_true db) lemma with
    | _ when db.conflict <> 0 -> db.conflict
    | Some known -> reason_of db known
    | None -> deny lemma in
  if conflict = 0 then raise Not_by_propagation;
  let found = reasons db conflict in
  for i = before to db.trail.size - 1 do
    db.reason.(db.trail.items.(i) + db.shift) <- -1
  done;
  db.trail.size <- before;
  found

let empty clauses lines =
  let literals = function Lemma found | Deleted found -> found in
  let all = List.rev_append clauses (List.rev_map literals lines) in
  let shift = List.fold_left (List.fold_left (fun n l -> max n (abs l))) 1 all in
  let places = 2 * shift + 1 in
  { shift; clauses = Array.make (List.length all + 1) [||]; last = 0;
    numbers = By_literals.create 1024; watching = Array.init places (fun _ -> none ());
    reason = Array.make places (-1); trail = none (); conflict = 0;
    denied = Array.make places 0; wanted = Array.make (shift + 1) 0 }

(* The lemmas that the first empty one needs, each with its number and its hints, and whether the
   clause of a number is needed. *)
let find clauses lines =
  let db = empty clauses lines and total = ref 0 in
  List.iter (add db) clauses;
  let rec derive found = function
    | [] -> found
    | Deleted literals :: rest -> delete db literals; derive found rest
    | Lemma lemma :: rest ->
        let lemma = if db.conflict <> 0 then [] else lemma in
        let hints = hints_of db lemma in
        total := !total + List.length hints;
        if !total > most_hints then raise Too_many;
        add db lemma;
        let found = (db.last, lemma, hints) :: found in
        if lemma = [] then found else derive found rest in
  let needed = Hashtbl.create 1024 in
  let keep kept (number, lemma, hints) =
    if lemma = [] || Hashtbl.mem needed number then begin
      List.iter (fun hint -> Hashtbl.replace needed hint ()) hints;
      (number, lemma, hints) :: kept
    end else kept in
  let kept = List.fold_left keep [] (derive [] lines) in
  (kept, Hashtbl.mem needed)
