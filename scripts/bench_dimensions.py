"""Benchmark hands of any dimension, supplies and partly wild cards; write results/dimensions.md.

``solve`` checks every answer. For a run that reached the limit, bound and incumbent are given.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from scripts.reporting import figure
from uno_csp import (
    Answer,
    Cooperative,
    FillIn,
    Instance,
    Longest,
    NotAccepted,
    Status,
    check,
    generate,
    parse,
    solve,
)
from uno_csp.formats import question_to_dict
from uno_csp.questions.cards import WILD, Card, Value

RIVALS = ("cp-sat", "highs", "clingo")
"""Backends on which the method successor runs beside the default."""

RIVAL_CARDS = 300  # maximum number of cards of a hand that the method successor is tried on
RIVAL_LIMIT_S = 20.0  # seconds after which such a run is ended
SIZES = (50, 100, 200, 400, 800)  # numbers of cards of the hands of the table of sizes

Curves: TypeAlias = dict[str, list[tuple[int, float]]]
"""By name, pairs of a number of cards and the seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question of the table, and the seconds in which it is to be answered."""

    name: str
    instance: Instance
    target_s: float


def cards(count: int, values: int, dimension: int, rng: random.Random) -> tuple[Card, ...]:
    """Return random cards with values drawn uniformly."""
    return tuple(tuple(rng.randrange(values) for _ in range(dimension)) for _ in range(count))


def partly_wild(hand: Sequence[Card], count: int, rng: random.Random) -> tuple[Card, ...]:
    """Return the hand with one coordinate of some cards wild."""
    changed: list[Card] = list(hand)
    for index in rng.sample(range(len(hand)), count):
        values: list[Value] = list(hand[index])
        values[rng.randrange(len(values))] = WILD
        changed[index] = tuple(values)
    return tuple(changed)


def supplied(count: int, offered: int, rng: random.Random) -> FillIn:
    """Return a hand with a supply at costs of 1 to 20."""
    own, supply = cards(count, count, 2, rng), cards(offered, count, 2, rng)
    return FillIn(own, supply=supply, costs=tuple(rng.randint(1, 20) for _ in supply))


def rows(seed: int) -> list[Row]:
    """Return the questions of the table, drawn with a seed."""
    rng = random.Random(seed)
    found = []
    for count, dimension, values, k, target_s in (
        (200, 3, 10, 2, 5.0),
        (600, 3, 20, 2, 10.0),
        (2000, 3, 40, 2, 60.0),
        (200, 4, 6, 3, 10.0),
        (300, 3, 300, 1, 3.0),
        (1000, 3, 1000, 1, 8.0),
    ):
        hand = FillIn(cards(count, values, dimension, rng), at_least=k)
        name = f"fill-in, {count} cards, D {dimension}, {values} values, k {k}"
        found.append(Row(name, hand, target_s))
    for count, wild, values, target_s in (
        (100, 5, 7, 20.0),
        (300, 10, 13, 60.0),
        (1000, 20, 25, 120.0),
    ):
        hand = FillIn(partly_wild(cards(count, values, 3, rng), wild, rng), at_least=2)
        name = f"fill-in, {count} cards, {wild} of them partly wild, D 3, {values} values, k 2"
        found.append(Row(name, hand, target_s))
    for count, offered, target_s in ((300, 1000, 5.0), (1000, 5000, 60.0)):
        name = f"fill-in, {count} cards, {count} values, supply of {offered} at 1 to 20"
        found.append(Row(name, supplied(count, offered, rng), target_s))
    for count, dimension, values, k, wild, target_s in (
        (300, 3, 300, 1, 0, 5.0),
        (600, 3, 20, 2, 0, 5.0),
        (1000, 3, 20, 2, 20, 30.0),
        (2000, 3, 40, 2, 0, 60.0),
    ):
        drawn = partly_wild(cards(count, values, dimension, rng), wild, rng)
        name = f"longest, {count} cards, D {dimension}, {values} values, k {k}"
        name += f", {wild} partly wild" if wild else ""
        found.append(Row(name, Longest(drawn, at_least=k), target_s))
    hands = tuple(partly_wild(cards(30, 5, 3, rng), 3, rng) for _ in range(2))
    name = "cooperative, 30 + 30 cards, 6 partly wild, D 3, 5 values, k 2"
    found.append(Row(name, Cooperative(hands, at_least=2), 10.0))
    hands = tuple(cards(200, 100, 2, rng) for _ in range(2))
    found.append(Row("cooperative, 200 + 200 cards, 100 values", Cooperative(hands), 30.0))
    return found


def matching_row(seed: int) -> list[str]:
    """Return the cells of the largest question: a duel, held against reading and checking it."""
    duel = generate("uncooperative", values=300_000, cards=300_000, seed=seed)
    text = json.dumps(question_to_dict(duel))
    began = time.perf_counter()
    duel = parse(text)
    read_s = time.perf_counter() - began
    taken_s, answer = timed(duel, math.inf)
    assert answer is not None  # noqa: S101
    began = time.perf_counter()
    assert not check(duel, answer)  # noqa: S101
    around_s = read_s + time.perf_counter() - began
    name = "uncooperative, 300,000 + 300,000 cards, 300,000 values"
    target = f"{4 * around_s:.1f} (4 x read + check)"
    return [name, outcome(answer), f"{answer.method}, -", f"{taken_s:.1f}", target]


def timed(instance: Instance, limit_s: float, **options: str) -> tuple[float, Answer | None]:
    """Return the seconds of an answer, and the answer; None if the method takes no such hand."""
    began = time.perf_counter()
    try:
        limit = None if limit_s == math.inf else limit_s
        answer = solve(instance, time_limit_s=limit, **options)  # type: ignore[arg-type]
    except NotAccepted:
        return 0.0, None
    return time.perf_counter() - began, answer


def outcome(answer: Answer) -> str:
    """Return the status, with the optimum or with bound and incumbent."""
    if answer.status is not Status.UNKNOWN:
        return str(answer.status) + (f" {answer.objective}" if answer.objective is not None else "")
    return f"UNKNOWN, incumbent {answer.objective}, bound {answer.bound}"


def ratio(taken_s: float, own_s: float, answer: Answer | None) -> str:
    """Return how many times as long a rival took; ``>`` if it reached the limit."""
    if answer is None:
        return "-"
    return f"{'>' if answer.status is Status.UNKNOWN else ''}{taken_s / own_s:.1f}"


def table(seed: int, limit_s: float, rivals: bool) -> list[str]:
    """Return the lines of the table of questions."""
    backends = RIVALS if rivals else ()
    heads = ["question", "answer", "method", "seconds", "target"]
    heads += [f"successor on {name}" for name in backends]
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|" + "---:|" * (2 + len(backends))]
    for row in rows(seed):
        taken_s, answer = timed(row.instance, limit_s)
        assert answer is not None  # noqa: S101
        cells = [row.name, outcome(answer), f"{answer.method}, {answer.backend or '-'}"]
        cells += [f"{taken_s:.1f}", f"{row.target_s:g}"]
        for backend in backends:
            if row.instance.size > RIVAL_CARDS:
                cells.append("-")
                continue
            rival_s = min(limit_s, RIVAL_LIMIT_S)
            theirs_s, theirs = timed(row.instance, rival_s, method="successor", backend=backend)
            cells.append(ratio(theirs_s, taken_s, theirs))
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    cells = [*matching_row(seed), *["-"] * len(backends)]
    lines.append(f"| {' | '.join(cells)} |")
    print(lines[-1], flush=True)
    return lines


def sizes(seed: int, limit_s: float) -> tuple[list[str], Curves]:
    """Return a table and the curves of seconds against size, for fill-in of four dimensions."""
    shapes = ((2, 1), (3, 2), (4, 3), (5, 4))
    heads = ["cards", *(f"D {dimension}, k {k}" for dimension, k in shapes)]
    curves: Curves = {head: [] for head in heads[1:]}
    lines = [f"| {' | '.join(heads)} |", "|---:" * len(heads) + "|"]
    for count in SIZES:
        cells = [str(count)]
        for head, (dimension, k) in zip(heads[1:], shapes, strict=True):
            rng = random.Random(seed + count)
            values = max(2, round((count / 0.9) ** (1 / k)))
            hand = FillIn(cards(count, values, dimension, rng), at_least=k)
            taken_s, answer = timed(hand, limit_s)
            assert answer is not None  # noqa: S101
            cells.append(f"{taken_s:.1f}" if answer.status is not Status.UNKNOWN else "-")
            if answer.status is not Status.UNKNOWN:
                curves[head].append((count, taken_s))
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines, curves


def plot(curves: Curves, path: Path) -> None:
    """Plot the curves."""
    with figure(path, "cards", "seconds", figsize=(7, 4.5)) as axes:
        for name, points in curves.items():
            axes.loglog(*zip(*points, strict=True), "o-", label=name)
        axes.set_title("Fill-in: seconds against cards")
        axes.set_xticks(SIZES, labels=[str(size) for size in SIZES])
        axes.minorticks_off()
        axes.legend()


HEAD = """# Hands of any dimension

