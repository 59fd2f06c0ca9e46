"""Answers on the real game as text: the outcome of each first move, a line of play, and advice."""

from collections.abc import Mapping, Sequence
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


def told_advice(moves: Sequence[Any], deals: int, solved: int) -> str:
    """Return the moves with their shares and bars, in the given order."""
    lines = []
    for each in moves:
        name = _turn(each.move).plain if "lays" in each.move else "draw a card"
        bar = "\N{FULL BLOCK}" * round(BAR * each.share)
        share = f"{each.share:4.0%} ({each.low:.0%} to {each.high:.0%})"
        lines.append(f"{name:14} {share:20} {bar}".rstrip())
    unsolved = f", {deals - solved} of which took too long" if solved < deals else ""
    return "\n".join([*lines, f"share of {deals} deals won{unsolved}; 95 % confidence intervals"])
