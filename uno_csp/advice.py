"""Which card to play in the real game, when the other hands are not seen.

Deals that agree with what is known are drawn at random, and each is solved as if it were open. A
move that wins more of them is the better one. That is the usual way with hidden cards (Ginsberg's
for bridge), and it has a known flaw: in each deal everybody plays as if they saw all cards, so it
does not see the worth of finding something out, or of keeping it hidden.
"""

import math
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, TypeAlias

from uno_csp.answers import Answer
from uno_csp.cards import Card, Hand
from uno_csp.errors import NotAccepted
from uno_csp.given import require_function, require_kind
from uno_csp.intervals import wilson
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.deck import deck
from uno_csp.open_game.rules import DEFAULT
from uno_csp.pipeline import SolveTask, start
from uno_csp.questions.fields import validated
from uno_csp.questions.given_cards import settled
from uno_csp.questions.open_game import OpenGame, card_of, describe_card
from uno_csp.wording import shown

DEALS, LIMIT_S, DEAL_S = 100, 60.0, 20.0
"""How many deals are looked at, within which time, and how long each may take."""

MOST_DEALS = 100_000

DRAW = {"draws": 1}
"""The move of who draws a card, whatever card it turns out to be."""

OnDeal: TypeAlias = Callable[[int, int], None]
"""Called with how many deals are done, and how many there are to be."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a move leads to, in the deals that were looked at.

    Parameters
    ----------
    move
        As in the answer to ``open-game``: ``lays`` and ``names``, or that a card is drawn.
    deals, wins
        In how many deals it was looked at to the end, and in how many of them it wins.
    low, high
        A 95 % interval (Wilson's) for the share of all deals in which it wins.
    """

    move: Mapping[str, Any]
    deals: int
    wins: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of deals it wins."""
        return self.wins / self.deals if self.deals else 0.0


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves, the best first, and of how many deals how many were solved."""

    moves: tuple[Prospect, ...]
    deals: int
    solved: int

    def to_dict(self) -> dict[str, Any]:
        """The advice as a JSON-ready mapping."""
        moves = [{**asdict(each), "share": each.share} for each in self.moves]
        return {"deals": self.deals, "solved": self.solved, "moves": moves}


@dataclass(frozen=True, slots=True)
class Seat:
    """What player 1 knows, whose turn it is.

    Parameters
    ----------
    hand, after, colour
        Her hand, the card on the pile, and the colour in force if that is wild. Cards are those
        of ``open-game``.
    others
        How many cards each other player holds, in the order of their turns.
    seen
        Cards that are known to be in no hand and not in the draw pile.
    rules
        The rules.

    Raises
    ------
    NotAccepted
        When so many cards are not left.
    InstanceError
        When something is no card, no colour, or no rules.
    """

    hand: Hand
    after: Card
    others: tuple[int, ...]
    colour: str | None = None
    seen: Hand = ()
    rules: Rules = PRESETS[DEFAULT]

    def __post_init__(self) -> None:
        for name, depth in (("hand", 1), ("after", 0), ("seen", 1)):
            given = getattr(self, name)
            object.__setattr__(self, name, settled(given, depth, name, OpenGame.read_card))
        object.__setattr__(self, "rules", validated(OpenGame, "rules", self.rules))
        if self.colour is not None:
            object.__setattr__(self, "colour", validated(OpenGame, "colour", self.colour))
        others: object = self.others
        if not isinstance(others, list | tuple) or {*map(type, others)} - {int}:
            raise NotAccepted(f"others: {shown(others)} is not allowed; a list of integers is")
        object.__setattr__(self, "others", tuple(others))
        count = len(self.hidden)
        if not self.others or min(self.others) < 1 or sum(self.others) > count:
            raise NotAccepted(
                f"others: {list(self.others)} is not allowed; they hold a card each or more, of "
                f"the {count} that are hidden"
            )

    @property
    def hidden(self) -> list[Card]:
        """The cards that may be anywhere."""
        left = Counter(map(card_of, deck()))
        left.subtract([*self.hand, self.after, *self.seen])
        short = [card for card, count in left.items() if count < 0]
        if short:
            name = describe_card(short[0])
            raise NotAccepted(f"the deck of 108 cards does not have {name} so often")
        return sorted(left.elements(), key=str)

    def deal(self, dice: random.Random) -> OpenGame:
        """One deal of what is hidden: hands, and the draw pile."""
        hidden = self.hidden
        cards = dice.sample(hidden, len(hidden))
        hands = [self.hand]
        for size in self.others:
            hands.append(tuple(cards[:size]))
            del cards[:size]
        return OpenGame(
            tuple(hands),
            after=self.after,
            colour=self.colour,
            draw=tuple(cards),
            rules=self.rules,
        )


