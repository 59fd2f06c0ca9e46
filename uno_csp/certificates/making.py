"""Making certificates: the cheapest kind that works, written down and verified at once."""

import hashlib
import json
import os
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import comb
from os import PathLike
from pathlib import Path
from typing import Any

from uno_csp.algorithms.matching import opened_matching
from uno_csp.answers import Answer, Status, require_answer
from uno_csp.certificates.bounds import count_rows
from uno_csp.certificates.elaboration import NotElaborated, elaborate
from uno_csp.certificates.full_verifier import BOUND, FILES, verify
from uno_csp.certificates.groups import find_groups, told_groups
from uno_csp.certificates.parts import Shown, Wish, impossible, in_parts
from uno_csp.certificates.refutation import (
    SOLVER,
    HasSolution,
    Unproved,
    joined_proof,
)
from uno_csp.certificates.verifier import (
    CLAIM,
    KINDS,
    NoChecker,
    Question,
    Refused,
    better,
    joined,
)
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.formats.files import written
from uno_csp.given import require_kind
from uno_csp.questions import Instance, require_question
from uno_csp.wording import counted

VERSION = 1
"""Of the layout of a certificate."""

LRAT = "proof.lrat"
"""What a proof is called that was written for a verified checker; no part of the certificate."""

MOST_ENDS = 400_000
"""With more pairs of a card and a hub no proof is looked for."""


@dataclass(frozen=True, slots=True)
class _Making:
    """What goes into a certificate beside the question and the witness, and how it is told."""

    kind: str
    files: Mapping[str, str]
    words: str


def certify(
    instance: Instance,
    answer: Answer,
    folder: str | PathLike[str],
    *,
    time_limit_s: float | None = None,
    strict: bool = False,
    bounds: bool = True,
) -> Answer:
    r"""Write a certificate of an answer; the answer with what is to be said of it.

    A yes is shown by its witness and needs none. Where none could be made, ``certificate`` says
    so and why, and the answer stands as it is.

    Parameters
    ----------
    instance, answer
        The question and its answer, as from :func:`uno_csp.solve`.
    folder
        Where to write it; it may hold an older certificate, which is removed, and nothing else.
    time_limit_s
        How long a proof may be looked for.
    strict
        Whether the formula is to say by itself what else its cuts do, so that nobody need believe
        these. It is much larger then, and made for small hands only.
    bounds
        Whether sums of inequalities may be taken, which need no other program to check. Without
        them there is a formula with a DRAT proof, as other solvers and checkers have it.

    Raises
    ------
    NotAccepted
        If the folder holds other files, or is none.
    CheckFailed
        If what the answer excludes has a solution, or the certificate is refused: a bug.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from uno_csp import parse, solve
    >>> hand = parse("red,5\nblue,7")
    >>> with TemporaryDirectory() as folder:
    ...     print(certify(hand, solve(hand), folder).certificate["told"])
    proved: the cards fall into 2 groups
    """
    require_question(instance)
    require_answer(answer)
    require_free(folder)
    target = Path(folder)
    for name in _older(target):  # it would seem to be of this answer
        (target / name).unlink(missing_ok=True)
    began = time.monotonic()
    if answer.status is Status.UNKNOWN:
        return replace(answer, certificate={"certified": False, "told": answer.reason})
    if answer.status is Status.SATISFIABLE:
        shown = "the witness shows the answer" if answer.checked else "no witness shows the answer"
        return replace(answer, certificate={"certified": answer.checked, "told": shown})
    if instance.question not in KINDS:
        shown = f"there are no certificates of {instance.question}"
        return replace(answer, certificate={"certified": False, "told": shown})
    told = question_to_dict(instance)
    claim = {"status": str(answer.status), "objective": answer.objective, "strict": strict}
    deadline = None if time_limit_s is None else began + time_limit_s
    try:
        making = _made(Question(told), claim, answer, Wish(deadline, strict, bounds))
    except (Refused, Unproved) as error:
        reason = str(error).removeprefix("question.json: ")
        return replace(answer, certificate={"certified": False, "told": reason})
    except HasSolution as error:
        report = {"instance": told, "answer": answer.to_dict()}
        raise CheckFailed(f"the answer is wrong: {error}", report) from None
    files = {"question.json": _json(told), **making.files}
    if answer.status is Status.OPTIMAL:
        files["witness.json"] = _json(_witness(answer))
    _write(target, {**claim, "kind": making.kind, "made_by": _made_by(answer)}, files)
    return replace(answer, certificate=_verified(target, making, began))


