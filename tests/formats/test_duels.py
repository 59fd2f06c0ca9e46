"""Uncooperative play for people: the tree of cards and answers, and duels on a pile."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import Card
from tests.support.drawing import deals, piles
from tests.support.examples import examples
from uno_csp import Status, Uncooperative, certify, parse, solve
from uno_csp.formats.console import human
from uno_csp.formats.strategy_text import SHOWN_LINES, tell_duel
from uno_csp.questions import Convention
from uno_csp.verifier import games
from uno_csp.verifier.cards import Question
from uno_csp.verifier.reading import Refused

REDS = [["R5", "R6"], ["R1", "R2"], ["R3", "R4"]]


def expected(hands: list[list[str]], convention: Convention, after: str | None = None) -> str:
    """What the console says of the strategy, without brackets."""
    asked = {"question": "uncooperative", "hands": hands, "convention": str(convention)}
    game = parse(asked if after is None else {**asked, "after": after})
    lines = human(game, solve(game)).plain.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    return "\n".join(line for line in lines[1:-1] if "[" in line)


def test_the_tree_of_a_duel() -> None:
    """Who is out first wins, or who can still discard."""
    hands = [["R5", "B7"], ["R1", "B5"]]
    assert expected(hands, Convention.EMPTY_HAND_WINS) == (
        "open with [blue 7]\n  on [blue 5] answer [red 5], which wins"
    )
    assert expected(hands, Convention.LAST_MOVER) == (
        "  on [red 5] answer [red 1]\n  on [blue 7] answer [blue 5]"
    )


def test_the_tree_of_three_players() -> None:
    lines = expected(REDS, Convention.EMPTY_HAND_WINS).splitlines()
    assert lines[0] == "open with [red 5]"
    assert lines[1] == "  on 2:[red 1] 3:[red 3] answer [red 6], which wins"
    assert len(lines) == 5
    coalition = expected(REDS, Convention.LAST_MOVER).splitlines()
    assert coalition[0] == "on [red 5] answer 2:[red 1] 3:[red 3]"


@examples(60)
@given(deals(players=2), st.sampled_from(Convention), piles())
def test_a_tree_wins_in_all_its_lines(
    dealt: tuple[tuple[Card, ...], ...], convention: Convention, after: Card | None
) -> None:
    game = Uncooperative(dealt, convention, after=after)
    answer = solve(game, method="game-search")
    strategy, wins = answer.strategy, answer.status is Status.SATISFIABLE
    assert strategy is not None
    lines = tell_duel(game, strategy, wins=wins).plain.splitlines()
    assert len(lines) <= SHOWN_LINES + 1
    if lines and not lines[-1].startswith("a strategy of"):
        depth = [len(line) - len(line.lstrip()) for line in lines]
        ends = [here >= below for here, below in zip(depth, [*depth[1:], 0], strict=True)]
        assert all(line.endswith("wins") == end for line, end in zip(lines, ends, strict=True))
    assert bool(lines) == bool(strategy["positions"])


def test_pairs_on_a_pile_are_certified_and_a_card_without_partner_is_refused(
    tmp_path: Path,
) -> None:
    """Blue 9 has no partner, and cannot come up."""
    asked = {
        "question": "uncooperative",
        "hands": [["R5", "B9"], ["R1", "G8"]],
        "after": "R0",
        "convention": "last-mover",
    }
    game = parse(asked)
    answer = certify(game, solve(game), tmp_path / "shown")
    assert answer.status is Status.UNSATISFIABLE
    assert answer.certificate is not None
    assert answer.certificate["kind"] == "pairs"
    assert answer.checked
    data = json.loads((tmp_path / "shown" / "question.json").read_text())
    assert games.check_pairs(Question(data), [[0, 0]])
    for pile in ("blue", "green"):
        with pytest.raises(Refused, match="can come up without a partner"):
            games.check_pairs(Question({**data, "after": [pile, 9]}), [[0, 0]])
    with pytest.raises(Refused, match="not each card of player 1 once"):
        games.check_pairs(
            Question({key: value for key, value in data.items() if key != "after"}), [[0, 0]]
        )
