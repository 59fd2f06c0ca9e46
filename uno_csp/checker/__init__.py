"""The independent checker of answers.

It restates the rules in its own words and shares no code with the solving side, so that a bug
there cannot hide here. It runs in time linear in the number of cards, or in the size of a
strategy. A violation names the rule that is broken and the step, counted from 1, where it happens.

A no carries no witness (but for uncooperative play, where it is player 2's strategy); the checker
can refute one only where it contradicts itself.
"""

from uno_csp.checker.claims import MAX_REPORTED, Claim, Violation
from uno_csp.checker.plays import plays_violations
from uno_csp.checker.sequences import added_violations, longest_violations, uno1_violations
from uno_csp.checker.strategies import strategy_violations
from uno_csp.instances import Cooperative, FillIn, Instance, Longest, Uncooperative

__all__ = ["MAX_REPORTED", "Claim", "Violation", "check"]

_DECISIONS = ("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN")
_PARTS = ("sequence", "plays", "added", "objective", "bound", "loser", "strategy")
_PARTS_OF = {
    "uno-1": {"sequence"},
    "longest": {"sequence", "objective", "bound"},
    "fill-in": {"sequence", "added", "objective", "bound"},
    "cooperative": {"plays"},
    "uncooperative": {"loser", "strategy"},
}


def check(instance: Instance, answer: Claim) -> list[Violation]:
    """Find what is wrong with an answer; an empty list means that it stands.

    Rules, in every question: ``question`` (the answer is for this kind of question), ``status``
    (it is a possible one and has the parts that belong to it), ``hand`` (cards are played as often
    as they are held), ``opening`` (the first card matches ``after``), ``match`` (neighbours match).
    In ``fill-in``: ``supply`` (only allowed cards are added). In the optimisation questions:
    ``objective`` (it is the value of the sequence, and the bound does not contradict it). In
    ``cooperative``: ``turn``, ``skip`` (nobody is skipped who could play), ``goal`` (player 1's
    hand is the first to be empty). In ``uncooperative``: ``loser``, ``strategy``.

    >>> from uno_csp.formats import Answer, Status
    >>> from uno_csp.instances import Uno1
    >>> hand = (("red", 5), ("red", 7), ("blue", 5))
    >>> wrong = Answer("uno-1", Status.SATISFIABLE, sequence=hand)
    >>> [str(violation) for violation in check(Uno1(hand), wrong)]
    ['match at step 3: blue 5 does not match red 7']
    """
    if answer.question != instance.question:
        message = f"the answer is for {answer.question!r}, the question is {instance.question!r}"
        return [Violation("question", 0, message)]
    foreign = [
        part
        for part in _PARTS
        if part not in _PARTS_OF[answer.question] and getattr(answer, part) is not None
    ]
    if foreign:
        message = f"an answer to {answer.question!r} has no {foreign[0]}"
        return [Violation("status", 0, message)]
    if isinstance(instance, Longest):
        found = longest_violations(instance, answer)
    elif isinstance(instance, FillIn):
        found = added_violations(instance, answer)
    elif answer.status not in _DECISIONS:
        message = f"{answer.status} is no answer to a yes-or-no question"
        found = [Violation("status", 0, message)]
    elif isinstance(instance, Cooperative):
        found = plays_violations(instance, answer)
    elif isinstance(instance, Uncooperative):
        found = strategy_violations(instance, answer)
    else:
        found = uno1_violations(instance, answer)
    return found[:MAX_REPORTED]
