"""The rules of matching, and hubs."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import card_hubs, match
from tests.support.drawing import hands
from tests.support.examples import examples
from uno_csp.questions import Uno1
from uno_csp.questions.cards import hub_count, hubs, is_universal, is_wild, matches, neighbours

CARDS = st.tuples(*[st.sampled_from([0, 1, "x", "*"])] * 3)


@given(CARDS, CARDS, st.integers(1, 3))
def test_matching_is_symmetric_and_agrees_with_the_definition(
    a: tuple[int | str, ...], b: tuple[int | str, ...], k: int
) -> None:
    assert matches(a, b, k) == matches(b, a, k) == match(a, b, k)


@given(CARDS, CARDS, st.integers(1, 3))
def test_cards_match_iff_they_share_a_hub(
    a: tuple[int | str, ...], b: tuple[int | str, ...], k: int
) -> None:
    if not is_wild(a) and not is_wild(b):
        assert matches(a, b, k) == bool(set(hubs(a, k)) & set(hubs(b, k)))
        assert list(hubs(a, k)) == card_hubs(a, k)
        assert len(hubs(a, k)) == hub_count(3, k)


@given(CARDS, st.integers(1, 3))
def test_universal_cards_match_everything(card: tuple[int | str, ...], k: int) -> None:
    stranger = ("s", "t", "u")
    assert is_universal(card, k) == matches(card, stranger, k)


@examples(100)
@given(hands(wild="partial"))
def test_neighbours_are_the_matching_cards(instance: Uno1) -> None:
    cards, k = instance.cards, instance.at_least
    expected = [
        [j for j in range(len(cards)) if j != i and match(cards[i], cards[j], k)]
        for i in range(len(cards))
    ]
    assert neighbours(cards, k) == expected


def test_an_integer_and_its_text_are_different_values() -> None:
    assert not matches((1, "a"), ("1", "b"))


def test_neighbours_of_cards_with_very_many_hubs() -> None:
    first, second = tuple(range(16)), tuple(range(8)) + tuple("abcdefgh")
    assert hub_count(16, 8) > 256
    assert neighbours([first, second], 8) == [[1], [0]]
    assert neighbours([first, second], 9) == [[], []]
