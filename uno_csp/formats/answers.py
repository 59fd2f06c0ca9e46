"""Answers: what ``solve`` returns and what an answer file holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic import ValidationError as PydanticError

from uno_csp.cards import Card
from uno_csp.errors import InstanceError
from uno_csp.formats.schemas import CardField
from uno_csp.formats.strict_json import loads
from uno_csp.formats.wording import shown
from uno_csp.instances import Hand, Play, Status, Witness


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    Parameters
    ----------
    question
        The kind of question answered.
    status
        See :class:`Status`.
    sequence
        The playing sequence, with the added cards in it for ``fill-in``.
    plays
        The plays of several players in order; skips follow from the players' numbers.
    added
        The cards added (``fill-in``).
    objective, bound
        Cost of the added cards, or number of cards played (``longest``), and what is proved of the
        best value. A stopped run has the best found and the best proved.
    loser
        The first loser (``uncooperative``), where it is certain who that is.
    strategy
        How to play against every reply (``uncooperative``); see :mod:`uno_csp.algorithms`.
    reason
        Why UNKNOWN; or, for a no, a short reason where one is known.
    encoding, backend, connectivity
        What was used, chosen or asked for; None where it played no part.
    checked
        True when the independent checker accepted the witness.
    wall_s
        Wall-clock seconds from question to checked answer.
    stats
        Sizes and counts of the run: variables, clauses, rounds, cuts, reductions, solver seconds.
    """

    question: str
    status: Status
    sequence: Hand | None = None
    plays: tuple[Play, ...] | None = None
    added: Hand | None = None
    objective: int | None = None
    bound: int | None = None
    loser: int | None = None
    strategy: Mapping[str, Any] | None = None
    reason: str = ""
    encoding: str | None = None
    backend: str | None = None
    connectivity: str | None = None
    checked: bool = False
    wall_s: float = 0.0
    stats: Mapping[str, Any] = field(default_factory=dict)

    @property
    def witness(self) -> Witness:
        """The part that shows the answer to be right."""
        return Witness(self.sequence, self.plays, self.added, self.objective, self.strategy)

    def to_dict(self) -> dict[str, Any]:
        """The answer as a JSON-ready mapping; keys that do not apply are left out.

        >>> Answer("uno-1", Status.UNKNOWN, reason="time limit of 1 s").to_dict()["status"]
        'UNKNOWN'
        """
        found = {
            "sequence": _listed(self.sequence),
            "plays": None
            if self.plays is None
            else [{"player": play.player, "card": list(play.card)} for play in self.plays],
            "added": _listed(self.added),
            "objective": self.objective,
            "bound": self.bound,
            "loser": self.loser,
            "strategy": None if self.strategy is None else dict(self.strategy),
            "reason": self.reason or None,
        }
        return {
            "question": self.question,
            "status": str(self.status),
            **{key: value for key, value in found.items() if value is not None},
            "encoding": self.encoding,
            "backend": self.backend,
            "connectivity": self.connectivity,
            "checked": self.checked,
            "wall_s": self.wall_s,
            "stats": dict(self.stats),
        }


def _listed(cards: tuple[Card, ...] | None) -> list[list[int | str]] | None:
    return None if cards is None else [list(card) for card in cards]


class _PlayField(BaseModel):
    model_config = ConfigDict(strict=True)

    player: int
    card: CardField


class _AnswerFile(BaseModel):
    """The part of an answer file that can be checked; other keys may stand beside it."""

    model_config = ConfigDict(extra="ignore", strict=True)

    question: str
    status: str
    sequence: list[CardField] | None = None
    plays: list[_PlayField] | None = None
    added: list[CardField] | None = None
    objective: int | None = None
    bound: int | None = None
    loser: int | None = None
    strategy: dict[str, Any] | None = None
    reason: str = ""


def answer_schema() -> dict[str, Any]:
    """The JSON Schema of the part of an answer file that can be checked."""
    return _AnswerFile.model_json_schema()


def parse_answer(text: str) -> Answer:
    """Read an answer file in the form of :meth:`Answer.to_dict`.

    Raises
    ------
    InstanceError
        When the text is not JSON or lacks what makes an answer.
    """
    return parse_answer_object(loads(text))


def parse_answer_object(told: object) -> Answer:
    """Read an answer from the object its file holds.

    Raises
    ------
    InstanceError
        When it lacks what makes an answer.
    """
    try:
        found = _AnswerFile.model_validate(told)
        status = Status(found.status)
    except PydanticError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        raise InstanceError(f"{place}: {first['msg'].lower()}") from None
    except ValueError:
        raise InstanceError(
            f"status: {shown(found.status)} is not allowed; {', '.join(Status)} are"
        ) from None
    plays = None
    if found.plays is not None:
        plays = tuple(Play(play.player, play.card) for play in found.plays)
    return Answer(
        found.question,
        status,
        None if found.sequence is None else tuple(found.sequence),
        plays,
        None if found.added is None else tuple(found.added),
        found.objective,
        found.bound,
        found.loser,
        found.strategy,
        found.reason,
    )
