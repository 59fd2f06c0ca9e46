"""Measure verifiers on the worst certificates of 1 MB that are known, one of each kind or trick."""

import argparse
import itertools
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from uno_csp.certificates import folders
from uno_csp.cli.verify import verify_any
from uno_csp.verifier import cards, games, proofs, real_games, trails
from uno_csp.verifier.reading import Budget, Refused, judged

SIZE = 1_000_000  # size of a certificate, in bytes
Files = dict[str, str]
Claim = dict[str, Any]
NO: Claim = {"status": "UNSATISFIABLE", "objective": None}


def dense(data: object) -> str:
    """Return JSON without blanks."""
    return json.dumps(data, separators=(",", ":"))


def hand(kind: str, cards: list[Any], **more: Any) -> Files:
    """Return the file of a question."""
    return {"question.json": dense({"question": kind, "cards": cards, **more})}


def lists() -> tuple[Claim, Files]:
    """A million empty lists in the place of cards."""
    return NO, {"question.json": '{"question":"uno-1","cards":[' + "[]," * (SIZE // 3) + "[]]}"}


def zipped_lists() -> tuple[Claim, Files]:
    """As many empty lists as fit into a zip file of that size."""
    return NO, {"question.json": '{"question":"uno-1","cards":[' + "[]," * (80 * SIZE) + "[]]}"}


def long_numbers() -> tuple[Claim, Files]:
    """Integers of 4,300 digits."""
    return NO, hand("uno-1", [[]]) | {
        "question.json": '{"question":"uno-1","cards":[[' + ",".join(["9" * 4300] * 232) + "]]}"
    }


def many_hubs() -> tuple[Claim, Files]:
    """Cards on 252 hubs each, in one group each."""
    cards = [[10 * i + j for j in range(10)] for i in range(SIZE // 75)]
    reason = {"removed": [], "groups": [[i] for i in range(len(cards))]}
    return NO, hand("uno-1", cards, at_least=5) | {"reason.json": dense(reason)}


def star_rows() -> tuple[Claim, Files]:
    """A bound with thousands of rows around one hub that all cards share."""
    cards = [["a", i] for i in range(SIZE // 20)]
    rows = [[1, ["around", {"hubs": [0, 1], "inside": {"card": 0}, "outside": {"hub": 2}}]]]
    bound = {"0": {"rows": rows * (SIZE // 140)}}
    return NO, hand("uno-1", cards) | {"bound.json": dense(bound)}


def sums() -> tuple[Claim, Files]:
    """A bound whose rows are long sums."""
    cards = [["a", i] for i in range(SIZE // 20)]
    return NO, hand("uno-1", cards) | {
        "bound.json": dense({"0": {"rows": [[1, ["sum", 0]]] * (SIZE // 40)}})
    }


def many_offers() -> tuple[Claim, Files]:
    """A bound for a supply with costs of many sums."""
    rng, count = random.Random(1), SIZE // 30
    supply = [[i, i + 1] for i in range(count)]
    costs = [rng.randrange(2**30) for _ in supply]
    own = hand("fill-in", [[0, 0], [count, count]], supply=supply, costs=costs)
    return NO, own | {"bound.json": dense({"0": {"rows": []}})}


def half_wild() -> tuple[Claim, Files]:
    """Cards that are wild in one attribute, with hubs for all pairs."""
    cards = [[i, "*"] for i in range(SIZE // 11)]
    return NO, hand("uno-1", cards, at_least=2) | {"bound.json": dense({"0": {"rows": []}})}


def counters() -> tuple[Claim, Files]:
    """A refutation that counts many ends up to a large number."""
    cards: list[list[Any]] = [[i % 997, f"b{i % 1009}"] for i in range(SIZE // 26)]
    cards += [["*", "*"] for _ in range(SIZE // 26)]
    empty = {"formula.cnf": "", "cuts.jsonl": "", "proof.drat": ""}
    return NO, hand("uno-1", cards) | empty


def timetable() -> tuple[Claim, Files]:
    """The largest timetable, with files of no content."""
    hands = [[[1, i] for i in range(50)], [[1, i] for i in range(50)]]
    rest = {"formula.cnf": " " * SIZE, "cuts.jsonl": "", "proof.drat": ""}
    return NO, {"question.json": dense({"question": "cooperative", "hands": hands}), **rest}


def pairs() -> tuple[Claim, Files]:
    """A chain of pairs, in which each answer makes one more card playable."""
    count = SIZE // 50
    hands = [[[i, "a"] for i in range(count)], [[i, i] for i in range(count)]]
    hands[0] = [[i - 1, f"b{i}"] for i in range(count)]
    hands[1] = [[i, f"b{i}"] for i in range(count)]
    question = {"question": "uncooperative", "hands": hands, "after": [-1, "x"]}
    reason = {"pairs": [[i, i] for i in range(count)]}
    return NO, {"question.json": dense(question), "reason.json": dense(reason)}


def wide_strategy() -> tuple[Claim, Files]:
    """A game with tens of thousands of different cards, and a strategy of one line."""
    count = SIZE // 18
    hands = [[["a", i] for i in range(count)], [["a", -i] for i in range(1, count)]]
    question = {"question": "uncooperative", "convention": "empty-hand-wins", "hands": hands}
    return NO, {"question.json": dense(question), "strategy.jsonl": '["a",-1]\n'}


def deep_strategy() -> tuple[Claim, Files]:
    """A game in which every card matches every other, and a strategy of as many lines as fit."""
    hands = [[["a", i] for i in range(100)], [["a", i] for i in range(100, 210)]]
    question = {"question": "uncooperative", "hands": hands}
    lines: list[str] = []

    def answer(_player: int, _last: object, held: tuple[int, ...]) -> Any:
        if len(lines) > SIZE // 9:
            raise StopIteration
        lines.append(f'["a",{(held[1] & -held[1]).bit_length() - 1}]\n')
        return ("a", (held[1] & -held[1]).bit_length() - 1)

    with suppress(StopIteration):
        games.follow(cards.Question(question), answer)
    return NO, {"question.json": dense(question), "strategy.jsonl": "".join(lines)}


def star_order() -> tuple[Claim, Files]:
    """A star whose centre is the last in the order."""
    count = SIZE // 25
    edges = [[0, i] for i in range(1, count)]
    graph = {"goal": "cycle", "vertices": list(range(count)), "edges": edges}
    reason = {"order": [*range(1, count), 0]}
    return NO, {"graph.json": dense(graph), "reason.json": dense(reason)}


def complete_order() -> tuple[Claim, Files]:
    """An order of a graph with many states, in which all vertices stay on the frontier."""
    size = int((SIZE / 4.5) ** 0.5)
    edges = [[i, j] for j in range(size) for i in range(j)]
    graph = {"goal": "longest", "vertices": list(range(size)), "edges": edges}
    paths = {"paths": [list(range(size - 1))]}
    reason = {"order": list(range(size))}
    claim = {"status": "OPTIMAL", "objective": size - 1}
    files = {"graph.json": dense(graph), "reason.json": dense(reason)}
    return claim, {**files, "witness.json": dense(paths)}


def graph_rows() -> tuple[Claim, Files]:
    """A bound of a graph with many edges and many rows."""
    count = SIZE // 36
    edges = [[i, i + 1] for i in range(count)]
    graph = {"goal": "cycle", "vertices": list(range(count + 1)), "edges": edges}
    rows = [[1, ["around", {"vertices": [0], "inside": 0}]]] * (SIZE // 110)
    return NO, {"graph.json": dense(graph), "bound.json": dense({"0": {"rows": rows}})}


def long_proof() -> tuple[Claim, Files]:
    """Lemmas that follow by long chains of implications."""
    size = SIZE // 1_000
    question: Claim = {
        "question": "uno-1",
        "cards": [["*", "*"], *([i, i + 1] for i in range(size))],
    }
    stated = trails.Trails(cards.Question(question), cards.Better(2))
    chains = [clause for clause in stated.clauses if len(clause) == 2 and clause[0] < 0 < clause[1]]
    after = {-one: other for one, other in chains}
    longest: list[int] = []
    for start in [each for each in after if each not in {*after.values()}]:
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        longest = max(longest, chain, key=len)
    half = len(longest) // 2
    lemmas = ((one, other) for one in longest[:half] for other in longest[:half:-1])
    some = itertools.islice(lemmas, SIZE // 28)
    proof = "".join(f"{-one} {other} 0\n" for one, other in some) + "0\n"
    own = {"formula.cnf": proofs.joined([stated]), "cuts.jsonl": "", "proof.drat": proof}
    return NO, {"question.json": dense(question), **own}


class _Told(real_games.Game):
    """A game that keeps the turns of the last position."""

    def turns(self, at: real_games.State) -> Iterator[tuple[str, Any]]:
        """Yield the turns of a position."""
        self.last = dict(super().turns(at))
        yield from self.last.items()


def real_game() -> tuple[Claim, Files]:
    """A real game of four players with a card that player 1 can never play."""
    rules: dict[str, Any] = {"play_drawn": "may", "draw": "one", "reshuffles": 0}
    rules |= {"plus_four": "free", "stacking": "draws", "last_card": "any", "first_card": "none"}
    off = (
        "must_play",
        "drawn_by_colour",
        "skip_answered_by_skip",
        "effects_wear_off",
        "last_draws",
    )
    rules |= dict.fromkeys((*off, "reverse_skips"), False)
    first = [*(["red", i] for i in range(1, 10)), ["green", 0]]
    hands = [first, *([["red", i] for i in range(j, j + 3)] for j in (1, 4, 7))]
    question: Claim = {"question": "open-game", "hands": hands, "after": ["red", 5], "rules": rules}
    question |= {"draw": [["blue", "skip"], ["yellow", "reverse"]] * 6, "decks": 10}
    game, lines = _Told(question, Budget(SIZE)), list[str]()

    def own() -> Iterator[str]:
        while len(lines) < SIZE // 5:
            lines.append(max(game.last))
            yield lines[-1]

    with suppress(Refused):
        real_games.walk(game, wins=False, lines=own())
    files = {"question.json": dense(question), "strategy.txt": "\n".join(lines[:-1])}
    return NO, files


CASES: tuple[Callable[[], tuple[Claim, Files]], ...] = (
    lists, zipped_lists, long_numbers, many_hubs, star_rows, sums, many_offers, half_wild, counters,
    timetable, pairs, wide_strategy, deep_strategy, star_order, complete_order, graph_rows,
    long_proof, real_game,
)  # fmt: skip


def write(claim: Claim, files: Files, folder: Path, zipped: bool) -> Path:
    """Write a certificate with hashes that fit, as a folder or a zip file."""
    made = folder / "certificate"
    made.mkdir(exist_ok=True)
    folders.write(made, claim, files)
    if not zipped:
        return made
    folders.pack(made, folder / "certificate.zip")
    return folder / "certificate.zip"


def measure(path: Path, checker: str) -> None:
    """Verify a certificate, and print the verdict, the CPU seconds and the memory as JSON."""
    began = time.process_time()
    code, line = judged(path, checker, verify_any)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() - began + children.ru_utime + children.ru_stime
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.partition("VmHWM:")[2].split()[0])
    line = line.partition("\n")[0].replace(str(path), path.name)
    print(json.dumps([code, seconds, max(peak, children.ru_maxrss) / 1024, line]))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--checker", default="auto")
    parser.add_argument("--only")
    given = parser.parse_args()
    if given.measure:
        measure(given.measure, given.checker)
        return
    print("| certificate | size | CPU | memory | verdict |\n|---|---|---|---|---|")
    for make in CASES:
        if given.only in (None, make.__name__):
            with TemporaryDirectory() as folder:
                path = write(*make(), Path(folder), zipped=make is zipped_lists)
                held = [path] if path.is_file() else list(path.iterdir())
                size = sum(each.stat().st_size for each in held)
                command = [sys.executable, "-m", "scripts.hostile_certificates"]
                command += ["--measure", str(path), "--checker", given.checker]
                run = subprocess.run(command, capture_output=True, text=True, check=False)
            code, seconds, memory, line = (
                json.loads(run.stdout) if run.stdout else (run.returncode, 0, 0, run.stderr[-90:])
            )
            what = f"{(make.__doc__ or '').split('.')[0]} | {size / 1000:.0f} kB"
            print(
                f"| {what} | {seconds:.1f} s | {memory:.0f} MB | {code}: {line[:90]} |", flush=True
            )


if __name__ == "__main__":
    main()
