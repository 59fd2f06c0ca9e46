"""Check a certificate of uno-csp: ``python verifier.py FOLDER``. Needs Python's own library only.

A certificate shows that a question about cards has the answer NO, or that nothing better than its
witness exists. This file reads the question, states what has to be refuted, and believes nothing
but the rules and facts written here, and the program that checks proofs. Games, cards that are wild
in some attributes only, and more are for ``full_verifier.py``.

Cards that agree in at least k attributes match. A *hub* is k attributes with their values, so two
cards match if and only if they share a hub. A card that is wild in k attributes matches all.

*Groups.* Take t cards out of a hand, and let the others fall into groups that share no hub. What is
left of a sequence without its share of the t cards are pieces, each of them in one group, and one
more at most than that share. So r sequences leave at most r + t pieces, and that is no less than
the numbers of sequences, at least 1, that the groups need each by itself.

*Trails.* Let r sequences play some cards. Where two cards are neighbours they share a hub; name one
for each such place. A card between two different hubs is *walked* from the one to the other. So a
sequence is a trail on hubs, and has two ends or is closed, and every card that is played has a hub
that is *visited*. In the graph of visited hubs and walked cards let a component have m hubs with an
odd number of walked cards. It consists of at least max(1, m / 2) trails. So, with an *end* at every
odd hub and two at some hub of a component without any, there are at most 2 r ends, and every
component has one. With r = 1 there is one component.

`Trails` says that, but for what it says of components, which *cuts* do: for a set S of hubs (and
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
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

WILD = "*"
Card = tuple[Any, ...]
Clause = tuple[int, ...]
Part = tuple["Question", "Goal"]
Check = Callable[[Path, str], tuple[str, str | None]]
CLAIM = "claim.json"
REFUTATION = ("formula.cnf", "cuts.jsonl", "proof.drat")
FILES = ("question.json", "witness.json", "reason.json", *REFUTATION)
CHECKERS = ("auto", "drat-trim", "dratify")
OWN = {"uno-1": "cards", "longest": "cards", "fill-in": "cards supply costs"}
OWN |= {"cooperative": "hands", "uncooperative": "hands convention"}
KINDS, COMMON = tuple(OWN), "question name comment at_least expected after"


class Refused(Exception):
    """The certificate does not show what it claims."""


class NoChecker(Exception):
    """There is no program here that checks proofs."""


def require(holds: object, message: str) -> None:
    """Refuse the certificate unless something holds."""
    if not holds:
        raise Refused(message)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len({key for key, _ in pairs}) == len(pairs), "a key stands twice")
    return dict(pairs)


loads = json.JSONDecoder(object_pairs_hook=_once, parse_constant=int).decode  # and no NaN


def _card(told: Any) -> Card:
    require(type(told) is list and {*map(type, told)} <= {int, str}, f"question.json: {told!r}")
    return tuple(told)


class Question:
    """A question, from its JSON object: the cards of each player, and what the rules are.

    Where there is one hand, ``cards`` are its cards that are not wild, and ``wilds`` is the number
    of the others. ``pile`` is the card that the first one has to match, ``counted`` are the cards
    with it. ``offers`` are cards that may be added, with costs, ``wild_offers`` the costs of wild
    ones; without ``supply`` any may be. Some card is ``partly`` wild: not matching all.
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self.kind, self.at_least = str(told.get("question")), told.get("at_least", 1)
        require(self.kind in KINDS, f"question.json: {self.kind!r} is no question known here")
        unknown = sorted({*told} - {*f"{COMMON} {OWN[self.kind]}".split()})
        require(not unknown, f"question.json: unknown key {unknown[:1]}")
        hands = told["hands"] if self.kind in KINDS[3:] else [told["cards"]]
        self.hands = [[_card(card) for card in hand] for hand in hands]
        self.convention = told.get("convention", "last-mover")
        self.kind = "uno-1" if (self.kind, len(hands)) == ("cooperative", 1) else self.kind
        self.hand = list(itertools.chain(*self.hands))
        self.after = None if told.get("after") is None else _card(told["after"])
        supply = told.get("supply") if self.kind == "fill-in" else None
        self.supply = None if supply is None else [_card(card) for card in supply]
        costs = told.get("costs") or [1] * len(self.supply or ())
        require(all(type(c) is int and 0 <= c < 2**31 for c in costs), "question.json: costs")
        self.priced = list(zip(self.supply or (), costs, strict=True))
        everything = [*self.hand, *(self.supply or ()), *[self.after] * (self.after is not None)]
        shapes = {len(card) for card in everything}
        right = type(self.at_least) is int and all(1 <= self.at_least <= n for n in shapes)
        require(right and len(shapes) <= 1, "question.json: at_least, or ragged cards")
        self.cards = [card for card in self.hand if not self._universal(card)]
        self.wilds = len(self.hand) - len(self.cards)
        self.pile = None if self.after is None or self._universal(self.after) else self.after
        self.offers = [(card, cost) for card, cost in self.priced if not self._universal(card)]
        self.wild_offers = [cost for card, cost in self.priced if self._universal(card)]
        self.counted = [*self.cards, *filter(None, [self.pile])]
        self.partly = any(WILD in card and not self._universal(card) for card in everything)

    def _universal(self, card: Card) -> bool:
        return bool(card.count(WILD) >= self.at_least)

    def part(self, cards: list[Card]) -> "Question":
        """Whether some cards, none of them wild, are playable by themselves."""
        told = {"question": "uno-1", "at_least": self.at_least, "cards": list(map(list, cards))}
        return Question(told)

    def match(self, one: Card, other: Card) -> bool:
        """Whether the one may be played next to the other."""
        agreeing = [a == b or WILD in (a, b) for a, b in zip(one, other, strict=True)]
        return bool(sum(agreeing) >= self.at_least)

    def hubs(self, card: Card) -> list[tuple[Clause, Card]]:
        """The hubs of a card that is not wild."""
        few = math.comb(len(card), self.at_least) <= 256
        require(few, "question.json: cards are on more than 256 hubs")
        chosen = itertools.combinations(range(len(card)), self.at_least)
        return [(at, tuple(card[i] for i in at)) for at in chosen]


