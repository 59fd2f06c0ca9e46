"""Instance families: seeded, documented, and with the proved answer where one is known.

Every module here declares families (see :mod:`~uno_csp.families.declaration`); other packages do so
in modules that they name under the entry point ``uno_csp.families``.
"""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from uno_csp.errors import InstanceError, UnknownName
from uno_csp.families.declaration import (
    Family,
    Origin,
    Parameter,
    declared,
)
from uno_csp.families.shuffling import shuffled
from uno_csp.plug_ins import plug_ins
from uno_csp.questions import Instance

__all__ = ["Family", "Origin", "Parameter", "families", "find_family", "generate", "shuffled"]

LARGEST_SEED = 2**31 - 1


@cache
def families() -> Mapping[str, Family]:
    """All families by name."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    plug_ins("uno_csp.families")  # they declare themselves
    return MappingProxyType(dict(sorted(declared().items())))


def find_family(name: str) -> Family:
    """The family of that name.

    Raises
    ------
    UnknownName
        With the names there are.
    """
    try:
        return families()[name]
    except KeyError:
        raise UnknownName("family", name, families()) from None


def generate(
    family: str,
    *,
    seed: int | None = None,
    question: str | None = None,
    shuffle: int | None = None,
    **parameters: Any,
) -> Instance:
    """Make an instance of a family; the same arguments always make the same one.

    Parameters
    ----------
    family
        Its name; ``uno-csp list families`` has them all.
    seed
        Of what is drawn at random, 0 when left out. Families that draw nothing take none.
    question
        Ask a hand as ``uno-1`` (the default), ``fill-in`` or ``longest``.
    shuffle
        A seed: cards, values and coordinates are permuted by it, which changes no answer.
    parameters
        Those of the family.

    Returns
    -------
    Instance
        Its ``expected`` says what is proved of the answer, and why.

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
    for name, value in (("seed", seed), ("shuffle", shuffle)):
        if value is not None and not (isinstance(value, int) and 0 <= value <= LARGEST_SEED):
            raise InstanceError(f"{name}: {value} is not allowed; 0 to {LARGEST_SEED} are")
    instance = found.sample(parameters, seed).ask(question)
    return instance if shuffle is None else shuffled(instance, shuffle)
