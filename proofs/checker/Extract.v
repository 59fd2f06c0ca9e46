(** Extraction of the checker to OCaml, with numbers as machine integers. *)

From UnoCsp Require Import Rules Strategies Checker.
Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "proved.ml" check_unplayable check_fill_in check_witness check_pairs check_strategy
  explore key_of universal.
