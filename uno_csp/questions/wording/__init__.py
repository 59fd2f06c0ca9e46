"""Cards and input values as text for messages: one short line, safe for a terminal."""

import json
import re
from contextlib import suppress

from uno_csp.questions.cards import WILD, Card

SHOWN_CHARS = 40
NOT_TEXT = "is no Unicode text: half of a surrogate pair"

_NUMBER = re.compile(r"-?\d*")  # A text that could be taken for a number, or for nothing at all
_MARK = re.compile(r"""[\s\\"'`()\[\]{}<>,;:|]""")  # a character that parts or marks names
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Letters and marks without a picture, which Python counts as printable."""


def shown(value: object) -> str:
    """Return a value as JSON text, cut to fit into a line.

    >>> shown(None), shown("x" * 100)[-5:]
    ('null', 'xx...')
    """
    for text_of in (_as_json, ascii):  # JSON lacks some values of Python
        with suppress(Exception):  # of the value's own method, or it is nested too deeply
            return shown_key(text_of(value))
    if isinstance(value, int):  # it has more digits than Python converts to text
        return "an integer of very many digits"
    return shown_key(f"a {type(value).__name__}")


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def shown_key(key: str) -> str:
    """Return a JSON key, or another text, escaped and cut to fit into a line."""
    plain = printable(key[: SHOWN_CHARS + 1])  # a file may have a very long one
    return plain if len(plain) <= SHOWN_CHARS else f"{plain[:SHOWN_CHARS]}..."


def is_unicode(text: str) -> bool:
    """Return True if a string can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def describe(card: Card) -> str:
    """Return a card as text for reasons and messages: its values, as :func:`named` writes them.

    >>> describe(("red", 5)), describe(("red", "5")), describe(("*", "*"))
    ('red 5', 'red "5"', 'wild')
    """
    if card and all(value == WILD for value in card):
        return "wild"
    text = " ".join(map(named, card))
    return '"wild"' if text == "wild" else text


def named(value: object) -> str:
    r"""Return a value of a card, or the name of a vertex, so that it can stand in a list.

    A text is quoted if it could be taken for a number, for several names, or for the words around
    it: if it is empty or has digits only, or has a blank, a bracket, a quote, a mark that ends a
    part of a sentence, or a character that is not printed.

    >>> named("skip"), named(5), named("5"), named("a b"), named("a\n[red]")
    ('skip', '5', '"5"', '"a b"', '"a\\n[red]"')
    """
    text = str(value)
    if not isinstance(value, str):
        return printable(text)
    if _NUMBER.fullmatch(text) or _MARK.search(text) or printable(text) != text:
        return printable(json.dumps(text, ensure_ascii=False))
    return text


def printable(text: str) -> str:
    r"""Return a text in one line, with the characters escaped that are not seen as themselves.

    These are control characters, line ends, direction marks, and characters without a picture.

    >>> printable("red \x1b[2J\u202e")
    'red \\x1b[2J\\u202e'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode("ascii")
        if not char.isprintable() or _INVISIBLE.match(char)
        else char
        for char in text
    )


def the_cards(wild: int, *, piled: bool) -> str:
    """Return which cards are spoken of: all but those that match every card, and maybe the pile.

    >>> the_cards(0, piled=False), the_cards(2, piled=True)
    ('the cards', 'the cards that do not match every card and the one on the pile')
    """
    others = " that do not match every card" if wild else ""
    return f"the cards{others}{' and the one on the pile' * piled}"


def disagree(at_least: int) -> str:
    """Return what cards do that do not match.

    >>> disagree(1), disagree(2)
    ('agree in no attribute', 'agree in fewer than 2 attributes')
    """
    return f"agree in {'no attribute' if at_least == 1 else f'fewer than {at_least} attributes'}"


def counted(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun, in the plural if it is not 1.

    >>> counted(1, "card"), counted(3, "card"), counted(3, "vertex", "vertices")
    ('1 card', '3 cards', '3 vertices')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {things or f'{thing}s'}"
