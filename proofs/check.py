"""Check the proofs: compile all files from a clean state, and print what each theorem rests on.

Needs ``coqc`` on the path; without it, nothing is checked, and a line says so.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = "UnoCsp"
CLOSED = "Closed under the global context"

THEOREMS: Sequence[tuple[str, str, str]] = (
    ("Rules", "matches_sym", "Matching is symmetric."),
    ("Rules", "universal_matches", "A card with k wild attributes matches every card."),
    (
        "Rules",
        "removal_adds_sequences",
        "Without t of its cards, what r sequences play is played in r + t.",
    ),
    (
        "Groups",
        "groups",
        "Groups without matches between them, after the removal of t cards, need as many "
        "sequences as the sum of their needs less t.",
    ),
    ("Trails", "played_trail", "A feasible sequence is a trail on hubs."),
    ("Trails", "covered", "Each played card has a visited hub."),
    ("Trails", "walked_hubs", "A walked card joins two different hubs of its own, both visited."),
    ("Trails", "parity", "Only the two ends of a trail are odd, if they differ."),
    ("Trails", "crossed", "A trail with hubs on both sides of a border crosses it."),
    (
        "Trails",
        "border_parity",
        "The walked cards across a border and the odd hubs on one side are even in number.",
    ),
    ("Trails", "ends", "r trails have at most 2r ends, and each connected part has one."),
    ("Trails", "ends_after_pile", "With a card on the pile there are at most 2r - 1 ends."),
    (
        "Converse",
        "few_walks",
        "A multigraph with at most 2r ends is the union of r trails (Euler).",
    ),
    (
        "HubTrails",
        "hub_trails",
        "Cards are played in r sequences if and only if two hubs of each can be chosen so that "
        "there are at most 2r ends.",
    ),
    ("Hubs", "common_hub", "Cards match if and only if they lie on a common hub."),
    ("Hubs", "hub_trails_of_cards", "The same theorem, for cards with k of D attributes to match."),
    ("Hubs", "uno_1", "A hand is playable if and only if some choice has at most two ends."),
    (
        "WildCards",
        "wild_cards",
        "w universal cards join w + 1 sequences of others, and no more.",
    ),
    ("Pairs", "pairs", "A player whose playable cards all have partners loses."),
    ("Strategies", "beaten_not_escapes", "Who is beaten by all others has no strategy."),
    (
        "Strategies",
        "closed_strategy",
        "A set of positions closed under all replies beats player 1.",
    ),
    ("Bounds", "bounds", "Rows whose weighted sum is too large in all cases have no solution."),
    ("RowsHold", "rows_hold", "Each row of a bound follows from the facts about trails."),
    (
        "Propagation",
        "derives_false_sound",
        "Clauses that derive the empty one by unit propagation have no solution.",
    ),
    (
        "Layers",
        "all_near",
        "After as many steps as there are hubs, less one, every visited hub is near an end.",
    ),
    (
        "Refutations",
        "check_refutation_sound",
        "If it accepts a refutation, no play has the facts about trails.",
    ),
    ("Played", "trail_facts", "The trails of a play have these facts."),
    ("Played", "play_facts", "Every play that is better has these facts."),
    ("Deck", "check_hubs_sound", "On accepted hubs, cards that match share one."),
    ("Plays", "better_numbers", "A better play of cards is one of their numbers."),
    ("Checker", "check_witness_sound", "An accepted witness plays the cards."),
    ("Checker", "needed_sound", "Accepted groups need as many added cards as the checker says."),
    ("GameChecker", "check_pairs_sound", "Accepted pairs beat player 1."),
    ("GameChecker", "check_strategy_sound", "An accepted strategy beats player 1."),
    ("Together", "together_line", "A cooperative play that helps player 1 is a line of cards."),
    ("Timetables", "timetable_holds", "The clauses of a timetable hold for every such line."),
    (
        "Timetables",
        "check_timetable_sound",
        "If it accepts lemmas from a timetable, player 1 cannot be helped to finish first.",
    ),
    (
        "BoundChecker",
        "check_bound_sound",
        "If a bound or a refutation is accepted, no play adds as few cards, plays as many, or "
        "costs as little.",
    ),
    (
        "GroupChecker",
        "check_cover_sound",
        "If evidence is accepted for r sequences, r sequences or fewer are not enough.",
    ),
    (
        "BoundChecker",
        "check_supply_sound",
        "If it accepts the evidence, no cards of the supply cost less than those of the witness.",
    ),
    (
        "BoundChecker",
        "check_supply_bound_sound",
        "If it accepts the evidence, no cards of the supply join the hand, or none at that cost.",
    ),
    (
        "FillIn",
        "fill_in",
        "If a card can agree with any two, the fewest missing cards are r - 1 - w (2k <= D).",
    ),
    (
        "PricedPlays",
        "play_trails",
        "The ends of a play's trails cost 2 for each added card or less.",
    ),
    (
        "Distances",
        "joined_by",
        "How many added cards join two cards: those that the differing attributes need (any k).",
    ),
    (
        "PricedTrails",
        "priced_trails",
        "n added cards are enough if and only if a choice of hubs has few ends of price 2 n.",
    ),
    (
        "LevelHubs",
        "priced_trails_of_cards",
        "That theorem for the hubs of all levels (1 <= k < D; no card wild in part).",
    ),
    ("PricedPlays", "level_facts", "Every play has the facts of trails with prices (any k < D)."),
    (
        "LevelChecker",
        "check_priced_hubs_sound",
        "On accepted hubs, two cards meet where they can be joined at the price.",
    ),
    (
        "LevelChecker",
        "check_fill_in_levels_sound",
        "If it accepts evidence with prices, the witness adds the fewest cards.",
    ),
    ("Alike", "alike", "If cards have to agree in all attributes, added cards join nothing."),
    (
        "Alike",
        "check_never_groups_sound",
        "If it accepts groups, the hand cannot be played with any added cards.",
    ),
    (
        "Alike",
        "check_never_bound_sound",
        "If it accepts the evidence, the hand cannot be played with any added cards.",
    ),
    (
        "BoundChecker",
        "check_longest_sound",
        "If it accepts the evidence, no sequence is longer than the witness.",
    ),
    (
        "GroupChecker",
        "check_unplayable_groups_sound",
        "If the checker accepts groups, the hand cannot be played.",
    ),
    (
        "BoundChecker",
        "check_unplayable_bound_sound",
        "If it accepts the evidence, the hand cannot be played.",
    ),
    (
        "GroupChecker",
        "check_fill_in_groups_sound",
        "If it accepts groups, the witness adds the fewest cards.",
    ),
    (
        "BoundChecker",
        "check_fill_in_bound_sound",
        "If it accepts the evidence, the witness adds the fewest cards.",
    ),
)
"""File, name and statement in words of each main theorem."""

REPORT = """\
# What Coq has checked

