"""Games at RLCard's table, in its engine and under its rules.

``python -m scripts.league_rlcard`` trains RLCard's deep Q-network against its random agent for ten
minutes and prints how often it then wins. It needs torch, which this project does not install.
"""

import math
import time
from contextlib import redirect_stdout
from io import StringIO
from statistics import fmean, stdev
from typing import Any

import rlcard
from rlcard.agents import RandomAgent
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import set_seed

from uno_csp.agents.players import AGENTS
from uno_csp.agents.rlcard import RLCardAgent

THEIRS = {"RLCard's rule": UNORuleAgentV1, "RLCard's random": lambda: RandomAgent(num_actions=61)}

TRAINING_S = 600.0

LAYERS = [64, 64]
"""Hidden layers of the network, as in RLCard's example."""

GAMES = 400
"""Games that the trained agent plays against each of RLCard's own."""


def trained(seconds: float) -> tuple[Any, int]:
    """Train RLCard's deep Q-network; return it with the number of games that it has played."""
    import torch
    from rlcard.agents import DQNAgent
    from rlcard.utils import reorganize

    set_seed(1)
    env = rlcard.make("uno", config={"seed": 1})
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=LAYERS,
        device=torch.device("cpu"),
    )
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    end, games = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        with redirect_stdout(StringIO()):  # it prints its loss
            paths, payoffs = env.run(is_training=True)
            for step in reorganize(paths, payoffs)[0]:
                agent.feed(step)
        games += 1
    return agent, games


def main() -> None:
    """Train, and print what the agent wins."""
    agent, games = trained(TRAINING_S)
    print(f"trained by {games:,} games in {TRAINING_S:g} s")
    for name, other in THEIRS.items():
        found = [played((agent, other()), deal) for deal in range(GAMES // 2)]
        spread = 1.96 * stdev(found) / math.sqrt(len(found))
        mean = fmean(found)
        print(f"| {name} | {GAMES} | {mean:.1%} | {mean - spread:.1%} to {mean + spread:.1%} |")


def made(name: str, seed: int, seconds: float, work: int) -> Any:
    """Return an agent of RLCard."""
    if name in THEIRS:
        return THEIRS[name]()
    return RLCardAgent(AGENTS[name](seed=seed, seconds=seconds, work=work))


def won(agent: str, other: str, seconds: float, work: int, deal: int) -> float:
    """Return the share of two games of one deal that an agent wins, one from each seat."""
    return played((made(agent, deal, seconds, work), made(other, deal, seconds, work)), deal)


def played(pair: tuple[Any, Any], deal: int) -> float:
    """Return the share of two games of one deal that the first of two agents wins.

    A game in which RLCard's draw pile fails it is won by nobody.
    """
    total = 0.0
    for seat in range(2):
        set_seed(deal)
        env = rlcard.make("uno", config={"seed": deal})
        env.set_agents([*pair] if seat == 0 else [*reversed(pair)])
        try:
            _, payoffs = env.run(is_training=False)
            total += (payoffs[seat] + 1) / 2
        except IndexError:
            total += 0.5
    return total / 2


if __name__ == "__main__":
    main()
