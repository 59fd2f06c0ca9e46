"""The portfolio: which row applies, and what a plan takes of it."""

from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import networkx as nx
import pytest

from tests.support.running import Patch
from uno_csp import generate, parse, portfolio
from uno_csp.errors import NotAccepted, UnknownName
from uno_csp.hamilton import Goal, problem_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.methods import backend_names, method_names, methods_taking
from uno_csp.pipeline import explain_plan
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.planning import make_plan
from uno_csp.pipeline.stages import Task
from uno_csp.portfolio import OFFERED, ROWS, Row, Way, is_answered_at_once, row_for
from uno_csp.processes.deadline import NEVER, WATCHED, Deadline, TimeUp
from uno_csp.questions import FillIn, Instance, Longest, Uno1, question_types
from uno_csp.registry import Registry

CUBIC = Uno1(generate("random-cubic", vertices=200, seed=1).cards)
LARGE = Uno1(generate("random-cubic", vertices=2000, seed=1).cards)
TINY = parse("R5 R7 B7 B9 G9")
HAND = Uno1(tuple(((i // 2) % 10, ((i + 1) // 2) % 10) for i in range(20)))
WIDE = hand_of(problem_of(nx.random_regular_graph(6, 400, seed=1), Goal.CYCLE)).question
TORUS = hand_of(problem_of(nx.grid_2d_graph(20, 20, periodic=True), Goal.CYCLE)).question
REGULAR = hand_of(problem_of(nx.random_regular_graph(3, 400, seed=1), Goal.CYCLE)).question
FAR = FillIn(tuple((i, i, i) for i in range(20)), at_least=2)
MANY = Longest(tuple((i % 70, i % 71) for i in range(4970)))
GRAPH = Uno1(tuple((i, (i + 1) % 20, -1 - i // 2) for i in range(20)))


def ways(instance: Instance, **named: Any) -> list[tuple[str | None, str | None]]:
    return [(way.method, way.backend) for way in make_plan(instance, Options(**named)).ways]


def test_names_are_unique_and_known_and_starts_are_in_order() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert {name for way in row.ways for name in way.methods} <= {*method_names()}
        assert {way.backend for way in row.ways if way.backend} <= {*backend_names()}
        starts = [way.after_s for way in row.ways]
        assert starts == sorted(starts)
        assert starts[0] == 0


@pytest.mark.parametrize(
    ("instance", "name"),
    [
        (TINY, "tiny"),
        (GRAPH, "narrow-graph"),
        (replace(GRAPH, after=(0, 1, 2)), "sparse-graph"),
        (WIDE, "graph"),
        (REGULAR, "sparse-graph"),
        (TORUS, "cubic-graph"),
        (LARGE, "large-sparse"),
        (Uno1(((1, 2, 3),) * 2000, at_least=2), "large-agreeing"),
        (Uno1(((1, 2),) * 2000), "large"),
        (Longest(((1, 2, 3),) * 4001), "large-optimised"),
        (CUBIC, "hand"),
        (HAND, "hand"),
        (Longest(GRAPH.cards), "optimised-graph"),
        (FillIn(HAND.cards), "small-optimised"),
        (Longest(CUBIC.cards), "optimised"),
        (FAR, "far"),
        (replace(FAR, cards=FAR.cards * 201), "large-far"),
        (parse({"question": "cooperative", "hands": [["R5"], ["R7"]]}), "cooperative"),
        (parse({"question": "uncooperative", "hands": [["R5"], ["R7"]]}), "uncooperative"),
    ],
)
def test_the_row_of_an_instance(instance: Instance, name: str) -> None:
    assert row_for(instance).name == name


def test_the_row_of_a_large_hand_is_looked_for_within_the_limit() -> None:
    assert len(CUBIC.cards) < WATCHED < len(MANY.cards)
    for deadline in (NEVER, Deadline(0.0)):
        assert row_for(CUBIC, deadline=deadline).name == "hand"
    assert row_for(MANY).name == "large-optimised"
    with pytest.raises(TimeUp):
        row_for(MANY, deadline=Deadline(0.0))


def test_only_quick_rows_are_read_to_tell_that_none_applies(monkeypatch: Patch) -> None:
    assert is_answered_at_once(TINY)
    monkeypatch.setattr(portfolio, "row_for", lambda *_: pytest.fail("all rows are read"))
    assert not is_answered_at_once(MANY)


def test_a_named_method_or_backend_leaves_its_ways() -> None:
    assert ways(HAND) == [("hub-trail", "cadical195")]
    trails = [("closed-trail", "cadical195"), ("hub-trail", "cadical195")]
    assert ways(LARGE) == [("walks", None), *trails]
    assert ways(LARGE, method="hub-trail") == [("hub-trail", "cadical195")]
    assert ways(HAND, method="position") == [("position", "cadical195")]
    small = Longest(HAND.cards)
    assert [method for method, _ in ways(small)] == ["width", "hub-trail", "successor", "hub-trail"]
    assert ways(small, backend="minisat22") == [("width", None), ("hub-trail", "minisat22")]
    assert ways(small, method="hub-trail") == [("hub-trail", "cadical195"), ("hub-trail", "highs")]
    assert ways(small, method="hub-trail", backend="cbc") == [("hub-trail", "cbc")]


def test_only_algorithms_that_load_slowly_have_workers_of_their_own() -> None:
    game = parse({"question": "cooperative", "hands": [["R5"], ["R7"]]})
    loads = [Task(game, way).loads for way in make_plan(game, Options()).ways]
    assert loads == [None, "cadical195", "annealing", "cadical195"]
    assert Task(game, Options()).loads == "cadical195"


def test_a_method_that_does_not_take_the_question_is_refused_or_passed_over() -> None:
    with pytest.raises(NotAccepted, match='method: "matching" does not take this'):
        make_plan(HAND, Options(method="matching"))
    with pytest.raises(UnknownName, match="nothing"):
        make_plan(HAND, Options(method="nothing"))
    begun = replace(LARGE, cards=LARGE.cards[1:], after=LARGE.cards[0])
    plan = make_plan(begun, Options())
    assert [way.method for way in plan.ways] == ["walks", "hub-trail"]
    assert list(plan.declined) == ["closed-trail"]


def test_every_question_has_a_row() -> None:
    asked = {kind.question for kind in question_types().values()}
    rows = {row.name for row in ROWS}
    assert {"cooperative", "uncooperative", "open-game"} <= rows & asked
    for kind in (Uno1, Longest, FillIn):
        assert row_for(kind(())).name in rows
        assert methods_taking(kind)


def test_a_plug_in_adds_a_row_that_is_read_first(monkeypatch: Patch) -> None:
    mine = Row("mine", "tiny hands", "a test", lambda asked: asked == HAND, (Way(("position",)),))
    entry = EntryPoint("mine", "elsewhere:mine", "uno_csp.portfolio")
    monkeypatch.setattr(EntryPoint, "load", lambda _: mine)
    monkeypatch.setattr("uno_csp.registry.entry_points", lambda **_: [entry])
    offered = Registry(
        "row",
        "uno_csp.portfolio",
        lambda found: found.ROWS,
        ("name", "ways"),
        order=ROWS.__contains__,
    )
    monkeypatch.setattr("uno_csp.portfolio.OFFERED", offered)
    assert next(iter(offered)) == "mine"
    assert ways(HAND) == [("position", "cadical195")]
    assert list(OFFERED) == [row.name for row in ROWS]


def test_a_plan_in_words() -> None:
    assert explain_plan(TINY)[2:] == ["1. subsets, at once"]
    lines = explain_plan(Longest(HAND.cards))
    assert lines[0] == "plan: row 'small-optimised', longest and fill-in with up to 100 cards"
    assert lines[1].startswith("why: ")
    assert lines[2:4] == [
        "1. width, at once",
        "2. hub-trail with cadical195, after 0.25 s of CPU time",
    ]
    assert explain_plan(Uno1((*HAND.cards, ("x", "y")))) == [
        "plan: no search; decided by: groups of cards"
    ]
