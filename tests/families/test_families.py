"""Instance families: reproducible, as documented, and right about what they say is proved."""

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.support import ROOT
from tests.support.brute_force import playable
from tests.support.running import Capture, answered, refused, run
from tests.support.tables import table
from uno_csp import (
    Expected,
    InstanceError,
    NotAccepted,
    Status,
    UnknownName,
    UnoCspError,
    generate,
    parse,
    solve,
)
from uno_csp.families import families, find_family, shuffled
from uno_csp.families.cubic_graphs import NAMED, flower_snark
from uno_csp.families.random_hands import threshold
from uno_csp.formats import question_to_dict
from uno_csp.questions import Cooperative, Uncooperative, Uno1
from uno_csp.reductions import reduce

HANDS = [
    name for name in families() if isinstance(generate(name), Uno1)
]  # every family answers with its default parameters
SMALL: dict[str, dict[str, Any]] = table("families", "small")


@pytest.mark.parametrize("name", families())
def test_a_family_repeats_itself_and_survives_its_file(name: str) -> None:
    first, second = generate(name, shuffle=3), generate(name, shuffle=3)
    assert first == second
    assert parse(question_to_dict(first)) == first
    family = find_family(name)
    assert len(family.summary) > 10
    if family.seeded:
        drawn = {repr(generate(name, seed=seed)) for seed in range(5)}
        assert len(drawn) == 5
    else:
        with pytest.raises(InstanceError, match="draws nothing"):
            generate(name, seed=1)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [*((name, SMALL.get(name, {})) for name in families()), *table("families", "proved")],
)
def test_what_is_expected_is_what_is_found(name: str, parameters: dict[str, Any]) -> None:
    small = parameters == SMALL.get(name, {})
    for question in ("uno-1", "fill-in", "longest") if small and name in HANDS else (None,):
        instance = generate(name, question=question, **parameters)
        answer = solve(instance, time_limit_s=250)
        assert answer.status is not Status.UNKNOWN
        known = instance.expected or Expected()
        if known.status is not Status.UNKNOWN:
            assert (answer.status, answer.objective) == (known.status, known.objective), question
        if known.bound is not None and answer.objective is not None:
            sign = -1 if question == "longest" else 1
            assert sign * answer.objective >= sign * known.bound
    if small:
        again = solve(shuffled(instance, 5), time_limit_s=250)
        assert (again.status, again.objective) == (answer.status, answer.objective)


def test_expected_answers_agree_with_brute_force() -> None:
    for seed in range(40):
        planted = generate("planted", colours=4, numbers=4, cards=9, seed=seed)
        assert len(set(planted.cards)) == 9
        assert playable(planted.cards)
    for legs in range(1, 5):
        for length in range(1, 4):
            hand = generate("spider", legs=legs, length=length)
            assert hand.expected is not None
            assert (hand.expected.status is Status.SATISFIABLE) == playable(hand.cards)


@pytest.mark.parametrize(
    ("graph", "order", "girth"),
    [
        (NAMED["petersen"](), 10, 5),
        (NAMED["tietze"](), 12, 3),
        (NAMED["coxeter"](), 28, 7),
        (flower_snark(7), 28, 6),
    ],
)
def test_sizes_of_graphs(graph: Any, order: int, girth: int) -> None:
    assert (len(graph), nx.girth(graph)) == (order, girth)


def test_cubic_graphs_are_cubic_and_bridgeless() -> None:
    for graph in (flower_snark(7), *(named() for named in NAMED.values())):
        assert {degree for _, degree in graph.degree()} == {3}
        assert not nx.has_bridges(graph)
    assert nx.is_isomorphic(NAMED["tietze"](), flower_snark(3))
    assert generate("diamond", base="k4").size == 21 * 4
    assert generate("petersen-fragments", base="petersen", fragments=10).size == 3 * 90


