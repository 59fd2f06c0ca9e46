"""Hypothesis strategies for questions, games and graphs: the one way to draw them at random.

The tests, ``scripts/test --random`` and ``scripts/attack`` use them, and whatever fails is made as
small as it can be; questions are printed as JSON.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any, TypeVar

import networkx as nx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.examples import FACTOR
from uno_csp import Cooperative, FillIn, Longest, Uncooperative, Uno1
from uno_csp.formats import question_to_dict
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.deck import MOST_DECKS, deck
from uno_csp.open_game.rules import FirstCard
from uno_csp.questions import Convention, Instance
from uno_csp.questions.cards import Card, Hand
from uno_csp.questions.open_game import Goal, OpenGame, card_of, dealt

T = TypeVar("T")
KINDS = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative")


def _as_json(instance: Instance, printer: Any, _: bool) -> None:
    printer.text(f"parse({json.dumps(question_to_dict(instance))})")


setattr(Instance, "_repr_pretty_", _as_json)  # noqa: B010  # what Hypothesis prints of a failure


def drawn(strategy: st.SearchStrategy[T], count: int) -> Sequence[T]:
    """Return examples for tests that count what comes of them; see ``tests.support.examples``."""
    found: list[T] = []

    @settings(
        max_examples=count * max(FACTOR, 1),
        derandomize=not FACTOR,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def collect(each: T) -> None:
        found.append(each)

    collect()
    return found


def often(share: float) -> st.SearchStrategy[bool]:
    """True with about this share; False is the simpler value."""
    return st.sampled_from([False] * round(10 * (1 - share)) + [True] * round(10 * share))


def cards(dimension: int, values: int, wild: str, k: int = 1) -> st.SearchStrategy[Card]:
    """Cards whose wild ones are none, universal (wild in ``k`` places or all) or partly wild."""
    value: st.SearchStrategy[int | str] = st.integers(0, values - 1)
    plain: st.SearchStrategy[Card] = st.tuples(*[value] * dimension)
    if wild == "universal":
        every = st.just(("*",) * dimension)
        some = st.tuples(*[st.just("*")] * k, *[value] * (dimension - k))
        return st.one_of(plain, plain, plain, plain, every, some)
    some_wild = st.tuples(*[st.one_of(value, value, value, st.just("*"))] * dimension)
    return some_wild if wild == "partial" else plain


def _hand(card: st.SearchStrategy[Card], fewest: int, most: int) -> st.SearchStrategy[Hand]:
    """Hands, of which some are copies of a card."""
    several = st.lists(card, min_size=fewest, max_size=most).map(tuple)
    copies = st.tuples(card, st.integers(fewest, most)).map(lambda each: (each[0],) * each[1])
    return st.one_of(*[several] * 9, copies)


@st.composite
def questions(draw: st.DrawFn, *kinds: str, most_cards: int = 7, wild: str | None = None) -> Any:
    """Small questions of some kinds with any options, degenerate ones among them."""
    kind = draw(st.sampled_from(kinds or KINDS))
    if kind == "open-game":
        return replace(draw(games()), goal=draw(st.sampled_from(Goal)))
    dimension = draw(st.sampled_from((2, 2, 2, 1, 3, 4)))
    k = draw(st.integers(1, dimension))
    wild = wild or draw(st.sampled_from(("none", "none", "universal", "partial")))
    card = cards(dimension, draw(st.integers(1, 4)), wild, k)
    after = draw(card) if draw(often(0.4)) else None
    if kind in ("cooperative", "uncooperative"):
        players = draw(
            st.sampled_from((2, 2, 2, 1, 3, 4) if kind == "cooperative" else (2, 2, 3, 4))
        )
        hands = tuple(draw(_hand(card, 1, most_cards - players)) for _ in range(players))
        if kind == "cooperative":
            return Cooperative(hands, at_least=k, after=after)
        return Uncooperative(hands, draw(st.sampled_from(Convention)), at_least=k, after=after)
    hand = draw(_hand(card, 0, most_cards))
    if kind == "fill-in":
        supply = draw(_hand(card, 0, 4)) if draw(often(0.6)) else None
        prices = st.tuples(*[st.sampled_from((1, 0, 2, 5)) for _ in supply or ()])
        costs = draw(prices) if supply is not None and draw(st.booleans()) else None
        if not hand and not supply and after is None:
            k = draw(st.integers(1, 64))  # any number is allowed if there are no cards
        return FillIn(hand, supply, costs, at_least=k, after=after)
    if not hand and after is None:
        k = draw(st.integers(1, 64))
    return (Uno1 if kind == "uno-1" else Longest)(hand, at_least=k, after=after)


def hands(*, wild: str = "none", max_cards: int = 7, after: bool = True) -> Any:
    """Hands to lay; ``wild`` is none, universal or partial."""
    drawn = questions("uno-1", most_cards=max_cards, wild=wild)
    return drawn if after else drawn.map(lambda hand: replace(hand, after=None))


@st.composite
def deals(draw: st.DrawFn, *, players: int, wild: bool = False) -> tuple[Hand, ...]:
    """Small hands of two attributes for a number of players."""
    card = cards(2, draw(st.integers(2, 4)), "universal" if wild else "none", 2)
    hand = st.lists(card, min_size=1, max_size=4).map(tuple)
    return tuple(draw(hand) for _ in range(players))


def piles() -> st.SearchStrategy[Card | None]:
    """Nothing, or a card, on the discard pile."""
    return st.sampled_from((None, (0, 0), (0, 1), ("*", "*")))


SWITCHES: Mapping[str, tuple[Any, ...]] = {
    name: (False, True) if isinstance(value, bool) else tuple(type(value).__members__.values())
    for name, value in asdict(Rules()).items()
    if name != "reshuffles"
}


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """A preset, now and then with other switches."""
    found = draw(st.sampled_from([*PRESETS.values()]))
    if draw(st.booleans()):
        changed = {name: draw(st.sampled_from(values)) for name, values in SWITCHES.items()}
        found = replace(found, reshuffles=0, **changed)
    known = not found.effects_wear_off and found.first_card is not FirstCard.NO_DRAW
    return replace(found, reshuffles=draw(st.sampled_from((0, 0, 1, 2)))) if known else found


@st.composite
def games(draw: st.DrawFn, *, most_cards: int = 4, most_drawn: int = 6) -> OpenGame:
    """A small game of few colours and symbols, so that cards match, with many action cards."""
    kinds = [
        kind
        for kind in deck()
        if kind >= 52 or (kind // 13 < 3 and kind % 13 in (1, 2, 10, 11, 12))
    ]

    def take(count: int) -> Hand:
        return tuple(card_of(kinds.pop(draw(st.integers(0, len(kinds) - 1)))) for _ in range(count))

    players = draw(st.sampled_from((2, 2, 2, 3, 4)))
    most = most_cards if players == 2 else 3
    hands = tuple(take(draw(st.integers(1, most))) for _ in range(players))
    (after,) = take(1)
    return OpenGame(
        hands,
        after=after,
        colour=draw(st.sampled_from(("red", "green"))) if after[0] == "*" else None,
        draw=take(draw(st.integers(0, most_drawn))),
        rules=draw(rules()),
        to_move=draw(st.integers(1, players)),
        direction=draw(st.sampled_from((1, -1))),
        turned_up=after != ("*", "+4") and draw(often(0.4)),
    )


@st.composite
def large_games(draw: st.DrawFn) -> OpenGame:
    """A game of several decks and large hands of few kinds, so that equal cards are many.

    Up to ten players; one of them at least holds more equal cards than a deck has.
    """
    decks = draw(st.integers(2, MOST_DECKS))
    left = Counter({kind: count * decks for kind, count in Counter(deck()).items()})
    colours = draw(st.lists(st.integers(0, 3), min_size=2, max_size=2, unique=True))
    numbers = draw(st.lists(st.integers(0, 9), min_size=2, max_size=2, unique=True))
    kinds = [13 * colour + symbol for colour in colours for symbol in (*numbers, 10, 12)]
    kinds += [52, 53]

    def take(most: int) -> list[int]:
        """Take cards of one kind or two, as many as are left."""
        found: list[int] = []
        for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2, unique=True)):
            count = min(draw(st.integers(1, most)), left[kind], 30 - len(found))
            left[kind] -= count
            found += [kind] * count
        return found or [left.most_common(1)[0][0]]

    players = draw(st.sampled_from((2, 2, 3, 10)))
    hands = [take(30 if player == 0 else 4) for player in range(players)]
    if len(hands[0]) < 9:
        hands[0] = [draw(st.sampled_from((52, 53)))] * min(9, 4 * decks - 4)
    hands = draw(st.permutations(hands))
    numbered = [kind for kind, count in left.items() if kind < 52 and kind % 13 < 10 and count]
    return OpenGame(
        tuple(tuple(map(card_of, hand)) for hand in hands),
        after=card_of(draw(st.sampled_from(numbered))),
        draw=tuple(map(card_of, take(3))) if draw(st.booleans()) else (),
        rules=draw(rules()),
        to_move=draw(st.integers(1, players)),
        direction=draw(st.sampled_from((1, -1))),
        decks=MOST_DECKS,
    )


def dealt_games() -> st.SearchStrategy[OpenGame]:
    """Games of the whole deck, as they are dealt."""
    sizes = st.lists(st.integers(1, 7), min_size=2, max_size=5).map(tuple)
    return st.builds(dealt, sizes, st.integers(0, 10**6), rules())


@st.composite
def graphs(draw: st.DrawFn, *, fewest: int = 1, most: int = 8, names: bool = False) -> Any:
    """Graphs on numbered vertices, or on vertices with names of many characters."""
    size = draw(st.integers(fewest, most))
    pairs = [*combinations(range(size), 2)]
    every = (1 << len(pairs)) - 1
    chosen = draw(st.integers(0, every)) & draw(st.just(every) | st.integers(0, every))
    graph: nx.Graph[Any] = nx.empty_graph(size)
    graph.add_edges_from(pair for bit, pair in enumerate(pairs) if chosen >> bit & 1)
    if names:
        letters = "abcdefghijklmnopqrstuvwxyz"
        name = st.tuples(*map(st.sampled_from, (letters, "019_.#-+", letters))).map("".join)
        called = draw(st.lists(name, min_size=size, max_size=size, unique=True))
        graph = nx.relabel_nodes(graph, dict(enumerate(called)))
    return graph
