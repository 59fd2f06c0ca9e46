"""The open game with goal ``together``, turn by turn: player 1 goes out in the fewest turns.

The number of turns to model comes from a game found by weighted A*; a shortest game is no longer.
If that search exhausts all positions and finds no game, the number is an upper bound on the turns
of any game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from uno_csp.encodings._rounds_model import Horizon, Rounds, draws, horizon
from uno_csp.encodings._rounds_turn import TurnWriter
from uno_csp.modeling import Assignment, Encoded, Encoder
from uno_csp.open_game.deck import COLOURS, SKIP, SYMBOLS, WILD, code_of, unpack
from uno_csp.open_game.fewest_turns import FewestTurns, games_of_beams, turns_needed
from uno_csp.open_game.positions import Game, Move, Outcome, Position
from uno_csp.open_game.rules import Draw, PlusFour, Stacking
from uno_csp.open_game.telling import line_to_dict
from uno_csp.processes.deadline import NEVER
from uno_csp.questions.answers import Witness
from uno_csp.questions.open_game import Goal, OpenGame, start_of

MOST_LOOKED_AT = 100_000
"""Maximum number of positions of the search that bounds the turns if beams find no game."""

MANY_PAIRS = 60_000  # maximum number of pairs of a card and a turn; a larger model is declined


class RoundsEncoder(Encoder[OpenGame, Rounds]):
    """Card x turn with two counts of the draw pile, for ``open-game`` with goal together; exact.

    Variables
    ---------
    m[t, q], f[t], c[t, i], s[t, i], o[t, i], v[t]
        Before turn t: player q is to move, play goes in the order of the hands, the colour and the
        symbol to match, what is owed (nothing, a sum of cards, to be skipped), the game is over.
    d[t, e], g[t, j]
        Before turn t card e has been laid, and more than j cards of the draw pile are gone.
    x[t, e], k[t, j], h[t, e]
        In turn t card e is laid; more than j cards are gone when the player has drawn; the player
        holds card e before it.
    a[t], b[t], y[t], p[t], z[t]
        Turn t lays a card of the hand, draws, lays the card just drawn, passes, is missed (lost to
        a skip or a sum of cards).
    w[j, q]
        Player q draws card j of the draw pile.

    Constraints
    -----------
    Every turn is of one kind, and legal by the rules of the question; hands, pile, direction and
    sums follow from it. Player 1 lays her last card, no other player does. The objective is the
    number of turns that are not missed.
    """

    name = "rounds"
    takes = (OpenGame,)

    def declines(self, instance: OpenGame) -> str | None:
        """Return a reason for goals other than ``together``, some rules, and games too long."""
        if instance.goal is not Goal.TOGETHER:
            return "it takes only the goal 'together'"
        if instance.rules.reshuffles:
            return "it does not support reshuffles"
        last_resort = instance.rules.plus_four is PlusFour.LAST_RESORT
        if last_resort and instance.rules.draw is Draw.UNTIL_PLAYABLE:
            return "it does not support a +4 as the last resort if several cards may be drawn"
        _, start = start_of(instance)
        if start.pending or start.at:
            return "it does not support an effect of the card that was turned up"
        table = _calendar(instance)
        if table is None:
            return "a short search found no game, so there is no bound on the number of turns"
        if table.turns * len(table.kinds) > MANY_PAIRS:
            pairs = table.turns * len(table.kinds)
            return f"the model has {pairs} pairs of a card and a turn, more than {MANY_PAIRS}"
        return None

    def encode(self, instance: OpenGame) -> Encoded[Rounds]:
        """Write the model."""
        table = _calendar(instance)
        assert table is not None  # noqa: S101
        rounds = Rounds(table)
        game, start = start_of(instance)
        rounds.write_frame(min(turns_needed(game.setup, game.state(start)), table.turns))
        for t in range(table.turns):
            TurnWriter(rounds, t).write()
        return Encoded(rounds.model, rounds)

    def decode(self, encoded: Encoded[Rounds], assignment: Assignment) -> Witness:
        """Return the turns as they were played, and the points of the cards left in hands."""
        reading = _Reading(encoded.data, assignment)
        table = encoded.data.table
        line = line_to_dict(table.game, table.start, list(reading.line()))
        strategy = {"kind": "line", "winner": 1, **line}
        return Witness(objective=reading.counted, strategy=strategy)

    def meanings(self, encoded: Encoded[Rounds]) -> Iterator[tuple[int, str]]:
        """Yield the variables of the turns with their meanings; everything is numbered from 1."""
        rounds = encoded.data
        cards = [f"card {i} ({code_of(kind)})" for i, kind in enumerate(rounds.table.kinds, 1)]
        pile = [f"card {j} of the draw pile" for j in range(1, rounds.table.pile + 1)]
        players = [f"player {q}" for q in range(1, rounds.table.players + 1)]
        symbols = [*SYMBOLS, "no symbol", "+4"]
        owed = ["to be skipped" if each < 0 else str(each) for each in rounds.table.sums]
        for letter, rows, names, words in (
            ("m", rounds.mover, players, "turn {t} is {name}'s"),
            ("c", rounds.colour, COLOURS, "before turn {t} the colour is {name}"),
            ("s", rounds.symbol, symbols, "before turn {t} the symbol is {name}"),
            ("o", rounds.owed, owed, "before turn {t} is owed: {name}"),
            ("d", rounds.before, cards, "before turn {t} {name} is laid"),
            ("g", rounds.gone, pile, "before turn {t} {name} is gone"),
            ("x", rounds.laid, cards, "in turn {t} {name} is laid"),
            ("k", rounds.taken, pile, "after the drawing of turn {t} {name} is gone"),
            ("h", rounds.held, cards, "{name} is in the hand of turn {t}"),
            ("w", rounds.owner, players, "{name} draws card {t} of the draw pile"),
        ):
            for t, row in enumerate(rows, start=1):
                for i, (variable, name) in enumerate(zip(row, names, strict=True), start=1):
                    yield variable, f"{letter}[{t},{i}] {words.format(t=t, name=name)}"
        for letter, single, words in (
            ("f", rounds.forward, "before turn {t} play goes round as the hands stand"),
            ("v", rounds.over, "before turn {t} the game is over"),
            ("a", rounds.plays, "turn {t} lays a card of the hand"),
            ("b", rounds.takes, "turn {t} draws"),
            ("y", rounds.plays_drawn, "turn {t} lays the card just drawn"),
            ("p", rounds.passes, "turn {t} passes"),
            ("z", rounds.misses, "turn {t} is missed"),
        ):
            for t, variable in enumerate(single, start=1):
                yield variable, f"{letter}[{t}] {words.format(t=t)}"


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads an assignment turn by turn."""

    rounds: Rounds
    values: Assignment

    @property
    def turns(self) -> int:
        """Number of turns of the game."""
        return sum(not self.values[over] for over in self.rounds.over)

    @property
    def counted(self) -> int:
        """Number of turns that are not lost to a skip or a sum of cards."""
        return self.turns - sum(self.values[missed] for missed in self.rounds.misses)

    def line(self) -> Iterator[tuple[Move, Outcome]]:
        """Yield the moves, and what each leads to by the rules; one that is not legal, nowhere."""
        game, position = self.rounds.table.game, self.rounds.table.start
        for t in range(self.turns):
            move = self._move(t)
            outcome = dict(game.moves(position)).get(move, position)
            yield move, outcome
            if isinstance(outcome, Position):
                position = outcome

    def _move(self, t: int) -> Move:
        """Return the move of turn ``t``; a last card names no colour."""
        rounds, values = self.rounds, self.values
        drawn = sum(values[var] for var in rounds.taken[t])
        drawn -= sum(values[var] for var in rounds.gone[t])
        cards = zip(rounds.table.kinds, rounds.laid[t], strict=True)
        kind = next((kind for kind, var in cards if values[var]), None)
        if kind is None or kind < WILD or t + 1 == self.turns:
            return Move(drawn, kind, None)
        colours = enumerate(rounds.colour[t + 1])
        return Move(drawn, kind, next(colour for colour, var in colours if values[var]))


@lru_cache(maxsize=4)
def _calendar(instance: OpenGame) -> Horizon | None:
    """Return the number of turns to model and their cards; None if a short search finds no game."""
    game, start = start_of(instance)
    turns = min((turns for _, turns in games_of_beams(game, start, NEVER)), default=None)
    if turns is None:
        short = FewestTurns(game, start, most=MOST_LOOKED_AT).run()
        if short.turns is None:
            return None if short.bound is not None else horizon(game, start, _longest(game, start))
        turns = short.turns
    # Each missed turn is due to a card laid in another turn, so at most half are missed.
    lost = game.rules.skip_answered_by_skip or game.rules.stacking is not Stacking.NONE
    return horizon(game, start, turns * (2 if lost else 1))


def _longest(game: Game, start: Position) -> int:
    """Return an upper bound on turns: cards are laid and drawn once, and the rest are passes."""
    kinds = [*chain.from_iterable(map(unpack, start.hands)), *game.draw]
    effects = sum(1 for kind in kinds if draws(kind) or kind % 13 == SKIP)
    return (len(kinds) + effects + 1) * game.players + len(game.draw)


ENCODER = RoundsEncoder()
