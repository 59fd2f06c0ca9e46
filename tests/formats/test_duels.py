"""Uncooperative play for people: the tree of cards and answers, and duels on a pile."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import Card
from tests.support.drawing import deals, piles
from tests.support.examples import examples
from uno_csp import Status, Uncooperative, parse, solve
from uno_csp.formats.console import human
from uno_csp.formats.strategy_text import SHOWN_LINES, tell_duel
from uno_csp.questions import Convention

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
