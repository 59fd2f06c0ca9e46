"""Races whose members answer from a script."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from threading import Event
from typing import Any

import pytest

from tests.support.running import Patch
from uno_csp import Longest, Options, Status
from uno_csp.errors import BackendError, NotAccepted
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.progress import Bound, Incumbent, Progress
from uno_csp.pipeline.race import NO_CARDS, WORKER, run_isolated
from uno_csp.pipeline.solver_worker import handle
from uno_csp.pipeline.stages import SentTask, Solved, Task
from uno_csp.processes.channel import READY, Channel, Done, Packed
from uno_csp.processes.deadline import NEVER, SHORTEST_S, Deadline, clock_s
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness

HAND = Longest((("red", 5), ("red", 7), ("blue", 9)))
PAIR = Witness(HAND.cards[:2], objective=2)
FAILURE = BackendError("the solver gave up")


class Scripted:
    """A worker that has sent its messages before it is read."""

    cpu_s = 1e9

    def __init__(self, messages: Sequence[Any]) -> None:
        self.connection: Connection
        self.connection, self._theirs = Pipe()
        for each in messages:
            self._theirs.send(each)

    def receive(self) -> Any:
        return self.connection.recv()

    def update(self, _message: object) -> None:
        """Nobody reads it."""

    def kill(self) -> None:
        self.connection.close()


class Script:
    """In place of the pool: the workers of a race in order."""

    started = 0

    def __init__(self, *scripts: Sequence[Any]) -> None:
        self.left, self.ended, self.stopped = list(scripts), 0, 0

    def start(self, _module: str, _task: Task, _key: str | None) -> Scripted:
        return Scripted(self.left.pop(0))

    def prepare(self, _module: str, _key: str | None) -> None:
        """The workers are ready."""

    def give_back(self, worker: Scripted) -> None:
        self.ended += 1
        worker.kill()

    def stop(self, worker: Scripted) -> None:
        self.stopped += 1
        worker.kill()


def raced(
    monkeypatch: Patch, *scripts: Sequence[Any], beside: Iterable[object] = ()
) -> tuple[str | None, Solved]:
    """The method that is named, and the result."""
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", Script(*scripts))
    tasks = [Task(HAND, Options(f"method-{i}")) for i in range(len(scripts))]
    task, solved = run_isolated(tasks, NEVER, beside=beside)
    return task.options.method, solved


def unknown(
    stats: dict[str, int], witness: Witness | None = None, bound: int | None = None
) -> Done:
    return Done(Solved(Status.UNKNOWN, witness, bound, "it gave up", None, stats, ("kernel",)))


def test_statistics_are_of_the_member_that_is_named(monkeypatch: Patch) -> None:
    found = unknown({"rounds": 1}, witness=PAIR)
    method, solved = raced(monkeypatch, [found], [unknown({"rounds": 9}, bound=3)])
    assert method == "method-0"
    assert (solved.stats, solved.reductions) == ({"rounds": 1}, ("kernel",))
    assert (solved.status, solved.witness, solved.bound) == (Status.UNKNOWN, PAIR, 3)


def test_what_is_known_outlasts_the_last_failure(monkeypatch: Patch) -> None:
    failing = [Incumbent(PAIR), Done(FAILURE)]
    method, solved = raced(monkeypatch, [Done(FAILURE)], failing)
    assert (method, solved.status, solved.witness) == ("method-1", Status.UNKNOWN, PAIR)
    assert solved.reason == "the solver gave up"


def test_a_task_that_ends_after_it_proved_the_optimum_has_it(monkeypatch: Patch) -> None:
    proved = [Incumbent(PAIR), Progress(1, 0, 0.0, objective=2, bound=2), Done(FAILURE)]
    _, solved = raced(monkeypatch, proved)
    assert (solved.status, solved.witness, solved.bound) == (Status.OPTIMAL, PAIR, 2)
    assert solved.reason == ""
    short = [Incumbent(PAIR), Progress(1, 0, 0.0, objective=2, bound=3), Done(FAILURE)]
    _, solved = raced(monkeypatch, short)
    assert (solved.status, solved.bound, solved.reason) == (Status.UNKNOWN, 3, "the solver gave up")


@pytest.mark.parametrize("members", [1, 2])
def test_a_failure_is_raised_if_nothing_is_known(members: int, monkeypatch: Patch) -> None:
    with pytest.raises(BackendError, match="gave up"):
        raced(monkeypatch, *[[Done(FAILURE)]] * members)


def test_a_bound_from_before_the_search_is_kept(monkeypatch: Patch) -> None:
    _, solved = raced(monkeypatch, [Bound(2), Incumbent(PAIR), Done(FAILURE)])
    assert (solved.status, solved.bound) == (Status.OPTIMAL, 2)
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", Script([unknown({})]))
    _, solved = run_isolated([Task(HAND, Options("method"), known_bound=3)], NEVER)
    assert (solved.status, solved.bound) == (Status.UNKNOWN, 3)
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", Script([Done(FAILURE)]))
    with pytest.raises(BackendError, match="gave up"):
        run_isolated([Task(HAND, Options("method"), known_bound=3)], NEVER)


class NoProcesses(Script):
    """A pool that can start one worker and no other."""

    started = 9

    def __init__(self, script: Sequence[Any]) -> None:
        super().__init__(script)

    def start(self, module: str, task: Task, key: str | None) -> Scripted:
        if not self.left:
            raise OSError("too many open files")
        return super().start(module, task, key)

    def prepare(self, _module: str, _key: str | None) -> None:
        raise OSError("too many open files")


def test_workers_that_cannot_be_started_take_no_answer_away(monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.pipeline.schedule.LOADING_S", 0.0)  # the second starts at once
    script = [Incumbent(PAIR), Progress(1, 0, 0.0, objective=2, bound=2), Done(FAILURE)]
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", NoProcesses(script))
    tasks = [Task(HAND, Options(f"method-{i}")) for i in range(2)]
    _, solved = run_isolated(tasks, NEVER)
    assert (solved.status, solved.bound) == (Status.OPTIMAL, 2)
    without = NoProcesses([])
    without.start(WORKER, tasks[0], None)
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", without)
    with pytest.raises(OSError, match="too many open files"):
        run_isolated(tasks, NEVER)


YES = Done(Solved(Status.SATISFIABLE, PAIR))
NO = Done(Solved(Status.UNSATISFIABLE))


def test_a_witness_waits_for_what_is_beside_and_a_refutation_does_not(monkeypatch: Patch) -> None:
    parts = iter(range(5))
    assert raced(monkeypatch, [YES], beside=parts)[1].status is Status.SATISFIABLE
    assert [*parts] == []
    parts = iter(range(5))
    assert raced(monkeypatch, [NO], beside=parts)[1].status is Status.UNSATISFIABLE
    assert len([*parts]) >= 4


def test_what_is_beside_ends_a_race_that_has_its_answer(monkeypatch: Patch) -> None:
    def finds() -> Iterator[int]:
        yield from range(3)
        raise KeyError

    script = Script([YES], [YES])
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", script)
    with pytest.raises(KeyError):
        run_isolated([Task(HAND, Options(f"method-{i}")) for i in range(2)], beside=finds())
    assert len(script.left) == 1  # no second worker was started meanwhile
    assert script.ended == 1


@pytest.mark.parametrize(
    ("methods", "script", "races", "stopped"),
    [
        (("walks", "rotations"), [NO], 9, 1),
        (("rotations", "walks"), [NO], 9, 0),
        (("walks", "hub-trail"), [NO], 9, 0),  # a solver looks at no deadline
        (("walks", "rotations"), [NO], 0, 0),  # there may be no further race
        (("walks", "rotations"), [Done(KeyError())], 9, 0),
    ],
)
def test_an_algorithm_that_has_lost_stops_and_its_worker_is_kept(
    methods: tuple[str, str], script: list[Any], races: int, stopped: int, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("uno_csp.pipeline.schedule.LOADING_S", 0.0)
    waits = Script(script, [])
    waits.started = races
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", waits)
    with suppress(KeyError):
        run_isolated([Task(HAND, Options(each)) for each in methods], NEVER)
    assert (waits.stopped, waits.left) == (stopped, [])


def test_a_deadline_passes_when_its_work_is_stopped() -> None:
    stop = Event()
    ending = Deadline(is_stopped=stop.is_set).shifted(1.0)
    assert (ending, ending.expired, ending.limit_s) == (NEVER, False, None)
    stop.set()
    assert (ending.expired, ending.left_s, ending.limit_s) == (True, 0.0, SHORTEST_S)
    sent = pickle.loads(pickle.dumps(ending))  # noqa: S301  # it says nothing of work elsewhere
    assert (sent, sent.expired) == (ending, False)


def test_no_member_starts_once_the_time_is_up(monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.pipeline.race.WORKERS", Script())
    tasks = [Task(HAND, Options("method"), known_bound=3)]
    _, solved = run_isolated(tasks, Deadline(0.0))
    assert (solved.status, solved.bound, solved.reason) == (Status.UNKNOWN, 3, STOPPED)


def test_a_worker_reads_the_instance_when_its_solver_is_loaded() -> None:
    messages: list[object] = []

    class Told(Channel):
        def __init__(self) -> None:
            """Nobody is at the other end."""

        def on_interrupt(self, _callback: object) -> None:
            """Nobody interrupts."""

        def report(self, message: object) -> None:
            messages.append(message)

    class Read(Packed[Instance]):
        def read(self) -> Instance:
            messages.append("read")
            return super().read()

    way = Options("subsets")
    sent = SentTask(Read(HAND), Task(NO_CARDS, way), sent_at=clock_s())
    assert handle(sent, Told()).status is Status.OPTIMAL
    assert messages[:2] == [READY, "read"]


def test_what_cannot_be_imported_is_refused() -> None:
    class Own:
        """Of this function alone."""

    with pytest.raises(NotAccepted, match="cannot be sent to a worker"):
        Packed(Own())
    sent = Packed(HAND)
    assert sent.read() == HAND
    gone = pickle.dumps(HAND).replace(b"Longest", b"Longess")
    sent.__dict__["_pickled"] = gone
    with pytest.raises(NotAccepted, match="cannot be sent to a worker"):
        sent.read()
