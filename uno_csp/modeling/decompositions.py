"""Eager enforcement of the global constraints: complete decompositions into plain constraints.

Both require that every present node can be reached from one of them, the root. They differ in how
they exclude cycles that avoid the root.

``order``
    Every node but the root has a parent, and a binary label that is its parent's label plus one,
    modulo a power of two above the number of nodes. Around a cycle of l nodes the label would grow
    by l, so l would be a multiple of that power, but l is smaller (Miller, Tucker and Zemlin 1960,
    with binary labels, which suit SAT). For n nodes and m arcs O((n + m) log n) clauses.
``flow``
    The root sends one unit of flow to every other node, along chosen edges only (Gavish and
    Graves 1978). A flow is a sum of bits; linear solvers may relax these to fractions, since a
    fractional flow proves connectivity just as well. O(m log n) variables and O(n) equations.

:func:`add_residues` is no decomposition, but helps the lazy enforcement of circuits.

Heule, M. J. H. (2021): Chinese remainder encoding for Hamiltonian cycles. SAT 2021, 216-224.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from uno_csp.modeling.clauses import CHUNK, Block
from uno_csp.modeling.model import Circuit, Connected, Model, Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.int32]


def relax(model: Model) -> Model:
    """Return the model without its globals, but with the degree constraints of every circuit.

    No two nodes follow each other, unless one of them is node 0: such cycles are the most frequent
    ones that avoid node 0. The cuts of :func:`~uno_csp.modeling.cuts.violated_cuts`, added in
    rounds, complete it.
    """
    plain = model.copy()
    plain.globals = []
    for constraint in model.globals:
        if isinstance(constraint, Circuit):
            _add_degrees(plain, constraint)
    return plain


def decompose(model: Model, name: str) -> Model:
    """Return an equivalent model without globals, made by the named decomposition."""
    plain = relax(model)
    for constraint in model.globals:
        DECOMPOSITIONS[name][type(constraint)](constraint, plain)
    return plain


def add_residues(model: Model, circuit: Circuit, modulus: int) -> None:
    """Label every node with its place on a circuit, modulo a number: a redundant constraint.

    A cycle that avoids node 0 then has a length that is a multiple of the modulus, and if no node
    can be skipped, the one through node 0 has the length of the circuit modulo that number (Heule
    2021). So the labels exclude most of the cycles that a relaxation would need cuts for.
    """
    labels = [_residue(model, modulus) for _ in range(circuit.num_nodes)]
    model.add_clause(labels[0][0])
    arcs = list(circuit.edges())
    whole = all(tail != head for tail, head, _ in arcs)
    for tail, head, literal in arcs:
        if tail == head or (head == 0 and not whole):
            continue
        if head == 0:
            model.add_clause(-literal, labels[tail][(circuit.num_nodes - 1) % modulus])
            continue
        for place, label in enumerate(labels[tail]):
            model.add_clause(-literal, -label, labels[head][(place + 1) % modulus])


def _residue(model: Model, modulus: int) -> Sequence[int]:
    """Return a literal for each residue, one of which is true."""
    if modulus == 2:
        odd = model.new_var()
        return -odd, odd
    labels = model.new_vars(modulus)
    model.add_clause(*labels)
    model.add_clauses((-one, -other) for one, other in combinations(labels, 2))
    return labels


def _add_degrees(model: Model, circuit: Circuit) -> None:
    leaving = [array("i") for _ in range(circuit.num_nodes)]
    entering = [array("i") for _ in range(circuit.num_nodes)]
    for tail, head, literal in circuit.edges():
        leaving[tail].append(literal)
        entering[head].append(literal)
    for literals in (*leaving, *entering):
        model.exactly(literals, 1)
    model.add_block(_opposite_arcs(circuit))


def _opposite_arcs(circuit: Circuit) -> Block:
    """Return the clauses that no two nodes but node 0 follow each other."""
    import numpy as np

    tails, heads, literals = _arrays(circuit)
    upward = np.flatnonzero((tails > 0) & (tails < heads))
    keys = tails[upward].astype(np.int64) * circuit.num_nodes + heads[upward]
    followers = literals[upward[np.argsort(keys)]]
    keys.sort()
    pairs = [np.empty((0, 2), dtype=np.int32)]
    for start in range(0, len(tails) if len(keys) else 0, CHUNK):
        tail, head, literal = (each[start : start + CHUNK] for each in (tails, heads, literals))
        wanted = head.astype(np.int64) * circuit.num_nodes + tail
        places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
        both = keys[places] == wanted
        pairs.append(-np.column_stack((followers[places[both]], literal[both])))
    return Block(sum(map(len, pairs)), iter, (pairs,))


def _arrays(constraint: Circuit | Connected) -> tuple[Numbers, Numbers, Numbers]:
    """Return the tails, heads and literals of the arcs."""
    import numpy as np

    literals: Sequence[int] | Numbers = constraint.literals
    if isinstance(literals, range):
        literals = np.arange(literals.start, literals.stop, dtype=np.int32)
    ends = (np.asarray(each, dtype=np.int32) for each in (constraint.tails, constraint.heads))
    return next(ends), next(ends), np.asarray(literals, dtype=np.int32)


def _order_circuit(constraint: Circuit, model: Model) -> None:
    import numpy as np

    tails, heads, literals = _arrays(constraint)
    onward = (heads > 0) & (tails != heads)
    _count_along(model, constraint.num_nodes, tails, heads, np.where(onward, literals, 0))


def _order_connected(constraint: Connected, model: Model) -> None:
    import numpy as np

    root = _choose_root(model, constraint)
    parents: list[list[int]] = [[] for _ in constraint.presence]
    tails, heads, links = _arrays(constraint)
    # of an edge, the first variable makes its tail the parent, the second its head
    chosen = model.new_vars(2 * len(links))
    for tail, head, down in zip(tails.tolist(), heads.tolist(), chosen[::2], strict=True):
        parents[head].append(down)
        parents[tail].append(down + 1)
    literals = np.arange(chosen.start, chosen.stop, dtype=np.int32)
    downs, ups = literals[::2], literals[1::2]
    clauses = np.column_stack((-downs, links, -ups, links, -downs, -ups)).reshape(-1, 2)
    model.add_block(Block(len(clauses), iter, ((clauses,),)))
    for node, presence in enumerate(constraint.presence):
        is_root = [root[node]] if node in root else []
        model.add_clause(-presence, *is_root, *parents[node])
    ends = np.column_stack((tails, heads))
    _count_along(model, len(constraint.presence), ends.ravel(), ends[:, ::-1].ravel(), literals)


def _count_along(
    model: Model, num_nodes: int, tails: Numbers, heads: Numbers, chosen: Numbers
) -> None:
    """Require label(head) = label(tail) + 1 modulo 2^bits for every chosen arc; 0 is none."""
    import numpy as np

    bits = num_nodes.bit_length()
    labels = [model.new_vars(bits) for _ in range(num_nodes)]
    following = np.array([_plus_one(model, label) for label in labels], dtype=np.int32)
    count = int(np.count_nonzero(chosen))
    if count:
        arguments = (tails, heads, chosen, np.array(labels, dtype=np.int32), following)
        model.add_block(Block(2 * bits * count, _counting, arguments))


def _counting(
    tails: Numbers, heads: Numbers, chosen: Numbers, labels: Numbers, following: Numbers
) -> Iterator[Numbers]:
    """Yield for each arc and bit of its label: not chosen, or the bits after and at are equal."""
    import numpy as np

    bits = labels.shape[1]
    arcs = CHUNK // (6 * bits)
    for start in range(0, len(chosen), arcs):
        some = start + np.flatnonzero(chosen[start : start + arcs])
        after, at = following[tails[some]], labels[heads[some]]
        unless = np.broadcast_to(-chosen[some, None], after.shape)
        both = np.stack((unless, -after, at, unless, after, -at), axis=2)
        yield both.reshape(-1, 3)


def _plus_one(model: Model, number: Sequence[int]) -> list[int]:
    """Return the literals of a binary number plus one, lowest bit first, without the last carry."""
    total = [-number[0]]
    carry = number[0]
    for bit in number[1:]:
        flipped = model.new_var()
        model.add_clauses(((-flipped, bit, carry), (-flipped, -bit, -carry)))
        model.add_clauses(((flipped, -bit, carry), (flipped, bit, -carry)))
        total.append(flipped)
        if bit != number[-1]:
            both = model.new_var()
            model.add_clauses(((-both, bit), (-both, carry), (both, -bit, -carry)))
            carry = both
    return total


def _choose_root(model: Model, constraint: Connected) -> Mapping[int, int]:
    """Return the candidates for the root, each with the literal that selects it.

    The root is the first present node of the smallest cover: a cover has a present node, and a
    small one keeps the choice cheap. Without covers it is the first present node of all.
    """
    candidates = min(constraint.implied.covers, key=len, default=range(len(constraint.presence)))
    root: dict[int, int] = {}
    earlier: int | None = None
    for node in candidates:
        presence = constraint.presence[node]
        is_root = model.new_var()
        model.add_clause(-is_root, presence)
        seen = model.new_var()
        model.add_clause(-presence, seen)
        if earlier is not None:
            model.add_clause(-is_root, -earlier)
            model.add_clause(-earlier, seen)
        root[node] = is_root
        earlier = seen
    return root


def _flow_circuit(constraint: Circuit, model: Model) -> None:
    balance = _Balance(model, constraint.num_nodes)
    use: list[list[int]] = [[] for _ in range(constraint.num_nodes)]
    for tail, head, literal in constraint.edges():
        if tail == head:
            use[tail].append(-literal)
        else:
            balance.add_arc(tail, head, literal)
    for node in range(1, constraint.num_nodes):
        balance.keep_one_unit(node, use[node][0] if use[node] else None)


def _flow_connected(constraint: Connected, model: Model) -> None:
    balance = _Balance(model, len(constraint.presence))
    for tail, head, link in constraint.edges():
        # A tree needs no edge both ways; stating this spares SAT solvers endless circulations.
        onward = model.new_var()
        model.continuous.append(onward)
        balance.add_arc(tail, head, link, onward)
        balance.add_arc(head, tail, link, -onward)
    for node, is_root in _choose_root(model, constraint).items():
        balance.add_source(node, is_root)
    for node, presence in enumerate(constraint.presence):
        balance.keep_one_unit(node, presence)


class _Balance:
    """Flow on arcs, as sums of bits, and flow conservation at the nodes."""

    def __init__(self, model: Model, num_nodes: int) -> None:
        self._model = model
        self._powers = [1 << bit for bit in range(num_nodes.bit_length())]
        self._losses = [-power for power in self._powers]
        self._coefficients = [array("q") for _ in range(num_nodes)]
        self._literals = [array("i") for _ in range(num_nodes)]

    def add_arc(self, tail: int, head: int, *literals: int) -> None:
        """Add an arc that may carry flow only if the literals are true."""
        bits = self._flow(*literals)
        self._add(head, self._powers, bits)
        self._add(tail, self._losses, bits)

    def add_source(self, node: int, literal: int) -> None:
        """Make the node a source of flow if the literal is true."""
        self._add(node, self._powers, self._flow(literal))

    def _add(self, node: int, coefficients: Sequence[int], literals: Sequence[int]) -> None:
        self._coefficients[node].extend(coefficients)
        self._literals[node].extend(literals)

    def keep_one_unit(self, node: int, presence: int | None) -> None:
        """Require that the node absorbs one unit if present (None: always), else none."""
        if presence is not None:
            self._add(node, (-1,), (presence,))
        bound = int(presence is None)
        terms = self._coefficients[node], self._literals[node]
        self._model.add_linear(*terms, Relation.EQUAL, bound)

    def _flow(self, *literals: int) -> range:
        bits = self._model.new_vars(len(self._powers))
        self._model.continuous.extend(bits)
        for literal in literals:
            self._model.add_clauses([(-bit, literal) for bit in bits])
        return bits


DECOMPOSITIONS: Mapping[str, Mapping[type, Callable[[Any, Model], None]]] = MappingProxyType(
    {
        "order": {Circuit: _order_circuit, Connected: _order_connected},
        "flow": {Circuit: _flow_circuit, Connected: _flow_connected},
    }
)
"""The decompositions by name; the first is what ``eager`` stands for."""
