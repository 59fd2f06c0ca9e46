"""Questions at the edge: no cards, one, copies, empty supplies, cost 0.

And partly wild cards, which few encodings take and all must take rightly.
"""

from itertools import compress

import pytest

from tests.support.solutions import satisfiable
from tests.support.tables import table
from tests.support.truth import truth
from uno_csp import Cooperative, InstanceError, NotAccepted, Uno1, parse, solve
from uno_csp.exports.preparing import prepare
from uno_csp.hub_graph.incidence import incidence
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import to_cnf
from uno_csp.questions import Instance
from uno_csp.questions.cards import Card, Hand, Hub, hubs


def copies(count: int, card: Card = (1, 2)) -> Hand:
    return (card,) * count


EDGES: dict[str, Instance] = {
    name: parse(asked) for name, asked in table("pipeline", "edges").items()
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
    prepared = prepare(EDGES["partly wild"], "turns", None)
    assert not satisfiable(to_cnf(prepared.model).clauses)


def test_a_number_that_must_agree_is_bounded_without_cards() -> None:
    for number in (65, 99999999999999999999):
        with pytest.raises(InstanceError, match=r"at_least: .* expected an integer from 1 to 64"):
            parse({"question": "uno-1", "cards": [], "at_least": number})


def test_copies_leave_few_arcs_and_no_choice_of_their_order() -> None:
    model = ENCODINGS.find("successor").encode(Uno1(copies(8))).model
    assert model.num_vars == 9  # from the pile along all copies and back
    trail = ENCODINGS.find("hub-trail").encode(Uno1(copies(8, (1, 2, 3)))).data
    assert len(trail.kernel.core.graph.hubs) == 1


def _needed(cards: Hand) -> set[Hub]:
    on = incidence(cards, 1)
    return set(compress(on.hubs, on.needed))


def test_hubs_with_the_cards_of_another_are_not_needed() -> None:
    assert _needed(((1, 2, 3), (1, 2, 4))) == {((0,), (1,))}
    assert _needed(copies(3)) == {hubs((1, 2))[0]}
    assert _needed(((1, 2), (1, 3), (2, 3))) == {((0,), (1,)), ((1,), (3,))}


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
