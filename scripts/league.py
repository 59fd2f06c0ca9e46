"""Let agents play the real game with hidden cards against each other; write tables of who wins.

Each deal is played once from every seat, so that a lucky hand favours nobody. Intervals are for the
mean over deals, whose games depend on each other.
"""

import argparse
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from scripts.league_rlcard import won
from uno_csp.agents.arrays import scratch_for
from uno_csp.agents.compiled import play_out
from uno_csp.agents.knowledge import Beliefs
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import MOST_TURNS, play_turn
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game.compiled_moves import setup_of, state_of
from uno_csp.open_game.search import Unfinished
from uno_csp.open_game.winning import WinSearch
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.open_game import dealt

UNLIMITED = 200_000
"""Number of deals for each choice if only the time limits them."""

CARDS = 7

FIRST_SEED = 1_000_000

CHEATER, FORGETFUL = "cheater", "tree-search, turns forgotten"


class Cheater:
    """Sees all cards: plays a move that wins against every reply, if it finds one in half the time.

    Else the move that wins most play-outs of the true deal.
    """

    def __init__(self, seed: int, seconds: float) -> None:
        self._rng, self._seconds = random.Random(seed), seconds

    def play(self, state: GameState) -> GameState:
        """Return the state after the turn."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return state.play(moves[0])
        position = state.outcome
        assert isinstance(position, tuple)  # noqa: S101
        deadline, half = Deadline.after(self._seconds), Deadline.after(self._seconds / 2)
        search = WinSearch(state.game, {position.player}, position, half)
        outcomes = [outcome for _, outcome in state.successors()]
        for move, outcome in zip(moves, outcomes, strict=True):
            try:
                if search.wins(outcome):
                    return state.play(move)
            except Unfinished:
                break
        setup = setup_of(state.game, {position.player}, position)
        scratch = scratch_for(len(state_of(setup, position)))
        seed = np.array([self._rng.getrandbits(62)], dtype=np.int64)
        wins = [0] * len(moves)
        while not deadline.expired:
            for at, outcome in enumerate(outcomes):
                winner = outcome
                if isinstance(outcome, tuple):
                    winner = play_out(setup, state_of(setup, outcome), scratch, seed)
                wins[at] += winner == position.player
        return state.play(moves[wins.index(max(wins))])


def made(name: str, seed: int, seconds: float) -> Any:
    """Return an agent."""
    if name == CHEATER:
        return Cheater(seed, seconds)
    if name == FORGETFUL:
        agent = AGENTS["tree-search"]
        return agent(seed=seed, seconds=seconds, work=UNLIMITED, beliefs=Beliefs.NOTHING)
    return AGENTS[name](seed=seed, seconds=seconds, work=UNLIMITED)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One agent against others of one kind."""

    agent: str
    others: str
    seconds: float
    players: int
    deals: int


def shares(pairing: Pairing, deal: int) -> float:
    """Return the share of the games of one deal that the agent wins, once from each seat."""
    won = 0.0
    for seat in range(pairing.players):
        state = GameState(dealt((CARDS,) * pairing.players, FIRST_SEED + deal))
        names = [pairing.others] * pairing.players
        names[seat] = pairing.agent
        agents = [made(name, 31 * deal + at, pairing.seconds) for at, name in enumerate(names)]
        for _ in range(MOST_TURNS):
            if state.player is None:
                break
            agent = agents[state.player - 1]
            state = agent.play(state) if isinstance(agent, Cheater) else play_turn(state, agent)[0]
        won += 1 / pairing.players if state.winner is None else float(state.winner == seat + 1)
    return won / pairing.players


def row(pairing: Pairing, found: Sequence[float]) -> str:
    """Return a row of a table."""
    mean = fmean(found)
    spread = 1.96 * stdev(found) / math.sqrt(len(found))
    return f"{beginning(pairing)}{mean:.1%} | {mean - spread:.1%} to {min(mean + spread, 1):.1%} |"


def beginning(pairing: Pairing) -> str:
    """Return the beginning of a row: what is played, and how often."""
    return (
        f"| {pairing.agent} | {pairing.others} | {pairing.players} | {pairing.seconds:g} s | "
        f"{pairing.deals * pairing.players:,} | "
    )


