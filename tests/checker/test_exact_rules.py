"""Refusals of the checker, word for word, and games that it must accept."""

import random
from typing import Any

import pytest

from tests.support.brute_force import match
from uno_csp import Answer, Play, Status, check
from uno_csp.checker import NOTHING, part_checked
from uno_csp.questions import Convention, Cooperative, FillIn, Instance, Longest, Uncooperative
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card

R5, R7, B7, B1, G1, WILD = (
    ("red", 5),
    ("red", 7),
    ("blue", 7),
    ("blue", 1),
    ("green", 1),
    ("*", "*"),
)
DUEL = Uncooperative((((1, 1), (1, 2)), ((1, 3), (2, 2))))
EMPTYING = Uncooperative(DUEL.hands, Convention.EMPTY_HAND_WINS)


def claim(question: str, status: str, bound: int | None = None, **parts: Any) -> Answer:
    loser = parts.pop("loser", None)
    return Answer(question, Status(status), Witness(**parts), bound, loser=loser)


@pytest.mark.parametrize(
    ("instance", "status", "bound", "parts", "expected"),
    [
        (
            Longest((R5,)),
            "UNKNOWN",
            0,
            {},
            "a single card is a sequence, so the bound is at least 1, not 0",
        ),
        (Longest((R5,), after=B7), "UNKNOWN", 0, {}, ""),
        (
            Longest((R5,), after=R7),
            "UNKNOWN",
            0,
            {},
            "a single card is a sequence, so the bound is at least 1, not 0",
        ),
        (
            Longest((R5,)),
            "UNKNOWN",
            -1,
            {},
            "the empty sequence is feasible, so the bound is not -1",
        ),
        (Longest((R5,)), "UNKNOWN", 1, {}, ""),
        (
            Longest((R5, R7)),
            "UNKNOWN",
            1,
            {"sequence": (R5, R7), "objective": 2},
            "2 cards are played, more than the bound 1",
        ),
        (Longest((R5, R7)), "UNKNOWN", 2, {"sequence": (R5, R7), "objective": 2}, ""),
        (
            Longest((R5, R7)),
            "UNKNOWN",
            2,
            {"sequence": (R5, R7), "objective": 1},
            "2 cards are played, the objective says 1",
        ),
        (FillIn((R5, B7)), "UNKNOWN", 2, {}, ""),
        (
            FillIn((R5, B7)),
            "UNKNOWN",
            3,
            {},
            "2 cards join any hand of this size, so the bound is not 3",
        ),
        (FillIn(((1, 1, 1), (2, 2, 2)), at_least=2), "UNKNOWN", 4, {}, ""),
        (
            FillIn(((1, 1, 1), (2, 2, 2)), at_least=2),
            "UNKNOWN",
            5,
            {},
            "4 cards join any hand of this size, so the bound is not 5",
        ),
        (FillIn(((1, 1, 1), (2, 2, 2)), at_least=2), "UNSATISFIABLE", None, {}, ""),
        (
            FillIn(((1, 1, 1, 1), (2, 2, 2, 2)), at_least=2),
            "UNSATISFIABLE",
            None,
            {},
            "any two cards can be joined by an added card, so the hand can be made playable",
        ),
        (FillIn(((1, 1), (2, 2)), at_least=2), "UNKNOWN", 99, {}, ""),
        (FillIn(()), "UNKNOWN", 1, {}, "0 cards join any hand of this size, so the bound is not 1"),
        (
            FillIn((R5, B7)),
            "UNKNOWN",
            1,
            {"sequence": (R5, R7, B7), "added": (R7,), "objective": 1},
            "",
        ),
        (
            FillIn((R5, B7), (R7,), (3,)),
            "UNKNOWN",
            4,
            {"sequence": (R5, R7, B7), "added": (R7,), "objective": 3},
            "the added cards cost 3, less than the bound 4",
        ),
        (
            FillIn((R5, B7), (R7,), (3,)),
            "UNKNOWN",
            3,
            {"sequence": (R5, R7, B7), "added": (R7,), "objective": 3},
            "",
        ),
        (
            FillIn((R5, B7), (R7,)),
            "OPTIMAL",
            2,
            {"sequence": (R5, R7, R7, B7), "added": (R7, R7), "objective": 2},
            "red 7 was added 2 times; the supply has 1",
        ),
        (
            FillIn((R5, B7)),
            "OPTIMAL",
            1,
            {"sequence": (R5, WILD, B7), "added": (WILD,), "objective": 1},
            "wild was added; without a supply no wild card may",
        ),
        (
            FillIn((R5, B7)),
            "OPTIMAL",
            1,
            {"sequence": (R5, ("red",), B7), "added": (("red",),), "objective": 1},
            "red has 1 attributes, not 2",
        ),
    ],
)
def test_bounds_and_costs(
    instance: Instance, status: str, bound: int | None, parts: dict[str, Any], expected: str
) -> None:
    found = check(instance, claim(instance.question, status, bound, **parts))
    assert [violation.message for violation in found] == [expected] * bool(expected)


