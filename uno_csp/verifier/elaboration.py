"""Elaborate DRUP into LRAT: add to each lemma the clauses it follows from, as hints.

An LRAT checker needs no search, which made it possible to verify one in ACL2 (Heule, Hunt, Kaufmann
and Wetzler 2017). This is a forward pass: for each lemma, its negation is assumed and unit
propagation derives a conflict; the clauses involved in the conflict are the hints.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence


class NotElaborated(Exception):
    """A lemma does not follow by unit propagation."""


def elaborate(clauses: Sequence[Sequence[int]], proof: Iterable[str]) -> Iterator[str]:
    """Yield the lines of an LRAT proof, given those of a textual DRAT proof of a formula.

    All lemmas have to follow by unit propagation (DRUP), else NotElaborated is raised. Deletions
    are ignored, which is sound for such proofs.

    >>> list(elaborate([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["1 0", "0"]))
    ['5 1 0 1 2 0', '6 0 5 3 4 0']
    """
    database = _Database(clauses)
    for line in proof:
        if line.startswith("d"):
            continue
        # After a conflict at the top level the empty clause follows at once.
        lemma = [] if database.conflict else [int(word) for word in line.split()[:-1]]
        hints = database.hints(lemma)
        number = database.add(lemma)
        yield " ".join(map(str, [number, *lemma, 0, *hints, 0]))
        if not lemma:
            return


def lrat(formula: str, proof: str) -> str:
    """Return the LRAT proof for a formula in DIMACS and a textual DRUP proof, as elaborate does."""
    rows = formula.splitlines()[1:]
    clauses = [[int(word) for word in row.split()[:-1]] for row in rows]
    return "".join(f"{line}\n" for line in elaborate(clauses, proof.splitlines()))


class _Database:
    """Clauses with two watched literals each, and the trail of propagated units."""

    def __init__(self, clauses: Sequence[Sequence[int]]) -> None:
        self._clauses: list[list[int]] = [[]]
        self._watching: defaultdict[int, list[int]] = defaultdict(list)
        self._reason: dict[int, int] = {}
        self._trail: list[int] = []
        self.conflict = 0
        for clause in clauses:
            self.add(clause)

    def add(self, clause: Sequence[int]) -> int:
        """Add a clause and return its number."""
        own = list(dict.fromkeys(clause))
        # Watch literals that are not false.
        own.sort(key=lambda literal: -literal in self._reason)
        self._clauses.append(own)
        number = len(self._clauses) - 1
        for literal in own[:2]:
            self._watching[literal].append(number)
        if self.conflict:
            return number
        free = [literal for literal in own if -literal not in self._reason]
        if not free:
            self.conflict = number
        elif len(free) == 1 and free[0] not in self._reason:
            self.conflict = self._propagate(free[0], number)
        return number

    def hints(self, lemma: Sequence[int]) -> list[int]:
        """Return the clauses that imply a lemma, in the order in which they become unit."""
        before = len(self._trail)
        assumed = {-literal for literal in lemma}
        # The assumptions may contradict a unit; take the first on the trail.
        known = next((literal for literal in self._trail if -literal in assumed), None)
        conflict = self.conflict if known is None else self._reason[known]
        for literal in () if conflict else lemma:
            if literal in self._reason:
                conflict = self._reason[literal]
            elif -literal not in self._reason:
                conflict = self._propagate(-literal, 0)
            if conflict:
                break
        found = self._used(conflict, assumed) if conflict else None
        for literal in self._trail[before:]:
            del self._reason[literal]
        del self._trail[before:]
        if found is None:
            raise NotElaborated(f"{list(lemma)} does not follow by unit propagation")
        return found

    def _used(self, conflict: int, assumed: set[int]) -> list[int]:
        """Return the reasons of a conflict in trail order, then the conflict."""
        wanted = {abs(literal) for literal in self._clauses[conflict]}
        hints = []
        for literal in reversed(self._trail):
            reason = self._reason[literal]
            if abs(literal) in wanted and literal not in assumed and reason != conflict:
                hints.append(reason)
                wanted.update(map(abs, self._clauses[reason]))
        return [*reversed(hints), conflict]

    def _propagate(self, literal: int, reason: int) -> int:
        """Assign a literal and propagate; return the number of a conflicting clause, or 0."""
        waiting = len(self._trail)
        self._reason[literal] = reason
        self._trail.append(literal)
        while waiting < len(self._trail):
            false = -self._trail[waiting]
            waiting += 1
            kept: list[int] = []
            watchers = self._watching[false]
            for i, number in enumerate(watchers):
                if not self._visit(number, false, kept):
                    kept += watchers[i + 1 :]
                    self._watching[false] = kept
                    return number
            self._watching[false] = kept
        return 0

    def _visit(self, number: int, false: int, kept: list[int]) -> bool:
        """Find a new watch in a clause, or propagate; return False if the clause is a conflict."""
        clause = self._clauses[number]
        if clause[0] == false and len(clause) > 1:
            clause[0], clause[1] = clause[1], clause[0]
        first = clause[0]
        if first in self._reason:
            kept.append(number)
            return True
        for i in range(2, len(clause)):
            if -clause[i] not in self._reason:
                clause[1], clause[i] = clause[i], clause[1]
                self._watching[clause[1]].append(number)
                return True
        kept.append(number)
        if first == false or -first in self._reason:
            return False
        self._reason[first] = number
        self._trail.append(first)
        return True