Made by `scripts/bench_dimensions`{arguments}. Each question was answered once by the default
`solve` under a limit of {limit:g} s; the last columns say how many times as long the method
successor took (> if it reached its limit of {rival:g} s), on hands of up to {cards} cards. Cards
have values drawn uniformly with seed {seed}.
"""

SIZE_HEAD = """
## Seconds against size

Fill-in of random hands with about 0.9 cards for each hub of one choice of attributes; - is a run
that reached the limit.
"""


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each answer")
    parser.add_argument("--no-rivals", action="store_true", help="leave out the other methods")
    parser.add_argument("--out", type=Path, default=Path("results/dimensions.md"))
    given = parser.parse_args()
    arguments = f" --seed {given.seed} --limit {given.limit:g}"
    head = HEAD.format(
        arguments=arguments,
        limit=given.limit,
        cards=RIVAL_CARDS,
        seed=given.seed,
        rival=RIVAL_LIMIT_S,
    )
    lines = table(given.seed, given.limit, not given.no_rivals)
    table_of_sizes, curves = sizes(given.seed, given.limit)
    picture = given.out.with_suffix(".svg")
    plot(curves, picture)
    figure = f"\n![seconds against cards]({picture.name})"
    text = "\n".join([head, *lines, SIZE_HEAD, *table_of_sizes, figure])
    given.out.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