def test_the_threshold_is_where_the_answer_turns() -> None:
    """Reductions alone decide most of these hands, so a hundred of them take no time."""
    assert threshold(200) == pytest.approx(358, abs=1)

    def refuted(ratio: float) -> int:
        """How many of 25 hands have too many dead ends."""
        hands = [generate("threshold", values=100, ratio=ratio, seed=seed) for seed in range(25)]
        return sum(reduce(hand).decided is not None for hand in hands)

    assert refuted(0.7) >= 24
    assert refuted(1.5) <= 3
    assert 5 <= refuted(1.0) <= 20


def test_shuffling_keeps_hands_apart_and_supplies_with_their_costs() -> None:
    deal = generate("cooperative", players=3, cards=4)
    mixed = shuffled(deal, 1)
    assert isinstance(mixed, Cooperative)
    assert [len(hand) for hand in mixed.hands] == [4, 4, 4]
    assert mixed != deal
    duel = shuffled(generate("uncooperative", cards=4), 1)
    assert isinstance(duel, Uncooperative)
    lack = parse(
        {"question": "fill-in", "cards": ["R5", "B7"], "supply": ["R7", "W"], "costs": [1, 5]}
    )
    other = question_to_dict(shuffled(lack, 2))
    costs = dict(zip(map(tuple, other["supply"]), other["costs"], strict=True))
    assert costs["*", "*"] == 5
    assert solve(parse(other)).objective == solve(lack).objective == 1


def test_a_real_deal_is_completed_from_the_rest_of_the_deck() -> None:
    dealt = generate("deck", cards=5, question="fill-in", seed=4)
    read = question_to_dict(dealt)
    assert len(read["cards"]) + len(read["supply"]) + 1 == 108
    with pytest.raises(NotAccepted, match="has 100 cards"):
        generate("deck", cards=107, wild=False)


@pytest.mark.parametrize(("name", "parameters", "message"), table("families", "bad parameters"))
def test_bad_parameters_name_the_place(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(UnoCspError, match=message.replace("(", "\\(")) as caught:
        generate(name, **parameters)
    assert isinstance(caught.value, InstanceError | NotAccepted | UnknownName)


def test_generate_and_solve_on_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    assert run("generate diamond --base k4 --question fill-in --shuffle 1") == 0
    file = tmp_path / "diamond.json"
    file.write_text(capsys.readouterr().out)
    assert json.loads(file.read_text())["expected"]["objective"] == 1
    assert run(f"solve {file}") == 30
    capsys.readouterr()
    assert run("generate random --cards 4 --distinct --count 3 --seed 5") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"][-1] for line in lines] == ["5", "6", "7"]
    source = f"@{ROOT}/tests/data/nontraceable_cubic.g6:2"
    assert len(json.loads(answered(0, "generate", "cubic", "--graph6", source))["cards"]) == 54
    assert "has no line 7" in refused("generate", "cubic", "--graph6", source.replace(":2", ":7"))
    for line in ("0", "9" * 5000):
        assert f"has no line {line[:20]}; there are" in refused(
            "generate", "cubic", "--graph6", source.replace(":2", f":{line}")
        )
    for wrong in ("\N{SUPERSCRIPT TWO}", "-1", "x"):  # part of the name of a file
        assert "no such file" in refused(
            "generate", "cubic", "--graph6", source.replace(":2", f":{wrong}")
        )
    assert 'no family is called "nothing"' in refused("generate nothing")
    assert refused("generate random --colours 0") == (
        "uno-csp: colours: 0 is not allowed; expected an integer from 1 to 10000000\n"
    )
    assert "--colours N " in answered(0, "generate random --help")


def test_expected_in_a_question_file() -> None:
    asked = {"question": "uno-1", "cards": ["R5"], "expected": {"status": "SATISFIABLE"}}
    assert parse(asked).expected == Expected(Status.SATISFIABLE)
    for wrong, message in table("families", "bad expectations"):
        with pytest.raises(InstanceError, match=message):
            parse({**asked, "expected": wrong})
