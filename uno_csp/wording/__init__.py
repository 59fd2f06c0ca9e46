"""Cards, and pieces of input, as they are shown in messages: in one short, harmless line."""

import json

from uno_csp.cards import WILD, Card, Value

SHOWN_CHARS = 40
NOT_TEXT = "is no Unicode text: half of a surrogate pair"


def shown(value: object) -> str:
    """A value as it stood in the JSON, cut to a length that fits into one line.

    >>> shown(None), shown("x" * 100)[-5:]
    ('null', 'xx...')
    """
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (TypeError, ValueError, RecursionError):  # what only Python has
        try:
            text = ascii(value)
        except ValueError:  # more digits than Python writes
            text = "an integer of very many digits"
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."


def shown_key(key: str) -> str:
    """A key, likewise."""
    plain = key.encode("unicode_escape").decode("ascii")
    return plain if len(plain) <= SHOWN_CHARS else f"{plain[:SHOWN_CHARS]}..."


def is_unicode(text: str) -> bool:
    """Whether a string can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def describe(card: Card) -> str:
    """A card in a person's words, for reasons and messages.

    A text that looks like a number stands in quotes, for it is another value.

    >>> describe(("red", 5)), describe(("red", "5")), describe(("*", "*"))
    ('red 5', 'red "5"', 'wild')
    """
    if all(value == WILD for value in card):
        return "wild"
    told = (f'"{value}"' if _is_digits(value) else str(value) for value in card)
    return printable(" ".join(told))


def _is_digits(value: Value) -> bool:
    return isinstance(value, str) and value.isdecimal()


def printable(text: str) -> str:
    r"""A text that does nothing to the terminal it is shown on: control characters are spelt out.

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
    """A number of things.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
