"""Trivial instances, and instances that are equivalent to another question."""

from uno_csp.questions import Cooperative, FillIn, Instance, Longest, Uno1
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.cards import matches
from uno_csp.reductions.steps import Decided, Reduced


def settle_without_play(instance: Instance) -> Decided | None:
    """Answer when no card can be played: the hand is empty, or no card matches ``after``."""
    if isinstance(instance, FillIn) and not instance.cards:
        return Decided(settle_without_play.__name__, Witness((), added=(), objective=0))
    if isinstance(instance, Longest):
        k, after = instance.at_least, instance.after
        if not any(after is None or matches(after, card, k) for card in instance.cards):
            return Decided(settle_without_play.__name__, Witness((), objective=0))
    return None


def play_solitaire(instance: Instance) -> Reduced | None:
    """Reduce cooperative play of a single player to ``uno-1``: nobody can help or be skipped."""
    if not isinstance(instance, Cooperative) or len(instance.hands) > 1:
        return None
    alone = Uno1(instance.hands[0], at_least=instance.at_least, after=instance.after)
    return Reduced(alone, _as_plays)


def _as_plays(witness: Witness) -> Witness:
    return Witness(plays=tuple(Play(1, card) for card in witness.sequence or ()))
