"""The number of plays of a hand, plays one by one, and plays drawn at random."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from itertools import islice
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

from uno_csp.checker.counting import count_again
from uno_csp.counting.enumerating import StepsExhausted, plays_of, require_feasible
from uno_csp.counting.eulerian import count_trails, declines
from uno_csp.counting.frontier import MOST_MOVES, Frontier
from uno_csp.counting.kinds import kinds_of
from uno_csp.counting.models import MOST_CARDS, count_models
from uno_csp.counting.optima import cheapest_sets, longest_plays
from uno_csp.counting.table import Table, refusal
from uno_csp.errors import CheckFailed, InstanceError, NotAccepted, require_known
from uno_csp.formats import question_to_dict
from uno_csp.graph_tools.fragments import TooMany
from uno_csp.pipeline import Options, solve
from uno_csp.pipeline.solving import question_of
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import Deadline, TimeUp
from uno_csp.questions import FillIn, Instance, Longest, Uno1
from uno_csp.questions.answers import Answer, Status, WithoutTruth
from uno_csp.questions.arguments import plain_value, require_kind, seed_of
from uno_csp.questions.cards import Card
from uno_csp.questions.frozen import frozen
from uno_csp.questions.wording import shown

METHODS = ("table", "eulerian", "frontier", "models")  # the methods of counting, by name
MOST_DRAWN = 1_000_000  # maximum number of plays that are drawn at once
FEW_MOVES = 50_000  # maximum number of moves of the frontier before other methods are tried
FEW_CELLS = 1 << 21  # number of entries up to which the table is quicker than Eulerian trails

GRACE_S = 0.3  # seconds for a lower bound after the time limit
BOUND_PLAYS, BOUND_STEPS = 1_000, 100_000  # limits of plays and steps for a lower bound
Question: TypeAlias = Uno1 | Longest | FillIn


@dataclass(frozen=True, slots=True)
class CountAnswer(WithoutTruth):
    """The number of plays of a hand.

    Parameters
    ----------
    status
        OPTIMAL if the number is known, or UNKNOWN.
    objective
        The number of plays; None if it is not known.
    bound
        A lower bound on it.
    first
        For each kind of card, how many plays begin with it; None unless the method tells.
    method
        The method used; ``enumeration`` if the hand is too large for the others, and its plays are
        few enough to be listed; ``solve`` if it proved that there is none.
    reason
        Why the status is UNKNOWN; for 0 plays, a short reason if ``solve`` gives one.
    checked
        True if the checker has counted the plays again; it does so for up to 10 cards.
    wall_s
        Wall-clock seconds.
    """

    status: Status
    objective: int | None
    bound: int
    first: Mapping[Card, int] | None = None
    method: str | None = None
    reason: str = ""
    checked: bool = False
    wall_s: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", frozen(self.first))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer, JSON-ready; a number is a string if it has more than 15 digits."""
        first = None
        if self.first is not None:
            first = [{"card": [*card], "plays": _exact(n)} for card, n in self.first.items() if n]
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        objective = None if self.objective is None else _exact(self.objective)
        numbers = {"objective": objective, "bound": _exact(self.bound), "first": first}
        return {"question": "count", **found, **numbers, "wall_s": round(self.wall_s, 6)}


def _exact(number: int) -> int | str:
    """Return a number such that programs whose numbers are floats read it exactly."""
    return number if number < 10**15 else digits(number)


def digits(number: int) -> str:
    """Return a number in decimal; ``str`` refuses numbers of more than 4300 digits."""
    return f"{Decimal(number):f}"


