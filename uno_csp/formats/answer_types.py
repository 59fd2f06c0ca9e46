"""Types and JSON Schemas of the answers to each kind of question.

A question type declares which parts of a witness its answers have, whether they have a value, and
whether there is a loser. The answer type is derived from that, also for questions of plug-ins.
:meth:`uno_csp.Answer.to_dict` writes what is described here.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.json_schema import models_json_schema

from uno_csp.formats.questions import without_null
from uno_csp.questions import Instance, question_types
from uno_csp.questions.answers import Status
from uno_csp.questions.fields import GIVEN

JsonCard: TypeAlias = list[int | str]


class PlayBody(BaseModel):
    """A card played by a player; players are numbered from 1."""

    player: Annotated[int, Field(ge=1)]
    card: JsonCard


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
    "sequence": (list[JsonCard], "The cards in order of play, including added ones"),
    "plays": (list[PlayBody], "The cards in order of play, with the players"),
    "added": (list[JsonCard], "The cards that were added"),
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


def answers_schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """Return the JSON Schema of an answer of any kind; referenced schemas are under ``$defs``."""
    types = {name: answer_type(kind) for name, kind in question_types().items()}
    _, shared = models_json_schema(
        [(each, "validation") for each in types.values()], ref_template=ref_template
    )
    defined = shared["$defs"]
    for schema in defined.values():
        if "properties" in schema:
            schema["properties"] = without_null(schema["properties"])
    references = {name: ref_template.format(model=each.__name__) for name, each in types.items()}
    return {
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "question", "mapping": references},
        "$defs": defined,
    }
