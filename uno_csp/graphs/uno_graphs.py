"""The UNO graphs of the paper: cards joined where they match."""

from typing import Any, TypeAlias

import networkx as nx

from uno_csp.questions import Instance
from uno_csp.questions.cards import neighbours

Graph: TypeAlias = "nx.Graph[Any]"


def uno_graph(instance: Instance) -> Graph:
    """Return the UNO-p graph of the hands of a question.

    Vertices are the cards, numbered from 0 hand after hand, with attributes ``card`` and
    ``player``; an arc leads to every card that the next player may play on it. For one or two hands
    the graph is undirected, for two it is bipartite; for more it is directed.

    >>> from uno_csp.questions import Uno1
    >>> sorted(uno_graph(Uno1((("red", 5), ("red", 7), ("blue", 7)))).edges())
    [(0, 1), (1, 2)]
    """
    players = len(instance.hands)
    owners = [player for player, hand in enumerate(instance.hands, start=1) for _ in hand]
    graph: Graph = nx.Graph() if players <= 2 else nx.DiGraph()
    for index, (card, owner) in enumerate(zip(instance.cards, owners, strict=True)):
        graph.add_node(index, card=card, player=owner)
    for index, near in enumerate(neighbours(instance.cards, instance.at_least)):
        following = owners[index] % players + 1
        graph.add_edges_from((index, other) for other in near if owners[other] == following)
    return graph
