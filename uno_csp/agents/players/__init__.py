"""The agents by name: one file for each, and those that other packages offer."""

from typing import Any

from uno_csp.registry import Registry, classes_of

AGENTS: Registry[Any] = Registry(
    "agent",
    "uno_csp.agents.players",
    lambda module: [kind for kind in classes_of(module, object) if hasattr(kind, "name")],
    ("name", "choose"),
    group="uno_csp.agents",
)
"""The classes of the agents; other packages offer theirs under the same entry point."""

BEST = "play-outs"  # asked unless another is named; none is better in results/league.md
