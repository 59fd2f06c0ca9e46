"""Machine code that Numba keeps: made at its first use, once, in a process of its own.

Numba keeps machine code beside the source, or in the user's cache folder if that cannot be written,
or in NUMBA_CACHE_DIR. Its index is no protection against two processes that compile different
functions at once, so they take turns.
"""

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from uno_csp.processes.channel import program
from uno_csp.processes.child import SpawnedChild
from uno_csp.processes.lifeline import die_with_parent
from uno_csp.processes.locks import lock
from uno_csp.processes.pausing import pause

LONGEST_CPU_S = 600
"""CPU limit of compiling, in seconds; it takes 12 to 20."""

NO_NUMBA = "Numba is not installed; pip install 'uno-csp[games]'"
NO_FOLDER = "no folder for machine code can be written; NUMBA_CACHE_DIR names another"


def is_kept(function: Any) -> bool:
    """Return True if Numba keeps machine code of a compiled function for this processor."""
    if folder_of(function) is None:
        return False
    processor = function.targetctx.codegen().magic_tuple()
    kept = function._cache._cache_file._load_index()
    return any(made_for == processor for _, made_for, *_ in kept)


def has_numba(function: Any) -> bool:
    """Return True if a function was decorated by Numba, and not left as it is without it."""
    return hasattr(function, "stats")


def folder_of(function: Any) -> Path | None:
    """Return the folder in which Numba keeps a function; None if none can be written."""
    if not has_numba(function):
        return None
    folder = function.stats.cache_path
    return None if folder is None else Path(folder)


def have_kept(functions: Sequence[Any], module: str, what: str) -> str:
    """Have machine code of functions kept; return why there is none, or an empty string.

    The time that this takes is a pause (see :mod:`~uno_csp.processes.pausing`).

    Parameters
    ----------
    functions
        The functions, decorated by Numba.
    module
        Name of a module whose ``prepare``, given a lifeline, compiles them.
    what
        What is compiled, and how long it takes, for people.
    """
    if all(map(is_kept, functions)):
        return ""
    why = NO_FOLDER if has_numba(functions[0]) else NO_NUMBA
    if folder_of(functions[0]) is not None:
        with pause(f"compiling {what}"):
            why = _compile_apart(module)
        if all(map(is_kept, functions)):
            return ""
    with pause(f"not compiled: {what}: {why}"):
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


def end_with_parent(lifeline: int) -> None:
    """Have this process, which compiles for another, end with that, or when it takes too long."""
    die_with_parent(lifeline)
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_CPU_S, LONGEST_CPU_S))


@contextmanager
def alone(function: Any) -> Iterator[None]:
    """Wait until no other process compiles into the folder of a function, and keep others out."""
    folder = folder_of(function)
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with Path(folder, "compiling.lock").open("w") as file:
        lock(file.fileno())  # without a lock, two processes may compile the same
        yield
