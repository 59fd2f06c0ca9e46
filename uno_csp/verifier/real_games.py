"""The rules of the real game, and certificates about it.

They prove who can force what in a game with open cards: that player 1 can force a win, or that the
others can prevent it. There is one fact.

*Strategy.* Every turn lays a card, draws one, passes, or misses a turn because of a card laid
before; cards are drawn from a pile that is filled again a fixed number of times; and when all pass
in a row the game is over. So every game ends. A side has one turn for each position in which it is
to move and which can arise, against every turn of the others. If every game that can arise ends as
the side claims, the side can force it.

``strategy.txt`` has one turn in a line: the number of cards drawn, the card laid, and the first
letter of the colour named with a wild card. The turns are in the order in which this program asks
for them: it starts with the first position and goes on with that which it has met last; replies are
taken in the order of their texts, and a position that was met before is not met again.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from uno_csp.verifier import reading
from uno_csp.verifier.cards import require_common

QUESTION, STRATEGY = "question.json", "strategy.txt"
KEYS = {
    reading.CLAIM: "version status objective kind made_by files",
    QUESTION: "question name comment expected hands after colour draw rules goal to_move "
    "direction turned_up decks",
    STRATEGY: "",
}
SWITCHES = {
    "must_play": (True, False),
    "play_drawn": ("must", "may", "never"),
    "drawn_by_colour": (True, False),
    "plus_four": ("restricted", "free", "last-resort"),
    "stacking": ("none", "same", "draws"),
    "last_card": ("any", "number"),
    "skip_answered_by_skip": (True, False),
    "reverse_skips": (True, False),
    "effects_wear_off": (True, False),
    "draw": ("one", "until-playable"),
    "first_card": ("none", "effect", "no-draw", "keep-turn"),
    "last_draws": (True, False),
    "reshuffles": (0, 1, 2, 3),
}
"""The rules, all of which the question has to state, with their values."""

COLOURS = {"red": "r", "yellow": "y", "green": "g", "blue": "b", "*": "*"}
SYMBOLS = (*map(str, range(10)), "skip", "reverse", "+2")
WILD, FOUR = "*wild", "*+4"
ORDER = (*(letter + symbol for letter in "rygb" for symbol in SYMBOLS), WILD, FOUR)
"""The cards, each its colour's first letter and its symbol, in the order of a new pile."""

PLACE = {card: place for place, card in enumerate(ORDER)}
DECK = Counter({card: 4 if card[0] == "*" else 2 - (card[1:] == "0") for card in ORDER})
SKIPPED = -1

require = reading.require


class State(NamedTuple):
    """A position: players are numbered from 0.

    ``drawn`` cards of ``pile`` are gone; ``owed`` is the number of cards that the player to move
    has to draw, or :data:`SKIPPED`; ``passes`` counts the last passes in a row, and ``filled`` how
    often the pile was filled again.
    """

    hands: tuple[tuple[str, ...], ...]
    colour: str
    symbol: str
    drawn: int = 0
    player: int = 0
    direction: int = 1
    owed: int = 0
    passes: int = 0
    pile: tuple[str, ...] = ()
    filled: int = 0

    def key(self) -> tuple[Any, ...]:
        """Return what tells positions apart; the first pile is the same for all."""
        cards = "/".join(map("".join, self.hands))
        left = "".join(self.pile[self.drawn :]) if self.filled else self.drawn
        return (cards, self.colour, self.symbol, *self[4:8], left, self.filled)


