"""Cooperative play by simulated annealing of an order of all cards; compiled.

The order needs no play to begin with: cards that do not match, and players who are skipped too
early, are counted, and random moves of stretches of cards lower that count. Where greedy games get
stuck because a player has few choices, the order as a whole is repaired in one place after another.
(Kirkpatrick, Gelatt and Vecchi 1983; the moves are 2-opt and or-3opt of the travelling salesman.)
"""

from functools import cache
from typing import TYPE_CHECKING

from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.open_game.compiling import alone, end_with_parent, have_kept
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.pausing import pause
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Play, Status, Witness
from uno_csp.questions.cards import neighbours
from uno_csp.questions.wording import counted

if TYPE_CHECKING:
    from uno_csp.algorithms._annealed_plays import Deal, Order

MOST_CARDS = 4_000
"""Largest number of cards: which of them match is a table of all pairs."""

MOVES_PER_PAIR = 50
"""Moves of the first run, for each pair of cards; doubled after every second run."""

RUNS = 10
"""Maximum number of runs."""

HOT, COLD, LEVELS = 0.75, 0.35, 64
"""Temperatures at the start and at the end, and their number."""

WHAT = "simulated annealing (once, about 5 s)"
"""Human-readable name of the compiled code."""


class Annealing(Algorithm[Cooperative]):
    """Simulated annealing; proves only a yes."""

    name = "annealing"
    takes = (Cooperative,)
    proves = Proof.YES_ONLY
    gives_up = True

    def declines(self, instance: Cooperative) -> str | None:
        """Return a reason if there are too many cards."""
        if instance.size > MOST_CARDS:
            return f"it takes up to {MOST_CARDS} cards"
        return None

    def run(self, instance: Cooperative) -> Finding:
        """Return the plays of an order without cost, or UNKNOWN."""
        return self.run_until(instance, NEVER)

    def run_until(self, instance: Cooperative, deadline: Deadline) -> Finding:
        """As :meth:`run`, up to a deadline."""
        why = why_uncompiled()
        if why:
            return Finding(Status.UNKNOWN, reason=why)
        deal, order = arranged(instance)
        run = 0
        while run < RUNS and not deadline.expired:
            plays = _annealed(deal, order, run, deadline)
            run += 1
            if plays:
                witness = Witness(plays=tuple(Play(q + 1, instance.cards[i]) for q, i in plays))
                return Finding(Status.SATISFIABLE, witness, stats={"runs": run})
        reason = f"none of {counted(run, 'run')} found a play"
        return Finding(Status.UNKNOWN, reason=reason, stats={"runs": run})


def _annealed(
    deal: "Deal", order: "Order", run: int, deadline: Deadline
) -> list[tuple[int, int]] | None:
    """Return the players and cards of a play that a run finds, counted from 0; None if none."""
    from uno_csp.algorithms._annealed_plays import LAST, anneal, begin

    begin(deal, order, run)
    moves = (MOVES_PER_PAIR << run // 2) * len(order.cards) ** 2 // LEVELS
    for level in range(LEVELS):
        if anneal(deal, order, moves, HOT * (COLD / HOT) ** (level / LEVELS)):
            played = order.cards[1 : order.numbers[LAST] + 1].tolist()
            return [(deal.owner[card].item(), card - 1) for card in played]
        if deadline.expired:
            break
    return None


def arranged(instance: Cooperative) -> "tuple[Deal, Order]":
    """Return the arrays of a deal, and an order for it; card 0 is the card to match.

    Without one it matches every card. It counts as laid by the last player, so player 1 is next.
    """
    import numpy as np

    from uno_csp.algorithms._annealed_plays import APART, NEAR, NEXT, Deal, Order

    hands, pile = instance.hands, () if instance.after is None else (instance.after,)
    listed = neighbours((*instance.cards, *pile), instance.at_least)
    size, players = len(instance.cards) + 1, len(hands)
    owner = [players - 1, *(player for player, hand in enumerate(hands) for _ in hand)]
    matching = [[i + 1 for i in near if i < size - 1] for near in listed]
    matching.insert(0, matching.pop() if pile else list(range(1, size)))
    relation = np.full((size, size), APART, np.int8)
    near: list[int] = []
    start = [0]
    for card, others in enumerate(matching):
        relation[card, others] = NEAR
        for player in range(players):
            own = [other for other in others if owner[other] == player]
            near += own
            start.append(len(near))
            if player == (owner[card] + 1) % players:
                relation[card, own] = NEXT

    def numbers(of: list[int]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.array(of, np.int64)

    blank = [0] * size
    deal = Deal(players, numbers(owner), relation, numbers(near), numbers(start))
    rest = map(numbers, (blank, blank, blank, blank, [0] * players, [0, 0, 0]))
    return deal, Order(numbers(list(range(size))), *rest)


@cache
def why_uncompiled() -> str:
    """Have the annealing compiled, unless that has been done; return why that cannot be, or ""."""
    try:
        from uno_csp.algorithms._annealed_plays import anneal, begin
    except ImportError as error:
        with pause(f"not compiled: {WHAT}: {error}"):
            return str(error)
    return have_kept((begin, anneal), __name__, WHAT)


def prepare(lifeline: int | None = None) -> None:
    """Compile the annealing; with a lifeline, for another process."""
    if lifeline is not None:
        end_with_parent(lifeline)
    from uno_csp.algorithms._annealed_plays import anneal, begin

    with alone(anneal):
        deal, order = arranged(Cooperative((((1, 1),),)))
        begin(deal, order, 0)
        anneal(deal, order, 1, COLD)


ALGORITHM = Annealing()