class Goal(NamedTuple):
    """What would be better than the answer: so few sequences, so many more cards, at such costs."""

    sequences: int
    added: int = 0
    cost: int | None = None
    played: int | None = None


def better(question: Question, claim: dict[str, Any]) -> Goal | None:
    """What the certificate refutes; None where there is nothing left to refute."""
    status, value, wilds = claim["status"], claim["objective"], question.wilds
    if status == "UNSATISFIABLE" and question.kind != "longest":
        # Where all attributes must agree, an added card is only joined to its equals.
        alike = any(len(card) == question.at_least for card in question.hand)
        none = question.kind != "fill-in" or question.supply is not None or alike
        require(none, "claim.json: some card joins any two")
        return Goal(wilds + 1)
    takes = status == "OPTIMAL" and question.kind in KINDS[1:3]
    require(takes, f"claim.json: {status} needs no certificate here")
    require(type(value) is int and value >= 0, "claim.json: the objective is a number")
    if value == (len(question.hand) if question.kind == "longest" else 0):
        return None
    if question.kind == "longest":
        return Goal(wilds + 1, played=value + 1 - wilds)
    if question.supply is None:
        return Goal(wilds + value, added=value - 1)
    return Goal(wilds + 1, cost=value - 1)


class Clauses:
    """Clauses over the variables 1, 2, ...; a literal is a variable or its negative."""

    def __init__(self) -> None:
        self.variables = 0
        self.clauses: list[Clause] = []
        self.sums: list[tuple[Sequence[tuple[int, int]], int]] = []

    def new(self) -> int:
        """One more variable."""
        require(self.variables < 4_000_000, "question.json: a formula of millions of variables")
        self.variables += 1
        return self.variables

    def at_most(self, terms: Sequence[tuple[int, int]], most: int) -> None:
        """A sum is at most so large: variables say which sums the first terms reach."""
        self.sums.append((terms, most))
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
            require(len(after) <= 1 << 16, "question.json: costs with too many sums")
            now = {total: self.new() for total in after if most - left < total <= most}
            for total, var in sums.items():
                for more, chosen in ((0, ()), (weight, (-literal,))):
                    because = (-var, *chosen) if var else chosen
                    if total + more in now:
                        self.clauses.append((*because, now[total + more]))
                    elif total + more > most:
                        self.clauses.append(because)
            reached = now


