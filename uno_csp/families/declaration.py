"""Declaration of instance families: functions with a name, parameters and proved answers.

A family is a plain function in a module of this package, marked with :func:`family`. Its
parameters are annotated with their meaning and the allowed values, which the command line, suites
and the library use alike; a family that draws at random also takes ``seed``.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Annotated, Any, TypeAlias, get_args, get_origin

from uno_csp.errors import InstanceError, NotAccepted, meant
from uno_csp.questions import Expected, FillIn, Instance, Longest, Uno1
from uno_csp.questions.answers import Status
from uno_csp.questions.arguments import described, plain_value
from uno_csp.questions.cards import Hand
from uno_csp.questions.wording import shown, shown_key

MANY = 10_000_000  # maximum number of cards, or of values, of a family


class Origin(StrEnum):
    """Origin of the instances of a family; results of the two origins are never averaged."""

    RANDOM = "random"
    STRUCTURED = "structured"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a family: a number with its bounds, or one of some texts."""

    name: str
    kind: type
    default: Any
    meaning: str
    smallest: float | None = None
    largest: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.choices:
            return f"expected one of {', '.join(self.choices)}"
        if self.kind is bool:
            return "expected true or false"
        if self.smallest is None:
            return "expected a text"
        word = "an integer" if self.kind is int else "a number"
        return f"expected {word} from {self.smallest} to {self.largest}"

    def require(self, value: Any) -> Any:
        """Return the value if it is allowed; else raise an InstanceError that says what is."""
        value = plain_value(value)
        kinds = (int, float) if self.kind is float else (self.kind,)
        fits = isinstance(value, kinds) and (self.kind is bool or not isinstance(value, bool))
        if fits and self.smallest is not None and self.largest is not None:
            fits = self.smallest <= value <= self.largest
        if not fits or (self.choices and value not in self.choices):
            raise InstanceError(f"{self.name}: {described(value)} is not allowed; {self.allowed}")
        return value


def between(smallest: float, largest: float, meaning: str) -> Parameter:
    """Return the annotation of a number."""
    return Parameter("", int, None, meaning, smallest, largest)


def one_of(choices: tuple[str, ...], meaning: str) -> Parameter:
    """Return the annotation of a text with fixed choices."""
    return Parameter("", str, None, meaning, choices=choices)


@dataclass(frozen=True, slots=True)
class Sample:
    """An instance and, for a hand, proved bounds on the number of sequences it splits into."""

    instance: Instance  # a hand as `uno-1`, or a game, which has its own `expected`
    # proved bounds on the smallest number of feasible sequences the hand splits into; `most` is
    # None if no upper bound is proved. They hold for hands without wild cards and pile.
    fewest: int = 1
    most: int | None = None
    why: str = ""  # the theorem or the construction
    supply: Hand | None = None  # the cards that may be added in `fill-in`; None: any card

    def ask(self, question: str | None) -> Instance:
        """Return the instance as the requested question, with what is proved of its answer."""
        given = self.instance
        if not isinstance(given, Uno1):
            if question not in (None, given.question):
                raise NotAccepted(
                    f"question: {shown(question)} is not allowed; expected {given.question}"
                )
            return given
        kinds = {each.question: each for each in (Uno1, Longest, FillIn)}
        kind: Any = Uno1 if question is None else kinds.get(question)
        if kind is None:
            raise NotAccepted(
                f"question: {shown(question)} is not allowed; expected one of {', '.join(kinds)}, "
                "as the family makes hands for one player"
            )
        values = {each.name: getattr(given, each.name) for each in fields(given)}
        values["expected"] = self._expect(question)
        asked: Instance = kind(**values, **({"supply": self.supply} if kind is FillIn else {}))
        return asked

    def _expect(self, question: str | None) -> Expected | None:
        """Return what the bounds on the number of sequences prove about the answer."""
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
    """A declared family; ``make`` is its function, ``seeded`` is True if it draws at random."""

    name: str
    origin: Origin
    make: Maker
    parameters: Mapping[str, Parameter]
    seeded: bool

    def __call__(self, *values: Any, **named: Any) -> Sample:
        """Return what the function returns, whose parameters are not checked."""
        return self.make(*values, **named)

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.make.__doc__ or "").strip().partition("\n")[0]

    def require_names(self, names: Iterable[str]) -> None:
        """Raise InstanceError if the family has no parameter of one of these names."""
        for name in names:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                near = meant(name, self.parameters)
                raise InstanceError(
                    f"{shown_key(name)}: not a parameter of {self.name}; {near}there are: {known}"
                )

    def sample(self, parameters: Mapping[str, Any], seed: int | None) -> Sample:
        """Return a sample of the family; omitted parameters have their defaults."""
        self.require_names(parameters)
        given = {name: self.parameters[name].require(value) for name, value in parameters.items()}
        if self.seeded:
            return self.make(**given, seed=seed or 0)
        if seed is not None:
            raise InstanceError(f"seed: {self.name} draws nothing at random; shuffle permutes it")
        return self.make(**given)


def family(name: str, origin: Origin) -> Callable[[Maker], Family]:
    """Declare a function as a family, which can be called like the function."""

    def declare(make: Maker) -> Family:
        stripped = sys.flags.optimize > 1  # python -OO leaves no docstrings
        if not name or not (stripped or (make.__doc__ or "").strip()):
            raise TypeError("a family needs a name and a docstring")
        signature = inspect.signature(make).parameters
        parameters = {
            each.name: _parameter(each) for each in signature.values() if each.name != "seed"
        }
        return Family(name, origin, make, parameters, "seed" in signature)

    return declare


def _parameter(declared: inspect.Parameter) -> Parameter:
    assert get_origin(declared.annotation) is Annotated  # noqa: S101
    kind, said = get_args(declared.annotation)
    described = said if isinstance(said, Parameter) else Parameter("", kind, None, said)
    return replace(described, name=declared.name, kind=kind, default=declared.default)
