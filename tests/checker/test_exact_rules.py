"""Refusals of the checker, word for word, and games that it must accept."""

import random
from typing import Any

import pytest

from tests.support.brute_force import match
from uno_csp import Answer, Play, Status, check, parse
from uno_csp.checker import NOTHING, part_checked
from uno_csp.questions import Convention, Cooperative, FillIn, Instance, Longest, Uncooperative
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card

R5, R7, B7, B1, G1, WILD = parse("R5 R7 B7 B1 G1 W").cards
YES, LOST = "SATISFIABLE", "UNSATISFIABLE"
PAIR = [[1, 1], [1, 3]]
DUEL = Uncooperative((((1, 1), (1, 2)), ((1, 3), (2, 2))))
DEAD, PILED = (Uncooperative(DUEL.hands, after=(9, number)) for number in (9, 2))
EMPTYING = Uncooperative(DUEL.hands, Convention.EMPTY_HAND_WINS)


def claim(question: str, status: str, bound: int | None = None, **parts: Any) -> Answer:
    loser = parts.pop("loser", None)
    return Answer(question, Status(status), Witness(**parts), bound, loser=loser)


Case = tuple[Instance, Answer, str]
"""A question, a claim about it, and what the checker says; nothing where it accepts the claim."""


def limit(instance: Instance, bound: int, said: str = "", **parts: Any) -> Case:
    """A bound without a proof, perhaps with an answer beside it."""
    return instance, claim(instance.question, "UNKNOWN", bound, **parts), said


def added(instance: FillIn, objective: int, said: str, *sequence: Card) -> Case:
    """An optimum for which all but the first card and the last are added."""
    parts = {"sequence": sequence, "added": sequence[1:-1], "objective": objective}
    return instance, claim("fill-in", "OPTIMAL", objective, **parts), said


ONE_CARD = "a single card is a sequence, so the bound is at least 1, not 0"
TWO: dict[str, Any] = {"sequence": (R5, R7), "objective": 2}
JOINED: dict[str, Any] = {"sequence": (R5, R7, B7), "added": (R7,)}
FAR, FARTHER = (FillIn(((1,) * width, (2,) * width), at_least=2) for width in (3, 4))
PRICED = FillIn((R5, B7), (R7,), (3,))
NO = claim("fill-in", "UNSATISFIABLE")


@pytest.mark.parametrize(
    ("instance", "answer", "expected"),
    [
        limit(Longest((R5,)), 0, ONE_CARD),
        limit(Longest((R5,), after=B7), 0),
        limit(Longest((R5,), after=R7), 0, ONE_CARD),
        limit(Longest((R5,)), -1, "the empty sequence is feasible, so the bound is not -1"),
        limit(Longest((R5,)), 1),
        limit(Longest((R5, R7)), 1, "2 cards are played, more than the bound 1", **TWO),
        limit(Longest((R5, R7)), 2, **TWO),
        limit(
            Longest((R5, R7)),
            2,
            "2 cards are played, the objective says 1",
            sequence=(R5, R7),
            objective=1,
        ),
        limit(FillIn((R5, B7)), 2),
        limit(FillIn((R5, B7)), 3, "2 cards join any hand of this size, so the bound is not 3"),
        limit(FAR, 4),
        limit(FAR, 5, "4 cards join any hand of this size, so the bound is not 5"),
        (FAR, NO, ""),
        (
            FARTHER,
            NO,
            "any two cards can be joined by an added card, so the hand can be made playable",
        ),
        limit(FillIn(((1, 1), (2, 2)), at_least=2), 99),
        limit(FillIn(()), 1, "0 cards join any hand of this size, so the bound is not 1"),
        limit(FillIn((R5, B7)), 1, **JOINED, objective=1),
        limit(PRICED, 4, "the added cards cost 3, less than the bound 4", **JOINED, objective=3),
        limit(PRICED, 3, **JOINED, objective=3),
        added(
            FillIn((R5, B7), (R7,)), 2, "red 7 was added 2 times; the supply has 1", R5, R7, R7, B7
        ),
        added(
            FillIn((R5, B7)), 1, "wild was added; without a supply no wild card may", R5, WILD, B7
        ),
        added(FillIn((R5, B7)), 1, "red has 1 attributes, not 2", R5, ("red",), B7),
    ],
)
def test_bounds_and_costs(instance: Instance, answer: Answer, expected: str) -> None:
    assert said_of(instance, answer) == [expected] * bool(expected)


