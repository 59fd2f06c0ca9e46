"""The questions one may ask, as frozen values, and what an answer to them shows.

A question type holds what is asked and nothing of how it is answered. Constructing one checks the
rules that tie its parts together (equal numbers of attributes, the range of ``at_least``), so an
instance that exists is well-formed; the types of single values are the parser's business.

Parameters that several questions share:

``cards`` or ``hands``
    The hand, or one hand for each player in the order of their turns; multisets of cards with
    equally many attributes.
``at_least``
    In how many coordinates neighbours must agree (k).
``after``
    A card already on the discard pile, which the first card played must match.
``name``, ``comment``
    For people; they change no answer.
``expected``
    What is proved of the answer; it changes no answer either, and experiments compare with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from uno_csp.cards import WILD, Card
from uno_csp.errors import InstanceError


class Status(StrEnum):
    """How a question was answered. A limit gives UNKNOWN, never UNSATISFIABLE."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    OPTIMAL = "OPTIMAL"
    UNKNOWN = "UNKNOWN"


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

    status: Status = Status.UNKNOWN
    objective: int | None = None
    bound: int | None = None
    why: str = ""

    def __post_init__(self) -> None:
        if (self.status is Status.OPTIMAL) != (self.objective is not None):
            raise InstanceError("expected: an objective goes with OPTIMAL, and only with it")
        if self.bound is not None and self.status is not Status.UNKNOWN:
            raise InstanceError("expected: a bound goes with UNKNOWN; an answer is exact")


MAX_DIMENSION = 64
"""The largest number of attributes a card may have."""

MAX_COST = 2**31 - 1
"""The largest cost of a card that may be added."""

Hand: TypeAlias = tuple[Card, ...]

Place: TypeAlias = tuple[str, Card]
"""A card and where it stands in the question, as in ``("cards[3]", card)``."""


@dataclass(frozen=True, slots=True)
class Uno1:
    """Whether the whole hand can be discarded in one feasible sequence.

    The paper's Uno-1, in D dimensions.

    Raises
    ------
    InstanceError
        When cards differ in their number of attributes or ``at_least`` is out of range.
    """

    question: ClassVar[str] = "uno-1"

    cards: Hand
    at_least: int = 1
    after: Card | None = None
    name: str = ""
    comment: str = ""
    expected: Expected | None = None

    def __post_init__(self) -> None:
        _require_well_formed(_places(self.cards, self.after), self.at_least)

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        return _dimension((*self.cards[:1], self.after))


@dataclass(frozen=True, slots=True)
class Longest:
    """The most cards of the hand that one feasible sequence can discard.

    Raises
    ------
    InstanceError
        As for :class:`Uno1`.
    """

    question: ClassVar[str] = "longest"

    cards: Hand
    at_least: int = 1
    after: Card | None = None
    name: str = ""
    comment: str = ""
    expected: Expected | None = None

    def __post_init__(self) -> None:
        _require_well_formed(_places(self.cards, self.after), self.at_least)

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        return _dimension((*self.cards[:1], self.after))


@dataclass(frozen=True, slots=True)
class FillIn:
    """The fewest, or cheapest, cards to add so that the whole hand can be discarded.

    Added cards take part in the sequence like the others, and one of them may come first.

    Parameters
    ----------
    supply
        The only cards that may be added, each as often as it is listed; None: any card without
        wild coordinates, as often as one likes.
    costs
        What each card of the supply costs, 0 or more; None: 1 each. The objective is the sum.

    Raises
    ------
    InstanceError
        As for :class:`Uno1`; or when there are costs without a supply or not one for each card.
    """

    question: ClassVar[str] = "fill-in"

    cards: Hand
    supply: Hand | None = None
    costs: tuple[int, ...] | None = None
    at_least: int = 1
    after: Card | None = None
    name: str = ""
    comment: str = ""
    expected: Expected | None = None

    def __post_init__(self) -> None:
        supply = [(f"supply[{i}]", card) for i, card in enumerate(self.supply or ())]
        _require_well_formed([*_places(self.cards, self.after), *supply], self.at_least)
        if self.costs is None:
            return
        if self.supply is None:
            raise InstanceError("costs: they are for the cards of a supply, and there is none")
        if len(self.costs) != len(self.supply):
            raise InstanceError(
                f"costs: {len(self.costs)} for {len(self.supply)} cards in supply; "
                "there must be one for each"
            )
        for i, cost in enumerate(self.costs):
            if not 0 <= cost <= MAX_COST:
                raise InstanceError(f"costs[{i}]: {cost} is not allowed; 0 to {MAX_COST} are")

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        return _dimension((*self.cards[:1], self.after, *(self.supply or ())[:1]))

    @property
    def offers(self) -> tuple[tuple[Card, int], ...]:
        """The cards of the supply with their costs."""
        supply = self.supply or ()
        return tuple(zip(supply, self.costs or (1,) * len(supply), strict=True))


@dataclass(frozen=True, slots=True)
class Cooperative:
    """Whether all players together can empty player 1's hand before any other hand is empty.

    The paper's Cooperative Uno-p. Turns go round from player 1; who holds a matching card must
    play one, who holds none is skipped, and the card to match stays the last one played.

    Raises
    ------
    InstanceError
        As for :class:`Uno1`; or when there is no hand, or an empty one.
    """

    question: ClassVar[str] = "cooperative"

    hands: tuple[Hand, ...]
    at_least: int = 1
    after: Card | None = None
    name: str = ""
    comment: str = ""
    expected: Expected | None = None

    def __post_init__(self) -> None:
        if not self.hands:
            raise InstanceError("hands: there are none; one for each player is needed")
        for i, hand in enumerate(self.hands):
            if not hand:
                raise InstanceError(f"hands[{i}]: the hand is empty; every player needs a card")
        _require_well_formed(_hand_places(self.hands, self.after), self.at_least)

    @property
    def cards(self) -> Hand:
        """All hands in one."""
        return tuple(chain.from_iterable(self.hands))

    @property
    def dimension(self) -> int:
        """The number of attributes of a card."""
        return _dimension((*self.cards[:1], self.after))


