"""The right answer to a small question, by brute force."""

from tests.support import brute_force, brute_force_games
from tests.support.open_games import fewest_turns, minimax
from uno_csp import Cooperative, Longest, Uncooperative, Uno1
from uno_csp.questions import Convention, Instance
from uno_csp.questions.open_game import OpenGame

Truth = tuple[str, int | None]
"""Status and objective of the right answer."""


def truth(instance: Instance) -> Truth:
    """Return the right answer."""
    k, after = instance.at_least, instance.after
    if isinstance(instance, OpenGame):
        return _truth_of_game(instance)
    if isinstance(instance, Uncooperative):
        empty_wins = instance.convention is Convention.EMPTY_HAND_WINS
        games = brute_force_games
        return _yes(games.avoids_losing(instance.hands, k, empty_wins=empty_wins, after=after))
    if isinstance(instance, Cooperative):
        return _yes(brute_force_games.cooperative(instance.hands, k, after))
    if isinstance(instance, Uno1):
        return _yes(brute_force.playable(instance.cards, k, after))
    if isinstance(instance, Longest):
        return "OPTIMAL", brute_force_games.longest(instance.cards, k, after)
    if instance.supply is None:
        best = brute_force_games.fewest_added(instance.cards, k, after)
    else:
        best = brute_force_games.cheapest_supply(instance.cards, instance.offers, k, after)
    return ("UNSATISFIABLE", None) if best is None else ("OPTIMAL", best)


def _truth_of_game(instance: OpenGame) -> Truth:
    """Solve a small real game: the winner, or the fewest turns together."""
    wins, turns = minimax(instance), fewest_turns(instance)
    if wins is None or turns is None:
        raise ValueError("the game is too large for brute force")
    if not instance.optimises:
        return _yes(wins[0])
    return ("OPTIMAL", turns) if turns else ("UNSATISFIABLE", None)


def _yes(holds: bool) -> Truth:
    return ("SATISFIABLE" if holds else "UNSATISFIABLE"), None
