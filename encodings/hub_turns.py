"""Cooperative play without a timetable: a directed trail on (hub, player to move).

A card of player q picks up the turn at a hub of its own, where it is q's turn, and hands it on at
one of its hubs to the player who is next. Draw a node for every hub and player, and let the
played cards lead from node to node: a play without skips is an Eulerian walk of this graph, so
there is one if the chosen arcs are balanced (at every node as many come as go) and connected. That
needs O(n) variables and no index of time, where the model of ``turns`` has n^2.

Skips that are known in advance fit in: when the players between q and q' hold, from the very start,
no card that matches card e, then q' is next after e. A skip that becomes possible only because
cards have been played does not fit, so a no of this model proves nothing. For two hands without
skips player 1 plays all her cards and the other exactly one fewer, which follows from the balance.
"""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field

from uno_csp.cards import MANY_HUBS, Card, hub_count, hubs, is_universal, is_wild, matches, neighbours
from uno_csp.instances import Cooperative, Instance, Play, Witness
from uno_csp.modeling import Assignment, Connected, Encoded, Model, Sense
from uno_csp.trails import Edge, eulerian_walk


@dataclass(slots=True)
class Turns:
    """What the variables mean.

    Parameters
    ----------
    cards
        All cards, the owners of which, counted from 0, are in ``owners``.
    nodes
        The number of each node (hub, player) among the nodes of the connected graph, where the
        cards come first.
    entered, left
        The arcs (card, node, literal) by which cards pick up and hand on the turn.
    first, last
        Literals by card: it opens; it ends the play.
    """

    cards: tuple[Card, ...]
    owners: list[int]
    nodes: dict[Hashable, int] = field(default_factory=dict)
    entered: list[tuple[int, int, int]] = field(default_factory=list)
    left: list[tuple[int, int, int]] = field(default_factory=list)
    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)


class HubTurnsEncoder:
    """Balanced directed trails, for ``cooperative``; a yes only.

    Variables
    ---------
    p[e]
        Card e is played.
    i[e, v], o[e, v]
        Card e picks up the turn at node v = (hub, its player), and hands it on at node v = (hub,
        the next player).
    f[e], l[e]
        Card e is the first, or the last.

    Constraints
    -----------
    Player 1 plays all her cards, every other player leaves one; a played card is entered or first,
    and left or last; one card is first and one, of player 1, is last; every node is left as often
    as it is entered; all is connected. With n cards of two hubs each at most 7 n variables.
    """

    name = "hub-turns"
    proves = "sufficient only"

    def accepts(self, instance: Instance) -> str | None:
        """Declines cards that are wild in some coordinates and yet do not match every card."""
        if not isinstance(instance, Cooperative):
            return "it is for cooperative play"
        pile = () if instance.after is None else (instance.after,)
        for card in (*instance.cards, *pile):
            if is_wild(card) and not is_universal(card, instance.at_least):
                return "a card that is wild in fewer coordinates than must agree is on no hubs"
        count = hub_count(instance.dimension, instance.at_least)
        return f"a card lies on {count} hubs" if count > MANY_HUBS else None

    def encode(self, instance: Instance) -> Encoded[Turns]:
        """Write the model."""
        assert isinstance(instance, Cooperative)  # noqa: S101
        owners = [q for q, hand in enumerate(instance.hands) for _ in hand]
        turns = Turns(instance.cards, owners)
        return Encoded(_Writer(instance, turns).write(), turns)

    def decode(self, encoded: Encoded[Turns], assignment: Assignment) -> Witness:
        """Walk along the arcs from the first card to the last."""
        turns = encoded.data
        arcs: list[Edge] = [
            (node, card, card) for card, node, literal in turns.entered if assignment[literal]
        ]
        arcs += [(card, node, -1) for card, node, literal in turns.left if assignment[literal]]
        first = next(card for card, literal in turns.first.items() if assignment[literal])
        order = [first, *(label for label, _ in eulerian_walk(arcs, first) if label >= 0)]
        return Witness(plays=tuple(Play(turns.owners[i] + 1, turns.cards[i]) for i in order))

    def mend(self, encoded: Encoded[Turns], assignment: Assignment) -> None:
        """A broken play is none."""
        del encoded, assignment