def said_of(instance: Instance, answer: Answer) -> list[str]:
    return [violation.message for violation in check(instance, answer)]


def strategy(kind: str, status: str = YES, loser: int | None = None, **parts: Any) -> Answer:
    return claim("uncooperative", status, strategy={"kind": kind, **parts}, loser=loser)


def matching(status: str, *pairs: Any, opens: Any = None, loser: int | None = None) -> Answer:
    parts = {"pairs": [*pairs]} if opens is None else {"pairs": [*pairs], "open": opens}
    return strategy("matching", status, loser, **parts)


def opening(card: Any, status: str = YES, loser: int | None = None) -> Answer:
    return strategy("opening", status, loser, open=card)


@pytest.mark.parametrize(
    ("instance", "answer", "expected"),
    [
        (DUEL, matching(YES, opens=[1, 1]), "[1, 3] can come up without a partner"),
        (DUEL, matching(YES, PAIR, opens=[1, 1]), "[1, 1] is not an unpaired card"),
        (DUEL, matching(YES, [[1, 1], [2, 2]], opens=[1, 2]), "[1, 1] does not match [2, 2]"),
        (
            DUEL,
            matching(YES, PAIR, PAIR, opens=[1, 2]),
            "[1, 1] is in more pairs than player 1 has copies",
        ),
        (DUEL, matching(LOST, PAIR), "[1, 2] has no partner"),
        (DUEL, matching(LOST, PAIR, [[1, 2], [2, 2]]), ""),
        (DUEL, matching(LOST, PAIR, [[1, 2], [2, 2]], loser=1), ""),
        (EMPTYING, matching(YES, opens=[1, 1]), "[1, 3] can come up without a partner"),
        (
            Uncooperative((*DUEL.hands, ((1, 1),))),
            matching(YES, opens=[1, 1]),
            "a matching decides two players only",
        ),
        (DEAD, matching(YES, opens=[1, 1]), "[1, 1] does not match the pile"),
        (DEAD, matching(LOST), ""),
        (PILED, matching(LOST), "[1, 2] can come up without a partner"),
        (
            Uncooperative(((("*", 1),), ((2, "*"),))),
            matching(YES, opens=["*", 1]),
            "[2, '*'] can come up without a partner",
        ),
        (DUEL, matching(YES, "ab", opens=[1, 1]), "it cannot be read"),
        (DUEL, opening([1, 1]), ""),
        (DUEL, opening([1, 3]), "player 1 does not hold [1, 3]"),
        (DUEL, opening("11"), "it cannot be read"),
        (DUEL, opening([1, 1], LOST), "only player 1 opens"),
        (PILED, opening([1, 2]), ""),
        (PILED, opening([1, 1]), "[1, 1] does not match the pile"),
        (DUEL, strategy("positions", positions=[]), "no card for player 1 after the start"),
        (DUEL, strategy("positions", LOST, positions=[]), "no card for player 2 after [1, 2]"),
        (EMPTYING, strategy("luck"), "'luck' is not a kind of strategy"),
        (DUEL, opening([1, 1], loser=2), ""),
        (DUEL, opening([1, 1], loser=3), "there is no player 3"),
        (DUEL, opening([1, 1], loser=0), "there is no player 0"),
        (DUEL, opening([1, 1], loser=1), "SATISFIABLE, and the loser is player 1"),
        (DUEL, opening([1, 1], LOST, 2), "UNSATISFIABLE, and the loser is player 2"),
    ],
)
def test_strategies(instance: Uncooperative, answer: Answer, expected: str) -> None:
    assert said_of(instance, answer) == [expected] * bool(expected)


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
    found = said_of(game, strategy("positions", status, positions=moves))
    assert found == [expected] * bool(expected)


def test_what_is_wrong_with_a_real_game_is_wrong_with_the_whole_answer() -> None:
    game = parse({"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"})
    for answer, rule in (
        (claim("open-game", YES, strategy={"winner": 1, "kind": "luck"}), "strategy"),
        (claim("open-game", YES, 1), "objective"),
    ):
        assert [(each.rule, each.step) for each in check(game, answer)] == [(rule, 0)]


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
