"""Answer files: the types of what :meth:`uno_csp.Answer.to_dict` writes, and their reader.

A question type declares which parts of a witness its answers have, whether they have a value, and
whether there is a loser. The answer type is derived from that, also for questions of plug-ins.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from pydantic import ValidationError as PydanticError

from uno_csp.errors import InstanceError
from uno_csp.formats.strict_json import loads
from uno_csp.formats.text import unknown_key
from uno_csp.questions import Instance
from uno_csp.questions.answers import RUN, Answer, Play, Status, Witness
from uno_csp.questions.arguments import first_fault, place_of, refusal
from uno_csp.questions.decisions import decision_in
from uno_csp.questions.fields import GIVEN, JsonCard
from uno_csp.questions.wording import shown, shown_key

PlainCard: TypeAlias = list[int | str]


class PlayBody(BaseModel):
    """A card played by a player; players are numbered from 1."""

    player: Annotated[int, Field(ge=1)]
    card: PlainCard


class StrategyBody(BaseModel):
    """A strategy against every reply; the other keys depend on ``kind``."""

    model_config = ConfigDict(extra="allow")

    kind: str


class CertificateBody(BaseModel):
    """Result of the search for a certificate."""

    certified: bool
    summary: str
    kind: Annotated[str | None, GIVEN] = None
    reason: Annotated[str | None, GIVEN] = None
    bytes: Annotated[int | None, GIVEN] = None
    made_s: Annotated[float | None, GIVEN] = None
    checked_by: str | None = None
    checked_s: Annotated[float | None, GIVEN] = None


class AnswerBody(BaseModel):
    """Keys common to all answers; those that do not apply are left out."""

    question: str
    status: Annotated[
        Status, Field(description="Yes, no, proved optimum, or unknown for the given reason")
    ]
    meaning: Annotated[str | None, GIVEN, Field(description="The answer in a few words")] = None
    reason: Annotated[
        str | None, GIVEN, Field(description="Why it is unknown, or a short reason for a no")
    ] = None
    certificate: Annotated[CertificateBody | None, GIVEN] = None
    method: Annotated[
        str | None, Field(description="The method that found the answer; null if none was needed")
    ]
    backend: str | None
    connectivity: str | None
    checked: Annotated[
        bool, Field(description="True if the independent checker accepted the witness")
    ]
    wall_s: Annotated[float, Field(description="Wall-clock seconds")]
    stats: Annotated[dict[str, Any], Field(description="Sizes and counts of the run")]


_SHOWN: dict[str, tuple[Any, str]] = {
    "sequence": (list[PlainCard], "The cards in order of play, including added ones"),
    "plays": (list[PlayBody], "The cards in order of play, with the players"),
    "added": (list[PlainCard], "The cards that were added"),
    "strategy": (StrategyBody, "Strategy against every reply"),
}
_VALUES: dict[str, tuple[Any, str]] = {
    "objective": (int, "The best value found"),
    "bound": (int, "The proved bound on the best value"),
}
_LOSER: dict[str, tuple[Any, str]] = {
    "loser": (Annotated[int, Field(ge=1)], "The first loser, if it is certain who that is")
}


def answer_type(kind: type[Instance]) -> type[AnswerBody]:
    """Return the type of the answers to one kind of question.

    >>> from uno_csp import FillIn
    >>> [name for name in answer_type(FillIn).model_fields if name not in AnswerBody.model_fields]
    ['sequence', 'added', 'objective', 'bound']
    """
    parts = {part: _SHOWN[part] for part in kind.shows}
    if kind.sense.optimises or kind.optimises is not Instance.optimises:
        parts |= _VALUES
    if kind.loser is not Instance.loser:
        parts |= _LOSER
    fields: dict[str, Any] = {
        name: (Annotated[wanted | None, GIVEN, Field(description=meaning)], None)
        for name, (wanted, meaning) in parts.items()
    }
    fields["question"] = (Literal[kind.question], ...)
    found: type[AnswerBody] = create_model(
        f"{kind.__name__}Answer",
        __base__=AnswerBody,
        __doc__=f"The answer to `{kind.question}`: {kind.title}",
        **fields,
    )
    return found


_NO_OTHER_KEYS = ConfigDict(extra="forbid", strict=True, defer_build=True)  # few commands read it


class ClaimedPlay(BaseModel):
    """A claimed play: a card, and the player who is said to have played it."""

    model_config = _NO_OTHER_KEYS

    player: int
    card: JsonCard


class ClaimedCertificate(BaseModel):
    """The account of an answer's certificate, which ``uno-csp verify`` verifies."""

    model_config = _NO_OTHER_KEYS

    certified: bool
    summary: str
    kind: str | None = None
    reason: str | None = None
    bytes: int | None = None
    made_s: float | None = None
    checked_by: str | None = None
    checked_s: float | None = None
    path: str | None = None


_StatusText = Annotated[str, WithJsonSchema({"enum": [*Status]})]


class AnswerFile(BaseModel):
    """An answer file: a claim, and an account of the run that made it."""

    model_config = _NO_OTHER_KEYS

    question: str | None  # null if it was not read to its end
    status: _StatusText
    decision: _StatusText | None = None
    meaning: str = ""
    sequence: list[JsonCard] | None = None
    plays: list[ClaimedPlay] | None = None
    added: list[JsonCard] | None = None
    objective: int | None = None
    bound: int | None = None
    loser: int | None = None
    strategy: dict[str, Any] | None = None
    reason: str = ""
    certificate: ClaimedCertificate | None = None
    method: str | None = None
    backend: str | None = None
    connectivity: str | None = None
    checked: bool = False
    wall_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    stats: dict[str, Any] = Field(default_factory=dict)


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
    except PydanticError as error:
        raise _refused(error) from None
    status = _status("status", found.status)
    if found.question is None and status is not Status.UNKNOWN:
        raise InstanceError("question: null is allowed with the status UNKNOWN only")
    if found.decision is not None:
        _require_meant(_status("decision", found.decision), found.meaning)
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
    kept = found.model_dump(include={"bound", "loser", "reason", "meaning", *RUN})
    if found.certificate is not None:
        kept["certificate"] = found.certificate.model_dump(exclude_unset=True)
    return Answer(found.question or "", status, witness, **kept)


def _refused(error: PydanticError) -> InstanceError:
    """Return pydantic's first error in our words: the place, the value, what is allowed."""
    first = first_fault(error.errors(include_url=False))
    *before, key = first["loc"] or ("answer",)
    place = ".".join(filter(None, (place_of(before), shown_key(str(key)))))
    if isinstance(key, int):
        place = place_of(first["loc"])
    if first["type"] == "extra_forbidden" and not before:
        return InstanceError(unknown_key(place, str(key), [*AnswerFile.model_fields]))
    return InstanceError(f"{place}: {refusal(first)}")


def _status(key: str, word: str) -> Status:
    """Return the status of a name; raise InstanceError if there is none."""
    try:
        return Status(word)
    except ValueError:
        raise InstanceError(
            f"{key}: {shown(word)} is not allowed; expected {', '.join(Status)}"
        ) from None


def _require_meant(decision: Status, meaning: str) -> None:
    """Raise InstanceError unless the meaning tells a decision, and thereby its bound."""
    if decision is not decision_in(meaning)[0]:
        raise InstanceError(f"decision: {decision}, but the meaning is {shown(meaning)}")
