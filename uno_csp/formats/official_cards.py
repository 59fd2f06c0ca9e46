"""The grammar of a hand of official cards.

::

    hand      = [ item, { separator, item } ]
    item      = [ number, "x" ], card, [ "x", number ] | [ "+" ], "[", card, "]"
    card      = a spelling of uno_csp.questions.codes
    separator = blank | line end | "," | ";"

The parts of a card are joined by nothing, blanks, ``-`` or ``_``, or a colour and a symbol by a
comma, as in ``red,5``. Blanks may stand around the sign of copies, and with a comma or semicolon.
The longest name is taken: ``wild +4`` is one card, ``W +4`` are two.
"""

import re
from collections.abc import Iterator, Sequence

from uno_csp.formats.phrases import BLANK, JOINED_COUNT, TIMES, TIMES_BEHIND, Phrase, Refused
from uno_csp.formats.text import fault_of
from uno_csp.questions import codes
from uno_csp.questions.cards import Card
from uno_csp.questions.codes import quoted

_SEPARATORS = re.compile(rf"[{BLANK},;\n]+")
_LIMITS = re.compile(r"[,;\n]+")  # separators of phrases
_HOLE = re.compile(rf"[,;][{BLANK}\n]*[,;]")
_PHRASE = re.compile(r"\+?\[([^\[\]\n]*)\]|((?:[^,;\n\[\]+]|\+(?!\[))+)|[\[\]]")
"""A printed card, or words between separators, or a bracket without its pair."""

_PAIR = re.compile(
    rf"(?<![^{BLANK}\n;])((?:[0-9]+[{TIMES}])?(?:{'|'.join(codes.COLOUR_WORDS)})),"
    rf"({'|'.join(map(re.escape, (word for word in codes.SYMBOLS if ' ' not in word)))})"
    rf"(?![^{BLANK}\n;])",
    re.IGNORECASE,
)
"""A colour and a symbol that a comma joins."""

_CLOSE = re.compile(rf"[^{BLANK},;\n]+,(?=[^{BLANK},;\n])")  # a comma without a blank, and its word
_WORD = re.compile(
    rf"{JOINED_COUNT}|[^{BLANK}]+?(?=[{TIMES_BEHIND}][0-9]+(?:[{BLANK},;\n\[\]]|$))|[^{BLANK}]+"
)
"""A word; a number of copies that is joined to a card is a word of its own."""

_TIMES_WORD = re.compile(rf"[{TIMES}][0-9]*")
_MARK = re.compile(
    "[\\[\\](){}<>|*`\"'\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]"
)

_EXTENDABLE = frozenset(
    start
    for spelling in codes.spellings()
    for start in (spelling.rsplit(" ", count)[0] for count in range(1, codes.MOST_WORDS))
    if start in codes.spellings() and start != spelling
)
"""Spellings that begin longer ones, such as ``wild``."""


def official_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text of official cards; raise Refused if it is not in the grammar.

    >>> official_cards("5R, 2 x wild; [red 7]")
    (('red', 5), ('*', '*'), ('*', '*'), ('red', 7))
    """
    if "," in text:
        text = _with_pairs(text)
    separated = "," in text or ";" in text
    hole = _HOLE.search(text) if separated else None
    if hole is not None:
        raise Refused("no card stands between two commas", hole.end() - 1)
    return _of_simple_phrases(text) or tuple(_cards_of_phrases(text))


def _of_simple_phrases(text: str) -> tuple[Card, ...]:
    """Return the cards of a text in which each word, or phrase, is one; else nothing."""
    for separators in (_SEPARATORS, _LIMITS):
        phrases = (phrase.strip(BLANK) for phrase in separators.split(text))
        keys = [codes.key_of(phrase) for phrase in phrases if phrase]
        found = [*map(codes.spellings().get, keys)]
        whole = separators is _LIMITS or _EXTENDABLE.isdisjoint(keys)
        if whole and None not in found:
            return tuple(codes.card_of_code(code) for code in found if code)
    return ()


def _with_pairs(text: str) -> str:
    """Return the text with hyphens for the commas that join the values of a card."""
    pair = _PAIR.search(text)
    if pair is None:
        return text
    joined = _PAIR.sub(r"\1-\2", text)
    close = _CLOSE.search(joined)
    if close is not None:
        message = f"the comma behind {quoted(close[0][:-1])} separates, that in {pair[0]} joins"
        raise Refused(
            f"{message}; write blanks between cards, and W for a wild card", close.start()
        )
    return joined


def _cards_of_phrases(text: str) -> Iterator[Card]:
    """Yield the cards of the phrases between separators or in brackets."""
    before = 0
    for match in _PHRASE.finditer(text):
        group = match.lastindex
        if group is None:
            raise Refused(f"{quoted(match[0])} has no other bracket", match.start(), before)
        words = _WORD.finditer(text, *match.span(group))
        found = [card for card, _ in Phrase(words, before, _take).cards()]
        if group == 1 and len(found) != 1:
            message = f"{quoted(match[0])}: one printed card stands in brackets, as in [red 5]"
            raise Refused(message, match.start(), before)
        before += len(found)
        yield from found


def _take(words: Sequence[str]) -> tuple[Card, int]:
    """Return the card of the longest spelling at the start of some words, and its length."""
    for count in range(min(codes.MOST_WORDS, len(words)), 0, -1):
        code = codes.canonical(" ".join(words[:count]))
        if code is not None:
            return codes.card_of_code(code), count
    raise ValueError(_problem(*words[:2]))


def _problem(word: str, following: str = "") -> str:
    """Return an error message for a word that begins no card with the word that follows it."""
    fault = fault_of(word)
    if fault:
        return f"{quoted(word)}: {fault}"
    key = codes.key_of(word)
    if following and key in codes.COLOUR_WORDS:
        why = fault_of(following)
        none = f"and {quoted(following)} is none{': ' if why else ''}{why}"
        return f"{quoted(word)} needs a number or symbol, {none}"
    if codes.SYMBOLS.get(key, "").isdigit() and codes.canonical(following):
        return f"{quoted(word)} stands before a card; copies are written {word} x {following}"
    if word.startswith("#"):
        return f"{quoted(word)} is no card; a comment begins with # and a blank"
    if _TIMES_WORD.fullmatch(word):
        copies = "copies are written 2xR5 or R5 x2"
        return f"{quoted(word)} is no card; {copies}; {codes.ALLOWED}"
    mark = _MARK.search(word)
    if mark:
        return f"{quoted(word)}: {mark[0]} is no part of a card; write red 5, R5 or [red 5]"
    return codes.no_card(word)
