"""Answers on the real game as text: the outcome of each first move, a line of play, and advice."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from uno_csp.formats.faces import STYLES
from uno_csp.questions.codes import COLOURS

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_TURNS = 60  # maximum number of turns shown of a line; JSON has all


def told_game(strategy: Mapping[str, Any]) -> "Text":
    """Return the table of first moves and the line as text; cards are coloured codes."""
    from rich.text import Text

    text = Text()
    for move in strategy.get("moves", ()):
        text.append_text(_turn(move))
        text.append(f" {_leads_to(move['leads_to'])}\n")
    text.append("play: " if strategy["kind"] == "line" else "best play: ")
    for play in strategy["plays"][:SHOWN_TURNS]:
        text.append(f"{play['player']}:")
        text.append_text(_turn(play))
        text.append(" ")
    hidden = len(strategy["plays"]) - SHOWN_TURNS
    text.append(f"... {hidden} more turns; --format json has them\n" if hidden > 0 else "\n")
    return text


def _turn(move: Mapping[str, Any]) -> "Text":
    """Return a turn as text: the number of cards drawn, the card played, the colour named."""
    from rich.text import Text

    text = Text()
    if move["draws"]:
        text.append(f"draws {move['draws']}" + (" " if "lays" in move else ""))
    if "lays" in move:
        code = move["lays"]
        text.append(f"[{code}]", STYLES[COLOURS.get(code[0], "wild")])
        text.append(f" {move['names']}" if "names" in move else "")
    elif not move["draws"]:
        text.append("misses a turn")
    return text


def _leads_to(winner: int | str | None) -> str:
    if winner is None:
        return "leads to a game that nobody can force to win"
    if winner == "unknown":
        return "leads to a position that was not searched completely"
    return f"lets {'the others' if winner == 'others' else f'player {winner}'} win"


BAR = 20  # length of the bar of a move that wins all deals, in characters


def told_advice(advice: Any) -> str:
    """Return the moves with their shares and bars, what is best, and what the shares mean."""
    lines = []
    for each in advice.moves:
        name = _turn(each.move).plain if "lays" in each.move else "draw a card"
        line = f"{name:14} {_share(each, advice.exact):20}"
        lines.append(f"{line} {chr(0x2588) * round(BAR * (each.share or 0))}".rstrip())
    return "\n".join([*lines, advice.words, _meaning(advice)])


def _share(prospect: Any, exact: bool) -> str:
    if prospect.share is None:
        return "too few deals"
    if exact:
        return f"{prospect.share:6.1%} exact"
    return f"{prospect.share:4.0%} ({prospect.low:.0%} to {prospect.high:.0%})"


def _meaning(advice: Any) -> str:
    deals = "all possible deals" if advice.exact else f"up to {advice.deals} random deals"
    intervals = "" if advice.exact else ", with 95 % confidence intervals"
    return f"share of {deals} won{intervals}; from then on: {advice.policy}"
