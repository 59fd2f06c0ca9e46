"""Sums of weighted literals and of multiplied rows, to see which rows of a bound are redundant."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from uno_csp.verifier.proofs import row


def by_variable(terms: Sequence[tuple[int, int]]) -> tuple[dict[int, int], int]:
    """Rewrite a sum over literals as a sum over variables plus a constant."""
    weights: defaultdict[int, int] = defaultdict(int)
    for weight, literal in terms:
        weights[abs(literal)] += weight if literal > 0 else -weight
    return dict(weights), sum(weight for weight, literal in terms if literal < 0)


class Total:
    """The sum of multiplied rows; a row can be taken out and put back without a look at the others.

    ``excess`` is what :func:`~uno_csp.verifier.proofs.excess` is for the rows that are in.
    """

    def __init__(
        self, formula: Any, rows: Sequence[tuple[int, list[Any]]], true: Sequence[int]
    ) -> None:
        self._true = frozenset(true)
        self._weights: defaultdict[int, int] = defaultdict(int)
        self._rows = []
        self.excess = 0
        for times, row_data in rows:
            terms, least = row(formula, row_data)
            weights, constant = by_variable(terms)
            times_each = {variable: times * weight for variable, weight in weights.items()}
            self._rows.append((times * (least - constant), times_each))
        for number in range(len(self._rows)):
            self.put(number)

    def put(self, number: int) -> None:
        """Put a row in."""
        self._change(number, 1)

    def take(self, number: int) -> None:
        """Take a row out."""
        self._change(number, -1)

    def _change(self, number: int, sign: int) -> None:
        least, weights = self._rows[number]
        self.excess += sign * least
        for variable, weight in weights.items():
            before = self._weights[variable]
            after = self._weights[variable] = before + sign * weight
            self.excess += self._largest(variable, before) - self._largest(variable, after)

    def _largest(self, variable: int, weight: int) -> int:
        """Return the largest value of a weighted variable."""
        if weight > 0:
            return 0 if -variable in self._true else weight
        return weight if variable in self._true else 0
