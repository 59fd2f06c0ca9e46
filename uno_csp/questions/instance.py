"""The base type of questions, and its two kinds: about one hand, and about several players."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, SupportsIndex, TypedDict

from pydantic import ConfigDict, Field, Strict

from uno_csp.errors import InstanceError
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.as_json import question_to_dict
from uno_csp.questions.cards import Card, Hand
from uno_csp.questions.fields import (
    GIVEN,
    MAX_DIMENSION,
    PLAIN,
    Allowed,
    AtLeastField,
    HandField,
    HandsField,
    PileField,
    TextField,
    card_lists,
    held,
    others,
    place_of,
    required,
    validate_fields,
    without_defaults,
)
from uno_csp.questions.given_cards import card_of, normalised
from uno_csp.questions.wording import shown

_VALUE = Allowed(("expected an integer of 0 or more",))
_NO_OTHER_KEYS = ConfigDict(extra="forbid", json_schema_extra=without_defaults)
Rename = Callable[[Card], Card]
Arrange = Callable[[int], Sequence[int]]  # maps the length of a list to its new order, as indices


class Sense(StrEnum):
    """Kind of a question: a decision, or the direction of an optimisation."""

    DECIDE = "decide"
    MINIMISE = "minimise"
    MAXIMISE = "maximise"

    @property
    def optimises(self) -> bool:
        """True for an optimisation."""
        return self is not Sense.DECIDE

    @property
    def sign(self) -> int:
        """Factor that turns the objective into one to minimise, as models do: 1 or -1."""
        return -1 if self is Sense.MAXIMISE else 1


@dataclass(frozen=True, slots=True)
class Expected:
    """Facts proved about the answer to a question before it is solved.

    Parameters
    ----------
    status
        The answer, or UNKNOWN where only a bound is proved.
    objective
        The optimum, with OPTIMAL.
    bound
        A proved lower (``fill-in``) or upper (``longest``) bound on the optimum.
    why
        The theorem or the construction that proves it, as text.

    Raises
    ------
    InstanceError
        When the parts contradict one another.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _NO_OTHER_KEYS

    status: Annotated[Status, Allowed((f"expected {', '.join(Status)}",))] = Status.UNKNOWN
    objective: Annotated[int | None, GIVEN, Strict(), Field(ge=0), PLAIN, _VALUE] = None
    bound: Annotated[int | None, GIVEN, Strict(), Field(ge=0), PLAIN, _VALUE] = None
    why: TextField = ""

    def __post_init__(self) -> None:
        validate_fields(self, others(Expected))
        if (self.status is Status.OPTIMAL) != (self.objective is not None):
            raise InstanceError("expected: an objective goes with OPTIMAL, and only with it")
        if self.bound is not None and self.status is not Status.UNKNOWN:
            raise InstanceError("expected: a bound goes with UNKNOWN; an answer is exact")

    if TYPE_CHECKING:

        def __init__(
            self,
            status: Status | str = Status.UNKNOWN,
            objective: SupportsIndex | None = None,
            bound: SupportsIndex | None = None,
            why: str = "",
        ) -> None: ...

    CONTRADICTS: ClassVar[str] = "contradicts the proved"  # part of what `contradicted_by` returns

    def contradicted_by(
        self, sense: Sense, status: Status, value: int | None = None, bound: int | None = None
    ) -> str:
        """Return how an answer contradicts what is proved; empty if it does not.

        ``value`` is the objective that the answer claims, ``bound`` its bound on the optimum.
        """
        claimed = " ".join(str(part) for part in (status, value) if part is not None)
        known = " ".join(str(part) for part in (self.status, self.objective) if part is not None)
        closed = status is not Status.UNKNOWN and self.status is not Status.UNKNOWN
        if closed and (status, value) != (self.status, self.objective):
            return f"the answer {claimed} {self.CONTRADICTS} {known}: {self.why}"
        sign = sense.sign
        if value is not None:
            least = self.objective if self.objective is not None else self.bound
            missed = least is not None and sign * value < sign * least
            if self.status is Status.UNSATISFIABLE or missed:
                known = f"bound {self.bound}" if self.status is Status.UNKNOWN else known
                return f"the value {value} {self.CONTRADICTS} {known}: {self.why}"
        best = self.objective
        if bound is not None and best is not None and sign * bound > sign * best:
            return f"the bound {bound} {self.CONTRADICTS} {known}: {self.why}"
        return ""


