"""What other installed packages offer, by the entry points they declare.

One that cannot be imported, or lacks what is needed, is named in a warning and left out; nothing
else is affected by it.
"""

import warnings
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any


class PlugInWarning(UserWarning):
    """A plug-in is left out."""


def plug_ins(group: str, needed: Sequence[str]) -> list[Any]:
    """What is offered in a group of entry points.

    Parameters
    ----------
    group
        Such as ``uno_csp.backends``.
    needed
        The attributes that each must have.
    """
    return [
        found
        for entry in entry_points(group=group)
        if (found := _loaded(entry, needed)) is not None
    ]


def _loaded(entry: EntryPoint, needed: Sequence[str]) -> Any:
    try:
        found = entry.load()
    except Exception as error:
        _left_out(entry, f"{type(error).__name__}: {error}")
        return None
    missing = [name for name in needed if not hasattr(found, name)]
    if missing:
        _left_out(entry, f"it has no {', '.join(missing)}")
        return None
    return found


def _left_out(entry: EntryPoint, reason: str) -> None:
    message = f"plug-in {entry.name!r} ({entry.value}) of {entry.group} is left out: {reason}"
    warnings.warn(message, PlugInWarning, stacklevel=4)
