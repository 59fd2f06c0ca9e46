"""Links that hold a question, as the pages write them, and what other sites show of them.

A link has the question as compressed JSON in base64url, or the number of a deal of the real game.
"""

import zlib
from base64 import b64decode
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from starlette.datastructures import QueryParams

from uno_csp.errors import InstanceError
from uno_csp.families import generate
from uno_csp.formats.strict_json import loads
from uno_csp.formats.text import text_of
from uno_csp.processes.channel import Channel
from uno_csp.questions import Instance
from uno_csp.questions.cards import WILD, Card, Hand, Value
from uno_csp.questions.wording import printable
from uno_csp.service.reading import Task, question_of

MOST_CHARACTERS = 8_000  # longest value of ``q`` in a link
MOST_BYTES, MOST_SIZE = 20_000, 400  # of a question: bytes, decompressed, and cards
SIZE = WIDTH, HEIGHT = 1200, 630  # size of a picture in pixels, as other sites expect it
MOST_CARDS = 14  # largest number of cards in a picture

MOST_VALUES, MOST_LETTERS = 3, 6  # of a card, and characters of a value, in a picture
Colour = tuple[int, int, int]

_FELT: Colour = (36, 104, 62)
_WHITE: Colour = (255, 255, 255)
_PLAIN: Colour = (74, 74, 82)
_COLOURS: dict[object, tuple[Colour, str]] = {
    "red": ((198, 47, 47), "◆"),
    "yellow": ((227, 181, 5), "▲"),
    "green": ((44, 138, 68), "■"),
    "blue": ((37, 99, 201), "●"),
}
_TITLES = {
    "uno-1": "Can you get rid of {cards}?",
    "longest": "How many of {cards} can you get rid of?",
    "fill-in": "Which cards are missing to get rid of {cards}?",
    "cooperative": "Can we all help player 1 to get rid of every card?",
    "uncooperative": "Who wins with {cards}?",
    "open-game": "Can you win with this hand?",
}
_SYMBOLS = {"skip": "⊘", "reverse": "⇄"}
_CARD = _CARD_WIDTH, _CARD_HEIGHT = 220, 320
_ROOM = 1080  # width of a fan in pixels
_TURN = 4.0  # degrees between the cards of a fan
_SMOOTH = Image.Resampling.BICUBIC


def holds_question(query: Mapping[str, str]) -> bool:
    """Return True if the parameters of a link are those of a question, which may be damaged."""
    return "q" in query or "deal" in query


def title_link(task: Task, _channel: Channel) -> str:
    """Return the title of the question that a link holds."""
    return title_of(asked_by(QueryParams(task["query"])))


def draw_link(task: Task, _channel: Channel) -> bytes:
    """Return a picture of the question that a link holds, a PNG file."""
    return picture_of(asked_by(QueryParams(task["query"])))


def asked_by(query: Mapping[str, str]) -> Instance:
    """Return the question of a link: ``q``, or a deal as the family ``open-game`` takes it."""
    if "q" in query:
        return _unpack(query["q"])
    try:
        given: dict[str, Any] = {
            name: query[name] if name == "rules" else int(query[name])
            for name in ("players", "cards", "rules")
            if name in query
        }
        seed = int(query["deal"])
    except ValueError:
        raise InstanceError("link: the numbers of a deal are whole numbers") from None
    return generate("open-game", seed=seed, **given)


def _unpack(packed: str) -> Instance:
    """Return the question in the ``q`` of a link, as raw DEFLATE (RFC 1951) in base64url."""
    if len(packed) > MOST_CHARACTERS:
        raise InstanceError(f"link: at most {MOST_CHARACTERS} characters are allowed")
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        padding = "=" * (-len(packed) % 4)
        compressed = b64decode(packed + padding, altchars="-_", validate=True)
        text = unpacking.decompress(compressed, MOST_BYTES)
    except (ValueError, zlib.error) as error:
        raise InstanceError("link: it is damaged and holds no question") from error
    if not unpacking.eof:
        raise InstanceError(f"link: it is cut off, or holds more than {MOST_BYTES} bytes")
    found = loads(text_of(text))
    if not isinstance(found, dict):
        raise InstanceError("link: it holds no question")
    return question_of(found, MOST_SIZE)


def title_of(question: Instance) -> str:
    """Return the question in a sentence for people.

    >>> from uno_csp import Uno1
    >>> title_of(Uno1([("red", 5), ("red", 7)]))
    'Can you get rid of these 2 cards?'
    """
    count = len(question.cards)
    cards = {0: "all of it", 1: "this card"}.get(count, f"these {count} cards")
    asked = _TITLES.get(question.question, "What would you do with these cards?")
    return asked.format(cards=cards)


