"""Parsing of answer files."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, WithJsonSchema
from pydantic import ValidationError as PydanticError

from uno_csp.errors import InstanceError
from uno_csp.formats.strict_json import loads
from uno_csp.questions.answers import Answer, Play, Status, Witness
from uno_csp.questions.fields import JsonCard
from uno_csp.questions.wording import shown


class ClaimedPlay(BaseModel):
    """A claimed play: a card, and the player who is said to have played it."""

    model_config = ConfigDict(strict=True, defer_build=True)  # few commands read answers

    player: int
    card: JsonCard


class AnswerFile(BaseModel):
    """Part of an answer file that can be checked; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, defer_build=True)

    question: str
    status: Annotated[str, WithJsonSchema({"enum": [*Status]})]
    sequence: list[JsonCard] | None = None
    plays: list[ClaimedPlay] | None = None
    added: list[JsonCard] | None = None
    objective: int | None = None
    bound: int | None = None
    loser: int | None = None
    strategy: dict[str, Any] | None = None
    reason: str = ""


def answer_schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """Return the JSON Schema of the part of an answer file that can be checked."""
    return AnswerFile.model_json_schema(ref_template=ref_template)


def parse_answer(text: str) -> Answer:
    """Read an answer file in the form of :meth:`Answer.to_dict`.

    Raises
    ------
    InstanceError
        If the text is not JSON or not an answer.
    """
    if not isinstance(text, str):
        raise InstanceError(f"{shown(text)} is not allowed; expected the text of an answer file")
    return parse_answer_object(loads(text))


def parse_answer_object(content: object) -> Answer:
    """Read an answer from decoded JSON; raise InstanceError if it is none."""
    try:
        found = AnswerFile.model_validate(content)
        status = Status(found.status)
    except PydanticError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        why = first.get("ctx", {}).get("error", first["msg"].lower())
        raise InstanceError(f"{place}: {why}") from None
    except ValueError:
        raise InstanceError(
            f"status: {shown(found.status)} is not allowed; expected {', '.join(Status)}"
        ) from None
    plays = None
    if found.plays is not None:
        plays = tuple(Play(play.player, play.card) for play in found.plays)
    witness = Witness(
        None if found.sequence is None else tuple(found.sequence),
        plays,
        None if found.added is None else tuple(found.added),
        found.objective,
        found.strategy,
    )
    return Answer(found.question, status, witness, found.bound, found.loser, found.reason)
