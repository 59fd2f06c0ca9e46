"""One search of a model: its sessions and limits, and the incumbent and bound found so far."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uno_csp.errors import BackendError
from uno_csp.methods import AnyEncoder
from uno_csp.modeling import (
    Assignment,
    Backend,
    Cut,
    Encoded,
    Global,
    Model,
    Result,
    Separator,
    Session,
    no_more_cuts,
    violated_cuts,
)
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.progress import Incumbent, Poll, Progress, Reporter
from uno_csp.processes.deadline import NEVER, Deadline, clock_s
from uno_csp.questions.answers import Status, Witness

Repair = Callable[[Assignment, int], Assignment | None]
"""Tries to turn an assignment that violates global constraints into one that satisfies them; the
number is the work of the search so far, in propagations."""


Improve = Callable[[Assignment, int], Assignment | None]
"""Tries to turn such an assignment into one that satisfies the global constraints and has an
objective value of at most the number."""


def do_nothing(*_given: object) -> None:
    """Return None: the default of what repairs, improves, reports and polls."""


def work_of(result: Result, last: Result | None) -> int:
    """Return the propagations of a call since the last result, or the size of its assignment."""
    total = int(result.stats.get("propagations", 0))
    before = 0 if last is None else int(last.stats.get("propagations", 0))
    return max(total - before if total >= before else total, len(result.assignment or ()))


@dataclass(slots=True)
class Search:
    """The search for a solution of one model.

    ``upper`` and ``elsewhere`` are the best objective values found here and by other workers,
    ``reached`` the least of a solution, also of a relaxation. ``repair`` is tried on assignments
    that violate only the lazy constraints, and ``improve`` where the session minimises;
    ``separate`` returns cuts that one without such violations violates. ``work`` has the
    propagations of all rounds, see :func:`work_of`.
    """

    # decode assignments into witnesses
    encoder: AnyEncoder
    encoded: Encoded[Any]
    model: Model  # all constraints except those in `lazy`, which every session has
    lazy: Sequence[Global]  # global constraints that are enforced by cuts
    # open the sessions; the first uses the seed of the options, each further one the next seed
    backend: Backend
    options: Options
    deadline: Deadline = NEVER  # limits the solver calls of backends that support a time limit
    report: Reporter = do_nothing  # receives progress after every round, and new incumbents
    # returns the best value and bound of other workers at the same question, if they changed
    poll: Poll = do_nothing
    # 1 if the question minimises; -1 if it maximises, when the model minimises the negated value
    sign: int = 1
    lower: int | None = None  # proved lower bound on the model's objective value
    upper: int | None = None
    elsewhere: int | None = None
    reached: int | None = None
    witness: Witness | None = None
    repair: Repair = do_nothing
    improve: Improve = do_nothing
    separate: Separator = no_more_cuts
    rounds: int = 0
    cuts: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    work: int = 0
    last: Result | None = None
    session: Session = field(init=False)
    _kept: list[Cut] = field(default_factory=list)
    _broken: list[Cut] = field(default_factory=list)
    _sessions: int = 0
    _began: float = field(default_factory=clock_s)

    def __post_init__(self) -> None:
        self.session = self._open(self.model)

    def _open(self, model: Model) -> Session:
        seed = self.options.seed + self._sessions
        self._sessions += 1
        return self.backend.open(model, seed=seed, workers=self.options.workers)

    def restart(self, model: Model | None = None) -> None:
        """Open a session with the next seed and all cuts so far, and redundant constraints."""
        self.close()
        self.session = self._open(self.model if model is None else model)
        self.session.add(self._kept)

    def close(self) -> None:
        """Free the solver's memory."""
        self.session.close()

    def solve(self) -> Result:
        """Call the solver, up to the deadline."""
        return self.session.solve(self.deadline.limit_s)

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to this session and all later ones."""
        self._kept += cuts
        self.session.add(cuts)

    def keep(self, wanted: Callable[[Cut], bool]) -> None:
        """Open a new session with only those of the cuts so far that are wanted."""
        self._kept = [cut for cut in self._kept if wanted(cut)]
        self.restart()

    def violated(self, assignment: Assignment) -> list[Cut]:
        """Return cuts that an assignment violates; empty if it violates none.

        Raises BackendError if they are those of the assignment before, which the solver was given.
        """
        broken = [cut for each in self.lazy for cut in violated_cuts(each, assignment)]
        if broken and broken == self._broken:
            raise BackendError(f"{self.backend.name} proposed what breaks a cut that it was given")
        self._broken = broken
        return [*broken] or list(self.separate(assignment))

    def read(self, assignment: Assignment, feasible: bool) -> None:
        """Keep the witness of an assignment, or of the primal heuristic, if it is the best."""
        decode = self.encoder.decode if feasible else self.encoder.primal_heuristic
        witness = decode(self.encoded, assignment)
        if witness is None or witness.objective is None:
            return
        value = self.sign * witness.objective
        if self.upper is None or value < self.upper:
            self.upper, self.witness = value, witness
            self.report(Incumbent(witness))

    def reach(self, value: int) -> None:
        """Keep the least value of the model's objective; only a relaxation has better ones."""
        self.reached = value if self.reached is None else min(self.reached, value)

    def note(self, result: Result, cuts: int) -> None:
        """Count a round, and report it."""
        self.rounds += 1
        self.cuts += cuts
        self.wall_s += result.wall_s
        self.cpu_s += result.cpu_s
        self.work += work_of(result, self.last)
        self.last = result
        self._report_progress()

    def note_cuts(self, cuts: int) -> None:
        """Count cuts of a linear relaxation, and report them."""
        self.cuts += cuts
        self._report_progress()

    def _report_progress(self) -> None:
        elapsed_s = clock_s() - self._began
        objective = None if self.upper is None else self.sign * self.upper
        self.report(Progress(self.rounds, self.cuts, elapsed_s, objective, self.bound))

    @property
    def bound(self) -> int | None:
        """Proved bound on the objective value, in the question's sign."""
        return None if self.lower is None else self.sign * self.lower

    def prove(self, value: int | None) -> None:
        """Keep a bound if it is the best so far."""
        if value is not None and (self.lower is None or value > self.lower):
            self.lower = value

    def poll_bounds(self) -> None:
        """Adopt the best value and bound that other workers have found."""
        update = self.poll()
        if update is not None:
            self.prove(None if update.bound is None else self.sign * update.bound)
            if update.objective is not None:
                self.elsewhere = self.sign * update.objective

    @property
    def best_known(self) -> int | None:
        """Best value found by any worker, or reached in this model, in the model's sign."""
        found = (self.upper, self.elsewhere, self.reached)
        return min((value for value in found if value is not None), default=None)

    @property
    def exhausted(self) -> bool:
        """True when the model has no better value, though no witness has the value reached."""
        return self.lower is not None and self.reached is not None and self.reached <= self.lower

    @property
    def closed(self) -> bool:
        """True when the incumbent meets the bound."""
        return self.lower is not None and self.upper is not None and self.upper <= self.lower

    def ended(self, status: Status, reason: str = "") -> Result:
        """Return the last result with the final status, the bound and the total solver seconds."""
        last = self.last or Result(Status.UNKNOWN, stop_reason="no solver call was made")
        kept = status in (Status.SATISFIABLE, Status.OPTIMAL)
        return replace(
            last,
            status=status,
            assignment=(last.assignment or ()) if kept else None,
            objective=self.upper if kept else None,
            bound=self.lower,
            stop_reason=reason,
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
        )

    def effort(self, result: Result) -> dict[str, Any]:
        """Return the statistics of the search, as reported in an answer."""
        return {
            "rounds": self.rounds,
            "cuts": self.cuts,
            "solver_wall_s": round(result.wall_s, 6),
            "native_status": result.native_status,
            "solver": dict(result.stats),
        }
