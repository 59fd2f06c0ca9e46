"""Steps of a sequence or game for pictures, and positions of values on an axis."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer
from uno_csp.questions.cards import Card, Hub, Value, hubs, is_wild, with_copies_left
from uno_csp.questions.wording import named

FEW_LABELS = 40  # maximum number of values on a labelled axis


@dataclass(frozen=True, slots=True)
class Step:
    """A card with its place in the play, from 1, and its owner: hand, added, or a player."""

    card: Card
    number: int | None
    owner: str


def steps_of(instance: Instance, answer: Answer) -> list[Step]:
    """Return a step for each card: first the played ones in order, then the others."""
    played = _number_played(instance, answer)
    left = Counter((step.card, step.owner) for step in played if step.owner != "added")
    rest = []
    for player, hand in enumerate(instance.hands, start=1):
        owner = owner_of(instance, player)
        for card in hand:
            if left[card, owner]:
                left[card, owner] -= 1
            else:
                rest.append(Step(card, None, owner))
    return [*played, *rest]


def _number_played(instance: Instance, answer: Answer) -> list[Step]:
    if answer.plays is not None:
        return [
            Step(play.card, number, owner_of(instance, play.player))
            for number, play in enumerate(answer.plays, start=1)
        ]
    played = enumerate(with_copies_left(answer.sequence or (), answer.added or ()), start=1)
    return [Step(card, number, "added" if left < 0 else "hand") for number, (card, left) in played]


def owner_of(instance: Instance, player: int) -> str:
    """Return the name of a player, from 1, or of the only hand."""
    return f"player {player}" if len(instance.hands) > 1 else "hand"


def walks(steps: Iterable[Step]) -> list[list[Step]]:
    """Return the played cards, split at the wild cards."""
    found: list[list[Step]] = [[]]
    for step in steps:
        if step.number is None:
            continue
        if is_wild(step.card):
            found.append([])
        else:
            found[-1].append(step)
    return [walk for walk in found if walk]


def visits(walk: Sequence[Step], at_least: int) -> list[Hub]:
    """Return the hubs that a walk without wild cards visits; it leaves each as late as it can."""
    found: list[Hub] = []
    for here, after in pairwise(walk):
        shared = {*hubs(here.card, at_least)} & {*hubs(after.card, at_least)}
        if not found or found[-1] not in shared:
            found.append(min(shared, key=str))
    return found or [hubs(walk[0].card, at_least)[0]]


def positions(values: Iterable[Value]) -> dict[Value, int]:
    """Return the position of each value: sorted if they are few, else as they appear."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) <= FEW_LABELS:
        distinct.sort(key=order)
    return {value: index for index, value in enumerate(distinct)}


def order(value: Value) -> tuple[bool, Value]:
    """Return a sort key with numbers before texts."""
    return isinstance(value, str), value


def label(set_ticks: Callable[..., Any], places: dict[Value, int]) -> None:
    """Label an axis with its values, if they are few."""
    shown = places if len(places) <= FEW_LABELS else {}
    set_ticks(list(shown.values()), [named(value) for value in shown])
