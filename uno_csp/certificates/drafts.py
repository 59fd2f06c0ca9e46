"""Drafts of certificates: the files of each kind, and their description in words."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from uno_csp.certificates.bounds import count_rows
from uno_csp.certificates.folders import clear, require_free, write
from uno_csp.certificates.parts import Refuted
from uno_csp.certificates.refutation import HasSolution, Unproved, join_proofs
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.processes.deadline import clock_s
from uno_csp.questions.wording import counted
from uno_csp.verifier.kinds import verify
from uno_csp.verifier.proofs import BOUND, joined
from uno_csp.verifier.reading import Exceeded, NoChecker, Refused


@dataclass(frozen=True, slots=True)
class Draft:
    """Kind and files of a certificate, its description, and what its claim has besides."""

    kind: str
    files: Mapping[str, str]
    words: str
    claim: Mapping[str, Any] = field(default_factory=dict)


def draft_of(parts: Sequence[Refuted], files: Mapping[str, str]) -> Draft:
    """Write bounds keyed by part, and the other parts as one formula with its cuts and proof."""
    bounds = {str(i): part.bound for i, part in enumerate(parts) if part.bound is not None}
    rows = sum(map(count_rows, bounds.values()))
    words = f"contradictory inequalities ({rows} in all)"
    if bounds:
        files = {**files, BOUND: json.dumps(bounds) + "\n"}
    refuted = [(part.formula, part.refutation) for part in parts if part.refutation is not None]
    if not refuted:
        return Draft("bound", files, words)
    cuts = [{**cut, "part": i} for i, (_, each) in enumerate(refuted) for cut in each.cuts]
    for stated, refutation in refuted:
        stated.clauses += refutation.clauses
    formulas = [stated for stated, _ in refuted]
    proof = list(join_proofs(formulas, [refutation for _, refutation in refuted]))
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
    return Draft("refutation", {**files, **written}, words)


def certify_draft(
    path: str | PathLike[str],
    make: Callable[[], Draft],
    claim: Mapping[str, Any],
    files: Mapping[str, str],
    report: Mapping[str, Any],
) -> dict[str, Any]:
    """Make a certificate, write it, verify it, and return what there is to say of it.

    Parameters
    ----------
    path
        Where it is written, in place of an older one, which stays if no proof is found.
    claim, files
        Claim and files, without those of the draft.
    report
        What shows the bug if the answer is wrong, JSON-ready.

    Raises
    ------
    CheckFailed
        If there is a better answer, or the certificate is refused.
    """
    began = clock_s()
    require_free(path)
    try:
        draft = make()
    except (Refused, Unproved) as error:
        reason = str(error).removeprefix("question.json: ")
        return {"certified": False, "summary": reason}
    except HasSolution as error:
        raise CheckFailed(f"the answer is wrong: {error}", report) from None
    try:
        folder = clear(path)
        write(folder, {**claim, **draft.claim, "kind": draft.kind}, {**files, **draft.files})
    except NotAccepted as error:
        return {"certified": False, "summary": f"the certificate was not written: {error}"}
    made_s = clock_s() - began
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
    except (NoChecker, Exceeded) as error:
        return {**summary, "certified": False, "summary": str(error)}
    except Refused as error:
        raise CheckFailed(
            f"the certificate was refused: {error}", {"folder": str(folder)}
        ) from None
    checked_s = round(clock_s() - began - made_s, 6)
    words = shown.splitlines()[0]
    return {**summary, "summary": words, "checked_by": checker, "checked_s": checked_s}


def to_json(data: Mapping[str, Any]) -> str:
    """Return the content of a JSON file."""
    return json.dumps(data, indent=1) + "\n"
