"""The questions of ``scripts/bench_portfolio``, each drawn with a seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any, TypeAlias

import networkx as nx

from scripts.bench_dimensions import cards, supplied
from scripts.bench_hamilton import Graph, cactus, fans, knights, renamed, threshold, xor_gadgets
from uno_csp import Cooperative, FillIn, Instance, Longest, Uncooperative, Uno1, generate
from uno_csp.families.cubic_graphs import flower_snark, generalized_petersen
from uno_csp.graphs.paper import cubic_hand
from uno_csp.hamilton import Goal, HamiltonProblem, problem_of
from uno_csp.questions.cards import Card

Question: TypeAlias = Instance | HamiltonProblem


@dataclass(frozen=True, slots=True)
class Row:
    """A question of the table."""

    name: str
    make: Callable[[int], Question]  # draws the question with a seed
    trains: bool  # whether the portfolio may be tuned by it; the other half of the rows judges

    @property
    def half(self) -> str:
        """Name of the half of the rows that it is in."""
        return "train" if self.trains else "test"


def rows() -> list[Row]:
    """Return all rows, of two of a family the first for training."""
    made = [
        *_random_graphs(),
        *_structured_graphs(),
        *_dense_graphs(),
        *_paths(),
        *_hands(),
        *_optimised(),
        *_games(),
    ]
    return [Row(name, make, number % 2 == 0) for number, (name, make) in enumerate(made)]


Made: TypeAlias = Iterator[tuple[str, Callable[[int], Question]]]


def _asked(goal: Goal, draw: Callable[[int], Graph], seed: int) -> HamiltonProblem:
    return problem_of(renamed(draw(seed), seed), goal)


def _graph(name: str, draw: Callable[[int], Graph]) -> tuple[str, Callable[[int], Question]]:
    return f"cycle: {name}", partial(_asked, Goal.CYCLE, draw)


def _seeded(draw: Callable[..., Graph], *parameters: float) -> Callable[[int], Graph]:
    return lambda seed: draw(*parameters, seed=seed)


def _regular(degree: int, size: int) -> Callable[[int], Graph]:
    return _seeded(nx.random_regular_graph, degree, size)


def _always(make: Callable[[], Graph]) -> Callable[[int], Graph]:
    return lambda _: make()


def _line_graph(size: int, seed: int) -> Graph:
    graph: Graph = nx.line_graph(_regular(3, size)(seed))
    return graph


def separated(count: int, seed: int) -> Graph:
    """Return one expander more than vertices that all of them are joined by."""
    rng = Random(seed)
    blobs = [nx.random_regular_graph(4, 30, seed=seed + number) for number in range(count + 1)]
    graph: Graph = nx.disjoint_union_all(blobs)
    for cut, blob in product(range(count), range(count + 1)):
        if (blob - cut) % (count + 1) in (0, 1, count // 2):
            graph.add_edge(("cut", cut), 30 * blob + rng.randrange(30))
    return graph


def holed_grid(side: int, seed: int) -> Graph:
    """Return a grid with 2 % of its cells missing."""
    rng = Random(seed)
    graph: Graph = nx.grid_2d_graph(side, side)
    graph.remove_nodes_from(rng.sample(list(graph), side * side // 50))
    return graph


def _random_graphs() -> Made:
    for size in (1000, 2000):
        yield _graph(f"random cubic on {size}", _regular(3, size))
    for size in (300, 600):
        yield _graph(
            f"line graph of a cubic graph, {3 * size // 2} vertices", partial(_line_graph, size)
        )
    for size in (1500, 3000):
        yield _graph(f"5-regular on {size}", _regular(5, size))
    for count in (12, 20):
        yield _graph(f"{count} separators", partial(separated, count))
    for size in (1000, 3000):
        yield _graph(f"G({size}, p) near the threshold", partial(threshold, size))
    for count in (60, 30, 90, 75):
        yield _graph(f"xor9, {count} gadgets", partial(xor_gadgets, count))


def _structured_graphs() -> Made:
    for side in (41, 61, 30, 60):
        yield _graph(f"knight's tour {side} x {side}", _always(partial(knights, side)))
    for side in (40, 60):
        yield _graph(f"grid {side} x {side} with holes", partial(holed_grid, side))
    for side in (30, 40):
        yield _graph(f"grid {side} x {side}", _always(partial(nx.grid_2d_graph, side, side)))
    for count in (101, 501):
        yield _graph(f"Petersen GP({count},2)", _always(partial(generalized_petersen, count, 2)))
    for count in (25, 15):
        yield _graph(f"flower snark J({count})", _always(partial(flower_snark, count)))


def _dense_graphs() -> Made:
    fixed: list[tuple[str, Callable[[], Graph]]] = [
        ("complete bipartite, 250 + 250", partial(nx.complete_bipartite_graph, 250, 250)),
        ("complete bipartite, 150 + 151", partial(nx.complete_bipartite_graph, 150, 151)),
        ("25 parts of 20", partial(nx.complete_multipartite_graph, *[20] * 25)),
        ("150 joined to 151", partial(nx.complete_multipartite_graph, *[1] * 150, 151)),
        ("line graph of K40", lambda: nx.line_graph(nx.complete_graph(40))),
        ("line graph of K60", lambda: nx.line_graph(nx.complete_graph(60))),
        ("Kneser graph (9, 3)", partial(nx.kneser_graph, 9, 3)),
        ("Kneser graph (7, 3)", partial(nx.kneser_graph, 7, 3)),
        ("two K150 that share two", partial(fans, 2, 150, 2)),
        ("two K300 that share one", partial(fans, 2, 300, 1)),
        ("C2000, fifth power", partial(nx.circulant_graph, 2000, [1, 2, 3, 4, 5])),
        ("hypercube, dimension 11", partial(nx.hypercube_graph, 11)),
    ]
    for name, make in fixed:
        yield _graph(name, _always(make))
    for size in (600, 1300):
        yield _graph(f"G({size}, 1/2)", _seeded(nx.gnp_random_graph, size, 0.5))
    for size, radius in ((1000, 0.062), (3000, 0.046)):
        yield _graph(f"geometric on {size}", _seeded(nx.random_geometric_graph, size, radius))
    for near, share in ((8, 0.1), (4, 0.3)):
        yield _graph(
            f"small world on 1000, degree {near}",
            _seeded(nx.connected_watts_strogatz_graph, 1000, near, share),
        )
    for more in (3, 5):
        yield _graph(
            f"preferential attachment on 1000, {more} each",
            _seeded(nx.barabasi_albert_graph, 1000, more),
        )


def _paths() -> Made:
    drawn: list[tuple[str, Callable[[int], Graph]]] = [
        ("300 vertices, 420 edges", lambda seed: nx.gnm_random_graph(300, 420, seed=seed)),
        ("cactus on 1363", lambda seed: cactus(1363, seed, chords=False)),
        ("grid 14 x 14 with holes", partial(holed_grid, 14)),
    ]
    for (name, draw), goal in product(drawn, (Goal.LONGEST, Goal.PATHS)):
        yield f"{goal}: {name}", partial(_asked, goal, draw)


def _family(name: str, **parameters: Any) -> tuple[str, Callable[[int], Question]]:
    seedless = name in ("flower-snark", "generalized-petersen", "spider")
    shown = ", ".join(f"{key} {value}" for key, value in parameters.items())

    def make(seed: int) -> Question:
        given = parameters if seedless else {**parameters, "seed": seed}
        drawn: Instance = generate(name, **given)
        return drawn

    return f"{name}: {shown}", make


def _drawn(
    kind: type[Uno1 | Longest | FillIn], count: int, values: int, dimension: int, k: int
) -> tuple[str, Callable[[int], Question]]:
    def make(seed: int) -> Question:
        return kind(cards(count, values, dimension, Random(seed)), at_least=k)

    return f"{kind.question}: {count} cards, D {dimension}, v {values}, k {k}", make


def _hands() -> Made:
    for vertices in (600, 2000):
        yield _family("random-cubic", vertices=vertices)
    for n in (201, 401):
        yield _family("generalized-petersen", n=n, k=2)
    for vertices in (300, 1000):
        yield _family("diamond", vertices=vertices)
    for vertices, fragments in ((10, 10), (100, 100)):
        base = "petersen" if vertices == 10 else "random"
        yield _family("petersen-fragments", base=base, vertices=vertices, fragments=fragments)
    for values in (300, 3000):
        yield _family("threshold", values=values, ratio=1.0)
    for colours, numbers in ((3, 200), (2, 400)):
        yield _family("few-colours", colours=colours, numbers=numbers)
    for count, values, dimension, k in (
        (7, 5, 2, 1),
        (11, 6, 2, 1),
        (1500, 1000, 2, 1),
        (2000, 300, 2, 1),
        (20_000, 2000, 2, 1),
        (6000, 6000, 2, 1),
        (300, 20, 3, 2),
        (2000, 40, 3, 2),
        (3000, 6, 5, 3),
        (200, 2, 8, 4),
        (120, 4, 10, 6),
        (300, 4, 10, 6),
        (40, 12, 1, 1),
        (100, 5, 4, 3),
    ):
        yield _drawn(Uno1, count, values, dimension, k)


def caterpillar(legs: int, _seed: int) -> Longest:
    """Return the cards of a caterpillar: a path of hubs, each with two leaves."""
    spine = (((v + v % 2) // 2, (v + 1 - v % 2) // 2) for v in range(legs))
    leaves = ((v // 2, ("leaf", v)) if v % 2 == 0 else (("leaf", v), v // 2) for v in range(legs))
    return Longest(_numbered([*spine, *leaves]))


def tree(size: int, seed: int) -> Longest:
    """Return the cards of a random tree: its edges, between even and odd depths."""
    edges = list(nx.bfs_edges(nx.random_labeled_tree(size, seed=seed), 0))
    depth = {0: 0}
    for one, other in edges:
        depth[other] = depth[one] + 1
    return Longest(tuple((a, b) if depth[a] % 2 == 0 else (b, a) for a, b in edges))


def _numbered(hand: list[tuple[object, ...]]) -> tuple[Card, ...]:
    numbers: dict[tuple[int, object], int] = {}
    return tuple(
        tuple(numbers.setdefault((place, value), len(numbers)) for place, value in enumerate(card))
        for card in hand
    )


def _filled(cards: tuple[Card, ...], _seed: int) -> FillIn:
    return FillIn(cards)


def _optimised() -> Made:
    yield "longest: caterpillar of 60,000", partial(caterpillar, 30_000)
    yield "longest: tree of 64,000", partial(tree, 64_000)
    yield "fill-in: 100 cards, supply of 300", lambda seed: supplied(100, 300, Random(seed))
    yield "fill-in: 300 cards, supply of 1000", lambda seed: supplied(300, 1000, Random(seed))
    for vertices in (10, 20):
        drawn = generate("diamond", base="random", vertices=vertices, seed=1)
        yield f"fill-in: diamond, {vertices}", partial(_filled, drawn.cards)
    petersen = generate("petersen-fragments", base="petersen", vertices=10, fragments=10, seed=1)
    yield "fill-in: Petersen fragments", lambda _: FillIn(petersen.cards)
    cubic = cubic_hand(nx.random_regular_graph(3, 60, seed=1))
    yield "longest: cubic graph on 60", lambda _: Longest(cubic.cards)
    for kind, count, values, dimension, k in (
        (Longest, 300, 225, 2, 1),
        (Longest, 1333, 1000, 2, 1),
        (Longest, 60, 10, 3, 2),
        (Longest, 300, 300, 3, 1),
        (Longest, 11, 8, 2, 1),
        (Longest, 3000, 300, 2, 1),
        (FillIn, 450, 300, 2, 1),
        (FillIn, 1500, 1000, 2, 1),
        (FillIn, 200, 10, 3, 2),
        (FillIn, 600, 20, 3, 2),
        (FillIn, 40, 6, 4, 3),
        (FillIn, 25, 7, 4, 3),
        (FillIn, 11, 8, 2, 1),
        (FillIn, 2000, 400, 2, 1),
    ):
        yield _drawn(kind, count, values, dimension, k)
    yield (
        "fill-in: 100 lines far apart, D 4, k 3",
        lambda _: FillIn(tuple((j, j, j, i) for j in range(10) for i in range(10)), at_least=3),
    )
    yield (
        "fill-in: (i, i, i), i < 200",
        lambda _: FillIn(tuple((i, i, i) for i in range(200)), at_least=2),
    )


def dealt(sizes: tuple[int, ...], values: int, seed: int) -> Cooperative:
    """Return hands of these sizes, drawn uniformly."""
    rng = Random(seed)
    return Cooperative(tuple(cards(size, values, 2, rng) for size in sizes))


def duel(sizes: tuple[int, ...], values: int, seed: int) -> Uncooperative:
    """Return the same for players of whom each plays for themselves."""
    return Uncooperative(dealt(sizes, values, seed).hands)


def _games() -> Made:
    for sizes, values in (
        ((30, 30), 10),
        ((30, 30), 20),
        ((60, 60), 20),
        ((60, 60), 30),
        ((20, 20, 20), 12),
        ((100, 100, 100), 40),
        ((5, 395), 20),
        ((200, 200), 100),
    ):
        yield f"cooperative: {sizes}, {values} values", partial(dealt, sizes, values)
    same = Cooperative((((1, 1),) * 300,) * 2)
    yield "cooperative: 2 x 300 identical cards", lambda _: same
    pairs = Cooperative((tuple(combinations(range(13), 2)),) * 2)
    yield "cooperative: all pairs of 13, twice", lambda _: pairs
    for sizes, values in (((1000, 1000), 30), ((10, 10), 4), ((5, 5, 5), 4), ((4, 5, 4), 5)):
        yield f"uncooperative: {sizes}, {values} values", partial(duel, sizes, values)
    for goal, cards_each in (("win", 4), ("together", 4)):
        _, make = _family("open-game", cards=cards_each, goal=goal)
        yield f"open game: {goal}, 2 x {cards_each}", make
