"""Cards as HTML and as SVG, for notebooks.

Both are self-contained: every element carries its colours, since a notebook has no style sheet of
ours, and texts are escaped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from uno_csp.questions.cards import Card
from uno_csp.questions.wording import describe

SHOWN_CARDS = 200  # maximum number of cards shown of a sequence
PAINT = {
    "red": ("#d6281e", "#ffffff"),
    "yellow": ("#ecb511", "#1b1b1b"),
    "green": ("#26803a", "#ffffff"),
    "blue": ("#1f6fd0", "#ffffff"),
    "wild": ("#303030", "#ffffff"),
}
"""Fill and ink of a card by its colour."""

_OTHER = ("#e3e6ea", "#1b1b1b")

_WIDTH, _HEIGHT, _GAP, _IN_A_ROW = 62, 40, 8, 12


@dataclass(frozen=True, slots=True)
class Face:
    """A card to draw: name, key of its colours, player if there are several, and if it is added."""

    name: str
    paint: str
    player: int | None = None
    added: bool = False

    @property
    def title(self) -> str:
        """Return the tooltip of the card."""
        whose = "" if self.player is None else f"player {self.player}: "
        return f"{whose}{self.name}{' (added)' if self.added else ''}"


def face_of(card: Card, player: int | None = None, *, added: bool = False) -> Face:
    """Return the face of a card.

    >>> face_of(("red", 5)).name, face_of(("*", "*")).paint
    ('red 5', 'wild')
    """
    name = describe(card)
    return Face(name, "wild" if name == "wild" else str(card[0]), player, added)


def html(verdict: str, colour: str, lines: Iterable[str], faces: Sequence[Face], how: str) -> str:
    """Return an answer as HTML: a coloured verdict, lines of text, cards, and how it was found.

    >>> "red 5</span>" in html("YES", "green", (), [face_of(("red", 5))], "")
    True
    """
    parts = [f'<strong style="color:{colour}">{escape(verdict)}</strong>']
    parts += [f"<div>{escape(line)}</div>" for line in lines if line]
    if faces:
        chips = "".join(map(_chip, faces[:SHOWN_CARDS]))
        parts.append(f'<div style="line-height:2.1">{chips}{_cut(faces)}</div>')
    if how:
        parts.append(f'<div style="opacity:.65;font-size:smaller">{escape(how)}</div>')
    return f'<div style="font-family:sans-serif">{"".join(parts)}</div>'


def _chip(face: Face) -> str:
    fill, ink = PAINT.get(face.paint, _OTHER)
    ring = ";outline:2px dashed #888;outline-offset:1px" if face.added else ""
    whose = "" if face.player is None else f"{face.player}:"
    plus = "+" if face.added else ""
    return (
        f'{whose}<span title="{escape(face.title)}" style="background:{fill};color:{ink};'
        f'border-radius:5px;padding:2px 7px;margin-right:5px;white-space:nowrap{ring}">'
        f"{plus}{escape(face.name)}</span> "
    )


def _cut(faces: Sequence[Face]) -> str:
    hidden = len(faces) - SHOWN_CARDS
    return f"and {hidden} more cards" if hidden > 0 else ""


def svg(faces: Sequence[Face]) -> str:
    """Return an SVG of the cards in order of play, 12 to a row, joined by a line.

    >>> svg([face_of(("red", 5))]).count("<rect")
    1
    """
    shown = faces[:SHOWN_CARDS]
    rows = -(-len(shown) // _IN_A_ROW)
    width = min(len(shown), _IN_A_ROW) * (_WIDTH + _GAP) + _GAP
    height = rows * (_HEIGHT + 2 * _GAP) + _GAP
    middles = [_middle(index) for index in range(len(shown))]
    points = " ".join(f"{x},{y}" for x, y in middles)
    cards = "".join(map(_tile, shown, middles))
    more = f"<title>{escape(_cut(faces))}</title>" if _cut(faces) else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'font-family="sans-serif" font-size="12" text-anchor="middle">{more}'
        f'<polyline points="{points}" fill="none" stroke="#888" stroke-width="2"/>{cards}</svg>'
    )


def _middle(index: int) -> tuple[int, int]:
    """Return the centre of a card; every other row runs backwards, so that the line is unbroken."""
    row, column = divmod(index, _IN_A_ROW)
    if row % 2:
        column = _IN_A_ROW - 1 - column
    x = _GAP + column * (_WIDTH + _GAP) + _WIDTH // 2
    return x, 2 * _GAP + row * (_HEIGHT + 2 * _GAP) + _HEIGHT // 2


def _tile(face: Face, middle: tuple[int, int]) -> str:
    (x, y), (fill, ink) = middle, PAINT.get(face.paint, _OTHER)
    ring = ""
    if face.added:
        ring = (
            f'<rect x="{x - _WIDTH // 2 - 3}" y="{y - _HEIGHT // 2 - 3}" width="{_WIDTH + 6}" '
            f'height="{_HEIGHT + 6}" rx="8" fill="#fff" stroke="#555" stroke-dasharray="4 3"/>'
        )
    long = f' textLength="{_WIDTH - 8}" lengthAdjust="spacingAndGlyphs"'
    whose = ""
    if face.player is not None:
        whose = f'<text x="{x}" y="{y - _HEIGHT // 2 - 2}" font-size="9">{face.player}</text>'
    return (
        f"<g><title>{escape(face.title)}</title>{whose}{ring}"
        f'<rect x="{x - _WIDTH // 2}" y="{y - _HEIGHT // 2}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'rx="6" fill="{fill}"/><text x="{x}" y="{y + 4}" fill="{ink}"'
        f"{long if len(face.name) > 9 else ''}>{escape(face.name)}</text></g>"
    )
