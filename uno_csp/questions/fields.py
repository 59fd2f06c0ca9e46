"""The fields of questions: their types, the JSON they take, and what is allowed there in words.

A question type is a frozen dataclass whose annotations say all of that, and from them follow
parsing, the JSON Schema, OpenAPI and the messages. pydantic reads the annotations; what stands in
them beside the type is

- :class:`Held`: the field holds cards, in a list of lists, a list, or alone;
- :class:`Allowed`: what may stand at the place, for messages;
- :data:`GIVEN`: the field may be left out, but not be null.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

from pydantic import (
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    Strict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import CoreSchema

from uno_csp.cards import Card, Hand
from uno_csp.errors import InstanceError
from uno_csp.questions import codes
from uno_csp.questions.given_cards import MAX_VALUE_CHARS
from uno_csp.wording import shown

MAX_TEXT_CHARS = 10_000
"""The longest name, comment or reason."""

MAX_DIMENSION = 64
"""The largest number of attributes a card may have."""

MAX_COST = 2**31 - 1
"""The largest cost of a card that may be added."""


@dataclass(frozen=True, slots=True)
class Held:
    """The field holds cards: one (depth 0), a list of them (1), or a list of lists (2)."""

    depth: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may stand at the place itself, in a list there, in a list in that list, and so on."""

    levels: tuple[str, ...]


class _Given:
    """A value of the type that is left when None is taken away."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        (wanted,) = (kind for kind in get_args(source) if kind is not NoneType)
        return handler.generate_schema(wanted)


GIVEN = _Given()


def _spell_out(raw: object) -> object:
    """Turn a card code into its card, and a list into a tuple."""
    if isinstance(raw, str):
        card = codes.decode(raw)
        if card is None:
            raise ValueError(f"{shown(raw)} is not a card; {codes.ALLOWED}")
        return card
    return _as_tuple(raw)


def _as_tuple(raw: object) -> object:
    return tuple(raw) if isinstance(raw, list) else raw


_CARD, _VALUE = "a card is a list or a card code", "a value is an integer or a string"
_CARD_SCHEMA = {
    "anyOf": [
        {
            "type": "array",
            "items": {
                "anyOf": [{"type": "integer"}, {"type": "string", "maxLength": MAX_VALUE_CHARS}]
            },
        },
        {"type": "string", "pattern": r"^([RYGBrygb]([0-9]|[SsRr]|\+2)|[Ww]|\+4)$"},
    ]
}

# A string with a length is read as Unicode, and refused if it is none.
_JsonValue: TypeAlias = (
    Annotated[int, Strict()]
    | Annotated[str, Strict(), StringConstraints(max_length=MAX_VALUE_CHARS)]
)
JsonCard = Annotated[
    tuple[_JsonValue, ...], Strict(), BeforeValidator(_spell_out), WithJsonSchema(_CARD_SCHEMA)
]
JsonHand = Annotated[tuple[JsonCard, ...], Strict(), BeforeValidator(_as_tuple)]
JsonHands = Annotated[tuple[JsonHand, ...], Strict(), BeforeValidator(_as_tuple)]
JsonCosts = Annotated[
    tuple[Annotated[int, Strict(), Field(ge=0)], ...], Strict(), BeforeValidator(_as_tuple)
]

HandField = Annotated[JsonHand, Held(1), Allowed(("the hand is a list of cards", _CARD, _VALUE))]
HandsField = Annotated[
    JsonHands,
    Held(2),
    Allowed(("hands are a list of hands", "a hand is a list of cards", _CARD, _VALUE)),
]
PileField = Annotated[JsonCard | None, GIVEN, Held(0), Allowed((_CARD, _VALUE))]
SupplyField = Annotated[
    JsonHand | None, GIVEN, Held(1), Allowed(("the supply is a list of cards", _CARD, _VALUE))
]
CostsField = Annotated[
    JsonCosts | None,
    GIVEN,
    Allowed(("costs are a list of integers", "an integer of 0 or more is")),
]
AtLeastField = Annotated[int, Strict(), Field(ge=1), Allowed(("an integer of 1 or more is",))]
TextField = Annotated[
    str,
    Strict(),
    StringConstraints(max_length=MAX_TEXT_CHARS),
    Allowed((f"a text of up to {MAX_TEXT_CHARS} characters is",)),
]


@cache
def _notes(kind: type) -> dict[str, tuple[Any, ...]]:
    """What stands beside the type of each field."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}


def held(kind: type) -> Iterator[tuple[str, int]]:
    """The fields of a question type that hold cards, with their depths."""
    for name, notes in _notes(kind).items():
        for note in notes:
            if isinstance(note, Held):
                yield name, note.depth


@cache
def _defaults(kind: type) -> Mapping[str, object]:
    """The fields with their defaults, MISSING where there must be a value."""
    return {each.name: each.default for each in fields(kind)}


def required(kind: type) -> list[str]:
    """The fields that may not be left out."""
    return [name for name, default in _defaults(kind).items() if default is MISSING]


def others(kind: type) -> list[tuple[str, object]]:
    """The fields of a question type that hold no cards, with their defaults."""
    cards = {name for name, _ in held(kind)}
    return [each for each in _defaults(kind).items() if each[0] not in cards]


@cache
def _adapter(kind: type, name: str) -> TypeAdapter[Any]:
    """Reads a field as files have it."""
    return TypeAdapter(get_type_hints(kind, include_extras=True)[name])


def validated(kind: type, name: str, given: object) -> Any:
    """What a program gives for a field that holds no cards, as the field has it.

    Raises
    ------
    InstanceError
        When a file could not say that either.
    """
    try:
        return _adapter(kind, name).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        own = first.get("ctx", {}).get("error")
        if isinstance(own, InstanceError):
            raise own from None
        place = name + "".join(f"[{step}]" for step in first["loc"] if isinstance(step, int))
        wrong = shown(first["input"])
        told = f"{place}: {wrong} is not allowed; {allowed(kind, place, given)}"
        raise InstanceError(told) from None


def card_lists(question: object) -> Iterator[tuple[str, Hand]]:
    """Every list of cards in a question with its place, as in ``hands[1]``; a lone card's is bare.

    A lone card stands in a list of its own.
    """
    for name, depth in held(type(question)):
        value: Any = getattr(question, name)
        if value is None:
            continue
        if depth == 2:
            yield from ((f"{name}[{index}]", hand) for index, hand in enumerate(value))
        else:
            yield name, value if depth else (value,)


def place_of(kind: type, name: str, index: int) -> str:
    """A card in one of the lists."""
    return name if (name, 0) in held(kind) else f"{name}[{index}]"


def allowed(kind: type, place: str, value: object) -> str:
    """What may stand at a place of a question, as in ``cards[3][0]``."""
    head, *steps = place.split("[")
    notes = _notes(kind).get(head, ())
    levels = next(
        (note.levels for note in notes if isinstance(note, Allowed)), ("another value is",)
    )
    level = levels[min(len(steps), len(levels) - 1)]
    if level == _VALUE and isinstance(value, str):
        return f"a text value has at most {MAX_VALUE_CHARS} characters and is plain Unicode"
    return level


__all__ = [
    "GIVEN",
    "MAX_COST",
    "MAX_DIMENSION",
    "Allowed",
    "AtLeastField",
    "Card",
    "CostsField",
    "HandField",
    "HandsField",
    "Held",
    "PileField",
    "SupplyField",
    "TextField",
    "allowed",
    "card_lists",
    "held",
    "others",
    "place_of",
    "required",
    "validated",
]
