"""Certificates about graphs: the certificate about the hand, and the graph beside it."""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from uno_csp.certificates.graph_verifier import GRAPH, HAND, require_hand, statement
from uno_csp.certificates.verifier import CLAIM
from uno_csp.errors import NotAccepted
from uno_csp.formats.files import written
from uno_csp.hamilton.hands import GraphHand
from uno_csp.hamilton.problems import Goal


def hand_folder(folder: str | PathLike[str]) -> Path:
    """Return where the certificate about the hand goes, and remove an older graph.

    Raises
    ------
    NotAccepted
        If the folder holds anything but an older certificate about a graph.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise NotAccepted(f"{target} is a file; a certificate is written to a folder")
    foreign = sorted({each.name for each in target.glob("*")} - {GRAPH, HAND})
    if foreign:
        raise NotAccepted(
            f"{target} holds {foreign[0]!r}, which is not part of a certificate about a graph; "
            "give a new or empty folder, or that of an older certificate"
        )
    (target / GRAPH).unlink(missing_ok=True)
    return target / HAND


def certified(
    hand: GraphHand, certificate: Mapping[str, Any], folder: str | PathLike[str]
) -> dict[str, Any]:
    """Write the graph beside the certificate about its hand, and return what it proves.

    A certificate that is not written, as for a yes, is returned as it is.
    """
    target = Path(folder)
    if not certificate.get("certified") or not (target / HAND / CLAIM).exists():
        return dict(certificate)
    problem = hand.problem
    given = {
        "version": 1,
        "goal": str(problem.goal),
        "vertices": list(map(str, problem.vertices)),
        "edges": [list(edge) for edge in problem.edges],
        "source": problem.source,
        "target": problem.target,
    }
    if problem.goal is Goal.CYCLE:
        given["doubled"] = hand.vertex[len(problem.vertices)]
    read = [json.loads((target / HAND / name).read_text()) for name in ("question.json", CLAIM)]
    require_hand(given, read[0])
    with written(target / GRAPH) as file:
        file.write(json.dumps(given).encode())
    summary = f"proved: {statement(given, read[1])}; {certificate['summary']}"
    return {**certificate, "summary": summary, "path": str(target)}
