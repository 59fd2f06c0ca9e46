"""Instance families: seeded, documented, and with the proved answer where one is known.

Every module here declares families (see :mod:`~uno_csp.families.declaration`); other
packages register such modules under the entry point ``uno_csp.families``.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, SupportsIndex

from uno_csp.errors import InstanceError
from uno_csp.families.declaration import Family, Origin, Parameter
from uno_csp.families.shuffling import shuffled
from uno_csp.questions import Instance
from uno_csp.questions.arguments import LARGEST_SEED, plain_value, require_kind
from uno_csp.questions.wording import shown
from uno_csp.registry import Registry

__all__ = ["Family", "Origin", "Parameter", "families", "find_family", "generate", "shuffled"]


def _families_of(module: ModuleType) -> list[Family]:
    found = [each for each in vars(module).values() if isinstance(each, Family)]
    return [each for each in found if each.make.__module__ == module.__name__]


_FAMILIES: Registry[Family] = Registry(
    "family", __name__, _families_of, ("name", "make"), order=lambda each: each.name
)


def families() -> Mapping[str, Family]:
    """Return all families by name."""
    return _FAMILIES


def find_family(name: str) -> Family:
    """Return the family with this name; raise UnknownName if there is none."""
    return _FAMILIES.find(name)


def generate(
    family: str,
    *,
    seed: SupportsIndex | None = None,
    question: str | None = None,
    shuffle: SupportsIndex | None = None,
    **parameters: Any,
) -> Instance:
    """Return an instance of a family; the same arguments always give the same one.

    Parameters
    ----------
    family
        Its name; ``uno-csp list families`` lists them all.
    seed
        The random seed, 0 by default. Families that draw nothing at random take none.
    question
        The question about a hand: ``uno-1`` (the default), ``fill-in`` or ``longest``.
    shuffle
        A seed for permuting cards, values and coordinates, which does not change the answer.
    parameters
        The parameters of the family.

    Returns
    -------
    Instance
        Its ``expected`` is what is proved about the answer, and why.

    Raises
    ------
    UnknownName, InstanceError, NotAccepted
        When there is no such family, a parameter is not allowed, or the question does not fit.

    Examples
    --------
    >>> generate("random", colours=3, numbers=3, cards=2, seed=1).cards
    ((0, 2), (0, 1))
    >>> generate("flower-snark", n=5).expected.status
    <Status.SATISFIABLE: 'SATISFIABLE'>
    """
    found = find_family(family)
    if question is not None:
        require_kind("question", question, str)
    start, order = plain_value(seed), plain_value(shuffle)
    for name, value in (("seed", start), ("shuffle", order)):
        if value is not None and not (type(value) is int and 0 <= value <= LARGEST_SEED):
            said = shown(value)
            raise InstanceError(f"{name}: {said} is not allowed; expected 0 to {LARGEST_SEED}")
    instance = found.sample(parameters, start).ask(question)
    return instance if order is None else shuffled(instance, order)


def command_of(family: str, parameters: Mapping[str, Any], **asked: Any) -> list[str]:
    """Return the words of the command that generates an instance, as for :func:`generate`."""
    return ["uno-csp", "generate", family, *options_of({**parameters, **asked})]


def options_of(given: Mapping[str, Any]) -> list[str]:
    """Return values as options of a command; None is left out, and False an option ``--no-``."""
    words: list[str] = []
    for name, value in given.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif value is not None:
            words += [f"--{flag}", str(value)]
    return words
