"""Run a suite on this machine, several runs at a time, or on a Dask cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from uno_csp.errors import BackendUnavailable, NotAccepted
from uno_csp.experiments.executing import execute, workers_for
from uno_csp.experiments.records import Record, open_records
from uno_csp.experiments.runs import ERROR, Run
from uno_csp.experiments.suites import Suite
from uno_csp.processes.clusters import connected, silence_library

if TYPE_CHECKING:
    from distributed import Client, Future

Listener = Callable[[Record, int, int], None]  # called with a record, the finished and all runs


def run_suite(
    suite: Suite,
    folder: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    cgroups: bool = False,
    listener: Listener | None = None,
) -> int:
    """Do every run that has no record yet, here or on a Dask cluster; return their number.

    With ``cgroups`` each is a program in a control group of its own, by BenchExec.
    """
    execute_one = partial(execute, cgroups=cgroups)
    if jobs < 1:
        raise NotAccepted(f"jobs must be 1 or more, not {jobs}")
    with open_records(folder, suite) as records:
        left = [run for run in suite.runs if run.id not in records.finished]
        with _records_of(left, jobs, dask, execute_one) as arriving:
            for record in arriving:
                records.append(record)
                if listener is not None:
                    listener(record, len(records.finished), len(suite.runs))
    return len(left)


@contextmanager
def _records_of(
    runs: Sequence[Run], jobs: int, dask: str | None, execute_one: Callable[..., Record]
) -> Iterator[Iterator[Record]]:
    """Yield an iterator of records as runs finish; leaving early cancels the other runs."""
    if dask is not None:
        with _on_cluster(runs, dask, execute_one) as arriving:
            yield arriving
        return
    stop = Event()
    workers = workers_for(jobs)
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(execute_one, run, stop, workers) for run in runs]
        try:
            yield (future.result() for future in as_completed(futures))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            workers.clear()


@contextmanager
def _on_cluster(
    runs: Sequence[Run], address: str, execute_one: Callable[..., Record]
) -> Iterator[Iterator[Record]]:
    with connected(address) as client:
        silence_library()
        campaign = uuid4().hex  # makes keys unique: two suites may have equal runs
        futures = {
            client.submit(execute_one, run, key=f"{campaign}-{run.id}", pure=False): run
            for run in runs
        }
        try:
            yield _arriving(client, futures)
        except (CancelledError, OSError) as error:
            if client.status == "running" and not isinstance(error, CancelledError):
                raise
            raise BackendUnavailable(
                f"lost the scheduler at {address}; run the same command again to resume"
            ) from None


def _arriving(client: "Client", futures: "Mapping[Future[Any], Run]") -> Iterator[Record]:
    from distributed import as_completed as as_they_arrive

    arriving = as_they_arrive(list(futures), loop=client.loop)  # type: ignore[no-untyped-call]
    for future in arriving:
        yield _take(future, futures[future])


def _take(future: Any, run: Run) -> Record:
    """Return the record of a run, or an error record if its workers kept dying."""
    if future.cancelled():
        raise CancelledError
    error = future.exception()
    if error is None:
        record: Record = future.result()
        future.release()
        return record
    reason = f"the cluster gave up the run: {type(error).__name__}: {error}"
    return {**run.identity(), "category": ERROR, "reason": reason}
