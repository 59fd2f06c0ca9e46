"""A handler is declared once: route, description, lane and example come from its declaration."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from tests.support import ROOT
from tests.support.serving import PAIR, client_of
from uno_csp import Instance, parse
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import Options
from uno_csp.processes.channel import READY, Channel, Pause
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.answers import Answer, Status
from uno_csp.service.handlers import solving
from uno_csp.service.handlers.canonical import canonical
from uno_csp.service.handlers.declaring import HANDLERS, LANES

JSON = {"content-type": "application/json"}
SHOUTING = '''
from collections.abc import Iterator

from pydantic import BaseModel

from uno_csp.service.handlers.declaring import SHORT, Work, handler
from uno_csp.service.messages import Body, Hand


class ShoutRequest(Body):
    """A hand, and how often its name is shouted."""

    instance: Hand
    times: int = 2


class ShoutBody(BaseModel):
    """What is shouted."""

    shouts: list[str]


HAND = {"question": "uno-1", "cards": ["R5"]}


@handler(ShoutBody, SHORT, {"Once": {"instance": HAND, "times": 1}})
def shout_name(request: ShoutRequest, _work: Work) -> Iterator[str]:
    """Shout the name of a hand."""
    for turn in range(request.times):
        if turn == 3:
            raise ZeroDivisionError("at last")
        yield request.instance.name.upper()
'''
"""A handler of its own file."""


def test_a_handler_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shouting.py").write_text(SHOUTING)
    monkeypatch.syspath_prepend(tmp_path)
    import_module("shouting")
    try:
        with client_of(tmp_path / "data") as client:
            hand = {**PAIR, "name": "uno"}
            found = client.post("/shout", json={"instance": hand})
            assert (found.status_code, found.json()) == (200, {"shouts": ["UNO", "UNO"]})
            bad = client.post("/shout", json={"instance": hand, "times": "2"})
            assert (bad.status_code, bad.json()["place"]) == (422, "times")
            other = client.post("/shout", json={"instance": {**PAIR, "question": "longest"}})
            assert other.json()["detail"] == "question: longest is not allowed; expected uno-1"
            described = client.get("/openapi.json").json()["paths"]["/api/v1/shout"]["post"]
            content = described["requestBody"]["content"]["application/json"]
            assert content["schema"] == {"$ref": "#/components/schemas/ShoutRequest"}
            assert content["examples"]["Once"]["value"]["times"] == 1
            assert described["summary"] == "Shout the name of a hand"
            cut = client.post("/shout", json={"instance": hand, "times": 9}).json()["shouts"]
            assert cut[:3] == ["UNO"] * 3
            assert cut[3]["status"] == 500
    finally:
        del sys.modules["shouting"]
        del HANDLERS["shout_name"]


def test_the_documentation_has_the_lanes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (ROOT / "docs/service.md").read_text(), re.M)
    shown = {name: row for name, row in rows if name in {lane.name for lane in LANES}}
    assert shown == {
        lane.name: f"{lane.meaning} | {lane.at_a_time} | {lane.waiting} | {lane.wall_s:g} s"
        for lane in LANES
    }


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_list_of_questions_is_answered_as_they_are_solved(client: TestClient, count: int) -> None:
    hands = [{"question": "uno-1", "cards": ["R5", f"R{n % 10}"]} for n in range(count)]
    with client.stream("POST", "/solve-many", json={"instances": hands}) as reply:
        assert reply.status_code == 200
        lines = [line.rstrip(",") for line in reply.iter_lines()]
    assert (lines[0], lines[-1], len(lines)) == ('{"answers": [', "]}", count + 2)
    assert {json.loads(line)["status"] for line in lines[1:-1]} == {"SATISFIABLE"}


def test_an_answer_of_a_list_names_the_limit_that_ended_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_time(question: Instance, options: Options) -> Answer:
        reason = f"time limit of {options.time_limit_s:g} s reached; something is known"
        return Answer(question.question, Status.UNKNOWN, reason=reason)

    monkeypatch.setattr(solving, "solve", out_of_time)
    hand, options = parse(PAIR), Options(time_limit_s=5.0)
    for left_s, limit in ((9.0, "5 s"), (4.0, "540 s for all questions")):
        answer = solving._answer_in_list(hand, options, Deadline.after(left_s))
        assert answer["reason"] == f"time limit of {limit} reached; something is known"


@pytest.mark.parametrize("number", ["5.0", "5", "5e0"])
def test_whole_numbers_are_integers_however_they_are_written(
    number: str, client: TestClient
) -> None:
    body = f'{{"family": "random", "parameters": {{"cards": {number}}}, "seed": {number}}}'
    made = client.post("/generate", content=body, headers=JSON)
    assert (made.status_code, len(made.json()["cards"])) == (200, 5)
    other = body.replace(number, "5.5")
    assert client.post("/generate", content=other, headers=JSON).status_code == 422


@pytest.mark.parametrize("kept", [{"sequence": 5}, {"sequence": [[9, 9]]}, {"status": []}, {}])
def test_a_damaged_answer_of_the_cache_is_not_recalled(kept: dict[str, Any]) -> None:
    question = parse("R5 R7")
    form: Any = canonical(question)
    assert solving._recall(question, form, kept) is None


def test_the_canonical_form_takes_nothing_of_the_limits_of_a_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    question, channel = parse("R5 R7 B7"), Mock()
    form: Any = canonical(question)
    said_before: list[Any] = []

    def looked_for(_: Instance) -> Any:
        said_before.append(channel.report.call_args.args[0])
        return form

    monkeypatch.setattr(Channel, "own", channel)
    monkeypatch.setattr(solving, "canonical", looked_for)
    options = Options(method="hub-trail", backend="cadical195", time_limit_s=60.0).to_dict()
    task = {"instance": question_to_dict(question), "options": options, "backends": ()}
    kept: dict[str, Any] = {"status": []}  # damaged, so the question is solved
    done = solving.solve_job({**task, "hash": form.hash, "kept": kept, "proof": None}, channel)
    assert done["reusable"]["status"] == "SATISFIABLE"
    assert [type(each) for each in said_before] == [Pause]  # looked for once, with clocks stopped
    assert channel.report.call_args_list[1].args[0] is READY
