"""Objects by name: those of the modules in a folder, and those that other packages offer.

Other packages name theirs under an entry point group. A module or an object that cannot be
imported, lacks what is needed, or takes a name that is taken, is named in a warning of one line and
left out; nothing else is affected. What it prints goes to standard error.
"""

import ctypes
import os
import pkgutil
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import cached_property, wraps
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from threading import Lock
from types import MappingProxyType, ModuleType, UnionType
from typing import Any, Generic, TypeVar

from uno_csp.errors import PlugInError, UnoCspError, require_known

T = TypeVar("T")
Kind = type | UnionType

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*(:[A-Za-z0-9._+-]+)?")
"""The names of objects: one word, which may have a kind in front, as in ``kind:name``."""

RESERVED = frozenset({"default", "dimacs", "cpmpy"})
"""Names, and kinds of names, that mean something else where an object is named."""


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
        Returns the objects that a module offers, here or in another package.
    needed
        Attributes that an object must have; the first one is the name.
    group
        Entry point group of other packages, each with an object or a module; the name of the
        package if empty.
    require
        Raises an exception when something else is wrong with an object.
    order
        Sort key of the objects; without one they come as they are found.
    taken
        Returns True for a name that other packages may not take, besides those of this registry.
    guard
        Returns what stands for an object of another package with a title, to name it in errors.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        objects: Callable[[ModuleType], Sequence[T]],
        needed: Sequence[str] = ("name",),
        *,
        group: str = "",
        require: Callable[[Any], None] = lambda _: None,
        order: Callable[[T], Any] = lambda _: 0,
        taken: Callable[[str], bool] = lambda _: False,
        guard: Callable[[Any, str], Any] = lambda offered, _: offered,
    ) -> None:
        self._kind, self._package, self._objects = kind, package, objects
        self._needed, self._group = needed, group or package
        self._require, self._order, self._taken, self._guard = require, order, taken, guard

    def __getitem__(self, name: str) -> T:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def find(self, name: str) -> T:
        """Return the object of that name; raise UnknownName, with the names that there are."""
        require_known(self._kind, name, self)
        return self[name]

    @cached_property
    def own(self) -> Mapping[str, T]:
        """The objects of the package itself."""
        found: dict[str, T] = {}
        for module in modules_of(self._package):
            with _leaving_out(f"module {module.__name__}"):
                for each in self._objects(module):
                    found[self._name(each, found)] = each
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, T]:
        found = dict(self.own)
        for entry in _entries(self._group):
            with _leaving_out(_title(entry)), keep_stdout():
                loaded = entry.load()
                several = self._objects(loaded) if isinstance(loaded, ModuleType) else [loaded]
                for each in several:
                    name = self._name(each, found)
                    if name.partition(":")[0] in RESERVED or self._taken(name):
                        raise ValueError(f"there is a {name!r} already")
                    found[name] = self._guard(each, _title(entry))
        order = self._order
        return MappingProxyType(dict(sorted(found.items(), key=lambda item: order(item[1]))))

    def _name(self, offered: T, found: Mapping[str, T]) -> str:
        """Return the name of an object, which must have what is needed and a name of its own."""
        missing = [name for name in self._needed if not hasattr(offered, name)]
        if missing:
            raise TypeError(f"it has no {', '.join(missing)}")
        name = getattr(offered, self._needed[0])
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise TypeError(f"{name!r} is no name; expected letters, digits, -, _, ., + and one :")
        if name in found:
            raise ValueError(f"there is a {name!r} already")
        self._require(offered)
        return name


def instances_of(base: type[Any]) -> Callable[[ModuleType], Sequence[Any]]:
    """Return what reads from a module its objects of the classes with a base that it defines.

    The objects stand alone or in a tuple, under any name.
    """

    def read(module: ModuleType) -> Sequence[Any]:
        values = [*vars(module).values()]
        values += [each for value in values if isinstance(value, tuple) for each in value]
        found = {id(each): each for each in values if isinstance(each, base)}
        own = [each for each in found.values() if type(each).__module__ == module.__name__]
        if not own and not hasattr(module, "resolve"):
            for kind in classes_of(module, base):
                require_object(kind)
        return own

    return read


def require_object(offered: Any) -> None:
    """Raise TypeError if what is offered is a class."""
    if isinstance(offered, type):
        raise TypeError(f"{offered.__name__} is a class; an object of it is wanted")


