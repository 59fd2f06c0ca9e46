"""Advice on the next move in the real game, where the other hands are hidden.

Deals that are consistent with what is known are sampled at random, and each is solved as an open
game. The best move is the one that wins most of them. This is the usual method for hidden cards
(Ginsberg's for bridge), and it has a known flaw: in each deal all players act as if they saw every
card, so the value of gaining or hiding information is ignored.
"""

import math
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, TypeAlias

from uno_csp.errors import NotAccepted
from uno_csp.odds.intervals import wilson
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.deck import deck
from uno_csp.open_game.rules import DEFAULT
from uno_csp.pipeline import SolveTask, start
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.answers import Answer
from uno_csp.questions.arguments import require_function, require_kind
from uno_csp.questions.cards import Card, Hand
from uno_csp.questions.fields import validated
from uno_csp.questions.given_cards import normalised
from uno_csp.questions.open_game import OpenGame, card_of, describe_card
from uno_csp.questions.wording import shown

DEALS, LIMIT_S, DEAL_S = 100, 60.0, 20.0
"""Defaults: number of deals, total time limit and time limit per deal, both in seconds."""

MOST_DEALS = 100_000

DRAW = {"draws": 1}
"""The move of drawing a card, regardless of which card is drawn."""

OnDeal: TypeAlias = Callable[[int, int], None]
"""Callback with the number of deals done and the number of deals requested."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The results of one move in the sampled deals.

    Parameters
    ----------
    move
        The move as in an answer to ``open-game``: ``lays`` and ``names``, or ``draws``.
    deals, wins
        Number of deals in which the outcome of the move is known, and number of those it wins.
    low, high
        The 95 % confidence interval (Wilson) of the share of all deals in which it wins.
    """

    move: Mapping[str, Any]
    deals: int
    wins: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of deals the move wins."""
        return self.wins / self.deals if self.deals else 0.0


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves, best first, with the number of sampled deals and of solved ones."""

    moves: tuple[Prospect, ...]
    deals: int
    solved: int

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as a JSON-ready mapping."""
        moves = [{**asdict(each), "share": each.share} for each in self.moves]
        return {"deals": self.deals, "solved": self.solved, "moves": moves}


@dataclass(frozen=True, slots=True)
class Seat:
    """Knowledge of player 1, who is to move, about the game.

    Parameters
    ----------
    hand, after, colour
        Player 1's hand, the card on the pile, and the colour in force if that card is wild. Cards
        are written as in ``open-game``.
    others
        Number of cards each other player holds, in order of turns.
    seen
        Cards that are known to be in no hand and not in the draw pile.
    rules
        The rules.

    Raises
    ------
    NotAccepted
        If the deck does not have that many cards.
    InstanceError
        If a card, the colour or the rules are invalid.
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
            object.__setattr__(self, name, normalised(given, depth, name, OpenGame.read_card))
        object.__setattr__(self, "rules", validated(OpenGame, "rules", self.rules))
        if self.colour is not None:
            object.__setattr__(self, "colour", validated(OpenGame, "colour", self.colour))
        others: object = self.others
        if not isinstance(others, list | tuple) or {*map(type, others)} - {int}:
            raise NotAccepted(
                f"others: {shown(others)} is not allowed; expected a list of integers"
            )
        object.__setattr__(self, "others", tuple(others))
        count = len(self.hidden)
        if not self.others or min(self.others) < 1 or sum(self.others) > count:
            raise NotAccepted(
                f"others: {list(self.others)} is not allowed; each player holds at least one of "
                f"the {count} hidden cards"
            )

    @property
    def hidden(self) -> list[Card]:
        """The cards whose place is unknown: another hand or the draw pile."""
        left = Counter(map(card_of, deck()))
        left.subtract([*self.hand, self.after, *self.seen])
        short = [card for card, count in left.items() if count < 0]
        if short:
            name = describe_card(short[0])
            raise NotAccepted(f"there are more copies of {name} than in the deck of 108 cards")
        return sorted(left.elements(), key=str)

    def deal(self, rng: random.Random) -> OpenGame:
        """Return a random deal of the hidden cards to the other hands and the draw pile."""
        hidden = self.hidden
        cards = rng.sample(hidden, len(hidden))
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
    """Rank the moves by the share of deals they win, over deals consistent with what is known.

    Parameters
    ----------
    seat
        What player 1 knows.
    deals, time_limit_s
        Number of deals to sample, and time limit in seconds.
    seed
        Random seed of the deals.
    on_deal
        Called after each deal; see :data:`OnDeal`.

    Raises
    ------
    NotAccepted
        If a number is out of its range.
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
        raise NotAccepted(f"the time limit must be positive and finite, not {time_limit_s:g}")
    rng = random.Random(seed)
    counts: Counter[tuple[str, bool]] = Counter()
    solved = done = 0
    for answer in _solved((seat.deal(rng) for _ in range(deals)), time_limit_s):
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
    """Solve the games on all cores and yield answers in order of completion until the deadline.

    When the generator is closed, for example by Ctrl-C, the running tasks are cancelled.
    """
    deadline = Deadline.after(time_limit_s)
    cores = os.cpu_count() or 1
    under_way: dict[Future[Answer], SolveTask] = {}
    try:
        while True:
            while len(under_way) < cores and not deadline.expired:
                game = next(games, None)
                if game is None:
                    break
                task = start(game, time_limit_s=min(DEAL_S, deadline.limit_s or DEAL_S))
                under_way[task.future] = task
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (under_way.pop(each).result() for each in done)
    finally:
        for task in under_way.values():
            task.cancel()


def _outcomes(moves: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Return whether each first move wins; after a draw the player sees the card and may choose."""
    found: dict[str, bool] = {}
    for move in moves:
        if move["leads_to"] == "unknown":
            continue
        key = _key(DRAW if move["draws"] else move)
        found[key] = found.get(key, False) or move["leads_to"] == 1
    return found


def _key(move: Mapping[str, Any]) -> str:
    """Return a move as text: the card laid and the colour named; empty for a draw."""
    return f"{move.get('lays', '')} {move.get('names', '')}".strip()


def _prospect(move: str, counts: Mapping[tuple[str, bool], int]) -> Prospect:
    wins, deals = counts[move, True], counts[move, True] + counts[move, False]
    code, _, colour = move.partition(" ")
    fields = {"draws": 0, "lays": code, **({"names": colour} if colour else {})} if code else DRAW
    return Prospect(fields, deals, wins, *wilson(wins, deals))
