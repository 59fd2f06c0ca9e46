"""Fuzz uno-csp for wrong answers, crashes, hangs and leaks, from a seed and for a given time.

Eight parts take turns: questions in every combination against brute force, the real game against
brute force, values of wrong types in every field, mutated answers for the checker, garbled solver
outputs for ``decode``, hostile requests and bursts for the service, and forged certificates about
hands and about graphs. (Texts of hands and graphs, whole and damaged, are drawn by the property
tests.) The first failing case is made as small as it can be, printed and saved to a file.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.attacks import (
    certificates,
    differential,
    games,
    graphs,
    mutations,
    outputs,
    service,
    types,
)
from tests.attacks.questions import Counterexample, searching

PARTS = (
    ("questions", searching(differential.attempt), 5),
    ("games", searching(games.attempt), 2),
    ("types", searching(types.attempt), 1),
    ("changed answers", searching(mutations.attempt), 2),
    ("garbled outputs", searching(outputs.attempt), 1),
    ("hostile requests", service.attack, 2),
    ("certificates", searching(certificates.attempt), 2),
    ("certificates of graphs", searching(graphs.attempt), 1),
)
"""The parts, each with its weight in the shares of time."""

ROUND_S = 120.0
"""Maximum length of a round in which each part has one turn, in seconds."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attack; return 1 if a case failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="duration in minutes (1)")
    parser.add_argument(
        "--seed", type=int, default=None, help="random seed; default: from the clock"
    )
    parser.add_argument("--only", choices=[name for name, _, _ in PARTS], help="one part only")
    parser.add_argument("--out", type=Path, default=Path("attack-fell.json"), help="failing case")
    given = parser.parse_args(arguments)
    seed = time.time_ns() % 2**31 if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    parts = [part for part in PARTS if given.only in (None, part[0])]
    counts = dict.fromkeys((name for name, _, _ in parts), 0)
    end = time.monotonic() + 60 * given.minutes
    turn = 0
    while time.monotonic() < end:
        span_s = min(ROUND_S, end - time.monotonic())
        for name, attack, share in parts:
            until = time.monotonic() + span_s * share / sum(each for _, _, each in parts)
            try:
                counts[name] += attack(random.Random(f"{seed} {turn} {name}"), until)
            except Counterexample as error:
                given.out.write_text(json.dumps(error.case, indent=1) + "\n")
                print(f"{name} failed: {error}\n{json.dumps(error.case)}\nsaved in {given.out}")
                return 1
        turn += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()) + ": no failures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
