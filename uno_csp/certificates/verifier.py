"""Verify a uno-csp certificate: ``python verifier.py CERTIFICATE``, a folder or zip file.

A certificate proves that a question about cards has the answer NO, or that nothing is better than
its witness. This file reads the question, states the claim to refute, and trusts nothing but the
rules and facts written here and the proof checker. It needs ``reading.py`` beside it and the
standard library. ``full_verifier.py`` handles more questions.
Cards that agree in at least k attributes match. A *hub* is k attributes with their values, so two
cards match if and only if they share a hub. A card that is wild in k attributes matches all.

*Groups.* Remove t cards, so that the others split into groups that share no hub. Removing s cards
from a sequence leaves at most s + 1 pieces, and each piece lies in one group. So r sequences leave
at most r + t pieces, and no fewer than the groups (each at least 1) need in all.

*Trails.* Let r sequences play some cards. Any two neighbours share a hub; choose one for each two.
A card between two different chosen hubs is *walked* from one to the other. So each sequence is a
trail on hubs, closed or with two ends, and every played card has a *visited* hub. In the graph of
visited hubs and walked cards, a component with m *odd* hubs (with an odd number of walked cards)
has at least max(1, m / 2) trails. Put one *end* at every odd hub, and two at some hub of each other
component. Each component has an end, and there are at most 2r ends; if r = 1 there is only one.

`Trails` states all but connectedness, which the *cuts* add. Let S be a set of hubs (and of cards on
three or more hubs), one of them visited for certain. Then a card leads out of S, or S has an end. A
card leads out if r = 1 and S lacks a hub that is visited, or touches fewer cards than are played.
"""

import os
import sys

if not __package__:  # a script: files beside it come last, and compiled ones are not used
    sys.pycache_prefix, _here = os.devnull, os.path.realpath(f"{__file__}/..")
    sys.path[:] = [*(each for each in sys.path if os.path.realpath(each) != _here), _here]

import itertools
import math
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from uno_csp.certificates import reading
    from uno_csp.certificates.reading import Budget, Files, require
else:
    import reading
    from reading import Budget, Files, require

Card = tuple[Any, ...]
Clause = tuple[int, ...]
Step = tuple[Clause, int, int, int]
Run = Callable[[Path, Path, str], str]
WILD, REFUTATION = "*", ("formula.cnf", "cuts.jsonl", "proof.drat")
FILES = ("question.json", "witness.json", "reason.json", *REFUTATION)
OWN = {"uno-1": "cards", "longest": "cards", "fill-in": "cards supply costs"}
OWN |= {"cooperative": "hands", "uncooperative": "hands convention"}
EXPECTED = {"status": str, "objective": int, "bound": int, "why": str}
KINDS, COMMON = tuple(OWN), "question name comment at_least expected after"
MOST_HUBS, LEMMA = 256, re.compile("(?:d )?(?:-?[1-9][0-9]{0,8} )*0")


def card_of(card: Any, file: str = "question.json") -> Card:
    """Return a card that was read from a file."""
    require(type(card) is list and {*map(type, card)} <= {int, str}, f"{file}: {card!r}")
    return tuple(card)


def cards_of(cards: Any, file: str = "question.json") -> list[Card]:
    """Return the cards of a list that was read from a file."""
    return [card_of(card, file) for card in reading.array(cards, file)]


