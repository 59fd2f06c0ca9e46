"""Look up the packages of backends."""

from functools import cache
from importlib.util import find_spec


@cache
def has_package(name: str) -> bool:
    """Return True if a package is installed; kept, since a look takes longer than planning."""
    return find_spec(name) is not None
