"""Cards as coloured text for a console."""

from uno_csp.questions.cards import Card
from uno_csp.questions.wording import describe

STYLES = {
    "red": "bold white on red3",
    "yellow": "bold black on gold1",
    "green": "bold white on green4",
    "blue": "bold white on dodger_blue3",
    "wild": "bold white on grey19",
}


def face(card: Card, *, draws_four: bool = False) -> tuple[str, str]:
    """Return a card in brackets and its rich style; ``draws_four`` marks a wild draw-four."""
    name = describe(card)
    style = STYLES.get("wild" if name == "wild" else str(card[0]), "reverse")
    name = "wild +4" if name == "wild" and draws_four else name
    return f"[{name}]".replace(" ", "\N{NO-BREAK SPACE}"), style
