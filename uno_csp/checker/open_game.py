"""The open game: a referee that knows the legal turns, and follows strategies against every reply.

The rules once more, in words and codes, where the search has them in numbers: a hand is a sorted
tuple of codes, and what lies on the pile is a colour and a symbol.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uno_csp.checker.claims import Card, Claim, Doubt, Violation
from uno_csp.checker.sequences import optimisation_violations, value_violations
from uno_csp.questions import OpenGame
from uno_csp.wording import counted

question = "open-game"
PARTS = {"strategy", "objective", "bound"}

MANY_POSITIONS = 200_000
"""Positions after which the referee stops following a strategy, or looking for a game."""

_COLOUR = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
_WORDS = {"S": "skip", "R": "reverse"}


@dataclass(frozen=True, slots=True)
class Table:
    """How the game stands; players are counted from 0.

    ``pile`` is the draw pile where it was made anew, and ``reshuffled`` how many times it was.
    """

    hands: tuple[tuple[str, ...], ...]
    colour: str
    symbol: str | None
    drawn: int
    player: int
    direction: int
    owed: int | str
    passes: int
    pile: tuple[str, ...] = ()
    reshuffled: int = 0


Turn = tuple[int, str | None, str | None]
"""How many cards are drawn, the code of the card that is laid, and the colour that is named."""


class Referee:
    """The rules of one game."""

    def __init__(self, instance: OpenGame) -> None:
        self.rules = instance.rules
        self.pile = [_code(card) for card in instance.draw]
        hands = (sorted(map(_code, hand)) for hand in instance.hands)
        top = _symbol(_code(instance.after))
        if self.rules.effects_wear_off and top in ("skip", "+2", "+4"):
            top = None  # its effect is over
        acts = instance.turned_up and self.rules.first_card != "none"
        if acts:
            top = _symbol(_code(instance.after))
        cards = [_code(instance.after), *self.pile]
        self.cards = Counter([*cards, *(_code(card) for hand in instance.hands for card in hand)])
        start = Table(
            tuple(map(tuple, hands)),
            instance.start_colour,
            top,
            0,
            instance.to_move - 1,
            instance.direction,
            0,
            0,
        )
        self.start = self._turned_up(start) if acts else start

    def _turned_up(self, table: Table) -> Table:
        """The first player is met by the card that was turned up."""
        back = (table.player - table.direction) % len(table.hands)
        if table.symbol == "+2" and self.rules.first_card == "no-draw":
            return replace(table, symbol=None)
        if table.symbol == "reverse":
            if self.rules.first_card == "no-draw":
                return table
            return replace(table, player=back, direction=-table.direction)
        return self._effect(replace(table, player=back))

    def turns(self, table: Table) -> dict[Turn, "Table | int | None"]:
        """Every legal turn with what follows: how the game stands, who has won, or that nobody."""
        return dict(self._owing(table) if table.owed else self._free(table))

    def _free(self, table: Table) -> Iterator[tuple[Turn, "Table | int | None"]]:
        hand = table.hands[table.player]
        fits = [code for code in dict.fromkeys(hand) if self._may_lay(table, hand, code)]
        for code in fits:
            yield from self._lay(table, code, 0)
        if fits and self.rules.must_play:
            return
        ready = self._with_cards_to_draw(table)
        if ready is None:
            if not fits:
                everybody = table.passes + 1 == len(table.hands)
                turned = replace(self._pass_on(table), passes=table.passes + 1)
                yield (0, None, None), None if everybody else turned
            return
        yield from self._draw(ready)

    def _pile_of(self, table: Table) -> Sequence[str]:
        return table.pile if table.reshuffled else self.pile

    def _with_cards_to_draw(self, table: Table) -> Table | None:
        """The table, with the laid cards as a new pile if the old one is used up; or None."""
        if table.drawn < len(self._pile_of(table)):
            return table
        if table.reshuffled == self.rules.reshuffles:
            return None
        left = Counter(self.cards)
        left.subtract([code for hand in table.hands for code in hand])
        left[self._on_top(table)] -= 1
        pile = tuple(sorted(left.elements(), key=_place_in_deck))
        more = table.reshuffled + 1
        return replace(table, pile=pile, drawn=0, reshuffled=more) if pile else None

    def _on_top(self, table: Table) -> str:
        """The code of the card on the pile, whose symbol is still to be seen."""
        if table.symbol in (None, "+4"):
            return table.symbol or "W"
        word = str(table.symbol)
        short = {name: letter for letter, name in _WORDS.items()}
        return table.colour[0].upper() + short.get(word, word)

    def _draw(self, table: Table) -> Iterator[tuple[Turn, "Table | int | None"]]:
        """Cards are drawn until the rule is content; the last of them may be laid."""
        count = 1
        while True:
            richer = self._deal(table, table.player, count)
            pile = self._pile_of(table)
            fresh = pile[table.drawn + count - 1]
            fits = self._may_lay(table, richer.hands[table.player], fresh)
            enough = fits or self.rules.draw == "one"
            if enough or table.drawn + count == len(pile):
                break
            count += 1
        if fits and self.rules.play_drawn != "never":
            yield from self._lay(richer, fresh, count)
        if not fits or self.rules.play_drawn != "must":
            yield (count, None, None), replace(self._pass_on(richer), passes=0)

    def _owing(self, table: Table) -> Iterator[tuple[Turn, "Table | int | None"]]:
        """A skip is handed on or suffered, and so is a sum of cards to be drawn."""
        hand = table.hands[table.player]
        for code in dict.fromkeys(hand):
            if self._answers(table, code) and self._may_be_last(hand, code):
                yield from self._lay(table, code, 0)
        owed = table.owed if isinstance(table.owed, int) else 0
        poorer = self._deal(table, table.player, owed)
        turned = replace(self._worn(self._pass_on(poorer)), passes=0)
        drawn = len(poorer.hands[table.player]) - len(table.hands[table.player])
        yield (drawn, None, None), turned

    def _answers(self, table: Table, code: str) -> bool:
        if table.owed == "skip":
            return _symbol(code) == "skip"
        if code == "+4":
            return table.symbol == "+4" or self.rules.stacking == "draws"
        return _symbol(code) == table.symbol == "+2"

    def _may_lay(self, table: Table, hand: tuple[str, ...], code: str) -> bool:
        if not self._may_be_last(hand, code):
            return False
        if code == "+4" and self.rules.plus_four == "restricted":
            return all(_colour(other) != table.colour for other in hand)
        same = _symbol(code) is not None and _symbol(code) == table.symbol
        return code in ("W", "+4") or _colour(code) == table.colour or same

    def _may_be_last(self, hand: tuple[str, ...], code: str) -> bool:
        number = code[0] in _COLOUR and code[1:].isdigit()
        return len(hand) > 1 or self.rules.last_card == "any" or number

    def _lay(
        self, table: Table, code: str, drawn: int
    ) -> Iterator[tuple[Turn, "Table | int | None"]]:
        """A card is laid, and has its effect."""
        hand = list(table.hands[table.player])
        hand.remove(code)
        if not hand:
            yield (drawn, code, None), table.player
            return
        hands = _with(table.hands, table.player, hand)
        for name in _COLOUR.values() if code in ("W", "+4") else (None,):
            laid = replace(
                table, hands=hands, colour=name or _colour(code), symbol=_symbol(code), passes=0
            )
            yield (drawn, code, name), self._effect(laid)

    def _effect(self, table: Table) -> Table:
        symbol, two = table.symbol, len(table.hands) == 2
        if symbol == "reverse":
            turned = replace(table, direction=-table.direction)
            return turned if two else self._pass_on(turned)
        following = self._pass_on(table)
        if symbol == "skip":
            if self.rules.skip_answered_by_skip:
                return replace(following, owed="skip")
            return self._worn(self._pass_on(following))
        if symbol in ("+2", "+4"):
            count = int(symbol[1:])
            if self.rules.stacking != "none":
                before = table.owed if isinstance(table.owed, int) else 0
                return replace(following, owed=before + count)
            return self._worn(self._pass_on(self._deal(following, following.player, count)))
        return replace(following, owed=0)

    def _worn(self, table: Table) -> Table:
        """After an effect only the colour may be left to match."""
        return replace(table, symbol=None) if self.rules.effects_wear_off else table

    def _pass_on(self, table: Table) -> Table:
        return replace(table, player=(table.player + table.direction) % len(table.hands), owed=0)

    def _deal(self, table: Table, player: int, count: int) -> Table:
        """So many cards from the draw pile, or as many as there are."""
        fresh = self._pile_of(table)[table.drawn : table.drawn + count]
        hands = _with(table.hands, player, [*table.hands[player], *fresh])
        dealt = replace(table, hands=hands, drawn=table.drawn + len(fresh))
        missing = count - len(fresh)
        ready = self._with_cards_to_draw(dealt) if missing else None
        return dealt if ready is None else self._deal(ready, player, missing)


def _with(
    hands: tuple[tuple[str, ...], ...], player: int, hand: list[str]
) -> tuple[tuple[str, ...], ...]:
    return (*hands[:player], tuple(sorted(hand)), *hands[player + 1 :])


def _place_in_deck(code: str) -> tuple[int, int]:
    """Return the place of a card in the order of a new pile."""
    symbols = [*"0123456789", "S", "R", "+2"]
    return (
        (4, code == "+4")
        if code in ("W", "+4")
        else ("RYGB".index(code[0]), symbols.index(code[1:]))
    )


def _code(card: Card) -> str:
    """The code of an official card."""
    colour, symbol = card
    if colour == "*":
        return "+4" if symbol == "+4" else "W"
    letters = {word: letter for letter, word in _WORDS.items()}
    return str(colour)[0].upper() + letters.get(str(symbol), str(symbol))


def _colour(code: str) -> str:
    """The colour of a card; of a wild one there is none."""
    return "" if code in ("W", "+4") else _COLOUR[code[0]]


def _symbol(code: str) -> str | None:
    """What the next card can match beside the colour; a wild card shows nothing, but a +4."""
    if code in ("W", "+4"):
        return None if code == "W" else "+4"
    return _WORDS.get(code[1:], code[1:])


def doubt(instance: OpenGame) -> Doubt | None:
    """Return why a NO is not confirmed, or None if it is.

    A NO to the goal ``together`` has no witness. It is confirmed by looking at every position that
    can come up, with the referee's own rules and hands, in which no search has a part.
    """
    if not instance.optimises:
        return None  # its strategy is followed
    referee = Referee(instance)
    waiting, seen = [referee.start], {referee.start}
    while waiting:
        for following in referee.turns(waiting.pop()).values():
            if following == 0:
                return Doubt("the referee knows a game that player 1 wins", is_wrong=True)
            if isinstance(following, Table) and following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > MANY_POSITIONS:
            return Doubt(
                "no game was found that player 1 wins; that there is none is not confirmed, there "
                f"being more than {MANY_POSITIONS:,} positions"
            )
    return None


def violations(instance: OpenGame, answer: Claim) -> list[Violation]:
    """The line keeps the rules, the moves are the legal ones, and the strategy holds."""
    if instance.optimises:
        return _together_violations(instance, answer)
    strategy = answer.strategy
    if (answer.objective, answer.bound) != (None, None):
        return [Violation("objective", 0, "who wins is asked for, and no best value")]
    if strategy is None:
        return []
    if answer.status not in ("SATISFIABLE", "UNSATISFIABLE"):
        return [Violation("status", 0, f"{answer.status} with a strategy")]
    try:
        if (strategy["winner"] == 1) != (answer.status == "SATISFIABLE"):
            return [Violation("status", 0, f"{answer.status}, won by {strategy['winner']}")]
        referee = Referee(instance)
        message = _line_flaw(referee, strategy) or _moves_flaw(referee, strategy)
        if not message and strategy["kind"] == "positions":
            message = _flaw(referee, answer.status == "SATISFIABLE", strategy["positions"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        message = "it cannot be read"
    return [Violation("strategy", 0, message)] if message else []


def _together_violations(instance: OpenGame, answer: Claim) -> list[Violation]:
    """The line keeps the rules, ends with player 1's last card, and has as many turns as said."""
    strategy = answer.strategy
    found = optimisation_violations(answer, "strategy")
    if answer.bound is not None and answer.bound > (answer.objective or answer.bound):
        found.append(Violation("objective", 0, f"{answer.objective} is less than the bound"))
    if found or strategy is None:
        return found
    try:
        message = "" if strategy["winner"] == 1 else "the line is not player 1's"
        message = message or _line_flaw(Referee(instance), strategy)
        turns = 0 if message else _turns_that_count(Referee(instance), strategy["plays"])
        if not message and strategy["kind"] != "line":
            message = "it is no line"
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return [Violation("strategy", 0, "it cannot be read")]
    if message:
        return [Violation("strategy", 0, message)]
    return value_violations(answer, turns, f"the line has {counted(turns, 'turn')}")


