"""The best witness and the best bound of several tasks for the same question."""

from typing import Generic, TypeVar

from uno_csp.pipeline.progress import BoundUpdate
from uno_csp.questions.answers import Witness

Member = TypeVar("Member")


class Best(Generic[Member]):
    """The best witness and the best bound, and the members that found them: leader and prover.

    Both are ``first`` until something is found; ``sign`` is 1 to minimise and -1 to maximise.
    """

    def __init__(self, first: Member, sign: int, known_bound: int | None) -> None:
        self.witness: Witness | None = None
        self.bound = self._known_bound = known_bound
        self.leader = self.prover = first
        self._sign = sign

    def update(self, member: Member, witness: Witness | None, bound: int | None) -> None:
        """Keep the witness and the bound of a member where they are better."""
        if witness is not None and witness.objective is not None:
            known = self.objective
            if known is None or self._sign * witness.objective < self._sign * known:
                self.witness, self.leader = witness, member
        if bound is not None and (
            self.bound is None or self._sign * bound > self._sign * self.bound
        ):
            self.bound, self.prover = bound, member

    @property
    def objective(self) -> int | None:
        """Objective of the witness."""
        return None if self.witness is None else self.witness.objective

    @property
    def is_optimal(self) -> bool:
        """True if the witness meets the bound."""
        if self.objective is None or self.bound is None:
            return False
        return self._sign * self.objective <= self._sign * self.bound

    @property
    def is_combined_optimum(self) -> bool:
        """True if it takes the witness of one member and the bound of another."""
        return self.is_optimal and self.leader is not self.prover

    @property
    def says_more(self) -> bool:
        """True if the members have found a witness or a better bound."""
        return self.witness is not None or self.bound != self._known_bound

    def as_update(self) -> BoundUpdate:
        """Return both values, to be sent to the members."""
        return BoundUpdate(self.objective, self.bound)
