"""What an instance family is: a function with a name, parameters and something it proves.

A family is a plain function in a module of this package, marked with :func:`family`. Its
parameters are annotated with what they mean and what is allowed, so that the command line, suites
and the library offer and check them alike; one that draws at random also takes ``seed``.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, TypeAlias, get_args, get_origin

from uno_csp.answers import Status
from uno_csp.cards import Hand
from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.questions import Expected, FillIn, Instance, Longest, Uno1

MANY = 10_000_000
"""No family makes more cards, or takes more values, than this."""


class Origin(StrEnum):
    """Where the instances of a family come from; results of the two are never averaged."""

    RANDOM = "random"
    STRUCTURED = "structured"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a family.

    ``smallest`` and ``largest`` bound a number, ``choices`` lists what a text may be.
    """

    name: str
    kind: type
    default: Any
    meaning: str
    smallest: float | None = None
    largest: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)} is"
        if self.kind is bool:
            return "true or false is"
        if self.smallest is None:
            return "a text is"
        word = "an integer" if self.kind is int else "a number"
        return f"{word} from {self.smallest} to {self.largest} is"

    def require(self, value: Any) -> Any:
        """The value itself, if it may be given.

        Raises
        ------
        InstanceError
            With what is allowed.
        """
        kinds = (int, float) if self.kind is float else (self.kind,)
        fits = isinstance(value, kinds) and (self.kind is bool or not isinstance(value, bool))
        if fits and self.smallest is not None and self.largest is not None:
            fits = self.smallest <= value <= self.largest
        if not fits or (self.choices and value not in self.choices):
            raise InstanceError(f"{self.name}: {value!r} is not allowed; {self.allowed}")
        return value


def between(smallest: float, largest: float, meaning: str) -> Parameter:
    """What stands in the annotation of a number."""
    return Parameter("", int, None, meaning, smallest, largest)


def one_of(choices: tuple[str, ...], meaning: str) -> Parameter:
    """What stands in the annotation of a text with few values."""
    return Parameter("", str, None, meaning, choices=choices)


@dataclass(frozen=True, slots=True)
class Sample:
    """An instance, and for a hand into how few sequences it splits.

    Parameters
    ----------
    instance
        A hand as ``uno-1``, or a game, which carries itself what is expected.
    fewest, most
        Proved bounds on the smallest number of feasible sequences the hand splits into; ``most`` is
        None where nothing is proved. They hold for hands without wild cards and pile.
    why
        The theorem or the construction.
    supply
        What may be added when the hand is asked as ``fill-in``; None: any card.
    """

    instance: Instance
    fewest: int = 1
    most: int | None = None
    why: str = ""
    supply: Hand | None = None

    def ask(self, question: str | None) -> Instance:
        """The hand as the question asked for, with what is proved of it.

        Raises
        ------
        NotAccepted
            If a game is to be asked as a question about one hand, or the other way round.
        """
        given = self.instance
        if not isinstance(given, Uno1):
            if question not in (None, given.question):
                raise NotAccepted(f"this family is about {given.question}, not about {question}")
            return given
        common = {
            "at_least": given.at_least,
            "after": given.after,
            "name": given.name,
            "comment": given.comment,
            "expected": self._expected(question),
        }
        if question == Longest.question:
            return Longest(given.cards, **common)  # type: ignore[arg-type]
        if question == FillIn.question:
            return FillIn(given.cards, self.supply, **common)  # type: ignore[arg-type]
        if question not in (None, Uno1.question):
            raise NotAccepted(f"this family makes hands for one player, not for {question}")
        return replace(given, expected=self._expected(question))

    def _expected(self, question: str | None) -> Expected | None:
        """What the bounds on the number of sequences say."""
        if not self.why:
            return None
        known = self.most == self.fewest
        if question == FillIn.question:
            joinable = 2 * self.instance.at_least <= self.instance.dimension or self.most == 1
            if known and joinable:
                return Expected(Status.OPTIMAL, self.fewest - 1, why=self.why)
            return Expected(bound=self.fewest - 1, why=self.why)
        size = len(self.instance.cards)
        if question == Longest.question:
            if self.most == 1:
                return Expected(Status.OPTIMAL, size, why=self.why)
            return Expected(bound=size - (self.fewest > 1), why=self.why)
        if self.most == 1:
            return Expected(Status.SATISFIABLE, why=self.why)
        return Expected(Status.UNSATISFIABLE, why=self.why) if self.fewest > 1 else None


Maker: TypeAlias = Callable[..., Sample]


@dataclass(frozen=True, slots=True)
class Family:
    """A family by name; ``make`` is the function, ``seeded`` says that it draws at random."""

    name: str
    origin: Origin
    make: Maker
    parameters: Mapping[str, Parameter]
    seeded: bool

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.make.__doc__ or "").strip().splitlines()[0]

    def sample(self, parameters: Mapping[str, Any], seed: int | None) -> Sample:
        """Make an instance; parameters that are left out have their defaults.

        Raises
        ------
        InstanceError
            When a parameter is unknown or out of range, or a seed has nothing to draw.
        NotAccepted
            When the parameters do not go together.
        """
        for name in parameters:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise InstanceError(f"{name}: not a parameter of {self.name}; there are: {known}")
        given = {name: self.parameters[name].require(value) for name, value in parameters.items()}
        if self.seeded:
            return self.make(**given, seed=seed or 0)
        if seed is not None:
            raise InstanceError(f"seed: {self.name} draws nothing at random; --shuffle permutes it")
        return self.make(**given)


_declared: dict[str, Family] = {}


def family(name: str, origin: Origin) -> Callable[[Maker], Maker]:
    """Declare a function as a family."""

    def declare(make: Maker) -> Maker:
        """Read its parameters from the signature."""
        if not (name and make.__doc__ and make.__doc__.strip()):
            raise TypeError("a family has a name, and documentation")
        if name in _declared:
            raise ValueError(f"there is a family {name!r} already")
        signature = inspect.signature(make).parameters
        parameters = {
            each.name: _parameter(each) for each in signature.values() if each.name != "seed"
        }
        _declared[name] = Family(name, origin, make, parameters, "seed" in signature)
        return make

    return declare


def _parameter(declared: inspect.Parameter) -> Parameter:
    assert get_origin(declared.annotation) is Annotated  # noqa: S101
    kind, said = get_args(declared.annotation)
    described = said if isinstance(said, Parameter) else Parameter("", kind, None, said)
    return replace(described, name=declared.name, kind=kind, default=declared.default)


def declared() -> Mapping[str, Family]:
    """The families that have been declared so far, by name."""
    return _declared