def _turn(told: Mapping[str, Any]) -> Turn:
    return told["draws"], told.get("lays"), told.get("names")


def _line_flaw(referee: Referee, strategy: Mapping[str, Any]) -> str:
    """Where the line that is told breaks the rules, or ends otherwise than is claimed."""
    table: Table | int | None = referee.start
    for number, told in enumerate(strategy["plays"], start=1):
        if not isinstance(table, Table):
            return f"turn {number}: the game is over"
        if told["player"] != table.player + 1:
            return f"turn {number}: it is player {table.player + 1}'s"
        turns = referee.turns(table)
        if _turn(told) not in turns:
            return f"turn {number}: {told} is not legal"
        table = turns[_turn(told)]
    if isinstance(table, Table):
        return "the line does not come to an end"
    ends = None if table is None else table + 1
    claimed = strategy["winner"]
    right = ends == claimed or (claimed == "others" and ends not in (None, 1))
    return "" if right else f"the line is won by {ends}, the game by {claimed}"


def _turns_that_count(referee: Referee, plays: Sequence[Mapping[str, Any]]) -> int:
    """The turns of a legal line but for those that were lost to a skip or a sum of cards."""
    table: Table | int | None = referee.start
    count = 0
    for told in plays:
        assert isinstance(table, Table)  # noqa: S101
        count += not table.owed or told.get("lays") is not None
        table = referee.turns(table)[_turn(told)]
    return count


