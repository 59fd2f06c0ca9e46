"""The field types of questions: their JSON types and the wording of what is allowed.

A question type is a frozen dataclass. Parsing, the JSON Schema, OpenAPI and error messages are
derived from its annotations, which pydantic reads. Besides the type an annotation may have

- :class:`Held`: the field holds a card, a list of cards or a list of lists of cards, which the
  constructor reads (:mod:`uno_csp.questions.given_cards`);
- :class:`Allowed`: the wording of what is allowed there, for error messages;
- :data:`GIVEN`: the field may be omitted, but must not be null.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import (
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
    Strict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from uno_csp.errors import InstanceError
from uno_csp.questions import codes
from uno_csp.questions.arguments import ALLOWED, described, iterated, listed, plain_value, refusal
from uno_csp.questions.cards import Card, Hand
from uno_csp.questions.given_cards import MAX_VALUE_CHARS, WANTED, card_of

MAX_TEXT_CHARS = 10_000  # maximum length of a name, comment or reason, in characters
MAX_DIMENSION = 64  # maximum number of attributes of a card
MAX_COST = 2**31 - 1  # maximum cost of a card of the supply


@dataclass(frozen=True, slots=True)
class Held:
    """The field holds cards: one (depth 0), a list of them (1), or a list of lists (2)."""

    depth: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """Wording of what is allowed per nesting level: the field, its items, their items and so on."""

    levels: tuple[str, ...]


class _Given:
    """Marker of an optional field: a given value must be of its type without None."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        (wanted,) = (kind for kind in get_args(source) if kind is not NoneType)
        return handler.generate_schema(wanted)


GIVEN = _Given()
PLAIN = BeforeValidator(plain_value)  # takes what stands for an integer or a bool


def without_defaults(schema: dict[str, Any]) -> None:
    """Put defaults into words: generators of clients take a key with a default for required."""
    for each in schema.get("properties", {}).values():
        if (default := each.pop("default", None)) not in (None, ""):
            each.setdefault("description", f"By default {json.dumps(default)}.")


class NotNull:
    """Annotation of cards, which are described by the schema of a type and must not be null.

    The constructor of the question reads them.
    """

    def __init__(self, wanted: str, kind: Any) -> None:
        self._wanted, self._kind = wanted, kind

    def __get_pydantic_core_schema__(
        self, _source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        described = handler.generate_schema(self._kind)
        required = core_schema.no_info_plain_validator_function(self._require)
        return core_schema.json_or_python_schema(described, required)

    def _require(self, raw: object) -> object:
        if raw is None:
            raise ValueError(f"null is not allowed; {self._wanted}")
        return raw


def _as_tuple(raw: object) -> object:
    return tuple(raw) if iterated(raw) else raw  # type: ignore[arg-type]


CARD_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {
            "type": "array",
            "items": {
                "anyOf": [{"type": "integer"}, {"type": "string", "maxLength": MAX_VALUE_CHARS}]
            },
        },
        {"type": "string", "pattern": codes.pattern()},
    ]
}

JsonCard = TypeAliasType(
    "JsonCard",
    Annotated[Card, PlainValidator(lambda raw: card_of(raw, "card")), WithJsonSchema(CARD_SCHEMA)],
)
JsonCosts = Annotated[
    tuple[Annotated[int, Strict(), Field(ge=0, le=MAX_COST), PLAIN], ...],
    Strict(),
    BeforeValidator(_as_tuple),
]

HandField = Annotated[Hand, NotNull(WANTED[1], list[JsonCard]), Held(1)]
HandsField = Annotated[tuple[Hand, ...], NotNull(WANTED[2], list[list[JsonCard]]), Held(2)]
PileField = Annotated[Card | None, NotNull(WANTED[0], JsonCard), Held(0)]
SupplyField = Annotated[Hand | None, NotNull(WANTED[1], list[JsonCard]), Held(1)]
CostsField = Annotated[
    JsonCosts | None,
    GIVEN,
    Allowed(("costs are a list of integers", f"expected an integer from 0 to {MAX_COST}")),
]
AtLeastField = Annotated[
    int,
    Strict(),
    Field(ge=1, le=MAX_DIMENSION),
    PLAIN,
    Allowed((f"expected an integer from 1 to {MAX_DIMENSION}",)),
]
TextField = Annotated[
    str,
    Strict(),
    StringConstraints(max_length=MAX_TEXT_CHARS),
    Allowed((f"expected a text of up to {MAX_TEXT_CHARS} characters",)),
]


