(* A strict reader of JSON without fractions, in UTF-8: what is malformed or duplicate is an error.

   Two strings are equal here exactly if they have the same characters, however they are written. *)

type t =
  | Null
  | Bool of bool
  | Number of string  (* the digits of an integer *)
  | String of string
  | List of t list
  | Object of (string * t) list

exception Malformed of string

(* Work is bounded by the bytes read: the limits are those of uno_csp/verifier/reading.py. *)
exception Exceeded of string

let most_values = 4_000_000
let most_depth = 100
let most_digits = 4300
let steps_per_byte = 256
let left = ref 64_000_000

let spend steps =
  left := !left - steps;
  if !left < 0 then raise (Exceeded "more steps than its size allows")

let fail at text = raise (Malformed (Printf.sprintf "%s at byte %d" text at))

(* Raise unless the bytes are UTF-8: no overlong form, no half of a surrogate pair. *)
let require_utf_8 text =
  let size = String.length text in
  let byte at = if at < size then Char.code text.[at] else 0 in
  let is_in low high at = byte at >= low && byte at <= high in
  let follow at = is_in 0x80 0xBF at in
  let rec go at =
    if at < size then
      let length = match byte at with
        | lead when lead < 0x80 -> 1
        | lead when lead >= 0xC2 && lead <= 0xDF && follow (at + 1) -> 2
        | 0xE0 when is_in 0xA0 0xBF (at + 1) && follow (at + 2) -> 3
        | 0xED when is_in 0x80 0x9F (at + 1) && follow (at + 2) -> 3
        | lead when lead >= 0xE1 && lead <= 0xEF && lead <> 0xED
                    && follow (at + 1) && follow (at + 2) -> 3
        | 0xF0 when is_in 0x90 0xBF (at + 1) && follow (at + 2) && follow (at + 3) -> 4
        | 0xF4 when is_in 0x80 0x8F (at + 1) && follow (at + 2) && follow (at + 3) -> 4
        | lead when lead >= 0xF1 && lead <= 0xF3
                    && follow (at + 1) && follow (at + 2) && follow (at + 3) -> 4
        | _ -> fail at "no UTF-8" in
      go (at + length) in
  go 0

let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')

let require_few text =
  let values = ref 1 in
  String.iter (function ',' | '[' | '{' -> incr values | _ -> ()) text;
  if !values > most_values then raise (Malformed "over 4,000,000 values")

let parse ?(written = false) text =
  require_utf_8 text;
  if not written then require_few text;
  left := !left + steps_per_byte * String.length text;
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
    let digits = String.sub text !at 4 in
    String.iter (fun c -> if not (is_hex c) then fail !at "no code") digits;
    at := !at + 4;
    int_of_string ("0x" ^ digits) in
  (* The character of an escape; one beyond 16 bits is written as a pair of surrogates. *)
  let escaped () =
    let high = hex () in
    if high < 0xD800 || high > 0xDFFF then Uchar.of_int high
    else begin
      if high > 0xDBFF then fail !at "half of a surrogate pair";
      expect '\\'; expect 'u';
      let low = hex () in
      if low < 0xDC00 || low > 0xDFFF then fail !at "half of a surrogate pair";
      Uchar.of_int (0x10000 + ((high - 0xD800) lsl 10) + (low - 0xDC00))
    end in
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
           | 'u' -> Buffer.add_utf_8_uchar buffer (escaped ())
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
    if length > most_digits then fail start "over 4,300 digits";
    let found = String.sub text start (!at - start) in
    Number (if found = "-0" then "0" else found) in
  let rec value depth =
    skip ();
    if depth >= most_depth && List.mem (peek ()) ['['; '{'] then fail !at "over 100 brackets";
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
      let names = Hashtbl.create 16 in
      let rec go found =
        skip ();
        let name = string () in
        if Hashtbl.mem names name then fail !at ("duplicate key " ^ name);
        Hashtbl.add names name ();
        skip (); expect ':';
        let found = (name, value (depth + 1)) :: found in
        if peek () = ',' then (incr at; go found) else (expect '}'; List.rev found) in
      go [] in
  let found = value 0 in
  if !at < String.length text then fail !at "more text";
  found
