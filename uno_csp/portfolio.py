"""The portfolio: the ways that race for the answer of a question, by the shape of the instance.

:data:`ROWS` is read from the top, and the first row that suits an instance applies. Its ways start
in their order, each when those before it have used some CPU time without an answer: CPU seconds
measure work, and a busy machine does not use them up. A way whose method does not take the
instance, or whose backend is not installed, is left out.

Another package adds rows under the entry point group ``uno_csp.portfolio``; they are read first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter

from uno_csp.graph_tools.mate_tables import narrow_order, width_along
from uno_csp.graph_tools.pieces import has_short_cycles
from uno_csp.hub_graph.incidence import graph_of, is_forest, is_graph
from uno_csp.methods import methods_taking
from uno_csp.processes.deadline import NEVER, WATCHED, Deadline
from uno_csp.questions import (
    Cooperative,
    FillIn,
    HandQuestion,
    Instance,
    Longest,
    OpenGame,
    Uncooperative,
    Uno1,
)
from uno_csp.questions.cards import hub_count
from uno_csp.registry import Registry


@dataclass(frozen=True, slots=True)
class Way:
    """A method with a backend, and its place in a race."""

    methods: tuple[str, ...]  # names of methods; the first one that takes the instance runs
    # a backend that only this way uses; it is left out if the user names another. None stands for
    # the user's backend or else the default one, which algorithms do not use
    backend: str | None = None
    # CPU seconds of the ways before it, with their solvers loaded, after which it starts
    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """The ways for instances of one shape."""

    name: str
    shape: str  # in words, for people
    why: str  # why these ways, in this order
    suits: Callable[[Instance], bool]  # returns True for an instance of this shape
    ways: tuple[Way, ...]
    # whether its way takes less time than a worker could be asked, and so runs in the calling
    # process; such a row applies only if the user leaves the choice open
    at_once: bool = False


TINY_HAND = 12
"""Maximum number of cards of a hand that takes up to 1 ms; a worker takes 2 ms or more."""

FEW_CARDS = 100
"""Maximum number of cards, with those of a supply, of a small optimisation question."""

FEW_HUBS = 4
"""Maximum number of hubs of a card on which trails are quicker to find than by rotations."""

SEVERAL_CARDS = 2000
"""Minimum number of cards of a hand for which a walk is looked for before a search."""

ROTATED_CARDS = 4000
"""Maximum number of cards of any kind that rotations take."""

NARROW, NARROW_CARDS = 12, 300
"""Maximum width, and number of cards, of a graph whose frontier has few states in all."""

CUBIC_CARDS = 2500
"""Maximum number of cards of a graph of degree 3 or 4 on which a circuit often beats trails."""

SPARSE_DEGREE = 3.5
"""Mean degree below which a graph without a cycle seldom is refuted by a relaxation."""

MANY_CARDS, FEW_CARDS_A_VALUE = 5000, 2
"""Minimum number of cards, and upper limit of cards per value, of a large sparse hand."""

MANY_TOGETHER = 80
"""Minimum number of cards of all hands for which cooperative play is annealed before turns."""


def _is_graph(instance: Instance) -> bool:
    return isinstance(instance, HandQuestion) and is_graph(instance.cards, instance.at_least)


def _playable_graph(instance: Instance) -> bool:
    return isinstance(instance, Uno1) and _is_graph(instance)


def _narrow_graph(instance: Instance) -> bool:
    # Half of the neighbours of a card are on the frontier before it, or after it.
    if instance.dimension > 2 * NARROW + 1 or len(instance.cards) > NARROW_CARDS:
        return False
    if not _playable_graph(instance) or instance.after is not None:
        return False
    near = graph_of(instance.cards)
    return width_along(near, narrow_order(near)) <= NARROW


def _cubic_graph(instance: Instance) -> bool:
    if len(instance.cards) > CUBIC_CARDS or not _playable_graph(instance):
        return False
    near = graph_of(instance.cards)
    # A cycle is asked with one vertex doubled, which changes the degrees of its neighbours.
    return sum(not 3 <= len(each) <= 4 for each in near) <= 8 and has_short_cycles(near)


def _sparse_graph(instance: Instance) -> bool:
    if not _playable_graph(instance):
        return False
    return sum(map(len, graph_of(instance.cards))) < SPARSE_DEGREE * len(instance.cards)


def _large_and_sparse(instance: Instance) -> bool:
    if not isinstance(instance, Uno1) or len(instance.cards) < MANY_CARDS:
        return False
    values = 0
    for at in range(instance.dimension):
        values += len(set(map(itemgetter(at), instance.cards)))
        if len(instance.cards) < FEW_CARDS_A_VALUE * values:
            return True
    return False


def _dense(instance: Instance) -> bool:
    return (
        isinstance(instance, Uno1 | Longest | FillIn)
        and hub_count(instance.dimension, instance.at_least) > FEW_HUBS
    )


def _forest(instance: Instance) -> bool:
    free = isinstance(instance, Longest | FillIn) and not instance.offers
    return free and is_forest(instance.cards, instance.at_least)


def _far(instance: Instance) -> bool:
    free = isinstance(instance, FillIn) and instance.supply is None
    return free and 2 * instance.at_least > instance.dimension


TRAIL = ("hub-trail", "priced-trail", "successor")
"""The exact encodings of a hand, the smallest model first."""

ROWS: tuple[Row, ...] = (
    Row(
        "tiny",
        f"one hand of up to {TINY_HAND} cards, with those of a supply",
        "dynamic programming over the sets of cards takes less time than a worker could be asked",
        lambda it: isinstance(it, Uno1 | Longest | FillIn) and it.size <= TINY_HAND,
        (Way(("subsets",)),),
        at_once=True,
    ),
    Row(
        "narrow-graph",
        f"uno-1 where the hand is a graph of width up to {NARROW}, and of {NARROW_CARDS} cards",
        "the frontier has few states, so both answers take few seconds; clauses are often quicker",
        _narrow_graph,
        (
            Way(("successor",)),
            Way(("frontier",), after_s=0.005),
            Way(("subtour-bound",), after_s=1.0),
            Way(TRAIL, after_s=4.0),
        ),
    ),
    Row(
        "cubic-graph",
        f"uno-1 where the hand is a graph of up to {CUBIC_CARDS:,} cards, of degree 3 or 4, with "
        "many cycles of up to six cards",
        "a circuit over pairs of cards is best on most of these, which are no random graphs; few "
        "are refuted by a relaxation",
        _cubic_graph,
        (
            Way(("successor",)),
            Way(TRAIL, after_s=0.05),
            Way(("subtour-bound",), after_s=0.5),
            Way(("frontier",), after_s=5.0),
            Way(("successor",), "cp-sat", after_s=15.0),
        ),
    ),
    Row(
        "sparse-graph",
        f"uno-1 where the hand is a graph of mean degree below {SPARSE_DEGREE:g}",
        "trails on the hubs need few rounds of cuts; a linear relaxation refutes some; a circuit "
        "over pairs of cards is best on some",
        _sparse_graph,
        (
            Way(TRAIL),
            Way(("subtour-bound",), after_s=0.1),
            Way(("successor",), after_s=0.5),
            Way(("frontier",), after_s=3.0),
            Way(("successor",), "cp-sat", after_s=20.0),
        ),
    ),
    Row(
        "graph",
        "uno-1 where the hand is a graph: no value is on three cards",
        "rotations have found no path, so there often is none, which a linear relaxation shows; "
        "trails on the hubs need few rounds of cuts; a circuit over pairs of cards is best on some",
        _playable_graph,
        (
            Way(("subtour-bound",)),
            Way(TRAIL),
            Way(("successor",), after_s=0.4),
            Way(("frontier",), after_s=3.0),
            Way(("successor",), "cp-sat", after_s=20.0),
        ),
    ),
    Row(
        "large-far",
        f"fill-in without a supply where more than half of the attributes must agree, with "
        f"more than {ROTATED_CARDS:,} cards",
        "paths by spanning trees, insertion and rotations take less time than any model",
        lambda it: _far(it) and it.size > ROTATED_CARDS,
        (
            Way(("one-trees", "insertion")),
            Way(("insertion",), after_s=0.3),
            Way(("rotations",), after_s=0.5),
            Way(("joined-trails",), after_s=1.5),
            Way(("width",), after_s=1.7),
            Way(TRAIL, after_s=2.0),
            Way(("successor",), "cp-sat", after_s=3.0),
            Way(("hub-trail", "joined-trails"), "highs", after_s=3.0),
        ),
    ),
    Row(
        "far",
        "fill-in without a supply where more than half of the attributes must agree",
        "the lengths between cards add up along a path, and a spanning tree often is as long; "
        "rotations tell a hand that plays as it is",
        _far,
        (
            Way(("rotations", "insertion")),
            Way(("one-trees",), after_s=0.02),
            Way(("joined-trails",), after_s=0.25),
            Way(("width",), after_s=0.4),
            Way(TRAIL, after_s=0.5),
            Way(("successor",), "cp-sat", after_s=1.0),
            Way(("hub-trail", "joined-trails"), "highs", after_s=1.0),
        ),
    ),
    Row(
        "forest",
        "longest and fill-in where the hubs form a forest",
        "a walk through all hubs often plays the whole hand; tables of its parts have few states",
        _forest,
        (Way(("walks",)), Way(("width",), after_s=0.02)),
    ),
    Row(
        "optimised-graph",
        "longest and fill-in where the hand is a graph",
        "the linear relaxation is nearly tight there, and clauses have to count",
        lambda it: it.sense.optimises and _is_graph(it),
        (
            Way(("hub-trail",), "highs"),
            Way(("width",), after_s=0.05),
            Way(("subtour-bound",), after_s=0.3),
            Way(TRAIL, after_s=3.0),
            Way(("successor",), "cp-sat", after_s=9.0),
        ),
    ),
    Row(
        "supplied",
        "fill-in with a supply",
        "the linear relaxation of the costs is nearly tight",
        lambda it: isinstance(it, FillIn) and it.supply is not None,
        (
            Way(("hub-trail", "successor"), "highs"),
            Way(TRAIL, after_s=1.0),
            Way(("successor",), "cp-sat", after_s=3.0),
        ),
    ),
    Row(
        "wide",
        f"hands whose cards lie on more than {FEW_HUBS} hubs",
        "hubs are many; where many cards match, rotations of a path visit all of them at once",
        _dense,
        (
            Way(("rotations", "insertion")),
            Way(("successor",), after_s=0.1),
            Way(("walks",), after_s=0.1),
            Way(TRAIL, after_s=0.2),
            Way(("hub-trail",), "highs", after_s=2.0),
            Way(("successor",), "cp-sat", after_s=4.0),
        ),
    ),
    Row(
        "large-sparse",
        f"uno-1 with {MANY_CARDS:,} cards or more, fewer than {FEW_CARDS_A_VALUE} for each value",
        "a walk through all hubs is often there, and a closed trail is easier to find than one "
        "with ends",
        _large_and_sparse,
        (
            Way(("walks", "insertion")),
            Way(("closed-trail",), after_s=0.02),
            Way(TRAIL, after_s=0.04),
        ),
    ),
    Row(
        "large-agreeing",
        f"uno-1 with {SEVERAL_CARDS:,} cards or more that must agree in several attributes",
        "where few pairs match, a path by rotations takes less time than a model",
        lambda it: isinstance(it, Uno1) and it.at_least > 1 and len(it.cards) >= SEVERAL_CARDS,
        (
            Way(("walks", "insertion")),
            Way(("rotations",), after_s=0.1),
            Way(TRAIL, after_s=0.2),
        ),
    ),
    Row(
        "large",
        f"uno-1 with {SEVERAL_CARDS:,} cards or more",
        "in dense hands a walk through all hubs takes linear time",
        lambda it: isinstance(it, Uno1) and len(it.cards) >= SEVERAL_CARDS,
        (Way(("walks", "insertion")), Way(TRAIL, after_s=0.1)),
    ),
    Row(
        "hand",
        "uno-1 with any other hand",
        "its hub graph is small, and few rounds of cuts connect the trail",
        lambda it: isinstance(it, Uno1),
        (Way(TRAIL),),
    ),
    Row(
        "small-optimised",
        f"longest and fill-in with up to {FEW_CARDS} cards",
        "constraint programming over pairs of cards is best where few cards match",
        lambda it: isinstance(it, Longest | FillIn) and it.size <= FEW_CARDS,
        (
            Way(("width",)),
            Way(TRAIL, after_s=0.25),
            Way(("successor",), "cp-sat", after_s=0.5),
            Way(("hub-trail",), "highs", after_s=1.5),
        ),
    ),
    Row(
        "large-optimised",
        f"longest and fill-in with more than {ROTATED_CARDS:,} cards",
        "a walk through all hubs or a path by rotations often plays the whole hand, before a model "
        "is built; paths by insertion need no list of matching pairs",
        lambda it: isinstance(it, Longest | FillIn) and it.size > ROTATED_CARDS,
        (
            Way(("walks", "insertion")),
            Way(("rotations",), after_s=0.1),
            Way(("width",), after_s=0.5),
            Way(TRAIL, after_s=1.0),
            Way(("hub-trail",), "highs", after_s=1.0),
            Way(("insertion",), after_s=3.0),
        ),
    ),
    Row(
        "optimised",
        "longest and fill-in with more cards",
        "a walk through all hubs or rotations of a path often play the whole hand; tables answer "
        "where the width is small; clauses find good sequences, and a linear relaxation proves "
        "bounds",
        lambda it: isinstance(it, Longest | FillIn),
        (
            Way(("walks", "insertion")),
            Way(TRAIL, after_s=0.01),
            Way(("hub-trail",), "highs", after_s=0.02),
            Way(("rotations",), after_s=0.04),
            Way(("width",), after_s=1.0),
        ),
    ),
    Row(
        "large-cooperative",
        f"cooperative play with {MANY_TOGETHER} cards or more",
        "greedy games win where there is much freedom, and annealing nearly all that can be won; "
        "the trail with any number of skips refutes; turns one by one take too many variables",
        lambda it: isinstance(it, Cooperative) and it.size >= MANY_TOGETHER,
        (
            Way(("play-outs",)),
            Way(("annealing",)),
            Way(("free-turns",), after_s=0.4),
            Way(("turns",), after_s=60.0),
        ),
    ),
    Row(
        "cooperative",
        "cooperative play with fewer cards",
        "greedy games win where there is much freedom; the trail with any number of skips refutes, "
        "and finds most other plays; turns one by one decide; annealing takes a second to load",
        lambda it: isinstance(it, Cooperative),
        (
            Way(("play-outs",)),
            Way(("free-turns",), after_s=0.01),
            Way(("annealing",), after_s=0.02),
            Way(("turns",), after_s=1.0),
        ),
    ),
    Row(
        "uncooperative",
        "uncooperative play",
        "a matching decides two players; the rest is a search of the game",
        lambda it: isinstance(it, Uncooperative),
        (Way(("matching",)), Way(("game-search",), after_s=0.25)),
    ),
    Row(
        "open-game",
        "the open game",
        "proof numbers find who wins; a best-first search finds how to end soonest",
        lambda it: isinstance(it, OpenGame),
        (Way(("proof-number", "best-first", "rounds")),),
    ),
)
"""The table, from the top."""

OFFERED: Registry[Row] = Registry(
    "portfolio row",
    "uno_csp.portfolio",
    lambda module: module.ROWS,
    ("name", "shape", "why", "suits", "ways"),
    order=lambda row: row in ROWS,
)
"""All rows by name, those of other packages first."""


def row_for(instance: Instance, *, at_once: bool = True, deadline: Deadline = NEVER) -> Row:
    """Return the first row that suits an instance, of those ``at_once`` only if they may apply.

    A question of another package without a row gets one with the first of its methods that takes
    the instance, those that decide it first. Raises TimeUp if the deadline of a large one passes.
    """
    is_large = instance.size >= WATCHED
    for row in OFFERED.values():
        suits = row.at_once <= at_once and row.suits(instance)
        if is_large:
            deadline.check()
        if suits:
            return row
    kind = type(instance)
    why = "no row is for this question, so the first method that decides it runs"
    return Row("other", kind.question, why, lambda _: True, (Way(methods_taking(kind)),))


def is_answered_at_once(instance: Instance) -> bool:
    """Return True if the row that suits an instance is one whose way runs in this process."""
    quick = any(row.at_once and row.suits(instance) for row in OFFERED.values())
    return quick and row_for(instance).at_once
