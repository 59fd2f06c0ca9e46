"""Cooperative play: replay the game and check every turn and every skip.

A skip is legal if the skipped player holds no matching card. Scanning a hand at every skip would
take quadratic time, so each hand is indexed by the hubs of its cards.
"""

from collections import Counter

from uno_csp.checker.claims import Violation, violations_of, witness_violations
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Answer
from uno_csp.questions.wording import describe
from uno_csp.verifier.cards import matches, mismatch
from uno_csp.verifier.games import HandIndex

question = "cooperative"
PARTS = {"plays"}


def violations(instance: Cooperative, answer: Answer) -> list[Violation]:
    """Replay the claimed game up to the first violation."""
    found = witness_violations(answer, "plays")
    if found or answer.plays is None:
        return found
    count = len(instance.hands)
    left = [Counter(hand) for hand in instance.hands]
    unplayed = [HandIndex(hand, instance.at_least) for hand in instance.hands]
    last, turn = instance.after, 1
    for step, play in enumerate(answer.plays, start=1):
        if not 1 <= play.player <= count:
            return [Violation("turn", step, f"there is no player {play.player}")]
        while turn != play.player:
            hand = unplayed[turn - 1]
            playable = next(iter(hand.cards if last is None else hand.near(last)), None)
            if playable is not None:
                message = f"player {turn} is skipped, but can play {describe(playable)}"
                return [Violation("skip", step, message)]
            turn = turn % count + 1
        held = left[turn - 1]
        if held[play.card] <= 0:
            message = f"player {turn} does not hold {describe(play.card)}"
            return [Violation("hand", step, message)]
        if last is not None and not matches(last, play.card, instance.at_least):
            return violations_of([mismatch(last, play.card, step)])
        held[play.card] -= 1
        if not held[play.card]:
            unplayed[turn - 1].remove(play.card)
        last = play.card
        if not unplayed[turn - 1].cards:
            return _end_violations(turn, step, len(answer.plays))
        turn = turn % count + 1
    return [Violation("goal", 0, f"player 1 still holds {left[0].total()} cards")]


def _end_violations(player: int, step: int, steps: int) -> list[Violation]:
    if player != 1:
        return [Violation("goal", step, f"player {player} has an empty hand first")]
    if step < steps:
        return [Violation("goal", step, "player 1's hand is empty, but play continues")]
    return []
