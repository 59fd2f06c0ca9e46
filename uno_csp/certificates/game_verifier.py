"""Verify certificates of games with open cards; ``full_verifier.py`` uses this file.

It needs only ``verifier.py`` beside it and the standard library.

*Timetables.* The rules of cooperative play, step by step and without any theory, for small hands.

*Pairs.* Two players compete, and whoever cannot play loses. If every card of player 1 has its own
matching partner among the cards of player 2, player 2 answers each card with its partner. In other
games, a strategy is followed against every reply.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from uno_csp.certificates import verifier
else:  # imported by full_verifier.py
    import verifier

MOST_PAIRS = 2_000_000
"""Maximum number of card pairs times steps in a timetable."""

STRATEGY = "strategy.jsonl"

require = verifier.require

Answer = Callable[[int, Any, list[Counter[verifier.Card]]], verifier.Card | None]


class Timetable(verifier.Clauses):
    """The rules of cooperative play as clauses: which card is laid at each step.

    If players are skipped between two consecutive cards, all their matching cards were laid before.
    """

    def __init__(self, question: verifier.Question) -> None:
        super().__init__()
        self.question = question
        whose = [(player, card) for player, hand in enumerate(question.hands) for card in hand]
        self.owners, self.cards = [who for who, _ in whose], [card for _, card in whose]
        steps = len(whose) - (len(question.hands) - 1)
        size = len(whose) ** 2 * steps * len(question.hands)
        require(size <= MOST_PAIRS, f"too large: {size} pairs of cards by step, over {MOST_PAIRS}")
        self.laid = [[self.new() for _ in whose] for _ in range(steps)]
        self.full = [self.new() for _ in self.laid]
        for full, row in zip(self.full, self.laid, strict=True):
            self.clauses += [(-full, *row), *((-literal, full) for literal in row)]
            self.at_most([(1, literal) for literal in row], 1)
        self.columns = list(zip(*self.laid, strict=True))
        for column in self.columns:
            self.at_most([(1, literal) for literal in column], 1)
        self.clauses += [(one, -other) for one, other in itertools.pairwise(self.full)]
        self._match()
        self.clauses += self.columns[: len(question.hands[0])]
        self._keep_cards()
        self._take_turns()

    def _match(self) -> None:
        """A laid card matches the one before it, and the first one the pile."""
        pile, match = self.question.after, self.question.match
        for card, literal in zip(self.cards, self.laid[0], strict=True):
            self.clauses += [(-literal,)] if pile is not None and not match(pile, card) else []
        apart = [
            (i, j)
            for i, j in itertools.permutations(range(len(self.cards)), 2)
            if not match(self.cards[i], self.cards[j])
        ]
        for here, there in itertools.pairwise(self.laid):
            self.clauses += [(-here[i], -there[j]) for i, j in apart]

    def _keep_cards(self) -> None:
        """Player 1 lays the last card, and each other player keeps a card."""
        keeps: defaultdict[int, list[int]] = defaultdict(list)
        then = self.full[1:]
        self.kept = dict[int, int]()
        for card, (who, column) in enumerate(zip(self.owners, self.columns, strict=True)):
            if who:
                self.clauses += [
                    (-column[-1],),
                    *((-x, after) for x, after in zip(column[:-1], then, strict=True)),
                ]
                self.kept[card] = self.new()
                keeps[who].append(self.kept[card])
                self.clauses += [(-keeps[who][-1], -literal) for literal in column]
        self.clauses += [tuple(keep) for keep in keeps.values()]

    def _take_turns(self) -> None:
        """A skipped player could not play: all their matching cards were laid before."""
        question, owners, count = self.question, self.owners, len(self.question.hands)
        pile, match = question.after, question.match
        able = [i for i, card in enumerate(self.cards) if pile is None or match(pile, card)]
        first = owners[able[0]] if able else None
        self.clauses += [(-x,) for x, who in zip(self.laid[0], owners, strict=True) if who != first]
        pairs = list(itertools.permutations(range(len(owners)), 2))
        matching = [(i, j) for i, j in pairs if match(self.cards[i], self.cards[j])]
        self.skipped: list[list[int]] = []
        self.before: list[list[int]] = []
        before: Sequence[int | None] = [None] * len(owners)
        for here, there in itertools.pairwise(self.laid):
            skipped = [self.new() for _ in range(count)]
            self.skipped.append(skipped)
            for i, j in matching:
                between = range(owners[i] + 1, owners[i] + 1 + (owners[j] - owners[i] - 1) % count)
                self.clauses += [(-here[i], -there[j], skipped[k % count]) for k in between]
                laid = [literal for literal in (before[j],) if literal]
                self.clauses.append((-skipped[owners[j]], -here[i], *laid))
            now = [self.new() for _ in owners]
            for var, old, x in zip(now, before, here, strict=True):
                self.clauses.append((-var, *(literal for literal in (old,) if literal), x))
            self.before.append(now)
            before = now


def check_pairs(question: verifier.Question, pairs: list[list[int]]) -> str:
    """Check the fact *Pairs*."""
    two = len(question.hands) == 2 and question.convention == "last-mover"
    require(two, "reason.json: pairs are for two players, where the last one to play wins")
    first, second = question.hands
    partners = {pair[0]: pair[1] for pair in pairs}
    once = len(partners) == len(pairs) and {*partners} <= set(range(len(first)))
    require(once, "reason.json: not each card of player 1 once")
    answers = {j for _, j in pairs}
    right = len(answers) == len(pairs) and answers <= set(range(len(second)))
    require(right, "reason.json: a partner twice, or one not held")
    right = all(question.match(first[i], second[j]) for i, j in pairs)
    require(right, "reason.json: a card that does not match its partner")
    if question.after is None:
        require(len(pairs) == len(first), "reason.json: not each card of player 1 once")
        return paired(question)
    laid, coming = [question.after], {*range(len(first))}
    while laid:
        last = laid.pop()
        near = {i for i in coming if question.match(last, first[i])}
        require(near <= {*partners}, "reason.json: a playable card of player 1 has no partner")
        laid += [second[partners[i]] for i in near]
        coming -= near
    return paired(question)


def paired(question: verifier.Question) -> str:
    """Return the fact *Pairs* in words."""
    first, pile = question.hands[0], question.after
    if not first:
        return "player 1 has no cards"
    if pile is None:
        return "each card of player 1 has its own matching card of player 2"
    if not any(question.match(pile, card) for card in first):
        return "no card of player 1 matches the one on the pile"
    return "each card that player 1 can play has its own matching card of player 2"


def check_strategy(question: verifier.Question, positions: list[dict[str, Any]]) -> str:
    """Check that the strategy answers every play of player 1, so that player 1 loses first."""
    known: dict[Any, verifier.Card] = {}
    for at in positions:
        hands = [Counter(tuple(card) for card in hand) for hand in at["hands"]]
        last = at["last"] and tuple(at["last"])
        known[_position(at["player"] - 1, last, hands)] = tuple(at["play"])
    follow(question, lambda player, last, hands: known.get(_position(player, last, hands)))
    return f"a strategy against all replies, of {len(known)} positions"


def check_lines(question: verifier.Question, lines: Iterable[str]) -> str:
    """Check a strategy of one card in a line, in the order in which :func:`follow` asks."""
    cards = (tuple(verifier.loads(line)) for line in lines)
    count = follow(question, lambda *_: next(cards, None))
    require(next(cards, None) is None, f"{STRATEGY}: more than {count} lines")
    return f"a strategy against all replies, of {count} positions"


def follow(question: verifier.Question, answer: Answer) -> int:
    """Follow a strategy against every play of player 1; return how many answers it has given.

    ``answer`` gets the player, the card on top, and all hands. The position reached last is visited
    first, and player 1 plays the cards in the order dealt.
    """
    held = [Counter(hand) for hand in question.hands]
    waiting: list[tuple[int, Any, list[Counter[verifier.Card]]]] = [(0, question.after, held)]
    seen, count = set(), 0
    while waiting:
        player, last, hands = waiting.pop()
        near = [card for card in hands[player] if last is None or question.match(last, card)]
        if player:
            play = answer(player, last, hands)
            require(play in near, f"strategy: no card for player {player + 1} on {last}")
            near, count = [] if play is None else [play], count + 1
        for card in near:
            left = [hand - Counter([card] * (who == player)) for who, hand in enumerate(hands)]
            if question.convention == "empty-hand-wins" and not left[player]:
                require(player, f"strategy: player 1 wins with {list(card)}")
                continue
            following = ((player + 1) % len(hands), card, left)
            if (key := _position(*following)) not in seen:
                seen.add(key)
                waiting.append(following)
    return count


def _position(player: int, last: Any, hands: list[Counter[verifier.Card]]) -> Any:
    return player, last, tuple(frozenset(hand.items()) for hand in hands)


def require_game(question: verifier.Question) -> None:
    """Raise Refused unless a question of several players is well-formed."""
    if question.kind not in verifier.KINDS[3:]:
        return
    known = question.convention in ("last-mover", "empty-hand-wins")
    require(known, f"question.json: convention {question.convention!r}")
    require(len(question.hands) > 1, "question.json: a game needs two or more players")
    may_be_empty = question.kind == "uncooperative" and question.convention == "last-mover"
    require(may_be_empty or all(question.hands), "question.json: an empty hand")