def tags(title: str, picture: str) -> str:
    """Return elements for a page's head with title and URL of a picture (Open Graph)."""
    described = {
        "og:type": "website",
        "og:site_name": "uno-csp",
        "og:title": title,
        "og:description": "Try it, or ask for the answer: each one can be checked.",
        "og:image": picture,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": title,
    }
    lines = [f'<meta property="{key}" content="{escape(it)}">' for key, it in described.items()]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">', ""])


def picture_of(question: Instance) -> bytes:
    """Return a PNG picture of the first hand of a question, fanned on a table."""
    canvas = Image.new("RGB", SIZE, _FELT)
    drawing = ImageDraw.Draw(canvas)
    title = title_of(question)
    drawing.text((WIDTH / 2, 85), title, _WHITE, _fitting(title, WIDTH - 80, 64), anchor="mm")
    hand = getattr(question, "hands", (question.cards,))[0]
    _draw_fan(canvas, hand[:MOST_CARDS])
    more = f"and {len(hand) - MOST_CARDS} more    " if len(hand) > MOST_CARDS else ""
    drawing.text((WIDTH / 2, HEIGHT - 50), f"{more}uno-csp", _WHITE, _font(34), anchor="mm")
    written = BytesIO()
    canvas.save(written, "PNG", optimize=True)
    return written.getvalue()


def _draw_fan(canvas: Image.Image, cards: Hand) -> None:
    """Draw cards side by side, or overlapping if there are many, the outer ones turned."""
    count = len(cards)
    scale = min(1.0, _ROOM / (_CARD_WIDTH * max(1, min(count, 7))))
    width = scale * _CARD_WIDTH
    step = min(0.94 * width, (_ROOM - width) / max(1, count - 1))
    for place, card in enumerate(cards):
        turn = (place - (count - 1) / 2) * min(1.0, 7 / count)
        drawn = _card(card).resize((int(width), int(scale * _CARD_HEIGHT)), _SMOOTH)
        drawn = drawn.rotate(-_TURN * turn, _SMOOTH, expand=True)
        middle = WIDTH / 2 + step * (place - (count - 1) / 2), 335 + 3 * turn * turn
        corner = int(middle[0] - drawn.width / 2), int(middle[1] - drawn.height / 2)
        canvas.paste(drawn, corner, drawn)


def _fitting(text: str, width: float, largest: int) -> ImageFont.FreeTypeFont:
    """Return the largest font in which a text has at most this width, or one of 12 pixels."""
    sizes = range(largest, 12, -2)
    return _font(next((size for size in sizes if _font(size).getlength(text) <= width), 12))


def _short(value: Value) -> str:
    """Return the beginning of a value, without what a font cannot show in one line."""
    text = value if isinstance(value, str) else f"{value:d}"
    return printable(text[:MOST_LETTERS])[:MOST_LETTERS]


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return a font that has the symbols; matplotlib carries it."""
    path = Path(str(files("matplotlib"))) / "mpl-data/fonts/ttf/DejaVuSans-Bold.ttf"
    return ImageFont.truetype(str(path), size)


def _card(card: Card) -> Image.Image:
    """Draw one card: its symbol in the centre and in two corners, with the mark of its colour."""
    drawn = Image.new("RGBA", _CARD)
    drawing = ImageDraw.Draw(drawn)
    box = (2, 2, _CARD_WIDTH - 3, _CARD_HEIGHT - 3)
    wild = all(value == WILD for value in card)
    face, mark = _COLOURS.get(card[0], (_PLAIN, "")) if len(card) == 2 else (_PLAIN, "")
    drawing.rounded_rectangle(box, 30, face, outline=_WHITE, width=10)
    if wild:
        for quarter, (colour, _) in enumerate(_COLOURS.values()):
            drawing.pieslice((35, 85, 185, 235), 90 * quarter, 90 * quarter + 90, colour)
    symbol = "W" if wild else _SYMBOLS.get(str(card[-1]), _short(card[-1]))
    if not mark and not wild:
        symbol = "·".join(map(_short, card[:MOST_VALUES]))
    ink = (34, 28, 0) if card[0] == "yellow" else _WHITE
    centre = _CARD_WIDTH / 2, _CARD_HEIGHT / 2
    drawing.text(centre, symbol, ink, _fitting(symbol, 170, 100), anchor="mm")
    corner = Image.new("RGBA", _CARD)
    text = f"{symbol}\n{mark}" if mark or wild else ""
    ImageDraw.Draw(corner).multiline_text((24, 18), text, ink, _font(36), align="center")
    drawn.alpha_composite(corner)
    drawn.alpha_composite(corner.rotate(180))
    return drawn
