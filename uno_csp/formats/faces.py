"""Cards as coloured text for a console."""

from uno_csp.questions.cards import Card
from uno_csp.questions.wording.markup import PAINT, face_of


def face(card: Card, *, draws_four: bool = False) -> tuple[str, str]:
    """Return a card in brackets and its rich style; ``draws_four`` marks a wild draw-four."""
    made = face_of(card)
    name = "wild +4" if made.paint == "wild" and draws_four else made.name
    return f"[{name}]".replace(" ", "\N{NO-BREAK SPACE}"), style_of(made.paint)


def style_of(paint: str) -> str:
    """Return the rich style of a card whose colour has a name; of others, reversed video."""
    fill, ink = PAINT.get(paint, ("", ""))
    return f"bold {ink} on {fill}" if fill else "reverse"
