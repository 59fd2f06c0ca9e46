"""Conversion of moves, positions and lines of the open game to JSON-ready mappings."""

from collections.abc import Mapping, Sequence
from typing import Any

from uno_csp.open_game.deck import COLOURS, POINTS, SYMBOLS, code_of, unpack
from uno_csp.open_game.moves import FOUR, NOBODY, SKIPPED
from uno_csp.open_game.positions import Game, Move, Outcome, Position


def move_to_dict(move: Move) -> dict[str, Any]:
    """Return a move, JSON-ready: cards drawn, the code of the card played, the colour named.

    >>> move_to_dict(Move(1, 52, 3)), move_to_dict(Move(0, None, None))
    ({'draws': 1, 'lays': 'W', 'names': 'blue'}, {'draws': 0})
    """
    fields: dict[str, Any] = {"draws": move.drawn}
    if move.kind is not None:
        fields["lays"] = code_of(move.kind)
    if move.colour is not None:
        fields["names"] = COLOURS[move.colour]
    return fields


SHOWN: Mapping[int, str] = {**dict(enumerate(SYMBOLS)), FOUR: "+4"}
"""The symbol of a top card, by its number; a wild card without a symbol has none."""


def position_to_dict(position: Position) -> dict[str, Any]:
    """Return a position, JSON-ready."""
    after_reshuffle: dict[str, Any] = {}
    if position.filled:
        pile = list(map(code_of, unpack(position.stock)))
        after_reshuffle = {"drawn": 0, "pile": pile, "reshuffled": position.filled}
    return {
        "player": position.player + 1,
        "hands": [list(map(code_of, unpack(hand))) for hand in position.hands],
        "colour": COLOURS[position.colour],
        "symbol": SHOWN.get(position.symbol),
        "drawn": position.at,
        "direction": position.direction,
        "pending": "skip" if position.pending == SKIPPED else position.pending,
        "passes": position.passes,
        **after_reshuffle,
    }


def line_to_dict(
    game: Game, start: Position, line: Sequence[tuple[Move, Outcome]]
) -> dict[str, Any]:
    """Return a finished game, JSON-ready: its turns, and the points left in each hand."""
    position, plays = start, list[dict[str, Any]]()
    for move, outcome in line:
        plays.append({"player": position.player + 1, **move_to_dict(move)})
        if isinstance(outcome, tuple):
            position = outcome
    hands = position.hands
    move, winner = line[-1]
    if isinstance(winner, int) and winner != NOBODY:
        hands = game.hands_at_end(position, move)
    points = [sum(POINTS[kind] for kind in unpack(hand)) for hand in hands]
    score = {str(player): count for player, count in enumerate(points, start=1)}
    return {"plays": plays, "score": score}
