"""Functions that run as plain Python or as machine code, which Numba makes and keeps.

A function is written once, for lists of integers, and marked (:func:`compiled`). Plain Python calls
it as it is; :func:`machine_code` compiles it for arrays, together with all that it calls, so that
Numba is loaded only where there is much to do. It keeps machine code beside the source, in the
user's cache folder if that cannot be written, or in NUMBA_CACHE_DIR. Its index is no protection
against two processes that compile different functions at once, so they take turns.
"""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from dis import get_instructions
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar
from zlib import crc32

from uno_csp.processes.channel import program
from uno_csp.processes.child import SpawnedChild
from uno_csp.processes.lifeline import die_with_parent
from uno_csp.processes.locks import lock
from uno_csp.processes.pausing import pause

LONGEST_CPU_S = 600  # CPU limit of compiling, in seconds; it takes 12 to 20

NO_NUMBA = "Numba is not installed; pip install 'uno-csp[games]'"
NO_FOLDER = "no folder for machine code can be written; NUMBA_CACHE_DIR names another"

F = TypeVar("F", bound=Callable[..., Any])

_marked: dict[Any, tuple[Any, bool]] = {}  # what is compiled for each function; if it is inlined


def compiled(function: F, *, instead: Any = None, inline: bool = True) -> F:
    """Mark a function as one that can be compiled; ``instead`` is faster as machine code."""
    _marked[function] = instead or function, inline
    return function


@cache
def machine_code(function: Any) -> Any:
    """Return a marked function, and all that it calls, as Numba compiles them on the first call.

    Functions are compiled into their callers, and none counts references: no array is made in
    them, and to count those of the arrays that are passed takes most of the time otherwise.
    """
    from numba import njit

    source, inline = _marked[function]
    called = {name: machine_code(other) for name, other in _called(source).items()}
    names = {**source.__globals__, **called}
    code = FunctionType(source.__code__, names, f"{function.__name__}_{_checksum(function):08x}")
    code.__qualname__ = code.__name__
    options = {"_nrt": False, "forceinline": inline}
    try:
        return njit(cache=True, **options)(code)
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return njit(**options)(code)


def _globals_of(function: Any) -> dict[str, Any]:
    """Return what a function uses of its module, by name."""
    loads = (each for each in get_instructions(function) if each.opname == "LOAD_GLOBAL")
    known = function.__globals__
    return {each.argval: known[each.argval] for each in loads if each.argval in known}


def _called(function: Any) -> dict[str, Any]:
    """Return the marked functions that a function calls, by their names."""
    used = _globals_of(function).items()
    return {name: other for name, other in used if callable(other) and other in _marked}


@cache
def _checksum(function: Any) -> int:
    """Return a checksum of the code of a function, of its constants, and of all that it calls.

    Numba compares the files of the functions that are called from Python only.
    """
    source, _ = _marked[function]
    code, used = source.__code__, _globals_of(source).values()
    constants = [each for each in used if isinstance(each, int | float | tuple)]
    called = [_checksum(other) for other in _called(source).values()]
    return crc32(repr((code.co_code, code.co_consts, constants, called)).encode())


def is_kept(function: Any) -> bool:
    """Return True if Numba keeps machine code of a marked function for this processor."""
    if folder_of(function) is None:
        return False
    code = machine_code(function)
    processor = code.targetctx.codegen().magic_tuple()
    return any(made_for == processor for _, made_for, *_ in code._cache._cache_file._load_index())


def folder_of(function: Any) -> Path | None:
    """Return the folder in which Numba keeps a marked function; None if none can be written."""
    folder = machine_code(function).stats.cache_path
    return None if folder is None else Path(folder)


@dataclass(frozen=True)
class Compilation:
    """Functions that are compiled together, in a process of its own, before their first use.

    ``what`` says what they are and how long that takes; ``warm_up`` calls each of them with
    arguments of the right types. The module that states it has its :meth:`prepare` by that name.
    """

    what: str
    module: str
    functions: tuple[Any, ...]
    warm_up: Callable[[], object]

    def is_kept(self) -> bool:
        """Return True if there is machine code of all functions."""
        try:
            return all(map(is_kept, self.functions))
        except ImportError:
            return False

    def why_not(self) -> str:
        """Have the functions compiled, unless that is done; return why they cannot be, or "".

        The time that this takes is a pause (see :mod:`~uno_csp.processes.pausing`).
        """
        return _why_not(self)

    def prepare(self, lifeline: int | None = None) -> None:
        """Compile the functions, unless that is done; with a lifeline, for another process."""
        if lifeline is not None:
            die_with_parent(lifeline)
            resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_CPU_S, LONGEST_CPU_S))
        with _alone(self.functions[0]):
            self.warm_up()


@cache
def _why_not(asked: Compilation) -> str:
    try:
        why = NO_FOLDER if folder_of(asked.functions[0]) is None else ""
        if not why and not asked.is_kept():
            with pause(f"compiling {asked.what}"):
                why = _compile_apart(asked.module)
            why = "" if asked.is_kept() else why
    except ImportError as error:
        why = NO_NUMBA if getattr(error, "name", "") == "numba" else str(error)
    if why:
        with pause(f"not compiled: {asked.what}: {why}"):
            pass
    return why


def _compile_apart(module: str) -> str:
    """Compile in a process of its own; return the last line that it printed."""
    child = SpawnedChild(partial(program, module, "prepare"))
    try:
        child.wait()
    finally:
        child.kill()
        child.reap()
    return child.last_words()


@contextmanager
def _alone(function: Any) -> Iterator[None]:
    """Wait until no other process compiles into the folder of a function, and keep others out."""
    folder = folder_of(function)
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with Path(folder, "compiling.lock").open("w") as file:
        lock(file.fileno())  # without a lock, two processes may compile the same
        yield
