"""Answers to questions: status, witness, bound and statistics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from uno_csp.errors import NotAccepted
from uno_csp.questions.cards import Card, Hand, with_copies_left
from uno_csp.questions.frozen import frozen, thawed
from uno_csp.questions.wording import markup, shown


class Status(StrEnum):
    """The outcome of a question, a search or a solver call; a limit gives UNKNOWN, never a no.

    SATISFIABLE is a yes; with an objective only a solver call returns it, for a solution that need
    not be optimal. OPTIMAL is a proved optimum.
    """

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    OPTIMAL = "OPTIMAL"
    UNKNOWN = "UNKNOWN"

    def __bool__(self) -> bool:
        """Refuse: of YES, NO and UNKNOWN none is simply true or false.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError("a status is not true or false: compare it, or ask status.has_solution")

    @property
    def word(self) -> str:
        """Human-readable verdict."""
        return _WORDS[self][0]

    @property
    def has_solution(self) -> bool:
        """True for SATISFIABLE and OPTIMAL."""
        return self in (Status.SATISFIABLE, Status.OPTIMAL)


_WORDS = {
    Status.SATISFIABLE: ("YES", "#1a7f37"),
    Status.OPTIMAL: ("BEST", "#1a7f37"),
    Status.UNSATISFIABLE: ("NO", "#c62828"),
    Status.UNKNOWN: ("UNKNOWN", "#9a6700"),
}
"""Human-readable verdict of each status, and its colour."""


class WithoutTruth:
    """A base of answers, which are not true or false: ``if solve(hand):`` would mean nothing."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """Refuse, as arrays do.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError(
            "an answer is not true or false: ask answer.status, or answer.status.has_solution"
        )


@dataclass(frozen=True, slots=True)
class Play:
    """A card laid down by a player; players are counted from 1."""

    player: int
    card: Card


@dataclass(frozen=True, slots=True)
class Witness:
    """The evidence for an answer; only the parts that the question has are set.

    Parameters
    ----------
    sequence
        The cards in order of play, including added ones.
    plays
        The same for several players; skips are implied by the players' numbers.
    added
        The added cards (``fill-in``).
    objective
        Cards played (``longest``) or cost of the cards added (``fill-in``).
    strategy
        A strategy against every reply, JSON-ready; see :mod:`uno_csp.algorithms`.
    """

    sequence: Hand | None = None
    plays: tuple[Play, ...] | None = None
    added: Hand | None = None
    objective: int | None = None
    strategy: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", frozen(self.strategy))

    @property
    def complete(self) -> bool:
        """True if the witness proves the answer; the opening of a strategy alone does not."""
        if self.strategy is not None and self.strategy.get("kind") != "opening":
            return True
        return self.sequence is not None or self.plays is not None


NOTHING_SHOWN = Witness()
_SHOWN = ("meaning", "sequence", "plays", "added", "objective", "bound", "loser", "strategy")
_WHERE_KNOWN = (*_SHOWN, "reason", "certificate")  # keys of JSON that are left out when unknown
RUN = ("method", "backend", "connectivity", "checked", "wall_s", "stats")
"""Keys of JSON about the run that gave an answer."""