`proofs/check` compiled {files} files ({lines:,} lines) with {version}. Each theorem rests on
nothing else: no axiom, nothing admitted ("{closed}").

| file | theorem | in words |
|---|---|---|
{rows}
"""


def main() -> None:
    """Compile, print assumptions, and write the report if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, help="a Markdown file to write")
    given = parser.parse_args()
    if shutil.which("coqc") is None:
        print("The proofs were not checked: coqc is not installed (apt-get install coq).")
        return
    with tempfile.TemporaryDirectory() as folder:
        sources = [Path(shutil.copy(path, folder)) for path in sorted(HERE.glob("*.v"))]
        for name in _in_order(sources, folder):
            _coqc(name, folder)
        printed = _coqc(_print_assumptions(folder), folder).splitlines()
    if printed != [CLOSED] * len(THEOREMS):
        sys.exit("\n".join(["Some theorem rests on assumptions:", *printed]))
    for file, theorem, _ in THEOREMS:
        print(f"{file}.{theorem}: {CLOSED}")
    if given.report:
        given.report.write_text(_report())


def _in_order(sources: Sequence[Path], folder: str) -> Sequence[str]:
    """Return the names of the files, each after those that it requires."""
    names = [path.name for path in sources]
    command = ["coqdep", "-sort", "-Q", ".", LIBRARY, *names]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.split()


def _coqc(name: str, folder: str) -> str:
    """Compile a file and return what it prints."""
    command = ["coqc", "-q", "-Q", ".", LIBRARY, name]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return run.stdout


def _print_assumptions(folder: str) -> str:
    """Write a file that prints what each theorem rests on, and return its name."""
    files = " ".join(dict.fromkeys(file for file, _, _ in THEOREMS))
    prints = [f"Print Assumptions {file}.{theorem}." for file, theorem, _ in THEOREMS]
    name = "Print_assumptions.v"
    (Path(folder) / name).write_text("\n".join([f"From {LIBRARY} Require {files}.", *prints, ""]))
    return name


def _report() -> str:
    """Return the report as Markdown."""
    files = sorted(HERE.glob("*.v"))
    version = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"version ([\d.]+)", version.stdout)
    rows = [f"| `{file}.v` | `{theorem}` | {words} |" for file, theorem, words in THEOREMS]
    return REPORT.format(
        files=len(files),
        lines=sum(len(path.read_text().splitlines()) for path in files),
        version=f"Coq {number[1]}" if number else "Coq",
        closed=CLOSED,
        rows="\n".join(rows),
    )


if __name__ == "__main__":
    main()