class Trails(Clauses):
    """The fact of that name, in clauses.

    By card, those of the supply behind those of the hand and the pile last: its hubs ``at``; by hub
    the literal of being ``walked`` to there, one for both of two hubs; of being ``played``, if that
    is open. A ``star`` is on three hubs or more, or the pile. ``closed`` hubs have two ends.
    """

    def __init__(self, question: Question, goal: Goal) -> None:
        super().__init__()
        odd = question.partly or question.kind in KINDS[3:]
        require(not odd, "question.json: this takes full_verifier.py")
        self.question, self.goal, self.held = question, goal, len(question.cards)
        number: dict[Any, int] = {}
        drawn = [*question.cards, *(card for card, _ in question.offers)]
        drawn += [question.pile] if question.pile is not None else []
        at = [[number.setdefault(hub, len(number)) for hub in question.hubs(c)] for c in drawn]
        self.at = [tuple(hubs) for hubs in at]
        self.pile = None if question.pile is None else len(self.at) - 1
        self.stars = {i for i, at in enumerate(self.at) if len(at) > 2 or i == self.pile}
        self.visited = [self.new() for _ in number]
        self.near: list[list[tuple[int, int]]] = [[] for _ in number]
        self.played: list[int] = []
        self.walked = [self._walk(card, at) for card, at in enumerate(self.at)]
        self.odd = self._odd()
        self.joins = goal.sequences > 1 or bool(question.wild_offers)
        self.closed = [self.new() for _ in number] if self.joins else []
        self.clauses += [(-two, one) for two, one in zip(self.closed, self.visited, strict=False)]
        self._count()

    def _walk(self, card: int, at: Clause) -> dict[int, int]:
        """A card that is played has a visited hub, and a walked one two; the pile leads to one."""
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
        """The parity of the cards walked at each hub, the pile among them, two by two."""
        odd: dict[int, int] = {}
        for hub, near in enumerate(self.near):
            for _, b in near:
                if hub in odd:
                    a, c = odd[hub], self.new()
                    self.clauses += [(-a, -b, -c), (-a, b, c), (a, -b, c), (a, b, -c)]
                odd[hub] = c if hub in odd else b
        return odd

    def _count(self) -> None:
        """So many ends, such costs, so many cards that are not played, and no more."""
        question, goal = self.question, self.goal
        added = [self.new() for _ in question.wild_offers]
        ends = [(1, literal) for literal in self.odd.values()]
        ends += [(2, literal) for literal in self.closed]
        ends += [(2, -literal) for literal in added]
        self.at_most(ends, 2 * (goal.sequences + len(added)) - (self.pile is not None))
        if goal.cost is not None:
            costs = list(zip(question.wild_offers, added, strict=True))
            for (_, cost), walked in zip(question.offers, self.walked[self.held :], strict=False):
                used = self.new() if len(walked) > 2 else max(walked.values(), default=0)
                self.clauses += [(-lit, used) for lit in walked.values() if len(walked) > 2]
                costs.append((cost, used))
            self.at_most([(cost, used) for cost, used in costs if cost and used], goal.cost)
        if goal.played is not None:
            self.at_most([(1, -literal) for literal in self.played], self.held - goal.played)

    def around(self, told: dict[str, Any]) -> tuple[set[int], list[int], set[int]]:
        """The hubs of a cut, literals that excuse it, and those of the cards that lead out."""
        hubs, stars = set(told["hubs"]), set(told.get("cards", ()))
        require(hubs <= set(range(len(self.visited))), "it names a hub that is not there")
        require(stars <= self.stars, "it names a card that is not on three hubs or more")
        excuses = self._occupied(told["inside"], hubs, within=True)
        if not self.joins:
            excuses += self._occupied(told["outside"], hubs, within=False)
        crossing: set[int] = set()
        for card, literal in itertools.chain(*(self.near[hub] for hub in hubs)):
            crossing ^= {literal} if card not in stars else set()
        for card in stars:
            crossing.update(lit for hub, lit in self.walked[card].items() if hub not in hubs)
        return hubs, excuses, crossing

    def cut(self, told: dict[str, Any]) -> Clause:
        """The clause of a cut, as the second fact has it; refused if the cut does not hold."""
        hubs, excuses, crossing = self.around(told)
        ends = [self.odd[hub] for hub in hubs if hub in self.odd] if self.joins else []
        ends += [self.closed[hub] for hub in hubs] if self.joins else []
        return tuple(sorted({*excuses, *crossing, *ends}))

    def _occupied(self, why: dict[str, int], hubs: set[int], within: bool) -> list[int]:
        """Why some hub on a side is visited: literals one of which is true otherwise."""
        side = "inside" if within else "outside"
        if "hub" in why:
            there = why["hub"] in range(len(self.visited))
            require(there and (why["hub"] in hubs) == within, f"hub {why['hub']} is not {side}")
            return [-self.visited[why["hub"]]]
        card = why["card"]
        sure = card in range(self.held) or (card == self.pile and card is not None)
        require(sure, f"there is no card {card}, or it need not be played")
        lies = all((hub in hubs) == within for hub in self.at[card])
        require(lies, f"card {card} does not lie {side}")
        return [-self.played[card]] if self.played and card != self.pile else []


