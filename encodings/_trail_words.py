"""What the variables of a trail model mean, in words.

A module here whose name opens with an underscore is no encoding but a part of one.
"""

from collections.abc import Iterator, Sequence

from uno_csp.cards import hub_name
from uno_csp.encodings._trail_model import HubTrail
from uno_csp.hub_graph import Core
from uno_csp.wording import describe


def meanings(core: Core, trail: HubTrail) -> Iterator[tuple[int, str]]:
    """What the variables mean; cards are counted from 1, wild ones left out, then the supply."""
    names = [hub_name(core.graph.hubs[hub]) for hub in core.hubs]
    told: dict[int, str] = {}
    for hub, literal in enumerate(trail.visited):
        told[literal] = f"y[{names[hub]}] hub {names[hub]} is visited"
    told.update(_walk_meanings(core, trail, names))
    for number, literals in enumerate(trail.rows, start=1):
        for row, literal in enumerate(literals, start=1):
            told[literal] = f"r[{number},{row}] part {number} is taken by row {row} of its table"
    for hub, literal in trail.starts.items():
        told[literal] = f"s[{names[hub]}] the pile is left through it"
    for hub, literal in trail.odd.items():  # one card alone is its own parity, and named already
        told.setdefault(literal, f"odd[{names[hub]}] an odd number of cards is walked there")
    for hub, literal in enumerate(trail.closed):
        told[literal] = f"b[{names[hub]}] a closed trail starts there"
    for at, literal in trail.missed.items():
        hubs_named = ",".join(names[hub] for hub in at)
        told[literal] = f"u[{hubs_named}] the cards on just these hubs are left out"
    for index, literal in enumerate(trail.wild_used, start=1):
        told[literal] = f"w[{index}] wild card {index} of the supply is added"
    return iter(told.items())


def _walk_meanings(core: Core, trail: HubTrail, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    cards = core.graph.all_cards
    for (index, at), walked, ends in zip(core.cards, trail.walked, trail.ends, strict=True):
        letter = "x" if len(at) == 2 else "t"
        yield walked, f"{letter}[{index + 1}] card {index + 1} ({describe(cards[index])}) is walked"
        if len(at) > 2:
            for end, hub in zip(ends, at, strict=True):
                named = f"z[{index + 1},{names[hub]}]"
                yield end, f"{named} card {index + 1} is walked and ends there"
