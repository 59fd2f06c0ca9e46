"""Strategies as text: the answer to every card, the outcome of first moves, and advice."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from uno_csp.formats.faces import face, style_of
from uno_csp.questions import Convention, Uncooperative
from uno_csp.questions.cards import Card, matches
from uno_csp.questions.codes import COLOURS
from uno_csp.questions.duels import DuelPosition, cards_by_position, start_of_duel
from uno_csp.questions.wording import counted

SHOWN_LINES = 16  # maximum number of lines of a tree; it is shown as deep as they allow
SHOWN_TURNS = 60  # maximum number of turns shown of a line; JSON has all
BAR = 20  # length of the bar of a move that wins all deals, in characters


class _Line(NamedTuple):
    """Cards of the others, the answers to them, and the next position, None at the end."""

    asked: tuple[tuple[int, Card], ...]
    answered: tuple[tuple[int, Card], ...]
    following: DuelPosition | None


def tell_duel(instance: Uncooperative, strategy: Mapping[str, Any], *, wins: bool) -> Text:
    """Return a strategy as a tree of cards and answers; with ``wins`` it is player 1's."""
    if strategy["kind"] == "matching":
        return _tell_pairs(strategy, mine=0 if wins else 1)
    if strategy["kind"] == "opening":
        first = face(tuple(strategy["open"]))
        return Text.assemble(
            "open with ", first, "\nthe positions that follow are too many to list\n"
        )
    tree = _Tree(instance, strategy["positions"], wins=wins)
    depth, lines = 1, tree.lines(1)
    while len(lines) < SHOWN_LINES:
        deeper = tree.lines(depth + 1)
        if len(deeper) == len(lines) or len(deeper) > SHOWN_LINES:
            break
        depth, lines = depth + 1, deeper
    text = Text.assemble(*lines[:SHOWN_LINES])
    if len(tree.lines(depth + 1)) > min(len(lines), SHOWN_LINES):
        positions = counted(len(strategy["positions"]), "position")
        text.append(f"a strategy of {positions}; --format json has them all\n")
    return text


def _tell_pairs(strategy: Mapping[str, Any], *, mine: int) -> Text:
    text = Text()
    if "open" in strategy:
        text = Text.assemble("open with ", face(tuple(strategy["open"])), "\n")
    for pair in strategy["pairs"][:SHOWN_LINES]:
        theirs, answer = face(tuple(pair[1 - mine])), face(tuple(pair[mine]))
        text.append_text(Text.assemble("  on ", theirs, " answer ", answer, "\n"))
    hidden = len(strategy["pairs"]) - SHOWN_LINES
    if hidden > 0:
        text.append(f"  and {hidden} more pairs; --format json has them all\n")
    return text


class _Tree:
    """Tree of the games in which some players, the followers, play a strategy."""

    def __init__(
        self, instance: Uncooperative, positions: Sequence[Mapping[str, Any]], *, wins: bool
    ) -> None:
        players = range(1, len(instance.hands) + 1)
        self._instance = instance
        self._followers = {1} if wins else set(players) - {1}
        self._moves = cards_by_position(positions)

    def lines(self, depth: int) -> list[Text]:
        """Return the lines of the tree down to a depth in answers."""
        return self._below(start_of_duel(self._instance), depth, "")

    def _below(self, position: DuelPosition, depth: int, indent: str) -> list[Text]:
        found = []
        for line in self._branches(position, ()) if depth else ():
            found.append(_tell_line(line, indent, alone=len(self._followers) == 1))
            if line.following is not None:
                found += self._below(line.following, depth - 1, indent + "  ")
        return found

    def _branches(
        self, position: DuelPosition, asked: tuple[tuple[int, Card], ...]
    ) -> Iterator[_Line]:
        """Yield every play of the others up to a follower's turn, with the answer."""
        if position.player in self._followers:
            yield self._answer(position, asked)
            return
        options = self._options(position)
        if not options and asked:
            yield _Line(asked, (), None)
        for card in options:
            yield from self._branches(position.after(card), (*asked, (position.player, card)))

    def _answer(self, position: DuelPosition, asked: tuple[tuple[int, Card], ...]) -> _Line:
        answered: tuple[tuple[int, Card], ...] = ()
        while position.player in self._followers:
            card = self._moves.get(position.key)
            if card is None:
                return _Line(asked, answered, None)
            answered = (*answered, (position.player, card))
            mine, position = position.player - 1, position.after(card)
            if self._ends(position.hands[mine]):
                return _Line(asked, answered, None)
        return _Line(asked, answered, position if self._options(position) else None)

    def _ends(self, hand: Counter[Card]) -> bool:
        return not hand and self._instance.convention is Convention.EMPTY_HAND_WINS

    def _options(self, position: DuelPosition) -> list[Card]:
        last, required = position.last, self._instance.at_least
        held = position.hands[position.player - 1]
        return [card for card in held if last is None or matches(last, card, required)]


def _tell_line(line: _Line, indent: str, *, alone: bool) -> Text:
    """Return a line as text, as in ``on [blue 2] answer [blue 7], which wins``."""
    text = Text(f"{indent}on " if line.asked else f"{indent}open with ")
    for player, card in line.asked:
        who = "" if len(line.asked) == 1 else f"{player}:"
        text.append_text(Text.assemble(who, face(card), " "))
    text.append("answer " if line.asked and line.answered else "")
    for player, card in line.answered:
        text.append_text(Text.assemble("" if alone else f"{player}:", face(card), " "))
    text.rstrip()
    if line.following is None:
        text.append(", which wins" if line.answered else ", and the next player cannot discard")
    return text.append("\n")


def tell_game(strategy: Mapping[str, Any]) -> Text:
    """Return the table of first moves and the line as text; cards are coloured codes."""
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


def _turn(move: Mapping[str, Any]) -> Text:
    """Return a turn as text: the number of cards drawn, the card played, the colour named."""
    text = Text()
    if move["draws"]:
        text.append(f"draws {move['draws']}" + (" " if "lays" in move else ""))
    if "lays" in move:
        code = move["lays"]
        text.append(f"[{code}]", style_of(COLOURS.get(code[0], "wild")))
        text.append(f" {move['names']}" if "names" in move else "")
    elif not move["draws"]:
        text.append("misses a turn")
    return text


def _leads_to(winner: int | str | None) -> str:
    if winner is None:
        return "leads to a game in which nobody can force a win"
    if winner == "unknown":
        return "leads to a position that was not searched completely"
    return f"lets {'the others' if winner == 'others' else f'player {winner}'} win"


def tell_advice(advice: Any) -> str:
    """Return the moves with their shares and bars, what is best, and what the shares mean."""
    lines = []
    for each in advice.moves:
        name = "draw a card" if each.move["draws"] else "miss the turn"
        name = _turn(each.move).plain if "lays" in each.move else name
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
