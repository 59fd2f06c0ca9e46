"""Every reason in words is a claim: it is parsed, and judged by the question alone.

A reason that no template here reads fails the test, and so does one whose claim is false.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import pytest

from tests.support.brute_force import Card, match, minimum_sequences
from tests.support.brute_force_games import avoids_losing, cooperative, fewest_added, longest
from tests.support.drawing import drawn, questions
from tests.support.tables import table
from uno_csp import parse, solve
from uno_csp.algorithms.matching import TOO_MANY_CARDS, MatchingGame
from uno_csp.certificates.groups import describe_groups, find_groups
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import explain
from uno_csp.questions import FillIn, Instance, Longest, Uncooperative, Uno1
from uno_csp.questions.answers import Answer, Status, Witness
from uno_csp.reductions import reduce
from uno_csp.verifier.cards import Question

CARD = r"(?:wild|[*\d]+(?: [*\d]+)*)"
PLAIN = r"the cards(?P<plain> that do not match every card)?(?P<pile> and the one on the pile)?"
DISAGREE = r"agree in (?:no attribute|fewer than (?P<k>\d+) attributes)"
JOINTS = (
    r"(?:no wild card joins them|one wild card joins only two|"
    r"(?P<wild>\d+) wild cards join only (?P<joined>\d+))"
)
Found = dict[str, Any]
"""Finding of a template, and the whole text."""


def universal(card: Card, k: int) -> bool:
    return card.count("*") >= k


class Hand:
    """The cards that a reason speaks of: without universal ones, with the card on the pile."""

    def __init__(self, instance: Instance) -> None:
        self.k, self.after = instance.at_least, instance.after
        self.cards = instance.hands[0]
        self.wild = sum(universal(card, self.k) for card in self.cards)
        self.piled = self.after is not None and not universal(self.after, self.k)
        self.plain = [card for card in self.cards if not universal(card, self.k)]
        if self.piled and self.after is not None:
            self.plain.append(self.after)

    def components(self, without: Sequence[Card] = ()) -> list[set[int]]:
        gone = Counter(without)
        left = []
        for place, card in enumerate(self.plain):
            gone[card] -= 1
            if gone[card] < 0:
                left.append(place)
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(left)
        pairs = combinations(left, 2)
        graph.add_edges_from(
            (i, j) for i, j in pairs if match(self.plain[i], self.plain[j], self.k)
        )
        return list(nx.connected_components(graph))

    def card(self, text: str | None) -> Card:
        width = len(self.plain[0] if self.plain else self.cards[0])
        return card_of(text, width)


def card_of(text: str | None, width: int) -> Card:
    assert text
    if text == "wild":
        return ("*",) * width
    return tuple("*" if part == "*" else int(part) for part in text.split(" "))


def rightly_named(hand: Hand, found: Found) -> bool:
    """The wild cards, the pile and the number of attributes are those of the question."""
    return (
        bool(found["plain"]) == bool(hand.wild)
        and bool(found["pile"]) == hand.piled
        and int(found["k"] or 1) == hand.k
    )


def rightly_joined(hand: Hand, found: Found) -> bool:
    wild, joined = int(found["wild"] or 0), int(found["joined"] or 0)
    if "one wild card joins only two" in found["text"]:
        return hand.wild == 1
    return hand.wild == wild and joined == (wild + 1 if wild else 0)


def judge_groups(instance: Instance, found: Found) -> bool:
    hand = Hand(instance)
    parts = hand.components()
    examples = [hand.plain.index(hand.card(found[name])) for name in ("one", "other")]
    return (
        rightly_named(hand, found)
        and rightly_joined(hand, found)
        and len(parts) == int(found["count"] or 0) > hand.wild + 1
        and not any({*examples} <= part for part in parts)
    )


def judge_told_groups(instance: Instance, found: Found) -> bool:
    hand = Hand(instance)
    removed = [hand.card(name) for name in (found["removed"] or "").split(" and ") if name]
    parts = hand.components(removed)
    if hand.after in removed and hand.plain.count(hand.after) == removed.count(hand.after):
        hand.piled = False
    sizes = [int(size) for size in (found["sizes"] or "").split(" + ")]
    return (
        rightly_named(hand, found)
        and len(parts) == int(found["count"] or 0)
        and Counter(sizes) == Counter(map(len, parts))
        and len(parts) - len(removed) > hand.wild + 1
    )


def judge_dead_ends(instance: Instance, found: Found) -> bool:
    hand = Hand(instance)
    named = [hand.card(name) for name in (found["cards"] or "").split(", ") if name != "..."]
    count, needed = int(found["count"] or 0), int(found["needed"] or 0)
    whole = len(hand.components())
    return (
        bool(found["pile"]) == hand.piled
        and (not hand.wild or rightly_joined(hand, found))
        and hand.wild + 1 < needed <= minimum_sequences(tuple(hand.plain), hand.k)
        and len(named) == min(count, 3)
        and ("..." in found["text"]) == (count > 3)
        and all(len(hand.components([card])) > whole for card in named)
    )


def judge_no_match(instance: Instance, found: Found) -> bool:
    after = instance.after
    held = [card for hand in instance.hands for card in hand]
    assert after is not None
    return card_of(found["card"], len(after)) == after and not any(
        match(after, card, instance.at_least) for card in held
    )


def judge_lack_of_help(instance: Instance, found: Found) -> bool:
    hand = Hand(instance)
    own = tuple(card for card in hand.cards if not universal(card, hand.k))
    spare = sum(len(other) - 1 for other in instance.hands[1:])
    needed = int(found["needed"] or 0)
    return (
        int(found["spare"] or 0) == spare
        and int(found["wild"] or 0) == hand.wild
        and spare + hand.wild + 1 < needed <= minimum_sequences(own, hand.k)
    )


def judge_lonely(instance: Instance, found: Found) -> bool:
    pile = () if instance.after is None else (instance.after,)
    every = [*(card for hand in instance.hands for card in hand), *pile]
    said, most = found["cards"] or found["card"] or "", 1 if found["cards"] else 0
    told = [card_of(card, len(every[0])) for card in said.split(", ")]
    return (
        len(instance.hands[0]) > 1
        and not Counter(told) - Counter(instance.hands[0])
        and len(told) == (3 - len(pile) if most else 1)
        and (not most or (found["place"] == "last") == bool(pile))
        and all(
            sum(match(card, other, instance.at_least) for other in every) <= most + 1
            for card in told
        )
    )


def partners(instance: Instance, cards: Sequence[Card]) -> bool:
    """Return True if each of these cards has a matching card of player 2 of its own."""
    first = range(len(cards))
    return any(
        all(match(cards[i], chosen[i], instance.at_least) for i in first)
        for chosen in permutations(instance.hands[1], len(cards))
    )


def rightly_first(instance: Instance, found: Found, *, more: bool) -> bool:
    """Return True if who runs out of cards first is told just where that counts."""
    first, second = map(len, instance.hands)
    told = bool(found["first"])
    counts = getattr(instance, "convention", None) == "empty-hand-wins"
    return told == counts and (not told or (second < first if more else first <= second))


def judge_partners(instance: Instance, found: Found) -> bool:
    if not rightly_first(instance, found, more=True):
        return False
    own, after = instance.hands[0], instance.after
    if not found["some"]:
        return after is None and bool(own) and partners(instance, own)
    # The cards that can come up are among those which some choice of partners covers.
    assert after is not None
    covered = (part for size in range(1, len(own) + 1) for part in combinations(own, size))
    playable = {card for card in own if match(after, card, instance.at_least)}
    return bool(playable) and any(
        playable <= {*part} and partners(instance, part) for part in covered
    )


def judge_opening(instance: Instance, found: Found) -> bool:
    own, others = instance.hands
    card, k = card_of(found["card"], len(own[0])), instance.at_least
    opens = instance.after is None or match(instance.after, card, k)
    opens = opens and rightly_first(instance, found, more=False)
    return opens and card in own and not any(match(card, other, k) for other in others)


def judge_few_answers(instance: Instance, found: Found) -> bool:
    own, others = instance.hands
    card, k = card_of(found["card"], len(own[0])), instance.at_least
    many, few = int(found["many"] or 0), int(found["few"] or 0)
    opens = instance.after is None or match(instance.after, card, k)
    return (
        opens
        and rightly_first(instance, found, more=False)
        and few < many
        and any(
            card in part and sum(any(match(a, b, k) for a in part) for b in others) == few
            for part in combinations(own, many)
        )
    )


def judge_no_card(instance: Instance, found: Found) -> bool:
    own, after = instance.hands[0], instance.after
    if not found["card"]:
        return not own
    assert after is not None
    return (
        bool(own)
        and card_of(found["card"], len(after)) == after
        and not any(match(after, card, instance.at_least) for card in own)
    )


def judge_value(instance: Instance, found: Found) -> bool:
    value, hand = int(found["value"] or 0), Hand(instance)
    cards, k, after = hand.cards, hand.k, hand.after
    if isinstance(instance, Longest):
        best = longest(cards, k, after)
        return value == best and (value == len(cards) or "every card" not in found["text"])
    if instance.supply is not None:
        return value == 0 if "no cost is less" in found["text"] else True
    if value != fewest_added(cards, k, after):
        return False
    if not found["needed"]:
        return value == 0 or "no cost is less" not in found["text"]
    whole = (*cards, after) if hand.piled and after is not None else cards
    needed = int(found["needed"])
    least = minimum_sequences(whole, k)
    right = needed == value + 1 <= least and int(found["take"] or 0) == value
    return right and bool(found["pile"]) == hand.piled


def judge_too_many_cards(instance: Instance, found: Found) -> bool:
    del found
    assert isinstance(instance, Uncooperative)
    first, second = map(len, instance.hands)
    wins = avoids_losing(instance.hands, instance.at_least, empty_wins=False, after=instance.after)
    return first > second if wins else second >= first


def judge_relaxation(instance: Instance, found: Found) -> bool:
    del found
    return not cooperative(instance.hands, instance.at_least, instance.after)


def always(_instance: Instance, _found: Found) -> bool:
    return True


NO_MORE = r"(?P<first>; and player 1 has no more cards than player 2)?"


TEMPLATES: tuple[tuple[str, Callable[[Instance, Found], bool]], ...] = (
    (
        rf"{PLAIN} fall into (?P<count>\d+) groups; cards of different groups {DISAGREE}, "
        rf"and {JOINTS}; (?P<one>{CARD}) and (?P<other>{CARD}) are in different ones",
        judge_groups,
    ),
    (
        rf"(?:without (?P<removed>{CARD}(?: and {CARD})*) )?{PLAIN} fall into (?P<count>\d+) "
        rf"groups? \((?P<sizes>\d+(?: \+ \d+)*)\); cards of different groups {DISAGREE}",
        judge_told_groups,
    ),
    (
        r"(?P<pile>with the card on the pile, )?(?P<count>\d+) parts of the hand are dead ends, "
        rf"which only one card leads to \((?P<cards>{CARD}(?:, {CARD})*(?:, \.\.\.)?)\), and each "
        r"of them holds an end of a sequence; at least (?P<needed>\d+) sequences are needed"
        rf"(?:, and {JOINTS})?",
        judge_dead_ends,
    ),
    (rf"no card matches (?P<card>{CARD}), which is on the pile", judge_no_match),
    (
        r"player 1's cards fall into at least (?P<needed>\d+) pieces, and the others have "
        r"(?:no card|only (?P<spare>\d+) cards?) to spare for joining them"
        r"(?:, besides (?P<wild>\d+) wild cards? of player 1)?",
        judge_lack_of_help,
    ),
    (
        rf"no card matches (?P<card>{CARD}), and player 1 has other cards as well|each of player "
        rf"1's cards (?P<cards>{CARD}(?:, {CARD})*) matches one card only, so it is played "
        r"(?P<place>first or last|last)",
        judge_lonely,
    ),
    (
        r"each of player 1's cards(?P<some> that can come up)? has a card of player 2 as its own "
        r"partner, with which player 2 answers it(?P<first>, and player 2 has fewer cards)?",
        judge_partners,
    ),
    (
        rf"no card of player 2 matches (?P<card>{CARD}), with which player 1 opens{NO_MORE}",
        judge_opening,
    ),
    (
        rf"(?P<many>\d+) cards of player 1, among them (?P<card>{CARD}), match only "
        rf"(?P<few>\d+) cards? of player 2, who runs out of answers{NO_MORE}",
        judge_few_answers,
    ),
    (rf"player 1 has no (?:cards|card that matches (?P<card>{CARD}))", judge_no_card),
    (
        r"the sequence that solve prints has the value (?P<value>\d+), "
        r"(?:which is every card of the hand|and no cost is less than 0|"
        r"proved optimal by (?:search|tables of its parts|a table of \d+ sets of cards)|"
        r"and by its groups and dead ends the hand(?P<pile> with the card on the pile)? splits "
        r"into at least (?P<needed>\d+) sequences, which take (?P<take>\d+) cards? to join)",
        judge_value,
    ),
    (TOO_MANY_CARDS, judge_too_many_cards),
    (r"even the relaxation free-turns has no solution", judge_relaxation),
    (r"the (?:sequence|plays|strategy) that solve prints shows it", always),
    (
        r"proved by (?:search|tables of its parts|a table of \d+ sets of cards); "
        r"no short reason is known",
        always,
    ),
)


def judge(instance: Instance, reason: str) -> None:
    """Assert that a reason is of a known form, and true."""
    for pattern, judged in TEMPLATES:
        found = re.fullmatch(pattern, reason)
        if found is not None:
            parts = dict.fromkeys(("wild", "joined", "k", "pile")) | found.groupdict()
            assert judged(instance, {**parts, "text": reason}), (instance, reason)
            return
    pytest.fail(f"no template reads {reason!r}")


def quick_reasons(instance: Instance) -> list[str]:
    """Return the reasons that are found without a solver."""
    if isinstance(instance, Uncooperative):
        game = MatchingGame()
        return [] if game.declines(instance) else [game.run(instance).reason]
    decided = reduce(instance).decided
    found = [decided.reason] if decided is not None and decided.reason else []
    if isinstance(instance, Longest | FillIn):
        best = _best(instance)
        if best is not None:
            answer = Answer(
                instance.question, Status.OPTIMAL, Witness((), added=(), objective=best), best
            )
            found.append(explain(instance, answer)[0].removeprefix("optimal: "))
    if isinstance(instance, Uno1):
        asked = Question(question_to_dict(instance))
        groups = None if asked.partly else find_groups(asked, asked.wilds + 1)
        found += [] if groups is None else [describe_groups(asked, *groups)]
    return found


def _best(instance: Longest | FillIn) -> int | None:
    cards, k, after = instance.cards, instance.at_least, instance.after
    if isinstance(instance, Longest):
        return longest(cards, k, after)
    return None if instance.supply is not None else fewest_added(cards, k, after)


def test_every_reason_found_without_a_solver_is_true() -> None:
    seen: Counter[str] = Counter()
    for instance in (*drawn(questions(most_cards=8), 500), *drawn(questions(wild="none"), 300)):
        for reason in quick_reasons(instance):
            judge(instance, reason)
            seen[re.sub(rf"{CARD}|\d+", "", reason)[:20]] += 1
    assert len(seen) > 10


def test_every_reason_of_an_answer_is_true() -> None:
    for instance in drawn(questions(most_cards=9), 25):
        answer = solve(instance)
        reason = explain(instance, answer)[0].partition(": ")[2]
        if answer.status is Status.UNSATISFIABLE or answer.status is Status.OPTIMAL or reason:
            judge(instance, reason)
        if answer.reason:
            judge(instance, answer.reason)


@pytest.mark.parametrize(("asked", "reason"), table("pipeline", "reasons that once were false"))
def test_reasons_that_once_were_false(asked: dict[str, Any], reason: str) -> None:
    instance = parse(asked)
    assert quick_reasons(instance)[0] == reason
    judge(instance, reason)


def test_the_judge_refuses_false_reasons() -> None:
    hand = Uno1(((0, 0), (1, 1), (0, 1)), at_least=2)
    for false in table("pipeline", "false reasons"):
        with pytest.raises(AssertionError):
            judge(hand, false)
