"""What every question has, and the two kinds there are: about one hand, and about several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, Strict

from uno_csp.answers import Answer, Status
from uno_csp.cards import Card, Hand
from uno_csp.errors import InstanceError
from uno_csp.questions.fields import (
    GIVEN,
    MAX_DIMENSION,
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
    validated,
)
from uno_csp.questions.given_cards import card_of, settled
from uno_csp.wording import shown

_NO_OTHER_KEYS = ConfigDict(extra="forbid")
Rename = Callable[[Card], Card]
Arrange = Callable[[int], Sequence[int]]
"""The order in which a list of so many cards is to stand."""


class Sense(StrEnum):
    """What a question wants to know."""

    DECIDE = "decide"
    MINIMISE = "minimise"
    MAXIMISE = "maximise"

    @property
    def optimises(self) -> bool:
        """Whether it asks for the best value."""
        return self is not Sense.DECIDE

    @property
    def sign(self) -> int:
        """-1 where the largest value is the best: models minimise."""
        return -1 if self is Sense.MAXIMISE else 1


@dataclass(frozen=True, slots=True)
class Expected:
    """What is proved of the answer to a question, before anybody solves it.

    Parameters
    ----------
    status
        The answer, or UNKNOWN where only a bound is proved.
    objective
        The optimum, with OPTIMAL.
    bound
        What the optimum is at least (``fill-in``), or at most (``longest``).
    why
        The theorem or the construction, for people.

    Raises
    ------
    InstanceError
        When the parts contradict one another.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _NO_OTHER_KEYS

    status: Status = Status.UNKNOWN
    objective: Annotated[int | None, GIVEN, Strict(), Field(ge=0)] = None
    bound: Annotated[int | None, GIVEN, Strict(), Field(ge=0)] = None
    why: TextField = ""

    def __post_init__(self) -> None:
        if (self.status is Status.OPTIMAL) != (self.objective is not None):
            raise InstanceError("expected: an objective goes with OPTIMAL, and only with it")
        if self.bound is not None and self.status is not Status.UNKNOWN:
            raise InstanceError("expected: a bound goes with UNKNOWN; an answer is exact")

    def contradicted_by(
        self, sense: Sense, status: Status, value: int | None = None, bound: int | None = None
    ) -> str:
        """How an answer contradicts what is proved; empty if it does not.

        ``value`` and ``bound`` are what the answer claims to be the best, and no better than.
        """
        told = " ".join(str(part) for part in (status, value) if part is not None)
        known = " ".join(str(part) for part in (self.status, self.objective) if part is not None)
        closed = status is not Status.UNKNOWN and self.status is not Status.UNKNOWN
        if closed and (status, value) != (self.status, self.objective):
            return f"the answer {told} contradicts the proved {known}: {self.why}"
        sign = sense.sign
        if value is not None and self.status is Status.UNSATISFIABLE:
            return f"the value {value} contradicts the proved {known}: {self.why}"
        best = self.objective
        if value is not None and best is not None and sign * value < sign * best:
            return f"the value {value} contradicts the proved {known}: {self.why}"
        if None not in (value, self.bound) and sign * (value or 0) < sign * (self.bound or 0):
            return f"the value {value} contradicts the proved bound {self.bound}: {self.why}"
        if None not in (bound, self.objective) and sign * (bound or 0) > sign * (
            self.objective or 0
        ):
            return f"the bound {bound} contradicts the proved {known}: {self.why}"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A question about given cards, as a frozen value.

    It holds what is asked and nothing of how it is answered. Constructing one checks the rules
    that tie its parts together, so an instance that exists is well-formed; the types of single
    values are the parser's business.

    A type of questions says what it is in class variables:

    ``question``, ``title``
        Its name in files, and the question in a person's words.
    ``sense``
        Whether it decides, minimises or maximises.
    ``whole``
        Whether every card of the hand has to be played.
    ``yes``, ``no``
        What the two answers of a decision mean.
    ``shows``
        The parts of a witness that show an answer of its kind, the chief one first.
    ``how_played``
        For people who know the game of cards: which of its rules there are.
    ``by_attributes``
        Whether cards match if so many attributes agree, and nothing else counts.
    ``names_are_free``
        Whether hands, ``after``, ``supply`` with its costs and ``at_least`` are all there is to
        it, so that questions which differ in names and order alone have the same answer, and the
        answer has no parts but a sequence, plays and added cards.

    Parameters
    ----------
    at_least
        In how many coordinates neighbours must agree (k).
    name, comment
        For people; they change no answer.
    expected
        What is proved of the answer. ``solve`` does not look at it; experiments and ``decode``
        compare with it.

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
        Allowed(("an object with status, objective, bound and why is",)),
    ] = None

    if TYPE_CHECKING:

        @property
        def cards(self) -> Hand:
            """All cards that are held."""

        @property
        def hands(self) -> tuple[Hand, ...]:
            """The hands in the order of the turns."""

        @property
        def after(self) -> Card | None:
            """A card already on the discard pile, which the first card played must match."""

        @property
        def supply(self) -> Hand | None:
            """The only cards that may be added; None: any, as often as one likes."""

    else:
        after = None
        supply = ()

    def __post_init__(self) -> None:
        for name, depth in held(type(self)):
            given = getattr(self, name)
            if given is not None or name in required(type(self)):
                object.__setattr__(self, name, settled(given, depth, name, self.read_card))
        for name, default in others(type(self)):
            given = getattr(self, name)
            if given is not default:
                object.__setattr__(self, name, validated(type(self), name, given))
        _require_equal_lengths(self)
        self.require_rules()

    @staticmethod
    def read_card(given: object, place: str) -> Card:
        """What a program gives for a card, as a card.

        Raises
        ------
        InstanceError
            When it is none, with its place.
        """
        return card_of(given, place)

    def require_rules(self) -> None:
        """What this kind of question requires beyond cards of equal length.

        Raises
        ------
        InstanceError
            With the place and what is allowed there.
        """

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        return next((len(cards[0]) for _, cards in card_lists(self) if cards), 0)

    @property
    def size(self) -> int:
        """How many cards there are, those that may be added among them."""
        return len(self.cards) + len(self.supply or ())

    @property
    def offers(self) -> tuple[tuple[Card, int], ...]:
        """The cards of the supply with their costs."""
        return ()

    @property
    def optimises(self) -> bool:
        """Whether the best value is asked for."""
        return self.sense.optimises

    def rearranged(self, rename: Rename, arrange: Arrange) -> Self:
        """The same with other cards, and every list of them in another order; players stay."""
        changes: dict[str, Any] = {}
        for name, depth in held(type(self)):
            value = getattr(self, name)
            if value is not None:
                changes[name] = _rearranged(value, depth, rename, arrange)
        return replace(self, **changes)

    def loser(self, status: Status) -> int | None:
        """The first loser, where a game has one and the status leaves no doubt who that is."""
        del status
        return None

    def meaning(self, answer: Answer) -> str:
        """What an answer says, in a few words."""
        if answer.status is Status.UNKNOWN:
            return "no answer was found"
        return self.yes if answer.status is Status.SATISFIABLE else self.no

    def why_best(self, value: int) -> str:
        """Why a value that meets the bound by groups and dead ends is the best there is."""
        return f"{value} is what can be read off the cards"


