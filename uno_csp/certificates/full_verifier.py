"""Verify a certificate of any kind: ``python full_verifier.py CERTIFICATE``, a folder or zip file.

It needs only ``verifier.py`` beside it and the standard library, and adds:

*Timetables.* The rules themselves, step by step and without any theory: for cooperative play, for
cards that are wild in some attributes only, and for rules under which it may take several cards to
join two. They are for small questions.

*Unrolling.* A strict certificate has no cuts. Instead, the formula states connectedness: every
visited hub is reached from an end, or from one root hub, within a bounded number of steps, and
there is a layer of variables for each step.

*Bounds.* Read clauses and sums as linear inequalities over 0-1 variables. If a combination of them
with positive multipliers cannot be satisfied, the formula has no solution. There are two more kinds
of rows. At a hub, parity forbids that an odd number of its cards are walked, no other card is, and
the hub is not odd. Around a set of hubs, the number of cards that lead out plus the number of odd
hubs inside is even. So where a cut requires one of them, there are two, or two ends at one hub.

*Pairs.* Two players compete, and whoever cannot play loses. If every card of player 1 has its own
matching partner among the cards of player 2, player 2 answers each card with its partner. In other
games, a strategy is followed against every reply.
"""

import itertools
import json
import lzma
import math
import subprocess
import tempfile
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from uno_csp.certificates import verifier
else:  # run as a script beside verifier.py
    import verifier

CHECKERS = (*verifier.CHECKERS, "drup", "acl2")
BOUND = "bound.json"
FILES = (*verifier.FILES, BOUND)

MOST_PAIRS = 2_000_000
"""Maximum number of card pairs times steps in a timetable."""

MOST_PASSED = 4_000_000
"""Maximum number of card-hub pairs times steps in a strict formula."""

MOST_BYTES = 1 << 28
"""Maximum unpacked size of a zip file, in bytes."""

require = verifier.require


KEYS = {
    verifier.CLAIM: "version status objective strict kind made_by files",
    "witness.json": "sequence added",
    "reason.json": "removed groups needs pairs positions",
}
"""Allowed keys of each file; the keys of the question are checked in ``verifier.py``."""


class Certificate(verifier.Certificate):
    """A certificate of any kind; unknown keys are refused."""

    def read(self, name: str) -> dict[str, Any]:
        """Read the JSON object of a file."""
        content = super().read(name)
        unknown = sorted({*content} - {*KEYS.get(name, " ".join(content)).split()})
        require(not unknown, f"{name}: unknown key {unknown[:1]}")
        return content

    def proved(self, words: str, checked_by: str | None = None) -> tuple[str, str | None]:
        """Return the result with the question, the claim and what is trusted, and the checker."""
        question, value = self.question, self.claim["objective"]
        sizes = " + ".join(str(len(hand)) for hand in question.hands)
        width = max(map(len, question.hand), default=0)
        facts = [f"{question.kind}, {sizes} cards, {question.at_least} of {width} attributes agree"]
        facts += [] if question.after is None else [f"after {json.dumps(question.after)}"]
        facts += [] if question.supply is None else [f"a supply of {len(question.supply)} cards"]
        lines = [
            words,
            f"question: {', '.join(facts)}",
            f"SHA-256 of question.json: {self.files['question.json']}",
            f"claim: {self.claim['status']}{'' if value is None else f', objective {value}'}",
            f"believed: the rules and facts the verifier states{_and(checked_by)}",
        ]
        return "\n".join(lines), checked_by


def _and(checker: str | None) -> str:
    return "" if checker is None else f", and {checker}"


class StrictTrails(verifier.Trails):
    """The formula of trails with connectedness unrolled instead of cuts."""

    def __init__(self, question: verifier.Question, goal: verifier.Better) -> None:
        super().__init__(question, goal)
        size = len(self.visited) * sum(map(len, self.at))
        require(size <= MOST_PASSED, f"strict: {size} card-hub pairs by step, over {MOST_PASSED}")
        near = [self.new() for _ in self.visited]
        if self.joins:
            for hub, literal in enumerate(near):
                ends = [self.odd[hub]] if hub in self.odd else []
                self.clauses.append((-literal, *ends, self.closed[hub]))
        else:
            self.at_most([(1, literal) for literal in near], 1)
        for _ in near[1:]:
            near = self._one_step_on(near)
        self.clauses += [(-hub, one) for hub, one in zip(self.visited, near, strict=True)]

    def _one_step_on(self, near: list[int]) -> list[int]:
        """Return the layer of hubs that are in ``near`` or one walked card away from it."""
        reached: list[list[int]] = [[] for _ in near]
        for card, walked in enumerate(self.walked):
            if card == self.pile:
                continue
            passed = self.new()
            ways = [self._both(literal, near[hub]) for hub, literal in walked.items()]
            self.clauses.append((-passed, *ways))
            for hub, literal in walked.items():
                reached[hub].append(self._both(literal, passed))
        now = [self.new() for _ in near]
        rows = zip(now, near, reached, strict=True)
        self.clauses += [(-one, before, *ways) for one, before, ways in rows]
        return now

    def _both(self, one: int, other: int) -> int:
        both = self.new()
        self.clauses += [(-both, one), (-both, other)]
        return both

    def cut(self, _told: dict[str, Any]) -> verifier.Clause:
        """Raise Refused: a strict certificate has no cuts."""
        raise verifier.Refused("a strict certificate has no cuts")


