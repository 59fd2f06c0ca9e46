"""Answers: what ``solve`` returns and what an answer file holds."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic import ValidationError as PydanticError

from uno_csp.cards import Card
from uno_csp.errors import InstanceError
from uno_csp.formats.questions import CardField


class Status(StrEnum):
    """How a question was answered. A limit gives UNKNOWN, never UNSATISFIABLE."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    OPTIMAL = "OPTIMAL"
    UNKNOWN = "UNKNOWN"


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
        The playing sequence of a yes.
    reason
        Why UNKNOWN; or, for a no, a short reason where one is known.
    encoding, backend, connectivity
        What was used, chosen or asked for; None where it played no part.
    checked
        True when the independent checker accepted the witness; a no carries no witness.
    wall_s
        Wall-clock seconds from question to checked answer.
    stats
        Sizes and counts of the run: variables, clauses, rounds, cuts, reductions, solver seconds.
    """

    question: str
    status: Status
    sequence: tuple[Card, ...] | None = None
    reason: str = ""
    encoding: str | None = None
    backend: str | None = None
    connectivity: str | None = None
    checked: bool = False
    wall_s: float = 0.0
    stats: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The answer as a JSON-ready mapping; keys that do not apply are left out.

        >>> Answer("uno-1", Status.UNKNOWN, reason="time limit of 1 s").to_dict()["status"]
        'UNKNOWN'
        """
        shown: dict[str, Any] = {"question": self.question, "status": str(self.status)}
        if self.sequence is not None:
            shown["sequence"] = [list(card) for card in self.sequence]
        if self.reason:
            shown["reason"] = self.reason
        return shown | {
            "encoding": self.encoding,
            "backend": self.backend,
            "connectivity": self.connectivity,
            "checked": self.checked,
            "wall_s": self.wall_s,
            "stats": dict(self.stats),
        }


class _AnswerFile(BaseModel):
    """The part of an answer file that can be checked; other keys may stand beside it."""

    model_config = ConfigDict(extra="ignore", strict=True)

    question: str
    status: str
    sequence: list[CardField] | None = None
    reason: str = ""


def parse_answer(text: str) -> Answer:
    """Read an answer file in the form of :meth:`Answer.to_dict`.

    Raises
    ------
    InstanceError
        When the text is not JSON or lacks what makes an answer.
    """
    try:
        found = _AnswerFile.model_validate(json.loads(text))
        status = Status(found.status)
    except PydanticError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        raise InstanceError(f"{place}: {first['msg'].lower()}") from None
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"not an answer: {str(error).splitlines()[0][:200]}") from None
    sequence = None if found.sequence is None else tuple(found.sequence)
    return Answer(found.question, status, sequence, found.reason)