def check_groups(question: Question, goal: Goal, reason: dict[str, Any]) -> list[Part]:
    """The first fact: groups without some cards, and how many sequences each of them needs."""
    plain = question.supply is None and goal.played is None and not question.partly
    require(plain, "reason.json: groups say nothing of a supply, of cards left out, or partly wild")
    removed, groups = reason["removed"], reason["groups"]
    once = sorted(itertools.chain(removed, *groups)) == list(range(len(question.counted)))
    require(once and all(groups), "reason.json: not every card once, or an empty group")
    owner: dict[Any, int] = {}
    for number, group in enumerate(groups):
        for hub in itertools.chain(*(question.hubs(question.counted[i]) for i in group)):
            same = owner.setdefault(hub, number) == number
            require(same, f"reason.json: hub {hub} of group {number} is of another group too")
    needs = reason.get("needs", [1] * len(groups))
    require(all(type(need) is int and need > 0 for need in needs), "reason.json: needs")
    needed = sum(needs) - len(removed)
    require(needed > goal.sequences, f"reason.json: it asks for {needed} sequences only")
    parts = [([question.counted[i] for i in at], n) for at, n in zip(groups, needs, strict=True)]
    return [(question.part(hand), Goal(need - 1)) for hand, need in parts if need > 1]


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
    else:
        require(Counter(sequence) == held, "witness.json: not exactly the hand and what is added")
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


def check_refutation(
    given: "Certificate", formulas: Sequence[Any], checker: str, run: Any = None
) -> str:
    """The formulas are those of the question, every cut holds, and each has no solution."""
    require({*REFUTATION} <= {*given.files}, f"claim.json: without {', '.join(REFUTATION)}")
    folder = given.folder
    for number, line in enumerate((folder / "cuts.jsonl").read_text().splitlines(), 1):
        try:
            told = loads(line)
            formula = formulas[told.get("part", 0)]
            formula.clauses.append(formula.cut(told))
        except (Refused, LookupError, TypeError, ValueError, AttributeError) as error:
            raise Refused(f"cuts.jsonl: line {number}: no cut: {error}") from None
    found = (folder / "formula.cnf").read_text().split("\n")
    lines = itertools.zip_longest(joined(formulas).split("\n"), found)
    for number, (own, other) in enumerate(lines, 1):
        require(own == other, f"formula.cnf: line {number}: {other!r}, not {own!r}")
    return str((run or run_checker)(folder / "formula.cnf", folder / "proof.drat", checker))