def count(
    question: Instance | str,
    method: str | None = None,
    *,
    time_limit_s: SupportsFloat | None = None,
) -> CountAnswer:
    """Count the plays of a hand: the feasible sequences of all its cards, after ``after``.

    Equal cards are indistinguishable; a sequence and its reverse are two plays.

    Parameters
    ----------
    question
        A ``uno-1`` question, or its text.
    method
        ``table`` (dynamic programming over the multisets of cards left), ``eulerian`` (Eulerian
        trails on the colours, for two attributes), ``frontier`` (fragments of plays, for hands
        of any size whose cards match as in a narrow grid or a tree) or ``models`` (a projected
        model counter, for small hands); chosen by the size of the hand if it is left out.
    time_limit_s
        Wall-clock limit in seconds, at which the status is UNKNOWN.

    Raises
    ------
    InstanceError, NotAccepted
        If the question is another one, or the method does not apply to it.
    BackendUnavailable
        If the method is ``models``, and the model counter is not installed.
    CheckFailed
        If the checker counts another number, or ``solve`` finds a play where there are 0, or none
        where there are some. This is a bug.

    Examples
    --------
    >>> count("R1 R2 B2").objective
    2
    >>> answer = count("R1 R2 B2 W")
    >>> answer.objective, answer.first["*", "*"]
    (12, 2)
    """
    timed = _timed(time_limit_s)
    hand = _whole(question)
    if method is not None:
        require_known("counting method", method, METHODS)
    try:
        with timed.during("counting plays"):
            answer = _count_by(hand, method, timed.deadline)
    except TimeUp as error:
        answer = _bound(hand, 0, str(error), Deadline.after(GRACE_S))
    if answer.objective == 0:
        answer = _with_reason(hand, answer, timed.deadline)
    again = count_again(hand) if answer.status is Status.OPTIMAL else None
    if again is not None and again != answer.objective:
        raise _failure(hand, answer, f"the checker counts {again} plays, not {answer.objective}")
    return replace(answer, checked=again is not None, wall_s=timed.elapsed_s)


def _timed(time_limit_s: SupportsFloat | None) -> Timed:
    return Timed(Options.of({"time_limit_s": time_limit_s}))


def _failure(hand: Uno1, answer: CountAnswer, message: str) -> CheckFailed:
    return CheckFailed(message, {"instance": question_to_dict(hand), "answer": answer.to_dict()})


def _whole(question: Instance | str) -> Uno1:
    hand = question_of(question)
    if not isinstance(hand, Uno1):
        raise InstanceError(f"question: plays are counted of uno-1, not of {hand.question}")
    return hand


def _count_by(hand: Uno1, method: str | None, deadline: Deadline) -> CountAnswer:
    """Count by a method, or by those that fit the size of the hand; list the plays if none does."""
    why = ""
    tries = _tries(hand, deadline) if method is None else [(method, MOST_MOVES)]
    for each, most_moves in tries:
        try:
            return _count(hand, each, deadline, most_moves)
        except TooMany as error:
            why = str(error)
    return _list_plays(hand, why, deadline)


def _tries(hand: Uno1, deadline: Deadline) -> list[tuple[str, int]]:
    """Return the methods to try, one after the other, with the moves allowed to the frontier."""
    if not refusal(kinds_of(hand, deadline), FEW_CELLS):
        return [("table", 0)]
    others = ["table"] if declines(hand) is not None else ["eulerian", "table"]
    return [("frontier", FEW_MOVES), *((each, 0) for each in others), ("frontier", MOST_MOVES)]


def _count(hand: Uno1, method: str, deadline: Deadline, most_moves: int) -> CountAnswer:
    if method == "eulerian":
        reason = declines(hand)
        if reason is not None:
            raise NotAccepted(f"eulerian: {reason}")
        total = count_trails(hand, deadline)
        return CountAnswer(Status.OPTIMAL, total, total, method=method)
    if method == "models":
        if len(hand.cards) > MOST_CARDS:
            raise NotAccepted(f"models: it counts hands of up to {MOST_CARDS} cards")
        total = count_models(hand, deadline)
        return CountAnswer(Status.OPTIMAL, total, total, method=method)
    kinds = kinds_of(hand, deadline)
    counted: Frontier | Table
    if method == "frontier":
        counted = Frontier(kinds, deadline, most_moves=most_moves)
    elif too_large := refusal(kinds):
        raise TooMany(too_large)
    else:
        counted = Table(kinds, deadline)
    return CountAnswer(Status.OPTIMAL, counted.total, counted.total, counted.first, method)


def _list_plays(hand: Uno1, reason: str, deadline: Deadline) -> CountAnswer:
    """List plays of a hand that is too large for the methods: all if they are few, or else some."""
    found = 0
    try:
        each = plays_of(hand, len(hand.cards), deadline, BOUND_STEPS)
        for _ in islice(each, BOUND_PLAYS):
            found += 1
        if found < BOUND_PLAYS:
            return CountAnswer(Status.OPTIMAL, found, found, method="enumeration")
    except StepsExhausted:
        pass
    return _bound(hand, found, reason, deadline)


