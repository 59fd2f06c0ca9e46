"""The open game: a referee that lists legal turns and checks strategies against every reply.

A second implementation of the rules, on card codes where the search uses numbers: a hand is a
sorted tuple of codes, and the top of the discard pile is a colour and a symbol.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uno_csp.checker.claims import Card, Claim, Doubt, Violation
from uno_csp.checker.sequences import optimisation_violations, value_violations
from uno_csp.questions import OpenGame
from uno_csp.questions.wording import counted

question = "open-game"
PARTS = {"strategy", "objective", "bound"}

MANY_POSITIONS = 200_000
"""Maximum number of positions visited to check a strategy or to look for a won game."""

_COLOUR = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
_WORDS = {"S": "skip", "R": "reverse"}


@dataclass(frozen=True, slots=True)
class TableState:
    """A position of the game; players are numbered from 0.

    ``drawn`` is the number of cards gone from the draw pile; ``owed`` is the number of cards that
    the player to move has to draw, or ``"skip"``; ``passes`` is the number of passes in a row.
    ``pile`` is the draw pile after a reshuffle, ``reshuffled`` the number of reshuffles.
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
"""Number of cards drawn, code of the card played, and colour named with it."""


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
        start = TableState(
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

    def _turned_up(self, table: TableState) -> TableState:
        """Apply the effect of the turned-up card to the player to move."""
        back = (table.player - table.direction) % len(table.hands)
        if table.symbol == "+2" and self.rules.first_card == "no-draw":
            return replace(table, symbol=None)
        if table.symbol == "reverse":
            if self.rules.first_card == "no-draw":
                return table
            return replace(table, player=back, direction=-table.direction)
        if table.symbol == "+2" and self.rules.first_card == "keep-turn":
            return self._worn(self._deal(table, table.player, 2))
        return self._effect(replace(table, player=back))

    def turns(self, table: TableState) -> dict[Turn, "TableState | int | None"]:
        """Return each legal turn with its result: a position, the winner, or None (nobody wins)."""
        return dict(self._owing(table) if table.owed else self._free(table))

    def _free(self, table: TableState) -> Iterator[tuple[Turn, "TableState | int | None"]]:
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

    def _pile_of(self, table: TableState) -> Sequence[str]:
        return table.pile if table.reshuffled else self.pile

    def _with_cards_to_draw(self, table: TableState) -> TableState | None:
        """Return the table, reshuffled if the draw pile is empty; None if no card can be drawn."""
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

    def _on_top(self, table: TableState) -> str:
        """Return the code of the top card; rules with reshuffles never remove its symbol."""
        if table.symbol in (None, "+4"):
            return table.symbol or "W"
        word = str(table.symbol)
        short = {name: letter for letter, name in _WORDS.items()}
        return table.colour[0].upper() + short.get(word, word)

    def _draw(self, table: TableState) -> Iterator[tuple[Turn, "TableState | int | None"]]:
        """Yield the turns that draw by the rules, and then play the last card drawn or not."""
        count = 1
        while True:
            richer = self._deal(table, table.player, count)
            pile = self._pile_of(table)
            fresh = pile[table.drawn + count - 1]
            fits = self._may_lay(table, richer.hands[table.player], fresh)
            if self.rules.drawn_by_colour and _colour(fresh) not in ("", table.colour):
                fits = False
            enough = fits or self.rules.draw == "one"
            if enough or table.drawn + count == len(pile):
                break
            count += 1
        if fits and self.rules.play_drawn != "never":
            yield from self._lay(richer, fresh, count)
        if not fits or self.rules.play_drawn != "must":
            yield (count, None, None), replace(self._pass_on(richer), passes=0)

    def _owing(self, table: TableState) -> Iterator[tuple[Turn, "TableState | int | None"]]:
        """Yield the turns that pass on or accept a pending skip or number of cards to draw."""
        hand = table.hands[table.player]
        for code in dict.fromkeys(hand):
            if self._answers(table, code) and self._may_be_last(hand, code):
                yield from self._lay(table, code, 0)
        owed = table.owed if isinstance(table.owed, int) else 0
        poorer = self._deal(table, table.player, owed)
        turned = replace(self._worn(self._pass_on(poorer)), passes=0)
        drawn = len(poorer.hands[table.player]) - len(table.hands[table.player])
        yield (drawn, None, None), turned

    def _answers(self, table: TableState, code: str) -> bool:
        if table.owed == "skip":
            return _symbol(code) == "skip"
        if code == "+4":
            return table.symbol == "+4" or self.rules.stacking == "draws"
        return _symbol(code) == table.symbol == "+2"

    def _may_lay(self, table: TableState, hand: tuple[str, ...], code: str) -> bool:
        if not self._may_be_last(hand, code):
            return False
        if code == "+4" and self.rules.plus_four == "restricted":
            return all(_colour(other) != table.colour for other in hand)
        if code == "+4" and self.rules.plus_four == "last-resort":
            return not any(self._may_lay(table, hand, other) for other in hand if other != "+4")
        same = _symbol(code) is not None and _symbol(code) == table.symbol
        return code in ("W", "+4") or _colour(code) == table.colour or same

    def _may_be_last(self, hand: tuple[str, ...], code: str) -> bool:
        number = code[0] in _COLOUR and code[1:].isdigit()
        return len(hand) > 1 or self.rules.last_card == "any" or number

    def _lay(
        self, table: TableState, code: str, drawn: int
    ) -> Iterator[tuple[Turn, "TableState | int | None"]]:
        """Yield the turns that play a card, with its effect."""
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

    def _effect(self, table: TableState) -> TableState:
        symbol, two = table.symbol, len(table.hands) == 2
        if symbol == "reverse":
            turned = replace(table, direction=-table.direction)
            return turned if two and self.rules.reverse_skips else self._pass_on(turned)
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

    def _worn(self, table: TableState) -> TableState:
        """Remove the symbol to match if the rules let effects wear off."""
        return replace(table, symbol=None) if self.rules.effects_wear_off else table

    def _pass_on(self, table: TableState) -> TableState:
        return replace(table, player=(table.player + table.direction) % len(table.hands), owed=0)

    def _deal(self, table: TableState, player: int, count: int) -> TableState:
        """Deal ``count`` cards from the draw pile, or as many as there are."""
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
    """Return the code of an official card."""
    colour, symbol = card
    if colour == "*":
        return "+4" if symbol == "+4" else "W"
    letters = {word: letter for letter, word in _WORDS.items()}
    return str(colour)[0].upper() + letters.get(str(symbol), str(symbol))


def _colour(code: str) -> str:
    """Return the colour of a card; empty for a wild one."""
    return "" if code in ("W", "+4") else _COLOUR[code[0]]


def _symbol(code: str) -> str | None:
    """Return the symbol that the next card can match; None for a wild card that is no +4."""
    if code in ("W", "+4"):
        return None if code == "W" else "+4"
    return _WORDS.get(code[1:], code[1:])


def doubt(instance: OpenGame) -> Doubt | None:
    """Return why a NO is not confirmed, or None if it is.

    A NO to the goal ``together`` has no witness. It is confirmed by visiting every reachable
    position with the referee's own rules, independently of the search.
    """
    if not instance.optimises:
        return None  # its witness is a strategy, which is checked
    referee = Referee(instance)
    waiting, seen = [referee.start], {referee.start}
    while waiting:
        for following in referee.turns(waiting.pop()).values():
            if following == 0:
                return Doubt("the referee found a game that player 1 wins", is_wrong=True)
            if isinstance(following, TableState) and following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > MANY_POSITIONS:
            return Doubt(
                "no game that player 1 wins was found, but this is not confirmed: there are "
                f"more than {MANY_POSITIONS:,} positions"
            )
    return None


def violations(instance: OpenGame, answer: Claim) -> list[Violation]:
    """Check that the line and the first moves are legal, and that the strategy holds."""
    if instance.optimises:
        return _together_violations(instance, answer)
    strategy = answer.strategy
    if (answer.objective, answer.bound) != (None, None):
        return [Violation("objective", 0, "the question is who wins; there is no best value")]
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
            message = _flaw(referee, strategy["winner"], strategy["positions"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        message = "it cannot be read"
    return [Violation("strategy", 0, message)] if message else []


def _together_violations(instance: OpenGame, answer: Claim) -> list[Violation]:
    """Check that the line is legal, ends with player 1's last card and has the claimed turns."""
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
            message = "it is not a line"
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return [Violation("strategy", 0, "it cannot be read")]
    if message:
        return [Violation("strategy", 0, message)]
    return value_violations(answer, turns, f"the line has {counted(turns, 'turn')}")


def _turn(move: Mapping[str, Any]) -> Turn:
    return move["draws"], move.get("lays"), move.get("names")


def _line_flaw(referee: Referee, strategy: Mapping[str, Any]) -> str:
    """Return where the line breaks the rules or ends other than claimed; empty if it does not."""
    table: TableState | int | None = referee.start
    for number, play in enumerate(strategy["plays"], start=1):
        if not isinstance(table, TableState):
            return f"turn {number}: the game is over"
        if play["player"] != table.player + 1:
            return f"turn {number}: it is player {table.player + 1}'s"
        turns = referee.turns(table)
        if _turn(play) not in turns:
            return f"turn {number}: {play} is not legal"
        table = turns[_turn(play)]
    if isinstance(table, TableState):
        return "the line does not come to an end"
    ends = None if table is None else table + 1
    claimed = strategy["winner"]
    right = ends == claimed or (claimed == "others" and ends not in (None, 1))
    return "" if right else f"the line is won by {ends}, but the claimed winner is {claimed}"


def _turns_that_count(referee: Referee, plays: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of turns of a legal line, without those lost to a skip, +2 or +4."""
    table: TableState | int | None = referee.start
    count = 0
    for play in plays:
        assert isinstance(table, TableState)  # noqa: S101
        count += not table.owed or play.get("lays") is not None
        table = referee.turns(table)[_turn(play)]
    return count


def _moves_flaw(referee: Referee, strategy: Mapping[str, Any]) -> str:
    """Return what is wrong with the first moves and their results; empty if nothing is."""
    play = {_turn(each): each["leads_to"] for each in strategy["moves"]}
    if set(play) != set(referee.turns(referee.start)):
        return "the listed first moves are not the legal ones"
    worth, winner = set(play.values()), strategy["winner"]
    mine = (winner == 1) == (referee.start.player == 0)
    fits = bool(worth & {winner, "unknown"}) if mine else worth <= {winner, "unknown"}
    if winner is not None and not fits:
        return "the first moves do not lead to the claimed winner"
    return ""


def _flaw(referee: Referee, winner: int | str | None, positions: list[Mapping[str, Any]]) -> str:
    """Return why the strategy does not force the claimed result; empty if it does.

    The winner is 1, or somebody else; if it is None, the others only stop player 1.
    """
    wins = winner == 1
    chosen = {_table_of(play): _turn(play) for play in positions}
    waiting, seen = [referee.start], {referee.start}
    while waiting:
        table = waiting.pop()
        turns = referee.turns(table)
        if (table.player == 0) == wins:
            if table not in chosen:
                return f"it has no move for player {table.player + 1} in a reachable position"
            if chosen[table] not in turns:
                return f"{chosen[table]} is not legal"
            turns = {chosen[table]: turns[chosen[table]]}
        for following in turns.values():
            if not isinstance(following, TableState):
                nobody = following is None and winner is not None
                if (following == 0) != wins or nobody:
                    return "it does not lead where it claims"
            elif following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > MANY_POSITIONS:
            return f"it leads to more than {MANY_POSITIONS} positions"
    return ""


def _table_of(entry: Mapping[str, Any]) -> TableState:
    hands = tuple(tuple(sorted(hand)) for hand in entry["hands"])
    return TableState(
        hands,
        entry["colour"],
        entry["symbol"],
        entry["drawn"],
        entry["player"] - 1,
        entry["direction"],
        entry["pending"],
        entry["passes"],
        tuple(entry.get("pile", ())),
        entry.get("reshuffled", 0),
    )
