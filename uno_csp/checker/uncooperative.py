"""Uncooperative play: check a strategy against every reply.

A ``matching`` strategy (two players) is checked without playing: only a reply that has no partner
can beat it, and whether such a reply can occur is reachability along the pairs. Under
``empty-hand-wins`` its player must also be the first without cards, if each plays every turn. A
``positions`` strategy is played out against every reply.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

from uno_csp.checker.claims import Card, Claim, Violation, may_follow
from uno_csp.questions import Uncooperative
from uno_csp.questions.wording import describe

question = "uncooperative"
PARTS = {"loser", "strategy"}

MANY_VALUES = 256
"""Maximum number of keys that a card is indexed by; with more, cards are compared in pairs."""

_Held: TypeAlias = tuple[tuple[Card, ...], ...]
_Position: TypeAlias = tuple[int, Card | None, _Held]


def violations(instance: Uncooperative, answer: Claim) -> list[Violation]:
    """Check that the loser fits the status and the strategy wins against every reply."""
    found = _loser_violations(instance, answer)
    if found or answer.strategy is None:
        return found
    if answer.status == "UNKNOWN":
        return [Violation("status", 0, "UNKNOWN with a strategy")]
    kind = answer.strategy.get("kind")
    try:
        if kind == "matching":
            message = _matching_flaw(instance, answer.status == "SATISFIABLE", answer.strategy)
        elif kind == "positions":
            message = _Playing(instance, answer.status == "SATISFIABLE", answer.strategy).flaw()
        elif kind == "opening":
            message = _opening_flaw(instance, answer.status == "SATISFIABLE", answer.strategy)
        else:
            message = f"{kind!r} is not a kind of strategy"
    except (KeyError, TypeError, ValueError, IndexError):
        message = "it cannot be read"
    return [Violation("strategy", 0, message)] if message else []


def _loser_violations(instance: Uncooperative, answer: Claim) -> list[Violation]:
    loser, players = answer.loser, len(instance.hands)
    if loser is None:
        return []
    if not 1 <= loser <= players:
        return [Violation("loser", 0, f"there is no player {loser}")]
    if answer.status == "UNKNOWN":
        return [Violation("status", 0, "UNKNOWN with a loser")]
    if (loser == 1) != (answer.status == "UNSATISFIABLE"):
        return [Violation("loser", 0, f"{answer.status}, and the loser is player {loser}")]
    return []


def _card(raw: Sequence[Any]) -> Card:
    if isinstance(raw, str):
        raise TypeError
    return tuple(raw)


def _matching_flaw(instance: Uncooperative, wins: bool, strategy: Mapping[str, Any]) -> str:
    """Return why the pairs do not win for their player; empty if they do."""
    if len(instance.hands) != 2:
        return "a matching decides two players only"
    sizes = [len(hand) for hand in instance.hands]
    first_out = sizes[0] <= sizes[1] if wins else sizes[1] < sizes[0]
    if instance.convention != "last-mover" and not first_out:
        return "who wins by the matching is not the first without cards"
    pairs = [(_card(first), _card(second)) for first, second in strategy["pairs"]]
    for first, second in pairs:
        if not may_follow(first, second, instance.at_least):
            return f"the pair {describe(first)} and {describe(second)} does not match"
    left = [Counter(hand) for hand in instance.hands]
    for side in (0, 1):
        left[side].subtract(pair[side] for pair in pairs)
        short = [card for card, count in left[side].items() if count < 0]
        if short:
            return f"{describe(short[0])} is in more pairs than player {side + 1} has copies"
    if not wins:
        return _second_loses(instance, pairs, left[0])
    pile = instance.after
    opening = _card(strategy["open"])
    if left[0][opening] <= 0:
        return f"player 1 is to open with {describe(opening)}, which is not an unpaired card"
    if pile is not None and not may_follow(pile, opening, instance.at_least):
        return f"player 1 is to open with {describe(opening)}, which does not match the pile"
    turned = [(second, first) for first, second in pairs]
    return _unanswered(opening, *_replies(turned, left[1]), instance.at_least)


def _second_loses(
    instance: Uncooperative, pairs: Sequence[tuple[Card, Card]], left: Counter[Card]
) -> str:
    """Return why player 2 cannot always answer along the pairs; empty if player 2 can."""
    if instance.after is not None:
        return _unanswered(instance.after, *_replies(pairs, left), instance.at_least)
    single = next((card for card, count in left.items() if count), None)
    if single is None:
        return ""
    return f"player 1 can open with {describe(single)}, which has no partner"


def _replies(
    pairs: Sequence[tuple[Card, Card]], single: Counter[Card]
) -> tuple[list[Card], Mapping[Card, list[Card]]]:
    """Return the opponent's cards, those without a partner first, and the partners of each."""
    partners: defaultdict[Card, list[Card]] = defaultdict(list)
    for asked, answer in pairs:
        partners[asked].append(answer)
    return [card for card, count in single.items() if count] + list(partners), partners


