"""Patching: joins the cycles of an assignment that violates only a circuit constraint.

Two arcs of different cycles are exchanged for two others that make one cycle of both; one of the
cycles may be turned round for it (Karp 1979). In grids, in graphs of knight's moves, and in dense
graphs that joins all cycles at once. It takes one look at every arc, so it is done in each round of
the cut loop.

Karp, R. M. (1979): A patching algorithm for the nonsymmetric traveling-salesman problem. SIAM
Journal on Computing 8(4), 561-573.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TypeAlias

from uno_csp.modeling import Assignment, Circuit, Model

Arc: TypeAlias = tuple[int, int]  # tail and head
SKIPPED = -1  # cycle of a node that is skipped


class Patcher:
    """Patches assignments of a model whose only global constraint is a circuit.

    Arcs in other constraints, and arcs that are there twice, are neither removed nor added.
    """

    def __init__(self, model: Model, circuit: Circuit) -> None:
        linears = (linear.literals for linear in model.linears)
        parities = (parity.literals for parity in model.parities)
        kept = {abs(each) for each in itertools.chain(*model.clauses, *linears, *parities)}
        arcs = list(zip(circuit.tails, circuit.heads, circuit.literals, strict=True))
        times = Counter((tail, head) for tail, head, _ in arcs)
        times_named = Counter(abs(literal) for _, _, literal in arcs)
        self._circuit = circuit
        self._free = {
            (tail, head): literal
            for tail, head, literal in arcs
            if tail != head
            and abs(literal) not in kept
            and times[tail, head] == times_named[abs(literal)] == 1
        }

    def __call__(self, assignment: Assignment, _work: int = 0) -> Assignment | None:
        """Return an assignment whose chosen arcs are one circuit; None if none was found."""
        cycles = _Cycles(self._circuit, assignment)
        before = cycles.count + 1
        while 1 < cycles.count < before:
            before = cycles.count
            for tail, head in self._free:
                if cycles.of[tail] != cycles.of[head]:
                    cycles.join(tail, head, self._free)
        return None if cycles.count > 1 else self._change(assignment, cycles.following)

    def _change(self, assignment: Assignment, following: Sequence[int]) -> Assignment:
        """Return the assignment with these arcs instead of those that it chose."""
        changed = list(assignment)
        for (tail, head), literal in self._free.items():
            changed[abs(literal)] = (following[tail] == head) == (literal > 0)
        return changed


class _Cycles:
    """Disjoint cycles on nodes: the next node of each, the cycle ``of`` each, and their count."""

    def __init__(self, circuit: Circuit, assignment: Assignment) -> None:
        nodes = range(circuit.num_nodes)
        self.following, self._preceding = list(nodes), list(nodes)
        arcs = zip(circuit.tails, circuit.heads, circuit.literals, strict=True)
        for tail, head, literal in arcs:
            if assignment[abs(literal)] == (literal > 0):
                self._link(tail, head)
        self.of = [SKIPPED] * len(nodes)
        self._nodes: list[list[int]] = []
        for node in nodes:
            if self.of[node] == SKIPPED and self.following[node] != node:
                cycle = self._from(node)
                for each in cycle:
                    self.of[each] = len(self._nodes)
                self._nodes.append(cycle)
        self.count = len(self._nodes)
        self._one_way: set[int] = set()  # cycles that could not be turned round

    def join(self, tail: int, head: int, free: Collection[Arc]) -> None:
        """Join the cycles of two nodes by exchanging free arcs, if that can be done."""
        after, before = self.following[tail], self._preceding[head]
        if SKIPPED in (self.of[tail], self.of[head]):
            return
        if (before, after) in free and (before, head) in free and (tail, after) in free:
            self._exchange(tail, head, (tail, head), (before, after))
            return
        small, large = (tail, head) if self._size(tail) < self._size(head) else (head, tail)
        for turned, other in ((small, large), (large, small)):
            new = (other, turned), (self.following[turned], self.following[other])
            old = (turned, self.following[turned]), (other, self.following[other])
            if all(arc in free for arc in (*new, *old)) and self._turn(turned, free):
                self._exchange(tail, head, *new)
                return

    def _exchange(self, tail: int, head: int, *new: Arc) -> None:
        """Choose two new arcs, which join the cycles of two nodes."""
        for arc in new:
            self._link(*arc)
        small, large = sorted((self.of[tail], self.of[head]), key=lambda at: len(self._nodes[at]))
        if small in self._one_way:
            self._one_way.add(large)
        for node in self._nodes[small]:
            self.of[node] = large
        self._nodes[large] += self._nodes[small]
        self.count -= 1

    def _turn(self, node: int, free: Collection[Arc]) -> bool:
        """Turn all arcs of a cycle round but the one that leaves a node, if all can be."""
        if self.of[node] in self._one_way:
            return False
        path = [*self._from(node)[1:], node]
        arcs = list(itertools.pairwise(path))
        if not all((tail, head) in free and (head, tail) in free for tail, head in arcs):
            self._one_way.add(self.of[node])
            return False
        for tail, head in arcs:
            self._link(head, tail)
        return True

    def _size(self, node: int) -> int:
        return len(self._nodes[self.of[node]])

    def _link(self, tail: int, head: int) -> None:
        self.following[tail] = head
        self._preceding[head] = tail

    def _from(self, node: int) -> list[int]:
        """Return the nodes of a cycle in order, from this one on."""
        cycle = [node]
        while (node := self.following[node]) != cycle[0]:
            cycle.append(node)
        return cycle