class Common(TypedDict, total=False):
    """Arguments that the constructors of all questions take by name.

    A constructor reads more than its field then holds: lists, codes and integers of NumPy. So each
    type of question declares its constructor to type checkers, which know that of a dataclass by
    its fields alone.
    """

    name: str
    comment: str
    at_least: SupportsIndex
    expected: Expected | Mapping[str, object] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A question about given cards, as a frozen value.

    It holds the question and nothing about how to solve it. The constructor validates the fields
    and the rules that relate them, so every instance is well-formed.

    A question type describes itself in class variables:

    ``question``, ``title``
        Its name in files, and the question in plain words.
    ``sense``
        Whether it decides, minimises or maximises.
    ``whole``
        Whether every card of the hand has to be played.
    ``yes``, ``no``
        The meanings of the two answers of a decision.
    ``shows``
        The parts of a witness that prove an answer, the main one first.
    ``how_played``
        Which rules of the card game apply, for readers who know the game.
    ``by_attributes``
        Whether cards match by the number of equal attributes alone.
    ``most_attributes``
        Maximum number of attributes of a card.
    ``names_are_free``
        Whether the answer depends on hands, ``after``, ``supply`` with its costs and ``at_least``
        alone, so that renaming values and reordering cards does not change it, and the witness
        consists of a sequence, plays and added cards only.

    Parameters
    ----------
    at_least
        The number k of coordinates in which neighbours must agree.
    name, comment
        Free text, which does not affect the answer.
    expected
        What is proved about the answer. ``solve`` ignores it; experiments and ``decode`` compare
        answers with it.

    Raises
    ------
    InstanceError
        When cards differ in their number of attributes or ``at_least`` is out of range.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _NO_OTHER_KEYS

    question: ClassVar[str]
    title: ClassVar[str]
    yes: ClassVar[str] = "yes"
    no: ClassVar[str] = "no"
    sense: ClassVar[Sense] = Sense.DECIDE
    whole: ClassVar[bool] = True
    shows: ClassVar[tuple[str, ...]] = ("sequence",)
    names_are_free: ClassVar[bool] = False
    by_attributes: ClassVar[bool] = True
    most_attributes: ClassVar[int] = MAX_DIMENSION
    how_played: ClassVar[str] = (
        "Cards match by colour or symbol, and wild ones match all. Skip, reverse and +2 are "
        "symbols without effect, nobody draws, and all cards are open."
    )

    name: TextField = ""
    comment: TextField = ""
    at_least: AtLeastField = 1
    expected: Annotated[
        Expected | None,
        GIVEN,
        Allowed(("expected an object with status, objective, bound and why",)),
    ] = None

    if TYPE_CHECKING:

        @property
        def cards(self) -> Hand:
            """The cards of all hands."""

        @property
        def hands(self) -> tuple[Hand, ...]:
            """The hands in the order of the turns."""

        @property
        def after(self) -> Card | None:
            """A card already on the discard pile, which the first card played must match."""

        @property
        def supply(self) -> Hand | None:
            """The only cards that may be added; None: any card, any number of times."""

    else:
        after = None
        supply = ()

    def __post_init__(self) -> None:
        read = card_of if type(self).read_card is Instance.read_card else self.read_card
        for name, depth in held(type(self)):
            given = getattr(self, name)
            if given is not None or name in required(type(self)):
                object.__setattr__(self, name, normalised(given, depth, name, read))
        validate_fields(self, others(type(self)))
        _require_equal_lengths(self)
        self.require_rules()

    @staticmethod
    def read_card(given: object, place: str) -> Card:
        """Convert a value that a program passes to a card.

        Raises
        ------
        InstanceError
            If it is not a card; the message names its place.
        """
        return card_of(given, place)

    def require_rules(self) -> None:
        """Check the rules of this kind of question beyond cards of equal length.

        Raises
        ------
        InstanceError
            If one is broken; the message gives the place and what is allowed there.
        """

    def to_dict(self) -> dict[str, Any]:
        """Return the question, JSON-ready and without keys at their default; ``parse`` reads it."""
        return question_to_dict(self)

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 if there are no cards."""
        return next((len(cards[0]) for _, cards in card_lists(self) if cards), 0)

    @property
    def size(self) -> int:
        """The number of cards, including those of the supply."""
        return len(self.cards) + len(self.supply or ())

    @property
    def offers(self) -> tuple[tuple[Card, int], ...]:
        """The cards of the supply with their costs."""
        return ()

    @property
    def optimises(self) -> bool:
        """True if the question asks for the best value."""
        return self.sense.optimises

    def rearranged(self, rename: Rename, arrange: Arrange) -> Self:
        """Return the question with cards renamed and every list reordered; players stay."""
        changes: dict[str, Any] = {}
        for name, depth in held(type(self)):
            value = getattr(self, name)
            if value is not None:
                changes[name] = _rearrange(value, depth, rename, arrange)
        return replace(self, **changes)

    def loser(self, status: Status) -> int | None:
        """Return the first loser, or None if there is none or the status does not determine it."""
        del status
        return None

    def meaning(self, answer: Answer) -> str:
        """Return what an answer means, in a few words."""
        if answer.status is Status.UNKNOWN:
            return "no answer was found"
        return self.yes if answer.status is Status.SATISFIABLE else self.no

    def why_best(self, value: int) -> str:
        """Return why a value that meets the bound by groups and dead ends is optimal."""
        return f"{value} is the bound by groups and dead ends"


def _rearrange(value: Any, depth: int, rename: Rename, arrange: Arrange) -> Any:
    if depth == 0:
        return rename(value)
    if depth == 2:
        return tuple(_rearrange(hand, 1, rename, arrange) for hand in value)
    return tuple(rename(value[index]) for index in arrange(len(value)))


def require_question(given: object, kind: type[Instance] = Instance) -> None:
    """Raise InstanceError unless ``given`` is a question of type ``kind``."""
    if not isinstance(given, kind):
        named = "" if kind is Instance else f"{kind.question} "
        what = given.question if isinstance(given, Instance) else shown(given)
        raise InstanceError(f"{what} is no {named}question; uno_csp.parse reads one")


@dataclass(frozen=True, slots=True)
class OneHand(Instance):
    """A question about one hand."""

    cards: HandField  # the hand, a multiset of cards with equally many attributes
    # a card already on the discard pile, which the first card played must match
    after: PileField = field(default=None, kw_only=True)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hand, in a tuple of one."""
        return (self.cards,)


