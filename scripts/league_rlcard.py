"""Games at RLCard's table, in its engine and under its rules."""

from typing import Any

import rlcard
from rlcard.agents import RandomAgent
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import set_seed

from uno_csp.agents.players import AGENTS
from uno_csp.agents.rlcard import RLCardAgent

THEIRS = {"RLCard's rule": UNORuleAgentV1, "RLCard's random": lambda: RandomAgent(num_actions=61)}


def made(name: str, seed: int, seconds: float, work: int) -> Any:
    """Return an agent of RLCard."""
    if name in THEIRS:
        return THEIRS[name]()
    return RLCardAgent(AGENTS[name](seed=seed, seconds=seconds, work=work))


def won(agent: str, other: str, seconds: float, work: int, deal: int) -> float:
    """Return the share of two games of one deal that an agent wins, one from each seat.

    A game in which RLCard's draw pile fails it is won by nobody.
    """
    total = 0.0
    for seat in range(2):
        set_seed(deal)
        env = rlcard.make("uno", config={"seed": deal})
        agents = [made(other, deal, seconds, work) for _ in range(2)]
        agents[seat] = made(agent, deal, seconds, work)
        env.set_agents(agents)
        try:
            _, payoffs = env.run(is_training=False)
            total += (payoffs[seat] + 1) / 2
        except IndexError:
            total += 0.5
    return total / 2
