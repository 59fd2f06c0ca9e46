(* A strict reader of JSON without fractions: what is malformed or duplicate is an error. *)

type t =
  | Null
  | Bool of bool
  | Number of string  (* the digits of an integer *)
  | String of string
  | List of t list
  | Object of (string * t) list

exception Malformed of string

let fail at text = raise (Malformed (Printf.sprintf "%s at byte %d" text at))

let add_code buffer code =
  Buffer.add_utf_8_uchar buffer (Uchar.of_int (if Uchar.is_valid code then code else 0xFFFD))

let parse text =
  let at = ref 0 in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let skip () = while List.mem (peek ()) [' '; '\t'; '\n'; '\r'] do incr at done in
  let expect c = if peek () = c then incr at else fail !at (Printf.sprintf "no %c" c) in
  let word w value =
    let n = String.length w in
    if !at + n <= String.length text && String.sub text !at n = w then (at := !at + n; value)
    else fail !at "no value" in
  let hex () =
    if !at + 4 > String.length text then fail !at "no code";
    let code = int_of_string ("0x" ^ String.sub text !at 4) in
    at := !at + 4; code in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      if !at >= String.length text then fail !at "no end of a string";
      match peek () with
      | '"' -> incr at
      | '\\' ->
          incr at;
          let c = peek () in
          incr at;
          (match c with
           | '"' | '\\' | '/' -> Buffer.add_char buffer c
           | 'n' -> Buffer.add_char buffer '\n'
           | 't' -> Buffer.add_char buffer '\t'
           | 'r' -> Buffer.add_char buffer '\r'
           | 'b' -> Buffer.add_char buffer '\b'
           | 'f' -> Buffer.add_char buffer '\012'
           | 'u' ->
               let code = hex () in
               if code >= 0xD800 && code < 0xDC00 && peek () = '\\' then begin
                 expect '\\'; expect 'u';
                 let low = hex () in
                 add_code buffer (0x10000 + ((code - 0xD800) lsl 10) + (low - 0xDC00))
               end else add_code buffer code
           | _ -> fail !at "no escape");
          go ()
      | c when Char.code c < 0x20 -> fail !at "a control character"
      | c -> Buffer.add_char buffer c; incr at; go () in
    go (); Buffer.contents buffer in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while peek () >= '0' && peek () <= '9' do incr at done;
    let length = !at - digits in
    if length = 0 || (length > 1 && text.[digits] = '0') then fail start "no integer";
    if List.mem (peek ()) ['.'; 'e'; 'E'] then fail start "a fraction";
    let found = String.sub text start (!at - start) in
    Number (if found = "-0" then "0" else found) in
  let rec value depth =
    if depth > 100 then fail !at "too deep";
    skip ();
    let found = match peek () with
      | '{' -> incr at; Object (members depth)
      | '[' -> incr at; List (items depth)
      | '"' -> String (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number () in
    skip (); found
  and items depth =
    skip ();
    if peek () = ']' then (incr at; [])
    else
      let rec go found =
        let found = value (depth + 1) :: found in
        if peek () = ',' then (incr at; go found) else (expect ']'; List.rev found) in
      go []
  and members depth =
    skip ();
    if peek () = '}' then (incr at; [])
    else
      let rec go found =
        skip ();
        let name = string () in
        if List.mem_assoc name found then fail !at ("duplicate key " ^ name);
        skip (); expect ':';
        let found = (name, value (depth + 1)) :: found in
        if peek () = ',' then (incr at; go found) else (expect '}'; List.rev found) in
      go [] in
  let found = value 0 in
  if !at < String.length text then fail !at "more text";
  found
