"""Verify a certificate of any kind: ``python full_verifier.py CERTIFICATE``, a folder or zip file.

It needs ``reading.py``, ``verifier.py``, ``game_verifier.py`` and the standard library, and adds:

*Partly wild cards.* A card that is wild in some attributes is on every hub of the others that it
agrees with, and two such cards that match have a hub of their own: cards that match share a hub.

*Prices.* At most D - k attributes change at a time, so cards that differ in d of them have a
distance of ceil(d / (D - k)) - 1 or more added cards. A hub of level j fixes max(0, D - (j + 1)
(D - k)) attributes, so cards at distance j share one. Take wild and added cards out of the
sequence, and let neighbours choose a hub of the level of their distance. Then half the levels of
all ends of walked cards add up to the number of added cards, or less. The first card is walked from
a hub of level 0, and a card with the same hub before and after it uses two copies of that hub.

*Unrolling.* A strict certificate has no cuts. Instead, the formula states connectedness: every
visited hub is reached from an end, or from one root hub, within a bounded number of steps, and
there is a layer of variables for each step.

*Bounds.* Read clauses and sums as linear inequalities over 0-1 variables. If a combination of them
with positive multipliers cannot be satisfied, the formula has no solution. There are two more kinds
of rows. At a hub, parity forbids that an odd number of its cards are walked, no other card is, and
the hub is not odd. Around a set of hubs, the number of cards that lead out plus the number of odd
hubs inside is even. So where a cut requires one of them, there are two, or two ends at one hub.
"""

import os
import sys

if not __package__:  # a script: files beside it come last, and compiled ones are not used
    sys.pycache_prefix, _here = os.devnull, os.path.realpath(f"{__file__}/..")
    sys.path[:] = [*(each for each in sys.path if os.path.realpath(each) != _here), _here]

import itertools
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from uno_csp.certificates import game_verifier, reading, verifier
else:
    import game_verifier
    import reading
    import verifier

CHECKERS: tuple[str, ...] = (*reading.CHECKERS, "drup", "acl2")
BOUND = "bound.json"
FILES = (*verifier.FILES, BOUND, game_verifier.STRATEGY)

MOST_PASSED = 4_000_000
"""Maximum number of card-hub pairs times steps in a strict formula."""

require = reading.require


class Certificate(verifier.Certificate):
    """A certificate of any kind."""

    def __init__(self, path: Path, allowed: tuple[str, ...] = FILES) -> None:
        super().__init__(path, allowed)
        game_verifier.require_game(self.question)

    def proved(self, words: str, checked_by: str | None = None) -> tuple[str, str | None]:
        """Return the result with the question, the claim and what is trusted, and the checker."""
        question, value = self.question, self.claim["objective"]
        sizes = " + ".join(str(len(hand)) for hand in question.hands)
        width = max(map(len, question.hand), default=0)
        cards = counted(sizes, "card")
        facts = [f"{question.kind}, {cards}, {question.at_least} of {width} attributes agree"]
        facts += [] if question.after is None else [f"after {list(question.after)!a}"]
        facts += (
            []
            if question.supply is None
            else [f"a supply of {counted(len(question.supply), 'card')}"]
        )
        lines = [
            words,
            f"question: {', '.join(facts)}",
            f"SHA-256 of question.json: {self.files['question.json']}",
            f"claim: {self.claim['status']}{'' if value is None else f', objective {value}'}",
            f"believed: the rules and facts the verifier states{and_checker(checked_by)}",
        ]
        return "\n".join(lines), checked_by


def and_checker(checker: str | None) -> str:
    """Return the proof checker as a part of what is believed, with the file that was run."""
    if checker is None:
        return ""
    file = shutil.which(checker) or getattr(sys.modules.get(checker), "__file__", None)
    return f", and {checker}{'' if file is None else f' ({file})'}"


def counted(number: object, thing: str) -> str:
    """Return a number with its noun, in the plural if it is not 1."""
    return f"{number} {thing}{'' if str(number) == '1' else 's'}"


class Layer(NamedTuple):
    """Variables of a step of a strict formula: of hubs, of cards, and twice of cards with hubs."""

    near: list[int]
    passed: dict[int, int]
    through: dict[tuple[int, int], int]
    onward: dict[tuple[int, int], int]


