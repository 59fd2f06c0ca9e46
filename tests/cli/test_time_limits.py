"""The time limit of a command bounds reading, exports and the reading of solutions, too."""

import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.support.running import Patch, answered, outcome
from uno_csp import Answer, Options, Status, hamilton
from uno_csp.exports import writing
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import WATCHED, Deadline, TimeUp

ENDED = "the time limit of 0.01 s ended while reading"


@pytest.fixture
def endless(monkeypatch: Patch) -> Iterator[None]:
    """Standard input that nobody writes to, or closes."""
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as stream:  # noqa: PTH123 (a descriptor)
        monkeypatch.setattr("sys.stdin", stream)
        yield
    os.close(writing)


@pytest.mark.usefixtures("endless")
def test_a_question_that_is_read_too_long_is_answered_unknown() -> None:
    for command in ("solve", "hamilton", "hamilton --longest", "count"):
        answer = json.loads(answered(0, f"{command} - --time-limit 0.01 --format json"))
        assert (answer["status"], answer["reason"]) == ("UNKNOWN", ENDED)
        assert answer.get("objective") is None
    for command in ("solve", "hamilton", "count", "explain"):
        assert answered(0, f"{command} - --time-limit 0.01") == f"UNKNOWN: {ENDED}\n"
    for command in ("solve", "hamilton"):
        said = answered(0, f"{command} - --time-limit 0.01 --format competition")
        assert said == f"c {ENDED}\ns UNKNOWN\n"
    said = outcome("hamilton - --time-limit 0.01 --format tour")[2]
    assert said == f"uno-csp: there is no tour: UNKNOWN: {ENDED}\n"
    for command in ("sample", "enumerate"):
        assert answered(1, f"{command} - --time-limit 0.01") == f"UNKNOWN: {ENDED}\n"
        answer = json.loads(answered(1, f"{command} - --time-limit 0.01 --format json"))
        assert (answer["status"], answer["plays"]) == ("UNKNOWN", [])


@pytest.mark.parametrize(
    ("line", "stage", "limit"),
    [
        ("sample {}", "drawing plays", "0.001"),
        ("enumerate {}", "listing answers", "0.0013"),
        ("enumerate {} --question longest", "looking for the optimum", "0.001"),
        ("enumerate {} --question fill-in", "looking for the optimum", "0.0013"),
        ("puzzle --cards 10 --level hard --missing 2 --count 1000", "making a puzzle", "0.001"),
    ],
)
def test_what_takes_too_long_is_unknown_within_the_limit_given(
    line: str, stage: str, limit: str
) -> None:
    cards = " ".join(f"{colour}{number}" for colour in "RBGY" for number in range(10))
    line = f"{line.format(cards)} --time-limit {limit}"
    stages = (stage, "reading", "listing answers")
    expected = [f"the time limit of {limit} s ended while {each}" for each in stages]
    code, said, complained = outcome(line)
    assert code == 1
    assert any(each in said + complained for each in expected)
    answer = json.loads(answered(1, f"{line} --format json"))
    assert answer.get("complete") is False or answer["reason"] in expected


def test_a_stage_that_is_named_stays_and_the_limit_is_that_of_the_caller() -> None:
    whole, part = Timed(Options(time_limit_s=7)), Timed(Options(time_limit_s=0.198783))
    with pytest.raises(TimeUp) as ended, whole.during("listing"), part.during("counting"):
        raise TimeUp
    assert str(ended.value) == "the time limit of 7 s ended while counting"
    with pytest.raises(TimeUp, match="the time limit of 7 s ended while listing"):
        list(whole.within("listing", Deadline(0.0).watch([1])))


def test_a_missing_certificate_names_the_limit_of_the_caller() -> None:
    whole, part = Timed(Options(time_limit_s=7)), Options(time_limit_s=0.198783)
    reason = "time limit of 0.198783 s reached"
    unknown = Answer("uno-1", Status.UNKNOWN, reason=reason)
    found = whole.name_limit(
        replace(unknown, certificate={"certified": False, "summary": reason}), part
    )
    assert found.certificate == {"certified": False, "summary": found.reason}
    assert found.reason == "time limit of 7 s reached"
    assert whole.name_limit(unknown, part).certificate is None