def advise(
    seat: Seat,
    *,
    deals: int = DEALS,
    time_limit_s: float = LIMIT_S,
    seed: int = 0,
    on_deal: OnDeal | None = None,
) -> Advice:
    """Which move wins the most of the deals that agree with what is known.

    Parameters
    ----------
    seat
        What is known.
    deals, time_limit_s
        How many deals are to be looked at, and for how long.
    seed
        Of the deals.
    on_deal
        Called when a deal is done.

    Raises
    ------
    NotAccepted
        When a number is out of its range.
    InstanceError
        As for the question ``open-game``.
    """
    require_kind("seat", seat, Seat, "a uno_csp.Seat")
    require_kind("deals", deals, int)
    require_kind("seed", seed, int)
    require_kind("time_limit_s", time_limit_s, Real)
    require_function("on_deal", on_deal)
    if not 1 <= deals <= MOST_DEALS:
        raise NotAccepted(f"deals are from 1 to {MOST_DEALS}, not {deals}")
    if not 0 < time_limit_s < math.inf:
        raise NotAccepted(f"a time limit is more than 0 seconds and finite, not {time_limit_s:g}")
    dice = random.Random(seed)
    counts: Counter[tuple[str, bool]] = Counter()
    solved = done = 0
    for answer in _solved((seat.deal(dice) for _ in range(deals)), time_limit_s):
        done += 1
        if answer.strategy is not None:
            solved += 1
            for move, wins in _outcomes(answer.strategy["moves"]).items():
                counts[move, wins] += 1
        if on_deal is not None:
            on_deal(done, deals)
    moves = [_prospect(move, counts) for move in dict.fromkeys(move for move, _ in counts)]
    moves.sort(key=lambda each: (-each.share, str(each.move)))
    return Advice(tuple(moves), done, solved)


def _solved(games: Iterator[OpenGame], time_limit_s: float) -> Iterator[Answer]:
    """Yield the answers as they come, on all cores, until the time is up.

    When nobody wants more, by Ctrl-C for one, the runs under way are cancelled.
    """
    deadline = time.monotonic() + time_limit_s
    cores = os.cpu_count() or 1
    under_way: dict[Future[Answer], SolveTask] = {}
    try:
        while True:
            while len(under_way) < cores and (left_s := deadline - time.monotonic()) > 0:
                game = next(games, None)
                if game is None:
                    break
                task = start(game, time_limit_s=min(DEAL_S, left_s))
                under_way[task.future] = task
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (under_way.pop(each).result() for each in done)
    finally:
        for task in under_way.values():
            task.cancel()


def _outcomes(moves: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Whether each first move wins; who draws may then choose, and knows the card."""
    found: dict[str, bool] = {}
    for move in moves:
        if move["leads_to"] == "unknown":
            continue
        key = _key(DRAW if move["draws"] else move)
        found[key] = found.get(key, False) or move["leads_to"] == 1
    return found


def _key(move: Mapping[str, Any]) -> str:
    """A move as one text: what is laid and the colour named, or nothing where a card is drawn."""
    return f"{move.get('lays', '')} {move.get('names', '')}".strip()


def _prospect(move: str, counts: Mapping[tuple[str, bool], int]) -> Prospect:
    wins, deals = counts[move, True], counts[move, True] + counts[move, False]
    code, _, colour = move.partition(" ")
    told = {"draws": 0, "lays": code, **({"names": colour} if colour else {})} if code else DRAW
    return Prospect(told, deals, wins, *wilson(wins, deals))
