(** Extraction of the checker to OCaml, with natural numbers as machine integers. *)

From UnoCsp Require Import Rules Strategies Hubs Checker GameChecker Plays BoundChecker
  GroupChecker.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "proved.ml" check_unplayable_groups check_fill_in_groups check_unplayable_bound
  check_fill_in_bound check_witness check_pairs check_strategy turn_of key_of universal Hubs.hubs
  deck.