def _made(question: Question, claim: Mapping[str, Any], answer: Answer, wish: Wish) -> _Making:
    """A reason if there is one, else a refutation."""
    goal = better(question, dict(claim))
    if goal is None:
        return _Making("witness", {}, "nothing can be better than the witness")
    if question.kind == "uncooperative":
        return _game(question, answer)
    plain = not question.partly and len(question.hands) == 1
    if plain and question.supply is None and goal.played is None:
        groups = find_groups(question, goal.sequences)
        if groups is not None:
            reason = {"removed": groups[0], "groups": groups[1]}
            words = told_groups([question.counted[card] for card in groups[0]], groups[1])
            return _Making("groups", {"reason.json": _json(reason)}, words)
    _require_small(question)
    parts = in_parts(question, goal, answer.sequence or (), wish) if plain else None
    if parts is None:
        return _shown([impossible(question, goal, wish)], {})
    reason = {"removed": [], "groups": parts.groups, "needs": parts.needs}
    return _shown(parts.shown, {"reason.json": _json(reason)})


def _require_small(question: Question) -> None:
    """Decline what no proof is looked for."""
    drawn = [*question.cards, *(card for card, _ in question.offers)]
    ends = sum(comb(len(card), question.at_least) for card in drawn)
    if ends > MOST_ENDS:
        raise Unproved(f"{ends} pairs of a card and a hub, and up to {MOST_ENDS} are taken")


def _shown(parts: Sequence[Shown], files: Mapping[str, str]) -> _Making:
    """Bounds by the numbers of their parts; the others in one formula with its cuts and proof."""
    bounds = {str(i): part.bound for i, part in enumerate(parts) if part.bound is not None}
    rows = sum(map(count_rows, bounds.values()))
    words = f"inequalities ({rows} in all) that contradict each other"
    if bounds:
        files = {**files, BOUND: json.dumps(bounds) + "\n"}
    refuted = [(part.formula, part.refutation) for part in parts if part.refutation is not None]
    if not refuted:
        return _Making("bound", files, words)
    cuts = [{**cut, "part": i} for i, (_, each) in enumerate(refuted) for cut in each.cuts]
    for stated, refutation in refuted:
        stated.clauses += refutation.clauses
    formulas = [stated for stated, _ in refuted]
    proof = list(joined_proof(formulas, [refutation for _, refutation in refuted]))
    written = {
        "formula.cnf": joined(formulas),
        "cuts.jsonl": "".join(json.dumps(cut) + "\n" for cut in cuts),
        "proof.drat": "".join(f"{line}\n" for line in proof),
    }
    told = (
        f"refuted by a proof of {counted(len(proof), 'line')}: a formula of "
        f"{sum(each.variables for each in formulas)} variables and "
        f"{sum(len(each.clauses) for each in formulas)} clauses, {len(cuts)} of them cuts"
    )
    return _Making("refutation", {**files, **written}, told)


def _game(question: Question, answer: Answer) -> _Making:
    """The partners with which player 2 answers, or the strategy of the answer."""
    if len(question.hands) == 2 and question.convention == "last-mover":
        first, second = question.hands
        pairs, _ = opened_matching(first, second, question.after, question.at_least)
        which = "of player 1" if question.after is None else "that player 1 can play"
        words = f"each card {which} has a card of player 2 for its own answer"
        return _Making("pairs", {"reason.json": _json({"pairs": pairs})}, words)
    strategy = answer.strategy or {}
    if strategy.get("kind") != "positions":
        raise Unproved("the strategy has too many positions to be written down")
    positions = strategy["positions"]
    words = f"a strategy of {counted(len(positions), 'position')} against whatever player 1 plays"
    return _Making("strategy", {"reason.json": _json({"positions": positions})}, words)