class _Writer:
    def __init__(self, instance: Cooperative, turns: Turns) -> None:
        self.instance = instance
        self.turns = turns
        self.model = Model()
        self.played = self.model.new_vars(len(turns.cards))
        self.presence: list[int] = list(self.played)
        self.entering: defaultdict[int, list[int]] = defaultdict(list)
        self.leaving: defaultdict[int, list[int]] = defaultdict(list)

    def write(self) -> Model:
        """The model, whole."""
        opener = first_player(self.instance)
        if opener is None:
            self.model.add_clause()
            return self.model
        self._write_hands()
        self._write_ends(opener)
        self._write_arcs()
        self._write_balance()
        turns = self.turns
        arcs = [*turns.entered, *turns.left]
        loose = [*turns.first.items(), *turns.last.items()]
        covers = [(card,) for card, owner in enumerate(turns.owners) if owner == 0]
        self.model.add_global(
            Connected(
                self.presence,
                [card for card, _, _ in arcs],
                [node for _, node, _ in arcs],
                [literal for _, _, literal in arcs],
                covers,
                [1] * len(arcs),
                loose,
            )
        )
        return self.model

    def _write_hands(self) -> None:
        start = 0
        for player, hand in enumerate(self.instance.hands):
            own = self.played[start : start + len(hand)]
            start += len(hand)
            if player == 0:
                self.model.add_clauses([var] for var in own)
            else:
                self.model.add_clause(*(-var for var in own))

    def _write_ends(self, opener: int) -> None:
        turns, after, k = self.turns, self.instance.after, self.instance.at_least
        for index, (card, owner) in enumerate(zip(turns.cards, turns.owners, strict=True)):
            if owner == opener and (after is None or matches(after, card, k)):
                turns.first[index] = self.model.new_var()
            if owner == 0:
                turns.last[index] = self.model.new_var()
        self.model.exactly(list(turns.first.values()), 1)
        self.model.exactly(list(turns.last.values()), 1)

    def _write_arcs(self) -> None:
        """One way in and one way out for every card that is played."""
        turns = self.turns
        following = next_players(self.instance)
        places = _hubs_of(self.instance)
        for card, (owner, at) in enumerate(zip(turns.owners, places, strict=True)):
            ins = [self._arc(turns.entered, card, hub, owner, self.entering) for hub in at]
            after = following[card]
            outs = (
                []
                if after is None
                else [self._arc(turns.left, card, hub, after, self.leaving) for hub in at]
            )
            for ways, end in ((ins, turns.first.get(card)), (outs, turns.last.get(card))):
                literals = ways + ([] if end is None else [end])
                played = self.played[card]
                self.model.add_clauses([-literal, played] for literal in literals)
                self.model.add_clause(-played, *literals)
                if len(literals) > 1:
                    self.model.at_most(literals, 1)

    def _arc(
        self, arcs: list[tuple[int, int, int]], card: int, hub: Hashable, player: int,
        ends: dict[int, list[int]],
    ) -> int:  # fmt: skip
        node = self.turns.nodes.setdefault((hub, player), len(self.presence))
        if node == len(self.presence):
            self.presence.append(self.model.new_var())
        literal = self.model.new_var()
        self.model.add_clause(-literal, self.presence[node])
        arcs.append((card, node, literal))
        ends[node].append(literal)
        return literal

    def _write_balance(self) -> None:
        for node in self.turns.nodes.values():
            ins, outs = self.leaving[node], self.entering[node]
            self.model.add_clause(-self.presence[node], *ins)
            self.model.add_linear(
                [1] * len(ins) + [-1] * len(outs), [*ins, *outs], Sense.EQUAL, 0
            )


def first_player(instance: Cooperative) -> int | None:
    """Who opens, counted from 0: the first player who can; None if nobody can."""
    after, k = instance.after, instance.at_least
    for player, hand in enumerate(instance.hands):
        if after is None or any(matches(after, card, k) for card in hand):
            return player
    return None


def next_players(instance: Cooperative) -> list[int | None]:
    """For each card the first player after its own who ever holds a match; None if nobody does."""
    cards = instance.cards
    owners = [q for q, hand in enumerate(instance.hands) for _ in hand]
    players = len(instance.hands)
    found: list[int | None] = []
    for card, near in enumerate(neighbours(cards, instance.at_least)):
        distance = [(owners[other] - owners[card] - 1) % players for other in near]
        found.append((owners[card] + 1 + min(distance)) % players if near else None)
    return found


def _hubs_of(instance: Cooperative) -> list[tuple[Hashable, ...]]:
    """The hubs of each card; a universal wild card is on all, and then on one of its own."""
    k = instance.at_least
    own: list[tuple[Hashable, ...]] = [
        () if is_universal(card, k) else hubs(card, k) for card in instance.cards
    ]
    if all(own):
        return own
    everywhere = (*dict.fromkeys(hub for at in own for hub in at), "wild")
    return [at or everywhere for at in own]


ENCODER = HubTurnsEncoder()