class Convention(StrEnum):
    """When uncooperative play is lost."""

    LAST_MOVER = "last-mover"
    EMPTY_HAND_WINS = "empty-hand-wins"


@dataclass(frozen=True, slots=True)
class Uncooperative:
    """Whether player 1 can avoid being the first loser when everybody plays for themselves.

    The paper's Uncooperative Uno-p: who cannot discard when it is their turn is the first loser,
    and the game ends. Player 1 opens with any card. For three or more players the others are taken
    to play against player 1.

    Parameters
    ----------
    convention
        ``last-mover``: an empty hand does not help whose turn it is. ``empty-hand-wins``, for two
        players: whoever empties their hand first wins at once.

    Raises
    ------
    InstanceError
        As for :class:`Uno1`; or when there are fewer than two hands, or the convention is for
        two players with cards and these are not such.
    """

    question: ClassVar[str] = "uncooperative"

    hands: tuple[Hand, ...]
    convention: Convention = Convention.LAST_MOVER
    at_least: int = 1
    name: str = ""
    comment: str = ""
    expected: Expected | None = None

    def __post_init__(self) -> None:
        if len(self.hands) < 2:
            raise InstanceError(f"hands: {len(self.hands)} is not enough; two or more are needed")
        if self.convention is Convention.EMPTY_HAND_WINS:
            if len(self.hands) > 2:
                raise InstanceError(
                    f"convention: {self.convention} is for two hands, not {len(self.hands)}"
                )
            for i, hand in enumerate(self.hands):
                if not hand:
                    raise InstanceError(
                        f"hands[{i}]: the hand is empty; with {self.convention} it has won already"
                    )
        _require_well_formed(_hand_places(self.hands, None), self.at_least)

    @property
    def cards(self) -> Hand:
        """All hands in one."""
        return tuple(chain.from_iterable(self.hands))

    @property
    def dimension(self) -> int:
        """The number of attributes of a card; 0 when there is no card to tell."""
        return _dimension(self.cards[:1])


HandQuestion: TypeAlias = Uno1 | Longest | FillIn
"""A question about one hand."""

Game: TypeAlias = Cooperative | Uncooperative
"""A question about several players."""

Instance: TypeAlias = HandQuestion | Game
"""Any question this package can be asked."""

QUESTIONS: Mapping[str, type[Instance]] = MappingProxyType(
    {kind.question: kind for kind in (Uno1, Longest, FillIn, Cooperative, Uncooperative)}
)
"""The question types by the name they have in files."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card laid down by a player, players being counted from 1."""

    player: int
    card: Card


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows that an answer is right; the parts that a question has.

    Parameters
    ----------
    sequence
        The cards in order of play, added ones among them.
    plays
        The same for several players; skips follow from the players' numbers.
    added
        The cards that were added.
    objective
        Cards played (``longest``) or cost of the cards added (``fill-in``).
    strategy
        How to play against every reply, JSON-ready; see :mod:`uno_csp.algorithms`.
    """

    sequence: Hand | None = None
    plays: tuple[Play, ...] | None = None
    added: Hand | None = None
    objective: int | None = None
    strategy: Mapping[str, Any] | None = None


def _places(cards: Hand, after: Card | None) -> list[Place]:
    places = [(f"cards[{i}]", card) for i, card in enumerate(cards)]
    return places if after is None else [*places, ("after", after)]


def _hand_places(hands: Sequence[Hand], after: Card | None) -> list[Place]:
    places = [
        (f"hands[{i}][{j}]", card) for i, hand in enumerate(hands) for j, card in enumerate(hand)
    ]
    return places if after is None else [*places, ("after", after)]


def _dimension(shown: Sequence[Card | None]) -> int:
    return next((len(card) for card in shown if card is not None), 0)


def _require_well_formed(places: Sequence[Place], at_least: int) -> None:
    if not 1 <= at_least <= MAX_DIMENSION:
        raise InstanceError(
            f"at_least: {at_least} is not allowed; allowed are 1 to {MAX_DIMENSION}"
        )
    if not places:
        return
    first_place, first = places[0]
    dimension = len(first)
    if not 1 <= dimension <= MAX_DIMENSION:
        raise InstanceError(
            f"{first_place}: a card has 1 to {MAX_DIMENSION} attributes, this one has {dimension}"
        )
    for place, card in places:
        if len(card) != dimension:
            raise InstanceError(
                f"{place}: {len(card)} attributes where {first_place} has {dimension}; "
                "all cards must have equally many"
            )
    if at_least > dimension:
        raise InstanceError(
            f"at_least: {at_least} is more than the {dimension} attributes of a card; "
            f"allowed are 1 to {dimension}"
        )


def describe(card: Card) -> str:
    """A card in a person's words, for reasons and messages.

    >>> describe(("red", 5)), describe(("*", "*"))
    ('red 5', 'wild')
    """
    if all(value == WILD for value in card):
        return "wild"
    return printable(" ".join(map(str, card)))


def printable(text: str) -> str:
    r"""A text that does nothing to the terminal it is shown on: control characters are spelt out.

    >>> printable("red \x1b[2J")
    'red \\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