def _rearranged(value: Any, depth: int, rename: Rename, arrange: Arrange) -> Any:
    if depth == 0:
        return rename(value)
    if depth == 2:
        return tuple(_rearranged(hand, 1, rename, arrange) for hand in value)
    return tuple(rename(value[index]) for index in arrange(len(value)))


def require_question(given: object, kind: type[Instance] = Instance) -> None:
    """Nothing, if it is a question, of that kind.

    Raises
    ------
    InstanceError
        Otherwise.
    """
    if not isinstance(given, kind):
        named = "" if kind is Instance else f"{kind.question} "
        what = given.question if isinstance(given, Instance) else shown(given)
        raise InstanceError(f"{what} is no {named}question; uno_csp.parse reads one")


@dataclass(frozen=True, slots=True)
class OneHand(Instance):
    """A question about one hand.

    Parameters
    ----------
    cards
        The hand, a multiset of cards with equally many attributes.
    after
        A card already on the discard pile, which the first card played must match.
    """

    cards: HandField
    after: PileField = field(default=None, kw_only=True)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The one hand there is."""
        return (self.cards,)


@dataclass(frozen=True, slots=True)
class HandsOfPlayers(Instance):
    """A question about several players.

    Parameters
    ----------
    hands
        One hand for each player in the order of their turns.
    """

    hands: HandsField

    @property
    def cards(self) -> Hand:
        """All hands in one."""
        return tuple(chain.from_iterable(self.hands))


def _require_equal_lengths(instance: Instance) -> None:
    """All cards have equally many attributes, and no more of them must agree."""
    kind, at_least = type(instance), instance.at_least
    if not 1 <= at_least <= MAX_DIMENSION:
        raise InstanceError(
            f"at_least: {at_least} is not allowed; allowed are 1 to {MAX_DIMENSION}"
        )
    lists = [(name, cards) for name, cards in card_lists(instance) if cards]
    if not lists:
        return
    name, cards = lists[0]
    first, dimension = place_of(kind, name, 0), len(cards[0])
    if not 1 <= dimension <= MAX_DIMENSION:
        raise InstanceError(
            f"{first}: a card has 1 to {MAX_DIMENSION} attributes, this one has {dimension}"
        )
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
