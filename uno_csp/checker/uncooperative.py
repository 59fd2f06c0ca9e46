"""Uncooperative play: the loser fits the status, and the strategy holds against every reply.

The rules are those of the stand-alone verifier. A ``matching`` strategy (two players) is checked
without playing: only a reply that has no partner can beat it. Under ``empty-hand-wins`` its player
must also be the first without cards, if each plays every turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from uno_csp.checker.claims import Violation, require_keys
from uno_csp.questions import Uncooperative
from uno_csp.questions.answers import Answer
from uno_csp.questions.frozen import thawed
from uno_csp.verifier.cards import Card, Question
from uno_csp.verifier.games import check_strategy, require_partners
from uno_csp.verifier.reading import Refused, require

question = "uncooperative"
PARTS = {"loser", "strategy"}
KEYS = {
    "opening": ("kind", "open"),
    "matching": ("kind", "pairs", "open"),
    "positions": ("kind", "positions"),
}
"""Keys of a strategy of each kind."""
POSITION = ("player", "last", "hands", "play")
_PREFIXES = ("reason.json: ", "strategy: ")


def violations(instance: Uncooperative, answer: Answer) -> list[Violation]:
    """Check that the loser fits the status and the strategy wins against every reply."""
    found = _loser_violations(instance, answer)
    if found or answer.strategy is None:
        return found
    if answer.status == "UNKNOWN":
        return [Violation("status", 0, "UNKNOWN with a strategy")]
    try:
        asked = Question(instance.to_dict())
        _require(asked, answer.status == "SATISFIABLE", answer.strategy)
    except Refused as error:
        words = str(error)
        for prefix in _PREFIXES:
            words = words.removeprefix(prefix)
        return [Violation("strategy", 0, words)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return [Violation("strategy", 0, "it cannot be read")]
    return []


def _loser_violations(instance: Uncooperative, answer: Answer) -> list[Violation]:
    loser, players = answer.loser, len(instance.hands)
    if loser is None:
        return []
    if not 1 <= loser <= players:
        return [Violation("loser", 0, f"there is no player {loser}")]
    if answer.status == "UNKNOWN":
        return [Violation("status", 0, "UNKNOWN with a loser")]
    if (loser == 1) != (answer.status == "UNSATISFIABLE"):
        return [Violation("loser", 0, f"{answer.status}, and the loser is player {loser}")]
    return []


def _require(asked: Question, wins: bool, strategy: Mapping[str, Any]) -> None:
    """Raise Refused unless the strategy holds; with ``wins`` it is player 1's."""
    kind = strategy["kind"]
    require_keys(strategy, KEYS.get(kind, strategy))
    if kind == "matching":
        _require_matching(asked, wins, strategy)
    elif kind == "positions":
        for at, position in enumerate(strategy["positions"]):
            require_keys(position, POSITION, f"positions[{at}]")
        check_strategy(asked, thawed(strategy["positions"]), wins=wins)
    else:
        require(kind == "opening", f"{kind!r} is not a kind of strategy")
        require(wins, "only player 1 opens")
        opening = _card(strategy["open"])
        require(opening in asked.hands[0], f"player 1 does not hold {list(opening)}")
        fits = asked.after is None or asked.match(asked.after, opening)
        require(fits, f"{list(opening)} does not match the pile")


def _require_matching(asked: Question, wins: bool, strategy: Mapping[str, Any]) -> None:
    """Raise Refused unless the pairs win for their player."""
    require(len(asked.hands) == 2, "a matching decides two players only")
    first, second = map(len, asked.hands)
    first_out = first <= second if wins else second < first
    fits = asked.convention == "last-mover" or first_out
    require(fits, "who wins by the matching is not the first without cards")
    pairs = [(_card(one), _card(other)) for one, other in strategy["pairs"]]
    require_partners(asked, pairs, _card(strategy["open"]) if wins else None)


def _card(raw: Sequence[Any]) -> Card:
    if isinstance(raw, str):
        raise TypeError
    return tuple(raw)