def joined(formulas: Sequence[Clauses]) -> str:
    """In DIMACS that one of the formulas has a solution; variables at the end say which."""
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
    """Have an outside program check the proof; its name."""
    checker = checker.replace("auto", "drat-trim" if shutil.which("drat-trim") else "dratify")
    try:
        if checker == "drat-trim":
            command = [checker, str(formula), str(proof)]
            told = subprocess.run(command, capture_output=True, text=True, check=False)
            accepted = "s VERIFIED" in told.stdout.splitlines()
        else:
            import dratify

            with suppress(ImportError):
                import cdclkit  # noqa: F401  # brings dratify a faster engine
            clauses = dratify.parse_dimacs(formula.read_text())
            sound = ({"check_rat": False}, {"apply_deletions": False})  # but not with both
            accepted = any(dratify.check_proof(clauses, proof.read_text(), **by).ok for by in sound)
    except (ImportError, FileNotFoundError):
        raise NoChecker(f'{checker} is not here: pip install "uno-csp[proofs]"') from None
    except ValueError as error:
        raise Refused(f"proof.drat: {error}") from None
    require(accepted, f"proof.drat: {checker} does not accept it as a proof of formula.cnf")
    return checker


class Certificate:
    """A certificate, read: what is left to refute are ``parts``, each with what would be better."""

    def __init__(self, folder: Path, allowed: tuple[str, ...] = FILES) -> None:
        self.folder, self.files = folder, {CLAIM: ""}
        self.claim = self.read(CLAIM)
        require(self.claim.get("version") == 1, "claim.json: version 1 is known")
        self.files = self.claim["files"]
        require({*self.files} <= {*allowed}, f"claim.json: files are among {', '.join(allowed)}")
        for name, digest in self.files.items():
            found = hashlib.sha256(self._path(name).read_bytes()).hexdigest()
            require(found == digest, f"{name}: it is not the file that was certified (SHA-256)")
        self.question = Question(self.read("question.json"))
        goal = better(self.question, self.claim)
        if self.claim["status"] == "OPTIMAL":
            check_witness(self.question, self.claim, self.read("witness.json"))
        self.parts = [] if goal is None else [(self.question, goal)]
        self.told = "" if self.parts else ": nothing can be better than the witness"
        if goal and self.question.kind in KINDS[:3] and "reason.json" in self.files:
            self.parts = check_groups(self.question, goal, reason := self.read("reason.json"))
            left = f"without {len(reason['removed'])} of them " if reason["removed"] else ""
            self.told = f": {left}the cards fall into {len(reason['groups'])} groups"

    def read(self, name: str) -> dict[str, Any]:
        """The object in a file."""
        require(name in self.files, f"{name}: the certificate lacks it")
        return dict(loads(self._path(name).read_text()))

    def _path(self, name: str) -> Path:
        path = self.folder / name
        there = path.is_file() and not path.is_symlink()
        require(there or not self.folder.exists(), f"{name}: it is not there")
        return path


def verify(folder: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Check a certificate; what shows the answer, in words, and who checked the proof if any."""
    given = Certificate(folder)
    if not given.parts:
        return f"proved{given.told}", None
    require(not given.claim.get("strict"), "claim.json: strict: this takes full_verifier.py")
    checked_by = check_refutation(given, [Trails(*part) for part in given.parts], checker)
    return f"proved, checked by {checked_by}{given.told}", checked_by


def judged(folder: Path, checker: str, check: Check = verify) -> tuple[int, str]:
    """The exit code and the line for it."""
    try:
        return 0, check(folder, checker)[0]
    except (Refused, NoChecker) as error:
        return (1, f"refused: {error}") if type(error) is Refused else (3, f"not checked: {error}")
    except Exception as error:  # whatever a bad file may lead to
        return 2, f"unreadable: {folder}: {type(error).__name__}: {error}"


def main(check: Check = verify, checkers: Sequence[str] = CHECKERS) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Check a certificate of uno-csp.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--checker", choices=checkers, default="auto")
    code, line = judged(**vars(parser.parse_args()), check=check)
    (sys.stderr if code else sys.stdout).write(f"{line}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