class Game:
    """The rules of a game, and its first position."""

    def __init__(self, data: dict[str, Any], budget: reading.Budget | None = None) -> None:
        self.budget = budget or reading.Budget()
        require_common(data)
        self.rules = data["rules"]
        require({*self.rules} == {*SWITCHES}, "question.json: the rules are not all stated")
        for name, values in SWITCHES.items():
            _chosen(self.rules, name, None, values)
        worn = self.rules["effects_wear_off"] or self.rules["first_card"] == "no-draw"
        require(
            not (worn and self.rules["reshuffles"]), "question.json: reshuffles with worn cards"
        )
        dealt = [_cards(hand) for hand in reading.array(data["hands"], "question.json: hands")]
        hands = tuple(tuple(sorted(hand)) for hand in dealt)
        require(2 <= len(hands) <= 10 and all(hands), "question.json: too few players or cards")
        self.players = len(hands)
        top, pile = _card(data["after"]), tuple(_cards(data.get("draw", [])))
        self.cards = Counter([top, *pile, *(card for hand in hands for card in hand)])
        decks = _chosen(data, "decks", 1, range(1, 11))
        most = {card: count * decks for card, count in DECK.items()}
        require(all(self.cards[card] <= most[card] for card in ORDER), "question.json: cards")
        colour = COLOURS[data.get("colour") or "*"] if top[0] == "*" else top[0]
        require(colour != "*", "question.json: no colour in force")
        first = _chosen(data, "to_move", 1, range(1, self.players + 1))
        direction = _chosen(data, "direction", 1, (1, -1))
        symbol = "" if top == WILD else top[1:]
        start = State(hands, colour, symbol, player=first - 1, direction=direction, pile=pile)
        turned_up = _chosen(data, "turned_up", False, (False, True))
        require(not (turned_up and top == FOUR), "question.json: a +4 is not turned up")
        self.start = self._begun(start, turned_up and self.rules["first_card"] != "none")

    def _begun(self, at: State, acts: bool) -> State:
        """Return the first position, after the effect of a card that was turned up."""
        if not acts:
            return self._worn(at) if at.symbol in ("skip", "+2", "+4") else at
        how, dealer = self.rules["first_card"], (at.player - at.direction) % self.players
        if at.symbol == "reverse":
            back = at._replace(player=dealer, direction=-at.direction)
            return at if how == "no-draw" else back
        if at.symbol == "+2" and how == "no-draw":
            return at._replace(symbol="")
        if at.symbol == "+2" and how == "keep-turn":
            return self._worn(self._give(at, 2))
        return self._effect(at._replace(player=dealer))

    def turns(self, at: State) -> Iterator[tuple[str, "State | int | None"]]:
        """Yield the legal turns as texts, each with the position after it, or who has won."""
        if at.owed:
            yield from self._answers(at)
            return
        hand = at.hands[at.player]
        fitting = [card for card in dict.fromkeys(hand) if self._fits(at, hand, card)]
        for card in fitting:
            yield from self._lay(at, card, 0)
        if fitting and self.rules["must_play"]:
            return
        ready = self._ready(at)
        if ready is not None:
            yield from self._draw(ready)
        elif not fitting:
            all_passed = at.passes + 1 == self.players
            yield "0", None if all_passed else self._next(at)._replace(passes=at.passes + 1)

    def _fits(self, at: State, hand: tuple[str, ...], card: str) -> bool:
        """Return True if a card of a hand may be laid, when nothing is owed."""
        if not self._may_be_last(hand, card):
            return False
        if card == FOUR and self.rules["plus_four"] == "restricted":
            return all(other[0] != at.colour for other in hand)
        if card == FOUR and self.rules["plus_four"] == "last-resort":
            return not any(self._fits(at, hand, other) for other in hand if other != FOUR)
        return card[0] in (at.colour, "*") or card[1:] == at.symbol

    def _may_be_last(self, hand: tuple[str, ...], card: str) -> bool:
        return len(hand) > 1 or self.rules["last_card"] == "any" or card[1:].isdigit()

    def _draw(self, at: State) -> Iterator[tuple[str, "State | int | None"]]:
        """Yield the turns that draw, and lay the last card drawn or keep it."""
        for count in range(1, len(at.pile) - at.drawn + 1):
            self.budget.spend(100 + 2 * count)
            card, after = at.pile[at.drawn + count - 1], self._give(at, count)
            fits = self._fits(at, after.hands[at.player], card)
            if self.rules["drawn_by_colour"] and card[0] not in (at.colour, "*"):
                fits = False
            if fits or self.rules["draw"] == "one":
                break
        if fits and self.rules["play_drawn"] != "never":
            yield from self._lay(after, card, count)
        if not fits or self.rules["play_drawn"] != "must":
            yield str(count), self._next(after)

    def _answers(self, at: State) -> Iterator[tuple[str, "State | int | None"]]:
        """Yield the turns of a player who is skipped or has to draw."""
        hand = at.hands[at.player]
        for card in dict.fromkeys(hand):
            if at.owed == SKIPPED:
                answers = card[1:] == "skip"
            elif card == FOUR:
                answers = at.symbol == "+4" or self.rules["stacking"] == "draws"
            else:
                answers = card[1:] == at.symbol == "+2"
            if answers and self._may_be_last(hand, card):
                yield from self._lay(at, card, 0)
        after = self._give(at, max(at.owed, 0))
        count = len(after.hands[at.player]) - len(hand)
        yield str(count), self._worn(self._next(after))

    def _lay(self, at: State, card: str, drawn: int) -> Iterator[tuple[str, "State | int"]]:
        """Yield the turns that lay a card."""
        hand = list(at.hands[at.player])
        hand.remove(card)
        if not hand:
            yield f"{drawn} {card}", at.player
            return
        hands = _with(at.hands, at.player, hand)
        symbol = "" if card == WILD else card[1:]
        laid = at._replace(hands=hands, symbol=symbol, passes=0)
        if card[0] != "*":
            yield f"{drawn} {card}", self._effect(laid._replace(colour=card[0]))
            return
        for colour in "rygb":
            yield f"{drawn} {card} {colour}", self._effect(laid._replace(colour=colour))

    def _effect(self, at: State) -> State:
        """Return the position after the effect of the card that the player has laid."""
        if at.symbol == "reverse":
            turned = at._replace(direction=-at.direction, owed=0)
            stays = self.players == 2 and self.rules["reverse_skips"]
            return turned if stays else self._next(turned)
        after = self._next(at)
        if at.symbol == "skip":
            if self.rules["skip_answered_by_skip"]:
                return after._replace(owed=SKIPPED)
            return self._worn(self._next(after))
        if at.symbol in ("+2", "+4"):
            count = int(at.symbol)
            if self.rules["stacking"] != "none":
                return after._replace(owed=max(at.owed, 0) + count)
            return self._worn(self._next(self._give(after, count)))
        return after

    def _next(self, at: State) -> State:
        """Return the position in which the next player is to move and owes nothing."""
        player = (at.player + at.direction) % self.players
        return at._replace(player=player, owed=0, passes=0)

    def _worn(self, at: State) -> State:
        return at._replace(symbol="") if self.rules["effects_wear_off"] else at

    def _give(self, at: State, count: int) -> State:
        """Let the player to move draw a number of cards, or all that there are."""
        fresh = at.pile[at.drawn : at.drawn + count]
        hands = _with(at.hands, at.player, [*at.hands[at.player], *fresh])
        after = at._replace(hands=hands, drawn=at.drawn + len(fresh))
        more = self._ready(after) if len(fresh) < count else None
        return after if more is None else self._give(more, count - len(fresh))

    def _ready(self, at: State) -> State | None:
        """Return the position with a card to draw, if need be from a new pile; None if none is."""
        if at.drawn < len(at.pile):
            return at
        left = self.cards - Counter(card for hand in at.hands for card in hand)
        top = f"*{at.symbol or 'wild'}" if at.symbol in ("", "+4") else at.colour + at.symbol
        pile = tuple(sorted((left - Counter([top])).elements(), key=PLACE.__getitem__))
        if at.filled == self.rules["reshuffles"] or not pile:
            return None
        return at._replace(pile=pile, drawn=0, filled=at.filled + 1)


