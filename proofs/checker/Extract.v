(** Extraction of the checker to OCaml, with natural numbers as machine integers. *)

From Coq Require Import ZArith FMapPositive.
From UnoCsp Require Import Rules Strategies Hubs Checker GameChecker Plays BoundChecker
  Propagation Refutations GroupChecker Alike LevelChecker Timetables.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.

(* Without this, a number is converted by as many steps as it is large. *)
Extract Constant Z.of_nat => "(fun n ->
  let rec positive n =
    if n = 1 then XH else
    if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1)) in
  if n = 0 then Z0 else Zpos (positive n))".

Extraction "proved.ml" check_unplayable_groups check_fill_in_groups check_unplayable_bound
  check_fill_in_bound check_fill_in_levels check_supply check_supply_bound check_longest
  check_never_groups check_never_bound check_witness check_pairs check_strategy check_timetable
  timetable_clauses PositiveMap.find PositiveMap.add PositiveMap.empty turn_of key_of universal
  Hubs.hubs Z.of_nat.
