"""Attack certificates about graphs: right claims get one, wrong ones none, none fits another."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from tests.support import drawing
from tests.support.certifying import signed
from tests.support.paths import Paths
from uno_csp import UnoCspError
from uno_csp.certificates.graphs import (
    certify_graph,
    find_few_inequalities,
    order,
    refutation,
    separator,
    subtours,
)
from uno_csp.certificates.parts import ProofOptions
from uno_csp.certificates.refutation import HasSolution
from uno_csp.hamilton import Goal as Sought
from uno_csp.hamilton import HamiltonProblem, solve_problem
from uno_csp.verifier.graphs import Graph, allowed, verify
from uno_csp.verifier.reading import judged

Data = dict[str, Any]
"""The content of ``graph.json``."""


def attempt(draw: st.DrawFn) -> None:
    """Certify what is claimed of a graph, and forge."""
    data, rng = draw(problems()), draw(st.randoms(use_true_random=False))
    status, value = truth(data)
    assert [*forged(data, status, value)] == [], data
    if status != "SATISFIABLE":
        require_certificate(data, status, value)
        with TemporaryDirectory() as folder:
            require_other_refused(data, status, value, rng, Path(folder) / "certificate")


@st.composite
def problems(draw: st.DrawFn) -> Data:
    """Graphs of up to 8 vertices, each with a goal."""
    graph, goal = draw(drawing.graphs()), draw(st.sampled_from(Sought))
    size = len(graph)
    source: int | None = None
    target: int | None = None
    if goal is Sought.PATH and size > 1:
        ends = draw(st.permutations(range(size)))[:2]
        source, target = (end if draw(st.booleans()) else None for end in ends)
    return {
        "goal": str(goal),
        "vertices": [f"v{number}" for number in range(size)],
        "edges": draw(st.permutations([*map(list, graph.edges)])),
        "source": source,
        "target": target,
    }


def truth(data: Data) -> tuple[str, int | None]:
    """Return status and objective by dynamic programming."""
    paths = Paths(len(data["vertices"]), [(u, v) for u, v in data["edges"]])
    match data["goal"]:
        case "cycle":
            found = paths.has_cycle()
        case "path":
            found = paths.has_path(data["source"], data["target"])
        case "paths":
            return "OPTIMAL", paths.fewest()
        case _:
            return "OPTIMAL", paths.longest()
    return ("SATISFIABLE" if found else "UNSATISFIABLE"), None


def require_certificate(data: Data, status: str, value: int | None) -> None:
    """Assert that a right claim has an order and a refutation."""
    graph = Graph(data)
    goal = allowed(graph, {"status": status, "objective": value})
    if goal is not None:
        assert order(graph, goal) is not None, data
        refutation(graph, goal, ProofOptions(bounds=False))


def forged(data: Data, status: str, value: int | None) -> Iterator[str]:
    """Yield the kinds of certificates that can be made for a claim that is too good by one."""
    if status == "SATISFIABLE":
        claim: Data = {"status": "UNSATISFIABLE", "objective": None}
    elif value is not None:
        claim = {"status": status, "objective": value + (1 if data["goal"] == "paths" else -1)}
    else:
        return
    if claim["objective"] == 0:
        return
    graph = Graph(data)
    goal = allowed(graph, claim)
    assert goal is not None, f"nothing is said to be better than {claim}"
    kinds: dict[str, Callable[[], object]] = {
        "separator": lambda: separator(graph, goal),
        "subtours": lambda: subtours(graph, goal, ProofOptions()),
        "inequalities": lambda: find_few_inequalities(graph, goal, ProofOptions()),
        "order": lambda: order(graph, goal),
        "refutation": lambda: refutation(graph, goal, ProofOptions(bounds=False)),
    }
    for kind, make in kinds.items():
        with suppress(HasSolution):
            if make() is not None:
                yield f"{claim} is shown by {kind}"


def require_other_refused(
    data: Data, status: str, value: int | None, rng: random.Random, folder: Path
) -> None:
    """Try the certificate with another objective or a changed graph, and valid hashes."""
    problem = HamiltonProblem(
        Sought(data["goal"]),
        tuple(data["vertices"]),
        tuple((u, v) for u, v in data["edges"]),
        data["source"],
        data["target"],
    )
    found = solve_problem(problem).paths if status == "OPTIMAL" else None
    paths = [[data["vertices"].index(name) for name in path] for path in found or ()]
    claim: Data = {"status": status, "objective": value, "made_by": {}}
    made = certify_graph(data, claim, paths or None, folder)
    assert made["certified"], (data, made["summary"])
    changed = json.loads((folder / "graph.json").read_text())
    claim = json.loads((folder / "claim.json").read_text())
    change(changed, claim, rng)
    (folder / "graph.json").write_text(json.dumps(changed))
    (folder / "claim.json").write_text(json.dumps(claim))
    signed(folder)
    code, words = judged(folder, "auto", verify)
    assert code in (0, 1, 2), words
    try:
        right = code or truth(changed) == (claim["status"], claim["objective"])
    except (UnoCspError, IndexError):
        right = False
    assert right, f"{claim} is certified of {changed}: {words}"


def change(data: Data, claim: Data, rng: random.Random) -> None:
    """Change the claim, an edge, the goal or the ends."""
    size = len(data["vertices"])
    match rng.choice(("value", "more", "fewer", "goal", "ends")):
        case "value" if claim["objective"] is not None:
            claim["objective"] += rng.choice((-1, 1))
        case "more":
            data["edges"].append([rng.randrange(size), rng.randrange(size)])
        case "fewer" if data["edges"]:
            data["edges"].pop(rng.randrange(len(data["edges"])))
        case "goal":
            data["goal"] = rng.choice(tuple(map(str, Sought)))
        case _:
            data["source"], data["target"] = rng.choice((None, 0)), rng.choice((None, size - 1))
