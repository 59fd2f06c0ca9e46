"""Certificates about questions of cards: one hand, cooperative or competitive play."""

from pathlib import Path

from uno_csp.verifier import games, reading
from uno_csp.verifier.cards import KINDS, Better, Question, better, check_groups, check_witness
from uno_csp.verifier.proofs import (
    BOUND,
    REFUTATION,
    and_checker,
    check_bound,
    check_refutation,
    counted,
)
from uno_csp.verifier.reading import require
from uno_csp.verifier.trails import Clauses, PricedTrails, Trails

KEYS = {
    reading.CLAIM: "version status objective strict levels kind made_by files",
    "question.json": "",
    "witness.json": "sequence added",
    "reason.json": "removed groups needs pairs positions",
    **dict.fromkeys((*REFUTATION, BOUND, games.STRATEGY), ""),
}
FILES = (*KEYS,)[1:]


class Certificate(reading.Files):
    """A certificate about a question; ``parts`` are questions with the goals to refute."""

    KEYS = KEYS

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.question = question = Question(self.read("question.json"), self.budget)
        goal = better(question, self.claim)
        if self.claim["status"] == "OPTIMAL":
            check_witness(self.question, self.claim, self.read("witness.json"))
        self.parts = [] if goal is None else [(self.question, goal)]
        self.summary = "" if self.parts else ": nothing can be better than the witness"
        if goal and question.kind in KINDS[:4] and "reason.json" in self.files:
            self.parts = check_groups(question, goal, reason := self.read("reason.json"))
            left = f"without {len(reason['removed'])} of them " if reason["removed"] else ""
            own = " not wild" * bool(question.wilds) + " and the pile" * bool(question.pile)
            whose = ", and player 1 cannot stay in one" * (len(question.hands) > 1)
            self.summary = f": {left}the cards{own} fall into {len(reason['groups'])} groups{whose}"
        games.require_game(self.question)

    def proved(self, words: str, checked_by: str | None = None) -> tuple[str, str | None]:
        """Return the result with the question, the claim and what is trusted, and the checker."""
        question, value = self.question, self.claim["objective"]
        sizes = " + ".join(str(len(hand)) for hand in question.hands)
        width = max(map(len, question.hand), default=0)
        cards = counted(sizes, "card")
        facts = [f"{question.kind}, {cards}, {question.at_least} of {width} attributes agree"]
        if question.after is not None:
            facts.append(f"after {list(question.after)!a}")
        if question.supply is not None:
            facts.append(f"a supply of {counted(len(question.supply), 'card')}")
        lines = [
            words,
            f"question: {', '.join(facts)}",
            f"SHA-256 of question.json: {self.files['question.json']}",
            f"claim: {self.claim['status']}{'' if value is None else f', objective {value}'}",
            f"believed: the rules and facts the verifier states{and_checker(checked_by)}",
        ]
        return "\n".join(lines), checked_by


def formula(question: Question, goal: Better, strict: bool, levels: bool = False) -> Clauses:
    """Return the formula that every better answer satisfies."""
    if len(question.hands) > 1:
        return games.Timetable(question)
    stated = (PricedTrails if levels else Trails)(question, goal)
    if strict:
        stated.unroll()
    return stated


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate about cards, as :func:`~uno_csp.verifier.kinds.verify` does."""
    given = Certificate(path)
    if given.question.kind == "uncooperative":
        return given.proved(f"proved: {_check_duel(given)}")
    strict, levels = bool(given.claim.get("strict")), bool(given.claim.get("levels"))
    if not given.parts:
        return given.proved(f"proved{given.summary}")
    bounds = given.read(BOUND) if BOUND in given.files else {}
    formulas = []
    for number, part in enumerate(given.parts):
        if str(number) not in bounds:
            formulas.append(formula(*part, strict, levels))
            continue
        with reading.within(f"bound.json: part {number}"):
            check_bound(for_bound(*part, levels), bounds[str(number)], frozenset())
    if not formulas:
        return given.proved(f"proved by inequalities{given.summary}")
    by = check_refutation(given, formulas, checker)
    return given.proved(f"proved, checked by {by}{given.summary}", by)


def for_bound(question: Question, goal: Better, levels: bool) -> Trails:
    """Return the formula of a bound, without the clauses that count if they are the last ones."""
    return PricedTrails(question, goal) if levels else Trails(question, goal, counted=False)


def _check_duel(given: Certificate) -> str:
    """Check the pairs or the strategy of a game, and return what they are in words."""
    if games.STRATEGY in given.files:
        text = given.text(games.STRATEGY)
        return games.check_lines(given.question, reading.lines_of(text))
    reason = given.read("reason.json")
    if "pairs" in reason:
        last_mover = given.question.convention == "last-mover"
        require(last_mover, "reason.json: pairs are for a game where the last one to play wins")
        return games.check_pairs(given.question, reason["pairs"])
    return games.check_strategy(given.question, reason["positions"])
