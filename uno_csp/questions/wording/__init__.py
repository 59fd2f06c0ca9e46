"""Cards and input values as text for messages: one short line, safe for a terminal."""

import json

from uno_csp.questions.cards import WILD, Card, Value

SHOWN_CHARS = 40
NOT_TEXT = "is no Unicode text: half of a surrogate pair"


def shown(value: object) -> str:
    """Return a value as JSON text, cut to fit into a line.

    >>> shown(None), shown("x" * 100)[-5:]
    ('null', 'xx...')
    """
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (TypeError, ValueError, RecursionError):  # a Python value that JSON lacks
        try:
            text = ascii(value)
        except ValueError:  # more digits than Python converts to text
            text = "an integer of very many digits"
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."


def shown_key(key: str) -> str:
    """Return a JSON key as text, escaped and cut to fit into a line."""
    plain = key.encode("unicode_escape").decode("ascii")
    return plain if len(plain) <= SHOWN_CHARS else f"{plain[:SHOWN_CHARS]}..."


def is_unicode(text: str) -> bool:
    """Return True if a string can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def describe(card: Card) -> str:
    """Return a card as text for reasons and messages.

    A text that looks like a number is quoted, because it is a different value.

    >>> describe(("red", 5)), describe(("red", "5")), describe(("*", "*"))
    ('red 5', 'red "5"', 'wild')
    """
    if all(value == WILD for value in card):
        return "wild"
    values = (f'"{value}"' if _is_digits(value) else str(value) for value in card)
    return printable(" ".join(values))


def _is_digits(value: Value) -> bool:
    return isinstance(value, str) and value.isdecimal()


def printable(text: str) -> str:
    r"""Return a text that is safe for a terminal, with unprintable characters escaped.

    >>> printable("red \x1b[2J")
    'red \\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def counted(number: int, thing: str) -> str:
    """Return a number with its noun, in the plural if it is not 1.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