class Trails(verifier.Trails):
    """The fact *Trails*, also for partly wild cards; connected by cuts, or if it is unrolled."""

    unrolled = False

    def unroll(self) -> None:
        """Add clauses for connectedness."""
        self.unrolled = True
        size = len(self.visited) * sum(map(len, self.at))
        require(size <= MOST_PASSED, f"strict: {size} card-hub pairs by step, over {MOST_PASSED}")
        self.budget.spend(200 * size)
        near = [self.new() for _ in self.visited]
        if self.joins:
            for hub, literal in enumerate(near):
                ends = [self.odd[hub]] if hub in self.odd else []
                self.clauses.append((-literal, *ends, self.closed[hub]))
        else:
            self.at_most([(1, literal) for literal in near], 1)
        self.layers: list[Layer] = []
        for _ in near[1:]:
            near = self._one_step_on(near)
        self.layers.append(Layer(near, {}, {}, {}))
        self.clauses += [(-hub, one) for hub, one in zip(self.visited, near, strict=True)]

    def _one_step_on(self, near: list[int]) -> list[int]:
        """Return the layer of hubs that are in ``near`` or one walked card away from it."""
        reached: list[list[int]] = [[] for _ in near]
        layer = Layer(near, {}, {}, {})
        for card, walked in enumerate(self.walked):
            if card == self.pile:
                continue
            layer.passed[card] = passed = self.new()
            ways = {(card, hub): self._both(lit, near[hub]) for hub, lit in walked.items()}
            layer.through.update(ways)
            self.clauses.append((-passed, *ways.values()))
            for hub, literal in walked.items():
                layer.onward[card, hub] = self._both(literal, passed)
                reached[hub].append(layer.onward[card, hub])
        self.layers.append(layer)
        now = [self.new() for _ in near]
        rows = zip(now, near, reached, strict=True)
        self.clauses += [(-one, before, *ways) for one, before, ways in rows]
        return now

    def _both(self, one: int, other: int) -> int:
        both = self.new()
        self.clauses += [(-both, one), (-both, other)]
        return both

    def cut(self, data: dict[str, Any]) -> verifier.Clause:
        """Return the clause of a cut; raise Refused if there is none."""
        require(not self.unrolled, "a strict certificate has no cuts")
        return super().cut(data)

    def row(self, kind: str, *which: Any) -> tuple[list[tuple[int, int]], int]:
        """Return a row at a hub or around a set of hubs."""
        if kind == "parity":
            hub = reading.place(which[0], len(self.near), "hub")
            near, walked = self.near[hub], {*reading.integers(which[1], "parity")}
            right = len(walked) % 2 == 1 and walked <= {card for card, _ in near}
            require(right, f"hub {hub}: not an odd number of its cards")
            terms = [(1, -literal if card in walked else literal) for card, literal in near]
            return [*terms, (1, self.odd[hub])], 1
        require(kind == "around", f"{kind!r} is not a row")
        hubs, excuses, crossing = self.around(which[0])
        require(self.pile not in which[0].get("cards", ()), "the card on the pile has one end")
        terms = [(2, literal) for literal in excuses]
        terms += [(1, literal) for literal in crossing]
        terms += [(1, self.odd[hub]) for hub in hubs if hub in self.odd]
        return [*terms, *((2, self.closed[hub]) for hub in hubs if self.joins)], 2

    def _hubs(self, cards: Sequence[verifier.Card]) -> list[list[Any]]:
        at = self._lie(cards, self.question.at_least)
        for pair in self._wild_pairs(cards):
            if self.question.match(*(cards[i] for i in pair)):
                for i in pair:
                    at[i].append(pair)
        return [own or [(i,)] for i, own in enumerate(at)]

    def _lie(self, cards: Sequence[verifier.Card], fixed: int) -> list[list[Any]]:
        """Return the hubs of each card; a wild card is on those of others that it agrees with."""
        hubs, wild = self.question.hubs, [verifier.WILD in card for card in cards]
        at: list[list[Any]] = [
            [] if is_wild else hubs(card, fixed) for card, is_wild in zip(cards, wild, strict=True)
        ]
        known = [*dict.fromkeys(itertools.chain(*at))]
        self.budget.spend(20 * sum(wild) * len(known))
        for card, own in zip(cards, at, strict=True):
            if verifier.WILD in card:
                own += [hub for hub in known if _agrees(card, hub)]
        return at

    def _wild_pairs(self, cards: Sequence[verifier.Card]) -> Iterable[tuple[int, int]]:
        """Return the pairs of cards with wild attributes; a hub of their own has such a name."""
        wild = [i for i, card in enumerate(cards) if verifier.WILD in card]
        self.budget.spend(20 * len(wild) ** 2)
        return itertools.combinations(wild, 2)


def _agrees(card: verifier.Card, hub: tuple[tuple[int, ...], verifier.Card]) -> bool:
    return all(card[i] in (verifier.WILD, value) for i, value in zip(*hub, strict=True))


