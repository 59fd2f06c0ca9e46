"""Drafts of certificates: the files of each kind, and their description in words."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from uno_csp.certificates.bounds import count_rows
from uno_csp.certificates.folders import holds_certificate, place, require_free, write
from uno_csp.certificates.parts import Refuted
from uno_csp.certificates.refutation import HasSolution, Unproved, join_proofs
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.processes.deadline import clock_s
from uno_csp.processes.scratch import scratch_folder
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
    """Make a certificate, verify it, write it, and return what there is to say of it.

    An older one at ``path`` stays if none is made or it is refused. ``claim`` and ``files`` lack
    those of the draft. Raises CheckFailed, with the JSON-ready ``report``, if there is a better
    answer, or the certificate is refused.
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
    summary = {
        "kind": draft.kind,
        "reason": draft.words,
        "bytes": sum(map(len, draft.files.values())),
        "made_s": round(clock_s() - began, 6),
    }
    with scratch_folder() as made:
        try:
            whole = {**claim, **draft.claim, "kind": draft.kind}
            write(made, whole, {**files, **draft.files})
            summary |= _verified(made)
        except OSError as error:
            return not_written(path, error)
        except Refused as error:
            raise CheckFailed(f"the certificate was refused: {error}", report) from None
        return placed(made, path, summary)


def _verified(folder: Path) -> dict[str, Any]:
    """Return what the verifier says of a certificate; raise Refused if it is wrong."""
    began = clock_s()
    try:
        shown, checker = verify(folder)
    except (NoChecker, Exceeded) as error:
        return {"certified": False, "summary": str(error)}
    return {
        "certified": True,
        "summary": shown.splitlines()[0],
        "checked_by": checker,
        "checked_s": round(clock_s() - began, 6),
    }


def placed(made: Path, path: str | PathLike[str], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Put a certificate in its place; return what there is to say of it, with the place.

    One that nobody could verify does not replace an older one.
    """
    if not summary["certified"] and holds_certificate(path):
        kept = f"{fspath(path)} keeps its older certificate"
        return {**summary, "summary": f"{summary['summary']}; {kept}"}
    try:
        place(made, path)
    except (NotAccepted, OSError) as error:
        return not_written(path, error)
    return {**summary, "path": fspath(path)}


def not_written(path: str | PathLike[str], error: Exception) -> dict[str, Any]:
    """Return what there is to say of a certificate that could not be written."""
    why = str(error)
    if isinstance(error, OSError):
        why = f"{fspath(path)}: {(error.strerror or why).lower()}"
    return {"certified": False, "summary": f"the certificate was not written: {why}"}


def to_json(data: Mapping[str, Any]) -> str:
    """Return the content of a JSON file."""
    return json.dumps(data, indent=1) + "\n"
