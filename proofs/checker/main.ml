(* Check the certificate in a folder with the checker that Coq has proved.

   The files here only read and pass on what is in a certificate; all of them but hints.ml remain
   to be believed. The exit code is 0 for proved, 1 for refused, 2 for unreadable, and 3 for a kind of
   certificate that the checker does not handle. *)

open Json
open Question

(* A file that the claim does not list is not part of the certificate; uno-csp writes the rows. *)
let require_listed folder claim =
  require (field "version" claim = Number "1") "claim.json: another version";
  let listed = members_of (field "files" claim) in
  List.iter (fun name ->
    require (List.mem_assoc name listed || not (is_there folder name)) (name ^ ": not listed"))
    ["question.json"; "witness.json"; "reason.json"; Games.strategy_file]

let check folder =
  let question = read_question folder in
  let claim = read folder "claim.json" in
  require_listed folder claim;
  match question.kind with
  | "cooperative" | "uncooperative" -> Games.check_game folder question claim
  | _ -> Hands.check_hand folder question claim

(* One line of printable ASCII: a text of the files may hold anything else. *)
let plain text =
  let shown c = if c >= ' ' && c <= '~' then String.make 1 c
    else Printf.sprintf "\\x%02x" (Char.code c) in
  String.concat "" (List.map shown (List.of_seq (String.to_seq text)))

let () =
  let code, line =
    try (0, "proved: " ^ check Sys.argv.(1)) with
    | Refused text -> (1, "refused: " ^ text)
    | Not_handled text -> (3, "not handled: " ^ text)
    | Malformed text | Sys_error text | Failure text | Invalid_argument text ->
        (2, "unreadable: " ^ text)
    | Stack_overflow -> (3, "not handled: too large") in
  print_endline (plain line);
  exit code
