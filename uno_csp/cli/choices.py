"""Choices of an argument or option that name the near one after a slip of the finger."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import click


class Choice(click.Choice[str]):
    """One of some names.

    Parameters
    ----------
    names
        The names that are listed.
    others
        Further names, each with the one it stands for.
    """

    def __init__(self, names: Sequence[str], others: Mapping[str, str] | None = None) -> None:
        super().__init__([*names])
        self._names = [*names]
        self._others = dict(others or {})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name that was given, or the one it stands for.

        Raises
        ------
        click.BadParameter
            When it is none, with the name that is near.
        """
        name = self._others.get(str(value), str(value))
        if name not in self._names:
            self._refuse(name, param, ctx)
        return name

    def _refuse(self, name: str, param: click.Parameter | None, ctx: click.Context | None) -> None:
        near = get_close_matches(name, [*self._names, *self._others], n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        listed = ", ".join(self._names)
        self.fail(f"{name!r} is not allowed; {meant}there are: {listed}", param, ctx)
