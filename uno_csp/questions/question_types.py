"""The types of questions by name: those of this package, and those of other packages."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from types import ModuleType
from typing import Any, TypeAlias

from uno_csp.questions.fill_in import FillIn
from uno_csp.questions.instance import Instance
from uno_csp.questions.longest import Longest
from uno_csp.questions.uno1 import Uno1
from uno_csp.registry import Registry, classes_of

HandQuestion: TypeAlias = Uno1 | Longest | FillIn  # they have their models in common
_ORDER = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative", "open-game")
"""Order in which questions are listed; types not named here follow."""


def _require_type(offered: Any) -> None:
    """Check that it is a frozen type whose fields declare which JSON they take."""
    if not (isinstance(offered, type) and issubclass(offered, Instance) and is_dataclass(offered)):
        raise TypeError("not a dataclass derived from OneHand or HandsOfPlayers")
    if offered.question in _ORDER:  # pydantic loads slowly
        return
    from pydantic import TypeAdapter

    TypeAdapter(offered).json_schema()


def _types_of(module: ModuleType) -> list[type[Instance]]:
    return [each for each in classes_of(module, Instance) if "question" in vars(each)]


def _place(kind: type[Instance]) -> int:
    return _ORDER.index(kind.question) if kind.question in _ORDER else len(_ORDER)


_QUESTIONS: Registry[type[Instance]] = Registry(
    "question",
    "uno_csp.questions",
    _types_of,
    ("question", "title"),
    require=_require_type,
    order=_place,
)


def question_types() -> Mapping[str, type[Instance]]:
    """Return the types of questions by their names in files."""
    return _QUESTIONS
