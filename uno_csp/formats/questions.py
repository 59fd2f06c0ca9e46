"""Question files: JSON, JSON Lines, and plain text with cards.

The type of a question in :mod:`uno_csp.questions` declares its keys. Every error names the place:
``cards[3]: ...``, ``line 4: ...``.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from os import PathLike
from typing import Any

from uno_csp.errors import InstanceError, meant
from uno_csp.formats.strict_json import loads
from uno_csp.formats.tables import cards_of_table, is_table
from uno_csp.formats.text import (
    fault_of,
    plain_name,
    read_text,
    text_of,
    undecoded,
    unknown_key,
    with_line_feeds,
)
from uno_csp.formats.typed_cards import cards_of_text, without_comments
from uno_csp.questions import Instance, Uno1, question_types
from uno_csp.questions.cards import WILD, Card
from uno_csp.questions.codes import (
    CODES,
    WILD_CODES,
    code_of,
    code_of_values,
    looks_wild,
    wild_code,
)
from uno_csp.questions.fields import card_lists, place_of, required, validated
from uno_csp.questions.wording import is_unicode, shown, shown_key

_TABLES = (".csv", ".tsv")
_JSON_LIST = re.compile(r'\s*\[\s*["\[]')  # the beginning of a list of texts or lists
_ENDINGS = (".json", ".jsonl", ".txt", *_TABLES)


def parse(source: "str | bytes | Mapping[str, Any] | PathLike[str]") -> Instance:
    r"""Read one question.

    Parameters
    ----------
    source
        JSON text, text with cards (read as ``uno-1``), an already decoded mapping, a data frame of
        pandas with the columns of a table of cards, or the path of a file as a
        :class:`~pathlib.Path`.

    Raises
    ------
    InstanceError
        If it is not a question; the message names the place and what is allowed there.

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
    if hasattr(source, "to_csv") and getattr(source, "ndim", 0) > 1:
        # a column of integers with gaps has become one of floats, 5.0
        whole = source.convert_dtypes() if hasattr(source, "convert_dtypes") else source
        return _hand(cards_of_table(whole.to_csv(index=False)))
    if isinstance(source, PathLike):
        return parse_file(os.fspath(source))
    if not isinstance(source, str | bytes):
        raise InstanceError(f"{shown(source)} is no question; a text, a mapping or a Path is")
    text = text_of(source) if isinstance(source, bytes) else with_line_feeds(source)
    if not text.strip():
        raise InstanceError("the text is empty: a question was expected")
    if "\n" not in text and text.strip().lower().endswith(_ENDINGS):
        name = shown(text.strip())
        raise InstanceError(f"{name} is the name of a file; to read it: parse(Path({name}))")
    if text.lstrip().startswith("{"):
        return _from_mapping(loads(text))
    text = without_comments(text)
    if _JSON_LIST.match(text):
        raise InstanceError(
            "line 1, column 1: a list in JSON stands in a question, "
            '{"question": "uno-1", "cards": [...]}'
        )
    return _hand(cards_of_table(text) if is_table(text) else cards_of_text(text))


def parse_file(path: str) -> Instance:
    """Read one question from a file (``-`` is standard input); errors start with the path."""
    return parse_text(read_text(path), path)


def parse_text(text: str, path: str) -> Instance:
    """Read one question from the text of a file; errors start with the path."""
    name = plain_name(path)
    try:
        if name.endswith(".jsonl") and sum(1 for line in text.split("\n") if line.strip()) > 1:
            raise InstanceError("it holds several questions; expected one (solve answers them all)")
        if name.endswith(".json") and not text.lstrip().startswith("{"):
            loads(text)
            raise InstanceError("a question is a JSON object, {...}")
        if reads_as_table(text, path):
            return _hand(cards_of_table(without_comments(text)))
        return parse(text)
    except InstanceError as error:
        raise InstanceError(f"{path}: {error}") from None


def reads_as_table(text: str, path: str) -> bool:
    """Return True if the text of a file is read as a table of cards."""
    if plain_name(path).endswith(_TABLES):
        return True
    return not text.lstrip().startswith("{") and is_table(without_comments(text))