def _moves_flaw(referee: Referee, strategy: Mapping[str, Any]) -> str:
    """Whether the first moves are the legal ones, and lead to what the winner claims."""
    told = {_turn(each): each["leads_to"] for each in strategy["moves"]}
    if set(told) != set(referee.turns(referee.start)):
        return "the first moves that are told are not the legal ones"
    worth, winner = set(told.values()), strategy["winner"]
    mine = (winner == 1) == (referee.start.player == 0)
    fits = bool(worth & {winner, "unknown"}) if mine else worth <= {winner, "unknown"}
    if winner is not None and not fits:
        return "the first moves do not lead to what is claimed of the game"
    return ""


def _flaw(referee: Referee, wins: bool, positions: list[Mapping[str, Any]]) -> str:
    """Why the positions do not keep player 1 winning, or from winning; empty if they do."""
    chosen = {_table_of(told): _turn(told) for told in positions}
    waiting, seen = [referee.start], {referee.start}
    while waiting:
        table = waiting.pop()
        turns = referee.turns(table)
        if (table.player == 0) == wins:
            if table not in chosen:
                return f"it has no move for player {table.player + 1} in a position that comes up"
            if chosen[table] not in turns:
                return f"{chosen[table]} is not legal"
            turns = {chosen[table]: turns[chosen[table]]}
        for following in turns.values():
            if not isinstance(following, Table):
                if (following == 0) != wins:
                    return "it does not lead where it claims"
            elif following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > MANY_POSITIONS:
            return f"it leads to more than {MANY_POSITIONS} positions"
    return ""


def _table_of(told: Mapping[str, Any]) -> Table:
    hands = tuple(tuple(sorted(hand)) for hand in told["hands"])
    return Table(
        hands,
        told["colour"],
        told["symbol"],
        told["drawn"],
        told["player"] - 1,
        told["direction"],
        told["pending"],
        told["passes"],
        tuple(told.get("pile", ())),
        told.get("reshuffled", 0),
    )
