"""The hub-trail viewpoint: a playing sequence is a trail on colours and numbers.

Draw the hubs (for D = 2 and k = 1: the colours and the numbers) as nodes and let every card be
either an edge between two of its hubs or a loop at one. Reading the edges of an Eulerian trail of
this multigraph in order, each loop when its hub is first reached, gives a feasible sequence,
because cards that meet at a hub match. Conversely, neighbours in a sequence share a hub, and
reading off these hubs gives such a trail. So the hand is playable if and only if some choice is
connected with at most two odd nodes: for D = 2, if and only if the bipartite graph of colours and
numbers has a *dominating trail*, one that every card has an end on (Harary and Nash-Williams 1965
for line graphs). The model needs O(n) variables where card x position needs n^2.

w universal wild cards may join w + 1 sequences. The cards split into r sequences if and only if
some choice has the sum over its components of max(1, odd / 2) at most r. An extra node, the
*apex*, is joined to every odd hub once and to one hub of every closed trail twice; then all is
connected and the number of these joints is at most 2r.

Two things shrink the model. A hub of degree one never needs to be visited: a card walked into it
would end the trail there, and stopping before is as good. And of two equal cards on just two hubs
one may be taken as walked: if none is, walking both changes no parity and connects what is there.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from uno_csp.cards import (
    MANY_HUBS,
    Card,
    Hub,
    hub_count,
    hubs,
    is_universal,
    is_wild,
)
from uno_csp.instances import Instance
from uno_csp.modeling import Assignment, Connected, Encoded, Model, Sense


@dataclass(slots=True)
class HubTrail:
    """What the variables of the model mean; hubs are numbered from 0.

    Parameters
    ----------
    cards, wilds
        The plain cards, and the universal wild ones.
    hubs_of
        For each plain card the hubs it shares with another card or with ``after``, ascending.
    hub_count
        How many such hubs there are.
    after_hubs
        The hubs ``after`` shares with the hand; None without such a card, or if it is universal.
    visited
        y[v] for each hub: it is on the trail.
    ends
        For each plain card the literals that are true for the hubs it is walked between, one for
        each entry of ``hubs_of``; empty for a card that can only be a loop.
    starts
        For each of ``after_hubs`` the literal saying that the sequence starts there.
    """

    cards: list[Card]
    wilds: list[Card]
    hubs_of: list[tuple[int, ...]]
    hub_count: int
    after_hubs: tuple[int, ...] | None
    visited: Sequence[int] = ()
    ends: list[tuple[int, ...]] = field(default_factory=list)
    starts: dict[int, int] = field(default_factory=dict)


class HubTrailEncoder:
    """Dominating trails on the hubs, for ``uno-1``.

    Variables
    ---------
    y[v]
        Hub v is visited.
    x[e]
        Card e, of two shared hubs, is walked as an edge between them; else it is a loop.
    z[e, v], t[e]
        For a card of more than two shared hubs: it is walked and v is one of its two ends; it is
        walked at all.
    odd[v]
        The number of walked cards at v is odd (only for hubs with two or more cards to walk).
    s[v]
        ``after`` is left through its hub v.
    b[v]
        With wild cards: the closed trail through v starts there.

    Constraints
    -----------
    Every card has a visited hub; walking a card visits its ends; at most two odd hubs, or, with w
    wild cards, sum(odd) + 2 sum(b) at most 2(w + 1); the walked cards connect the visited hubs.
    For distinct cards with D = 2, k = 1 and neither wild cards nor ``after``, with h shared hubs
    (d of them met by two or more cards of two shared hubs), n1 cards of one shared hub and n2 of
    two, the model has h + n2 + d variables, n1 + 3 n2 clauses, d parities and one linear row.
    """

    name = "hub-trail"

    def accepts(self, instance: Instance) -> str | None:
        """Declines cards that are wild in some coordinates and yet do not match every card."""
        for card in (*instance.cards, *([] if instance.after is None else [instance.after])):
            if is_wild(card) and not is_universal(card, instance.at_least):
                return (
                    "a card that is wild in fewer coordinates than must agree lies on no fixed "
                    "hubs; 'successor' takes it"
                )
        count = hub_count(instance.dimension, instance.at_least)
        if count > MANY_HUBS:
            return f"a card lies on {count} hubs, more than {MANY_HUBS}; 'successor' takes it"
        return None

    def encode(self, instance: Instance) -> Encoded[HubTrail]:
        """Write the model.

        Examples
        --------
        Three cards around a square that lacks one: the middle one has to be a stop on the way.

        >>> from uno_csp.instances import Uno1
        >>> hand = (("red", 1), ("red", 2), ("blue", 2))
        >>> encoded = HubTrailEncoder().encode(Uno1(hand))
        >>> encoded.model.clauses  # y[red] = 1, y[2] = 2; cards at one hub, then the walkable one
        [(1,), (1, 2), (-3, 1), (-3, 2), (2,)]
        """
        trail = _draw(instance)
        return Encoded(_Writer(trail).write(), trail)

    def decode(self, encoded: Encoded[HubTrail], assignment: Assignment) -> tuple[Card, ...]:
        """Read the trails as card sequences and join them by the wild cards."""
        trail = encoded.data
        pieces = _read_pieces(trail, assignment)
        pieces += [[card] for card, at in zip(trail.cards, trail.hubs_of, strict=True) if not at]
        sequence: list[Card] = []
        joints = iter(trail.wilds)
        for number, piece in enumerate(pieces):
            if number > 0:
                sequence.append(next(joints))
            sequence += piece
        return (*sequence, *joints)


def _draw(instance: Instance) -> HubTrail:
    """Number the hubs that two cards share; the others play no part."""
    k = instance.at_least
    plain = [card for card in instance.cards if not is_universal(card, k)]
    wilds = [card for card in instance.cards if is_universal(card, k)]
    after = instance.after
    fixed = [] if after is None or is_universal(after, k) else [after]
    all_hubs = [hubs(card, k) for card in (*plain, *fixed)]
    degree = Counter(hub for own in all_hubs for hub in own)
    number: dict[Hub, int] = {}
    shared = [
        tuple(sorted(number.setdefault(hub, len(number)) for hub in own if degree[hub] > 1))
        for own in all_hubs
    ]
    return HubTrail(plain, wilds, shared[: len(plain)], len(number), shared[-1] if fixed else None)


class _Writer:
    """Writes the model of one trail, constraint by constraint."""

    def __init__(self, trail: HubTrail) -> None:
        self.trail = trail
        self.model = Model()
        self.y = self.model.new_vars(trail.hub_count)
        trail.visited = self.y
        self.incident: list[list[int]] = [[] for _ in self.y]
        self.presence: list[int] = list(self.y)
        self.tails: list[int] = []
        self.heads: list[int] = []
        self.links: list[int] = []

    def write(self) -> Model:
        """The model, whole."""
        self._write_cards()
        self._write_start()
        self._write_bound(self._write_parities())
        if self.presence:
            covers = [at for at in self.trail.hubs_of if at]
            if self.trail.wilds:
                covers.append((len(self.presence) - 1,))
            self.model.add_global(
                Connected(self.presence, self.tails, self.heads, self.links, covers)
            )
        return self.model

    def _write_cards(self) -> None:
        copies: Counter[Card] = Counter()
        previous: dict[Card, int] = {}
        for card, at in zip(self.trail.cards, self.trail.hubs_of, strict=True):
            if at:
                self.model.add_clause(*(self.y[v] for v in at))
            if len(at) == 2:
                walked = self._write_edge(at)
                copies[card] += 1
                self._fix_copy(copies[card], walked, previous.get(card, 0))
                previous[card] = walked
                self.trail.ends.append((walked, walked))
            elif len(at) > 2:
                self.trail.ends.append(self._write_star(at))
            else:
                self.trail.ends.append(())

    def _write_edge(self, at: tuple[int, ...]) -> int:
        u, v = at
        walked = self.model.new_var()
        self.model.add_clause(-walked, self.y[u])
        self.model.add_clause(-walked, self.y[v])
        self.incident[u].append(walked)
        self.incident[v].append(walked)
        self._link(u, v, walked)
        return walked

    def _fix_copy(self, copy: int, walked: int, previous: int) -> None:
        """The first of several copies is walked, those beyond the second are loops."""
        if copy == 2:
            self.model.add_clause(previous)
        elif copy > 2:
            self.model.add_clause(-walked)

    def _write_star(self, at: tuple[int, ...]) -> tuple[int, ...]:
        """A card of many hubs is a node of its own, with none or two of its hubs beside it."""
        walked = self.model.new_var()
        ends = tuple(self.model.new_vars(len(at)))
        node = len(self.presence)
        self.presence.append(walked)
        self.model.at_most(ends, 2)
        self.model.add_clause(-walked, *ends)
        for end, v in zip(ends, at, strict=True):
            self.model.add_clause(-end, walked)
            self.model.add_clause(-end, self.y[v])
            self.model.add_clause(-end, *(other for other in ends if other != end))
            self.incident[v].append(end)
            self._link(node, v, end)
        return ends

    def _write_start(self) -> None:
        """The card ``after`` is an edge from its own loose end to one of its hubs."""
        if self.trail.after_hubs is None:
            return
        for v in self.trail.after_hubs:
            start = self.model.new_var()
            self.trail.starts[v] = start
            self.model.add_clause(-start, self.y[v])
            self.incident[v].append(start)
        literals = list(self.trail.starts.values())
        if len(literals) > 1:
            self.model.at_most(literals, 1)
        if self.trail.cards and not self.trail.wilds:
            self.model.add_clause(*literals)

    def _write_parities(self) -> dict[int, int]:
        """For each hub that can be odd the literal saying so."""
        odd = {}
        for v, literals in enumerate(self.incident):
            if len(literals) == 1:
                odd[v] = literals[0]
            elif literals:
                odd[v] = self.model.new_var()
                self.model.add_parity([*literals, odd[v]], odd=False)
        return odd

    def _write_bound(self, odd: dict[int, int]) -> None:
        """Ends of trails, two for each sequence; ``after`` holds one, or two if it stays alone."""
        trail = self.trail
        lonely = sum(not at for at in trail.hubs_of)
        literals, weights = list(odd.values()), [1] * len(odd)
        allowed = 2 * (len(trail.wilds) + 1) - 2 * lonely
        if trail.after_hubs is not None and (trail.cards or trail.wilds):
            literals += trail.starts.values()
            weights += [-1] * len(trail.starts)
            allowed -= 2
        if trail.wilds:
            self._write_apex(odd, literals, weights)
        elif lonely and (len(trail.cards) > 1 or trail.after_hubs is not None):
            self.model.add_clause()
        if literals or allowed < 0:
            self.model.add_linear(weights, literals, Sense.AT_MOST, allowed)

    def _write_apex(self, odd: dict[int, int], literals: list[int], weights: list[int]) -> None:
        apex = len(self.presence)
        self.presence.append(self.model.new_var())
        self.model.add_clause(self.presence[apex])
        for v, literal in (*odd.items(), *self.trail.starts.items()):
            self._link(apex, v, literal)
        closed = self.model.new_vars(len(self.y))
        for v, literal in enumerate(closed):
            self.model.add_clause(-literal, self.y[v])
            self._link(apex, v, literal)
        literals += closed
        weights += [2] * len(closed)

    def _link(self, tail: int, head: int, literal: int) -> None:
        self.tails.append(tail)
        self.heads.append(head)
        self.links.append(literal)


_APEX = -1
_JOINT = -1
_START = -2


def _read_pieces(trail: HubTrail, assignment: Assignment) -> list[list[Card]]:
    """The trails as lists of cards; with ``after`` the first follows it, and may be empty."""
    edges: list[tuple[int, int, int]] = []
    loops: defaultdict[int, list[int]] = defaultdict(list)
    for card, (at, ends) in enumerate(zip(trail.hubs_of, trail.ends, strict=True)):
        walked = [v for v, end in zip(at, ends, strict=False) if assignment[end]]
        if walked:
            edges.append((walked[0], walked[1], card))
        elif at:
            loops[next(v for v in at if assignment[trail.visited[v]])].append(card)
    start = next((v for v, literal in trail.starts.items() if assignment[literal]), None)
    if start is not None:
        edges.append((_APEX, start, _START))
    visited = [v for v, y in enumerate(trail.visited) if assignment[y]]
    edges += _joints(edges, visited)
    pieces: list[list[Card]] = [[]] if trail.after_hubs is not None and start is None else []
    for walk in _split_at_apex(_eulerian_circuit(edges, _APEX)):
        piece: list[Card] = []
        for edge, hub in walk if walk[-1][0] != _START else _reversed(walk):
            piece += [trail.cards[edge]] if edge >= 0 else []
            piece += [trail.cards[card] for card in loops.pop(hub, ())]
        if _START in (walk[0][0], walk[-1][0]):
            pieces.insert(0, piece)
        else:
            pieces.append(piece)
    return pieces


def _joints(
    edges: list[tuple[int, int, int]], visited: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Edges to the apex: one from each odd hub, two from a hub of each component without any."""
    degree: Counter[int] = Counter()
    around: defaultdict[int, list[int]] = defaultdict(list)
    for u, v, _ in edges:
        degree[u] += 1
        degree[v] += 1
        around[u].append(v)
        around[v].append(u)
    joints = []
    seen = {_APEX}
    for root in visited:
        if root in seen:
            continue
        seen.add(root)
        component = [root]
        for node in component:
            fresh = [other for other in around[node] if other not in seen]
            for other in fresh:
                if other not in seen:
                    seen.add(other)
                    component.append(other)
        odd = [node for node in component if degree[node] % 2]
        anchored = odd or any(_APEX in around[node] for node in component)
        joints += [(_APEX, node, _JOINT) for node in (odd if anchored else [root, root])]
    return joints


