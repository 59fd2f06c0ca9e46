"""What other installed packages offer, by the entry points they declare.

One that cannot be imported, lacks what is needed, or takes a name that is taken, is named in a
warning and left out; nothing else is affected by it.
"""

import warnings
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any


class PlugInWarning(UserWarning):
    """A plug-in is left out."""


def plug_ins(
    group: str,
    needed: Sequence[str] = (),
    taken: Collection[str] = (),
    require: Callable[[Any], None] | None = None,
) -> list[Any]:
    """What is offered in a group of entry points.

    Parameters
    ----------
    group
        Such as ``uno_csp.backends``.
    needed
        The attributes that each must have; the first one is its name.
    taken
        The names of what there is already.
    require
        Raises whatever it likes when something else is wrong with what is offered.
    """
    found: list[Any] = []
    names = set(taken)
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            offered = entry.load()
            missing = [name for name in needed if not hasattr(offered, name)]
            if missing:
                raise TypeError(f"it has no {', '.join(missing)}")
            for attribute in needed[:1]:
                name = getattr(offered, attribute)
                if not isinstance(name, str) or not name:
                    raise TypeError(f"{name!r} is no name")
                if name in names:
                    raise ValueError(f"there is a {name!r} already")
                names.add(name)
            if require is not None:
                require(offered)
        except (Exception, SystemExit) as error:
            _leave_out(entry, f"{type(error).__name__}: {error}")
        else:
            found.append(offered)
    return found


def _leave_out(entry: EntryPoint, reason: str) -> None:
    message = f"plug-in {entry.name!r} ({entry.value}) of {entry.group} is left out: {reason}"
    warnings.warn(message, PlugInWarning, stacklevel=3)
