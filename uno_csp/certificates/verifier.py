"""Check a certificate of uno-csp: ``python verifier.py FOLDER``. Needs Python's own library only.

A certificate shows that a question about a hand of cards has the answer NO, or that nothing better
than its witness exists. This file reads the question, states by itself what has to be refuted, and
believes nothing else in the folder. What it believes is written here: the rules of the game, the
two facts below, and for a refutation an outside program that checks the proof.

Cards that agree in at least k attributes match. A *hub* is k attributes with their values, so two
cards match if and only if they share a hub. A card that is wild in k attributes matches all.

*Groups.* Take t cards out of a hand, and let the others fall into c groups that share no hub. Of
the sequences that play all cards each one that is in p groups needs p - 1 of the t cards to pass
from one to the next, so there are at least c - t sequences.

*Trails.* Let r sequences play some cards. Where two cards are neighbours they share a hub; name one
for each such place. A card between two different hubs is *walked* from the one to the other. So a
sequence is a trail on hubs, and has two ends or is closed, and every card that is played has a hub
that is *visited*. In the graph of visited hubs and walked cards let a component have m hubs with an
odd number of walked cards. It consists of at least max(1, m / 2) trails. So, with an *end* at every
odd hub and two at some hub of a component without any, there are at most 2 r ends, and every
component has one. With r = 1 there is one component.

The formula says that, but for what it says of components, which *cuts* do: for a set S of hubs (and
of cards on three hubs and more) that surely has a visited hub, some card leads out of S or some end
is in S; with r = 1, if there is surely one outside too, some card leads out of S.
"""

import argparse
import hashlib
import itertools
import json
import math
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

WILD = "*"
Card = tuple[Any, ...]
CLAIM = "claim.json"
FILES = ("question.json", "witness.json", "reason.json", "formula.cnf", "cuts.jsonl", "proof.drat")
CHECKERS = ("auto", "drat-trim", "dratify", "drup")
MOST_HUBS = 256
ONE_HAND = ("uno-1", "longest", "fill-in")


class Refused(Exception):
    """The certificate does not show what it claims."""


class NoChecker(Exception):
    """There is no program here that checks proofs."""


def require(holds: bool, message: str) -> None:
    """Refuse the certificate unless something holds."""
    if not holds:
        raise Refused(message)