@dataclass(frozen=True, slots=True, repr=False)
class Answer(WithoutTruth):
    """The answer to one question, immutable and hashable.

    Parameters
    ----------
    question
        The kind of question answered.
    status
        See :class:`Status`.
    witness
        The evidence; its parts are also attributes of the answer: ``sequence``, ``plays``,
        ``added``, ``objective``, ``strategy``.
    bound
        Proved bound on the optimum. A stopped run has both the incumbent and the bound.
    loser
        The first loser (``uncooperative``), if that is certain.
    reason
        Why the status is UNKNOWN; for a no, a short reason if one is known.
    meaning
        The answer in a few words.
    method, backend, connectivity
        What was used, chosen automatically or requested; None if not needed.
    checked
        True when the independent checker accepted the witness.
    wall_s
        Wall-clock seconds from question to checked answer.
    stats
        Sizes and counts of the run: variables, clauses, rounds, cuts, reductions, solver seconds.
    certificate
        If requested: whether the answer is ``certified``, with a ``summary``; the ``kind`` of the
        certificate, its ``path``, its size in ``bytes`` and its checker ``checked_by``.
    """

    question: str
    status: Status
    witness: Witness = NOTHING_SHOWN
    bound: int | None = None
    loser: int | None = None
    reason: str = ""
    meaning: str = ""
    method: str | None = None
    backend: str | None = None
    connectivity: str | None = None
    checked: bool = False
    wall_s: float = 0.0
    stats: Mapping[str, Any] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "stats", frozen(self.stats))
        object.__setattr__(self, "certificate", frozen(self.certificate))

    def __repr__(self) -> str:
        """Return one line: the verdict and how it was found."""
        said = self.meaning or self.reason
        verdict = f"{self.question} {self.status}{f': {said}' if said else ''}"
        return f"<Answer {verdict}; {self.how}{', checked' if self.checked else ''}>"

    @property
    def how(self) -> str:
        """Method and time, human-readable."""
        used = [part for part in (self.method, self.backend, self.connectivity) if part]
        reductions = ", ".join(self.stats.get("reductions", ()))
        method = " + ".join(used) or (f"by {reductions}" if reductions else "no method")
        return f"{method}, {self.wall_s:.2f} s"

    @property
    def sequence(self) -> Hand | None:
        """The playing sequence, with the added cards in it for ``fill-in``."""
        return self.witness.sequence

    @property
    def plays(self) -> tuple[Play, ...] | None:
        """The plays of several players in order; skips are implied by the players' numbers."""
        return self.witness.plays

    @property
    def added(self) -> Hand | None:
        """The cards added (``fill-in``)."""
        return self.witness.added

    @property
    def objective(self) -> int | None:
        """Cost of the added cards, or number of cards played (``longest``)."""
        return self.witness.objective

    @property
    def strategy(self) -> Mapping[str, Any] | None:
        """A strategy against every reply (``uncooperative``)."""
        return self.witness.strategy

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a JSON-ready mapping; keys that do not apply are left out.

        >>> Answer("uno-1", Status.UNKNOWN, reason="time limit of 1 s").to_dict()["status"]
        'UNKNOWN'
        """
        keys = ("question", "status", *_WHERE_KNOWN, *RUN)
        # a sequence may have a million cards
        long = {"sequence": None if self.sequence is None else [*map(list, self.sequence)]}
        found = {key: long[key] if key in long else thawed(getattr(self, key)) for key in keys}
        blank = {key for key in _WHERE_KNOWN if found[key] in (None, "")}
        return {key: value for key, value in found.items() if key not in blank}

    def _repr_html_(self) -> str:
        """Return HTML for a notebook: the verdict, its reason, and the cards in order of play."""
        word, colour = _WORDS[self.status]
        verdict = f"{word}  {self.meaning}"
        how = f"{self.how}{', checked' if self.checked else ''}"
        return markup.html(verdict, colour, [self.reason], self._faces(), how)

    def _repr_svg_(self) -> str | None:
        """Return a picture of the cards in order of play; None if none are played."""
        faces = self._faces()
        return markup.svg(faces) if faces else None

    def _faces(self) -> list[markup.Face]:
        """Return the cards in order of play; of equal cards the last copies are marked as added."""
        if self.plays is not None:
            return [markup.face_of(play.card, play.player) for play in self.plays]
        played = with_copies_left(self.sequence or (), self.added or ())
        return [markup.face_of(card, added=left < 0) for card, left in played]


def require_answer(given: object) -> None:
    """Raise NotAccepted unless a value is an :class:`Answer`."""
    if not isinstance(given, Answer):
        raise NotAccepted(f"{shown(given)} is no answer; uno_csp.solve returns one")
