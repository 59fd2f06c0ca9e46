"""Make certificates: write the cheapest kind that works and verify it at once."""

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
from uno_csp.certificates.bounds import count_rows
from uno_csp.certificates.elaboration import NotElaborated, elaborate
from uno_csp.certificates.full_verifier import BOUND, FILES, far, verify
from uno_csp.certificates.groups import find_groups, told_groups
from uno_csp.certificates.parts import ProofOptions, Refuted, impossible, in_parts
from uno_csp.certificates.refutation import (
    SOLVER,
    HasSolution,
    Unproved,
    joined_proof,
)
from uno_csp.certificates.verifier import (
    CLAIM,
    KINDS,
    Better,
    NoChecker,
    Question,
    Refused,
    better,
    joined,
)
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.formats.files import written
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Instance, require_question
from uno_csp.questions.answers import Answer, Status, require_answer
from uno_csp.questions.arguments import require_kind
from uno_csp.questions.wording import counted

VERSION = 1
"""Version of the certificate format."""

LRAT = "proof.lrat"
"""LRAT proof, written beside a certificate for verified checkers; not part of it."""

MOST_ENDS = 400_000
"""Maximum number of card-hub pairs for which a proof is searched."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """Kind and files of a certificate (besides question and witness), and its description."""

    kind: str
    files: Mapping[str, str]
    words: str
    levels: bool = False


def certify(
    instance: Instance,
    answer: Answer,
    folder: str | PathLike[str],
    *,
    time_limit_s: float | None = None,
    strict: bool = False,
    bounds: bool = True,
) -> Answer:
    r"""Write a certificate of an answer and return the answer with ``certificate`` filled in.

    A YES is proved by its witness and needs none. If no certificate could be made,
    ``certificate`` gives the reason; the answer itself does not change.

    Parameters
    ----------
    instance, answer
        The question and its answer, as from :func:`uno_csp.solve`.
    folder
        Target folder: new, empty, or with an older certificate, which is replaced.
    time_limit_s
        Time limit of the proof search in seconds.
    strict
        Encode connectedness in the formula instead of adding cuts, so that the cuts need not be
        trusted. Such a formula is much larger, so this works for small hands only.
    bounds
        Allow proofs by sums of inequalities, which need no external checker. If False, the proof
        is always a formula with a DRAT proof, for any DRAT checker.

    Raises
    ------
    NotAccepted
        If the folder holds other files, or the path is not a folder.
    CheckFailed
        If the formula has a solution, or the certificate is refused: a bug in this package.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from uno_csp import parse, solve
    >>> hand = parse("red,5\nblue,7")
    >>> with TemporaryDirectory() as folder:
    ...     print(certify(hand, solve(hand), folder).certificate["summary"])
    proved: the cards fall into 2 groups
    """
    require_question(instance)
    require_answer(answer)
    require_free(folder)
    target = Path(folder)
    for name in _older(target):  # else it could pass for this answer's
        (target / name).unlink(missing_ok=True)
    began = time.monotonic()
    if answer.status is Status.UNKNOWN:
        return replace(answer, certificate={"certified": False, "summary": answer.reason})
    if answer.status is Status.SATISFIABLE:
        shown = "the witness shows the answer" if answer.checked else "no witness shows the answer"
        return replace(answer, certificate={"certified": answer.checked, "summary": shown})
    if instance.question not in KINDS:
        shown = f"there are no certificates of {instance.question}"
        return replace(answer, certificate={"certified": False, "summary": shown})
    question = question_to_dict(instance)
    claim = {"status": str(answer.status), "objective": answer.objective, "strict": strict}
    options = ProofOptions(Deadline.after(time_limit_s), strict, bounds)
    try:
        draft = _made(Question(question), claim, answer, options)
    except (Refused, Unproved) as error:
        reason = str(error).removeprefix("question.json: ")
        return replace(answer, certificate={"certified": False, "summary": reason})
    except HasSolution as error:
        report = {"instance": question, "answer": answer.to_dict()}
        raise CheckFailed(f"the answer is wrong: {error}", report) from None
    files = {"question.json": _json(question), **draft.files}
    if answer.status is Status.OPTIMAL:
        files["witness.json"] = _json(_witness(answer))
    kind = {"levels": draft.levels, "kind": draft.kind, "made_by": _made_by(answer)}
    _write(target, {**claim, **kind}, files)
    return replace(answer, certificate=_verified(target, draft, began))


def _made(
    question: Question, claim: Mapping[str, Any], answer: Answer, options: ProofOptions
) -> _Draft:
    """Make the cheapest certificate: nothing to prove, groups, a bound or a refutation."""
    goal = better(question, dict(claim))
    if goal is None:
        return _Draft("witness", {}, "nothing can be better than the witness")
    if question.kind == "uncooperative":
        return _game(question, answer)
    plain = not question.partly and len(question.hands) == 1
    if plain and question.supply is None and goal.played is None:
        groups = find_groups(question, goal.sequences)
        if groups is not None:
            reason = {"removed": groups[0], "groups": groups[1]}
            words = told_groups([question.counted[card] for card in groups[0]], groups[1])
            return _Draft("groups", {"reason.json": _json(reason)}, words)
    _require_small(question)
    parts = in_parts(question, goal, answer.sequence or (), options) if plain else None
    if parts is None:
        return _impossible(question, goal, options)
    reason = {"removed": [], "groups": parts.groups, "needs": parts.needs}
    return _shown(parts.shown, {"reason.json": _json(reason)})


def _impossible(question: Question, goal: Better, options: ProofOptions) -> _Draft:
    """Refute a better answer as a whole.

    Where joining two cards may take several, too few sequences may be possible at that price.
    """
    try:
        return _shown([impossible(question, goal, options)], {})
    except HasSolution:
        if not far(question, goal):
            raise
    found = impossible(question, goal, replace(options, levels=True))
    return replace(_shown([found], {}), levels=True)


def _require_small(question: Question) -> None:
    """Raise Unproved if the question is too large for a proof search."""
    drawn = [*question.cards, *(card for card, _ in question.offers)]
    ends = sum(comb(len(card), question.at_least) for card in drawn)
    if ends > MOST_ENDS:
        raise Unproved(f"too large to prove: {ends} card-hub pairs, and the limit is {MOST_ENDS}")


def _shown(parts: Sequence[Refuted], files: Mapping[str, str]) -> _Draft:
    """Write bounds keyed by part, and the other parts as one formula with its cuts and proof."""
    bounds = {str(i): part.bound for i, part in enumerate(parts) if part.bound is not None}
    rows = sum(map(count_rows, bounds.values()))
    words = f"contradictory inequalities ({rows} in all)"
    if bounds:
        files = {**files, BOUND: json.dumps(bounds) + "\n"}
    refuted = [(part.formula, part.refutation) for part in parts if part.refutation is not None]
    if not refuted:
        return _Draft("bound", files, words)
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
    words = (
        f"refuted by a proof of {counted(len(proof), 'line')}: a formula of "
        f"{sum(each.variables for each in formulas)} variables and "
        f"{sum(len(each.clauses) for each in formulas)} clauses, {len(cuts)} of them cuts"
    )
    return _Draft("refutation", {**files, **written}, words)


def _game(question: Question, answer: Answer) -> _Draft:
    """Make a certificate of a game: player 2's pairing, or the strategy of the answer."""
    if len(question.hands) == 2 and question.convention == "last-mover":
        first, second = question.hands
        pairs, _ = opened_matching(first, second, question.after, question.at_least)
        which = "of player 1" if question.after is None else "that player 1 can play"
        words = f"each card {which} has its own matching card of player 2"
        return _Draft("pairs", {"reason.json": _json({"pairs": pairs})}, words)
    strategy = answer.strategy or {}
    if strategy.get("kind") != "positions":
        raise Unproved("the strategy has too many positions to write down")
    positions = strategy["positions"]
    words = f"a strategy of {counted(len(positions), 'position')} against every play of player 1"
    return _Draft("strategy", {"reason.json": _json({"positions": positions})}, words)