def _with(
    hands: tuple[tuple[str, ...], ...], player: int, hand: list[str]
) -> tuple[tuple[str, ...], ...]:
    return (*hands[:player], tuple(sorted(hand)), *hands[player + 1 :])


def _chosen(data: dict[str, Any], name: str, default: Any, values: Sequence[Any]) -> Any:
    """Return a field, which has one of some values."""
    value = data.get(name, default)
    known = (type(value), value) in [(type(each), each) for each in values]
    require(known, f"question.json: {name} is {value!r}")
    return value


def _cards(cards: Any) -> list[str]:
    return [_card(card) for card in reading.array(cards, "question.json")]


def _card(given: Any) -> str:
    colour, symbol = reading.array(given, "question.json: a card")
    digit = type(symbol) is int or (type(symbol) is str and not symbol.isdigit())
    require(type(colour) is str and digit, f"question.json: {given!r}")
    card = f"{COLOURS[colour]}{symbol}"
    require(card in PLACE, f"question.json: {given!r}")
    return card


Turn = Callable[[State], str | None]
"""Returns the turn of a strategy in a position; None without one."""


def walk(game: Game, wins: bool, lines: Iterator[str]) -> tuple[int, int]:
    """Check the fact *Strategy*; return the numbers of turns in it and of positions met."""
    count, met = follow(game, wins, lambda _: next(lines, None))
    require(next(lines, None) is None, f"{STRATEGY}: more than {count} lines")
    return count, met


