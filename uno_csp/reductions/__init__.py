"""Presolve: reduction steps that decide an instance or make it smaller, with lifts for witnesses.

A step is a function from an instance to an :class:`~uno_csp.reductions.steps.StepResult`, or None
when it has nothing to do. Its docstring holds the proof. ``reduce`` runs the steps in order; a
witness of the reduced instance is lifted back through them in reverse.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.reductions.bounds import known_bound, trivial_bound
from uno_csp.reductions.dead_ends import refute_by_dead_ends, refute_by_lack_of_help
from uno_csp.reductions.duplicates import drop_surplus_copies
from uno_csp.reductions.groups import refute_by_groups
from uno_csp.reductions.lonely_cards import refute_by_lonely_cards
from uno_csp.reductions.needed_supply import add_needed_supply
from uno_csp.reductions.private_hubs import merge_pendant_cards
from uno_csp.reductions.steps import Decided, Reduced, StepResult, plain_hand
from uno_csp.reductions.trivial import play_solitaire, settle_without_play
from uno_csp.reductions.wild_cards import settle_with_wild_cards

__all__ = [
    "EARLY_STEPS",
    "REFUTATIONS",
    "STEPS",
    "Decided",
    "Presolved",
    "Reduced",
    "is_dense",
    "known_bound",
    "reduce",
    "trivial_bound",
]

Step = Callable[[Instance], StepResult | None]

STEPS: Mapping[Step, str] = MappingProxyType(
    {
        play_solitaire: "one player alone",
        add_needed_supply: "needed cards of the supply",
        settle_without_play: "no card to play",
        settle_with_wild_cards: "sorting the cards",
        refute_by_groups: "groups of cards",
        refute_by_dead_ends: "dead ends",
        refute_by_lack_of_help: "lack of help",
        refute_by_lonely_cards: "cards that hardly any matches",
        drop_surplus_copies: "surplus copies left out",
        merge_pendant_cards: "pendant cards merged",
    }
)
"""The steps in order of application, with their names in answers.

Steps that decide come before those that drop cards.
"""

EARLY_STEPS: tuple[Step, ...] = (play_solitaire, add_needed_supply)
"""The steps that change the question or its objective, so that all methods need the same ones."""

REFUTATIONS: tuple[Step, ...] = (refute_by_groups, refute_by_dead_ends)
"""Steps that give the reason for a no; the kernel finds the same no, but no reason."""

DENSE = 3  # ratio of cards to hubs from which most hands can be played


@dataclass(frozen=True, slots=True)
class Presolved:
    """The result of the presolve steps."""

    instance: Instance  # the reduced instance, equivalent to the original one
    decided: Decided | None  # the answer, if a step found it; then nothing is left to solve
    # the steps that changed the instance, in order: their names and results
    applied: tuple[tuple[str, Reduced], ...]
    decided_by: str = ""  # the name of the step that found the answer

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
        """The names of the steps that changed or decided something."""
        return [name for name, _ in self.applied] + [self.decided_by] * bool(self.decided_by)


def is_dense(instance: Instance) -> bool:
    """Return True if the hand is so dense that the refutation steps are not worth running."""
    hand = plain_hand(instance)
    if hand is None or not hand.plain:
        return False
    return len(hand.plain) >= DENSE * len(incidence(hand.plain, instance.at_least).hubs)


def reduce(instance: Instance, steps: Iterable[Step] = STEPS) -> Presolved:
    """Run every step once, until one decides."""
    applied: list[tuple[str, Reduced]] = []
    for step in steps:
        found = step(instance)
        if isinstance(found, Decided):
            return Presolved(instance, found, tuple(applied), STEPS[step])
        if found is not None:
            applied.append((STEPS[step], found))
            instance = found.instance
    return Presolved(instance, None, tuple(applied))
