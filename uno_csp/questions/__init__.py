"""The questions one may ask, one file for each.

A file has the frozen type of its question: the fields with the JSON they take, whether the best is
asked for, and the words in which its answers are told. Parsing, JSON Schema, OpenAPI and what the
page asks for of cards, hands, pile and supply follow from it. Other packages offer theirs under the
entry point ``uno_csp.questions``.
"""

import pkgutil
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from uno_csp.plug_ins import plug_ins
from uno_csp.questions.cooperative import Cooperative
from uno_csp.questions.fill_in import FillIn
from uno_csp.questions.instance import (
    Expected,
    HandsOfPlayers,
    Instance,
    OneHand,
    Sense,
    require_question,
)
from uno_csp.questions.longest import Longest
from uno_csp.questions.open_game import OpenGame
from uno_csp.questions.uncooperative import Convention, Uncooperative
from uno_csp.questions.uno1 import Uno1

__all__ = [
    "Convention",
    "Cooperative",
    "Expected",
    "FillIn",
    "HandQuestion",
    "HandsOfPlayers",
    "Instance",
    "Longest",
    "OneHand",
    "OpenGame",
    "Sense",
    "Uncooperative",
    "Uno1",
    "question_types",
    "require_question",
]

HandQuestion: TypeAlias = Uno1 | Longest | FillIn
"""The three questions about one hand, which have their models in common."""

_ORDER = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative", "open-game")
"""The order in which questions are listed; others follow."""


@cache
def question_types() -> Mapping[str, type[Instance]]:
    """The types of questions by their names in files."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = [import_module(f"{__name__}.{name}") for name in names]
    found = [module.QUESTION for module in modules if hasattr(module, "QUESTION")]
    taken = [kind.question for kind in found]
    found += plug_ins("uno_csp.questions", ("question", "title"), taken, _require_type)
    by_name = {kind.question: kind for kind in found}
    listed = [name for name in _ORDER if name in by_name]
    return MappingProxyType({name: by_name[name] for name in dict.fromkeys((*listed, *by_name))})


def _require_type(offered: Any) -> None:
    """A frozen type whose fields say which JSON they take."""
    if not (isinstance(offered, type) and issubclass(offered, Instance) and is_dataclass(offered)):
        raise TypeError("it is no dataclass derived from OneHand or HandsOfPlayers")
    TypeAdapter(offered).json_schema()
