"""Workers: child processes that handle one task after another and can be ended at any moment.

Many solvers hold the interpreter's lock while they search and cannot be interrupted, so a time
limit or Ctrl-C can only be honoured by ending the process they run in. A pool keeps workers that
finished their last task, because starting Python and loading a solver costs more than solving a
small question.
"""

import atexit
import os
import threading
import weakref
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from uno_csp.errors import BackendError
from uno_csp.processes.channel import INTERRUPT, Begin, Done, Prepare, Work, pickled, pipe
from uno_csp.processes.cpu_time import MOST_AGE_S, cpu_time_s
from uno_csp.processes.deadline import Deadline, clock_s
from uno_csp.processes.endings import LIMIT_SIGNALS, ending
from uno_csp.processes.forking import at_end, end_fork_server, start_worker
from uno_csp.processes.lifeline import keep_standard_descriptors

STOP_S = 0.1  # longest time in which a worker that is to stop is waited for, before it is killed
LEAVE_S = 2.0
"""Longest wait at exit for processes that were killed: the system may take minutes to take back
the memory of a large one."""


class EndedAtLimit(Exception):
    """A worker died because the system gave it no more memory or CPU time."""


class Worker:
    """One worker of a module: its process, and the parent's end of its channel to wait for.

    The key is what it is to be used for, see :meth:`Pool.take`; ``tasks`` counts those it was
    given.
    """

    def __init__(self, module: str, key: Hashable = None) -> None:
        keep_standard_descriptors()
        self.module, self.key = module, key
        self.tasks = 0
        self.connection: Connection
        self.connection, theirs = pipe()
        with theirs:
            try:
                self.child = start_worker(module, theirs.fileno())
                with suppress(OSError):  # it has ended, which its first task will tell
                    self.connection.send(Begin.here(module, self.child.environment))
            except BaseException:
                self.connection.close()
                raise

    def start(self, task: Any) -> None:
        """Send a task to the worker."""
        self.tasks += 1
        self._began_s = clock_s()
        self._used_before_s = cpu_time_s(self.pid, alone=True) if self.tasks > 1 else 0.0
        self.update(Work(task))

    def update(self, message: Any) -> None:
        """Send something to the task at work; raise EndedAtLimit or BackendError if it died.

        Raises NotAccepted if it holds what cannot be sent, such as a lock.
        """
        data = pickled(message)
        try:
            self.connection.send_bytes(data)
        except OSError:
            raise self._death() from None

    def receive(self) -> Any:
        """Wait for the next message; raise EndedAtLimit or BackendError if it died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):  # OSError in the midst of a message
            raise self._death() from None

    @property
    def pid(self) -> int:
        """Process id."""
        return self.child.pid

    @property
    def memory_mb(self) -> float:
        """Memory that it holds now, with all processes below it."""
        from uno_csp.processes.usage import usage

        return usage(self.pid)[1]

    @property
    def cpu_s(self) -> float:
        """CPU seconds of its task so far, with those of processes that this has started.

        Those of a young task are left out, since looking for them takes longer than most tasks.
        """
        is_young = clock_s() - self._began_s < MOST_AGE_S
        return max(cpu_time_s(self.pid, alone=is_young) - self._used_before_s, 0.0)

    @property
    def hung_up(self) -> bool:
        """True for an idle worker that has ended, even if its exit code is not known yet."""
        return self.connection.poll()  # it sends nothing, so this is the end of the channel

    def interrupt(self) -> None:
        """Ask it to finish its task with what it has found."""
        self.child.signal(INTERRUPT)

    def kill(self) -> None:
        """Kill it with all below it, and reap it in the background, as that may take long."""
        self.child.kill_tree()
        self.connection.close()
        reaper = threading.Thread(target=self.child.reap, daemon=True)
        reaper.start()
        with _lock:
            _reapers[:] = [each for each in _reapers if each.is_alive()]
            _reapers.append(reaper)

    def end(self, *, idle: bool = False) -> None:
        """Kill it and wait for its end, with every process below it unless they are idle, too."""
        if idle:
            self.child.kill()
        else:
            self.child.kill_tree()
        self.connection.close()
        self.child.reap()

    def _death(self) -> Exception:
        code = self.child.wait()
        last = self.child.last_words()
        words = f": {last}" if last else ""
        if code in LIMIT_SIGNALS:
            return EndedAtLimit(f"the solver process {ending(code)}")
        if "bad_alloc" in words or "MemoryError" in words:
            return EndedAtLimit("out of memory")
        return BackendError(f"the solver process {ending(code)}{words}")


class Pool:
    """At most ``max_idle`` idle workers, kept for a next task; the oldest is ended for another.

    A worker is not kept after ``max_tasks``, or if it holds more than ``max_idle_mb`` at a look,
    which takes longer than a small task: there is one each ``check_every`` tasks. ``started``
    counts the tasks.
    """

    def __init__(
        self,
        max_idle: int = 4,
        *,
        max_tasks: int | None = None,
        max_idle_mb: float | None = None,
        check_every: int = 1,
    ) -> None:
        self._max_idle, self._max_tasks = max_idle, max_tasks
        self._max_idle_mb, self._check_every = max_idle_mb, check_every
        self.started = 0
        self._idle: list[Worker] = []
        self._stopping = set[threading.Thread]()
        self._lock = threading.Lock()
        _pools.add(self)

    def take(self, module: str, key: Hashable = None) -> Worker:
        """Return an idle worker of that module and key, or start a new one."""
        dead = []
        found: Worker | None = None
        with self._lock:
            for worker in reversed(self._idle[:]):
                if (worker.module, worker.key) == (module, key):
                    self._idle.remove(worker)
                    if worker.child.alive and not worker.hung_up:
                        found = worker
                        break
                    dead.append(worker)
        for worker in dead:
            worker.end()
        return found or _started_ahead(module, key) or Worker(module, key)

    def start(self, module: str, task: Any, key: Hashable = None) -> Worker:
        """Hand a task to an idle worker, or to a new one if there is none or it has just died."""
        worker = self.take(module, key)
        self.started += 1
        try:
            worker.start(task)
        except (EndedAtLimit, BackendError):
            worker.end()
            worker = Worker(module, key)
            worker.start(task)
        except BaseException:  # for example, the task cannot be sent
            worker.kill()
            raise
        return worker

    def prepare(self, module: str, key: Hashable) -> None:
        """Have an idle worker of that module and key, which loads what its tasks need."""
        with self._lock:
            if any((worker.module, worker.key) == (module, key) for worker in self._idle):
                return
        worker = Worker(module, key)
        with suppress(EndedAtLimit, BackendError):  # whoever takes it starts another
            worker.update(Prepare(key))
        self._keep(worker)

    def stop(self, worker: Worker) -> None:
        """Ask a worker to end its task, whose result nobody wants, and keep it.

        One that does not end it soon is killed, and another prepared.
        """
        worker.interrupt()
        thread = threading.Thread(target=self._await_stop, args=(worker,), daemon=True)
        with self._lock:
            try:
                thread.start()
                self._stopping.add(thread)
            except RuntimeError:  # the system gives no more threads
                worker.end()

    def _await_stop(self, worker: Worker) -> None:
        """Keep or replace a worker that is to stop, if there is room and the pool is not cleared.

        No thread is started for that: the program may be about to end.
        """
        ending, is_done = Deadline.after(STOP_S), False
        with suppress(Exception):  # it has died, or what it sent cannot be read
            while not is_done and worker.connection.poll(ending.left_s):
                is_done = isinstance(worker.receive(), Done)
        is_reusable = is_done and self._reusable(worker)
        with self._lock:
            is_wanted = threading.current_thread() in self._stopping
            is_wanted &= len(self._idle) < self._max_idle
            if is_wanted and is_reusable:
                self._idle.append(worker)
        if not is_wanted or not is_reusable:
            worker.end()
        if is_wanted and not is_done:
            with suppress(OSError):  # whoever needs it starts another
                self.prepare(worker.module, worker.key)
        with self._lock:
            self._stopping.discard(threading.current_thread())

    def await_stops(self) -> None:
        """Wait a moment for the workers that are to stop."""
        with self._lock:
            stopping = [*self._stopping]
        _join(stopping)

    def give_back(self, worker: Worker) -> None:
        """Keep a worker that finished its task, or end it."""
        if not self._reusable(worker):
            worker.kill()
        else:
            self._keep(worker)

    def _keep(self, worker: Worker) -> None:
        with self._lock:
            self._idle.append(worker)
            oldest = self._idle.pop(0) if len(self._idle) > self._max_idle else None
        if oldest is not None:
            oldest.kill()

    def _reusable(self, worker: Worker) -> bool:
        if self._max_tasks is not None and worker.tasks >= self._max_tasks:
            return False
        if self._max_idle_mb is None or worker.tasks % self._check_every:
            return True
        return worker.memory_mb <= self._max_idle_mb

    @contextmanager
    def worker(self, module: str, key: Hashable = None) -> Iterator[Worker]:
        """Take a worker for a block, and keep it afterwards unless it died or the block failed."""
        worker = self.take(module, key)
        try:
            yield worker
        except BaseException:
            worker.end()
            raise
        if worker.child.alive:
            self.give_back(worker)
        else:
            worker.end()

    def clear(self) -> None:
        """End the idle workers, and wait for their ends."""
        with self._lock:
            stopping = [*self._stopping]
            self._stopping.clear()
        _join(stopping)
        with self._lock:
            idle = list(self._idle)
            self._idle.clear()
        for worker in idle:
            worker.end(idle=True)

    def forget(self) -> None:
        """Drop the idle workers without ending them: in a forked copy they belong to the parent."""
        self._idle, self._stopping = [], set()
        self._lock = threading.Lock()  # which a thread of the parent may have held


def start_ahead(module: str, key: Hashable = None) -> None:
    """Start a worker that loads what most tasks need, for whichever pool needs it first."""
    with suppress(OSError, EndedAtLimit, BackendError):  # whoever needs it starts another
        worker = Worker(module, key)
        with _lock:
            _ahead.append(worker)
        worker.update(Prepare(key))


def _started_ahead(module: str, key: Hashable) -> Worker | None:
    """Return a worker of that module that was started ahead, for any use; None if there is none."""
    with _lock:
        found = next((worker for worker in _ahead if worker.module == module), None)
        if found is not None:
            _ahead.remove(found)
            found.key = key
    return found


_pools: "weakref.WeakSet[Pool]" = weakref.WeakSet()
_ahead: list[Worker] = []
_reapers: list[threading.Thread] = []
_lock = threading.Lock()


def end_idle_workers() -> None:
    """End the idle workers of all pools, and wait a moment for all workers that were killed."""
    for pool in list(_pools):
        pool.clear()
    with _lock:
        ahead = list(_ahead)
        _ahead.clear()
    for worker in ahead:
        worker.end(idle=True)  # it starts no thread, which Python 3.12 refuses at exit
    with _lock:
        reapers = list(_reapers)
    _join(reapers)


def await_stops() -> None:
    """Wait a moment for the workers of all pools that are to stop: they take processor time."""
    for each in list(_pools):
        each.await_stops()


def _join(threads: Iterable[threading.Thread]) -> None:
    """Wait a moment for threads that end workers."""
    leaving = Deadline.after(LEAVE_S)
    for thread in threads:
        thread.join(leaving.left_s)


@atexit.register
def end_processes() -> None:
    """End the idle workers and the fork server, when no worker is at work."""
    end_idle_workers()
    end_fork_server()


at_end.append(end_processes)


def _forget_all() -> None:
    global _lock  # noqa: PLW0603 (a thread of the parent may have held it)
    _lock = threading.Lock()
    _ahead.clear()
    _reapers.clear()
    for pool in list(_pools):
        pool.forget()


os.register_at_fork(after_in_child=_forget_all)
