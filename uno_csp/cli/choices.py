"""Parameter type for one of several names; it suggests the nearest one after a typing mistake."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from uno_csp.errors import meant


class NameChoice(click.Choice[str]):
    """One of several names, or an alias of one, which is not listed."""

    def __init__(self, names: Sequence[str], others: Mapping[str, str] | None = None) -> None:
        super().__init__([*names])
        self._others = dict(others or {})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the given name, or the one it is an alias of; suggest the nearest one."""
        name = self._others.get(str(value), str(value))
        if name not in self.choices:
            near, listed = meant(name, [*self.choices, *self._others]), ", ".join(self.choices)
            self.fail(f"{name!r} is not allowed; {near}there are: {listed}", param, ctx)
        return name


def option(
    flags: str,
    text: str,
    kind: Any = None,
    default: object = None,
    value: str | None = None,
    **more: Any,
) -> Callable[[Any], Any]:
    """Return an option by its flags, help, type, default and the word for its value in the help."""
    if value is None and isinstance(kind, click.IntRange):
        value = "N"
    given = {"type": kind, "default": default, "metavar": value}
    given = {name: each for name, each in given.items() if each is not None}
    return click.option(*flags.split(), help=text, **given, **more)


def _text(word: str) -> str:
    """Return a word as text; the reader is imported with the first word."""
    from uno_csp.formats.text import text_of_word

    return text_of_word(word)


TEXT = click.types.FuncParamType(_text)  # not for names of files
QUESTION = click.argument("question", nargs=-1, required=True)
AFTER = option("--after", "For typed cards: the card on the discard pile.", value="CARD")
SEED = option("--seed", "Random seed.", int, 0, "N")


def _begin(_context: click.Context, _option: click.Parameter, limit_s: float | None) -> Any:
    """Return options whose time limit begins now; what reads them is imported with the first."""
    from uno_csp.pipeline import Options
    from uno_csp.pipeline.timed import Timed

    return Timed(Options.of({"time_limit_s": limit_s}))


def time_limit(text: str = "Wall-clock time limit, in seconds.") -> Callable[[Any], Any]:
    """Return the option ``--time-limit``, whose value is a :class:`~uno_csp.pipeline.timed.Timed`.

    It runs while a question is read as well.
    """
    return option("--time-limit timed", text, float, value="S", callback=_begin)


TIME_LIMIT = time_limit()
DATA = option(
    "--data",
    "The folder of the job store.",
    click.Path(path_type=Path, file_okay=False),
    Path("uno-csp-data"),
)


def style_of(what: str, *more: str) -> Callable[[Any], Any]:
    """Return the option ``--format``: text for people, JSON, or one of other formats."""
    kinds = click.Choice(["human", "json", *more])
    return option("--format style", f"Format of the {what}.", kinds, "human")


ANSWER_STYLE = style_of("answer", "competition")
