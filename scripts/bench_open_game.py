"""Benchmark games with open cards: solved within a limit, times and positions searched."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from statistics import median, quantiles

from uno_csp import Answer, Status, solve
from uno_csp.open_game import PRESETS
from uno_csp.open_game.rules import DEFAULT
from uno_csp.questions.open_game import Goal, dealt

CASES: Sequence[tuple[tuple[int, ...], Goal, str | None, float]] = (
    ((5, 5), Goal.WIN, None, 10.0),
    ((7, 7), Goal.WIN, None, 10.0),
    ((10, 10), Goal.WIN, None, 20.0),
    ((15, 15), Goal.WIN, None, 60.0),
    ((7, 7, 7), Goal.WIN, None, 20.0),
    ((5, 5, 5), Goal.WIN, None, 30.0),
    ((7, 7, 7), Goal.TOGETHER, None, 30.0),
    ((7, 7, 7), Goal.TOGETHER, "rounds", 30.0),
)
"""Hand sizes, goal, method, and time limit per game in seconds."""

GAMES_OF_A_MINUTE = 20
"""Maximum number of games of a case with a time limit of a minute."""

HEAD = "| hands | goal | method | limit | solved | median | 95 % | positions, median | outcome |"


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games (seeds) per case")
    parser.add_argument("--rules", choices=list(PRESETS), default=DEFAULT)
    parser.add_argument("--only", help="only cases with these hand sizes, such as 7+7")
    given = parser.parse_args()
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|---|")
    for sizes, goal, method, limit_s in CASES:
        named = "+".join(map(str, sizes))
        if given.only in (None, named):
            count = min(given.games, GAMES_OF_A_MINUTE) if limit_s >= 60 else given.games
            games = [
                replace(dealt(sizes, seed, PRESETS[given.rules]), goal=goal)
                for seed in range(count)
            ]
            answers = [solve(game, method=method, time_limit_s=limit_s) for game in games]
            print(f"| {named} | {goal} | {row(answers, limit_s)} |", flush=True)


def row(answers: Sequence[Answer], limit_s: float) -> str:
    """Format the number of solved games, their times and their outcomes."""
    seconds = [answer.wall_s for answer in answers]
    solved = [answer for answer in answers if answer.status is not Status.UNKNOWN]
    late = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    positions = [answer.stats["positions"] for answer in solved if "positions" in answer.stats]
    looked = f"{median(positions):,.0f}" if positions else "-"
    turns = [answer.objective for answer in solved if answer.objective is not None]
    wins = sum(answer.status is Status.SATISFIABLE for answer in solved)
    ends = f"{min(turns)} to {max(turns)} turns" if turns else f"player 1 wins {wins}"
    return (
        f"{answers[0].method} | {limit_s:g} s | {len(solved)} of {len(answers)} | "
        f"{median(seconds):.2f} s | {late:.1f} s | {looked} | {ends}"
    )


if __name__ == "__main__":
    main()
