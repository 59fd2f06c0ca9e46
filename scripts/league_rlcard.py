"""Games at RLCard's table, in its engine and under its rules."""

import rlcard
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import set_seed

from uno_csp.agents.players import AGENTS
from uno_csp.agents.rlcard import RLCardAgent


def won(name: str, seconds: float, work: int, deal: int) -> float:
    """Return the share of two games of one deal that an agent wins, one from each seat.

    It meets RLCard's rule agent. A game in which RLCard's draw pile fails it is won by nobody.
    """
    agent = RLCardAgent(AGENTS[name](seed=deal, seconds=seconds, work=work))
    total = 0.0
    for seat in range(2):
        set_seed(deal)
        env = rlcard.make("uno", config={"seed": deal})
        env.set_agents([agent, UNORuleAgentV1()][:: 1 - 2 * seat])
        try:
            _, payoffs = env.run(is_training=False)
            total += (payoffs[seat] + 1) / 2
        except IndexError:
            total += 0.5
    return total / 2
