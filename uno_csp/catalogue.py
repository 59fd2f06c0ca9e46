"""Listings and descriptions of methods, backends, families, questions and formats."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
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

Rows = list[dict[str, Any]]


def listing(what: str, more_backends: Sequence[str] = ()) -> Rows:
    """Return the rows of a listing, with the same keys; some more solver programs as backends."""
    if what not in LISTINGS:
        raise UnknownName("listing", what, LISTINGS)
    return LISTINGS[what]() + ([*map(_backend, more_backends)] if what == "backends" else [])


def _methods() -> Rows:
    encoders = encoding_names()
    return [
        {
            "name": name,
            "needs_backend": name in encoders,
            "proof": str(getattr(find_method(name), "proves", "exact")),
            "questions": [kind.question for kind in find_method(name).takes],
            "connectivity": list(CONNECTIVITY) if name in encoders else [],
            "summary": _first_line(find_method(name).__class__),
        }
        for name in method_names()
    ]


def _backend(name: str) -> dict[str, Any]:
    backend = find_backend(name)
    installed = backend.available()
    return {
        "name": name,
        "installed": installed,
        "version": _version(name) if installed else None,
        "install": None if installed else backend.install_hint(),
        "summary": backend.summary,
    }


@cache
def _version(name: str) -> str:
    """Return the version of a backend, cached because some backends run a program to find it."""
    try:
        return find_backend(name).version()
    except Exception as error:  # a broken plug-in must not hide the other backends
        return f"unknown ({type(error).__name__})"


def _families() -> Rows:
    return [
        {
            "name": family.name,
            "origin": str(family.origin),
            "seeded": family.seeded,
            "parameters": [
                {
                    "name": each.name,
                    "default": each.default,
                    "meaning": each.meaning,
                    "allowed": each.allowed,
                }
                for each in family.parameters.values()
            ],
            "summary": family.summary,
        }
        for family in families().values()
    ]


def _questions() -> Rows:
    return [
        {
            "name": name,
            "title": kind.title,
            "how_played": kind.how_played,
            "sense": str(kind.sense),
            "shows": [*kind.shows],
            "keys": [each.name for each in fields(kind)],
            "summary": _first_line(kind),
        }
        for name, kind in question_types().items()
    ]


def _formats() -> Rows:
    from uno_csp.exports import FORMATS  # numpy loads slowly

    return [{"name": name} for name in FORMATS]


def _first_line(thing: object) -> str:
    return _docstring(thing).partition("\n")[0]


def _docstring(thing: object) -> str:
    """Return the docstring of a thing, not one it inherits; empty under ``python -OO``."""
    return inspect.cleandoc(thing.__doc__ or "")


LISTINGS: Mapping[str, Callable[[], Rows]] = MappingProxyType(
    {
        "encodings": _methods,
        "backends": lambda: [*map(_backend, backend_names())],
        "families": _families,
        "questions": _questions,
        "formats": _formats,
    }
)
"""The listings by name; ``encodings`` lists the algorithms after the encodings."""


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
