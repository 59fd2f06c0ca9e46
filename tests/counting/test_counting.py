"""Counts, lists and samples of plays, against all permutations and one method against another."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import factorial
from typing import Any

import pytest
from hypothesis import given

import uno_csp
from tests.support.brute_force import sequences
from tests.support.drawing import drawn, hands
from tests.support.examples import examples
from tests.support.running import Capture, Patch, answered, refused, run
from uno_csp import CheckFailed, FillIn, InstanceError, Longest, NotAccepted, Status, Uno1
from uno_csp.counting import (
    METHODS,
    answering,
    arborescences,
    enumerating,
    eulerian,
    frontier,
    table,
)
from uno_csp.counting.eulerian import declines
from uno_csp.counting.kinds import kinds_of
from uno_csp.processes.deadline import Deadline, TimeUp
from uno_csp.questions.cards import Card, matches

Play = tuple[Card, ...]


def permuted(hand: Uno1 | Longest, size: int | None = None) -> set[Play]:
    """All plays of that many cards, by trying every permutation."""
    return {*sequences(hand.cards, hand.at_least, hand.after, size)}


def official(rng: random.Random, size: int, *, numbers: bool = False) -> Uno1:
    """A hand of the official deck, or of its cards with numbers."""
    cards: list[Card] = []
    for colour, symbol in product("RYGB", range(10 if numbers else 13)):
        cards += [(colour, symbol)] * (2 if symbol else 1)
    cards += [] if numbers else [("*", "*")] * 8
    return Uno1(tuple(rng.sample(cards, size)))


def test_every_method_counts_all_permutations() -> None:
    applied: Counter[str] = Counter()
    for number, hand in enumerate(
        drawn(hands(max_cards=6) | hands(max_cards=6, wild="partial"), 50)
    ):
        expected = permuted(hand)
        for method in METHODS:
            if method == "eulerian" and declines(hand) is not None:
                continue
            if method == "models" and number % 10:
                continue  # each takes a process
            answer = uno_csp.count(hand, method)
            assert (answer.status, answer.objective) == (Status.OPTIMAL, len(expected)), hand
            assert answer.checked
            assert answer.method == method
            applied[method] += 1
            if answer.first is not None:
                begins = Counter(play[0] for play in expected if play)
                assert {card: n for card, n in answer.first.items() if n} == begins
        listed = list(uno_csp.plays(hand))
        assert set(listed) == expected
        assert len(listed) == len(expected)
        place = {card: index for index, card in enumerate(dict.fromkeys(hand.cards))}
        assert listed == sorted(listed, key=lambda play: [place[card] for card in play])
    assert applied["eulerian"] > 3
    assert applied["frontier"] == 50
    assert applied["models"] == 5


@pytest.mark.parametrize("seed", range(3))
def test_two_methods_agree_on_dealt_hands(seed: int) -> None:
    rng = random.Random(seed)
    for size in (12, 16, 19):
        hand = official(rng, size)
        methods = ("table", "eulerian", *(["frontier"] if size < 16 else []))
        assert len({uno_csp.count(hand, method).objective for method in methods}) == 1, hand


def test_numbers_beyond_64_bits() -> None:
    """36 cards of nine kinds in four copies: the table by remainders, trails by matrices."""
    rng = random.Random(4)
    kinds = [(colour, symbol) for colour in range(3) for symbol in range(3)]
    few = Uno1(tuple(kind for kind in kinds[:5] for _ in range(6)))
    one, two = (uno_csp.count(few, method).objective for method in ("table", "eulerian"))
    assert one == two
    assert one is not None
    alike = Uno1(tuple((0, number) for number in range(30)))
    assert uno_csp.count(alike).objective == 265252859812191058636308480000000  # 30!
    assert uno_csp.count(alike).to_dict()["objective"] == "265252859812191058636308480000000"
    answer = uno_csp.count(official(rng, 30))
    assert answer.status is Status.OPTIMAL
    assert answer.objective is not None
    assert answer.objective > 10**12


def without_frontier(monkeypatch: Patch) -> None:
    monkeypatch.setattr(frontier, "MOST_TYPES", -1)


def test_what_is_too_large_is_unknown(monkeypatch: Patch) -> None:
    rng = random.Random(1)
    hand = Uno1(tuple((*map(rng.randrange, (5, 5, 5)),) for _ in range(40)))
    answer = uno_csp.count(hand)
    assert answer.status is Status.UNKNOWN
    assert answer.objective is None
    assert answer.bound == answering.BOUND_PLAYS
    assert "11 types, more than 10" in answer.reason
    monkeypatch.setattr(answering, "_tries", lambda *_: [("eulerian", 0)])
    monkeypatch.setattr(eulerian, "MOST_WAYS", 50)
    answer = uno_csp.count(official(random.Random(0), 30))
    assert answer.status is Status.UNKNOWN
    assert "more than 50 matrices" in answer.reason
    monkeypatch.undo()
    for module, limit, said in (
        (eulerian, "MOST_WORK", "products of minors"),
        (arborescences, "MOST_MATRICES", "more than 50 matrices of arcs"),
        (arborescences, "MOST_PRODUCTS", "more than 50 sums of matrices"),
        (arborescences, "MOST_ENTRIES", "more than 50 minors"),
    ):
        monkeypatch.setattr(answering, "_tries", lambda *_: [("eulerian", 0)])
        monkeypatch.setattr(module, limit, 50)
        assert said in uno_csp.count(official(random.Random(0), 30)).reason
        monkeypatch.undo()


def test_a_large_hand_with_few_plays_is_counted_by_listing_them(monkeypatch: Patch) -> None:
    without_frontier(monkeypatch)
    apart = tuple((number, number, number) for number in range(40))
    answer = uno_csp.count(Uno1(apart))
    assert (answer.status, answer.objective, answer.method) == (Status.OPTIMAL, 0, "enumeration")


def test_the_table_stands_in_for_too_many_trails(monkeypatch: Patch) -> None:
    without_frontier(monkeypatch)
    monkeypatch.setattr(answering, "FEW_CELLS", 10)
    monkeypatch.setattr(eulerian, "MOST_WORK", 1)
    answer = uno_csp.count(official(random.Random(0), 12))
    assert (answer.status, answer.method) == (Status.OPTIMAL, "table")


def test_the_checker_finds_a_wrong_count(monkeypatch: Patch) -> None:
    monkeypatch.setattr(table.Table, "total", 7)
    with pytest.raises(CheckFailed, match="the checker counts 2 plays, not 7"):
        uno_csp.count("R1 R2 B2")


@examples(15)
@given(hands(max_cards=5).filter(lambda hand: all(len(card) == 2 for card in hand.cards)))
def test_all_smallest_sets_of_added_cards_are_listed(hand: Uno1) -> None:
    values = [{card[at] for card in hand.cards} - {"*"} for at in (0, 1)]
    everything = sorted(product(*values), key=repr)
    if hand.after is None and 0 < len(hand.cards) < 5 and all(values):
        found = ((n, _enough(hand, combinations_with_replacement(everything, n))) for n in range(4))
        fewest, expected = next((pair for pair in found if pair[1]), (-1, set()))
        question = FillIn(hand.cards, at_least=hand.at_least)
        if uno_csp.solve(question).objective == fewest:
            assert {_sorted(added) for added in uno_csp.plays(question)} == expected


def _enough(hand: Uno1, sets: Iterable[Play]) -> set[Play]:
    at_least = hand.at_least
    return {_sorted(s) for s in sets if permuted(Uno1((*hand.cards, *s), at_least=at_least))}


def _sorted(cards: Play) -> Play:
    return tuple(sorted(cards, key=repr))


def test_the_cheapest_sets_of_a_supply() -> None:
    supply = (("red", 2), ("red", 2), ("red", 3), ("blue", 1))
    question = FillIn((("red", 1), ("blue", 2)), supply=supply, costs=(4, 1, 2, 1))
    assert list(uno_csp.plays(question)) == [(("red", 2),), (("blue", 1),)]
    every = [s for size in range(5) for s in combinations(range(4), size)]
    playable = [s for s in every if permuted(Uno1((*question.cards, *(supply[i] for i in s))))]
    assert min(sum((4, 1, 2, 1)[i] for i in s) for s in playable) == 1


def test_a_large_number_of_plays_is_sampled() -> None:
    hand = Uno1(tuple((number % 2, number % 3) for number in range(40)))
    found = uno_csp.sample(hand, 20, seed=2)
    assert found == uno_csp.sample(hand, 20, seed=2)
    for play in found:
        assert Counter(play) == Counter(hand.cards)
        assert all(matches(a, b) for a, b in pairwise(play))


def test_a_count_is_a_value() -> None:
    answer = uno_csp.count("R1 R2 B2")
    assert answer.first
    assert hash(answer) == hash(replace(answer))


def test_empty_hands() -> None:
    empty = Uno1(())
    assert [
        uno_csp.count(empty, method).objective for method in ("table", "frontier", "models")
    ] == [1, 1, 1]
    assert list(uno_csp.plays(empty)) == [()]
    assert uno_csp.sample(empty, 2) == [(), ()]


LATE = "the time limit of 1e-09 s ended while "


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: uno_csp.count(Longest(())), InstanceError, "counted of uno-1, not of longest"),
        (lambda: uno_csp.plays(uno_csp.generate("open-game", seed=1)), InstanceError, "listed of"),
        (lambda: uno_csp.sample("R1", -1), InstanceError, "-1 is not allowed"),
        (lambda: uno_csp.count("R1", "dp"), LookupError, 'no counting method is called "dp"'),
        (lambda: uno_csp.count(Uno1(((1, 2, 3),)), "eulerian"), NotAccepted, "one has to agree"),
        (lambda: uno_csp.count(Uno1(((1, 2),) * 13), "models"), NotAccepted, "up to 12 cards"),
        (lambda: uno_csp.sample("R1 B2"), NotAccepted, "no play"),
        (lambda: list(uno_csp.plays("R1 R2 B2", time_limit_s=1e-9)), NotAccepted, LATE),
        (lambda: uno_csp.sample("R1 R2 B2", time_limit_s=1e-9), NotAccepted, LATE),
        (lambda: uno_csp.puzzle(time_limit_s=1e-9), NotAccepted, LATE),
    ],
)
def test_what_cannot_be_answered_is_said(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_search_for_plays_has_a_limit_of_steps(monkeypatch: Patch) -> None:
    monkeypatch.setattr(enumerating, "MOST_DEAD", 0)
    apart = Uno1(tuple((c, n) for c in range(4) for n in range(c, 13, 3)))
    with pytest.raises(NotAccepted, match="the search ended after 10 steps"):
        list(enumerating.plays_of(apart, len(apart.cards), most_steps=10))


def test_a_large_supply_is_searched_without_recursion() -> None:
    supply = tuple((1, value) for value in range(10, 1500))
    question = FillIn(((1, 1), (2, 2)), (*supply, (1, 2)))
    assert list(uno_csp.plays(question)) == [((1, 2),)]


def test_values_where_the_hand_has_wild_ones_only() -> None:
    question = FillIn((("*", 1, 1), ("*", 2, 2)), at_least=2)
    assert list(uno_csp.plays(question)) == [((0, 1, 2),), ((0, 2, 1),)]


def test_a_no_is_zero_with_its_reason() -> None:
    for size in (3, 70):
        hand = Uno1(tuple((hub, 100 * hub + n) for hub in (0, 1) for n in range(size)))
        answer = uno_csp.count(hand)
        assert (answer.status, answer.objective) == (Status.OPTIMAL, 0)
        assert "2 groups" in answer.reason
        assert list(uno_csp.plays(hand)) == []
        with pytest.raises(NotAccepted, match="no play"):
            uno_csp.sample(hand)


def test_a_yes_is_one_play_or_two(monkeypatch: Patch) -> None:
    monkeypatch.setattr(answering, "_tries", lambda *_: [("table", 0)])
    monkeypatch.setattr(answering, "refusal", lambda *_: "too large")
    monkeypatch.setattr(answering, "BOUND_STEPS", 1)
    bounds = {"R1 R2 B2": 2, "R1 R1 R1": 1, "R1 R2": 2}
    for text, bound in bounds.items():
        answer = uno_csp.count(text)
        assert (answer.status, answer.bound, answer.reason) == (Status.UNKNOWN, bound, "too large")
    after = Uno1((("red", 1), ("red", 2)), after=("red", 3))
    assert uno_csp.count(after).bound == 1


@pytest.mark.parametrize("patience", [0, 200])
def test_the_oracle_leads_to_every_play(monkeypatch: Patch, patience: int) -> None:
    monkeypatch.setattr(enumerating, "PATIENCE", patience - 10)
    for hand in drawn(hands(max_cards=5) | hands(max_cards=5, wild="partial"), 60):
        assert set(uno_csp.plays(hand)) == permuted(hand)
        longest = Longest(hand.cards, at_least=hand.at_least, after=hand.after)
        best = max(size for size in range(len(hand.cards) + 1) if permuted(longest, size))
        assert set(uno_csp.plays(longest)) == permuted(longest, best)


def test_a_list_begins_at_once_where_dead_ends_are_many() -> None:
    """Three colours of 20 cards that share two numbers each; the shared ones come last."""
    own = [(colour, 100 * colour + number) for colour in range(3) for number in range(20)]
    shared = [
        (colour + end, 1000 + 2 * colour + n) for colour in (0, 1) for n in (0, 1) for end in (0, 1)
    ]
    cards = [*own, *shared]
    random.Random(5).shuffle(cards)
    each = uno_csp.plays(Uno1(tuple(cards)))
    assert len({next(each) for _ in range(3)}) == 3


@pytest.mark.parametrize("method", [None, *METHODS])
def test_a_count_at_its_time_limit_is_unknown(method: str | None) -> None:
    answer = uno_csp.count("R1 R2 B2", method, time_limit_s=1e-9)
    assert (answer.status, answer.objective, answer.bound) == (Status.UNKNOWN, None, 2)
    assert answer.reason == "the time limit of 1e-09 s ended while counting plays"
    with pytest.raises(NotAccepted, match="must be positive"):
        uno_csp.count("R1", method, time_limit_s=-1)


@pytest.mark.parametrize("method", [table.Table, frontier.Frontier])
def test_a_method_looks_at_its_deadline_where_nothing_interrupts_it(method: type[Any]) -> None:
    with pytest.raises(TimeUp):
        method(kinds_of(official(random.Random(0), 16)), Deadline(0.0))


def grid(rows: int, columns: int) -> Uno1:
    """Cards that are the edges of a grid: the hubs are its vertices."""
    edges = [
        ((i, j), (i + down, j + 1 - down))
        for i in range(rows)
        for j in range(columns)
        for down in (0, 1)
        if i + down < rows and j + 1 - down < columns
    ]
    return Uno1(tuple(tuple(map(str, sorted(edge, key=lambda at: sum(at) % 2))) for edge in edges))


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        (grid(2, 8), 24_432),
        (grid(2, 10), 188_416),
        (grid(2, 40), 112_184_175_508_310_384),
        (grid(3, 8), 2_457_668_608),
        (Uno1(tuple((0, number) for number in range(600))), factorial(600)),
        (
            Uno1(tuple((c, n and 100 * c + n) for c in (0, 1) for n in range(70))),
            2 * factorial(69) ** 2,
        ),
    ],
)
def test_large_hands_of_small_width_are_counted(hand: Uno1, plays: int) -> None:
    answer = uno_csp.count(hand)
    assert (answer.objective, answer.method) == (plays, "frontier")
    for play in uno_csp.sample(hand, 2, seed=1):
        assert Counter(play) == Counter(hand.cards)
    if answer.first is not None:
        assert sum(answer.first.values()) == plays


def test_numbers_of_more_digits_than_python_prints() -> None:
    answer = uno_csp.count(Uno1(tuple((0, number) for number in range(1600))))
    assert answer.objective == factorial(1600)
    assert len(answer.to_dict()["objective"]) > 4300


def test_plays_are_drawn_uniformly_from_the_frontier() -> None:
    """Chi-square: beyond five standard deviations once in many thousands of runs."""
    drawings = 0
    for hand in drawn(hands(max_cards=6) | hands(max_cards=6, wild="partial"), 60):
        expected, tables = permuted(hand), frontier.Frontier(kinds_of(hand), kept=True)
        if not 1 < len(expected) < 100 or not hand.cards:
            continue
        drawings += 1
        seen = Counter(tables.sample(random.Random(1), 30 * len(expected))) if tables.total else {}
        assert set(seen) <= expected
        free = len(expected) - 1
        square = sum((seen[play] - 30) ** 2 / 30 for play in expected)
        assert square < free + 5 * (2 * free) ** 0.5 + 12
    assert drawings > 10


def test_the_commands_of_counting(capsys: Capture) -> None:
    said = answered(30, "count R1 R2 B2 W").splitlines()
    assert said[0] == "12 plays"
    assert said[1].endswith(", checked")
    assert said[2] == "beginning with red 1 33%, blue 2 33%, red 2 17%, wild 17%"
    assert json.loads(answered(30, "count R1 B2 --format json"))["objective"] == 0
    assert "table" in refused("count R1 --method tables")
    assert run("enumerate R1 R2 B2") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["[red 1] [red 2] [blue 2]", "[blue 2] [red 2] [red 1]"]
    assert "2 answers, and no more" in shown.err
    for code, line, count in (
        (1, "enumerate R1 R2 R3 --limit 2", 2),
        (0, "enumerate --question fill-in R1 B2", 2),
        (0, "sample R1 R2 B2 --count 3 --seed 4", 3),
    ):
        found = json.loads(answered(code, f"{line} --format json"))
        assert (len(found["plays"]), found.get("complete", True)) == (count, code == 0)
    assert "no play" in refused("sample R1 B2")