def _bound(hand: Uno1, found: int, reason: str, deadline: Deadline) -> CountAnswer:
    """Return what ``solve`` knows about the number of plays of which some were found.

    The reverse of a play that follows no card is a play, too.
    """
    if not found:
        answer = solve(hand, Options(time_limit_s=deadline.limit_s))
        if answer.status is Status.UNSATISFIABLE:
            return CountAnswer(Status.OPTIMAL, 0, 0, method="solve", reason=_why(answer))
        play = answer.witness.sequence
        if play is not None:
            found = 2 if hand.after is None and play != play[::-1] else 1
    return CountAnswer(Status.UNKNOWN, None, found, reason=reason)


def _with_reason(hand: Uno1, answer: CountAnswer, deadline: Deadline) -> CountAnswer:
    """Add to a count of 0 why there is no play, if ``solve`` finds it before the deadline."""
    if answer.reason:
        return answer
    solved = solve(hand, Options(time_limit_s=deadline.limit_s))
    if solved.status is Status.SATISFIABLE:
        raise _failure(hand, answer, "there is a play, and the number of plays is 0")
    return replace(answer, reason=_why(solved))


def _why(answer: Answer) -> str:
    return answer.reason if answer.status is Status.UNSATISFIABLE else ""


def plays(question: Instance | str, **options: Any) -> Iterator[tuple[Card, ...]]:
    """Yield plays one by one, never one twice, each accepted by the checker.

    For ``uno-1`` these are the sequences of the whole hand, and for ``longest`` the longest
    sequences. They come in the order in which the kinds of cards appear in the hand: first all that
    begin with the first kind, and so on, at each step. For ``fill-in`` they are the optimal sets of
    added cards; without a supply, those whose values all occur in the hand.

    Parameters
    ----------
    options
        Those of :class:`~uno_csp.Options`, by name: ``time_limit_s`` is for the whole list, and
        the others for the optimum.

    Raises
    ------
    InstanceError
        If the question is another one.
    NotAccepted
        If the optimum is not found, or the time limit is reached before the list has ended.

    Examples
    --------
    >>> list(plays("R1 R2 B2"))
    [(('red', 1), ('red', 2), ('blue', 2)), (('blue', 2), ('red', 2), ('red', 1))]
    """
    hand, timed = question_of(question), Timed(Options.of(options))
    match hand:
        case Uno1():
            found = _checked_plays(hand, timed.deadline)
        case Longest():
            found = longest_plays(hand, timed)
        case FillIn():
            found = cheapest_sets(hand, timed)
        case _:
            raise InstanceError(
                f"question: plays are listed of uno-1, longest and fill-in, not of {hand.question}"
            )
    return timed.within("listing answers", found)


def _checked_plays(hand: Uno1, deadline: Deadline) -> Iterator[tuple[Card, ...]]:
    for play in plays_of(hand, len(hand.cards), deadline):
        require_feasible(hand, play)
        yield play


def sample(
    question: Instance | str,
    number: SupportsIndex = 1,
    *,
    seed: SupportsIndex = 0,
    time_limit_s: SupportsFloat | None = None,
) -> list[tuple[Card, ...]]:
    """Draw plays of a hand, each with the same probability and independent of the others.

    Parameters
    ----------
    number
        Number of plays; the same play may be drawn again.
    seed
        The seed of the random numbers.
    time_limit_s
        Wall-clock limit in seconds.

    Raises
    ------
    InstanceError
        If the question is not ``uno-1``, or ``number`` is out of range.
    NotAccepted
        If there is no play, the hand is too large for the table and the frontier, or the time
        limit is reached.

    Examples
    --------
    >>> sample("R1 R2", 2, seed=3)
    [(('red', 1), ('red', 2)), (('red', 1), ('red', 2))]
    """
    hand = _whole(question)
    size, start = plain_value(number), seed_of(seed)
    require_kind("number", size, int)
    if not 0 <= size <= MOST_DRAWN:
        raise InstanceError(f"number: {shown(size)} is not allowed; expected 0 to {MOST_DRAWN}")
    timed = _timed(time_limit_s)
    with timed.during("drawing plays"):
        return _drawn(hand, size, start, timed.deadline)


def _drawn(hand: Uno1, number: int, seed: int, deadline: Deadline) -> list[tuple[Card, ...]]:
    """Draw plays, and check each."""
    kinds = kinds_of(hand, deadline)
    large = bool(refusal(kinds))
    counted = Frontier(kinds, deadline, kept=True) if large else Table(kinds, deadline)
    try:
        if not counted.total:
            raise NotAccepted("the hand has no play")
    except TooMany as error:
        raise NotAccepted(f"the hand is too large to draw plays: {error}") from None
    found = counted.sample(random.Random(seed), number)
    for play in found:
        deadline.check()
        require_feasible(hand, play)
    return found
