"""The JSON form of the questions: one pydantic model for each, found by the ``question`` key."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias, Union

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    WithJsonSchema,
)

from uno_csp.formats import codes
from uno_csp.formats.wording import shown
from uno_csp.instances import (
    Convention,
    Cooperative,
    Expected,
    FillIn,
    Longest,
    Status,
    Uncooperative,
    Uno1,
)

MAX_VALUE_CHARS = 200
"""The longest text a single attribute value may be."""


def _spell_out(raw: object) -> object:
    """Turn a card code into its card, and a list into the tuple pydantic expects."""
    if isinstance(raw, str):
        card = codes.decode(raw)
        if card is None:
            raise ValueError(f"{shown(raw)} is not a card; {codes.ALLOWED}")
        return card
    return tuple(raw) if isinstance(raw, list) else raw


MAX_TEXT_CHARS = 10_000
"""The longest name, comment or reason."""

# A string with a length is read as Unicode, and refused if it is none.
_Text = Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)]
_ValueField = int | Annotated[str, StringConstraints(max_length=MAX_VALUE_CHARS)]
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
CardField = Annotated[
    tuple[_ValueField, ...], BeforeValidator(_spell_out), WithJsonSchema(_CARD_SCHEMA)
]


class ExpectedAnswer(BaseModel):
    """What is proved of the answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    status: Literal["SATISFIABLE", "UNSATISFIABLE", "OPTIMAL", "UNKNOWN"] = "UNKNOWN"
    objective: Annotated[int, Field(ge=0)] = 0
    bound: Annotated[int, Field(ge=0)] = 0
    why: _Text = ""

    def expected(self) -> Expected:
        """The same as its frozen type."""
        given = self.model_fields_set
        objective = self.objective if "objective" in given else None
        bound = self.bound if "bound" in given else None
        return Expected(Status(self.status), objective, bound, self.why)


class Schema(BaseModel):
    """What every question may have."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Text = ""
    comment: _Text = ""
    at_least: int = Field(default=1, ge=1)
    expected: ExpectedAnswer = ExpectedAnswer()

    @property
    def common(self) -> dict[str, Any]:
        """These keys as arguments of a question type."""
        keys = {"name": self.name, "comment": self.comment, "at_least": self.at_least}
        if "expected" not in self.model_fields_set:
            return keys
        return {**keys, "expected": self.expected.expected()}


class _WithPile(Schema):
    after: CardField = ()

    @property
    def common(self) -> dict[str, Any]:
        """The common keys, with ``after`` where it is given."""
        after = {"after": self.after} if "after" in self.model_fields_set else {}
        return {**super().common, **after}


class Uno1Question(_WithPile):
    """Whether the whole hand can be discarded."""

    question: Literal["uno-1"]
    cards: list[CardField]

    def instance(self) -> Uno1:
        """The question as its frozen type."""
        return Uno1(tuple(self.cards), **self.common)


class LongestQuestion(_WithPile):
    """How many cards can be discarded at most."""

    question: Literal["longest"]
    cards: list[CardField]

    def instance(self) -> Longest:
        """The question as its frozen type."""
        return Longest(tuple(self.cards), **self.common)


class FillInQuestion(_WithPile):
    """Which cards are missing."""

    question: Literal["fill-in"]
    cards: list[CardField]
    supply: list[CardField] = []
    costs: list[Annotated[int, Field(ge=0)]] = []

    def instance(self) -> FillIn:
        """The question as its frozen type."""
        given = self.model_fields_set
        supply = tuple(self.supply) if "supply" in given else None
        costs = tuple(self.costs) if "costs" in given else None
        return FillIn(tuple(self.cards), supply, costs, **self.common)


class CooperativeQuestion(_WithPile):
    """Whether all together can empty player 1's hand first."""

    question: Literal["cooperative"]
    hands: list[list[CardField]]

    def instance(self) -> Cooperative:
        """The question as its frozen type."""
        return Cooperative(tuple(map(tuple, self.hands)), **self.common)


class UncooperativeQuestion(Schema):
    """Whether player 1 can avoid to lose first."""

    question: Literal["uncooperative"]
    hands: list[list[CardField]]
    convention: Literal["last-mover", "empty-hand-wins"] = "last-mover"

    def instance(self) -> Uncooperative:
        """The question as its frozen type."""
        hands = tuple(map(tuple, self.hands))
        return Uncooperative(hands, Convention(self.convention), **self.common)


AnySchema: TypeAlias = (
    Uno1Question | LongestQuestion | FillInQuestion | CooperativeQuestion | UncooperativeQuestion
)

SCHEMAS: Mapping[str, type[AnySchema]] = MappingProxyType(
    {
        Uno1.question: Uno1Question,
        Longest.question: LongestQuestion,
        FillIn.question: FillInQuestion,
        Cooperative.question: CooperativeQuestion,
        Uncooperative.question: UncooperativeQuestion,
    }
)
"""The schema of each kind of question."""


def question_schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """The JSON Schema of a question of any kind; the schemas it refers to are under ``$defs``.

    Rules that tie parts together, such as equal numbers of values, are no part of it.
    """
    kinds: Any = Union[tuple(SCHEMAS.values())]  # noqa: UP007 (made at run time)
    found: dict[str, Any] = TypeAdapter(kinds).json_schema(ref_template=ref_template)
    return found


_CARD = "a card is a list or a card code"
_VALUE = "a value is an integer or a string"
_LEVELS: Mapping[str, tuple[str, ...]] = {
    "cards": ("the hand is a list of cards", _CARD, _VALUE),
    "supply": ("the supply is a list of cards", _CARD, _VALUE),
    "hands": ("hands are a list of hands", "a hand is a list of cards", _CARD, _VALUE),
    "after": (_CARD, _VALUE),
    "costs": ("costs are a list of integers", "an integer of 0 or more is"),
    "at_least": ("an integer of 1 or more is",),
    "expected": ("an object with status, objective, bound and why is",),
    "convention": (f"{Convention.LAST_MOVER} and {Convention.EMPTY_HAND_WINS} are",),
}


def allowed(place: str, value: object) -> str:
    """What may stand at a place of a question, as in ``cards[3][0]``.

    >>> allowed("after[1]", 2.5)
    'a value is an integer or a string'
    """
    head, *steps = place.split("[")
    levels = _LEVELS.get(head, (f"a text of up to {MAX_TEXT_CHARS} characters is",))
    level = levels[min(len(steps), len(levels) - 1)]
    if level == _VALUE and isinstance(value, str):
        return f"a text value has at most {MAX_VALUE_CHARS} characters and is plain Unicode"
    return level
