"""Objects by name: those of a package's own modules, and those that other packages offer.

Other packages name theirs under an entry point group. One that cannot be imported, lacks what is
needed, or takes a name that is taken, is named in a warning and left out; nothing else is affected.
"""

import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType
from typing import Any, Generic, TypeVar

from uno_csp.errors import UnknownName

T = TypeVar("T")


class PlugInWarning(UserWarning):
    """Warning that a plug-in is left out."""


class Registry(Mapping[str, T], Generic[T]):
    """The objects of one kind by name, loaded when they are first asked for.

    Parameters
    ----------
    kind
        The word for one of them in messages, such as ``backend``.
    package
        Name of the package whose modules define them, or of the only module; modules whose names
        begin with an underscore are left out.
    objects
        Returns the objects that a module defines.
    needed
        Attributes that an object of another package must have; the first one is the name.
    group
        Entry point group of other packages; the name of the package if empty.
    require
        Raises an exception when something else is wrong with an object of another package.
    order
        Sort key of the objects; without one they come as they are found.
    taken
        Returns names that other packages may not take besides those of this registry.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        objects: Callable[[ModuleType], Sequence[T]],
        needed: Sequence[str],
        *,
        group: str = "",
        require: Callable[[Any], None] | None = None,
        order: Callable[[T], Any] | None = None,
        taken: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._kind, self._package, self._objects = kind, package, objects
        self._needed, self._group = needed, group or package
        self._require, self._order, self._taken = require, order, taken

    def __getitem__(self, name: str) -> T:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def find(self, name: str) -> T:
        """Return the object of that name.

        Raises
        ------
        UnknownName
            With the names that there are.
        """
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownName(self._kind, name, self) from None

    @cached_property
    def _by_name(self) -> Mapping[str, T]:
        found = [each for module in modules_of(self._package) for each in self._objects(module)]
        taken = {*map(self._name, found), *self._taken()}
        for entry in sorted(entry_points(group=self._group), key=lambda entry: entry.name):
            try:
                offered = self._offered(entry, taken)
            except (Exception, SystemExit) as error:
                _leave_out(entry, f"{type(error).__name__}: {error}")
            else:
                taken.add(self._name(offered))
                found.append(offered)
        if self._order is not None:
            found.sort(key=self._order)
        return MappingProxyType({self._name(each): each for each in found})

    def _name(self, each: T) -> str:
        name: str = getattr(each, self._needed[0])
        return name

    def _offered(self, entry: EntryPoint, taken: set[str]) -> T:
        offered: T = entry.load()
        missing = [name for name in self._needed if not hasattr(offered, name)]
        if missing:
            raise TypeError(f"it has no {', '.join(missing)}")
        name = self._name(offered)
        if not isinstance(name, str) or not name:
            raise TypeError(f"{name!r} is no name")
        if name in taken:
            raise ValueError(f"there is a {name!r} already")
        if self._require is not None:
            self._require(offered)
        return offered


def modules_of(package: str) -> list[ModuleType]:
    """Import a package's modules with no underscore in front, or the module that it is."""
    found = import_module(package)
    if not hasattr(found, "__path__"):
        return [found]
    names = sorted(module.name for module in pkgutil.iter_modules(found.__path__))
    return [import_module(f"{package}.{name}") for name in names if not name.startswith("_")]


def load_plug_ins(group: str) -> None:
    """Load the modules of other packages under an entry point; they register what they define."""
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            entry.load()
        except (Exception, SystemExit) as error:
            _leave_out(entry, f"{type(error).__name__}: {error}")


def _leave_out(entry: EntryPoint, reason: str) -> None:
    message = f"plug-in {entry.name!r} ({entry.value}) of {entry.group} is left out: {reason}"
    warnings.warn(message, PlugInWarning, stacklevel=3)
