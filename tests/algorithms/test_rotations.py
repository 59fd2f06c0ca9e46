"""Rotations on the graph of matching cards: never wrong, and found in dense hands."""

from functools import partial
from itertools import product

from hypothesis import given

from tests.algorithms.test_walks import status as status_by
from tests.support.brute_force import playable
from tests.support.drawing import hands
from tests.support.examples import examples
from uno_csp import FillIn, Longest, Status, Uno1
from uno_csp.algorithms.rotations import ALGORITHM, MOST_CARDS
from uno_csp.questions.cards import WILD, Value, matches, neighbours

status = partial(status_by, algorithm=ALGORITHM)


@examples(80)
@given(hands(wild="partial", max_cards=8))
def test_against_brute_force(instance: Uno1) -> None:
    cards, k, after = instance.cards, instance.at_least, instance.after
    yes = playable(cards, k, after)
    assert (status(instance) is Status.SATISFIABLE) <= yes
    assert (status(Longest(cards, at_least=k, after=after)) is Status.OPTIMAL) <= yes
    assert (status(FillIn(cards, at_least=k, after=after)) is Status.OPTIMAL) <= yes


def test_wide_and_dense_hands() -> None:
    cube = tuple(product(range(2), repeat=8))
    for kind in (Uno1, Longest, FillIn):
        best = Status.SATISFIABLE if kind is Uno1 else Status.OPTIMAL
        assert status(kind(cube, at_least=4)) is best
    found = ALGORITHM.run(Longest((*cube, ("x",) * 8), at_least=4))
    assert found.reason == "the longest path found has 256 cards of 257"
    assert ALGORITHM.refusal(Uno1(((0, 0),) * (MOST_CARDS + 1))) == "it takes up to 4000 cards"


def test_pairs_of_cards_are_compared_with_arrays_as_without() -> None:
    values: tuple[Value, ...] = (0, 1, WILD)
    wide = [*product(values, repeat=6)]
    near = neighbours(wide, 4)
    for i in range(0, len(wide), 97):
        assert near[i] == [j for j, card in enumerate(wide) if j != i and matches(wide[i], card, 4)]
