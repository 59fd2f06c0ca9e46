"""Clauses on their way into a file: cleaned, and handed on in large chunks."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.errors import NotAccepted
from uno_csp.modeling import Block, Clause, Clauses
from uno_csp.modeling.clauses import CHUNK

Literals: TypeAlias = NDArray[np.int32]  # literals of clauses; a 0 ends each clause
FEW_CLAUSES = 10_000  # maximum number of clauses that are collected; more are handed on at once
AT_ONCE = 1000  # number of clauses that are taken at once from those that are made on the way


def batched(clauses: Iterable[Clause]) -> Iterator[list[Clause]]:
    """Yield clauses in lists of up to :data:`AT_ONCE`."""
    given = iter(clauses)
    while few := [*islice(given, AT_ONCE)]:
        yield few


class ClauseStream:
    """A formula that hands its clauses on to ``take`` instead of keeping them."""

    def __init__(self, num_vars: int, take: Callable[[Literals], None]) -> None:
        self.num_vars = num_vars
        self.num_clauses = 0
        self._take = take
        self._waiting = Clauses()

    @property
    def clauses(self) -> "ClauseStream":
        """The stream itself, which takes clauses as a list does."""
        return self

    def append(self, clause: Clause) -> None:
        """Take a clause."""
        self.extend((clause,))

    def extend(self, clauses: Iterable[Clause]) -> None:
        """Take clauses."""
        if isinstance(clauses, Clauses) and len(clauses) > FEW_CLAUSES:
            self.flush()
            self._hand_on(clauses)
            return
        parts = (clauses,) if isinstance(clauses, Clauses) else batched(clauses)
        for few in parts:
            self._waiting.extend(few)
            if self._waiting.num_literals > CHUNK:
                self.flush()

    def flush(self) -> None:
        """Hand on the clauses that wait."""
        waiting, self._waiting = self._waiting, Clauses()
        self._hand_on(waiting)

    def _hand_on(self, clauses: Clauses) -> None:
        for literals in clean_parts(clauses, self.num_vars):
            self.num_clauses += int(np.count_nonzero(literals == 0))
            self._take(literals)


def clean_parts(clauses: Clauses, num_vars: int) -> Iterator[Literals]:
    """Yield clauses in chunks, without tautologies and repeated literals."""
    for part in clauses.parts():
        chunks = part.flat() if isinstance(part, Block) else (clean(part, num_vars),)
        yield from (literals for literals in chunks if len(literals))


def clean(literals: Literals, num_vars: int) -> Literals:
    """Return clauses without tautologies and repeated literals.

    Raises NotAccepted for a literal of a variable that the formula does not have.

    >>> clean(np.array([1, 2, 1, 0, 2, -2, 0, -1, 0]), 2).tolist()
    [1, 2, 0, -1, 0]
    """
    variables = np.abs(literals)
    if variables.max(initial=0) > num_vars:
        place = variables.argmax()
        raise NotAccepted(f"the literal {literals[place]} has no variable from 1 to {num_vars}")
    ends = literals == 0
    keys = np.cumsum(ends, dtype=np.int64)[~ends] << 32 | variables[~ends]
    keys.sort()
    if (keys[1:] != keys[:-1]).all():
        return literals
    kept: list[int] = []
    clause: dict[int, None] = {}
    for literal in literals.tolist():
        clause[literal] = None
        if literal == 0:
            if not any(-other in clause for other in clause if other):
                kept += clause
            clause = {}
    return np.array(kept, dtype=np.int32)
