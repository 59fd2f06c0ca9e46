"""Presolve: reduction steps that decide an instance or make it smaller, with lifts for witnesses.

A step is a function from an instance to an :class:`~uno_csp.reductions.steps.StepResult`, or None
when it has nothing to do. Its docstring holds the proof. ``reduce`` runs the steps in order; a
witness of the reduced instance is lifted back through them in reverse.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance, Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import apart, has_many_hubs, some_wild
from uno_csp.reductions.bounds import known_bound
from uno_csp.reductions.dead_ends import refute_by_dead_ends, refute_by_lack_of_help
from uno_csp.reductions.duplicates import drop_surplus_copies
from uno_csp.reductions.groups import refute_by_groups
from uno_csp.reductions.lonely_cards import refute_by_lonely_cards
from uno_csp.reductions.needed_supply import add_needed_supply
from uno_csp.reductions.private_hubs import merge_pendant_cards
from uno_csp.reductions.steps import Decided, Reduced, StepResult
from uno_csp.reductions.trivial import play_solitaire, settle_without_play
from uno_csp.reductions.wild_cards import settle_with_wild_cards

__all__ = [
    "EARLY_STEPS",
    "REFUTATIONS",
    "STEPS",
    "STEP_NAMES",
    "Decided",
    "Presolved",
    "Reduced",
    "is_dense",
    "known_bound",
    "reduce",
]

Step = Callable[[Instance], StepResult | None]

STEPS: tuple[Step, ...] = (
    play_solitaire,
    add_needed_supply,
    settle_without_play,
    settle_with_wild_cards,
    refute_by_groups,
    refute_by_dead_ends,
    refute_by_lack_of_help,
    refute_by_lonely_cards,
    drop_surplus_copies,
    merge_pendant_cards,
)
"""The steps in order of application; steps that decide come before those that drop cards."""

EARLY_STEPS = STEPS[:2]
"""The steps that change the question or its objective, so that all methods need the same ones."""

STEP_NAMES: Mapping[str, str] = MappingProxyType(
    {
        play_solitaire.__name__: "one player alone",
        add_needed_supply.__name__: "needed cards of the supply",
        settle_without_play.__name__: "no card to play",
        settle_with_wild_cards.__name__: "sorting the cards",
        refute_by_groups.__name__: "groups of cards",
        refute_by_dead_ends.__name__: "dead ends",
        refute_by_lack_of_help.__name__: "lack of help",
        refute_by_lonely_cards.__name__: "cards that hardly any matches",
        drop_surplus_copies.__name__: "surplus copies left out",
        merge_pendant_cards.__name__: "pendant cards merged",
    }
)
"""Names of the steps in answers."""

REFUTATIONS: tuple[Step, ...] = (refute_by_groups, refute_by_dead_ends)
"""Steps that give the reason for a no; the kernel finds the same no, but no reason."""

DENSE = 3
"""Ratio of cards to hubs from which most hands can be played."""


@dataclass(frozen=True, slots=True)
class Presolved:
    """The result of the presolve steps.

    Parameters
    ----------
    instance
        The reduced instance, equivalent to the original one.
    decided
        The answer, if a step found it; then nothing is left to solve.
    applied
        The steps that changed the instance, in order: their names and results.
    """

    instance: Instance
    decided: Decided | None
    applied: tuple[tuple[str, Reduced], ...]

    def lift(self, witness: Witness) -> Witness:
        """Turn a witness of the reduced instance into one of the original instance."""
        for _, step in reversed(self.applied):
            witness = step.lift(witness)
        return witness

    @property
    def cost(self) -> int:
        """Cost that the lift adds to the objective."""
        return sum(step.cost for _, step in self.applied)

    @property
    def names(self) -> list[str]:
        """The names of the steps that changed or decided something; see :data:`STEP_NAMES`."""
        decided = [self.decided.by] if self.decided else []
        return [STEP_NAMES[name] for name in (*(name for name, _ in self.applied), *decided)]


def is_dense(instance: Instance) -> bool:
    """Return True if the hand is so dense that the refutation steps are not worth running."""
    if not isinstance(instance, Uno1):
        return False
    if has_many_hubs(instance.dimension, instance.at_least):
        return False
    plain, _ = apart(instance.cards, instance.at_least)
    if not plain or some_wild(plain):
        return False
    return len(plain) >= DENSE * len(incidence(tuple(plain), instance.at_least).hubs)


def reduce(instance: Instance, steps: Sequence[Step] = STEPS) -> Presolved:
    """Run every step once, until one decides."""
    applied: list[tuple[str, Reduced]] = []
    for step in steps:
        found = step(instance)
        if isinstance(found, Decided):
            return Presolved(instance, found, tuple(applied))
        if found is not None:
            applied.append((step.__name__, found))
            instance = found.instance
    return Presolved(instance, None, tuple(applied))