def strategy(
    kind: str, status: str = "SATISFIABLE", loser: int | None = None, **parts: Any
) -> Answer:
    return claim("uncooperative", status, strategy={"kind": kind, **parts}, loser=loser)


@pytest.mark.parametrize(
    ("instance", "answer", "expected"),
    [
        (
            DUEL,
            strategy("matching", pairs=[], open=[1, 1]),
            "[1, 3] can come up without a partner",
        ),
        (
            DUEL,
            strategy("matching", pairs=[[[1, 1], [1, 3]]], open=[1, 1]),
            "[1, 1] is not an unpaired card",
        ),
        (
            DUEL,
            strategy("matching", pairs=[[[1, 1], [2, 2]]], open=[1, 2]),
            "[1, 1] does not match [2, 2]",
        ),
        (
            DUEL,
            strategy("matching", pairs=[[[1, 1], [1, 3]]] * 2, open=[1, 2]),
            "[1, 1] is in more pairs than player 1 has copies",
        ),
        (
            DUEL,
            strategy("matching", "UNSATISFIABLE", pairs=[[[1, 1], [1, 3]]]),
            "[1, 2] has no partner",
        ),
        (
            DUEL,
            strategy("matching", "UNSATISFIABLE", pairs=[[[1, 1], [1, 3]], [[1, 2], [2, 2]]]),
            "",
        ),
        (
            DUEL,
            strategy("matching", "UNSATISFIABLE", 1, pairs=[[[1, 1], [1, 3]], [[1, 2], [2, 2]]]),
            "",
        ),
        (
            EMPTYING,
            strategy("matching", pairs=[], open=[1, 1]),
            "[1, 3] can come up without a partner",
        ),
        (
            Uncooperative((*DUEL.hands, ((1, 1),))),
            strategy("matching", pairs=[], open=[1, 1]),
            "a matching decides two players only",
        ),
        (
            Uncooperative(DUEL.hands, after=(9, 9)),
            strategy("matching", pairs=[], open=[1, 1]),
            "[1, 1] does not match the pile",
        ),
        (
            Uncooperative(DUEL.hands, after=(9, 9)),
            strategy("matching", "UNSATISFIABLE", pairs=[]),
            "",
        ),
        (
            Uncooperative(DUEL.hands, after=(9, 2)),
            strategy("matching", "UNSATISFIABLE", pairs=[]),
            "[1, 2] can come up without a partner",
        ),
        (
            Uncooperative(((("*", 1),), ((2, "*"),))),
            strategy("matching", pairs=[], open=["*", 1]),
            "[2, '*'] can come up without a partner",
        ),
        (DUEL, strategy("matching", pairs=["ab"], open=[1, 1]), "it cannot be read"),
        (DUEL, strategy("opening", open=[1, 1]), ""),
        (DUEL, strategy("opening", open=[1, 3]), "player 1 does not hold [1, 3]"),
        (DUEL, strategy("opening", open="11"), "it cannot be read"),
        (DUEL, strategy("opening", "UNSATISFIABLE", open=[1, 1]), "only player 1 opens"),
        (Uncooperative(DUEL.hands, after=(9, 2)), strategy("opening", open=[1, 2]), ""),
        (
            Uncooperative(DUEL.hands, after=(9, 2)),
            strategy("opening", open=[1, 1]),
            "[1, 1] does not match the pile",
        ),
        (DUEL, strategy("positions", positions=[]), "no card for player 1 after the start"),
        (
            DUEL,
            strategy("positions", "UNSATISFIABLE", positions=[]),
            "no card for player 2 after [1, 2]",
        ),
        (EMPTYING, strategy("luck"), "'luck' is not a kind of strategy"),
        (DUEL, strategy("opening", loser=2, open=[1, 1]), ""),
        (DUEL, strategy("opening", loser=3, open=[1, 1]), "there is no player 3"),
        (DUEL, strategy("opening", loser=0, open=[1, 1]), "there is no player 0"),
        (DUEL, strategy("opening", loser=1, open=[1, 1]), "SATISFIABLE, and the loser is player 1"),
        (
            DUEL,
            strategy("opening", "UNSATISFIABLE", 2, open=[1, 1]),
            "UNSATISFIABLE, and the loser is player 2",
        ),
    ],
)
def test_strategies(instance: Uncooperative, answer: Answer, expected: str) -> None:
    found = check(instance, answer)
    assert [violation.message for violation in found] == [expected] * bool(expected)


