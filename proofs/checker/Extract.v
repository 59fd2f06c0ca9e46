(** Extraction of the checker to OCaml, with natural numbers as machine integers. *)

From UnoCsp Require Import Rules Strategies Hubs Checker BoundChecker.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "proved.ml" check_unplayable check_fill_in check_witness check_pairs check_strategy
  explore key_of universal check_unplayable_bound check_fill_in_bound hubs_at all_cards
  known_hubs.
