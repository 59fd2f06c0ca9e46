"""The reasons, bounds and limits of the reduction steps, word for word and at their borders."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.tables import table
from uno_csp import Cooperative, FillIn, Longest, Uno1, parse
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.cards import Hand
from uno_csp.reductions import Decided, is_dense, reduce
from uno_csp.reductions.bounds import known_bound
from uno_csp.reductions.dead_ends import refute_by_dead_ends, refute_by_lack_of_help
from uno_csp.reductions.duplicates import drop_surplus_copies
from uno_csp.reductions.groups import refute_by_groups
from uno_csp.reductions.lonely_cards import refute_by_lonely_cards
from uno_csp.reductions.private_hubs import merge_pendant_cards
from uno_csp.reductions.trivial import play_solitaire, settle_without_play
from uno_csp.reductions.wild_cards import settle_with_wild_cards

WILD = ("*", "*")


def legs(count: int) -> Hand:
    """Return a hand with as many dead ends, each of which one card leads to from hub 0."""
    leg = ((0, 0), (1, 0), (1, 100), (1, 0))
    return tuple((i * card[0], i + card[1]) for i in range(1, count + 1) for card in leg)


def reason(found: Decided | None) -> str:
    assert found is None or found.witness is None
    return found.reason if found else ""


@pytest.mark.parametrize(
    ("count", "wilds", "listed", "needed", "joints"), table("reductions", "dead ends")
)
def test_dead_ends_are_named(count: int, wilds: int, listed: str, needed: int, joints: str) -> None:
    cards = (*legs(count), *[WILD] * wilds)
    said = (
        f"{count} parts of the hand are dead ends, which only one card leads to ({listed}), and "
        f"each of them holds an end of a sequence; at least {needed} sequences are needed{joints}"
    )
    assert reason(refute_by_dead_ends(Uno1(cards))) == said
    assert refute_by_dead_ends(Uno1((*cards, *[WILD] * (needed - 1 - wilds)))) is None
    piled = refute_by_dead_ends(Uno1(cards, after=(100 + count, 0)))
    assert reason(piled).startswith("with the card on the pile, ")
    wild_pile = refute_by_dead_ends(Uno1(cards, after=WILD))
    assert reason(wild_pile) == said


@pytest.mark.parametrize(("wilds", "after", "said"), table("reductions", "four groups"))
def test_groups_are_counted(wilds: int, after: Any, said: str) -> None:
    cards = ((1, 1), (2, 2), (3, 3), (4, 4))
    found = refute_by_groups(Uno1((*cards, *[WILD] * wilds), after=after))
    apart = "cards of different groups agree in no attribute"
    assert reason(found) == said.format(apart, "1 1 and 2 2 are in different ones")
    enough = 4 if after else 3
    assert refute_by_groups(Uno1((*cards, *[WILD] * enough), after=after)) is None
    assert refute_by_groups(Uno1((*cards, *[WILD] * (enough - 1)), after=after)) is not None
    assert refute_by_groups(Uno1((WILD,))) is None


@pytest.mark.parametrize(
    ("refute", "question", "said"),
    [
        *((refute_by_lack_of_help, *row) for row in table("reductions", "lack of help")),
        *((refute_by_lonely_cards, *row) for row in table("reductions", "lonely cards")),
    ],
)
def test_hands_together_are_refuted(
    refute: Callable[[Any], Decided | None], question: dict[str, Any], said: str
) -> None:
    assert reason(refute(parse(question))) == said


@pytest.mark.parametrize(("question", "bound"), table("reductions", "bounds"))
def test_bounds_are_known_without_a_solver(question: dict[str, Any], bound: int | None) -> None:
    assert known_bound(parse(question)) == bound


def test_a_hand_is_dense_from_three_cards_a_hub() -> None:
    grid: Hand = tuple((i, j) for i in range(6) for j in range(6))
    assert is_dense(Uno1(grid))
    assert is_dense(Uno1((*grid, WILD)))
    assert not is_dense(Uno1(grid[1:]))
    assert not is_dense(Uno1((WILD,) * 9))
    assert not is_dense(Uno1(()))
    assert not is_dense(Uno1((*grid, (0, "*")) * 40, at_least=2))
    assert not is_dense(Longest(grid))
    assert not is_dense(Uno1((tuple(range(30)),) * 9, at_least=15))


@pytest.mark.parametrize(("question", "said"), table("reductions", "before anything is played"))
def test_nothing_can_be_played(question: dict[str, Any], said: str | None) -> None:
    """Nothing is said where the answer is a value of 0, and nothing found where cards may go."""
    instance = parse(question)
    found = settle_without_play(instance)
    if said is None or found is None:
        assert (found, said) == (None, None)
        return
    added = () if isinstance(instance, FillIn) else None
    assert found.witness == (None if said else Witness((), added=added, objective=0))
    assert found.reason == said


def test_a_single_player_plays_solitaire() -> None:
    found = play_solitaire(Cooperative((((1, 1), (1, 2)),), at_least=1, after=(1, 3)))
    assert found is not None
    assert found.instance == Uno1(((1, 1), (1, 2)), after=(1, 3))
    assert found.lift(Witness(((1, 1), (1, 2)))).plays == (Play(1, (1, 1)), Play(1, (1, 2)))
    assert play_solitaire(Cooperative((((1, 1),), ((1, 2),)))) is None


@pytest.mark.parametrize(("question", "order"), table("reductions", "cliques and wild cards"))
def test_wild_cards_join_the_cliques_of_one_coordinate(
    question: dict[str, Any], order: list[int] | None
) -> None:
    hand = parse({"question": "uno-1", **question})
    found = settle_with_wild_cards(hand)
    if found is None or order is None:
        assert (found, order) == (None, None)
        return
    assert found.witness is not None
    assert found.witness.sequence == tuple(hand.cards[place] for place in order)


def test_cards_are_dropped_only_where_others_remain() -> None:
    assert drop_surplus_copies(Uno1(((1, 1),) * 2)) is None
    assert drop_surplus_copies(Uno1((WILD,) * 9)) is None
    assert drop_surplus_copies(Longest(((1, 1),) * 9)) is None
    assert merge_pendant_cards(Uno1(((1, 1), (1, 2), (2, 2), (2, 1)))) is None
    assert merge_pendant_cards(Uno1(((1, 1), (2, 2)))) is None
    lonely = merge_pendant_cards(Uno1(((1, 1), (2, 2), (1, 1), WILD)))
    assert lonely is not None
    assert lonely.instance.cards == ((1, 1), (2, 2), WILD)
    assert merge_pendant_cards(Uno1(((1, 1), (1, 2), (3, 2)), after=(1, 2))) is None


def test_the_steps_that_did_something_are_named() -> None:
    presolved = reduce(Uno1((*[(1, 1)] * 5, (2, 2), (3, 3))))
    assert presolved.names == ["groups of cards"]
    assert presolved.decided is not None
    assert presolved.decided.witness is None
