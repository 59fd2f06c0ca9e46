"""Questions as JSON."""

from dataclasses import MISSING, fields
from typing import Any

from uno_csp.questions.codes import DRAW_FOUR
from uno_csp.questions.frozen import thawed


def question_to_dict(instance: Any, *, draw_fours: bool = False) -> dict[str, Any]:
    """Return the question as a JSON-ready mapping, without keys that have their default value.

    With ``draw_fours``, wild draw-fours that were read from the code ``+4`` are written as that
    code; otherwise they are wild cards like others.

    >>> from uno_csp import Uno1
    >>> question_to_dict(Uno1(cards=(("red", 5),), after=("red", 9)))
    {'question': 'uno-1', 'cards': [['red', 5]], 'after': ['red', 9]}
    """
    ordered = sorted(fields(instance), key=lambda each: _PLACES.get(each.name, 0))
    coded = _with_codes if draw_fours else lambda value: value
    return {"question": instance.question} | {
        each.name: _without_blanks(thawed(coded(getattr(instance, each.name))))
        for each in ordered
        if each.default is MISSING or getattr(instance, each.name) != each.default
    }


_PLACES = {"name": -1, "comment": -1, "at_least": 1, "expected": 1}  # before and after own keys


def _with_codes(value: Any) -> Any:
    """Replace wild draw-fours by their code, in a card, a hand or hands."""
    if value is DRAW_FOUR:
        return "+4"
    return tuple(map(_with_codes, value)) if isinstance(value, tuple) else value


def _without_blanks(value: Any) -> Any:
    """Leave out the parts of an object that are None or empty."""
    if not isinstance(value, dict):
        return value
    return {name: part for name, part in value.items() if part not in (None, "")}