def _verified(folder: Path, draft: _Draft, began: float) -> dict[str, Any]:
    """Verify a written certificate and report on it; uncertified if no checker is installed."""
    made_s = time.monotonic() - began
    summary = {
        "certified": True,
        "kind": draft.kind,
        "reason": draft.words,
        "path": str(folder),
        "bytes": sum(map(len, draft.files.values())),
        "made_s": round(made_s, 6),
    }
    try:
        shown, checker = verify(folder)
    except NoChecker as error:
        return {**summary, "certified": False, "summary": str(error)}
    except Refused as error:
        raise CheckFailed(
            f"the certificate was refused: {error}", {"folder": str(folder)}
        ) from None
    checked_s = round(time.monotonic() - began - made_s, 6)
    words = shown.splitlines()[0]
    return {**summary, "summary": words, "checked_by": checker, "checked_s": checked_s}


def require_free(path: str | PathLike[str]) -> None:
    """Raise unless the folder is empty, missing or holds only an older certificate.

    Raises
    ------
    NotAccepted
        If it holds other files, is not a folder, or is not writable.
    """
    require_kind("folder", path, str | PathLike)
    folder = Path(path)
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise NotAccepted(f"{there} is a file; a certificate is written to a folder")
    if not os.access(there, os.W_OK):
        raise NotAccepted(f"{there}: the folder is not writable")
    held = {each.name for each in (folder.iterdir() if folder.exists() else ())}
    foreign = sorted(held - _older(folder))
    if foreign:
        raise NotAccepted(
            f"{folder} holds {foreign[0]!r}, which is not part of an intact certificate; "
            "give a new or empty folder, or that of an older certificate"
        )


def _older(folder: Path) -> set[str]:
    """Return the file names of an intact older certificate in the folder; else the empty set."""
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
    """Write the files, the claim last: a folder without a claim is not a certificate."""
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
    """Write the DRAT proof of a certificate as LRAT beside it, unless that exists.

    Raises
    ------
    NotAccepted
        When a lemma does not follow by unit propagation.
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
        raise NotAccepted(f"{proof}: cannot be converted to LRAT: {error}") from None


def pack(folder: Path, path: Path) -> None:
    """Pack a certificate into a zip file for ``uno-csp verify``, atomically."""
    with written(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for each in sorted(folder.iterdir()):
            if each.name != LRAT:
                packed.write(each, each.name)


def _witness(answer: Answer) -> dict[str, Any]:
    answered = answer.to_dict()
    return {key: answered[key] for key in ("sequence", "added") if key in answered}


def _made_by(answer: Answer) -> dict[str, Any]:
    """Return how the answer was found; the verifier does not rely on it."""
    return {"method": answer.method, "backend": answer.backend, "proof_by": SOLVER}


def _json(data: Mapping[str, Any], indent: int | None = 1) -> str:
    return json.dumps(data, indent=indent) + "\n"
