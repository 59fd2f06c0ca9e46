"""Every encoding x backend x connectivity gives the proved answer, and a sequence that checks."""

from functools import cache

import pytest

from tests.pipeline.test_degenerate import EDGES
from tests.support.brute_force import playable
from tests.support.hands import Proved, nontraceable, truth
from tests.support.open_games import proved_games
from tests.support.products import ONE_OF_EACH_ADAPTER, combined
from tests.support.truth import truth as true_answer
from uno_csp import Answer, NotAccepted, Options, Status, Uno1, check, encoding_names, solve
from uno_csp.methods import CONNECTIVITY, EAGER, ENCODINGS, find_backend
from uno_csp.pipeline.connectivity import link_count
from uno_csp.pipeline.stages import Task, run
from uno_csp.questions import Instance, question_types
from uno_csp.questions.answers import Witness

TREATMENTS = tuple(name for name in CONNECTIVITY if name != EAGER)
MILP = ("cbc", "highs")
LARGEST = 1 << 60
MOST_ROUNDS = 4
"""Of the games that linear solvers play."""


def solved(instance: Instance, encoding: str, backend: str, connectivity: str) -> Answer:
    """Solve without reductions and kernel, and check the witness."""
    found = run(Task(instance, Options(encoding, backend, connectivity, presolve=False)))
    witness = found.witness or Witness()
    answer = Answer(
        instance.question,
        found.status,
        witness,
        witness.objective if found.status is Status.OPTIMAL else None,
    )
    assert not check(instance, answer)
    return answer


@cache
def globals_of(encoding: str, instance: Instance) -> tuple[frozenset[type], int] | None:
    """The kinds of global constraints of a model, and the most links of one; None if refused."""
    encoder = ENCODINGS.find(encoding)
    if encoder.refusal(instance) is not None:
        return None
    found = encoder.encode(instance).model.globals
    return frozenset(map(type, found)), max(map(link_count, found), default=0)


def lines_for(encoding: str, connectivity: str, backend: str) -> list[Proved]:
    """A fifth of the instances that an encoding takes, another one for each combination.

    Proved ones, games, and those at the edge. Fewer and small ones where a combination is slow and
    no use: binary labels and turns over time for linear solvers, flow for SAT solvers. Fewer for
    CBC, which is started anew for each cut.
    """
    games = proved_games()
    if encoding == "rounds" and backend in MILP:
        games = [each for each in games if (each.objective or 0) <= MOST_ROUNDS]
    every = (*truth(), *games, *edges())
    encoder, stride = ENCODINGS.find(encoding), 13 if backend == "cbc" else 5
    taken = [each for each in every if encoder.refusal(each.instance) is None]
    linear = backend in MILP and (connectivity == "order" or encoding.endswith("turns"))
    if linear or (connectivity == "flow" and backend not in (*MILP, "cp-sat")):
        stride = 17
        taken = sorted(taken, key=lambda each: len(each.instance.cards))[: len(taken) // 2]
    stride = max(1, min(stride, len(taken) // 3))
    return taken[len(encoding + connectivity + backend) % stride :: stride]


@cache
def edges() -> list[Proved]:
    return [Proved(each, *true_answer(each)) for each in EDGES.values()]


@pytest.mark.parametrize(
    ("encoding", "connectivity", "backend_name"),
    combined(encoding_names(), TREATMENTS, ONE_OF_EACH_ADAPTER),
)
def test_all_combinations_on_proved_instances(
    encoding: str, connectivity: str, backend_name: str
) -> None:
    encoder, backend = ENCODINGS.find(encoding), find_backend(backend_name)
    compared = 0
    for proved in lines_for(encoding, connectivity, backend_name):
        instance = proved.instance
        found = globals_of(encoding, instance)
        if found is None:
            continue
        kinds, links = found
        asked = Options(encoding, backend_name, connectivity, presolve=False)
        if connectivity == "native" and not kinds <= backend.native_globals:
            with pytest.raises(NotAccepted, match="no native constraint"):
                run(Task(instance, asked))
            continue
        if not kinds and connectivity != "lazy":
            continue  # no connectivity makes a difference
        if links > dict(backend.most_links).get(connectivity, LARGEST):
            with pytest.raises(NotAccepted, match="does not scale to"):
                run(Task(instance, asked))
            continue
        answer = solved(instance, encoding, backend_name, connectivity)
        compared += 1
        if answer.status == "UNKNOWN":
            assert encoder.proves != "exact", instance
        else:
            assert (answer.status, answer.objective) == (proved.status, proved.objective), instance
    assert compared >= 2 or connectivity != "lazy"


@pytest.mark.parametrize(
    ("encoding", "instance", "backend_name"),
    combined(["hub-trail", "successor"], nontraceable()[:3], ONE_OF_EACH_ADAPTER),
    ids=str,
)
def test_non_traceable_cubic_graphs(encoding: str, instance: Uno1, backend_name: str) -> None:
    assert solved(instance, encoding, backend_name, "lazy").status == "UNSATISFIABLE"


@pytest.mark.parametrize("question", question_types())
def test_solve_agrees_with_the_proved_answers(question: str) -> None:
    for proved in truth(question):
        answer = solve(proved.instance)
        assert (answer.status, answer.objective) == (proved.status, proved.objective)
        if proved.status != "UNSATISFIABLE":
            assert answer.checked


def test_three_copies_can_matter_when_a_card_has_three_hubs() -> None:
    """Copies beyond the second decide this hand; a bound of two copies would be wrong."""
    forced_ends = ((0, 7, 8), (20, 7, 21), (0, 9, 10), (22, 9, 23))
    stops_between = ((1, 0, 2), (4, 5, 0))
    for count in range(1, 5):
        hand = Uno1(((0, 0, 0),) * count + forced_ends + stops_between)
        expected = playable(hand.cards)
        assert expected == (count >= 3)
        for answer in (solved(hand, "hub-trail", "cadical195", "lazy"), solve(hand)):
            assert (answer.status is Status.SATISFIABLE) == expected
