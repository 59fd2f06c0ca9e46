"""Following a strategy: the card or the move that it plays next."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from uno_csp.errors import NotAccepted
from uno_csp.questions import Uncooperative
from uno_csp.questions.answers import Answer, Play, require_answer
from uno_csp.questions.arguments import require_kind
from uno_csp.questions.cards import Card
from uno_csp.questions.duels import cards_by_position, start_of_duel
from uno_csp.questions.wording import shown


def next_card(
    instance: Uncooperative, strategy: Mapping[str, Any], plays: Sequence[Play]
) -> Card | None:
    """Return the card a winning strategy plays next; None if its player cannot move.

    Parameters
    ----------
    strategy
        As in :attr:`uno_csp.Answer.strategy`.
    plays
        All plays so far. The strategy's player is to move, and has followed it.

    Raises
    ------
    NotAccepted
        If the strategy has no move here: it was not followed, or is only an opening.

    Examples
    --------
    >>> from uno_csp import parse, solve
    >>> game = parse({"question": "uncooperative", "hands": [["R1", "R2"], ["G1"]]})
    >>> strategy = solve(game).strategy
    >>> next_card(game, strategy, [])
    ('red', 2)
    """
    if strategy["kind"] == "matching":
        return _answer_in_pairs(strategy, plays)
    if strategy["kind"] == "positions":
        return _move_in_position(instance, strategy, plays)
    if not plays:
        return tuple(strategy["open"])
    raise NotAccepted("this strategy is only an opening")


def next_move(answer: Answer, position: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the winner's move in a position of an open game.

    Parameters
    ----------
    answer
        Answer to an ``open-game`` question whose strategy lists all positions.
    position
        As in the strategy: ``player``, ``hands`` by codes, ``colour``, ``symbol``, ``drawn``,
        ``direction``, ``pending``, ``passes``, and after a reshuffle ``pile`` and ``reshuffled``.
        It must be one that the strategy can reach.

    Returns
    -------
    mapping
        ``draws``; if a card is laid, its code in ``lays``; if that is wild, the colour in
        ``names``.

    Raises
    ------
    NotAccepted
        If the strategy has no move here.

    Examples
    --------
    >>> from uno_csp import parse, solve
    >>> game = parse({"question": "open-game", "hands": [["R5"], ["B7"]], "after": "R1"})
    >>> answer = solve(game)
    >>> next_move(answer, answer.strategy["positions"][0])
    {'draws': 0, 'lays': 'R5'}
    """
    require_answer(answer)
    try:
        require_kind("position", position, Mapping, "a mapping")
        wanted = _place(position)
    except (KeyError, NotAccepted, TypeError):
        raise NotAccepted(f"{shown(position)} is not a position of an open game") from None
    for known in (answer.strategy or {}).get("positions", ()):
        if _place(known) == wanted:
            return {key: known[key] for key in _MOVE if key in known}
    raise NotAccepted("the strategy has no move here: it was not followed, or is only an opening")


_MOVE = ("draws", "lays", "names")
_PLACE = ("player", "colour", "symbol", "direction", "pending", "passes")


def _place(position: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a key that identifies a position; the order of cards in hands does not matter."""
    hands = tuple(tuple(sorted(hand)) for hand in position["hands"])
    pile, drawn = position.get("pile"), position["drawn"]
    left = drawn if pile is None else tuple(pile[drawn:])
    return (hands, left, position.get("reshuffled", 0), *(position[key] for key in _PLACE))


def _answer_in_pairs(strategy: Mapping[str, Any], plays: Sequence[Play]) -> Card:
    if not plays:
        if "open" not in strategy:
            raise NotAccepted("this strategy is player 2's")
        return tuple(strategy["open"])
    asked, mine = plays[-1].player, 2 - plays[-1].player
    pairs = Counter(tuple(map(tuple, pair)) for pair in strategy["pairs"])
    pairs.subtract(
        (before.card, after.card) if before.player == 1 else (after.card, before.card)
        for before, after in pairwise(plays)
        if after.player != asked
    )
    for pair, count in pairs.items():
        if count > 0 and pair[asked - 1] == plays[-1].card:
            answer: Card = pair[mine]
            return answer
    raise NotAccepted("the strategy has no answer: it was not followed so far")


def _move_in_position(
    instance: Uncooperative, strategy: Mapping[str, Any], plays: Sequence[Play]
) -> Card | None:
    position = start_of_duel(instance)
    for play in plays:
        position = position._replace(player=play.player).after(play.card)
    cards = cards_by_position(strategy["positions"])
    card = cards.get(position.key)
    if card is None and (not plays or any(player == position.player for player, _, _ in cards)):
        raise NotAccepted("the strategy has no answer: it was not followed so far")
    return card