def _unanswered(
    opening: Card, replies: list[Card], partners: Mapping[Card, list[Card]], required: int
) -> str:
    """Return a reply that can occur and has no partner, as a message; empty if there is none.

    ``opening`` is the card that the opponent replies to first.
    """
    by_values: defaultdict[object, list[Card]] = defaultdict(list)
    compared = []
    for card in dict.fromkeys(replies):
        keys = _values(card, required)
        for key in keys or ():
            by_values[key].append(card)
        if keys is None:
            compared.append(card)
    everything = list(dict.fromkeys(replies))
    free = set(replies[: len(replies) - len(partners)])
    waiting, seen = [opening], {opening}
    while waiting:
        card = waiting.pop()
        keys = _values(card, required)
        near = [c for key in keys or () for c in by_values.pop(key, ())]
        others = everything if keys is None else compared
        for reply in (*near, *(c for c in others if may_follow(card, c, required))):
            if reply in free:
                return f"the reply {describe(reply)} can occur and has no partner"
            fresh = [mine for mine in partners[reply] if mine not in seen]
            seen.update(fresh)
            waiting += fresh
    return ""


def _values(card: Card, required: int) -> list[object] | None:
    """Return the keys that a card is indexed by; None if it is compared with all others."""
    if "*" in card or comb(len(card), required) > MANY_VALUES:
        return None
    return [
        (places, *(card[i] for i in places)) for places in combinations(range(len(card)), required)
    ]


def _opening_flaw(instance: Uncooperative, wins: bool, strategy: Mapping[str, Any]) -> str:
    if not wins:
        return "only player 1 opens"
    opening = _card(strategy["open"])
    if opening not in instance.hands[0]:
        return f"player 1 does not hold {describe(opening)}"
    pile = instance.after
    if pile is None or may_follow(pile, opening, instance.at_least):
        return ""
    return f"{describe(opening)} does not match the pile"


class _Playing:
    """All games in which some players follow the strategy and the others play any legal card."""

    def __init__(self, instance: Uncooperative, wins: bool, strategy: Mapping[str, Any]) -> None:
        self._instance = instance
        self._wins = wins
        others = set(range(2, len(instance.hands) + 1))
        self._followers = {1} if wins else others
        self._moves: dict[_Position, Card] = {}
        for each in strategy["positions"]:
            last = None if each["last"] is None else _card(each["last"])
            held = _sorted_hands([[_card(card) for card in hand] for hand in each["hands"]])
            self._moves[each["player"], last, held] = _card(each["play"])

    def flaw(self) -> str:
        """Return the first reply that beats the strategy; empty if there is none."""
        start: _Position = (1, self._instance.after, _sorted_hands(self._instance.hands))
        waiting, seen = [start], {start}
        while waiting:
            player, last, held = waiting.pop()
            possible = {
                card
                for card in held[player - 1]
                if last is None or may_follow(last, card, self._instance.at_least)
            }
            if not possible:
                if (player != 1) != self._wins:
                    return f"player {player} cannot discard after {_shown(last)}"
                continue
            if player in self._followers:
                chosen = self._moves.get((player, last, held))
                if chosen not in possible:
                    return f"no move for player {player} after {_shown(last)}"
                possible = {chosen} if chosen is not None else set()
            for card in possible:
                following = self._after(player, card, held)
                if following is None:
                    if (player == 1) != self._wins:
                        return f"player {player} empties their hand with {describe(card)}"
                elif following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return ""

    def _after(self, player: int, card: Card, held: _Held) -> _Position | None:
        """Return the position after a card; None if the card ended the game."""
        left = list(held[player - 1])
        left.remove(card)
        if not left and self._instance.convention == "empty-hand-wins":
            return None
        hands = (*held[: player - 1], tuple(left), *held[player:])
        return player % len(held) + 1, card, hands


def _shown(last: Card | None) -> str:
    return "the start" if last is None else describe(last)


def _sorted_hands(hands: Iterable[Iterable[Card]]) -> _Held:
    return tuple(tuple(sorted(hand, key=repr)) for hand in hands)
