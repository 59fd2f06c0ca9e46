"""Making certificates: the cheapest kind that works, written down and verified at once."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from typing import Any

from uno_csp.answers import Answer, Status
from uno_csp.certificates.groups import find_groups
from uno_csp.certificates.refutation import SOLVER, HasSolution, Unproved, refute
from uno_csp.certificates.verifier import (
    CLAIM,
    FILES,
    Formula,
    Goal,
    NoChecker,
    Question,
    Refused,
    better,
    verify,
)
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.formats.files import written
from uno_csp.questions import Instance

VERSION = 1
"""Of the layout of a certificate."""

MOST_ENDS = 400_000
"""With more pairs of a card and a hub no proof is looked for."""


@dataclass(frozen=True, slots=True)
class _Making:
    """What goes into a certificate: its kind, and its files beside the question and the witness."""

    kind: str
    files: Mapping[str, str]


def certify(
    instance: Instance, answer: Answer, folder: str | Path, *, time_limit_s: float | None = None
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
    proved: without 0 cards the hand falls into 2 groups
    """
    target = Path(folder)
    require_free(target)
    for name in (CLAIM, *FILES):  # an older certificate would seem to be of this answer
        (target / name).unlink(missing_ok=True)
    began = time.monotonic()
    if answer.status is Status.UNKNOWN:
        return replace(answer, certificate={"certified": False, "told": answer.reason})
    if answer.status is Status.SATISFIABLE:
        shown = "the witness shows the answer" if answer.checked else "no witness shows the answer"
        return replace(answer, certificate={"certified": answer.checked, "told": shown})
    told = question_to_dict(instance)
    claim = {"status": str(answer.status), "objective": answer.objective}
    deadline = None if time_limit_s is None else began + time_limit_s
    try:
        question = Question(told)
        making = _made(question, better(question, claim), deadline)
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


def _made(question: Question, goal: Goal | None, deadline: float | None) -> _Making:
    """A reason if there is one, else a refutation."""
    if goal is None:
        return _Making("witness", {})
    if question.supply is None and goal.played is None:
        groups = find_groups(question, goal.sequences)
        if groups is not None:
            reason = {"removed": groups[0], "groups": groups[1]}
            return _Making("groups", {"reason.json": _json(reason)})
    chained = goal.sequences > question.wilds + 1 and question.supply is None
    if chained and 2 * question.at_least > len(question.cards[0]):
        raise Unproved("to join two sequences may take several cards, of which no proof speaks yet")
    drawn = [*question.cards, *(card for card, _ in question.offers)]
    ends = sum(comb(len(card), question.at_least) for card in drawn)
    if ends > MOST_ENDS:
        raise Unproved(f"{ends} pairs of a card and a hub, and up to {MOST_ENDS} are taken")
    formula = Formula(question, goal)
    found = refute(formula, deadline)
    files = {
        "formula.cnf": formula.text(found.clauses),
        "cuts.jsonl": "".join(json.dumps(cut) + "\n" for cut in found.cuts),
        "proof.drat": "".join(f"{line}\n" for line in found.proof),
    }
    return _Making("refutation", files)


def _verified(folder: Path, making: _Making, began: float) -> dict[str, Any]:
    """What is to be said of a certificate that was written; without a checker, that none was."""
    made_s = time.monotonic() - began
    told = {
        "certified": True,
        "kind": making.kind,
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
    return {**told, "told": shown, "checked_by": checker, "checked_s": checked_s}


def require_free(path: str | Path) -> None:
    """Refuse a folder where more than an older certificate would be lost.

    Raises
    ------
    NotAccepted
        If it holds other files, or is none.
    """
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise NotAccepted(f"{folder} is a file; a certificate is written into a folder")
    foreign = sorted(
        each.name
        for each in (folder.iterdir() if folder.exists() else ())
        if each.name not in (*FILES, CLAIM)
    )
    if foreign:
        raise NotAccepted(f"{folder} holds {foreign[0]!r}; a certificate takes an empty folder")


def _write(folder: Path, claim: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """The claim comes last: a folder without one is no certificate."""
    folder.mkdir(parents=True, exist_ok=True)
    hashes = {}
    for name, text in files.items():
        raw = text.encode()
        (folder / name).write_bytes(raw)
        hashes[name] = hashlib.sha256(raw).hexdigest()
    whole = {"version": VERSION, **claim, "files": hashes}
    with written(folder / CLAIM) as file:
        file.write(_json(whole).encode())


def _witness(answer: Answer) -> dict[str, Any]:
    told = answer.to_dict()
    return {key: told[key] for key in ("sequence", "added") if key in told}


def _made_by(answer: Answer) -> dict[str, Any]:
    """How the answer was found; nothing of it need be believed."""
    return {"method": answer.method, "backend": answer.backend, "proof_by": SOLVER}


def _json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, indent=1) + "\n"
