"""Conversion of moves, positions and lines of the open game to JSON-ready mappings."""

from collections.abc import Sequence
from typing import Any

from uno_csp.open_game.deck import (
    COLOURS,
    DRAW_FOUR,
    DRAW_TWO,
    POINTS,
    SYMBOLS,
    code_of,
    unpacked,
)
from uno_csp.open_game.positions import (
    CARD_BITS,
    CARDS,
    FOUR,
    NOBODY,
    SKIPPED,
    Game,
    Move,
    Outcome,
    Position,
)


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


_SHOWN = {**dict(enumerate(SYMBOLS)), FOUR: "+4"}
"""The symbol of a top card, by its number; a wild card without a symbol has none."""


def position_to_dict(position: Position) -> dict[str, Any]:
    """Return a position, JSON-ready."""
    return {
        "player": position.player + 1,
        "hands": [[code_of(kind) for kind in unpacked(hand)] for hand in position.hands],
        "colour": COLOURS[position.colour],
        "symbol": _SHOWN.get(position.symbol),
        "drawn": position.at,
        "direction": position.direction,
        "pending": "skip" if position.pending == SKIPPED else position.pending,
        "passes": position.passes,
        **_pile_to_dict(position),
    }


def _pile_to_dict(position: Position) -> dict[str, Any]:
    """Return the draw pile of a position after a reshuffle; empty before."""
    if not position.stock:
        return {}
    cards, times = position.stock & CARDS, position.stock >> CARD_BITS
    return {"pile": [code_of(kind) for kind in unpacked(cards)], "reshuffled": times}


def _hands_at_end(game: Game, before: Position, move: Move) -> tuple[int, ...]:
    """Return the hands after the last card; a last +2 or +4 may make the next player draw."""
    player, kind = before.player, move.kind
    hands = (*before.hands[:player], 0, *before.hands[player + 1 :])
    count = 0
    if kind is not None:
        count = 4 if kind == DRAW_FOUR else 2 * (kind % 13 == DRAW_TWO)
    if kind is None or not count or not game.rules.last_draws:
        return hands
    drawn_from = game.refilled(before) if move.drawn else before
    end = drawn_from._replace(
        hands=hands,
        colour=before.colour if kind == DRAW_FOUR else kind // 13,
        symbol=FOUR if kind == DRAW_FOUR else DRAW_TWO,
        at=drawn_from.at + move.drawn,
        player=(player + before.direction) % game.players,
    )
    return game.give(end, count + max(before.pending, 0))[0]


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
        hands = _hands_at_end(game, position, move)
    points = [sum(POINTS[kind] for kind in unpacked(hand)) for hand in hands]
    score = {str(player): count for player, count in enumerate(points, start=1)}
    return {"plays": plays, "score": score}