def _eulerian_circuit(edges: list[tuple[int, int, int]], start: int) -> list[tuple[int, int]]:
    """Hierholzer's algorithm: every edge once, as (label of the edge, node it leads to)."""
    around: defaultdict[int, list[int]] = defaultdict(list)
    for index, (u, v, _) in enumerate(edges):
        around[u].append(index)
        around[v].append(index)
    used = [False] * len(edges)
    stack = [(_JOINT, start)]
    circuit = []
    while stack:
        _, node = stack[-1]
        while around[node] and used[around[node][-1]]:
            around[node].pop()
        if around[node]:
            index = around[node].pop()
            used[index] = True
            u, v, label = edges[index]
            stack.append((label, v if node == u else u))
        else:
            circuit.append(stack.pop())
    circuit.reverse()
    return circuit[1:]


def _split_at_apex(circuit: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    walks: list[list[tuple[int, int]]] = []
    walk: list[tuple[int, int]] = []
    for edge, node in circuit:
        walk.append((edge, node))
        if node == _APEX:
            walks.append(walk)
            walk = []
    return walks


def _reversed(walk: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same walk from its end: edges backwards, each with the node it now leads to."""
    nodes = [_APEX, *(node for _, node in walk)]
    return [(walk[i][0], nodes[i]) for i in range(len(walk) - 1, -1, -1)]


ENCODER = HubTrailEncoder()
