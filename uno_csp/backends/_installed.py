"""Look up the packages of backends."""

from functools import cache
from importlib.util import find_spec


@cache
def has_package(name: str) -> bool:
    """Return True if a package is installed.

    The answer is kept: looking through the module search path takes longer than planning how to
    solve a small question.
    """
    return find_spec(name) is not None
