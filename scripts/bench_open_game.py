"""Benchmark games with open cards: solved within a limit, times and positions searched."""

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import median, quantiles

from uno_csp import Answer, Status, solve
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import WILD, deck
from uno_csp.open_game.rules import DEFAULT
from uno_csp.questions.open_game import Goal, OpenGame, card_of, dealt

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

GAMES_OF_A_MINUTE = 20  # maximum number of games of a case with a time limit of a minute
SMALL_LIMIT_S = 2.0  # time limit of a small deal, in seconds
HEAD = "| hands | goal | method | limit | solved | median | 95 % | positions, median | outcome |"


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games (seeds) per case")
    parser.add_argument("--rules", choices=list(PRESETS), default=DEFAULT)
    parser.add_argument("--only", help="only cases with these hand sizes, such as 7+7")
    parser.add_argument("--small", type=int, default=0, help="small deals of all rules, alone")
    given = parser.parse_args()
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|---|")
    if given.small:
        answers = [
            solve(small_deal(seed), time_limit_s=SMALL_LIMIT_S) for seed in range(given.small)
        ]
        print(f"| small, all rules | win | {row(answers, SMALL_LIMIT_S)} |")
        return
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


def small_deal(seed: int) -> OpenGame:
    """Return a deal of two to six cards to two to four players, with up to twelve in the pile.

    The rules are those of each preset in turn.
    """
    rng = random.Random(seed)
    players, size, pile = rng.choice((2, 2, 2, 3, 3, 4)), rng.randint(2, 6), rng.randint(0, 12)
    top, kinds = players * size, deck()
    rng.shuffle(kinds)
    while kinds[top] >= WILD:
        rng.shuffle(kinds)
    cards = tuple(map(card_of, kinds))
    hands = tuple(cards[at : at + size] for at in range(0, top, size))
    rules = [*PRESETS.values()][seed % len(PRESETS)]
    return OpenGame(hands, after=cards[top], draw=cards[top + 1 : top + 1 + pile], rules=rules)


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
