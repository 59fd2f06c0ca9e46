(* Check the certificate in a folder with the checker that Coq has proved.

   The files here only read and pass on what is in a certificate; all of them but hints.ml remain
   to be believed. The exit code is 0 for proved, 1 for refused, 2 for unreadable, and 3 for a kind of
   certificate that the checker does not handle. *)

open Json
open Question

let check folder =
  let claim = read folder "claim.json" in
  require (field "version" claim = Number "1") "claim.json: another version";
  let typed key right = require (Option.fold ~none:true ~some:right (List.assoc_opt key claim))
    ("claim.json: " ^ key) in
  typed "objective" (function Null | Number _ -> true | _ -> false);
  typed "kind" (function String _ -> true | _ -> false);
  typed "made_by" (function Object _ -> true | _ -> false);
  List.iter (fun key -> typed key (function Bool _ -> true | _ -> false)) ["strict"; "levels"];
  require (List.mem_assoc "objective" claim) "claim.json: no objective";
  require (text "status" claim <> "UNSATISFIABLE" || get "objective" claim = None)
    "only an optimum has an objective";
  List.iter (fun (name, _) -> Hashtbl.replace listed name ()) (members_of (field "files" claim));
  let question = read_question folder in
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
    | Exceeded text -> (3, "not handled: " ^ text)
    | Stack_overflow | Out_of_memory -> (3, "not handled: too large") in
  print_endline (plain line);
  exit code
