"""Agents of this package as agents of RLCard, a toolkit for learning to play card games.

RLCard is not needed to import this module: an agent of RLCard is any object with the two methods.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from uno_csp.agents.playing import Agent
from uno_csp.agents.views import Turn, View, view_of_seat
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import COLOURS, DRAW_FOUR, LETTERS, SYMBOLS, WILD, deck, kind_of, pack
from uno_csp.open_game.moves import NO_SYMBOL
from uno_csp.open_game.positions import Position

RULES = PRESETS["rlcard"]

DRAW = "draw"
_TRAITS = (*SYMBOLS[:12], "draw_2")
_WILD = {"wild": WILD, "wild_draw_4": DRAW_FOUR}


class RLCardAgent:
    """An agent that plays in RLCard's environment ``uno``.

    The environment does not show the direction of play, which follows from the reverses that were
    played, nor the colour in force on a wild card, which the legal actions tell.
    """

    use_raw = True

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def step(self, state: Mapping[str, Any]) -> str:
        """Return an action."""
        legal: Sequence[str] = state["raw_legal_actions"]
        if len(legal) == 1:
            return legal[0]
        return action_of(self._agent.choose(view_of_state(state)))

    def eval_step(self, state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return an action, and nothing else."""
        return self.step(state), {}


def kind_of_card(card: str) -> int:
    """Return the kind of a card of RLCard.

    >>> kind_of_card("r-5"), kind_of_card("b-draw_2"), kind_of_card("g-wild_draw_4")
    (5, 51, 53)
    """
    letter, _, trait = card.partition("-")
    if trait in _WILD:
        return _WILD[trait]
    return 13 * LETTERS.index(letter.upper()) + _TRAITS.index(trait)


def action_of(turn: Turn) -> str:
    """Return a turn as an action of RLCard.

    >>> action_of({"draws": 0, "lays": "W", "names": "blue"}), action_of({"draws": 0, "lays": "RS"})
    ('b-wild', 'r-skip')
    """
    kind = kind_of(turn.get("lays", ""))
    if kind is None:
        return DRAW
    if kind >= WILD:
        colour = turn.get("names", COLOURS[0])  # a last card names none
        return f"{colour[0]}-{'wild' if kind == WILD else 'wild_draw_4'}"
    return f"{LETTERS[kind // 13].lower()}-{_TRAITS[kind % 13]}"


def view_of_state(state: Mapping[str, Any]) -> View:
    """Return what a state of RLCard shows; its direction of play may be wrong after a reshuffle."""
    raw = state["raw_obs"]
    hand = [kind_of_card(card) for card in raw["hand"]]
    counts, own = tuple(raw["num_cards"]), raw["current_player"]
    played = [kind_of_card(card) for card in raw["played_cards"]]
    top = kind_of_card(raw["target"])
    unseen = Counter(deck())
    unseen.subtract([*hand, *played])
    reverses = sum(kind < WILD and kind % 13 == SYMBOLS.index("reverse") for kind in played)
    position = Position(
        hands=tuple(pack(hand) if at == own else 0 for at in range(len(counts))),
        colour=top // 13 if top < WILD else COLOURS.index(_named(state)),
        symbol=top % 13 if top < WILD else NO_SYMBOL,
        at=0,
        player=own,
        direction=-1 if reverses % 2 else 1,
        pending=0,
        passes=0,
    )
    return view_of_seat(position, counts, [*unseen.elements()], RULES)


def _named(state: Mapping[str, Any]) -> str:
    """Return the colour in force on a wild card: that of the legal actions, else any other one."""
    colours = {word[0]: word for word in COLOURS}
    legal = [action for action in state["raw_legal_actions"] if action != DRAW]
    coloured = [action for action in legal if kind_of_card(action) < WILD]
    if coloured:
        return colours[coloured[0][0]]
    held = {card[0] for card in state["raw_obs"]["hand"] if kind_of_card(card) < WILD}
    return next((word for letter, word in colours.items() if letter not in held), COLOURS[0])
