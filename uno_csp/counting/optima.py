"""Optimal answers of ``longest`` and ``fill-in``, one by one."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations_with_replacement, product
from math import comb

from uno_csp.counting.enumerating import StepsExhausted, plays_of, require_feasible
from uno_csp.errors import NotAccepted
from uno_csp.pipeline import solve
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import TimeUp
from uno_csp.questions import FillIn, Longest, Uno1
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import WILD, Card

MOST_SETS = 100_000  # maximum number of sets of added cards that are tried


def longest_plays(question: Longest, timed: Timed) -> Iterator[tuple[Card, ...]]:
    """Yield the longest plays, in the order of :func:`plays_of`."""
    for play in plays_of(question, _optimum(question, timed), timed.deadline):
        require_feasible(question, play)
        yield play


def cheapest_sets(question: FillIn, timed: Timed) -> Iterator[tuple[Card, ...]]:
    """Yield the optimal sets of added cards, each once.

    Without a supply, these are sets of cards whose values all occur in the hand or on the pile.
    They come in the order of the supply, or of the first appearances of the values.

    Raises NotAccepted if the optimum is not found within the time limit, or there are too many sets
    to try, and TimeUp at the limit.
    """
    value = _optimum(question, timed)
    for added in _sets(question, value):
        whole = Uno1((*question.cards, *added), at_least=question.at_least, after=question.after)
        play = next(plays_of(whole, len(whole.cards), timed.deadline), None)
        if play is not None:
            require_feasible(whole, play)
            yield added


def _optimum(question: Longest | FillIn, timed: Timed) -> int:
    answer = solve(question, timed.left())
    if answer.status is Status.UNSATISFIABLE:
        raise NotAccepted("there is no answer: no cards of the supply make the hand playable")
    if answer.status is not Status.OPTIMAL or answer.objective is None:
        if "time limit" in answer.reason:
            raise TimeUp(stage="looking for the optimum")
        raise NotAccepted(f"the optimum is not known: {answer.reason}")
    return answer.objective


def _sets(question: FillIn, value: int) -> Iterator[tuple[Card, ...]]:
    """Yield the sets of that cost which may be added."""
    if question.supply is not None:
        yield from _list_supplied(question.offers, value)
        return
    everything = [*question.cards, *([question.after] if question.after is not None else [])]
    columns = [
        [each for each in dict.fromkeys(values) if each != WILD] or [0]
        for values in zip(*everything, strict=True)
    ]
    cards = list(product(*columns))
    _require_few(comb(len(cards) + value - 1, value) if cards or value else 1)
    yield from combinations_with_replacement(cards, value)


def _list_supplied(offers: Sequence[tuple[Card, int]], value: int) -> Iterator[tuple[Card, ...]]:
    """Yield the sets of that cost from a supply; of equal cards the cheapest come first."""
    prices: dict[Card, list[int]] = {}
    for card, cost in sorted(offers, key=lambda offer: offer[1]):
        prices.setdefault(card, []).append(cost)
    kinds = sorted(prices, key=lambda card: prices[card][0])  # those without cost come first
    costs = [[*accumulate(prices[card], initial=0)] for card in kinds]
    free = sum(not prices[card][0] for card in kinds)
    waiting: list[tuple[int, int, tuple[Card, ...]]] = [(0, value, ())]
    tried = 0
    while waiting:
        place, left, chosen = waiting.pop()
        tried += 1
        _require_few(tried)
        if not left and place >= free:
            yield chosen
        elif place < len(kinds):
            for number, cost in enumerate(costs[place]):
                if cost <= left:
                    waiting.append((place + 1, left - cost, chosen + (kinds[place],) * number))


def _require_few(sets: int) -> None:
    if sets > MOST_SETS:
        raise StepsExhausted(f"more than {MOST_SETS} sets of added cards would have to be tried")