LONE = Uncooperative((((1, 1),), ((1, 2),)))


@pytest.mark.parametrize(
    ("convention", "status", "expected"),
    [
        ("last-mover", "SATISFIABLE", "no card for player 1 after [1, 2]"),
        ("last-mover", "UNSATISFIABLE", ""),
        ("empty-hand-wins", "SATISFIABLE", ""),
        ("empty-hand-wins", "UNSATISFIABLE", "player 1 wins with [1, 1]"),
    ],
)
def test_a_game_ends_by_its_convention(convention: str, status: str, expected: str) -> None:
    game = Uncooperative(LONE.hands, Convention(convention))
    moves = [
        {"player": 1, "last": None, "hands": [[[1, 1]], [[1, 2]]], "play": [1, 1]},
        {"player": 2, "last": [1, 1], "hands": [[], [[1, 2]]], "play": [1, 2]},
    ]
    found = check(game, strategy("positions", status, positions=moves))
    assert [violation.message for violation in found] == [expected] * bool(expected)


def test_the_part_that_is_checked_is_named() -> None:
    for parts, name in (
        ({}, NOTHING),
        ({"strategy": {"kind": "opening"}}, NOTHING),
        ({"strategy": {"kind": "matching"}}, "strategy"),
        ({"plays": (Play(1, R5),)}, "plays"),
        ({"sequence": (R5,)}, "sequence"),
    ):
        assert part_checked(claim("any", "UNKNOWN", **parts)) == name


def replayed(game: Cooperative, plays: list[Play]) -> str:
    """Return the rule that a game breaks, by the rules as they stand in the paper; "" if none."""
    left, last, turn = [list(hand) for hand in game.hands], game.after, 1
    for place, (player, card) in enumerate((play.player, play.card) for play in plays):
        while turn != player:
            if any(last is None or match(last, other, game.at_least) for other in left[turn - 1]):
                return "skip"
            turn = turn % len(left) + 1
        if card not in left[player - 1]:
            return "hand"
        if last is not None and not match(last, card, game.at_least):
            return "match" if place else "opening"
        left[player - 1].remove(card)
        if not left[player - 1]:
            return "goal" if player != 1 or place + 1 < len(plays) else ""
        last, turn = card, turn % len(left) + 1
    return "goal"


@pytest.mark.parametrize(("dimension", "at_least"), [(2, 1), (3, 1), (3, 2), (12, 6)])
def test_games_together_are_judged_as_a_plain_replay_does(dimension: int, at_least: int) -> None:
    """With twelve attributes a card has more keys than it is indexed by."""
    rng = random.Random(dimension + at_least)
    verdicts = set()
    for _ in range(400):
        values: list[int | str] = ["*", 1, 2, 3] if rng.random() < 0.3 else [1, 2, 3]
        deck: list[Card] = [tuple(rng.choice(values) for _ in range(dimension)) for _ in range(8)]
        deck = [card if set(card) != {"*"} else (1,) * dimension for card in deck]
        players = rng.randint(2, 3)
        game = Cooperative(
            tuple(tuple(deck[at::players]) for at in range(players)),
            after=rng.choice([None, (2,) * dimension]),
            at_least=at_least,
        )
        plays: list[Play] = []
        left = [list(hand) for hand in game.hands]
        last, turn = game.after, 1
        while all(left) and len(plays) < 20:
            legal = [c for c in left[turn - 1] if last is None or match(last, c, at_least)]
            if rng.random() < 0.03:
                legal = left[turn - 1]
            if legal and rng.random() < 0.97:
                last = rng.choice(legal)
                left[turn - 1].remove(last)
                plays.append(Play(turn, last))
            elif not any(match(last, c, at_least) for h in left for c in h if last is not None):
                break
            turn = turn % players + 1
        expected = replayed(game, plays)
        found = check(game, claim("cooperative", "SATISFIABLE", plays=tuple(plays)))
        assert [violation.rule for violation in found] == [expected] * bool(expected)
        verdicts.add(expected)
    assert {"", "goal", "skip", "match"} <= verdicts