@pytest.mark.parametrize("size", [0, 1, WATCHED - 1, WATCHED, WATCHED + 1, 3 * WATCHED])
def test_a_watched_loop_sees_each_item_once(size: int) -> None:
    assert list(Deadline.after(1000.0).watch(range(size))) == [*range(size)]
    assert list(Deadline.after(1000.0).watch(iter(range(size)))) == [*range(size)]
    if size:
        with pytest.raises(TimeUp):
            next(Deadline(0.0).watch(range(size)))


def test_a_graph_of_a_library_is_read_within_the_limit() -> None:
    graph = nx.path_graph(5)
    for given in (graph, list(graph.edges)):
        for name in ("hamiltonian_cycle", "hamiltonian_path", "path_cover", "longest_path"):
            ask = getattr(hamilton, name)
            answer = ask(given, time_limit_s=1e-9)
            assert answer.status == "UNKNOWN"
            assert answer.reason == "the time limit of 1e-09 s ended while reading"
            assert ask(given, time_limit_s=1e4).status != "UNKNOWN"


def outlast(*_: Any, **__: Any) -> Any:
    """Take so long that the alarm rings."""
    signal.raise_signal(signal.SIGALRM)
    time.sleep(60)


LONG = "c a first line\n" * 100_000
"""More than a buffer of standard output holds."""


@pytest.mark.parametrize(
    "command",
    [
        "hamilton FILE --export dimacs",
        "hamilton FILE --export question",
        "export R5 R7 --to dimacs",
        "export R5 R7 --to lp -o OUT",
        "export R5 R7 --to mps -o OUT.gz",
    ],
)
@pytest.mark.parametrize("stage", ["building", "writing"])
def test_an_export_that_takes_too_long_leaves_nothing(
    command: str, stage: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "file.edges").write_text("a b\nb c\nc a\n")
    out = tmp_path / "out"
    out.write_text("an older one")

    def written_in_part(_: object, __: str, stream: Any, *___: Any) -> None:
        stream.write(LONG)
        outlast()

    if stage == "writing":
        monkeypatch.setattr(writing, "_write_model", written_in_part)
        monkeypatch.setattr("uno_csp.cli.hamilton.question_to_dict", outlast)
    else:
        monkeypatch.setattr(writing, "prepare", outlast)
        monkeypatch.setattr("uno_csp.cli.hamilton.hand_of", outlast)
    words = command.replace("FILE", str(tmp_path / "file.edges")).replace("OUT", str(out))
    code, said, complained = outcome(f"{words} --time-limit 1000")
    assert (code, said) == (2, "")
    assert (
        complained == "uno-csp: nothing was written: the time limit of 1000 s ended while writing\n"
    )
    assert out.read_text() == "an older one"
    assert {each.name for each in tmp_path.iterdir()} == {"file.edges", "out"}


def test_what_is_exported_within_a_limit_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "file.edges").write_text("a b\nb c\nc a\n")
    for command in (
        f"hamilton {tmp_path}/file.edges --export dimacs",
        f"hamilton {tmp_path}/file.edges --export question",
        "export R5 R7 --to lp",
        "export R5 R7 --to graphml",
    ):
        plain = answered(0, command)
        assert plain
        assert answered(0, f"{command} --time-limit 1000") == plain


@pytest.mark.parametrize("command", ["hamilton FILE --decode OUT", "decode FILE OUT"])
def test_a_solution_that_is_read_too_long_is_unknown(
    command: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "file.edges").write_text("a b\nb c\nc a\n")
    (tmp_path / "out").write_text("s UNSATISFIABLE\n")
    for name in ("hamilton.decode_problem", "decode.decode"):
        monkeypatch.setattr(f"uno_csp.cli.{name}", outlast)
    file = "file.edges" if command.startswith("hamilton") else "file.json"
    (tmp_path / "file.json").write_text('{"question": "uno-1", "cards": ["R5"]}')
    words = command.replace("FILE", str(tmp_path / file)).replace("OUT", str(tmp_path / "out"))
    ended = "UNKNOWN: the time limit of 1000 s ended while reading\n"
    assert answered(0, f"{words} --time-limit 1000") == ended
