"""Question files: JSON, JSON Lines, and plain text with one card a line.

Each kind of question has its model in :mod:`uno_csp.formats.schemas` and its frozen type in
:mod:`uno_csp.instances`. Every error names the place: ``cards[3]: ...``,
``line 4: ...``.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError as PydanticError

from uno_csp.cards import Card, Value
from uno_csp.errors import InstanceError
from uno_csp.formats import codes
from uno_csp.formats.schemas import MAX_VALUE_CHARS, SCHEMAS, AnySchema, allowed
from uno_csp.formats.strict_json import NOT_TEXT, decoded, is_unicode, loads
from uno_csp.formats.wording import shown, shown_key
from uno_csp.instances import (
    QUESTIONS,
    Convention,
    Cooperative,
    FillIn,
    Instance,
    Uncooperative,
    Uno1,
)

STDIN = "-"
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")


def parse(source: str | bytes | Mapping[str, Any]) -> Instance:
    r"""Read one question.

    Parameters
    ----------
    source
        JSON text, text with one card a line (read as ``uno-1``), or an already decoded mapping.

    Raises
    ------
    InstanceError
        With the place and what is allowed there.

    Examples
    --------
    >>> parse('{"question": "uno-1", "cards": [["red", 5], "R7", "W"]}').cards
    (('red', 5), ('red', 7), ('*', '*'))
    >>> parse("red,5\nred,7").cards
    (('red', 5), ('red', 7))
    >>> parse({"question": "uno-1", "cards": [[1, 2], None]})
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: cards[1]: null is not allowed; a card is a list or a card code
    """
    if isinstance(source, Mapping):
        return _from_mapping(source)
    text = decoded(source) if isinstance(source, bytes) else source
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise InstanceError("empty: a question was expected")
    if text.lstrip()[0] in "{[":
        return _from_mapping(loads(text))
    return _from_rows(text)


def read_text(path: str) -> str:
    """The text of a file, ``-`` being standard input; every way it can fail is an InstanceError."""
    if path == STDIN and sys.stdin is None:
        raise InstanceError("standard input is closed")
    try:
        raw = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise InstanceError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    try:
        return decoded(raw)
    except InstanceError as error:
        raise InstanceError(f"{path}: {error}") from None


def parse_file(path: str) -> Instance:
    """Read one question from a file (``-`` is standard input); errors open with the path."""
    text = read_text(path)
    try:
        if path.endswith(".json") and not text.lstrip("\ufeff \t\r\n").startswith("{"):
            loads(text)
            raise InstanceError("a question is a JSON object, {...}")
        return parse(text)
    except InstanceError as error:
        raise InstanceError(f"{path}: {error}") from None


def parse_lines(text: str) -> Iterator[tuple[int, Instance | InstanceError]]:
    """Read JSON Lines: for each line that is not blank its number, and its question or error."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, _from_mapping(loads(line))
            except InstanceError as error:
                yield number, error


def question_to_dict(instance: Instance) -> dict[str, Any]:
    """The question as a JSON-ready mapping, without the keys that have their default value.

    >>> question_to_dict(Uno1(cards=(("red", 5),), after=("red", 9)))
    {'question': 'uno-1', 'cards': [['red', 5]], 'after': ['red', 9]}
    """
    written: dict[str, Any] = {"question": instance.question}
    if instance.name:
        written["name"] = instance.name
    if instance.comment:
        written["comment"] = instance.comment
    if isinstance(instance, Cooperative | Uncooperative):
        written["hands"] = [_listed(hand) for hand in instance.hands]
    else:
        written["cards"] = _listed(instance.cards)
    if isinstance(instance, FillIn):
        written |= {} if instance.supply is None else {"supply": _listed(instance.supply)}
        written |= {} if instance.costs is None else {"costs": list(instance.costs)}
    if instance.at_least != 1:
        written["at_least"] = instance.at_least
    if isinstance(instance, Uncooperative):
        if instance.convention is not Convention.LAST_MOVER:
            written["convention"] = str(instance.convention)
    elif instance.after is not None:
        written["after"] = list(instance.after)
    if instance.expected is not None:
        known = instance.expected
        written["expected"] = {
            key: value
            for key, value in (
                ("status", str(known.status)), ("objective", known.objective),
                ("bound", known.bound), ("why", known.why),
            )
            if value not in (None, "")
        }  # fmt: skip
    return written