def parse_lines(text: str) -> Iterator[tuple[int, Instance | InstanceError]]:
    """Read JSON Lines; yield the number of each non-blank line, and its question or error."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                if fault := undecoded(line):
                    raise InstanceError(fault)
                yield number, _from_mapping(loads(line))
            except InstanceError as error:
                yield number, error


def _from_mapping(data: object) -> Instance:
    if not isinstance(data, Mapping):
        raise InstanceError(f"a question is a JSON object, {{...}}, not {shown(data)}")
    names = ", ".join(question_types())
    if "question" not in data:
        raise InstanceError(f"question: missing; {_called_otherwise(data)}allowed are {names}")
    name = data["question"]
    kind = question_types().get(name) if isinstance(name, str) else None
    if kind is None:
        near = meant(name, question_types()) if isinstance(name, str) else ""
        raise InstanceError(f"question: {shown(name)} is not a question; {near}allowed are {names}")
    _require_keys(kind, data)
    question = kind(**{key: value for key, value in data.items() if key != "question"})
    for place, code in misspelt(question):
        if code in WILD_CODES:
            raise InstanceError(f"{place} looks like a wild card; its code is {shown(code)}")
        if code not in CODES:
            raise InstanceError(f"{place}: {code}")
    return question


def _called_otherwise(data: Mapping[Any, Any]) -> str:
    """Return a hint at a key that is more likely the key question; empty if there is none."""
    keys = (key for key in data if isinstance(key, str) and is_unicode(key))
    found = next((key for key in keys if meant(key, ["question"])), None)
    return "" if found is None else f"{shown_key(found)} is another key; "


def _require_keys(kind: type[Instance], data: Mapping[Any, Any]) -> None:
    """Raise InstanceError if a key is unknown, missing, or null where that is not allowed."""
    allowed = ("question", *(each.name for each in fields(kind)))
    for key, value in data.items():
        if key not in allowed:
            known = isinstance(key, str) and is_unicode(key)
            place = shown_key(key) if known else shown(key)
            raise InstanceError(unknown_key(place, key if known else "", allowed))
        if value is None:  # which the constructor takes for a field that is left out
            validated(kind, key, None)
    missing = next((name for name in required(kind) if name not in data), None)
    if missing is not None:
        raise InstanceError(f"{missing}: missing")


def misspelt(question: Instance) -> Iterator[tuple[str, str]]:
    """Yield cards of values beside official cards that read like official ones, with the code.

    For a value with a character that cannot be seen as itself, the error message is yielded instead
    of a code.

    >>> list(misspelt(Uno1((("red", 5), ("Red", "7"), ("black", "+4")))))
    [('cards[1]: ["Red", "7"]', 'R7'), ('cards[2]: ["black", "+4"]', '+4')]
    """
    others = list[tuple[str, int, Card]]()
    official = False
    for place, cards in card_lists(question):
        for index, card in enumerate(cards):
            if WILD not in card and code_of(card) is not None:
                official = True
            elif WILD not in card and {*map(type, card)} != {int}:  # numbers are no words
                others.append((place, index, card))
    found = [
        (place_of(type(question), place, index), card, _reads_like(card))
        for place, index, card in others
    ]
    likely = official or any(code in CODES - {*WILD_CODES} for _, _, code in found)
    for place, card, code in found:
        if code and (official or (likely and code in CODES)):
            yield f"{place}: {shown(card)}", code


@lru_cache(maxsize=10_000)
def _reads_like(card: Card) -> str:
    """Return the code of the official card that a card of values reads like, or what is wrong."""
    faults = (fault_of(value) for value in card if isinstance(value, str))
    if code := code_of_values(card) or next(filter(None, faults), ""):
        return code
    wild = {wild_code(value) for value in card if isinstance(value, str)}
    return "+4" if "+4" in wild else "W" * looks_wild(card)


def _hand(cards: tuple[Card, ...]) -> Instance:
    """Return the question whether a hand from a text can be discarded."""
    if not cards:
        raise InstanceError("the text is empty: no line holds a card")
    return Uno1(cards)
