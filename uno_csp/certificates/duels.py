"""Make certificates of competitive play: pairs of cards, or a strategy against player 1."""

import json
from collections.abc import Sequence

from uno_csp.algorithms.game_search import Answers
from uno_csp.algorithms.matching import opened_matching
from uno_csp.certificates.drafts import Draft, to_json
from uno_csp.certificates.refutation import Unproved
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Uncooperative
from uno_csp.questions.answers import Answer
from uno_csp.questions.cards import Card
from uno_csp.questions.wording import counted
from uno_csp.verifier.cards import Question
from uno_csp.verifier.games import STRATEGY, Deal, Hands, follow, paired

MOST_LINES = 1_000_000  # maximum number of positions of a strategy that is written


def duel(instance: Uncooperative, question: Question, answer: Answer, deadline: Deadline) -> Draft:
    """Make a certificate of a game: player 2's pairs, or the strategy of all others.

    The strategy of the answer is written with its positions; one that is too long for an answer is
    searched again, and written as one card for each position, in the order in which the verifier
    asks.

    Raises Unproved if the strategy is too long, or none is found by the deadline.
    """
    if len(question.hands) == 2 and question.convention == "last-mover":
        return _pairs(question)
    strategy = answer.strategy or {}
    if strategy.get("kind") == "positions":
        positions = strategy["positions"]
        files = {"reason.json": to_json({"positions": positions})}
        return Draft("strategy", files, _words(len(positions)))
    lines = _lines(instance, question, deadline)
    return Draft("strategy", {STRATEGY: "".join(lines)}, _words(len(lines)))


def _words(positions: int) -> str:
    return f"a strategy of {counted(positions, 'position')} against every play of player 1"


def _pairs(question: Question) -> Draft:
    """Pair the cards that player 1 can play with cards of player 2."""
    first, second = question.hands
    pairs, _ = opened_matching(first, second, question.after, question.at_least)
    return Draft("pairs", {"reason.json": to_json({"pairs": pairs})}, paired(question))


def _lines(instance: Uncooperative, question: Question, deadline: Deadline) -> Sequence[str]:
    """Return the answers of a strategy, a line each."""
    try:
        answers = Answers(instance, deadline)
    except ValueError:
        raise Unproved("no strategy was found within the limits") from None
    deal, lines = Deal(question), list[str]()

    def answer(player: int, last: Card, hands: Hands) -> Card | None:
        """Choose a card and write it down."""
        if len(lines) == MOST_LINES:
            raise Unproved(f"the strategy has more than {MOST_LINES:,} positions")
        if deadline.expired:
            raise Unproved("the strategy was not written within the time limit")
        card = answers.card(player, last, [deal.hand(bits) for bits in hands])
        lines.append(json.dumps(card) + "\n")
        return card

    follow(question, answer)
    return lines
