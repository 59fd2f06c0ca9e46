"""Trivial instances, and instances that are equivalent to another question."""

from uno_csp.questions import Cooperative, FillIn, Instance, Longest, Uno1
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.cards import matches
from uno_csp.questions.wording import describe
from uno_csp.reductions.steps import Decided, Reduced


def settle_without_play(instance: Instance) -> Decided | None:
    """Answer when no card can be played: the hand is empty, or no card matches ``after``."""
    after = instance.after
    if isinstance(instance, FillIn):
        return None if instance.cards else Decided(Witness((), added=(), objective=0))
    if not isinstance(instance, Uno1 | Longest | Cooperative):
        return None
    if any(after is None or matches(after, card, instance.at_least) for card in instance.cards):
        return None
    if isinstance(instance, Longest):
        return Decided(Witness((), objective=0))
    if after is None or not instance.cards:
        return None
    return Decided(None, f"no card matches {describe(after)}, which is on the pile")


def play_solitaire(instance: Instance) -> Reduced | None:
    """Reduce cooperative play of a single player to ``uno-1``: nobody can help or be skipped."""
    if not isinstance(instance, Cooperative) or len(instance.hands) > 1:
        return None
    alone = Uno1(instance.hands[0], at_least=instance.at_least, after=instance.after)
    return Reduced(alone, _as_plays)


def _as_plays(witness: Witness) -> Witness:
    return Witness(plays=tuple(Play(1, card) for card in witness.sequence or ()))