class Question:
    """A question about one hand, from its JSON object.

    Attributes
    ----------
    cards, wilds
        The cards of the hand that are not wild, and the number of those that are.
    pile
        The card that the first one has to match; None if any may come first.
    offers, wild_offers
        Cards that may be added, with their costs, and the costs of wild ones; None if any may.
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self.kind = told.get("question")
        require(self.kind in ONE_HAND, f"question.json: {self.kind!r} is no question known here")
        self.at_least = told.get("at_least", 1)
        self.hand = [self._card(card) for card in told["cards"]]
        self.after = None if told.get("after") is None else self._card(told["after"])
        supply = told.get("supply") if self.kind == "fill-in" else None
        self.supply = None if supply is None else [self._card(card) for card in supply]
        costs = told.get("costs") or [1] * len(self.supply or ())
        right = all(type(cost) is int and cost >= 0 for cost in costs)
        require(right and len(costs) == len(self.supply or ()), "question.json: costs")
        self.priced = list(zip(self.supply or (), costs, strict=True))
        everything = [*self.hand, *(self.supply or ()), *([self.after] if self.after else [])]
        require(len({len(card) for card in everything}) <= 1, "question.json: ragged cards")
        self.cards = [card for card in self.hand if not self._universal(card)]
        self.wilds = len(self.hand) - len(self.cards)
        self.pile = None if self.after is None or self._universal(self.after) else self.after
        self.offers = [(card, cost) for card, cost in self.priced if not self._universal(card)]
        self.wild_offers = [cost for card, cost in self.priced if self._universal(card)]
        for card in [*self.cards, *(card for card, _ in self.offers), *filter(None, [self.pile])]:
            require(WILD not in card, f"question.json: {list(card)} is wild, yet not to all cards")
            require(1 <= self.at_least <= len(card), "question.json: at_least")
            few = math.comb(len(card), self.at_least) <= MOST_HUBS
            require(few, f"question.json: cards are on more than {MOST_HUBS} hubs")

    @staticmethod
    def _card(told: Any) -> Card:
        require(type(told) is list, f"question.json: {told!r} is no card")
        require(all(type(value) in (int, str) for value in told), f"question.json: {told!r}")
        return tuple(told)

    def _universal(self, card: Card) -> bool:
        return WILD in card and card.count(WILD) >= self.at_least

    def match(self, one: Card, other: Card) -> bool:
        """Whether the one may be played next to the other."""
        agreeing = [a == b or WILD in (a, b) for a, b in zip(one, other, strict=True)]
        return bool(sum(agreeing) >= self.at_least)

    def hubs(self, card: Card) -> list[tuple[tuple[int, ...], Card]]:
        """The hubs of a card that is not wild."""
        chosen = itertools.combinations(range(len(card)), self.at_least)
        return [(at, tuple(card[i] for i in at)) for at in chosen]


class Goal(NamedTuple):
    """What would be better than the answer: so few sequences, at so little cost, so many cards."""

    sequences: int
    cost: int | None = None
    played: int | None = None


def better(question: Question, claim: dict[str, Any]) -> Goal | None:
    """What the certificate refutes; None where there is nothing left to refute."""
    status, value = claim.get("status"), claim.get("objective")
    if question.kind == "uno-1":
        require(status == "UNSATISFIABLE", f"claim.json: {status} needs no certificate here")
        return Goal(question.wilds + 1)
    if question.kind == "fill-in" and status == "UNSATISFIABLE":
        # Where all attributes must agree, an added card is only joined to its equals.
        alike = any(len(card) == question.at_least for card in question.hand)
        require(question.supply is not None or alike, "claim.json: some card joins any two")
        return Goal(question.wilds + 1)
    require(status == "OPTIMAL", f"claim.json: {status} needs no certificate here")
    if type(value) is not int or value < 0:
        raise Refused("claim.json: the objective is a number")
    if question.kind == "longest":
        goal = Goal(question.wilds + 1, played=value + 1 - question.wilds)
        return goal if value < len(question.hand) else None
    if value == 0:
        return None
    if question.supply is None:
        return Goal(question.wilds + value)
    return Goal(question.wilds + 1, cost=value - 1)


class Formula:
    """The clauses of the second fact, and what their variables mean.

    Attributes
    ----------
    at
        For each card, those of the supply and the pile behind those of the hand, its hubs.
    visited, odd, closed
        By hub the literals saying that it is visited, that the number of cards walked there is odd,
        and that two ends are there.
    walked
        For each card by hub the literal saying that it is walked to that hub; two hubs share one.
    played
        In ``longest`` for each card the variable saying that it is played.
    """

    def __init__(self, question: Question, goal: Goal) -> None:
        self.question, self.goal = question, goal
        self.variables = 0
        self.clauses: list[tuple[int, ...]] = []
        self.held = len(question.cards)
        number: dict[Any, int] = {}
        drawn = [*question.cards, *(card for card, _ in question.offers)]
        drawn += [question.pile] if question.pile is not None else []
        self.at = [
            tuple(number.setdefault(hub, len(number)) for hub in question.hubs(card))
            for card in drawn
        ]
        self.pile = self.at.pop() if question.pile is not None else None
        self.visited = [self._new() for _ in number]
        self.near: list[list[tuple[int, int]]] = [[] for _ in number]
        self.played: list[int] = []
        self.walked = [self._walk(card, at) for card, at in enumerate(self.at)]
        self.starts = self._leave_pile()
        self.odd = self._odd()
        self.joins = goal.sequences > 1 or bool(question.wild_offers)
        self.closed = [self._new() for _ in number] if self.joins else []
        for two, visited in zip(self.closed, self.visited, strict=False):
            self.clauses.append((-two, visited))
        self._count()

    def _new(self) -> int:
        self.variables += 1
        return self.variables

    def _walk(self, card: int, at: tuple[int, ...]) -> dict[int, int]:
        """A card that is played has a visited hub; one that is walked joins two visited hubs."""
        played: tuple[int, ...] = ()
        if self.goal.played is not None:
            self.played.append(self._new())
            played = (-self.played[-1],)
        if card < self.held:
            self.clauses.append((*played, *(self.visited[hub] for hub in at)))
        if len(at) < 2:
            return {}
        walked = dict.fromkeys(at, self._new()) if len(at) == 2 else {h: self._new() for h in at}
        for hub, literal in walked.items():
            self.near[hub].append((card, literal))
            self.clauses.append((-literal, self.visited[hub]))
            self.clauses += [(-literal, -no) for no in played]
        if len(at) > 2:
            ends = list(walked.values())
            self.clauses += [(-end, *(other for other in ends if other != end)) for end in ends]
            self._at_most([(1, end) for end in ends], 2)
        return walked

    def _leave_pile(self) -> dict[int, int]:
        """The card on the pile comes first: its trail begins at one of its hubs."""
        starts = {hub: self._new() for hub in self.pile or ()}
        if starts:
            self.clauses.append(tuple(starts.values()))
            self._at_most([(1, start) for start in starts.values()], 1)
            self.clauses += [(-start, self.visited[hub]) for hub, start in starts.items()]
        return starts

    def _odd(self) -> dict[int, int]:
        """The parity of the cards walked at each hub, the pile among them, two by two."""
        odd: dict[int, int] = {}
        for hub, near in enumerate(self.near):
            literals = [literal for _, literal in near]
            literals += [self.starts[hub]] if hub in self.starts else []
            for b in literals:
                if hub in odd:
                    a, c = odd[hub], self._new()
                    self.clauses += [(-a, -b, -c), (-a, b, c), (a, -b, c), (a, b, -c)]
                odd[hub] = c if hub in odd else b
        return odd

    def _count(self) -> None:
        """So many ends, such costs, so many cards that are not played, and no more."""
        question, goal = self.question, self.goal
        added = [self._new() for _ in question.wild_offers]
        ends = [(1, literal) for literal in self.odd.values()]
        ends += [(2, literal) for literal in self.closed]
        ends += [(2, -literal) for literal in added]
        free = 2 * (goal.sequences + len(added)) - (self.pile is not None)
        self._at_most(ends, free)
        if goal.cost is not None:
            costs = list(zip(question.wild_offers, added, strict=True))
            for (_, cost), walked in zip(question.offers, self.walked[self.held :], strict=True):
                costs.append((cost, self._used(walked)))
            self._at_most([(cost, used) for cost, used in costs if cost and used], goal.cost)
        if goal.played is not None:
            left_out = [(1, -literal) for literal in self.played]
            self._at_most(left_out, self.held - goal.played)

    def _used(self, walked: dict[int, int]) -> int:
        """The literal saying that a card is walked; 0 if it cannot be."""
        used = self._new() if len(walked) > 2 else max(walked.values(), default=0)
        self.clauses += [(-literal, used) for literal in walked.values() if len(walked) > 2]
        return used

    def _at_most(self, terms: Sequence[tuple[int, int]], most: int) -> None:
        """A sum is at most so large: variables say which sums the first terms reach."""
        if most < 0:
            self.clauses.append(())
            return
        reached: dict[int, int] = {}
        left = sum(weight for weight, _ in terms)
        for weight, literal in terms:
            left -= weight
            sums = {0: 0, **reached}
            # What can no longer become too much needs no name.
            after = sorted({total + more for total in sums for more in (0, weight)} - {0})
            now = {total: self._new() for total in after if most - left < total <= most}
            for total, var in sums.items():
                for more, chosen in ((0, ()), (weight, (-literal,))):
                    because = (-var, *chosen) if var else chosen
                    if total + more in now:
                        self.clauses.append((*because, now[total + more]))
                    elif total + more > most:
                        self.clauses.append(because)
            reached = now

    def cut(self, told: dict[str, Any]) -> tuple[int, ...]:
        """The clause of a cut; refused if the cut does not hold."""
        hubs, stars = set(told["hubs"]), set(told.get("cards", ()))
        require(hubs <= set(range(len(self.visited))), "it names a hub that is not there")
        large = {card for card, at in enumerate(self.at) if len(at) > 2}
        require(stars <= large, "it names a card that is not on three hubs or more")
        clause = set(self._occupied(told["inside"], hubs, within=True))
        crossing: set[int] = set()
        for hub in hubs:
            for card, literal in self.near[hub]:
                if len(self.at[card]) == 2:
                    crossing ^= {literal}
                elif card not in stars:
                    crossing.add(literal)
        for card in stars:
            crossing.update(lit for hub, lit in self.walked[card].items() if hub not in hubs)
        if self.joins:
            clause |= {self.odd[hub] for hub in hubs if hub in self.odd}
            clause |= {self.closed[hub] for hub in hubs}
        else:
            clause |= set(self._occupied(told["outside"], hubs, within=False))
        return tuple(sorted(clause | crossing))

    def _occupied(self, why: dict[str, Any], hubs: set[int], within: bool) -> tuple[int, ...]:
        """Why some hub on a side is visited: literals one of which is true otherwise."""
        side = "inside" if within else "outside"
        if "hub" in why:
            there = why["hub"] in range(len(self.visited))
            require(there and (why["hub"] in hubs) == within, f"hub {why['hub']} is not {side}")
            return (-self.visited[why["hub"]],)
        if "pile" in why:
            require(self.pile is not None, "there is no card on the pile")
            at: Iterable[int] = self.pile or ()
        else:
            require(why["card"] in range(len(self.at)), f"there is no card {why['card']}")
            require(why["card"] < self.held, f"card {why['card']} need not be played")
            at = self.at[why["card"]]
        require(all((hub in hubs) == within for hub in at), f"{why} does not lie {side}")
        return (-self.played[why["card"]],) if self.played and "card" in why else ()

    def text(self, cuts: Iterable[tuple[int, ...]]) -> str:
        """The formula with its cuts in DIMACS."""
        clauses = [*self.clauses, *cuts]
        lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
        return "\n".join([f"p cnf {self.variables} {len(clauses)}", *lines, ""])


def check_groups(question: Question, goal: Goal, reason: dict[str, Any]) -> str:
    """The first fact: cards in groups, but for some that are taken out."""
    plain = question.supply is None and goal.played is None
    require(plain, "reason.json: groups show nothing of a supply, nor of cards left out")
    everything = [*question.cards, *filter(None, [question.pile])]
    removed, groups = reason["removed"], reason["groups"]
    named = sorted([*removed, *itertools.chain.from_iterable(groups)])
    require(named == list(range(len(everything))), "reason.json: not every card once")
    require(all(groups), "reason.json: an empty group")
    owner: dict[Any, int] = {}
    for number, group in enumerate(groups):
        for card in group:
            for hub in question.hubs(everything[card]):
                same = owner.setdefault(hub, number) == number
                require(same, f"reason.json: card {card} matches a card of another group")
    needed = len(groups) - len(removed)
    require(needed > goal.sequences, f"reason.json: it asks for {needed} sequences only")
    return f"without {len(removed)} cards the hand falls into {len(groups)} groups"


def check_witness(question: Question, claim: dict[str, Any], told: dict[str, Any]) -> None:
    """The sequence keeps the rules and has the value of the claim."""
    sequence = [tuple(card) for card in told["sequence"]]
    added = [tuple(card) for card in told.get("added", ())]
    before = [] if question.after is None else [question.after]
    for step, (one, other) in enumerate(itertools.pairwise([*before, *sequence]), 2 - len(before)):
        require(question.match(one, other), f"witness.json: step {step} does not match")
    held = Counter(question.hand) + Counter(added)
    if question.kind == "longest":
        require(not added and Counter(sequence) <= held, "witness.json: cards that are not held")
        value = len(sequence)
    else:
        require(Counter(sequence) == held, "witness.json: not exactly the hand and what is added")
        value = _cost(question, added)
    require(value == claim["objective"], f"witness.json: its value is {value}")


def _cost(question: Question, added: list[Card]) -> int:
    """What the added cards cost; without a supply one each."""
    if question.supply is None:
        shaped = all(WILD not in card and len(card) == len(question.hand[0]) for card in added)
        require(shaped, "witness.json: a card that may not be added")
        return len(added)
    prices = defaultdict(list)
    for card, cost in question.priced:
        prices[card].append(cost)
    total = 0
    for card, count in Counter(added).items():
        require(count <= len(prices[card]), f"witness.json: {list(card)} is not in the supply")
        total += sum(sorted(prices[card])[:count])
    return total


def check_refutation(folder: Path, question: Question, goal: Goal, checker: str) -> str:
    """The formula is that of the question, every cut holds, and a proof refutes both."""
    formula = Formula(question, goal)
    cuts = []
    for number, line in enumerate((folder / "cuts.jsonl").read_text().splitlines(), 1):
        try:
            cuts.append(formula.cut(json.loads(line)))
        except (Refused, KeyError, TypeError, IndexError, ValueError) as error:
            raise Refused(f"cuts.jsonl: line {number}: no cut: {error}") from None
    wanted = formula.text(cuts).split("\n")
    found = (folder / "formula.cnf").read_text().split("\n")
    for number, (own, other) in enumerate(itertools.zip_longest(wanted, found), 1):
        require(own == other, f"formula.cnf: line {number}: {other!r}, not {own!r}")
    return run_checker(folder / "formula.cnf", folder / "proof.drat", checker)


def run_checker(formula: Path, proof: Path, checker: str) -> str:
    """Have the proof checked by an outside program; its name."""
    if checker == "auto":
        checker = "drat-trim" if shutil.which("drat-trim") else "dratify"
    try:
        if checker == "drat-trim":
            command = [checker, str(formula), str(proof)]
            told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            accepted = "s VERIFIED" in told.splitlines()
        elif checker == "dratify":
            import dratify

            with suppress(ImportError):
                import cdclkit  # noqa: F401  # brings dratify a faster engine
            clauses = dratify.parse_dimacs(formula.read_text())
            accepted = dratify.check_proof(clauses, proof.read_text()).ok
        else:
            import drup

            found = drup.check_proof_from_files(str(formula), str(proof))
            accepted = found.outcome == drup.Outcome.VALID
    except (ImportError, FileNotFoundError):
        how = 'pip install dratify "cdclkit[native]"'
        raise NoChecker(f"{checker} is not here: {how}") from None
    except ValueError as error:
        raise Refused(f"proof.drat: {error}") from None
    require(bool(accepted), f"proof.drat: {checker} does not accept it as a proof of formula.cnf")
    return checker


def read_claim(folder: Path) -> dict[str, Any]:
    """The claim, once all files are what it says they are."""
    claim: dict[str, Any] = json.loads((folder / CLAIM).read_text())
    require(isinstance(claim, dict) and claim.get("version") == 1, "claim.json: version 1 is known")
    require(set(claim["files"]) <= set(FILES), f"claim.json: files are among {', '.join(FILES)}")
    for name, digest in claim["files"].items():
        path = folder / name
        require(path.is_file() and not path.is_symlink(), f"{name}: it is not there")
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        require(found == digest, f"{name}: it is not the file that was certified (SHA-256)")
    return claim


def verify(folder: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Check a certificate; what shows the answer, in words, and who checked the proof if any.

    Raises
    ------
    Refused
        When it does not show what it claims, with the place.
    NoChecker
        When all but the proof is right, and no program is here to check that.
    """
    claim = read_claim(folder)
    files = claim["files"]

    def read(name: str) -> dict[str, Any]:
        """The object in a file of the certificate."""
        require(name in files, f"{name}: the certificate lacks it")
        told = json.loads((folder / name).read_text())
        require(isinstance(told, dict), f"{name}: it is no JSON object")
        return dict(told)

    question = Question(read("question.json"))
    goal = better(question, claim)
    if claim["status"] == "OPTIMAL":
        check_witness(question, claim, read("witness.json"))
    if goal is None:
        return "proved: nothing can be better than the witness", None
    if "reason.json" in files:
        return f"proved: {check_groups(question, goal, read('reason.json'))}", None
    require({*FILES[3:]} <= {*files}, f"claim.json: without {', '.join(FILES[3:])}")
    checked_by = check_refutation(folder, question, goal, checker)
    return f"proved, checked by {checked_by}", checked_by


def judged(folder: Path, checker: str) -> tuple[int, str]:
    """The exit code and the line for it."""
    try:
        return 0, verify(folder, checker)[0]
    except Refused as error:
        return 1, f"refused: {error}"
    except NoChecker as error:
        return 3, f"not checked: {error}"
    except (OSError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return 2, f"unreadable: {folder}: {type(error).__name__}: {error}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check a certificate of uno-csp.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--checker", choices=CHECKERS, default="auto")
    chosen = parser.parse_args()
    code, line = judged(chosen.folder, chosen.checker)
    (sys.stderr if code else sys.stdout).write(f"{line}\n")
    sys.exit(code)
