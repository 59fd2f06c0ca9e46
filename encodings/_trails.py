"""Decoding of trail models: from assignments to card sequences."""

from dataclasses import dataclass

from uno_csp.encodings._trail_model import HubTrail
from uno_csp.hub_graph import Chosen, Kernel, read_witness
from uno_csp.modeling import Assignment
from uno_csp.questions.answers import Witness


@dataclass(frozen=True, slots=True)
class TrailData:
    """A kernel, and the variables of its model."""

    kernel: Kernel
    trail: HubTrail

    def read(self, assignment: Assignment) -> Witness:
        """Return the trails of an assignment as card sequences, joined."""
        return read_witness(self.kernel.core.graph, self.kernel.lift(self._chosen(assignment)))

    def _chosen(self, assignment: Assignment) -> Chosen:
        """Return the trails on the core that an assignment describes."""
        core, trail = self.kernel.core, self.trail
        walked = []
        for (index, at), ends in zip(core.cards, trail.ends, strict=True):
            between = [v for v, end in zip(at, ends, strict=True) if assignment[end]]
            if len(between) == 2:
                walked.append((between[0], between[1], index))
        rows = [
            next(
                row
                for row, literal in zip(part.table.rows, literals, strict=True)
                if assignment[literal]
            )
            for (_, part), literals in zip(core.parts, trail.rows, strict=True)
        ]
        visited = {v for v, literal in enumerate(trail.visited) if assignment[literal]}
        # A card without two ends is a loop at a hub of its own; at an edge it needs that hub alone.
        visited.update(
            core.cards[place][1][0] for place, on in trail.alone.items() if assignment[on]
        )
        start = next((v for v, literal in trail.starts.items() if assignment[literal]), None)
        wild_added = [index for index, literal in enumerate(trail.wild_used) if assignment[literal]]
        return Chosen(visited, walked, rows, start, wild_added)
