"""The time limit of a command bounds the reading of its question, too."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator

import networkx as nx
import pytest

from tests.support.running import Capture, answered, run
from uno_csp import hamilton
from uno_csp.processes.deadline import WATCHED, Deadline, TimeUp

ENDED = "the time limit of 0.2 s ended while reading"


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard input that nobody writes to, or closes."""
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as stream:  # noqa: PTH123 (a descriptor)
        monkeypatch.setattr("sys.stdin", stream)
        yield
    os.close(writing)


@pytest.mark.usefixtures("endless")
def test_a_question_that_is_read_too_long_is_answered_unknown(capsys: Capture) -> None:
    for command in ("solve", "hamilton", "hamilton --longest", "count"):
        answer = json.loads(answered(0, f"{command} - --time-limit 0.2 --format json"))
        assert (answer["status"], answer["reason"]) == ("UNKNOWN", ENDED)
        assert answer.get("objective") is None
    for command in ("solve", "hamilton", "count", "explain"):
        assert answered(0, f"{command} - --time-limit 0.2") == f"UNKNOWN: {ENDED}\n"
    for command in ("solve", "hamilton"):
        assert run(f"{command} - --time-limit 0.2 --format competition") == 0
        assert capsys.readouterr().out == f"c {ENDED}\ns UNKNOWN\n"
    assert run("hamilton - --time-limit 0.2 --format tour") == 0
    assert capsys.readouterr().err == f"uno-csp: there is no tour: UNKNOWN: {ENDED}\n"
    for command in ("sample", "enumerate"):
        assert run(f"{command} - --time-limit 0.2") == 1
        assert capsys.readouterr().out == "UNKNOWN: the time limit was reached\n"
        assert run(f"{command} - --time-limit 0.2 --format json") == 1
        answer = json.loads(capsys.readouterr().out)
        assert (answer["status"], answer["plays"]) == ("UNKNOWN", [])


@pytest.mark.parametrize(
    "line",
    [
        *("sample {}", "enumerate {}", "enumerate {} --question longest"),
        "enumerate {} --question fill-in",
        "puzzle --cards 10 --level hard --missing 2 --count 1000",
    ],
)
def test_what_takes_too_long_is_unknown(line: str, capsys: Capture) -> None:
    cards = " ".join(f"{colour}{number}" for colour in "RBGY" for number in range(10))
    line = f"{line.format(cards)} --time-limit 0.001"
    assert run(line) == 1
    assert capsys.readouterr().out.startswith("UNKNOWN: ")
    assert run(f"{line} --format json") == 1
    assert json.loads(capsys.readouterr().out)["status"] == "UNKNOWN"


def test_an_interrupt_leaves_the_alarm_as_it_was() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), Deadline.after(0.01).interrupting():
        time.sleep(60)
    with Deadline.after(1e300).interrupting():
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before


def test_other_threads_are_not_interrupted() -> None:
    ended = []

    def work() -> None:
        with Deadline.after(0.0).interrupting():
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended


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
        for ask in (
            hamilton.hamiltonian_cycle,
            hamilton.hamiltonian_path,
            hamilton.path_cover,
            hamilton.longest_path,
        ):
            answer = ask(given, time_limit_s=1e-9)
            assert answer.status == "UNKNOWN"
            assert answer.reason == "the time limit of 1e-09 s ended while reading"
            assert ask(given, time_limit_s=1e4).status != "UNKNOWN"
