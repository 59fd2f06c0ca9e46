"""Lower bounds by parts: for each group of cards, a proof of the number of sequences it needs.

Groups that share no hub cannot share a sequence, so their bounds add up. A formula for one group is
far easier to refute than one for the whole hand, which would have to count over all groups.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count, groupby
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from uno_csp.certificates.bounds import Bound, Relaxation, TrailRelaxation, find_bound, trail_cuts
from uno_csp.certificates.groups import groups_without
from uno_csp.certificates.refutation import Cuts, HasSolution, Refutation, Unproved, refute
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.verifier.cards import Better, Card, Question
from uno_csp.verifier.hands import for_bound, formula
from uno_csp.verifier.trails import Clauses, Trails

FEW_CASES = 12
"""Leaves of the case tree up to which only the search for a bound runs, without a refutation: a
bound with few cases is the smallest certificate and needs no proof checker."""

FoundT = TypeVar("FoundT")


class Effort(NamedTuple):
    """Effort so far: the cases of a bound, and the conflicts of a refutation, of a group."""

    cases: int = 0
    conflicts: int = 0


EffortListener: TypeAlias = Callable[[Effort], None]


def unheard(_effort: Effort) -> None:
    """Drop an effort: the default listener does nothing."""


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """Options of a proof search."""

    deadline: Deadline = NEVER
    strict: bool = False  # whether the formula is written without cuts
    bounds: bool = True  # whether bounds are allowed beside refutations
    levels: bool = False  # whether the formula has hubs of all levels
    on_effort: EffortListener = unheard  # called after each linear program and slice of conflicts

    def require_time(self) -> None:
        """Raise Unproved once the deadline has passed."""
        if self.deadline.expired:
            raise Unproved("no proof was found within the time limit")


@dataclass(frozen=True, slots=True)
class Refuted:
    """An unsatisfiable formula with its proof: a bound or a refutation."""

    formula: Clauses
    bound: Mapping[str, Any] | None
    refutation: Refutation | None


@dataclass(frozen=True, slots=True)
class Parts:
    """Groups of cards, a lower bound on the sequences of each, and proofs of the bounds above 1."""

    groups: Sequence[Sequence[int]]
    needs: Sequence[int]
    shown: Sequence[Refuted]


def impossible(question: Question, goal: Better, options: ProofOptions) -> Refuted:
    """Return a proof that no better answer exists: a bound or a refutation.

    Either search may be hopeless where the other is quick, so they alternate: one linear program,
    then one slice of conflicts. They do not alternate by time, so the same question always gets the
    same kind of proof. Raises HasSolution if a better answer exists, and Unproved if the deadline
    passes, the question is too large, or the conflict limit is reached.
    """
    relaxation = None
    if options.bounds and not options.strict and len(question.hands) == 1:
        relaxation = TrailRelaxation(for_bound(question, goal, options.levels))
    return refute_by_turns(partial(_state, question, goal, options), relaxation, options)


def _state(question: Question, goal: Better, options: ProofOptions) -> tuple[Clauses, Cuts | None]:
    """Return the whole formula, and its cuts unless it needs none."""
    stated = formula(question, goal, options.strict, options.levels)
    if not isinstance(stated, Trails) or stated.unrolled:
        return stated, None
    return stated, partial(trail_cuts, stated)


def refute_by_turns(
    state: Callable[[], tuple[Clauses, Cuts | None]],
    relaxation: Relaxation | None,
    options: ProofOptions,
) -> Refuted:
    """Refute a formula, by a bound as well if a relaxation is given; as :func:`impossible`.

    ``state`` writes the formula; it is called if the bound is not found soon.
    """
    return run(_alternate(state, relaxation), options)


def _alternate(
    state: Callable[[], tuple[Clauses, Cuts | None]], relaxation: Relaxation | None
) -> Generator[Effort, None, Refuted]:
    """Search for a bound with few cases, then alternate that search with a refutation."""
    bounding = Steps(find_bound(relaxation))
    bound = yield from few_cases(bounding)
    if relaxation is not None and bound is not None:
        return Refuted(relaxation.formula, bound, None)
    stated, cuts = state()
    refuting = Steps(refute(stated, cuts))
    while refuting.step():
        bounding.step()
        bound = bounding.found
        if bound is not None:
            return Refuted(stated, bound, None)
        yield Effort(bounding.effort, refuting.effort)
    return Refuted(stated, None, refuting.found)


def few_cases(bounding: "Steps[Bound]") -> Generator[Effort, None, Bound]:
    """Search for a bound up to :data:`FEW_CASES`; None if it has more."""
    while bounding.step() and bounding.effort <= FEW_CASES:
        yield Effort(bounding.effort)
    return bounding.found


class Steps(Generic[FoundT]):
    """A search that yields its effort, step by step, and what it has ``found`` in the end."""

    def __init__(self, search: Generator[int, None, FoundT]) -> None:
        self._search = search
        self.effort = 0
        self.found: FoundT | None = None

    def step(self) -> bool:
        """Take a step; return False if the search has ended."""
        try:
            self.effort = next(self._search)
        except StopIteration as ended:
            self.found = ended.value if self.found is None else self.found
            return False
        return True


def run(search: Generator[Effort, None, FoundT], options: ProofOptions) -> FoundT:
    """Run a search to its end; raise Unproved once the deadline has passed."""
    with closing(search):
        while True:
            try:
                options.on_effort(next(search))
            except StopIteration as ended:
                found: FoundT = ended.value
                return found
            options.require_time()


def in_parts(
    question: Question, goal: Better, witness: Sequence[Card], options: ProofOptions
) -> Parts | None:
    """Prove by groups of cards that the hand needs more sequences than the goal allows.

    Return None if the groups do not prove that, or if bounds by parts do not apply to the question.
    The ``witness``, an optimal sequence or empty, yields the first estimate of what each group
    needs. Raises Unproved when the deadline has passed.
    """
    groups = groups_without(question, ())
    if question.supply is not None or goal.played is not None or len(groups) < 2:
        return None
    hands = [[question.counted[card] for card in group] for group in groups]
    estimate = _runs(hands, witness)
    shown: dict[int, Refuted] = {}
    needs = [1] * len(groups)
    for number in sorted(range(len(hands)), key=lambda each: len(hands[each])):
        part = question.part(hands[number])
        needs[number], why = _need(part, estimate[number], options)
        if why is not None:
            shown[number] = why
        if sum(needs) > goal.sequences:
            return Parts(groups, needs, [shown[each] for each in sorted(shown)])
    return None


def _runs(hands: Sequence[Sequence[Card]], witness: Sequence[Card]) -> list[int]:
    """Count the contiguous runs of each group's cards in the witness."""
    group = {card: number for number, hand in enumerate(hands) for card in hand}
    runs = [0] * len(hands)
    for number, _ in groupby(witness, key=group.get):
        if number is not None:
            runs[number] += 1
    return runs


def _need(part: Question, estimate: int, options: ProofOptions) -> tuple[int, Refuted | None]:
    """Return a lower bound on the sequences of a group, with its proof; the bound 1 needs none."""
    best: tuple[int, Refuted | None] = 1, None
    for need in [estimate, *range(2, estimate)] if estimate > 1 else count(2):
        try:
            best = need, impossible(part, Better(need - 1), options)
        except HasSolution:
            if need != estimate:
                break
        if best[0] == estimate > 1:
            break
    return best