class UncountedTrails(Trails):
    """The formula of plain trails without the clauses that count, which no bound uses.

    They are the last ones, so the others have the numbers that they have in the formula. For many
    hubs there are hundreds of times as many as others.
    """

    _counting = False

    def _count(self) -> None:
        self._counting = True
        super()._count()
        self._counting = False

    def at_most(self, terms: Sequence[tuple[int, int]], most: int) -> None:
        """Store a sum; write its clauses unless it is one of the last."""
        if self._counting:
            self.sums.append((terms, most))
        else:
            super().at_most(terms, most)


class PricedTrails(Trails):
    """The fact *Prices*: hubs of all levels, those above 0 twice, and what their ends cost."""

    def __init__(self, question: verifier.Question, goal: verifier.Better) -> None:
        require(far(question, goal), "levels: one added card joins any two, or none does")
        self.step: int = len(question.hand[0]) - question.at_least
        require(self.step > 0, "claim.json: no levels where all attributes must agree")
        super().__init__(question, goal._replace(sequences=question.wilds + 1))
        self.free = [tuple(hub for hub in at if not self.prices[hub]) for at in self.at]
        for card, at in enumerate(self.at[: self.held]):
            paid = [self.walked[card][hub] for hub in at if self.prices[hub]]
            self.clauses.append((*(self.visited[hub] for hub in self.free[card]), *paid))

    def _hubs(self, cards: Sequence[verifier.Card]) -> list[list[Any]]:
        at = super()._hubs(cards)
        width = len(cards[0])
        for level in range(1, -(-width // self.step)):
            fixed = max(0, width - (level + 1) * self.step)
            for own, more in zip(at, self._lie(cards, fixed), strict=True):
                own += [(level, copy, hub) for hub in more for copy in (1, 2)]
            for pair in self._wild_pairs(cards) if fixed else ():
                if self._distance(*(cards[i] for i in pair)) == level:
                    for i in pair:
                        at[i] += [(level, copy, pair) for copy in (1, 2)]
        several = Counter(itertools.chain(*at))
        return [[hub for hub in own if len(hub) < 3 or several[hub] > 1] for own in at]

    def _distance(self, one: verifier.Card, other: verifier.Card) -> int:
        """Return how many added cards it takes to join two."""
        pairs = zip(one, other, strict=True)
        differ = [a != b and verifier.WILD not in (a, b) for a, b in pairs].count(True)
        return max(0, -(-differ // self.step) - 1)

    def _count(self) -> None:
        super()._count()
        # Twice the number of added cards that an end at a hub stands for.
        self.prices = [int(name[0]) if len(name) == 3 else 0 for name in self.names]
        ends = ((self.prices[hub], lit) for walked in self.walked for hub, lit in walked.items())
        self.at_most([(price, lit) for price, lit in ends if price], 2 * self.goal.added)


def far(question: verifier.Question, goal: verifier.Better) -> bool:
    """Return True if cards may be added, and joining two may take several of them."""
    return bool(goal.added) and any(2 * question.at_least > len(card) for card in question.hand)


def row(stated: Any, cut: list[Any]) -> tuple[list[tuple[int, int]], int]:
    """Return a row of a bound: weighted literals, and the lower bound of their sum.

    Rows of clauses and sums are those of any formula; a formula has a method for its own.
    """
    kind, *which = cut
    if kind == "clause":
        clause = stated.clauses[reading.place(which[0], len(stated.clauses), "clause")]
        return [(1, literal) for literal in clause], 1
    if kind == "sum":
        terms, most = stated.sums[reading.place(which[0], len(stated.sums), "sum")]
        return [(-weight, literal) for weight, literal in terms], -most
    found: tuple[list[tuple[int, int]], int] = stated.row(kind, *which)
    return found


def excess(stated: Any, rows: Iterable[tuple[int, list[Any]]], true: Collection[int] = ()) -> int:
    """Return by how much the required sum of multiplied rows exceeds its maximum.

    The literals in ``true`` are assumed; a positive result is a contradiction.
    """
    total: defaultdict[int, int] = defaultdict(int)
    missing = 0
    for times, cut in rows:
        require(type(times) is int and times > 0, f"{times!r} is not the multiplier of a row")
        terms, least = row(stated, cut)
        stated.budget.spend((10 + len(terms)) * (20 + times.bit_length() // 20))
        missing += times * least
        for weight, literal in terms:
            missing -= times * weight * (literal < 0)
            total[abs(literal)] += times * weight * (1 if literal > 0 else -1)
    for variable, weight in total.items():
        may_be = -variable not in true if weight > 0 else variable in true
        missing -= weight * may_be
    return missing


def check_bound(stated: Any, bound: dict[str, Any], true: frozenset[int]) -> int:
    """Check the fact *Bounds* in every case of a tree of literals; return the number of cases."""
    if "literal" not in bound:
        require(excess(stated, bound["rows"], true) > 0, "the rows do not contradict each other")
        return 1
    literal = bound["literal"]
    require(type(literal) is int and literal, f"{literal!r} is not a literal")
    cases = check_bound(stated, bound["true"], true | {literal})
    return cases + check_bound(stated, bound["false"], true | {-literal})


def formula(
    question: verifier.Question, goal: verifier.Better, strict: bool, levels: bool = False
) -> verifier.Clauses:
    """Return the formula that every better answer satisfies."""
    if len(question.hands) > 1:
        return game_verifier.Timetable(question)
    stated = (PricedTrails if levels else Trails)(question, goal)
    if strict:
        stated.unroll()
    return stated


def run_checker(formula: Path, proof: Path, checker: str) -> str:
    """Run a proof checker as :func:`verifier.run_checker` does, or one that is itself verified.

    The core of ``drup`` is verified in Why3; the checker in ACL2 reads a proof in LRAT.
    """
    run = {"drup": _run_drup, "acl2": _run_acl2}.get(checker)
    return verifier.run_checker(formula, proof, checker) if run is None else run(formula, proof)


def _run_acl2(formula: Path, proof: Path) -> str:
    if shutil.which("acl2") is None:
        raise reading.NoChecker("acl2 is not installed: apt install acl2 acl2-books")
    if TYPE_CHECKING or __package__:
        from uno_csp.certificates import elaboration
    else:
        import elaboration
    lrat = proof.with_suffix(".lrat")
    try:
        lrat.write_text(elaboration.lrat(formula.read_text("utf-8"), proof.read_text("utf-8")))
    except elaboration.NotElaborated as error:
        raise reading.NoChecker(
            f"acl2 reads LRAT, to which the proof is not converted: {error}"
        ) from None
    program = f"""(include-book "projects/sat/lrat/list-based/run" :dir :system)
        (lrat::lrat-check "{formula}" "{lrat}")"""
    run = subprocess.run(["acl2"], input=program, capture_output=True, text=True, check=False)
    require("s VERIFIED" in run.stdout, "proof.drat: acl2 does not accept it")
    return "acl2"


def _run_drup(formula: Path, proof: Path) -> str:
    try:
        from drup import Outcome, check_proof
    except ImportError:
        raise reading.NoChecker('drup is not installed: pip install "uno-csp[proofs]"') from None
    # Its own reader takes "0" for a part of the next line. To leave out deletions is sound.
    texts = (path.read_text("utf-8").splitlines() for path in (formula, proof))
    clauses, lemmas = (
        [[*map(int, line.split()[:-1])] for line in lines if line[0] not in "pd"] for lines in texts
    )
    found = check_proof(clauses, list(itertools.takewhile(bool, lemmas)))
    require(found.outcome == Outcome.VALID, "proof.drat: drup does not accept it as a proof")
    return "drup"


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate of any kind in a folder or zip file, as :func:`verifier.verify` does.

    Further lines of the result say what was proved and what is trusted.
    """
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
        try:
            check_bound(for_bound(*part, levels), bounds[str(number)], frozenset())
        except reading.Exceeded:
            raise
        except (reading.Refused, LookupError, TypeError, ValueError) as error:
            raise reading.Refused(f"bound.json: part {number}: {error}") from None
    if not formulas:
        return given.proved(f"proved by inequalities{given.summary}")
    by = verifier.check_refutation(given, formulas, checker, run_checker)
    return given.proved(f"proved, checked by {by}{given.summary}", by)


def for_bound(question: verifier.Question, goal: verifier.Better, levels: bool) -> Trails:
    """Return the formula of a bound, without the clauses that count if they are the last ones."""
    if levels:
        return PricedTrails(question, goal)
    return (UncountedTrails if goal.cost is None else Trails)(question, goal)


def _check_duel(given: Certificate) -> str:
    """Check the pairs or the strategy of a game, and return what they are in words."""
    if game_verifier.STRATEGY in given.files:
        text = given.text(game_verifier.STRATEGY)
        return game_verifier.check_lines(given.question, reading.lines_of(text))
    reason = given.read("reason.json")
    if "pairs" in reason:
        return game_verifier.check_pairs(given.question, reason["pairs"])
    return game_verifier.check_strategy(given.question, reason["positions"])


if __name__ == "__main__":
    reading.main(verify, CHECKERS)
