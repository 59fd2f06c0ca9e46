"""Cooperative play over time: which card is laid at which step, with forced plays and skips.

Matching is encoded by *tokens*, not by pairs of cards: a card shows some tokens and answers to
some, and may be laid on a card that shows one it answers to. For plain cards both are their hubs; a
card with wild coordinates has two tokens of its own. So a step needs a clause for each card on a
hub instead of one for each pair of cards.

Skips are forced, not chosen: every player between those of two consecutive steps is skipped, and a
skipped player has already played all cards that match the card on the pile. So a player who can
play is never skipped.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise

from uno_csp.modeling import Assignment, Encoded, Encoder, Model
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.cards import Card, has_many_hubs, hubs, is_wild, matches, previous_copies
from uno_csp.questions.wording import describe

MANY_STEPS = 4_000_000  # maximum number of pairs of a card and a step; a larger model is declined


@dataclass(frozen=True, slots=True)
class Schedule:
    """The cards with their owners, numbered from 0, and the variables by step.

    ``laid``, ``before``, ``mover``, ``shows`` and ``skipped`` are x, d, w, y and s of the encoder.
    """

    cards: tuple[Card, ...]
    owners: tuple[int, ...]
    laid: Sequence[Sequence[int]]
    before: Sequence[Sequence[int]]
    mover: Sequence[Sequence[int]]
    shows: Sequence[Sequence[int]]
    skipped: Sequence[Sequence[int]]


class TurnsEncoder(Encoder[Cooperative, Schedule]):
    """Card x step with forced plays and forced skips, for ``cooperative``; exact.

    Variables
    ---------
    x[t, e]
        Card e is laid at step t; with n1 cards of player 1 and n of the others in p - 1 hands there
        are n1 + n - (p - 1) steps.
    d[t, e]
        Card e is laid before step t.
    w[t, q]
        Step t is player q's.
    y[t, v]
        The card of step t shows token v.
    s[t, q]
        Player q is skipped after step t.

    Constraints
    -----------
    A step has at most one card, no step before the last one is empty, a card is laid once, and on a
    card it matches; players between those of two consecutive steps are skipped, and hold no match;
    the last step is player 1's, who has laid all her cards, and every other player keeps one.
    """

    name = "turns"
    takes = (Cooperative,)

    def declines(self, instance: Cooperative) -> str | None:
        """Return a reason if the deal is too large."""
        size = len(instance.cards) * _steps(instance)
        if size > MANY_STEPS:
            return f"the model has {size} pairs of a card and a step, more than {MANY_STEPS}"
        return None

    def encode(self, instance: Cooperative) -> Encoded[Schedule]:
        """Write the model."""
        writer = _Writer(instance)
        rows = (writer.x, writer.d, writer.w, writer.y, writer.s)
        return Encoded(writer.write(), Schedule(instance.cards, writer.owners, *rows))

    def decode(self, encoded: Encoded[Schedule], assignment: Assignment) -> Witness:
        """Return the plays in the order of their steps."""
        table = encoded.data
        cards = list(zip(table.owners, table.cards, strict=True))
        rows = (compress(cards, map(assignment.__getitem__, row)) for row in table.laid)
        return Witness(plays=tuple(Play(owner + 1, card) for row in rows for owner, card in row))

    def meanings(self, encoded: Encoded[Schedule]) -> Iterator[tuple[int, str]]:
        """Yield every variable with its meaning; everything is numbered from 1."""
        table = encoded.data
        cards = [f"card {i} ({describe(card)})" for i, card in enumerate(table.cards, start=1)]
        kinds: tuple[tuple[str, Sequence[Sequence[int]], str], ...] = (
            ("x", table.laid, "{card} is laid at step {step}"),
            ("d", table.before, "{card} is laid before step {step}"),
            ("w", table.mover, "step {step} is player {index}'s"),
            ("y", table.shows, "the card of step {step} shows token {index}"),
            ("s", table.skipped, "player {index} is skipped after step {step}"),
        )
        for letter, rows, words in kinds:
            for step, row in enumerate(rows, start=1):
                for index, variable in enumerate(row, start=1):
                    card = cards[index - 1] if letter in "xd" else ""
                    meaning = words.format(card=card, step=step, index=index)
                    yield variable, f"{letter}[{step},{index}] {meaning}"


def _steps(instance: Cooperative) -> int:
    return len(instance.cards) - (len(instance.hands) - 1)


class _Writer:
    def __init__(self, instance: Cooperative) -> None:
        self.instance = instance
        self.owners = tuple(q for q, hand in enumerate(instance.hands) for _ in hand)
        bounds = accumulate(map(len, instance.hands), initial=0)
        self.own = [slice(start, end) for start, end in pairwise(bounds)]  # the cards of each hand
        self.steps = steps = _steps(instance)
        self.players = len(instance.hands)
        self.shown, self.answered, count = tokens(instance)
        self.previous = previous_copies(zip(self.owners, instance.cards, strict=True))
        n = len(instance.cards)
        self.model = Model()
        self.x = [self.model.new_vars(n) for _ in range(steps)]
        self.d = [self.model.new_vars(n) for _ in range(steps + 1)]
        self.w = [self.model.new_vars(self.players) for _ in range(steps)]
        self.y = [self.model.new_vars(count) for _ in range(steps)]
        self.s = [self.model.new_vars(self.players) for _ in range(steps)]
        self.showing: list[list[int]] = [[] for _ in range(count)]
        for card, own in enumerate(self.shown):
            for token in own:
                self.showing[token].append(card)

    def write(self) -> Model:
        """Write and return the model."""
        self._write_opening()
        for step in range(self.steps):
            self._write_step(step)
            if step + 1 < self.steps:
                self._write_passage(step)
        self._write_end()
        return self.model

    def _write_opening(self) -> None:
        """Require that the first player who can opens, and that no card is laid before."""
        self.model.add_clauses([-laid] for laid in self.d[0])
        after, k = self.instance.after, self.instance.at_least
        opens = [after is None or matches(after, card, k) for card in self.instance.cards]
        opener = next((owner for owner, can in zip(self.owners, opens, strict=True) if can), None)
        if opener is None:
            self.model.add_clause()
            return
        self.model.add_clause(self.w[0][opener])
        self.model.add_clauses([-var] for var, can in zip(self.x[0], opens, strict=True) if not can)

    def _write_step(self, step: int) -> None:
        """Write a step: at most one card, of one player; it shows its tokens and stays laid."""
        model, x, w, y = self.model, self.x[step], self.w[step], self.y[step]
        before, after = self.d[step], self.d[step + 1]
        model.at_most(x, 1)
        model.at_most(w, 1)
        for card, var in enumerate(x):
            model.add_clause(-var, w[self.owners[card]])
            model.add_clause(-var, -before[card])
            model.add_clause(-var, after[card])
            model.add_clause(-before[card], after[card])
            model.add_clause(-after[card], before[card], var)
            model.add_clauses((-var, y[token]) for token in self.shown[card])
        model.add_clauses(
            [-y[token], *(x[card] for card in cards)] for token, cards in enumerate(self.showing)
        )
        for player, own in zip(w, self.own, strict=True):
            model.add_clause(-player, *x[own])
        self._order_copies(after)

    def _order_copies(self, laid: Sequence[int]) -> None:
        """Break symmetry: equal cards of one hand are laid in order."""
        for var, previous in zip(laid, self.previous, strict=True):
            if previous is not None:
                self.model.add_clause(-var, laid[previous])

    def _write_passage(self, step: int) -> None:
        """Write the transition to the next step: a match, and skips of the players in between."""
        model, y = self.model, self.y[step]
        here, there, skipped = self.w[step], self.w[step + 1], self.s[step]
        laid = self.d[step + 1]
        for card, var in enumerate(self.x[step + 1]):
            model.add_clause(-var, *(y[token] for token in self.answered[card]))
            player = skipped[self.owners[card]]
            model.add_clauses((-player, -y[token], laid[card]) for token in self.answered[card])
        for player, now in enumerate(here):
            for distance in range(2, self.players + 1):
                following = there[(player + distance) % self.players]
                between = [(player + i) % self.players for i in range(1, distance)]
                model.add_clauses((-now, -following, skipped[other]) for other in between)
        for following in there:  # no step is left out
            model.add_clause(-following, *here)
        for now in here[1:]:  # play ends with a card of player 1
            model.add_clause(-now, *there)

    def _write_end(self) -> None:
        """Require that player 1 has laid all her cards and every other player keeps one."""
        self.model.add_clauses([-now] for now in self.w[-1][1:])
        hers, *others = (self.d[self.steps][own] for own in self.own)
        self.model.add_clauses([var] for var in hers)
        for laid in others:
            self.model.add_clause(*(-var for var in laid))


def tokens(instance: Cooperative) -> tuple[list[list[int]], list[list[int]], int]:
    """Return by card the tokens it shows and those it answers to, and the number of tokens.

    Card f may be laid on card e if and only if f answers to a token that e shows. Some tokens are
    shown by no card: those that a card with wild coordinates answers to if it matches no other.
    """
    cards, k = instance.cards, instance.at_least
    number: dict[Hashable, int] = {}
    shown: list[list[int]] = [[] for _ in cards]
    answered: list[list[int]] = [[] for _ in cards]
    many = has_many_hubs(instance.dimension, k)
    compared = [i for i, card in enumerate(cards) if many or is_wild(card)]
    plain = set(range(len(cards))) - set(compared)
    on_hub = Counter(hub for i in plain for hub in hubs(cards[i], k))
    for i in plain:
        own = [hub for hub in hubs(cards[i], k) if on_hub[hub] > 1]
        shown[i] = [number.setdefault(hub, len(number)) for hub in own]
        answered[i] = list(shown[i])
    for i in compared:
        mine, others = number.setdefault(("from", i), len(number)), len(number)
        number["to", i] = others
        shown[i].append(mine)
        answered[i].append(others)
        for j, card in enumerate(cards):
            if j != i and matches(cards[i], card, k):
                answered[j].append(mine)
                shown[j].append(others)
    return shown, answered, len(number)


ENCODER = TurnsEncoder()
