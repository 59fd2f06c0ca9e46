"""States of a game with open cards, for programs that step through it move by move."""

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.open_game.deck import COLOURS, DRAW_FOUR, WILD, unpack
from uno_csp.open_game.moves import FOUR, NO_SYMBOL, NOBODY
from uno_csp.open_game.positions import Game, Line, Move, Outcome, Position
from uno_csp.open_game.telling import line_to_dict, move_to_dict, position_to_dict
from uno_csp.questions import require_question
from uno_csp.questions.arguments import described, plain_value, require_kind
from uno_csp.questions.open_game import KINDS, OpenGame, card_of, start_of, start_symbol
from uno_csp.questions.wording import counted, shown

Turn = Mapping[str, Any]

IGNORED = ("player", "leads_to")
"""Keys of a turn that answers and analyses add; a player must be the one to move."""


class GameState:
    """A state of an open game; it does not change, playing returns another one.

    Raises
    ------
    InstanceError
        If the question is another one.

    Examples
    --------
    >>> from uno_csp import parse
    >>> game = parse({"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"})
    >>> state = GameState(game)
    >>> state.player, state.legal_moves()
    (1, [{'draws': 0, 'lays': 'R5'}, {'draws': 0, 'lays': 'R7'}])
    >>> state = state.play({"lays": "R5"}).play({"draws": 0}).play({"lays": "R7"})
    >>> state.over, state.winner, state.score
    (True, 1, {'1': 0, '2': 7})
    """

    def __init__(self, question: OpenGame) -> None:
        require_question(question, OpenGame)
        self._question = question
        self._game, self._start = start_of(question)
        self._line: Line = ()
        self._found: list[tuple[Move, Outcome]] | None = None  # the legal moves, once looked for

    def __eq__(self, other: object) -> bool:
        """Return True for a state of the same question after the same moves."""
        return isinstance(other, GameState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        turns = counted(len(self._line), "turn")
        return f"GameState({'over' if self.over else f'player {self.player} to move'}, {turns})"

    def _key(self) -> tuple[OpenGame, tuple[Move, ...]]:
        return self._question, tuple(move for move, _ in self._line)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._position is None

    @property
    def player(self) -> int | None:
        """The player to move, counted from 1; None at the end."""
        return None if self._position is None else self._position.player + 1

    @property
    def winner(self) -> int | None:
        """The winner, counted from 1; None before the end, or if all players passed in a row."""
        last = self._line[-1][1] if self._line else None
        return last + 1 if isinstance(last, int) and last != NOBODY else None

    @property
    def score(self) -> dict[str, int] | None:
        """The points left in each hand, by player; None before the end."""
        if not self.over:
            return None
        score: dict[str, int] = line_to_dict(self._game, self._start, self._line)["score"]
        return score

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The turns so far, as :func:`uno_csp.analyse` takes them."""
        if not self._line:
            return []
        turns: list[dict[str, Any]] = line_to_dict(self._game, self._start, self._line)["plays"]
        return turns

    def to_dict(self) -> dict[str, Any] | None:
        """Return the position as :func:`uno_csp.next_move` takes it; None at the end."""
        return None if self._position is None else position_to_dict(self._position)

    def legal_moves(self) -> list[dict[str, Any]]:
        """Return the legal moves: ``draws``, and maybe ``lays`` and ``names``; none at the end."""
        return [move_to_dict(move) for move, _ in self._moves()]

    def play(self, turn: Turn) -> "GameState":
        """Return the state after a turn; ``draws`` may be left out if it is 0.

        Raises
        ------
        InstanceError
            If the turn is not legal, or the game is over.
        NotAccepted
            If it is no mapping.
        """
        return self.played(turn, "turn")

    def played(self, turn: Turn, place: str) -> "GameState":
        """As :meth:`play`; an error names the place of the turn."""
        if self.over:
            raise InstanceError(f"{place}: the game is over")
        require_kind(place, turn, Mapping, "a turn with draws and lays")
        wanted = {"draws": 0} | {key: each for key, each in turn.items() if key not in IGNORED}
        for key, given in (("draws", wanted["draws"]), ("player", turn.get("player", self.player))):
            number = plain_value(given)
            if type(number) is not int or (key == "player" and number != self.player):
                expected = (
                    f"it is player {self.player}" if key == "player" else "expected an integer"
                )
                raise InstanceError(f"{place}.{key}: {described(given)} is not allowed; {expected}")
        for move, outcome in self._moves():
            if move_to_dict(move) == wanted:
                following = copy(self)
                following._line, following._found = (*self._line, (move, outcome)), None
                return following
        listed = ", ".join(shown(move) for move in self.legal_moves())
        raise InstanceError(f"{place}: {shown(wanted)} is not legal; legal: {listed}")

    def question(self) -> OpenGame:
        """Return the question that begins with this state.

        Raises
        ------
        NotAccepted
            If a question cannot express it: at the end, while cards have to be drawn or a skip is
            passed on, when somebody has just passed, or when played cards may be shuffled again.
        """
        position = self._position
        if position is None:
            raise NotAccepted("the game is over")
        if self._line and self._question.rules.reshuffles:
            raise NotAccepted("the cards played, which may be shuffled again, are in no question")
        top = self._top(position)
        found = OpenGame(
            tuple(tuple(map(card_of, unpack(hand))) for hand in position.hands),
            after=card_of(top),
            colour=COLOURS[position.colour] if top >= WILD else None,
            draw=tuple(map(card_of, self._game.pile(position))),
            rules=self._question.rules,
            goal=self._question.goal,
            to_move=position.player + 1,
            direction=position.direction,
            decks=self._question.decks,
        )
        if start_of(found)[1] != position._replace(at=0):
            raise NotAccepted("no question begins with a pending card or a pass")
        return found

    def _top(self, position: Position) -> int:
        """Return the kind of a card on the pile with which a question has the same position."""
        if position.symbol < NO_SYMBOL:
            return 13 * position.colour + position.symbol
        if position.symbol == FOUR:
            return DRAW_FOUR
        played = [move.kind for move, _ in self._line if move.kind is not None]
        last = played[-1] if played else KINDS[self._question.after]
        return last if start_symbol(last, self._question.rules) == NO_SYMBOL else WILD

    @property
    def history(self) -> Iterator[tuple[Position, Move, Outcome]]:
        """The turns so far: the position before each, the move, and its result."""
        before: Outcome = self._start
        for move, outcome in self._line:
            if isinstance(before, tuple):
                yield before, move, outcome
            before = outcome

    def successors(self) -> list[tuple[Move, Outcome]]:
        """Return the legal moves with their results; none at the end."""
        return self._moves()[:]

    @property
    def game(self) -> Game:
        """The rules and the draw pile."""
        return self._game

    @property
    def outcome(self) -> Outcome:
        """The position; at the end the winner, counted from 0, or -1 for nobody."""
        return self._line[-1][1] if self._line else self._start

    @property
    def _position(self) -> Position | None:
        outcome = self.outcome
        return outcome if isinstance(outcome, tuple) else None

    def _moves(self) -> list[tuple[Move, Outcome]]:
        if self._found is None:
            self._found = [] if self._position is None else self._game.moves(self._position)
        return self._found
