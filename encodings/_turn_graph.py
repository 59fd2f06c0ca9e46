"""The graph on (hub, player to move) behind the models of ``hub-turns`` and ``free-turns``.

A card of player q picks up the turn at a node (hub of the card, q) and hands it on at a node (hub
of the card, the next player). The cards of a complete play lead from node to node; every node is
left as often as it is entered, and all of them are connected. Conversely, every such choice of ways
in and out can be walked from the first card to the last (Euler).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from uno_csp.encodings._net import Net
from uno_csp.hub_graph.graph import hub_graph_refusal
from uno_csp.hub_graph.incidence import incidence, shared_hubs
from uno_csp.modeling import Assignment, Encoded, Encoder, Model, Relation
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.cards import (
    Card,
    hub_name,
    is_universal,
    matches,
    neighbours,
    previous_copies,
    some_wild,
)
from uno_csp.questions.wording import describe

Way = tuple[int, int, int]
"""Card, node, and the literal for "the card picks up (or hands on) the turn there"."""

MANY_WAYS = 64
"""Maximum number of ways in (a wild card has more) up to which copies are ordered by them, and of
pairs of a way in and a way out up to which ties are ordered by the ways out."""


@dataclass(slots=True)
class TurnGraph:
    """The variables of the model; cards, nodes and players are numbered from 0."""

    # all cards, and the player of each
    cards: tuple[Card, ...]
    owners: list[int]
    # number of each node (hub, player) in the connected graph, whose first nodes are the cards
    nodes: dict[Hashable, int] = field(default_factory=dict)
    # the ways in and the ways out
    entered: list[Way] = field(default_factory=list)
    left: list[Way] = field(default_factory=list)
    # by card, the literals for "it is played", "it opens the play" and "it ends the play"
    played: list[int] = field(default_factory=list)
    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    # for each card and player who may be skipped after it: the variable for "the player is *not*
    # skipped", and the cards of the player that must be played first otherwise
    waits: dict[tuple[int, int], tuple[int, list[int]]] = field(default_factory=dict)
    # for each node of the connected graph, the literal for "the play passes it"
    passed: list[int] = field(default_factory=list)
    # for a hub and two players, the variable for "the second is skipped after some card of the
    # first on the hub"
    all_played: dict[tuple[Hashable, int, int], int] = field(default_factory=dict)

    def witness(self, order: Iterable[int]) -> Witness:
        """Return the play of cards in an order."""
        return Witness(plays=tuple(Play(self.owners[i] + 1, self.cards[i]) for i in order))

    def ways(self, assignment: Assignment) -> tuple[dict[int, int], dict[int, int], int, int]:
        """Return the nodes where played cards are entered and left, the first and the last card."""
        coming = {card: node for card, node, literal in self.entered if assignment[literal]}
        going = {card: node for card, node, literal in self.left if assignment[literal]}
        first = next(card for card, literal in self.first.items() if assignment[literal])
        last = next(card for card, literal in self.last.items() if assignment[literal])
        return coming, going, first, last


class TurnGraphEncoder(Encoder[Cooperative, TurnGraph]):
    """An encoder of the graph; a subclass adds ``name``, ``encode`` and ``decode``."""

    takes = (Cooperative,)

    def declines(self, instance: Cooperative) -> str | None:
        """Return a reason if too many cards are partly wild, or a card lies on too many hubs."""
        return hub_graph_refusal(instance, "turns")

    def meanings(self, encoded: Encoded[TurnGraph]) -> Iterator[tuple[int, str]]:
        """Yield each variable with its meaning; cards and players are numbered from 1."""
        graph = encoded.data
        cards = [f"card {i} ({describe(card)})" for i, card in enumerate(graph.cards, start=1)]
        nodes = {index: _node_name(node) for node, index in graph.nodes.items()}
        for card, variable in enumerate(graph.played):
            yield variable, f"p[{card + 1}] {cards[card]} is played"
        for node, name in nodes.items():
            yield graph.passed[node], f"y[{name}] node {name} is passed"
        for card, node, literal in graph.entered:
            yield literal, f"i[{card + 1},{nodes[node]}] {cards[card]} picks up the turn there"
        for card, node, literal in graph.left:
            yield literal, f"o[{card + 1},{nodes[node]}] {cards[card]} hands on the turn there"
        for letter, ends, word in (("f", graph.first, "opens"), ("l", graph.last, "ends the play")):
            for card, literal in ends.items():
                yield literal, f"{letter}[{card + 1}] {cards[card]} {word}"
        for (card, player), (variable, _) in graph.waits.items():
            meaning = f"player {player + 1} is not skipped after {cards[card]}"
            yield variable, f"n[{card + 1},{player + 1}] {meaning}"
        for (hub, player, other), variable in graph.all_played.items():
            name = _node_name((hub, player))
            meaning = f"player {other + 1} is skipped after a card of {name}"
            yield variable, f"a[{name},{other + 1}] {meaning}"


def _node_name(node: Hashable) -> str:
    assert isinstance(node, tuple)  # noqa: S101
    hub, player = node
    return f"{hub if isinstance(hub, str) else hub_name(hub)} by {player + 1}"


class TurnGraphWriter:
    """Writes the model; with ``free``, players who hold a match at the start may be skipped."""

    def __init__(self, instance: Cooperative, *, free: bool) -> None:
        self.instance = instance
        self.free = free
        self.players = len(instance.hands)
        owners = [q for q, hand in enumerate(instance.hands) for _ in hand]
        self.graph = TurnGraph(instance.cards, owners)
        self.model = Model()
        self.graph.played = list(self.model.new_vars(len(owners)))
        self.net = Net(self.graph.played)
        self.graph.passed = self.net.presence
        self.pickups: defaultdict[int, list[int]] = defaultdict(list)
        self.handovers: defaultdict[int, list[int]] = defaultdict(list)
        self.all_played = self.graph.all_played
        self.ways_of: list[tuple[list[int], list[int]]] = []  # in and out, by card

    def write(self) -> Model:
        """Write and return the model."""
        opener = first_player(self.instance)
        if opener is None:
            self.model.add_clause()
            return self.model
        self._write_hands()
        self._write_ends(opener)
        self._write_ways()
        self._exclude_mutual_waits()
        self._write_balance()
        graph, net = self.graph, self.net
        net.covers += [(card,) for card, owner in enumerate(graph.owners) if owner == 0]
        net.loose += [*graph.first.items(), *graph.last.items()]
        for card, node, literal in (*graph.entered, *graph.left):
            net.link(card, node, literal)
        self.model.add_global(net.connected())
        return self.model

    def _write_hands(self) -> None:
        """Require that player 1 plays all her cards and every other player keeps one."""
        for player in range(self.players):
            own = [
                played
                for played, owner in zip(self.graph.played, self.graph.owners, strict=True)
                if owner == player
            ]
            if player == 0:
                self.model.add_clauses([var] for var in own)
            else:
                self.model.add_clause(*(-var for var in own))

    def _write_ends(self, opener: int) -> None:
        graph, after, k = self.graph, self.instance.after, self.instance.at_least
        for index, (card, owner) in enumerate(zip(graph.cards, graph.owners, strict=True)):
            if owner == opener and (after is None or matches(after, card, k)):
                graph.first[index] = self.model.new_var()
            if owner == 0:
                graph.last[index] = self.model.new_var()
        self.model.exactly(list(graph.first.values()), 1)
        self.model.exactly(list(graph.last.values()), 1)

    def _write_ways(self) -> None:
        """Give every played card exactly one way in and one way out."""
        graph = self.graph
        near = neighbours(graph.cards, self.instance.at_least)
        for card, (owner, at) in enumerate(zip(graph.owners, _hubs_of(self.instance), strict=True)):
            ins = [self._way(graph.entered, card, hub, owner, self.pickups) for hub in at]
            outs: list[int] = []
            for player, skipped in self._successions(card, near[card]):
                new = [self._way(graph.left, card, hub, player, self.handovers) for hub in at]
                for other, held in skipped:
                    waiting = self._wait(card, other, held, at)
                    self.model.add_clauses((-literal, -waiting) for literal in new)
                outs += new
            for ways, end in ((ins, graph.first.get(card)), (outs, graph.last.get(card))):
                literals = ways if end is None else [*ways, end]
                self.model.add_clauses([-literal, graph.played[card]] for literal in literals)
                self.model.add_clause(-graph.played[card], *literals)
                if len(literals) > 1:
                    self.model.at_most(literals, 1)
            self.ways_of.append((ins, outs))
        self._order_copies()

    def _order_copies(self) -> None:
        """Break symmetry: copies in one hand are ordered by their ways in.

        The opening card is the first of its copies, those not played are the last, and copies that
        are entered at the same node are ordered by their ways out.
        """
        graph, model = self.graph, self.model
        previous = previous_copies(zip(graph.owners, graph.cards, strict=True))
        for card, before in enumerate(previous):
            if before is None:
                continue
            model.add_clause(-graph.played[card], graph.played[before])
            opens = [graph.first[before]] if before in graph.first else []
            if opens:
                model.add_clause(-graph.first[card])
            (ins, outs), (earlier_ins, earlier_outs) = self.ways_of[card], self.ways_of[before]
            if len(ins) > MANY_WAYS:
                continue
            for place, way in enumerate(ins):
                model.add_clause(-way, *opens, *earlier_ins[: place + 1])
            if len(ins) * len(outs) > MANY_WAYS:
                continue
            for way, earlier in zip(ins, earlier_ins, strict=True):
                for place, out in enumerate(outs):
                    model.add_clause(-way, -earlier, -out, *earlier_outs[: place + 1])

    def _successions(
        self, card: int, near: list[int]
    ) -> Iterator[tuple[int, list[tuple[int, list[int]]]]]:
        """Yield who may be next after a card, with the players skipped although they hold matches.

        A player without a match from the start is always skipped and not listed.
        """
        skipped: list[tuple[int, list[int]]] = []
        for distance in range(1, self.players + 1):
            player = (self.graph.owners[card] + distance) % self.players
            held = [other for other in near if self.graph.owners[other] == player]
            if held:
                yield player, list(skipped)
                if not self.free:
                    return
                skipped.append((player, held))

    def _wait(self, card: int, player: int, held: list[int], at: tuple[Hashable, ...]) -> int:
        """Return the variable for "the player is not skipped after the card", creating it once."""
        graph = self.graph
        if (card, player) not in graph.waits:
            waiting = self.model.new_var()
            graph.waits[card, player] = (waiting, held)
            self.model.add_clauses((waiting, graph.played[other]) for other in held)
            for hub in at:
                key = (hub, graph.owners[card], player)
                if key not in self.all_played:
                    self.all_played[key] = self.model.new_var()
                self.model.add_clause(waiting, self.all_played[key])
        return graph.waits[card, player][0]

    def _exclude_mutual_waits(self) -> None:
        """Forbid that two players are both skipped after each other's cards on one hub.

        A card of q after which z is skipped comes after all of z's cards on the hub, and vice
        versa: of two such cards each would have to come before the other.
        """
        for (hub, player, other), skips in self.all_played.items():
            mutual = self.all_played.get((hub, other, player))
            if mutual is not None and player < other:
                self.model.add_clause(-skips, -mutual)

    def _way(
        self, ways: list[Way], card: int, hub: Hashable, player: int, ends: dict[int, list[int]]
    ) -> int:
        presence = self.net.presence
        node = self.graph.nodes.setdefault((hub, player), len(presence))
        if node == len(presence):
            self.net.node(self.model.new_var())
        literal = self.model.new_var()
        self.model.add_clause(-literal, presence[node])
        ways.append((card, node, literal))
        ends[node].append(literal)
        return literal

    def _write_balance(self) -> None:
        """Require that every node is left as often as it is entered."""
        for node in self.graph.nodes.values():
            came, went = self.handovers[node], self.pickups[node]
            self.model.add_clause(-self.net.presence[node], *came)
            weights = [1] * len(came) + [-1] * len(went)
            self.model.add_linear(weights, [*came, *went], Relation.EQUAL, 0)


def first_player(instance: Cooperative) -> int | None:
    """Return the player who opens, from 0: the first who can; None if nobody can."""
    after, k = instance.after, instance.at_least
    for player, hand in enumerate(instance.hands):
        if after is None or any(matches(after, card, k) for card in hand):
            return player
    return None


def _hubs_of(instance: Cooperative) -> list[tuple[Hashable, ...]]:
    """Return the hubs of each card; universal wild cards are on all and one of their own."""
    k = instance.at_least
    plain = [card for card in instance.cards if not is_universal(card, k)]
    named: Iterator[tuple[Hashable, ...]]
    if some_wild(plain):
        found, shared = shared_hubs(plain, k)
        named = (tuple(map(found.__getitem__, at)) for at in shared)
    else:
        on = incidence(tuple(plain), k)
        kept = ((hub for hub in at if on.needed[hub]) for at in zip(*on.columns, strict=True))
        named = (tuple(map(on.hubs.__getitem__, at)) for at in kept)
    own: list[tuple[Hashable, ...]] = [
        () if is_universal(card, k) else next(named) or (f"card {index}",)
        for index, card in enumerate(instance.cards, start=1)
    ]
    if all(own):
        return own
    everywhere = (*dict.fromkeys(hub for at in own for hub in at), "wild")
    return [at or everywhere for at in own]
