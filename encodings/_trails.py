"""Base of the encodings by trails: the kernel of a hub graph, and trails read as sequences."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import TypeVar

from uno_csp.encodings._trail_model import HubTrail
from uno_csp.encodings._trail_words import meanings
from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.graph import build_hub_graph
from uno_csp.hub_graph.kernel import Kernel, identity_kernel, kernelize
from uno_csp.modeling import Assignment, Encoded, Encoder
from uno_csp.questions import HandQuestion
from uno_csp.questions.answers import Witness

InstanceT = TypeVar("InstanceT", bound=HandQuestion)


@dataclass(frozen=True, slots=True)
class TrailData:
    """A kernel, and the variables of its model."""

    kernel: Kernel
    trail: HubTrail

    def read(self, assignment: Assignment) -> Witness:
        """Return the trails of an assignment as card sequences, joined."""
        return read_witness(self.kernel.core.graph, self.kernel.lift(self._chosen(assignment)))

    def _chosen(self, assignment: Assignment) -> Choice:
        """Return the trails on the core that an assignment describes."""
        core, trail = self.kernel.core, self.trail
        edges = []
        for (index, at), ends in zip(core.cards, trail.ends, strict=True):
            between = [v for v, end in zip(at, ends, strict=True) if assignment[end]]
            if len(between) == 2:
                edges.append((between[0], between[1], index))
        states = [
            next(compress(part.table.states, map(assignment.__getitem__, literals)))
            for (_, part), literals in zip(core.parts, trail.states, strict=True)
        ]
        visited = {v for v, literal in enumerate(trail.visited) if assignment[literal]}
        # A card without two ends is a loop at a hub of its own; at an edge it needs that hub alone.
        visited.update(
            core.cards[place][1][0] for place, on in trail.alone.items() if assignment[on]
        )
        start = next((v for v, literal in trail.starts.items() if assignment[literal]), None)
        wild_added = [index for index, literal in enumerate(trail.wild_used) if assignment[literal]]
        return Choice(visited, edges, start, wild_added, states)


class TrailEncoder(Encoder[InstanceT, TrailData]):
    """An encoding by trails on the hubs; it adds ``write``."""

    @abstractmethod
    def write(self, kernel: Kernel, *, minimising: bool = False) -> Encoded[TrailData]:
        """Write the model of a kernel; ``minimising`` for a solver that minimises."""

    def encode(self, instance: InstanceT) -> Encoded[TrailData]:
        """Write the model of the whole graph."""
        return self.write(identity_kernel(build_hub_graph(instance)))

    def encode_kernel(self, instance: InstanceT, *, minimising: bool) -> Encoded[TrailData]:
        """Write the model of the kernel."""
        kernel = kernelize(build_hub_graph(instance), minimising=minimising)
        return self.write(kernel, minimising=minimising)

    def decode(self, encoded: Encoded[TrailData], assignment: Assignment) -> Witness:
        """Read the trails as card sequences and join them."""
        return encoded.data.read(assignment)

    def meanings(self, encoded: Encoded[TrailData]) -> Iterator[tuple[int, str]]:
        """Yield variables with their meanings, except the apex and those for sets of states."""
        return meanings(encoded.data.kernel.core, encoded.data.trail)
