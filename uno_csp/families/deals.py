"""Deals for several players, and the paper's reductions to cooperative play."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, TypeAlias

import networkx as nx

from uno_csp.errors import InstanceError
from uno_csp.families.declaration import MANY, Origin, Sample, between, family, one_of
from uno_csp.graphs.paper import equal_hands, incidence_hands
from uno_csp.open_game import PRESETS
from uno_csp.open_game.rules import DEFAULT
from uno_csp.questions import Convention, Cooperative, Expected, Uncooperative
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import Hand
from uno_csp.questions.open_game import MOST_PLAYERS, Goal, dealt

Graph: TypeAlias = "nx.Graph[Any]"
Cards: TypeAlias = Annotated[int, between(1, MANY, "number of cards in each hand")]
Values: TypeAlias = Annotated[int, between(1, MANY, "number of colours, and of numbers")]
Vertices: TypeAlias = Annotated[int, between(4, 100_000, "vertices of the graph")]
More: TypeAlias = Annotated[int, between(1, MANY, "edges beyond those that connect the graph")]
Path: TypeAlias = Annotated[bool, "a Hamiltonian path is planted, so the answer is yes"]


@family("cooperative", Origin.RANDOM)
def cooperative_deal(
    players: Annotated[int, between(1, 100, "number of players")] = 2,
    cards: Cards = 10,
    values: Values = 6,
    *,
    seed: int,
) -> Sample:
    """Uniformly random hands of players who all help player 1."""
    hands = _deal(players, cards, values, seed)
    return Sample(Cooperative(hands, name=_name_of("cooperative", players, cards, values, seed)))


@family("cooperative-band", Origin.RANDOM)
def cooperative_band(
    players: Annotated[int, between(1, 100, "number of players")] = 2,
    values: Values = 50,
    per_colour: Annotated[float, between(0.01, 100, "cards of a colour, in all hands")] = 4.0,
    *,
    seed: int,
) -> Sample:
    """Uniform hands by their density: some 3 to 5 cards of a colour are the hard band.

    Below it, cards of player 1 match hardly any card, and the answer is no; above it, nearly every
    deal is a yes. In between are deals that need some skips, each legal only late in the play.
    """
    cards = max(1, round(per_colour * values / players))
    return cooperative_deal(players, cards, values, seed=seed)


@family("uncooperative", Origin.RANDOM)
def uncooperative_deal(
    players: Annotated[int, between(2, 100, "number of players")] = 2,
    cards: Cards = 10,
    values: Values = 6,
    convention: Annotated[
        str, one_of(tuple(map(str, Convention)), "the rule by which the game is lost")
    ] = "last-mover",
    *,
    seed: int,
) -> Sample:
    """Uniformly random hands of players who all play for themselves."""
    hands = _deal(players, cards, values, seed)
    name = _name_of("uncooperative", players, cards, values, seed)
    return Sample(Uncooperative(hands, Convention(convention), name=name))


@family("open-game", Origin.RANDOM)
def open_deal(
    players: Annotated[int, between(2, MOST_PLAYERS, "number of players")] = 2,
    cards: Annotated[int, between(1, 50, "number of cards in each hand")] = 7,
    rules: Annotated[str, one_of(tuple(PRESETS), "name of the rules")] = DEFAULT,
    goal: Annotated[str, one_of(tuple(map(str, Goal)), "against player 1, or with her")] = "win",
    *,
    seed: int,
) -> Sample:
    """Hands dealt from the official deck; the rest is the draw pile, and all cards are open."""
    game = dealt((cards,) * players, seed, PRESETS[rules])
    return Sample(replace(game, goal=Goal(goal)))


@family("theorem-3-1", Origin.STRUCTURED)
def incidence_deal(
    vertices: Vertices = 8,
    more: More = 2,
    path: Path = True,
    apart: Annotated[bool, "more attributes that rule out skips: yes only with a path"] = False,
    *,
    seed: int,
) -> Sample:
    """Theorem 3.1: player 1 holds the vertices of a graph, player 2 its edges.

    With a planted Hamiltonian path the answer is yes. Otherwise the graph is three parts joined at
    one vertex, and the answer is no if ``apart``; as printed, the reduction allows some plays with
    skips, so that no answer is expected.
    """
    graph = _graph(vertices, more, seed, path=path)
    instance = incidence_hands(graph, apart=apart)
    expected = _expect(path=path, exact=apart)
    name = f"Theorem 3.1 on {vertices} vertices and {more} more edges, seed {seed}"
    return Sample(replace(instance, name=name, expected=expected))


@family("corollary-1", Origin.STRUCTURED)
def equal_hands_deal(
    vertices: Vertices = 8, more: More = 2, path: Path = True, *, seed: int
) -> Sample:
    """Corollary 1: as Theorem 3.1, from a given first vertex, with hands of equal size.

    With a Hamiltonian path from there the answer is yes.
    """
    graph = _graph(vertices, more, seed, path=path)
    instance = equal_hands(graph, 0)
    expected = _expect(path=path, exact=False)
    name = f"Corollary 1 on {vertices} vertices and {more} more edges, seed {seed}"
    return Sample(replace(instance, name=name, expected=expected))


def _deal(players: int, cards: int, values: int, seed: int) -> tuple[Hand, ...]:
    rng = random.Random(seed)
    return tuple(
        tuple((rng.randrange(values), rng.randrange(values)) for _ in range(cards))
        for _ in range(players)
    )


def _name_of(kind: str, players: int, cards: int, values: int, seed: int) -> str:
    return f"{kind}: {players} hands of {cards} of {values}x{values}, seed {seed}"


def _expect(*, path: bool, exact: bool) -> Expected | None:
    if path:
        return Expected(Status.SATISFIABLE, why="a Hamiltonian path was planted in the graph")
    if exact:
        return Expected(Status.UNSATISFIABLE, why="a vertex of the graph parts it in three")
    return None


def _graph(vertices: int, more: int, seed: int, *, path: bool) -> Graph:
    """Return a connected graph, not a tree, with a Hamiltonian path from vertex 0 or with none.

    Without a path, vertex 0 joins three parts, of which a path can visit only two.
    """
    rng = random.Random(seed)
    others = rng.sample(range(1, vertices), vertices - 1)
    graph: Graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    if path:
        parts = [[0, *others]]
        graph.add_edges_from(pairwise(parts[0]))
    else:
        parts = [[0, *others[i::3]] for i in range(3)]
        for part in parts:
            graph.add_edges_from(pairwise(part))
    _add_edges(graph, parts, more, rng)
    return graph


def _add_edges(graph: Graph, parts: list[list[int]], more: int, rng: random.Random) -> None:
    room = sum(len(part) * (len(part) - 1) // 2 - (len(part) - 1) for part in parts)
    if more > room:
        raise InstanceError(f"more: {more} is not allowed; the graph has room for {room}")
    while more:
        u, v = rng.sample(rng.choice([part for part in parts if len(part) > 2]), 2)
        if not graph.has_edge(u, v):
            graph.add_edge(u, v)
            more -= 1