def pairings(scale: float) -> Iterator[Pairing]:
    """Yield what is played; ``scale`` multiplies the numbers of deals."""
    names = ("rule", "play-outs", "exact-deals", "tree-search", CHEATER)
    some = partial(_deals, scale)
    for at, name in enumerate(names):
        for other in ("random", *names[:at]):
            fast = {name, other} <= {"random", "rule"}
            yield Pairing(name, other, 0.1, 2, some(1000 if fast else 150))
    yield Pairing("tree-search", FORGETFUL, 0.1, 2, some(300))
    yield Pairing("tree-search", "rule", 1.0, 2, some(150))
    yield Pairing("tree-search", "random", 1.0, 2, some(75))
    for players in (3, 4):
        for name in ("play-outs", "tree-search", CHEATER):
            yield Pairing(name, "rule", 0.1, players, some(100))
    yield Pairing("play-outs", "rule", 1.0, 2, some(150))
    yield Pairing(CHEATER, "rule", 1.0, 2, some(75))
    yield Pairing("exact-deals", "rule", 1.0, 2, some(75))


def _deals(scale: float, count: int) -> int:
    return max(2, round(scale * count))


AT_RLCARD = (
    Pairing("RLCard's rule", "RLCard's random", 0.1, 2, 200),
    Pairing("rule", "RLCard's rule", 0.1, 2, 200),
    Pairing("play-outs", "RLCard's rule", 0.1, 2, 150),
    Pairing("tree-search", "RLCard's rule", 0.1, 2, 150),
    Pairing("tree-search", "RLCard's random", 0.1, 2, 150),
)
"""What is played at RLCard's table."""

HEAD = """\
# How agents play the real game with hidden cards

Seven cards each from the whole deck, rules `nobody-skips`. Each deal is played once from every seat
by `scripts/league`, with the same time for each choice; the intervals (95 %) are for the mean over
deals. With three and four players an agent plays against two and three others of one kind, so that
equals win 33 % and 25 %. {cores} processes ran at a time.

- `random` plays at random, `rule` numbers first, wild cards last, and the colour with most cards.
- `play-outs` deals the hidden cards and plays every choice out by the rule; `exact-deals` solves
  the deals as if all cards were open; `tree-search` is information set Monte Carlo tree search.
- These three weigh their deals by what the turns tell: whoever has to play and draws has no card
  that fits. `{forgetful}` does not.
- `cheater` sees all cards: it plays a move that wins against every reply, if it finds one in half
  the time, else that which wins most play-outs of the true deal.

| agent | against | players | time | games | wins | 95 % interval |
|---|---|---|---|---|---|---|
"""


RLCARD_HEAD = """
## At RLCard's table

Two players in RLCard's engine, under its rules, against its own agents. Our agents see only what
its environment shows, which has no turns, so they know less than above.

| agent | against | players | time | games | wins | 95 % interval |
|---|---|---|---|---|---|---|"""


def main() -> None:
    """Play what the table does not have yet, and write it after each row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the numbers of deals")
    parser.add_argument("--out", type=Path, default=Path("results/league.md"))
    given = parser.parse_args()
    head = HEAD.format(cores=os.cpu_count(), forgetful=FORGETFUL)
    before = given.out.read_text().splitlines() if given.out.exists() else []
    rows: list[str] = []

    def add(pairing: Pairing, play: Callable[[int], float]) -> None:
        """Play a row, unless it is there, and write the table."""
        done = [line for line in before if line.startswith(beginning(pairing))]
        rows.extend(done or [row(pairing, list(pool.map(play, range(pairing.deals))))])
        print(rows[-1], flush=True)
        given.out.write_text(head + "\n".join(rows) + "\n")

    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for pairing in pairings(given.scale):
            add(pairing, partial(shares, pairing))
        rows.append(RLCARD_HEAD)
        for pairing in AT_RLCARD:
            each = replace(pairing, deals=_deals(given.scale, pairing.deals))
            add(each, partial(won, each.agent, each.others, each.seconds, UNLIMITED))


if __name__ == "__main__":
    main()