class Question:
    """A question read from its JSON object: the cards of each player, and the rules.

    ``cards`` are those that are not universal (wild enough to match all), ``wilds`` the number of
    the others. The first card must match ``pile``; ``counted`` are ``cards`` and the pile. Supply:
    ``offers`` with costs, costs of universal ``wild_offers``. ``partly``: some wild, not universal.
    """

    def __init__(self, data: dict[str, Any], budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self._read(data)
        everything = [*self.hand, *(self.supply or ()), *[self.after] * (self.after is not None)]
        shapes = {len(card) for card in everything}
        right = type(self.at_least) is int and 1 <= self.at_least <= min(shapes, default=math.inf)
        require(right and len(shapes) <= 1, "question.json: bad at_least, or ragged cards")
        self.cards = [card for card in self.hand if not self._universal(card)]
        self.wilds = len(self.hand) - len(self.cards)
        self.pile = None if self.after is None or self._universal(self.after) else self.after
        self.offers = [(card, cost) for card, cost in self.priced if not self._universal(card)]
        self.wild_offers = [cost for card, cost in self.priced if self._universal(card)]
        self.counted = [*self.cards, *filter(None, [self.pile])]
        self.partly = any(WILD in card and not self._universal(card) for card in everything)

    def _read(self, data: dict[str, Any]) -> None:
        self.kind, self.at_least = str(data.get("question")), data.get("at_least", 1)
        require(self.kind in KINDS, f"question.json: unknown question {self.kind!r}")
        unknown = sorted({*data} - {*f"{COMMON} {OWN[self.kind]}".split()})
        require(not unknown, f"question.json: unknown key {unknown[:1]}")
        own, known = {"name": "", "comment": "", **data}, data.get("expected", {})
        right = type(own["name"]) is type(own["comment"]) is str and type(known) is dict
        right = right and all(type(value) is EXPECTED.get(key) for key, value in known.items())
        require(right, "question.json: name, comment or expected")
        hands = data["hands"] if self.kind in KINDS[3:] else [data["cards"]]
        self.hands = [cards_of(hand) for hand in reading.array(hands, "question.json: hands")]
        self.convention = data.get("convention", "last-mover")
        self.kind = "uno-1" if (self.kind, len(hands)) == ("cooperative", 1) else self.kind
        self.hand = list(itertools.chain(*self.hands))
        self.after = card_of(data["after"]) if "after" in data else None
        self.supply = cards_of(data["supply"]) if "supply" in data else None
        costs = reading.integers(data.get("costs", [1] * len(self.supply or ())), "costs")
        require(all(0 <= cost < 2**31 for cost in costs), "question.json: costs")
        self.priced = list(zip(self.supply or (), costs, strict=True))

    def _universal(self, card: Card) -> bool:
        return bool(card.count(WILD) >= self.at_least)

    def part(self, cards: list[Card]) -> "Question":
        """Return the question whether these cards, none of them wild, can all be played."""
        own = {"at_least": self.at_least, "cards": [*map(list, cards)]}
        return Question({"question": "uno-1", **own}, self.budget)

    def match(self, one: Card, other: Card) -> bool:
        """Return True if the two cards may be neighbours."""
        agreeing = [a == b or WILD in (a, b) for a, b in zip(one, other, strict=True)]
        return bool(sum(agreeing) >= self.at_least)

    def hubs(self, card: Card, fixed: int | None = None) -> list[tuple[Clause, Card]]:
        """Return the choices of that number of attributes (``at_least``), with a card's values."""
        fixed, width = self.at_least if fixed is None else fixed, len(card)
        few = fixed in (0, width) or (width <= MOST_HUBS and math.comb(width, fixed) <= MOST_HUBS)
        require(few, f"question.json: over {MOST_HUBS} hubs a card")
        self.budget.spend(math.comb(width, fixed) * (100 + 2 * fixed))
        chosen = itertools.combinations(range(width), fixed)
        return [(at, tuple(card[i] for i in at)) for at in chosen]


class Better(NamedTuple):
    """A better answer to refute: upper bounds, except ``played``, which is a lower bound."""

    sequences: int
    added: int = 0
    cost: int | None = None
    played: int | None = None


def better(question: Question, claim: dict[str, Any]) -> Better | None:
    """Return the better answer that the certificate must refute; None if there cannot be any."""
    status, value, wilds = claim["status"], claim["objective"], question.wilds
    if status == "UNSATISFIABLE" and question.kind != "longest":
        # If all attributes must agree, an added card matches only its copies.
        alike = any(len(card) == question.at_least for card in question.hand)
        none = question.kind != "fill-in" or question.supply is not None or alike
        require(none, "claim.json: enough added cards join any hand")
        require(value is None, "claim.json: only an optimum has an objective")
        return Better(wilds + 1)
    takes = status == "OPTIMAL" and question.kind in KINDS[1:3]
    require(takes, f"claim.json: {status} needs no certificate here")
    require(type(value) is int and value >= 0, "claim.json: the objective must be a number")
    if value == (len(question.hand) if question.kind == "longest" else 0):
        return None
    if question.kind == "longest":
        return Better(wilds + 1, played=value + 1 - wilds)
    added = Better(wilds + value, added=value - 1)
    return added if question.supply is None else Better(wilds + 1, cost=value - 1)


class Clauses:
    """Clauses over the variables 1, 2, ...; a literal is a variable or its negation."""

    def __init__(self, budget: Budget) -> None:
        self.budget, self.variables, self.clauses = budget, 0, list[Clause]()
        self.sums: list[tuple[Sequence[tuple[int, int]], int]] = []

    def new(self) -> int:
        """Return a new variable."""
        require(self.variables < 4_000_000, "the formula has over 4,000,000 variables")
        self.variables += 1
        return self.variables

    def at_most(self, terms: Sequence[tuple[int, int]], most: int) -> None:
        """Bound a weighted sum by ``most``."""
        self.sums.append((terms, most))
        self.clauses += [()] if most < 0 else [clause for clause, *_ in self.steps(terms, most)]

    def steps(self, terms: Sequence[tuple[int, int]], most: int) -> Iterator[Step]:
        """Yield clauses on the partial sums reached, with the term, the sum before and after."""
        reached, left = dict[int, int](), sum(weight for weight, _ in terms)
        for number, (weight, literal) in enumerate(terms):
            left -= weight
            sums = {0: 0, **reached}
            self.budget.spend(100 * len(sums))
            # A partial sum that can no longer exceed the bound needs no variable.
            after = sorted({total + more for total in sums for more in (0, weight)} - {0})
            require(len(after) <= 1 << 16, "question.json: costs with too many sums")
            reached = {total: self.new() for total in after if most - left < total <= most}
            for total, var in sums.items():
                for new, chosen in ((total, ()), (total + weight, (-literal,))):
                    because = (-var, *chosen) if var else chosen
                    then = (reached[new],) if new in reached else ()
                    if then or new > most:
                        yield (*because, *then), number, total, new


class Trails(Clauses):
    """The fact *Trails* in clauses.

    Per card (hand, supply, then the pile): ``at`` are its hubs; ``walked`` maps a hub to the
    literal of being walked to it (the same for both of two); ``played``: cards that may be left
    out; ``used``: offers; ``stars``: the pile and cards on 3 or more hubs; ``closed``: two ends.
    """

    def __init__(self, question: Question, goal: Better) -> None:
        super().__init__(question.budget)
        self.question, self.goal, self.held = question, goal, (held := len(question.cards))
        number: dict[Any, int] = {}
        drawn = [*question.cards, *(card for card, _ in question.offers), *question.counted[held:]]
        at = [[number.setdefault(hub, len(number)) for hub in hubs] for hubs in self._hubs(drawn)]
        self.at = [tuple(hubs) for hubs in at]
        self.budget.spend(400 * (size := sum(map(len, at))))
        self.size = size
        self.names, self.free = list(number), self.at
        self.pile = None if question.pile is None else len(self.at) - 1
        self.stars = {i for i, at in enumerate(self.at) if len(at) > 2 or i == self.pile}
        self.visited = [self.new() for _ in number]
        self.played, self.near = list[int](), [list[tuple[int, int]]() for _ in number]
        self.walked = [self._walk(card, at) for card, at in enumerate(self.at)]
        self.odd = self._odd()
        self.joins = goal.sequences > 1 or bool(question.wild_offers)
        self.closed = [self.new() for _ in number] if self.joins else []
        self.clauses += [(-two, one) for two, one in zip(self.closed, self.visited, strict=False)]
        self._count()

    def _hubs(self, cards: Sequence[Card]) -> list[list[Any]]:
        """Return the hubs of each card, at least one; cards that match share one."""
        plain = not self.question.partly and self.question.kind in KINDS[:3]
        require(plain, "question.json: this needs full_verifier.py")
        return [self.question.hubs(card) for card in cards]

    def _walk(self, card: int, at: Clause) -> dict[int, int]:
        """A played card has a visited hub, a walked card two; the pile is walked to one hub."""
        played: Clause = ()
        if self.goal.played is not None and card != self.pile:
            self.played.append(self.new())
            played = (-self.played[-1],)
        if card < self.held:
            self.clauses.append((*played, *(self.visited[hub] for hub in at)))
        if len(at) < 2 and card != self.pile:
            return {}
        alone = card in self.stars
        walked = {hub: self.new() for hub in at} if alone else dict.fromkeys(at, self.new())
        ends = list(walked.values())
        for hub, literal in walked.items():
            self.near[hub].append((card, literal))
            self.clauses.append((-literal, self.visited[hub]))
            self.clauses += [(-literal, -no) for no in played]
            if alone and card != self.pile:
                self.clauses.append((-literal, *(end for end in ends if end != literal)))
        if alone:
            self.at_most([(1, end) for end in ends], 1 if card == self.pile else 2)
        self.clauses += [tuple(ends)] if card == self.pile else []
        return walked

    def _odd(self) -> dict[int, int]:
        """Return for each hub the parity of its walked cards, pile included, by a chain of XORs."""
        odd: dict[int, int] = {}
        for hub, near in enumerate(self.near):
            for _, b in near:
                if hub in odd:
                    a, c = odd[hub], self.new()
                    self.clauses += [(-a, -b, -c), (-a, b, c), (a, -b, c), (a, b, -c)]
                odd[hub] = c if hub in odd else b
        return odd

    def _count(self) -> None:
        """Bound the number of ends, the costs, and the number of cards not played."""
        question, goal = self.question, self.goal
        self.used = [self.new() for _ in question.wild_offers]
        ends = [(1, odd) for odd in self.odd.values()]
        ends += [(2, two) for two in (*self.closed, *(-offer for offer in self.used))]
        self.at_most(ends, 2 * (goal.sequences + len(self.used)) - (self.pile is not None))
        if goal.cost is not None:
            costs = [*question.wild_offers, *(cost for _, cost in question.offers)]
            for ways in self.walked[self.held : self.held + len(question.offers)]:
                self.used.append(self.new() if len(ways) > 2 else max(ways.values(), default=0))
                self.clauses += [(-lit, self.used[-1]) for lit in ways.values() if len(ways) > 2]
            terms = zip(costs, self.used, strict=True)
            self.at_most([(cost, used) for cost, used in terms if cost and used], goal.cost)
        if goal.played is not None:
            self.at_most([(1, -literal) for literal in self.played], self.held - goal.played)

    def around(self, data: dict[str, Any]) -> tuple[set[int], list[int], set[int]]:
        """Return the hubs of a cut, literals that void it, and those of the cards that lead out."""
        hubs, stars = ({*reading.integers(data.get(key, []), key)} for key in ("hubs", "cards"))
        require(all(hub in range(len(self.visited)) for hub in hubs), "it names an unknown hub")
        require(stars <= self.stars, "it names a card that is not on three or more hubs")
        size = sum(len(self.near[hub]) for hub in hubs) + sum(len(self.at[card]) for card in stars)
        self.budget.spend(10 * (size + self.size * (not self.joins)))
        excuses = self._occupied(self.occupant(data["inside"]), (hubs, stars), True)
        if not self.joins:
            outside, need = self.occupant(data["outside"]), self.goal.played or 0
            if sum(not hubs.isdisjoint(at) for at in self.at[: need and self.held]) >= need:
                excuses += self._occupied(outside, (hubs, stars), False)
        crossing: set[int] = set()
        for card, literal in itertools.chain(*(self.near[hub] for hub in hubs)):
            crossing ^= {literal} if card not in stars else set()
        for card in stars:
            crossing.update(lit for hub, lit in self.walked[card].items() if hub not in hubs)
        return hubs, excuses, crossing

    def cut(self, data: dict[str, Any]) -> Clause:
        """Return the clause of a cut, by the fact *Trails*; raise Refused if it does not hold."""
        hubs, excuses, crossing = self.around(data)
        ends = [self.odd[hub] for hub in hubs if hub in self.odd] if self.joins else []
        ends += [self.closed[hub] for hub in hubs] if self.joins else []
        return tuple(sorted({*excuses, *crossing, *ends}))

    def occupant(self, why: dict[str, Any]) -> tuple[str, int]:
        """Return whether a hub or a card shows that a side is visited, and its number."""
        kind = "hub" if "hub" in why else "card"
        return kind, reading.place(why[kind], len((self.visited, self.at)[kind == "card"]), kind)

    def _occupied(self, by: tuple[str, int], cut: Sequence[set[int]], within: bool) -> list[int]:
        """Return literals of which one is true if no hub on that side is visited."""
        side, (kind, card) = "inside" if within else "outside", by
        if kind == "hub":
            require((card in cut[0]) == within, f"hub {card} is not {side}")
            return [-self.visited[card]]
        require(card < self.held or card == self.pile, f"card {card} need not be played")
        walks = self.free[card] == self.at[card] or (card in cut[1]) == within
        lies = walks and all((hub in cut[0]) == within for hub in self.free[card])
        require(lies, f"card {card} does not lie {side}")
        return [-self.played[card]] if self.played and card != self.pile else []


def check_groups(question: Question, goal: Better, reason: Any) -> list[tuple[Question, Better]]:
    """Check the fact *Groups*, and return what is left to refute: the needs above 1."""
    plain = question.supply is None and goal.played is None and not question.partly
    require(plain, "reason.json: groups do not apply to a supply, cards left out, or partly wild")
    groups = reading.array(reason["groups"], "reason.json: groups")
    removed, *groups = (
        reading.integers(each, "reason.json") for each in (reason["removed"], *groups)
    )
    once = sorted(itertools.chain(removed, *groups)) == list(range(len(question.counted)))
    require(once and all(groups), "reason.json: not every card once, or an empty group")
    owner: dict[Any, int] = {}
    for number, group in enumerate(groups):
        for hub in itertools.chain(*(question.hubs(question.counted[i]) for i in group)):
            same = owner.setdefault(hub, number) == number
            require(same, f"reason.json: hub {hub} of group {number} is in another group too")
    needs = reading.integers(reason.get("needs", [1] * len(groups)), "reason.json: needs")
    require(all(need > 0 for need in needs), "reason.json: bad needs")
    needed = sum(needs) - len(removed)
    require(needed > goal.sequences, f"reason.json: it proves a need of {needed} sequences only")
    parts = [([question.counted[i] for i in at], n) for at, n in zip(groups, needs, strict=True)]
    return [(question.part(hand), Better(need - 1)) for hand, need in parts if need > 1]


def check_witness(question: Question, claim: dict[str, Any], witness: dict[str, Any]) -> None:
    """Check that the sequence obeys the rules and has the objective of the claim."""
    given = (witness["sequence"], witness.get("added", []))
    sequence, added = (cards_of(cards, "witness.json") for cards in given)
    before = [] if question.after is None else [question.after]
    for step, (one, other) in enumerate(itertools.pairwise([*before, *sequence]), 2 - len(before)):
        require(question.match(one, other), f"witness.json: step {step} does not match")
    held = Counter(question.hand) + Counter(added)
    some, every = not added and Counter(sequence) <= held, Counter(sequence) == held
    require(some if question.kind == "longest" else every, "witness.json: other cards than held")
    value = len(sequence if question.kind == "longest" else added)
    if question.supply is None:
        shaped = all(WILD not in card and len(card) == len(question.hand[0]) for card in added)
        require(shaped, "witness.json: a card that may not be added")
    else:
        prices: defaultdict[Card, list[int]] = defaultdict(list)
        for card, cost in sorted(question.priced, key=lambda offer: -offer[1]):
            prices[card].append(cost)
        enough = all(n <= len(prices[card]) for card, n in Counter(added).items())
        require(enough, "witness.json: cards that are not in the supply")
        value = sum(prices[card].pop() for card in added)
    require(value == claim["objective"], f"witness.json: its value is {value}")


def check_refutation(given: Files, formulas: list[Any], checker: str, run: Run) -> str:
    """Check that the formulas are the question's, all cuts hold, and all are unsatisfiable."""
    require({*REFUTATION} <= {*given.files}, f"claim.json: it needs {', '.join(REFUTATION)}")
    for number, line in enumerate(reading.lines_of(given.text("cuts.jsonl")), 1):
        try:
            cut = reading.loads(line, given.budget)
            formula = formulas[cut.get("part", 0)]
            formula.clauses.append(formula.cut(cut))
        except reading.Exceeded:
            raise
        except (reading.Refused, LookupError, TypeError, ValueError, AttributeError) as error:
            raise reading.Refused(f"cuts.jsonl: line {number}: not a cut: {error}") from None
    found, stated = given.text("formula.cnf"), joined(formulas)
    if found != stated:
        both = itertools.zip_longest(stated.split("\n"), found.split("\n"))
        number, (own, other) = next(each for each in enumerate(both, 1) if len({*each[1]}) > 1)
        raise reading.Refused(f"formula.cnf: line {number}: {other!r}, not {own!r}")
    lines = reading.lines_of(given.text("proof.drat"))
    require("0" in lines, "proof.drat: no empty clause")
    variables = int(stated[:40].split()[2]) + len(lines)  # a proof may have variables of its own
    for number, line in enumerate(lines, 1):
        known = LEMMA.fullmatch(line) and all(
            abs(int(word)) <= variables for word in line.removeprefix("d ").split(" ")
        )
        require(known, f"proof.drat: line {number}: not a clause of variables 1 to {variables}")
    with tempfile.TemporaryDirectory() as folder:
        given.write(Path(folder), ("formula.cnf", "proof.drat"))
        return run(Path(folder) / "formula.cnf", Path(folder) / "proof.drat", checker)


def joined(formulas: Sequence[Clauses]) -> str:
    """Return the disjunction of the formulas in DIMACS; the last variables select one of them."""
    several, shift = len(formulas) > 1, 0
    total = sum(formula.variables for formula in formulas)
    lines = [" ".join(map(str, [*range(total + 1, total + 1 + len(formulas)), 0]))] * several
    for number, formula in enumerate(formulas, total + 1):
        for clause in formula.clauses:
            moved = [lit + shift if lit > 0 else lit - shift for lit in clause]
            lines.append(" ".join(map(str, [*moved, *[-number] * several, 0])))
        shift += formula.variables
    return "\n".join([f"p cnf {total + len(formulas) * several} {len(lines)}", *lines, ""])


def run_checker(formula: Path, proof: Path, checker: str) -> str:
    """Run an external proof checker and return its name."""
    checker = checker.replace("auto", "drat-trim" if shutil.which("drat-trim") else "dratify")
    try:
        if checker == "drat-trim":
            run = subprocess.run([checker, formula, proof], capture_output=True, check=False)
            accepted = b"s VERIFIED" in run.stdout.splitlines()
        elif checker != "dratify":
            raise reading.NoChecker(f"there is no proof checker {checker!r}")
        else:
            import dratify

            with suppress(ImportError):
                import cdclkit  # noqa: F401  # a faster engine for dratify
            clauses = dratify.parse_dimacs(formula.read_text("utf-8"))
            sound = ({"check_rat": False}, {"apply_deletions": False})  # RAT + deletions: unsound
            lines = proof.read_text("utf-8")
            accepted = any(dratify.check_proof(clauses, lines, **by).ok for by in sound)
    except (ImportError, FileNotFoundError):
        raise reading.NoChecker(
            f'{checker} is not installed: pip install "uno-csp[proofs]"'
        ) from None
    except ValueError as error:
        raise reading.Refused(f"proof.drat: {error}") from None
    require(accepted, f"proof.drat: {checker} does not accept it as a proof of formula.cnf")
    return checker


class Certificate(Files):
    """A certificate about a question; ``parts`` are questions with the goals to refute."""

    def __init__(self, path: Path, allowed: tuple[str, ...] = FILES) -> None:
        super().__init__(path, allowed)
        self.question = question = Question(self.read("question.json"), self.budget)
        goal = better(question, self.claim)
        if self.claim["status"] == "OPTIMAL":
            check_witness(self.question, self.claim, self.read("witness.json"))
        self.parts = [] if goal is None else [(self.question, goal)]
        self.summary = "" if self.parts else ": nothing can be better than the witness"
        if goal and question.kind in KINDS[:3] and "reason.json" in self.files:
            self.parts = check_groups(question, goal, reason := self.read("reason.json"))
            left = f"without {len(reason['removed'])} of them " if reason["removed"] else ""
            own = " not wild" * bool(question.wilds) + " and the pile" * bool(question.pile)
            self.summary = f": {left}the cards{own} fall into {len(reason['groups'])} groups"


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate; return the result in words and the proof checker, if one was used."""
    given = Certificate(path)
    if not given.parts:
        return f"proved{given.summary}", None
    more = given.claim.get("strict") or given.claim.get("levels")
    require(not more, "claim.json: this needs full_verifier.py")
    formulas = [Trails(*part) for part in given.parts]
    checked_by = check_refutation(given, formulas, checker, run_checker)
    return f"proved, checked by {checked_by}{given.summary}", checked_by


if __name__ == "__main__":
    reading.main(verify)
