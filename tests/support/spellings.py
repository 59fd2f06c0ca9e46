"""Hands of official cards in every spelling that the documentation names, as texts and tables.

The words are listed here once more, on purpose: a spelling that the program loses fails a test.
"""

import json
import random
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

COLOURS = {"R": ("R", "red"), "Y": ("Y", "yellow"), "G": ("G", "green"), "B": ("B", "blue")}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ACTIONS = {
    "S": ("s", "skip"),
    "R": ("r", "rev", "reverse"),
    "+2": ("+2", "d2", "draw2", "draw two", "drawtwo", "draw 2"),
}
WILDS = {
    "W": ("W", "wild", "wild card", "wildcard", "black wild"),
    "+4": ("+4", "W+4", "wd4", "W4", "draw four", "wild draw four", "wild +4", "wild_draw_4"),
}
FACES = (*map(str, range(10)), *ACTIONS)
DECK = (
    *(
        colour + face
        for colour in COLOURS
        for face in FACES
        for _ in range(1 if face == "0" else 2)
    ),
    *(code for code in WILDS for _ in range(4)),
)
"""The codes of the 108 cards."""

NO_COLOURS = ("black", "none", "null", "special", "multi", "W", "", "NO_COLOR")


def words_for(face: str) -> tuple[str, ...]:
    """Return the words for a symbol; those of a number are the digit and its name."""
    return ACTIONS[face] if face in ACTIONS else (face, NUMBERS[int(face)])


def in_any_case(rng: random.Random, text: str) -> str:
    """Return a text in lower, upper or other case."""
    return rng.choice((str.lower, str.upper, str.title, str))(text)


def spelt(rng: random.Random, code: str) -> str:
    """Return a card in some spelling."""
    if code in WILDS:
        return in_any_case(rng, rng.choice(WILDS[code]))
    colour, face = rng.choice(COLOURS[code[0]]), rng.choice(words_for(code[1:]))
    parts = [colour, face]
    if face not in ("s", "r") and rng.random() < 0.4:
        parts.reverse()
    joined = "" if face not in NUMBERS or len(colour) > 1 else " "
    return in_any_case(rng, rng.choice((joined, " ", "-", "_")).join(parts))


def plain(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand whose cards are separated by commas, semicolons or line ends."""
    cards = [spelt(rng, code) for code in hand]
    return rng.choice((", ", "; ", "\n", ",\n", " ; ", "\r\n")).join(cards)


def blank(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand whose cards are separated by blanks; *wild* alone is not in it."""
    cards = ["W" if code == "W" else spelt(rng, code) for code in hand]
    return rng.choice((" ", "  ", "\t", " \n")).join(cards)


def printed(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand as it is printed."""
    return rng.choice((" ", ", ", "")).join(f"[{spelt(rng, code)}]" for code in hand)


def counted(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand with numbers of copies."""
    patterns = (
        "{n}x{card}",
        "{n} x {card}",
        "{card} x{n}",
        "{n}x {card}",
        "{n}\N{MULTIPLICATION SIGN}{card}",
    )
    return ", ".join(
        rng.choice(patterns).format(n=hand.count(code), card=spelt(rng, code))
        for code in dict.fromkeys(hand)
    )


def joined(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand of colours and symbols that commas join."""
    cards = []
    for code in hand:
        colour = rng.choice(COLOURS.get(code[0], ("",)))
        single = [word for word in words_for(code[1:]) if " " not in word] if colour else []
        cards.append(f"{colour},{rng.choice(single)}" if single else code)
    return rng.choice((" ", "; ", "\n")).join(cards)


TEXTS: tuple[Callable[[random.Random, Sequence[str]], str], ...] = (
    plain,
    blank,
    printed,
    counted,
    joined,
)
"""Ways to type a hand."""


def table(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand as a table with a heading, with a word for the colour of wild cards."""
    separator = rng.choice(",;\t")
    heading = [rng.choice(("color", "Colour", "SUIT")), rng.choice(("number", "value", "Type"))]
    rows = [heading, *(_row(rng, code) for code in hand)]
    if rng.random() < 0.5:
        rows = [row[::-1] for row in rows]
    if rng.random() < 0.5:
        rows = [[*row, "1"] for row in rows]
        rows[0][-1] = rng.choice(("count", "quantity", "n"))
    mark = f"sep={separator}\n" if rng.random() < 0.3 else ""
    quote = rng.choice(("", '"'))
    return mark + "\n".join(separator.join(quote + cell + quote for cell in row) for row in rows)


def _row(rng: random.Random, code: str) -> list[str]:
    if code in WILDS:
        return [rng.choice(NO_COLOURS), in_any_case(rng, rng.choice(WILDS[code]))]
    return [
        in_any_case(rng, rng.choice(COLOURS[code[0]])),
        in_any_case(rng, rng.choice(words_for(code[1:]))),
    ]


def question(rng: random.Random, hand: Sequence[str]) -> str:
    """Return a hand as a question in JSON, with codes in any spelling."""
    return json.dumps({"question": "uno-1", "cards": [spelt(rng, code) for code in hand]})


FORMS = (*TEXTS, table, question)
"""Ways to write a hand."""


@st.composite
def written_hands(
    draw: st.DrawFn,
    forms: Sequence[Callable[[random.Random, Sequence[str]], str]] = FORMS,
    max_cards: int = 12,
) -> tuple[list[str], str]:
    """Hands, each with a text that spells it in one of the forms."""
    hand = draw(st.lists(st.sampled_from(DECK), min_size=1, max_size=max_cards))
    return hand, draw(st.sampled_from(forms))(draw(st.randoms(use_true_random=False)), hand)