def follow(
    game: Game, wins: bool, turn: Turn, *, won: bool = False, most: float = math.inf
) -> tuple[int, int]:
    """Follow a strategy against every reply, as :func:`walk`, through up to ``most`` positions.

    With ``wins`` it is player 1's, who is to win, else that of the others; with ``won`` one of
    these has to win, so that it is not enough if nobody does.
    """
    waiting, seen, count = [game.start], {game.start.key()}, 0
    while waiting:
        at = waiting.pop()
        game.budget.spend(400 + 4 * sum(map(len, at.hands)))
        turns = dict(game.turns(at))
        game.budget.spend(200 * len(turns))
        if (at.player == 0) == wins:
            count += 1
            line = turn(at)
            require(line in turns, f"{STRATEGY}: line {count}: {line!r} is not one of {[*turns]}")
            turns = {str(line): turns[str(line)]}
        for text in sorted(turns):
            after = turns[text]
            if not isinstance(after, State):
                right = (after == 0) == wins and not (won and after is None)
                by = "nobody" if after is None else after + 1
                message = f"turn {text!r} is won by {by}"
                require(right, f"{STRATEGY}: after line {count}, {message}")
            elif (key := after.key()) not in seen:
                seen.add(key)
                waiting.append(after)
        require(len(seen) <= most, f"{STRATEGY}: it leads to more than {most} positions")
    return count, len(seen)


class Certificate(reading.Files):
    """A certificate about a game."""

    KEYS = KEYS


def verify(path: Path, checker: str = "auto") -> tuple[str, None]:
    """Verify a certificate in a folder or zip file; return what was proved, and None."""
    del checker  # no proof checker is needed
    given = Certificate(path)
    status, data = given.claim["status"], given.read(QUESTION)
    require(data["question"] == "open-game", "question.json: not an open-game")
    require(data.get("goal", "win") == "win", "question.json: the goal is not to win")
    require(status in ("SATISFIABLE", "UNSATISFIABLE"), f"claim.json: {status} is not claimed")
    require(given.claim["objective"] is None, "claim.json: there is no objective")
    wins, game = status == "SATISFIABLE", Game(data, given.budget)
    count, met = walk(game, wins, iter(reading.lines_of(given.text(STRATEGY))))
    side = "player 1 can force a win" if wins else "player 1 can be kept from winning"
    sizes = " + ".join(str(len(hand)) for hand in data["hands"])
    lines = [
        f"proved: {side}: a strategy of {count} turns, {met} positions",
        f"question: open-game, {sizes} cards, {len(data.get('draw', []))} to draw",
        f"SHA-256 of question.json: {given.files[QUESTION]}",
        f"claim: {status}",
        "believed: the rules and the fact that the verifier states",
    ]
    return "\n".join(lines), None
