"""The public names are those of a list: a change of it is a change of the interface."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import uno_csp

LISTED = Path(__file__).with_name("public_names.txt")


def described() -> Iterator[str]:
    """Yield a line for each public name, with its parameters, and for each member of a class."""
    for name in sorted(uno_csp.__all__):
        offered = getattr(uno_csp, name)
        if inspect.isclass(offered):
            members = {member for member in dir(offered) if not member.startswith("_")}
            members -= (
                {*dir(Exception), *dir(str), *dir(int)}
                if offered.__mro__[1] is not object
                else set()
            )
            yield f"{name}: {' '.join(sorted(members))}".rstrip(" :")
        elif callable(offered):
            yield f"{name}({', '.join(inspect.signature(offered).parameters)})"
        else:
            yield name


def test_the_public_names_are_those_listed() -> None:
    assert LISTED.read_text().splitlines() == list(described())