def classes_of(module: ModuleType, base: type) -> Sequence[type[Any]]:
    """Return the classes with a base that a module defines."""
    defined = (each for each in vars(module).values() if isinstance(each, type))
    own = (each for each in defined if each.__module__ == module.__name__)
    return [each for each in own if issubclass(each, base)]


def modules_of(package: str) -> list[ModuleType]:
    """Import a package's modules with no underscore in front, or the module that it is."""
    found = import_module(package)
    if not hasattr(found, "__path__"):
        return [found]
    names = sorted(each.name for each in pkgutil.iter_modules(found.__path__))
    modules = []
    for name in (f"{package}.{name}" for name in names if not name.startswith("_")):
        with _leaving_out(f"module {name}"):
            modules.append(import_module(name))
    return modules


def _entries(group: str) -> list[EntryPoint]:
    return sorted(entry_points(group=group), key=lambda entry: entry.name)


def _title(entry: EntryPoint) -> str:
    return f"plug-in {entry.name!r} ({entry.value}) of {entry.group}"


class Guarded:
    """An object of another package whose errors name it, and which prints to standard error.

    It has all attributes of the object, and says that it is of the same class. ``results`` has the
    types of what some of its functions return.
    """

    def __init__(self, offered: Any, title: str, results: Mapping[str, Kind] | None = None) -> None:
        self._offered, self._title, self._results = offered, title, dict(results or {})

    def __reduce__(self) -> tuple[type["Guarded"], tuple[Any, str, Mapping[str, Kind]]]:
        return Guarded, (self._offered, self._title, self._results)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._offered, name)
        return value if not callable(value) else self._guard_call(name, value)

    @property  # type: ignore[misc]  # an object of another class stands behind it
    def __class__(self) -> type:
        """The class of the object."""
        return type(self._offered)

    def _guard_call(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **more: Any) -> Any:
            with keep_stdout(), self._blame(name):
                found = function(*args, **more)
                self._require_result(name, found)
                return iter(list(found)) if isinstance(found, Iterator) else found

        return call

    def _require_result(self, name: str, found: object) -> None:
        """Raise PlugInError if a function returned something of another type than it should."""
        kind = self._results.get(name, object)
        if not isinstance(found, kind):
            wanted = kind.__name__ if isinstance(kind, type) else str(kind)
            raise PlugInError(
                f"{self._title} fails in {name}: it returned {type(found).__name__}, and not "
                f"{wanted.rpartition('.')[2]}"
            )

    @contextmanager
    def _blame(self, name: str) -> Iterator[None]:
        """Turn an error into one that names the object and the line of its file."""
        try:
            yield
        except UnoCspError:
            raise
        except (Exception, SystemExit) as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = getattr(sys.modules.get(type(self._offered).__module__), "__file__", None)
            at = next((each for each in frames[::-1] if each.filename == own), frames[-1])
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise PlugInError(
                f"{self._title} fails in {name}: {said} ({at.filename}, line {at.lineno})"
            ) from error


class _Kept:
    """Count of the calls that keep standard output, which may overlap in several threads."""

    lock, calls, end = Lock(), 0, ExitStack()


@contextmanager
def keep_stdout() -> Iterator[None]:
    """Send to standard error what is printed meanwhile, by Python, C or a program."""
    with _Kept.lock:
        if not _Kept.calls:
            _Kept.end.enter_context(_keep_descriptor())
            _Kept.end.enter_context(redirect_stdout(sys.stderr))
        _Kept.calls += 1
    try:
        yield
    finally:
        with _Kept.lock:
            _Kept.calls -= 1
            if not _Kept.calls:
                _Kept.end.close()


@contextmanager
def _keep_descriptor() -> Iterator[None]:
    """Let the descriptor of standard output be that of standard error, unless one is closed."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()
    try:
        own = os.dup(1)
    except OSError:
        yield
        return
    with suppress(OSError):
        os.dup2(2, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).fflush(None)  # what C has printed, and holds
        os.dup2(own, 1)
        os.close(own)


@contextmanager
def _leaving_out(title: str) -> Iterator[None]:
    """Turn an error into a warning that what has this title is left out."""
    try:
        yield
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        message = f"{title} is left out: {said}"
        warnings.warn(message, PlugInWarning, stacklevel=4)
