"""Let agents play the real game with hidden cards against each other; write tables of who wins.

Each deal is played once from every seat, so that a lucky hand favours nobody. Intervals are for the
mean over deals, whose games depend on each other. An agent looks at a fixed number of deals for
each choice, so that a run can be interrupted, goes on where it was, and gives the same games on any
machine. Agents of other packages can be named (entry point ``uno_csp.agents``).
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.league_rlcard import won
from scripts.league_tree_search import TreeSearch
from scripts.reporting import of_mean, write_whole
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import next_state
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game import PRESETS
from uno_csp.questions.open_game import dealt

CARDS, FIRST_SEED, MOST_TURNS = 7, 1_000_000, 500
DEALS, AT_ONCE = 2_000, 5
"""Deals of each pairing, and after how many of them all other pairings have their turn."""

RULES = ("nobody-skips", "classic", "printed-2003", "unocard", "free-draw", "stacking", "rlcard")
"""The presets; those of the encyclopedia are those printed in 2003."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One agent against others of one kind, and the number of deals that both look at."""

    agent: str
    others: str
    rules: str
    players: int
    work: int

    @property
    def key(self) -> str:
        """The name of the pairing in the record."""
        return f"{self.agent} {self.others} {self.rules} {self.players} {self.work}"


def named(agent: str) -> Any:
    """Return the class of an agent."""
    return TreeSearch if agent == TreeSearch.name else AGENTS[agent]


def play_deal(pairing: Pairing, deal: int) -> tuple[float, float, float]:
    """Return the share of games that the agent wins, and the CPU time of both for a choice."""
    wins, spent, choices = 0.0, [0.0, 0.0], [0, 0]
    for seat in range(pairing.players):
        rules = PRESETS[pairing.rules]
        state = GameState(dealt((CARDS,) * pairing.players, FIRST_SEED + deal, rules))
        names = [pairing.others] * pairing.players
        names[seat] = pairing.agent
        agents = [
            named(name)(seed=1000 * deal + 31 * at, work=pairing.work)
            for at, name in enumerate(names)
        ]
        for _ in range(MOST_TURNS):
            if state.player is None:
                break
            at, begun = state.player - 1, time.process_time()
            state = next_state(state, agents[at])
            spent[at != seat] += time.process_time() - begun
            choices[at != seat] += 1
        wins += 1 / pairing.players if state.winner is None else float(state.winner == seat + 1)
    own, theirs = (each / max(count, 1) for each, count in zip(spent, choices, strict=True))
    return round(wins / pairing.players, 4), round(own, 5), round(theirs, 5)


def row(pairing: Pairing, found: Sequence[Sequence[float]]) -> str:
    """Return a row of a table."""
    shares = [share for share, *_ in found]
    mean, low, high = of_mean(shares)
    own, theirs = (1000 * fmean(times) for times in list(zip(*found, strict=True))[1:])
    return (
        f"| {pairing.agent} | {pairing.others} | {pairing.rules} | {pairing.players} | "
        f"{pairing.work:,} | {len(found):,} | {len(found) * pairing.players:,} | {mean:.1%} | "
        f"{low:.1%} to {high:.1%} | {own:.1f} / {theirs:.1f} ms |"
    )


def pairings(agents: Sequence[str]) -> Iterator[Pairing]:
    """Yield what is played: against each other agent, by each text of the rules and players."""
    for players in (2, 3, 4):
        for rules in RULES:
            for others in agents:
                yield Pairing("play-outs", others, rules, players, 400)


TABLE = " at RLCard's table"
AT_RLCARD = ("rule", "play-outs")  # the agents that play at RLCard's table, against its rule agent

HEAD = """\
# How agents play the real game with hidden cards

Seven cards each from the whole deck. Each deal is played once from every seat by `scripts/league`;
the intervals (95 %) are for the mean over deals. With three and four players an agent plays against
two and three others of one kind, so that equals win 33 % and 25 %. A game without a winner after
{most} turns counts as a draw. An agent *looks at* a number of deals for each choice; the last
column is the CPU time of a turn of the agent and of the others, by the versions that played them.

- `rule` plays numbers first, wild cards last, and the colour with most cards.
- `play-outs` tries every choice in the same random deals, all players going on by its policy.
- `tree-search` is single-observer information set Monte Carlo tree search, which shares one tree
  between all deals. Its deals and policy are those of `play-outs`; it is no part of the package.

| agent | against | rules | players | looks at | deals | games | wins | 95 % interval | CPU time |
|---|---|---|---:|---:|---:|---:|---:|---|---|
"""

RLCARD_HEAD = """
## At RLCard's table

Two players in RLCard's engine, under its rules, against its own rule agent, with 0.1 s for each
choice. Our agents see only what its environment shows, which has no turns, so they know less than
above.

| agent | games | wins | 95 % interval |
|---|---:|---:|---|
"""


class Record:
    """The results of the deals that were played, by pairing, in a JSON file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, list[Any]] = json.loads(path.read_text()) if path.exists() else {}

    def add(self, key: str, results: Sequence[Any]) -> None:
        """Note results, and write the file."""
        self.found.setdefault(key, []).extend(results)
        write_whole(self.path, self.found)


def in_order(entry: tuple[str, list[Any]]) -> list[str]:
    """Return the players, the others and the rules of a pairing, by which the rows are sorted."""
    return entry[0].split()[3:0:-1]


def report(record: Record) -> str:
    """Return the tables of what was played so far."""
    text = HEAD.format(most=MOST_TURNS)
    for key, found in sorted(record.found.items(), key=in_order):
        if not key.endswith(TABLE):
            agent, others, rules, players, work = key.split()
            pairing = Pairing(agent, others, rules, int(players), int(work))
            text += f"{row(pairing, found)}\n"
    theirs = [key for key in record.found if key.endswith(TABLE)]
    if theirs:
        text += RLCARD_HEAD
    for key in theirs:
        found = record.found[key]
        mean, low, high = of_mean(found)
        text += f"| {key.removesuffix(TABLE)} | {2 * len(found):,} | {mean:.1%} | "
        text += f"{low:.1%} to {high:.1%} |\n"
    return text


def main() -> None:
    """Play what the record does not have yet, and write the tables after each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", nargs="+", default=["rule"], help="whom play-outs meets")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rlcard", type=int, default=0, help="deals at RLCard's table")
    parser.add_argument("--out", type=Path, default=Path("results"))
    given = parser.parse_args()
    record = Record(given.out / "league/games.json")
    page = given.out / "league.md"
    with ProcessPoolExecutor(given.workers) as pool:
        for name in AT_RLCARD if given.rlcard else ():
            if name + TABLE not in record.found:
                play = partial(won, name, 0.1, DEALS)
                record.add(name + TABLE, list(pool.map(play, range(given.rlcard))))
        for upto in [*range(AT_ONCE, given.deals, AT_ONCE), given.deals]:
            for pairing in pairings(given.agents):
                some = range(len(record.found.get(pairing.key, ())), upto)
                if some:
                    record.add(pairing.key, list(pool.map(partial(play_deal, pairing), some)))
            page.write_text(report(record))
            print(f"{upto:,} deals of each pairing", flush=True)
    page.write_text(report(record))


if __name__ == "__main__":
    main()
