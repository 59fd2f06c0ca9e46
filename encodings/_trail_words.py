"""Human-readable meanings of the variables of a trail model.

Modules of this folder whose names begin with an underscore are parts of encodings.
"""

from collections.abc import Iterator, Sequence

from uno_csp.encodings._trail_model import HubTrail
from uno_csp.hub_graph.kernel import Core
from uno_csp.questions.cards import hub_name
from uno_csp.questions.wording import describe


def meanings(core: Core, trail: HubTrail) -> Iterator[tuple[int, str]]:
    """Yield variables with their meanings.

    Cards are numbered from 1: first those of the hand, then the supply's, without wild cards.
    """
    names = [hub_name(core.graph.hubs[hub]) for hub in core.hubs]
    words: dict[int, str] = {}
    for hub, literal in enumerate(trail.visited):
        use = "joins its two cards" if hub in trail.pairs else "is visited"
        words[literal] = f"y[{names[hub]}] hub {names[hub]} {use}"
    words.update(_edge_meanings(core, trail, names))
    for number, literals in enumerate(trail.states, start=1):
        for state, literal in enumerate(literals, start=1):
            words[literal] = f"r[{number},{state}] part {number} is in state {state} of its table"
    for hub, literal in trail.starts.items():
        words[literal] = f"s[{names[hub]}] the pile is left through it"
    for hub, literal in trail.odd.items():  # a card alone at a hub is its parity, named above
        words.setdefault(literal, f"odd[{names[hub]}] it has an odd number of trail edges")
    for hub, literal in trail.closed.items():
        words[literal] = f"b[{names[hub]}] a closed trail starts there"
    words.update(_end_meanings(core, trail))
    for at, literal in trail.missed.items():
        hubs_named = ",".join(names[hub] for hub in at)
        words[literal] = f"u[{hubs_named}] the cards on just these hubs are left out"
    for index, literal in enumerate(trail.wild_used, start=1):
        words[literal] = f"w[{index}] wild card {index} of the supply is added"
    return iter(words.items())


def _edge_meanings(core: Core, trail: HubTrail, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    cards = core.graph.all_cards
    for place, (index, at) in enumerate(core.cards):
        trail_edge, ends = trail.trail_edges[place], trail.ends[place]
        edge = len(at) == 2 and place not in trail.single
        letter = "x" if edge else "t"
        named = f"{letter}[{index + 1}] card {index + 1} ({describe(cards[index])})"
        yield trail_edge, f"{named} is a trail edge"
        if not edge:
            for end, hub in zip(ends, at, strict=True):
                if hub in trail.pairs:
                    continue
                named = f"z[{index + 1},{names[hub]}]"
                yield end, f"{named} card {index + 1} is a trail edge and ends there"


def _end_meanings(core: Core, trail: HubTrail) -> Iterator[tuple[int, str]]:
    """Yield the variables of cards without two ends."""
    cards = core.graph.all_cards
    for letter, how, literals in (
        ("o", "has one end", trail.single),
        ("a", "is a trail of its own", trail.alone),
    ):
        for place, literal in literals.items():
            index = core.cards[place][0]
            card = f"card {index + 1} ({describe(cards[index])})"
            yield literal, f"{letter}[{index + 1}] {card} {how}"