def _listed(cards: Sequence[Card]) -> list[list[Value]]:
    return [list(card) for card in cards]


def _from_mapping(data: object) -> Instance:
    if not isinstance(data, Mapping):
        raise InstanceError(f"a question is a JSON object, {{...}}, not {shown(data)}")
    kinds = ", ".join(QUESTIONS)
    if "question" not in data:
        raise InstanceError(f"question: missing; allowed are {kinds}")
    kind = data["question"]
    schema = SCHEMAS.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise InstanceError(f"question: {shown(kind)} is not a question; allowed are {kinds}")
    for key in data:
        if not isinstance(key, str) or not is_unicode(key):
            known = ", ".join(schema.model_fields)
            raise InstanceError(f"{shown(key)}: unknown key; allowed are {known}")
    try:
        return schema.model_validate(dict(data)).instance()
    except PydanticError as error:
        _raise_with_place(error, data, schema)


def _raise_with_place(
    error: PydanticError, data: Mapping[str, Any], schema: type[AnySchema]
) -> NoReturn:
    """Say the first thing pydantic found in our words: the place, the value, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = first["loc"]
    place = shown_key(str(location[0]))
    if first["type"] == "extra_forbidden" and len(location) == 1:
        raise InstanceError(f"{place}: unknown key; allowed are {', '.join(schema.model_fields)}")
    if first["type"] == "missing":
        raise InstanceError(f"{place}: missing")
    value: Any = data[str(location[0])]
    for step in location[1:]:
        if not isinstance(step, int) or not isinstance(value, Sequence) or isinstance(value, str):
            break
        value = value[step]
        place += f"[{step}]"
    if first["type"] == "value_error":
        raise InstanceError(f"{place}: {first['ctx']['error']}") from None
    raise InstanceError(f"{place}: {shown(value)} is not allowed; {allowed(place, value)}")


def _from_rows(text: str) -> Instance:
    """Text with one card a line: values separated by commas or blanks, ``#`` opens a comment."""
    cards: list[Card] = []
    first_line = 0
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.split("#", 1)[0].strip()
        if not content:
            continue
        try:
            card = parse_card(content)
        except InstanceError as error:
            raise InstanceError(f"line {number}: {error}") from None
        first_line = first_line or number
        if cards and len(card) != len(cards[0]):
            raise InstanceError(
                f"line {number}: {len(card)} attributes where line {first_line} has "
                f"{len(cards[0])}; all cards must have equally many"
            )
        cards.append(card)
    if not cards:
        raise InstanceError("empty: no line holds a card")
    return Uno1(tuple(cards))


def parse_card(text: str) -> Card:
    """One card as people type it: ``red,5``, ``red 5``, ``1,3``, or a card code such as ``R5``.

    >>> parse_card("red,5"), parse_card("1 3"), parse_card("g+2")
    (('red', 5), (1, 3), ('green', '+2'))
    """
    cells = [cell.strip() for cell in text.split(",")] if "," in text else text.split()
    if len(cells) == 1:
        coded = codes.decode(cells[0])
        if coded is not None:
            return coded
    return tuple(_cell(cell) for cell in cells)


def _cell(cell: str) -> Value:
    if not cell:
        raise InstanceError("an empty value; a value is an integer or a text")
    if len(cell) > MAX_VALUE_CHARS:
        raise InstanceError(
            f"{shown(cell)} is too long; a value has at most {MAX_VALUE_CHARS} characters"
        )
    if not is_unicode(cell):
        raise InstanceError(f"{shown(cell)} {NOT_TEXT}")
    return int(cell) if _INTEGER.fullmatch(cell) else cell