class Timetable(verifier.Clauses):
    """The rules as clauses: which card is laid at each step.

    A step without a card is for an added one. If players are skipped between two consecutive
    cards, all their matching cards were laid before.
    """

    def __init__(self, question: verifier.Question, goal: verifier.Better) -> None:
        super().__init__()
        self.question, self.goal = question, goal
        whose = [(player, card) for player, hand in enumerate(question.hands) for card in hand]
        whose += [(0, card) for card, _ in question.priced]
        self.owners, self.cards = [who for who, _ in whose], [card for _, card in whose]
        steps = len(whose) - (len(question.hands) - 1) + goal.added
        steps = steps if goal.played is None else goal.played + question.wilds
        size = len(whose) ** 2 * steps * (goal.added + 1) ** 2 * len(question.hands)
        require(size <= MOST_PAIRS, f"too large: {size} pairs of cards by step, over {MOST_PAIRS}")
        self.laid = [[self.new() for _ in whose] for _ in range(steps)]
        self.full = [self.new() for _ in self.laid]
        for full, row in zip(self.full, self.laid, strict=True):
            self.clauses += [(-full, *row), *((-literal, full) for literal in row)]
            self.at_most([(1, literal) for literal in row], 1)
        self.columns = list(zip(*self.laid, strict=True))
        for column in self.columns:
            self.at_most([(1, literal) for literal in column], 1)
        if not goal.added:
            self.clauses += [(one, -other) for one, other in itertools.pairwise(self.full)]
        for step in range(steps):
            self._match(step)
        self._finish()
        if len(question.hands) > 1:
            self._keep_cards()
            self._take_turns()

    def _match(self, step: int) -> None:
        """A laid card matches the last one before it, or enough empty steps lie between."""
        pile = self.question.after
        for card, literal in zip(self.cards, self.laid[step], strict=True):
            if pile is not None and self._between(pile, card) > step:
                self.clauses.append((-literal, *self.full[:step]))
            for before in range(max(0, step - 1 - self.goal.added), step):
                others = zip(self.cards, self.laid[before], strict=True)
                room = step - 1 - before
                far = [lit for other, lit in others if self._between(other, card) > room]
                self.clauses += [(-literal, -lit, *self.full[before + 1 : step]) for lit in far]

    def _between(self, one: verifier.Card, other: verifier.Card) -> float:
        """Return how many added cards it takes to join two; infinity if none may be added."""
        if self.question.match(one, other):
            return 0
        apart = sum(a != b and verifier.WILD not in (a, b) for a, b in zip(one, other, strict=True))
        free = len(one) - self.question.at_least
        return -(-apart // free) - 1 if free and self.goal.added else math.inf

    def _finish(self) -> None:
        """Require the cards that must be laid, and bound the costs."""
        if self.goal.played is None:
            self.clauses += self.columns[: len(self.question.hands[0])]
        else:
            self.clauses.append((self.full[-1],))
        if self.goal.cost is not None:
            added = self.columns[len(self.question.hand) :]
            used = [(cost, self.new()) for _, cost in self.question.priced]
            for column, (_, var) in zip(added, used, strict=True):
                self.clauses += [(-literal, var) for literal in column]
            self.at_most([(cost, var) for cost, var in used if cost], self.goal.cost)

    def _keep_cards(self) -> None:
        """Player 1 lays the last card, and each other player keeps a card."""
        keeps: defaultdict[int, list[int]] = defaultdict(list)
        then = self.full[1:]
        for who, column in zip(self.owners, self.columns, strict=True):
            if who:
                self.clauses += [
                    (-column[-1],),
                    *((-x, after) for x, after in zip(column[:-1], then, strict=True)),
                ]
                keeps[who].append(self.new())
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
        before: list[int | None] = [None] * len(owners)
        for here, there in itertools.pairwise(self.laid):
            skipped = [self.new() for _ in range(count)]
            for i, j in matching:
                between = range(owners[i] + 1, owners[i] + 1 + (owners[j] - owners[i] - 1) % count)
                self.clauses += [(-here[i], -there[j], skipped[k % count]) for k in between]
                laid = [literal for literal in (before[j],) if literal]
                self.clauses.append((-skipped[owners[j]], -here[i], *laid))
            now = [self.new() for _ in owners]
            for var, old, x in zip(now, before, here, strict=True):
                self.clauses.append((-var, *(literal for literal in (old,) if literal), x))
            before = list(now)


def row(trails: verifier.Trails, cut: list[Any]) -> tuple[list[tuple[int, int]], int]:
    """Return a row of a bound: weighted literals, and the lower bound of their sum."""
    kind, *which = cut
    if kind == "clause":
        return [(1, literal) for literal in trails.clauses[which[0]]], 1
    if kind == "sum":
        terms, most = trails.sums[which[0]]
        return [(-weight, literal) for weight, literal in terms], -most
    if kind == "parity":
        hub, walked = which[0], set(which[1])
        near = trails.near[hub]
        right = len(walked) % 2 == 1 and walked <= {card for card, _ in near}
        require(right, f"hub {hub}: not an odd number of its cards")
        terms = [(1, -literal if card in walked else literal) for card, literal in near]
        return [*terms, (1, trails.odd[hub])], 1
    require(kind == "around", f"{kind!r} is not a row")
    hubs, excuses, crossing = trails.around(which[0])
    require(trails.pile not in which[0].get("cards", ()), "the card on the pile has one end")
    terms = [(2, literal) for literal in excuses]
    terms += [(1, literal) for literal in crossing]
    terms += [(1, trails.odd[hub]) for hub in hubs if hub in trails.odd]
    return [*terms, *((2, trails.closed[hub]) for hub in hubs if trails.joins)], 2


def excess(
    trails: verifier.Trails, rows: Iterable[tuple[int, list[Any]]], true: Collection[int] = ()
) -> int:
    """Return by how much the required sum of multiplied rows exceeds its maximum.

    The literals in ``true`` are assumed; a positive result is a contradiction.
    """
    total: defaultdict[int, int] = defaultdict(int)
    missing = 0
    for times, cut in rows:
        require(type(times) is int and times > 0, f"{times!r} is not the multiplier of a row")
        terms, least = row(trails, cut)
        missing += times * least
        for weight, literal in terms:
            missing -= times * weight * (literal < 0)
            total[abs(literal)] += times * weight * (1 if literal > 0 else -1)
    for variable, weight in total.items():
        may_be = -variable not in true if weight > 0 else variable in true
        missing -= weight * may_be
    return missing


def check_bound(trails: verifier.Trails, bound: dict[str, Any], true: frozenset[int]) -> int:
    """Check the fact *Bounds* in every case of a tree of literals; return the number of cases."""
    if "literal" not in bound:
        require(excess(trails, bound["rows"], true) > 0, "the rows do not contradict each other")
        return 1
    literal = bound["literal"]
    require(type(literal) is int and literal, f"{literal!r} is not a literal")
    cases = check_bound(trails, bound["true"], true | {literal})
    return cases + check_bound(trails, bound["false"], true | {-literal})


def formula(question: verifier.Question, goal: verifier.Better, strict: bool) -> verifier.Clauses:
    """Return the formula that every better answer satisfies."""
    # If more than half of the attributes must agree, joining two cards may take several.
    far = goal.added and any(2 * question.at_least > len(card) for card in question.hand)
    if far or question.partly or len(question.hands) > 1:
        return Timetable(question, goal)
    return (StrictTrails if strict else verifier.Trails)(question, goal)


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
        return "each card of player 1 has its own matching card of player 2"
    laid, coming = [question.after], {*range(len(first))}
    while laid:
        last = laid.pop()
        near = {i for i in coming if question.match(last, first[i])}
        require(near <= {*partners}, "reason.json: a playable card of player 1 has no partner")
        laid += [second[partners[i]] for i in near]
        coming -= near
    return "each card that player 1 can play has its own matching card of player 2"


def check_strategy(question: verifier.Question, positions: list[dict[str, Any]]) -> str:
    """Check that the strategy answers every play of player 1, so that player 1 loses first."""
    held = [Counter(hand) for hand in question.hands]
    known = {}
    for at in positions:
        hands = [Counter(tuple(card) for card in hand) for hand in at["hands"]]
        last = at["last"] and tuple(at["last"])
        known[_position(at["player"] - 1, last, hands)] = tuple(at["play"])
    waiting: list[tuple[int, Any, list[Counter[verifier.Card]]]] = [(0, question.after, held)]
    seen = set()
    while waiting:
        player, last, hands = waiting.pop()
        near = [card for card in hands[player] if last is None or question.match(last, card)]
        if player:
            play = known.get(_position(player, last, hands))
            require(play in near, f"reason.json: no card for player {player + 1} on {last}")
            near = [play] if play is not None else []
        for card in near:
            left = [hand - Counter([card] * (who == player)) for who, hand in enumerate(hands)]
            if question.convention == "empty-hand-wins" and not left[player]:
                require(player, f"reason.json: player 1 wins with {list(card)}")
                continue
            following = ((player + 1) % len(hands), card, left)
            if (key := _position(*following)) not in seen:
                seen.add(key)
                waiting.append(following)
    return f"a strategy against all replies, of {len(known)} positions"


def _position(player: int, last: Any, hands: list[Counter[verifier.Card]]) -> Any:
    return player, last, tuple(frozenset(hand.items()) for hand in hands)


def run_checker(formula: Path, proof: Path, checker: str) -> str:
    """Run a proof checker as :func:`verifier.run_checker` does, or one that is itself verified.

    The core of ``drup`` is verified in Why3; the checker in ACL2 reads ``proof.lrat``.
    """
    if checker == "drup":
        return _run_drup(formula, proof)
    if checker != "acl2":
        return verifier.run_checker(formula, proof, checker)
    lrat = proof.with_suffix(".lrat").resolve()
    if not lrat.is_file():
        raise verifier.NoChecker("acl2 needs proof.lrat, which uno-csp verify writes")
    program = f"""(include-book "projects/sat/lrat/list-based/run" :dir :system)
        (lrat::lrat-check "{formula.resolve()}" "{lrat}")"""
    try:
        run = subprocess.run(["acl2"], input=program, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise verifier.NoChecker("acl2 is not installed: apt install acl2 acl2-books") from None
    require("s VERIFIED" in run.stdout, "proof.lrat: acl2 does not accept it")
    return checker


def _run_drup(formula: Path, proof: Path) -> str:
    try:
        from drup import Outcome, check_proof_from_files
    except ImportError:
        raise verifier.NoChecker('drup is not installed: pip install "uno-csp[proofs]"') from None
    try:
        found = check_proof_from_files(str(formula), str(proof))
    except ValueError as error:
        raise verifier.Refused(f"proof.drat: {error}") from None
    require(found.outcome == Outcome.VALID, "proof.drat: drup does not accept it as a proof")
    return "drup"


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate of any kind in a folder or zip file, as :func:`verifier.verify` does.

    Further lines of the result say what was proved and what is trusted.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    require(path.is_file() or path.is_dir(), f"{path}: neither a folder nor a file")
    if path.is_dir():
        return _verify_folder(path, checker)
    with tempfile.TemporaryDirectory() as folder:
        try:
            _unpack(path, folder)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError) as error:
            raise ValueError(f"not a zip file: {error}") from None
        return _verify_folder(Path(folder), checker)


def _unpack(path: Path, folder: str) -> None:
    """Unpack a zip file that holds the files of a certificate and nothing else."""
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
        right = len({*names}) == len(names) and {*names} <= {verifier.CLAIM, *FILES}
        require(right, f"{path}: duplicate files, or files that do not belong to a certificate")
        size = sum(each.file_size for each in packed.infolist())
        require(size <= MOST_BYTES, f"{path}: it unpacks to {size} bytes, over {MOST_BYTES}")
        packed.extractall(folder)


def _require_game(question: verifier.Question) -> None:
    """Raise Refused unless a question of several players is well-formed."""
    if question.kind not in verifier.KINDS[3:]:
        return
    known = question.convention in ("last-mover", "empty-hand-wins")
    require(known, f"question.json: convention {question.convention!r}")
    require(len(question.hands) > 1, "question.json: a game needs two or more players")
    may_be_empty = question.kind == "uncooperative" and question.convention == "last-mover"
    require(may_be_empty or all(question.hands), "question.json: an empty hand")


def _verify_folder(folder: Path, checker: str) -> tuple[str, str | None]:
    given = Certificate(folder, FILES)
    _require_game(given.question)
    if given.question.kind == "uncooperative":
        reason = given.read("reason.json")
        if "pairs" in reason:
            return given.proved(f"proved: {check_pairs(given.question, reason['pairs'])}")
        return given.proved(f"proved: {check_strategy(given.question, reason['positions'])}")
    strict = bool(given.claim.get("strict"))
    if not given.parts:
        return given.proved(f"proved{given.summary}")
    bounds = given.read(BOUND) if BOUND in given.files else {}
    formulas = []
    for number, part in enumerate(given.parts):
        if str(number) not in bounds:
            formulas.append(formula(*part, strict))
            continue
        try:
            check_bound(verifier.Trails(*part), bounds[str(number)], frozenset())
        except (verifier.Refused, LookupError, TypeError, ValueError) as error:
            raise verifier.Refused(f"bound.json: part {number}: {error}") from None
    if not formulas:
        return given.proved(f"proved by inequalities{given.summary}")
    by = verifier.check_refutation(given, formulas, checker, run_checker)
    return given.proved(f"proved, checked by {by}{given.summary}", by)


if __name__ == "__main__":
    verifier.main(verify, CHECKERS)