@cache
def _notes(kind: type) -> dict[str, tuple[Any, ...]]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}


def held(kind: type) -> tuple[tuple[str, int], ...]:
    """Return the fields of a question type that hold cards, with their depths."""
    return _held(kind)


@cache
def _held(kind: type) -> tuple[tuple[str, int], ...]:
    return tuple(
        (name, note.depth)
        for name, notes in _notes(kind).items()
        for note in notes
        if isinstance(note, Held)
    )


@cache
def _defaults(kind: type) -> Mapping[str, object]:
    """Return the default of each field, MISSING for a required one."""
    return {each.name: each.default for each in fields(kind)}


def required(kind: type) -> list[str]:
    """Return the names of the required fields."""
    return [name for name, default in _defaults(kind).items() if default is MISSING]


def others(kind: type) -> list[tuple[str, object]]:
    """Return the fields of a question type that hold no cards, with their defaults."""
    cards = {name for name, _ in held(kind)}
    return [each for each in _defaults(kind).items() if each[0] not in cards]


@cache
def _adapter(kind: type, name: str) -> TypeAdapter[Any]:
    """Return the validator of a field, the one that files are read with."""
    return TypeAdapter(get_type_hints(kind, include_extras=True)[name])


def validated(kind: type, name: str, given: object) -> Any:
    """Validate and return a value for a field without cards, as one in a file."""
    try:
        return _adapter(kind, name).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _refusal(kind, name, given, first["loc"], first) from None


def validate_fields(value: Any, names: Iterable[tuple[str, object]]) -> None:
    """Replace the fields of a frozen value that differ from their defaults by validated ones."""
    for name, default in names:
        given = getattr(value, name)
        if given is not default:
            object.__setattr__(value, name, validated(type(value), name, given))


def _refusal(
    kind: type, name: str, given: object, steps: Sequence[int | str], fault: Mapping[str, Any]
) -> InstanceError:
    """Return a fault that pydantic has found in a field in our words: place, value, what may be."""
    own = fault.get("ctx", {}).get("error")
    if isinstance(own, InstanceError):  # it names its place already
        return own
    value, place = listed(given), name
    for step in steps:
        if isinstance(step, str) and isinstance(value, Mapping) and step in value:
            value, place = value[step], f"{place}.{step}"
        elif isinstance(step, int) and isinstance(value, list | tuple):
            value, place = value[step], f"{place}[{step}]"
        else:
            break
    if own is not None:
        return InstanceError(f"{place}: {own}")
    if "." in place and fault["type"] in ALLOWED:
        return InstanceError(f"{place}: {refusal(fault)}")
    return InstanceError(f"{place}: {described(value)} is not allowed; {allowed(kind, place)}")


def card_lists(question: object) -> Iterator[tuple[str, Hand]]:
    """Yield every list of cards, a single card as one, with its place, such as ``hands[1]``."""
    for name, depth in held(type(question)):
        value: Any = getattr(question, name)
        if value is None:
            continue
        if depth == 2:
            yield from ((f"{name}[{index}]", hand) for index, hand in enumerate(value))
        else:
            yield name, value if depth else (value,)


def place_of(kind: type, name: str, index: int) -> str:
    """Return the place of a card, such as ``cards[3]``; of a single card, the name of its field."""
    return name if (name, 0) in held(kind) else f"{name}[{index}]"


def allowed(kind: type, place: str) -> str:
    """Return the wording of what is allowed at a place of a question, such as ``costs[3]``."""
    head, *steps = place.partition(".")[0].split("[")
    notes = _notes(kind).get(head, ())
    levels = next(
        (note.levels for note in notes if isinstance(note, Allowed)), ("expected another value",)
    )
    return levels[min(len(steps), len(levels) - 1)]
