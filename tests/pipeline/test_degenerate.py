"""Questions at the edge: no cards, one, copies, empty supplies, cost 0.

And partly wild cards, which few encodings take and all must take rightly.
"""

import pytest

from tests.attacks.questions import truth
from uno_csp import (
    Cooperative,
    FillIn,
    InstanceError,
    Longest,
    NotAccepted,
    Uncooperative,
    Uno1,
    parse,
    solve,
)
from uno_csp.exports.writing import prepare
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import to_cnf
from uno_csp.questions import Instance
from uno_csp.questions.cards import Card, Hand, hubs, spare_hubs


def copies(count: int, card: Card = (1, 2)) -> Hand:
    return (card,) * count


def game(*hands: str, to_move: int = 1) -> Instance:
    """With everybody's help, nothing to draw, a card for each player."""
    asked = {"question": "open-game", "goal": "together", "after": "R5", "to_move": to_move}
    return parse({**asked, "hands": [[code] for code in hands]})


SQUARE: Hand = ((1, 2), (1, 3), (2, 3), (2, 2))
EDGES: dict[str, Instance] = {
    "nothing": Uno1(()),
    "nothing, to follow": Uno1((), after=(1, 2)),
    "one card": Uno1(((1, 2),)),
    "one card that does not follow": Uno1(((1, 2),), after=(3, 4)),
    "eight copies": Uno1(copies(8)),
    "four and four copies": Uno1(copies(4) + copies(4, (2, 3))),
    "copies on three hubs": Uno1(copies(8, (1, 2, 3)), at_least=2),
    "copies on four hubs": FillIn(copies(3, (0, 0, 0, 0))),
    "wild cards alone": Uno1(copies(8, ("*", "*"))),
    "longest of nothing": Longest((), after=(1, 2)),
    "longest of copies": Longest(copies(4) + copies(4, (2, 3))),
    "longest that cannot begin": Longest(copies(2), after=(3, 4)),
    "nothing is missing of nothing": FillIn(()),
    "of nothing, with a supply that is free": FillIn((), SQUARE, (0,) * 4, after=(1, 2)),
    "empty supply": FillIn(((1, 2), (3, 4)), ()),
    "empty supply that is enough": FillIn(copies(2), ()),
    "supply of copies": FillIn(copies(4) + copies(4, (2, 3)), copies(4, (1, 3))),
    "supply at cost 0": FillIn(((1, 2), (3, 4)), ((1, 4), (1, 4), ("*", "*")), (0, 0, 5)),
    "two chains of added cards": FillIn(((1, 1, 1), (2, 2, 2), (3, 3, 3)), at_least=2),
    "a chain after the pile": FillIn(copies(3, (1, 1, 1)), after=(2, 2, 2), at_least=2),
    "copies and a chain": FillIn(copies(4, (1, 1, 1)) + copies(4, (2, 2, 1)), at_least=2),
    "a wild card for a chain": FillIn(((1, 1, 1), ("*",) * 3, (2, 2, 2)), at_least=2),
    "wild cards alone, of which two must agree": FillIn(copies(3, ("*",) * 3), at_least=2),
    "partly wild cards and a chain": FillIn(((1, 1, "*"), ("*", 2, 2), (3, 3, 3)), at_least=2),
    "one card, of which two must agree": FillIn(((1, 1, 1),), at_least=2),
    "a chain of seven": FillIn(((0,) * 8, (1,) * 8), at_least=7),
    "nobody else": Cooperative((copies(3),)),
    "equal hands": Cooperative((copies(4), copies(4))),
    "nothing in common": Cooperative((copies(4), copies(4, (2, 3)))),
    "four hands": Cooperative((copies(2),) * 4),
    "copies, two of three": Cooperative((copies(4, (1, 2, 3)), copies(4, (1, 2, 3))), at_least=2),
    "wild against plain": Cooperative((copies(4, ("*", "*")), copies(4))),
    "partly wild": Cooperative(((("a", "b"), ("*", "c")), (("b", "a"),)), at_least=2),
    "a duel of copies": Uncooperative((copies(3), copies(3))),
    "an empty hand in a duel": Uncooperative(((), copies(1))),
    "one card each, which is laid": game("R1", "B2"),
    "one card each, and nobody can": game("B1", "B2"),
    "the others cannot help being first": game("B1", "R2", to_move=2),
    "three players, and a skip in between": game("R1", "BS", "RS", to_move=3),
    "a wild card is the last one": game("W", "B2", "G3"),
    "the first has to miss a turn": game("B1", "RR", "B5", to_move=3),
}
SLOWEST_S = 250.0
"""A guard against combinations that never end."""


@pytest.mark.parametrize("name", EDGES)
def test_by_default(name: str) -> None:
    instance = EDGES[name]
    for presolve in (True, False):
        answer = solve(instance, presolve=presolve, time_limit_s=SLOWEST_S)
        assert (answer.status, answer.objective) == truth(instance)


def test_turns_is_not_fooled_by_a_token_that_no_card_shows() -> None:
    instance = EDGES["partly wild"]
    assert truth(instance) == ("UNSATISFIABLE", None)
    assert solve(instance).status == "UNSATISFIABLE"
    prepared = prepare(instance, "turns", None)
    from pysat.solvers import Solver

    with Solver("cadical195", bootstrap_with=to_cnf(prepared.model).clauses) as solver:
        assert not solver.solve()


def test_a_number_that_must_agree_is_bounded_without_cards() -> None:
    for number in (65, 99999999999999999999):
        with pytest.raises(InstanceError, match=r"at_least: .* expected 1 to 64"):
            parse({"question": "uno-1", "cards": [], "at_least": number})


def test_copies_leave_few_arcs_and_no_choice_of_their_order() -> None:
    model = ENCODINGS.find("successor").encode(Uno1(copies(8))).model
    assert model.num_vars == 9  # from the pile along all copies and back
    trail = ENCODINGS.find("hub-trail").encode(Uno1(copies(8, (1, 2, 3)))).data
    assert len(trail.kernel.core.graph.hubs) == 1


def test_spare_hubs_are_those_with_the_cards_of_another() -> None:
    both = ((1, 2, 3), (1, 2, 4))
    assert spare_hubs(both) == {((1,), (2,)), ((2,), (3,)), ((2,), (4,))}
    assert spare_hubs(copies(3)) == {hubs((1, 2))[1]}
    assert spare_hubs(((1, 2), (1, 3), (2, 3))) == {((0,), (2,)), ((1,), (2,))}


@pytest.mark.parametrize(
    ("backend", "connectivity"), [("cbc", "order"), ("maplechrono", "flow"), ("minisat22", "flow")]
)
def test_a_combination_that_gets_lost_says_so(backend: str, connectivity: str) -> None:
    hands = tuple(tuple((i % 4, (i * i + player) % 5) for i in range(8)) for player in (0, 1))
    with pytest.raises(NotAccepted, match=f"'{backend}' does not scale to '{connectivity}'"):
        solve(
            Cooperative(hands),
            method="hub-turns",
            backend=backend,
            connectivity=connectivity,
            presolve=False,
        )