def _verified(folder: Path, making: _Making, began: float) -> dict[str, Any]:
    """What is to be said of a certificate that was written; without a checker, that none was."""
    made_s = time.monotonic() - began
    told = {
        "certified": True,
        "kind": making.kind,
        "reason": making.words,
        "path": str(folder),
        "bytes": sum(map(len, making.files.values())),
        "made_s": round(made_s, 6),
    }
    try:
        shown, checker = verify(folder)
    except NoChecker as error:
        return {**told, "certified": False, "told": str(error)}
    except Refused as error:
        raise CheckFailed(
            f"the certificate was refused: {error}", {"folder": str(folder)}
        ) from None
    checked_s = round(time.monotonic() - began - made_s, 6)
    words = shown.splitlines()[0]
    return {**told, "told": words, "checked_by": checker, "checked_s": checked_s}


def require_free(path: str | PathLike[str]) -> None:
    """Refuse a folder where more than an older certificate would be lost.

    Raises
    ------
    NotAccepted
        If it holds other files, is none, or may not be written.
    """
    require_kind("folder", path, str | PathLike)
    folder = Path(path)
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise NotAccepted(f"{there} is a file; a certificate is written into a folder")
    if not os.access(there, os.W_OK):
        raise NotAccepted(f"{there}: it may not be written")
    held = {each.name for each in (folder.iterdir() if folder.exists() else ())}
    foreign = sorted(held - _older(folder))
    if foreign:
        raise NotAccepted(
            f"{folder} holds {foreign[0]!r}, which no certificate there names; a certificate takes "
            "an empty folder, or that of an older one"
        )


def _older(folder: Path) -> set[str]:
    """The files of a certificate that was written here and is as it was; none if there is none."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        claim = json.loads((folder / CLAIM).read_text())
        files = claim["files"]
        beside = {LRAT} if "proof.drat" in files else set()
        if claim["version"] == VERSION and "question.json" in files:
            for name, digest in files.items():
                if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
                    return set()
            return {CLAIM, *files, *beside} & {CLAIM, *FILES, LRAT}
    return set()


def _write(folder: Path, claim: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """The claim comes last: a folder without one is no certificate."""
    hashes = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            raw = text.encode()
            (folder / name).write_bytes(raw)
            hashes[name] = hashlib.sha256(raw).hexdigest()
    except OSError as error:
        raise NotAccepted(f"{folder}: {(error.strerror or str(error)).lower()}") from None
    whole = {"version": VERSION, **claim, "files": hashes}
    with written(folder / CLAIM) as file:
        file.write(_json(whole).encode())


def write_lrat(folder: Path) -> None:
    """Write the proof of a certificate as LRAT beside it, if there is one that is not yet.

    Raises
    ------
    NotAccepted
        When some lemma does not follow by unit propagation.
    """
    formula, proof, target = (folder / name for name in ("formula.cnf", "proof.drat", LRAT))
    if target.exists() or not (formula.is_file() and proof.is_file()):
        return
    rows = formula.read_text().splitlines()[1:]
    clauses = [[int(word) for word in row.split()[:-1]] for row in rows]
    try:
        with written(target) as file:
            lines = elaborate(clauses, proof.read_text().splitlines())
            file.writelines(f"{line}\n".encode() for line in lines)
    except (NotElaborated, ValueError) as error:
        raise NotAccepted(f"{proof}: it cannot be written as LRAT: {error}") from None


def pack(folder: Path, path: Path) -> None:
    """Put a certificate into a zip file, as ``uno-csp verify`` takes it; whole, or not at all."""
    with written(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for each in sorted(folder.iterdir()):
            if each.name != LRAT:
                packed.write(each, each.name)


def _witness(answer: Answer) -> dict[str, Any]:
    told = answer.to_dict()
    return {key: told[key] for key in ("sequence", "added") if key in told}


def _made_by(answer: Answer) -> dict[str, Any]:
    """How the answer was found; nothing of it need be believed."""
    return {"method": answer.method, "backend": answer.backend, "proof_by": SOLVER}


def _json(told: Mapping[str, Any], indent: int | None = 1) -> str:
    return json.dumps(told, indent=indent) + "\n"