@dataclass(frozen=True, slots=True)
class HandsOfPlayers(Instance):
    """A question about several players."""

    hands: HandsField  # one hand for each player in the order of their turns

    @property
    def cards(self) -> Hand:
        """The cards of all hands, concatenated."""
        return tuple(chain.from_iterable(self.hands))


def require_no_empty_hand(hands: Sequence[Hand], why: str) -> None:
    """Raise an InstanceError with the number of the hand and ``why`` if one is empty."""
    for index, hand in enumerate(hands):
        if not hand:
            raise InstanceError(f"hands[{index}]: the hand is empty; {why}")


def _require_equal_lengths(instance: Instance) -> None:
    """Raise unless all cards have the same number of attributes, at least ``at_least``."""
    kind, at_least = type(instance), instance.at_least
    lists = [(name, cards) for name, cards in card_lists(instance) if cards]
    if not lists:
        return
    name, cards = lists[0]
    first, dimension = place_of(kind, name, 0), len(cards[0])
    if not 1 <= dimension <= instance.most_attributes:
        most = instance.most_attributes
        raise InstanceError(f"{first}: a card has 1 to {most} attributes, this one has {dimension}")
    for name, cards in lists:
        for index, card in enumerate(cards):
            if len(card) != dimension:
                raise InstanceError(
                    f"{place_of(kind, name, index)}: {len(card)} attributes where {first} has "
                    f"{dimension}; all cards must have equally many"
                )
    if at_least > dimension:
        raise InstanceError(
            f"at_least: {at_least} is more than the {dimension} attributes of a card; "
            f"allowed are 1 to {dimension}"
        )
