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

The optimisation questions follow. Where 2k <= D one added card joins any two sequences, so
``fill-in`` minimises r. Cards of a supply are edges that may be left out, at a price: one that
is a mere loop serves no purpose. ``longest`` lets hubs be missed, at the price of the cards that
have no other.

Three things shrink the model. A hub of degree one never needs to be visited: a card walked into it
would end the trail there, and stopping before is as good. Of hubs with the same cards one is enough
(:func:`~uno_csp.cards.spare_hubs`). And of two equal cards on just two hubs one may be taken as
walked: if none is, walking both changes no parity and connects what is there. Copies are
interchangeable, so they are walked in their order, and no more of them than a card has hubs.
"""

from collections import Counter
from collections.abc import Iterator

from uno_csp.answers import Witness
from uno_csp.cards import MANY_HUBS, hub_count, is_universal, is_wild, previous_copies
from uno_csp.encodings._hub_graph import HubTrail, draw, meanings, read_witness
from uno_csp.modeling import (
    Assignment,
    Connected,
    Encoded,
    Encoder,
    Hints,
    Model,
    Objective,
    Proof,
    Relation,
)
from uno_csp.questions import FillIn, HandQuestion, Longest, Sense, Uno1


class HubTrailEncoder(Encoder[HandQuestion, HubTrail]):
    """Dominating trails on the hubs, for ``uno-1``, ``longest`` and ``fill-in``.

    Variables
    ---------
    y[v]
        Hub v is visited.
    x[e]
        Card e, of two shared hubs, is walked as an edge between them; else it is a loop, or not
        added if it is one of a supply.
    z[e, v], t[e]
        For a card of more than two shared hubs: it is walked and v is one of its two ends; it is
        walked at all.
    odd[v]
        The number of walked cards at v is odd (only for hubs with two or more cards to walk).
    s[v]
        ``after`` is left through its hub v.
    b[v]
        Where trails can be joined: the closed trail through v starts there.
    u[h]
        In ``longest``: the cards that share just the hubs h are not played.

    Constraints
    -----------
    Every card has a visited hub; walking a card visits its ends; at most two odd hubs, or, with w
    wild cards, sum(odd) + 2 sum(b) at most 2(w + 1); the walked cards connect the visited hubs.
    For distinct cards with D = 2, k = 1 and neither wild cards nor ``after``, with h shared hubs
    (d of them met by two or more cards of two shared hubs), n1 cards of one shared hub and n2 of
    two, the model of ``uno-1`` has h + n2 + d variables, n1 + 3 n2 clauses, d parities and one
    linear row. ``fill-in`` has an apex and h variables b more, and no linear row.
    """

    name = "hub-trail"
    takes = (Uno1, Longest, FillIn)
    preference = 1
    proves = Proof.EXACT

    def declines(self, instance: HandQuestion) -> str | None:
        """Cards that are wild in some coordinates and yet do not match every card."""
        pile = () if instance.after is None else (instance.after,)
        for card in (*instance.cards, *(instance.supply or ()), *pile):
            if is_wild(card) and not is_universal(card, instance.at_least):
                return (
                    "a card that is wild in fewer coordinates than must agree lies on no fixed "
                    "hubs; 'successor' takes it"
                )
        count = hub_count(instance.dimension, instance.at_least)
        if count > MANY_HUBS:
            return f"a card lies on {count} hubs, more than {MANY_HUBS}; 'successor' takes it"
        if instance.supply is None and 2 * instance.at_least > instance.dimension:
            return (
                "to join two cards may take a chain of added ones when more than half of the "
                "coordinates must agree; 'successor' takes it"
            )
        return None

    def encode(self, instance: HandQuestion) -> Encoded[HubTrail]:
        """Write the model.

        Examples
        --------
        Three cards around a square that lacks one: the middle one has to be a stop on the way.

        >>> from uno_csp.questions import Uno1
        >>> hand = (("red", 1), ("red", 2), ("blue", 2))
        >>> encoded = HubTrailEncoder().encode(Uno1(hand))
        >>> encoded.model.clauses  # y[red] = 1, y[2] = 2; the three cards, then the walkable one
        [(1,), (1, 2), (2,), (-3, 1), (-3, 2)]
        """
        trail = draw(instance)
        return Encoded(_Writer(trail).write(), trail)

    def decode(self, encoded: Encoded[HubTrail], assignment: Assignment) -> Witness:
        """Read the trails as card sequences and join them."""
        return read_witness(encoded.data, assignment)

    def meanings(self, encoded: Encoded[HubTrail]) -> Iterator[tuple[int, str]]:
        """Every variable but the apex."""
        return meanings(encoded.data)

    def mend(self, encoded: Encoded[HubTrail], assignment: Assignment) -> Witness | None:
        """A witness from trails that are not connected, where they can be left apart."""
        instance = encoded.data.instance
        apart = not instance.whole or instance.supply is None
        return self.decode(encoded, assignment) if apart else None


class _Writer:
    """Writes the model of one trail, constraint by constraint."""

    def __init__(self, trail: HubTrail) -> None:
        self.trail = trail
        self.model = Model()
        self.y = self.model.new_vars(len(trail.hubs))
        trail.visited = self.y
        self.incident: list[list[int]] = [[] for _ in self.y]
        self.presence: list[int] = list(self.y)
        self.tails: list[int] = []
        self.heads: list[int] = []
        self.links: list[int] = []
        self.multiplicities: list[int] = []  # of each link, to make every node even
        self.loose: list[tuple[int, int]] = []
        self.covers: list[tuple[int, ...]] = []
        self.literals: list[int] = []  # ends of trails, with weights; see _write_ends
        self.weights: list[int] = []

    def write(self) -> Model:
        """The model, whole."""
        if not self.trail.instance.whole:
            self._write_missed_cards()
        else:
            self._write_covers()
        self._write_walks()
        self._write_start()
        self._write_ends()
        if self.presence:
            self.model.add_global(
                Connected(
                    self.presence,
                    self.tails,
                    self.heads,
                    self.links,
                    Hints(self.covers, self.multiplicities, self.loose),
                )
            )
        return self.model

    def _write_covers(self) -> None:
        for at in self.trail.hubs_of[: len(self.trail.cards)]:
            if at:
                self.model.add_clause(*(self.y[v] for v in at))
                self.covers.append(at)

    def _write_missed_cards(self) -> None:
        """Minimise the cards without a visited hub, those on the same hubs together."""
        sizes = Counter(at for at in self.trail.hubs_of if at)
        missed = []
        for at in sizes:
            if len(at) == 1:
                missed.append(-self.y[at[0]])
            else:
                missed.append(self.model.new_var())
                self.trail.missed[at] = missed[-1]
                self.model.add_clause(missed[-1], *(self.y[v] for v in at))
        weights = list(sizes.values())
        played = sum(weights) + len(self.trail.wilds)
        if self.trail.wilds and self.trail.lonely:
            # A lonely card is a trail of its own; which one makes no difference.
            kept = self.model.new_vars(min(self.trail.lonely, len(self.trail.wilds) + 1))
            self.literals += kept
            self.weights += [2] * len(kept)
            missed += [-literal for literal in kept]
            weights += [1] * len(kept)
            played += len(kept)
        elif not self.y and self.trail.after_hubs is None and self.trail.cards:
            played += 1  # no two cards match
        self.model.objective = Objective(weights, missed, -played)

    def _write_walks(self) -> None:
        held = len(self.trail.cards)
        cards = [*self.trail.cards, *(card for card, _ in self.trail.offers)]
        previous = previous_copies((card, index < held) for index, card in enumerate(cards))
        copy = [1] * len(cards)
        for index, (at, before) in enumerate(zip(self.trail.hubs_of, previous, strict=True)):
            if len(at) == 2:
                walked = self._write_edge(at)
                self._walked(walked, (walked, walked))
            elif len(at) > 2:
                self._write_star(at)
            else:
                self._walked(0, ())
            if before is not None and len(at) > 1:
                copy[index] = copy[before] + 1
                self._order_copies(index, before, copy[index])

    def _walked(self, literal: int, ends: tuple[int, ...]) -> None:
        self.trail.walked.append(literal)
        self.trail.ends.append(ends)

    def _write_edge(self, at: tuple[int, ...]) -> int:
        u, v = at
        walked = self.model.new_var()
        self.model.add_clause(-walked, self.y[u])
        self.model.add_clause(-walked, self.y[v])
        self.incident[u].append(walked)
        self.incident[v].append(walked)
        self._link(u, v, walked)
        return walked

    def _order_copies(self, index: int, before: int, copy: int) -> None:
        """Copies are walked in order, and never more of them than the card has hubs.

        Of two copies on two hubs that are held, the first one is walked. Of copies on more hubs
        the later one has no end before the first end of the earlier one.
        """
        trail = self.trail
        walked, previous = trail.walked[index], trail.walked[before]
        hubs = len(trail.hubs_of[index])
        if copy > hubs:
            self.model.add_clause(-walked)
        elif hubs == 2 and index < len(trail.cards) and trail.instance.whole:
            self.model.add_clause(previous)
        else:
            self.model.add_clause(-walked, previous)
        if 2 < hubs >= copy:
            earlier = trail.ends[before]
            for place, end in enumerate(trail.ends[index]):
                self.model.add_clause(-end, *earlier[: place + 1])

    def _write_star(self, at: tuple[int, ...]) -> None:
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
        self._walked(walked, ends)

    def _write_start(self) -> None:
        """The card ``after`` is an edge from its own loose end to one of its hubs."""
        trail = self.trail
        if trail.after_hubs is None:
            return
        for v in trail.after_hubs:
            start = self.model.new_var()
            trail.starts[v] = start
            self.model.add_clause(-start, self.y[v])
            self.incident[v].append(start)
        literals = list(trail.starts.values())
        if len(literals) > 1:
            self.model.at_most(literals, 1)
        if trail.has_joints or not trail.cards:
            return
        if not trail.instance.whole:
            pile = self._new_node()
            for v, start in trail.starts.items():
                self._link(pile, v, start)
                self.loose.append((pile, start))
        else:
            self.model.add_clause(*literals)
            self.loose += trail.starts.items()

    def _write_ends(self) -> None:
        """Two ends for each sequence; ``after`` holds one, or two if it stays alone.

        Their number is to be minimised, or is at most 2(w + 1) for w wild cards.
        """
        trail = self.trail
        fixed = 2 * trail.lonely if trail.instance.whole else 0
        odd = trail.odd = self._write_parities()
        self.literals += odd.values()
        self.weights += [1] * len(odd)
        if trail.after_hubs is not None and (trail.cards or trail.wilds):
            self.literals += trail.starts.values()
            self.weights += [-1] * len(trail.starts)
            fixed += 2
        if trail.has_joints:
            self._write_apex(odd)
        else:
            self.loose += odd.items()
            alone = len(trail.cards) == 1 and trail.after_hubs is None
            if trail.instance.whole and trail.lonely and not alone:
                self.model.add_clause()
        self._write_price(2 * (len(trail.wilds) + 1) - fixed)

    def _write_price(self, free_ends: int) -> None:
        instance = self.trail.instance
        if instance.supply is None:
            self.model.objective = Objective(
                self.weights, self.literals, offset=-free_ends // 2, unit=2, floor=0
            )
            return
        if instance.sense is Sense.MINIMISE:
            self._write_supply()
        if self.literals or free_ends < 0:
            self.model.add_linear(self.weights, self.literals, Relation.AT_MOST, free_ends)

    def _write_supply(self) -> None:
        """Each added wild card joins two more trails; added cards have their costs."""
        trail = self.trail
        used = self.model.new_vars(len(trail.wild_offers))
        trail.wild_used = used
        self.literals += used
        self.weights += [-2] * len(used)
        walked = trail.walked[len(trail.cards) :]
        priced = [
            *zip(used, trail.wild_offers, strict=True),
            *zip(walked, trail.offers, strict=True),
        ]
        costs = [cost for literal, (_, cost) in priced if literal]
        literals = [literal for literal, _ in priced if literal]
        self.model.objective = Objective(costs, literals, floor=0)

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

    def _write_apex(self, odd: dict[int, int]) -> None:
        apex = self._new_node()
        for v, literal in (*odd.items(), *self.trail.starts.items()):
            self._link(apex, v, literal)
        closed = self.model.new_vars(len(self.y))
        for v, literal in enumerate(closed):
            self.model.add_clause(-literal, self.y[v])
            self._link(apex, v, literal, multiplicity=2)
        self.trail.closed = closed
        self.literals += closed
        self.weights += [2] * len(closed)

    def _new_node(self) -> int:
        """A node of the connected graph that is always there."""
        node = len(self.presence)
        self.presence.append(self.model.new_var())
        self.model.add_clause(self.presence[node])
        self.covers.append((node,))
        return node

    def _link(self, tail: int, head: int, literal: int, multiplicity: int = 1) -> None:
        self.multiplicities.append(multiplicity)
        self.tails.append(tail)
        self.heads.append(head)
        self.links.append(literal)


ENCODER = HubTrailEncoder()
