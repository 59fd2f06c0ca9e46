"""Listings and descriptions of methods, backends, families, questions and formats."""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any

from uno_csp.errors import UnknownName
from uno_csp.families import families, find_family
from uno_csp.methods import (
    CONNECTIVITY,
    backend_names,
    encoding_names,
    find_backend,
    find_method,
    method_names,
)
from uno_csp.questions import question_types


@dataclass(frozen=True, slots=True)
class EncodingRow:
    """An encoding, or an algorithm, which needs no backend."""

    name: str
    needs_backend: bool
    proof: str
    questions: list[str]
    connectivity: list[str]
    summary: str


@dataclass(frozen=True, slots=True)
class BackendRow:
    """A solver backend, and how to install it if it is missing."""

    name: str
    installed: bool
    version: str | None
    install: str | None
    summary: str


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter of a family."""

    name: str
    default: Any
    meaning: str
    allowed: str


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """A family of instances."""

    name: str
    origin: str
    seeded: bool
    parameters: list[ParameterRow]
    summary: str


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A kind of question."""

    name: str
    title: str
    how_played: str
    sense: str
    shows: list[str]
    keys: list[str]
    summary: str


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format for other solvers."""

    name: str


def listing(what: str, more_backends: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the rows of a listing, with the same keys; some more solver programs as backends."""
    if what not in LISTINGS:
        raise UnknownName("listing", what, LISTINGS)
    _, rows = LISTINGS[what]
    more = map(_backend, more_backends) if what == "backends" else ()
    return [asdict(each) for each in (*rows(), *more)]


def _method(name: str) -> EncodingRow:
    method, is_encoding = find_method(name), name in encoding_names()
    return EncodingRow(
        name,
        is_encoding,
        str(getattr(method, "proves", "exact")),
        [kind.question for kind in method.takes],
        list(CONNECTIVITY) if is_encoding else [],
        _first_line(method.__class__),
    )


def _backend(name: str) -> BackendRow:
    backend = find_backend(name)
    installed = backend.available()
    version = _version(name) if installed else None
    install = None if installed else backend.install_hint()
    return BackendRow(name, installed, version, install, backend.summary)


@cache
def _version(name: str) -> str:
    """Return the version of a backend, cached because some backends run a program to find it."""
    try:
        return find_backend(name).version()
    except Exception as error:  # a broken plug-in must not hide the other backends
        return f"unknown ({type(error).__name__})"


def _family(name: str) -> FamilyRow:
    family = find_family(name)
    parameters = [
        ParameterRow(each.name, each.default, each.meaning, each.allowed)
        for each in family.parameters.values()
    ]
    return FamilyRow(name, str(family.origin), family.seeded, parameters, family.summary)


def _question(name: str) -> QuestionRow:
    kind = question_types()[name]
    keys, summary = [each.name for each in fields(kind)], _first_line(kind)
    sense, shows = str(kind.sense), [*kind.shows]
    return QuestionRow(name, kind.title, kind.how_played, sense, shows, keys, summary)


def _formats() -> list[FormatRow]:
    from uno_csp.exports import FORMATS  # numpy loads slowly

    return [*map(FormatRow, FORMATS)]


def _first_line(thing: object) -> str:
    return _docstring(thing).partition("\n")[0]


def _docstring(thing: object) -> str:
    """Return the docstring of a thing, not one it inherits; empty under ``python -OO``."""
    return inspect.cleandoc(thing.__doc__ or "")


LISTINGS: Mapping[str, tuple[type, Callable[[], Iterable[Any]]]] = MappingProxyType(
    {
        "encodings": (EncodingRow, lambda: map(_method, method_names())),
        "backends": (BackendRow, lambda: map(_backend, backend_names())),
        "families": (FamilyRow, lambda: map(_family, families())),
        "questions": (QuestionRow, lambda: map(_question, question_types())),
        "formats": (FormatRow, _formats),
    }
)
"""The type and the rows of each listing; ``encodings`` has the algorithms after the encodings."""


def description(name: str) -> str:
    """Return the documentation of a method, backend, family or question."""
    found: list[str] = []
    if name in question_types():
        found.append(_docstring(question_types()[name]))
    if name in method_names():
        found.append(_document(find_method(name).__class__))
    if name in families():
        found.append(_docstring(find_family(name).make))
    with suppress(UnknownName):
        found.append(_document(find_backend(name).__class__))
    if not found:
        known = dict.fromkeys((*question_types(), *method_names(), *families(), *backend_names()))
        raise UnknownName("question, method, family or backend", name, known)
    return "\n\n".join(found)


def _document(kind: type) -> str:
    """Return the docstring of a class's module, followed by that of the class."""
    essay = _docstring(sys.modules[kind.__module__])
    return f"{essay}\n\n{_docstring(kind)}".strip()
