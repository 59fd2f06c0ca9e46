"""Clauses for one turn of the open game.

A turn has two phases: the player to move draws, then the card laid may make the next player draw.
So each turn has two counts of the cards gone from the draw pile, each in unary (order encoding): of
a row of variables the first n are true if n cards are gone.
"""

from collections.abc import Callable, Sequence

from uno_csp.encodings._rounds_model import Rounds, draws
from uno_csp.open_game.deck import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP, WILD
from uno_csp.open_game.moves import FOUR, NO_SYMBOL, SKIPPED, symbol_of
from uno_csp.open_game.rules import Draw, Drawn, LastCard, PlusFour, Stacking
from uno_csp.questions.cards import previous_copies


class TurnWriter:
    """Writes turn t."""

    def __init__(self, rounds: Rounds, t: int) -> None:
        self.rounds = rounds
        self.model = rounds.model
        self.table = rounds.table
        self.rules = rounds.table.game.rules
        self.t = t
        self.first_drawn = len(self.table.owners)
        self.mover, self.next = rounds.mover[t], rounds.mover[t + 1]
        self.laid, self.held = rounds.laid[t], rounds.held[t]
        self.gone, self.taken, self.left = rounds.gone[t], rounds.taken[t], rounds.gone[t + 1]
        self.plays, self.takes = rounds.plays[t], rounds.takes[t]
        self.plays_drawn = rounds.plays_drawn[t]
        self.passes, self.misses = rounds.passes[t], rounds.misses[t]
        self.several = rounds.two(self.held)
        self.fits = self._fits()

    def write(self) -> None:
        """Write all clauses of the turn."""
        self._write_hand()
        self._write_choice()
        self._write_copies()
        self._write_end()
        self._write_legal()
        self._write_answers()
        if self.gone:
            self._write_drawing()
            self._write_drawn_card()
            self._write_gifts()
        else:
            self.model.add_clause(-self.takes)
        self._write_pile()
        self._write_owed()
        self._write_passage()

    def _write_hand(self) -> None:
        """Define which cards the player to move holds."""
        add, before = self.model.add_clause, self.rounds.before[self.t]
        for card, held in enumerate(self.held):
            add(-held, -before[card])
            if card < self.first_drawn:
                own = self.mover[self.table.owners[card]]
                add(-held, own)
                add(held, -own, before[card])
                continue
            j = card - self.first_drawn
            add(-held, self.gone[j])
            for now, owner in zip(self.mover, self.rounds.owner[j], strict=True):
                add(-held, -now, owner)
                add(held, -now, -owner, -self.gone[j], before[card])

    def _write_choice(self) -> None:
        """Choose exactly one kind of turn, and the card that it lays."""
        add, plays, takes = self.model.add_clause, self.plays, self.takes
        over, drawn = self.rounds.over[self.t], self.plays_drawn
        self.rounds.one_of([plays, takes, self.passes, self.misses, over])
        self.model.at_most(self.laid, 1)
        add(-drawn, takes)
        add(-plays, *self.laid)
        add(-drawn, *self.laid)
        before, after = self.rounds.before[self.t], self.rounds.before[self.t + 1]
        for card, laid in enumerate(self.laid):
            add(-laid, plays, drawn)
            add(-laid, -before[card])
            self.rounds.same(after[card], before[card], laid)
            add(-laid, after[card])
            add(-laid, -plays, self.held[card])
            last = [] if card < self.first_drawn else self._last(card - self.first_drawn)
            self.model.add_clauses((-laid, -takes, literal) for literal in last)
            if not last:
                add(-laid, plays)

    def _last(self, j: int) -> list[int]:
        """Return literals, all true if card j of the pile is the last one drawn in this turn."""
        further = [-self.taken[j + 1]] if j + 1 < len(self.taken) else []
        return [self.taken[j], -self.gone[j], *further]

    def _write_copies(self) -> None:
        """Break symmetry: equal cards of one hand are laid in order."""
        after = self.rounds.before[self.t + 1]
        held = zip(self.table.owners, self.table.kinds, strict=False)
        for card, previous in enumerate(previous_copies(held)):
            if previous is not None:
                self.model.add_clause(-after[card], after[previous])

    def _write_end(self) -> None:
        """Define the end: player 1 lays her last card; no other player may lay theirs."""
        over, after = self.rounds.over[self.t], self.rounds.over[self.t + 1]
        self.model.add_clause(-self.plays, self.mover[0], self.several)
        last = self.rounds.both(self.rounds.both(self.mover[0], self.plays), -self.several)
        self.model.add_clauses([(-over, after), (-last, after), (-after, over, last)])

    def _fits(self) -> dict[int, list[int]]:
        """Return for each kind literals that are all true if it matches the card on the pile."""
        rounds, kinds = self.rounds, self.table.kinds
        colour, symbol = rounds.colour[self.t], rounds.symbol[self.t]
        found: dict[int, list[int]] = {WILD: [], DRAW_FOUR: []}
        for kind in dict.fromkeys(kinds):
            if kind < WILD:
                found[kind] = [rounds.some([colour[kind // 13], symbol[kind % 13]])]
        if self.rules.plus_four is PlusFour.RESTRICTED and DRAW_FOUR in kinds:
            of_colour = [
                rounds.both(held, colour[kind // 13])
                for held, kind in zip(self.held, kinds, strict=True)
                if kind < WILD
            ]
            found[DRAW_FOUR] = [-rounds.some(of_colour)]
        if self.rules.plus_four is PlusFour.LAST_RESORT and DRAW_FOUR in kinds:
            others = [
                held if kind == WILD else rounds.both(held, *found[kind])
                for held, kind in zip(self.held, kinds, strict=True)
                if kind != DRAW_FOUR
            ]
            found[DRAW_FOUR] = [-rounds.some(others)]
        return found

    def _fits_drawn(self, kind: int) -> list[int]:
        """Return literals that are all true if a card that was just drawn may be played."""
        if self.rules.drawn_by_colour and kind < WILD:
            return [self.rounds.colour[self.t][kind // 13]]
        return self.fits[kind]

    def _write_legal(self) -> None:
        """Restrict the turns when nothing is owed: legal cards, and when to draw or pass."""
        add, free = self.model.add_clause, self.rounds.owed[self.t][0]
        add(-self.takes, free)
        add(-self.passes, free)
        add(-self.misses, -free)
        instead = [self.passes, *([self.takes] if self.rules.must_play else [])]
        for card, kind in enumerate(self.table.kinds):
            fits = list(self.fits[kind])
            self.model.add_clauses((-self.laid[card], -free, literal) for literal in fits)
            number = kind < WILD and kind % 13 < SKIP
            if self.rules.last_card is LastCard.NUMBER and not number:
                add(-self.laid[card], -self.plays, self.several)
                fits.append(self.several)
            unfit = [-literal for literal in fits]
            self.model.add_clauses((-turn, -self.held[card], *unfit) for turn in instead)

    def _write_answers(self) -> None:
        """Restrict the cards laid when something is owed."""
        for total, owed in zip(self.table.sums[1:], self.rounds.owed[self.t][1:], strict=True):
            for laid, kind in zip(self.laid, self.table.kinds, strict=True):
                self.model.add_clauses(
                    (-laid, -owed, *one_of) for one_of in self._answers(kind, total == SKIPPED)
                )

    def _answers(self, kind: int, skipped: bool) -> list[list[int]]:
        """Return the clauses under which a card answers a skip or a sum; an empty one: never."""
        symbol, shows = self.rounds.symbol[self.t], symbol_of(kind)
        if skipped:
            return [] if shows == SKIP else [[]]
        if kind == DRAW_FOUR:
            return [] if self.rules.stacking is Stacking.DRAWS else [[symbol[FOUR]]]
        return [[symbol[DRAW_TWO]]] if shows == DRAW_TWO else [[]]

    def _write_drawing(self) -> None:
        """Define how many cards the player to move draws."""
        add, gone, taken = self.model.add_clause, self.gone, self.taken
        add(-self.takes, -gone[-1])
        add(-self.passes, *([gone[-1]] if self.table.whole else []))
        for j in range(len(gone)):
            if j:
                add(-taken[j], taken[j - 1])
            add(-gone[j], taken[j])
            add(gone[j], -taken[j], self.takes, self.misses)
        for total, owed in zip(self.table.sums, self.rounds.owed[self.t], strict=True):
            self._shift(gone, taken, max(total, 0), [-self.misses, -owed])
        if self.rules.draw is Draw.ONE:
            self._shift(gone, taken, 1, [-self.takes])
        for j, owners in enumerate(self.rounds.owner):
            for now, owner in zip(self.mover, owners, strict=True):
                add(-taken[j], gone[j], -now, owner)

    def _shift(
        self, row: Sequence[int], later: Sequence[int], count: int, unless: list[int]
    ) -> None:
        """Set ``later`` to ``row`` plus ``count``, at most the whole pile; off if ``unless``."""
        for j, var in enumerate(later):
            if j < count:
                self.model.add_clause(var, *unless)
            else:
                self.rounds.same(var, row[j - count], *unless)

    def _write_drawn_card(self) -> None:
        """Define when drawing stops, and whether the last card drawn is laid."""
        add, takes = self.model.add_clause, self.takes
        until = self.rules.draw is Draw.UNTIL_PLAYABLE
        if self.rules.play_drawn is Drawn.NEVER:
            add(-self.plays_drawn)
        if until:
            add(-takes, self.taken[0])
        for j in range(len(self.gone)):
            fits = self._fits_drawn(self.table.kinds[self.first_drawn + j])
            laid = self.laid[self.first_drawn + j]
            self.model.add_clauses((-laid, -takes, literal) for literal in fits)
            unfit = [-literal for literal in fits]
            not_last = [-literal for literal in self._last(j)]
            if self.rules.play_drawn is Drawn.MUST:
                add(-takes, *not_last, *unfit, self.plays_drawn)
            if until and j + 1 < len(self.gone):
                add(-takes, -self.gone[j], self.taken[j + 1])
                self.model.add_clauses((-takes, *not_last, literal) for literal in fits)
                add(-takes, self.gone[j], -self.taken[j + 1], *unfit)

    def _write_gifts(self) -> None:
        """Define the cards that the next player must draw at once."""
        gifts = []
        for count in (2, 4) if not self.table.stacks else ():
            gift = self._lays_to_draw(count)
            gifts.append(gift)
            self._shift(self.taken, self.left, count, [-gift])
        self._shift(self.taken, self.left, 0, gifts)
        for j, owners in enumerate(self.rounds.owner):
            new = (-self.left[j], self.taken[j])
            for player, ahead, there in self._ways(1):
                self.model.add_clause(*new, -self.mover[player], ahead, owners[there])

    def _lays(self, wanted: Callable[[int], bool]) -> int:
        """Return a literal for "a card of a wanted kind is laid"."""
        kinds = self.table.kinds
        return self.rounds.some(
            [laid for laid, kind in zip(self.laid, kinds, strict=True) if wanted(kind)]
        )

    def _lays_to_draw(self, count: int) -> int:
        """Return a literal for "a card is laid that makes a player draw ``count`` cards"."""
        return self._lays(lambda kind: draws(kind) == count)

    def _ways(self, steps: int) -> list[tuple[int, int, int]]:
        """Return who comes ``steps`` players after each player, in each direction of play.

        As triples of the player, a literal that is false in that direction, and the other player.
        """
        forward, count = self.rounds.forward[self.t], self.table.players
        ways = [(player, -forward, (player + steps) % count) for player in range(count)]
        return ways + [(player, forward, (player - steps) % count) for player in range(count)]

    def _write_pile(self) -> None:
        """Define the colour and the symbol to match after the turn."""
        rounds, t, rules = self.rounds, self.t, self.rules
        colour, symbol = rounds.colour[t + 1], rounds.symbol[t + 1]
        for laid, kind in zip(self.laid, self.table.kinds, strict=True):
            if kind < WILD:
                self.model.add_clause(-laid, colour[kind // 13])
            self.model.add_clause(-laid, symbol[self._left_to_match(kind)])
        lays = [self.plays, self.plays_drawn]
        for now, then in zip(rounds.colour[t], colour, strict=True):
            rounds.same(now, then, *lays)
        worn = [self.misses] if rules.effects_wear_off else []
        for now, then in zip(rounds.symbol[t], symbol, strict=True):
            rounds.same(now, then, *lays, *worn)
        self.model.add_clauses((-missed, symbol[NO_SYMBOL]) for missed in worn)

    def _left_to_match(self, kind: int) -> int:
        """Return the symbol that the next card can match after a card of this kind."""
        shows = symbol_of(kind)
        waits = self.rules.skip_answered_by_skip if shows == SKIP else self.table.stacks
        at_once = (shows == SKIP or draws(kind)) and not waits
        return NO_SYMBOL if at_once and self.rules.effects_wear_off else shows

    def _write_owed(self) -> None:
        """Define what the next player owes."""
        sums, now, then = self.table.sums, self.rounds.owed[self.t], self.rounds.owed[self.t + 1]
        raises = []
        if SKIPPED in sums:
            raises.append(self._lays(lambda kind: symbol_of(kind) == SKIP))
            self.model.add_clause(-raises[0], then[-1])
        for count in (2, 4) if self.table.stacks else ():
            raised = self._lays_to_draw(count)
            raises.append(raised)
            for total, owed in zip(sums, now, strict=True):
                if total + count in sums and total >= 0:
                    self.model.add_clause(-raised, -owed, then[sums.index(total + count)])
        self.model.add_clause(then[0], *raises)

    def _write_passage(self) -> None:
        """Define whose turn is next, and the direction of play."""
        rounds, add = self.rounds, self.model.add_clause
        reverse = self._lays(lambda kind: symbol_of(kind) == REVERSE)
        jump = self._lays(self._jumps)
        now, then = rounds.forward[self.t], rounds.forward[self.t + 1]
        rounds.same(now, then, reverse)
        rounds.same(now, -then, -reverse)
        back = 0 if self.table.players == 2 and self.rules.reverse_skips else -1
        for steps, unless in ((1, [reverse, jump]), (2, [-jump]), (back, [-reverse])):
            for player, ahead, there in self._ways(steps):
                add(*unless, -self.mover[player], ahead, self.next[there])

    def _jumps(self, kind: int) -> bool:
        """Return True if a card takes the next player's turn away at once."""
        if symbol_of(kind) == SKIP:
            return not self.rules.skip_answered_by_skip
        return draws(kind) > 0 and not self.table.stacks
