"""The agents by name: one file for each, and those that other packages offer."""

from types import ModuleType
from typing import Any

from uno_csp.registry import Registry


def _agents(module: ModuleType) -> list[Any]:
    return [module.AGENT]


AGENTS: Registry[Any] = Registry(
    "agent", "uno_csp.agents.players", _agents, ("name", "choose"), group="uno_csp.agents"
)
"""The classes of the agents; other packages offer theirs under the same entry point."""

BEST = "tree-search"
"""The agent that is asked unless another one is named; none is better in ``results/league.md``."""
