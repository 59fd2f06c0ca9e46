"""Write the successor model as XCSP3, and read the solutions of its solvers.

XCSP3 is the format of the constraint programming competitions (Boussemart, Lecoutre, Piette 2016);
pycsp3 writes it. It keeps its model in global variables and reads the arguments of the program, so
it runs in a process of its own.
"""

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from uno_csp.errors import BackendUnavailable, InstanceError, NotAccepted
from uno_csp.exports.heads import OPTIONS, Head
from uno_csp.exports.outputs import Output, Size
from uno_csp.exports.preparing import Comments, Exporting
from uno_csp.methods import ENCODINGS, NATIVE
from uno_csp.modeling import Circuit, Model, SolverOutput, read_lines
from uno_csp.processes.modules import run_module
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions.wording import shown

XCSP = "xcsp"
ENCODING = "successor"  # the only encoding with a variable for each node of a circuit
LIMIT_S = 600  # seconds that pycsp3 may take
MOST_ARCS = 1_100_000  # largest circuit, of some 1,000 cards of one colour: pycsp3 takes 300 MB
_FILE = "model.xml"
_HYPHENS = re.compile("-(?=-)")  # a comment in XML has no two hyphens in a row
_SOLUTION = re.compile(
    r"<instantiation[^<>]*>\s*<list>([^<>]*)</list>\s*<values>([^<>]*)</values>\s*</instantiation>"
)
_VARIABLE = re.compile(r"x\[(?:([0-9]{1,9})(?:\.\.([0-9]{1,9}))?)?\]")
_VALUE = re.compile(r"(-?[0-9]{1,9}|\*)(?:x([0-9]{1,9}))?")


def write_xcsp(prepared: Exporting, stream: Output, comments: Comments) -> Size:
    """Write a question encoded by ``successor`` as an XCSP3 instance; return its size.

    Variable x[u] is the node after node u, 0 for the pile; its domain has the heads of the arcs
    from u. The constraint ``circuit`` joins them, where x[u] = u leaves u out. If there are costs,
    a table gives c[u], the cost of the arc chosen at u, and the sum is minimised. Raises
    NotAccepted if there is no card to play, and BackendError if pycsp3 fails.
    """
    require_pycsp3()
    program = _program(prepared.encoded.model)
    with scratch_folder() as folder:
        run_module(__name__, program, str(folder / _FILE), limit_s=LIMIT_S, title="pycsp3")
        with (folder / _FILE).open(encoding="utf-8") as source:
            stream.write(next(source))
            stream.writelines(f"  <!-- {_HYPHENS.sub('~', line)} -->\n" for line in comments())
            stream.writelines(source)
    fixed = sum(not domain for domain in program["domains"])
    constraints = 1 + fixed + len(program["tables"]) + len(program["clauses"])
    return len(program["domains"]), constraints


def require_pycsp3() -> None:
    """Raise BackendUnavailable unless pycsp3 is installed."""
    if find_spec("pycsp3") is None:
        raise BackendUnavailable('pycsp3 is not installed: pip install "uno-csp[xcsp]"')


def _program(model: Model) -> dict[str, Any]:
    """Return the model as plain data: domains, tables of costs, and clauses of (node, next, is)."""
    circuit = _circuit(model)
    if len(circuit.literals) > MOST_ARCS:
        raise NotAccepted(
            f"{XCSP} is made in memory, for at most {MOST_ARCS:,} pairs of cards that match, not "
            f"{len(circuit.literals):,}; cpsat has the same model"
        )
    arcs = dict(zip(circuit.literals, zip(circuit.tails, circuit.heads, strict=True), strict=True))
    domains: list[list[int]] = [[] for _ in range(circuit.num_nodes)]
    for tail, head in arcs.values():
        domains[tail].append(head)
    costs: dict[tuple[int, int], int] = {}
    if model.objective is not None:
        terms = zip(model.objective.coefficients, model.objective.literals, strict=True)
        costs = {arcs[literal]: coefficient for coefficient, literal in terms}
    # An objective without costs still needs a term: it is 0.
    priced = {tail for tail, _ in costs} or ({0} if model.objective else set())
    tables = [
        (tail, [(head, costs.get((tail, head), 0)) for head in domains[tail]])
        for tail in sorted(priced)
    ]
    clauses = [
        [(*arcs[abs(literal)], literal > 0) for literal in clause] for clause in model.clauses
    ]
    return {"domains": domains, "tables": tables, "clauses": clauses}


def _circuit(model: Model) -> Circuit:
    """Return the circuit of a model; raise NotAccepted if no card can be played."""
    for each in model.globals:
        if isinstance(each, Circuit):
            return each
    raise NotAccepted(f"{XCSP} needs a card that can be played")


def require_circuit(head: Head) -> None:
    """Raise NotAccepted unless question and options are those of the only model that is written."""
    for name, only in zip(OPTIONS, (ENCODING, NATIVE, None), strict=True):
        given = getattr(head, name)
        if given not in (None, only):
            but = f"but {only}" if only else "because it has the objective"
            raise NotAccepted(f"{XCSP} takes no {name} {but}: {given} is not allowed")
    refusal = ENCODINGS.find(ENCODING).refusal(head.instance)
    if refusal is not None:
        raise NotAccepted(f"{XCSP} does not take this question: {refusal}")


def read_instantiation(text: str, model: Model) -> SolverOutput:
    """Read the output of an XCSP3 solver as one for the arcs of the circuit."""
    printed = read_lines(text)
    solutions = "\n".join(line for line, _ in printed.values)
    found = _SOLUTION.findall(solutions)
    if not found or _SOLUTION.sub("", solutions).strip():
        raise InstanceError("solver output: no <instantiation> with a <list> and <values>")
    circuit = _circuit(model)
    arcs = zip(circuit.tails, circuit.heads, strict=True)
    literals = dict(zip(arcs, circuit.literals, strict=True))
    names, given = found[-1]
    chosen = []
    for arc in enumerate(_following(names, given, circuit.num_nodes)):
        if arc not in literals:
            raise InstanceError(f"solver output: x[{arc[0]}] cannot be {arc[1]}")
        chosen.append(literals[arc])
    others = set(circuit.literals) - set(chosen)
    values = (*chosen, *(-literal for literal in sorted(others)))
    return SolverOutput(printed.status, values, printed.objective, (XCSP,))


def _following(names: str, values: str, nodes: int) -> list[int]:
    listed = f"the solution must give x[0] to x[{nodes - 1}]"
    given = _expand(values, nodes)
    following: dict[int, str] = {}
    for name in names.split():
        read = _VARIABLE.fullmatch(name)
        if read is None:
            break  # the costs follow
        first = int(read[1] or 0)
        last = int(read[2] or first) if read[1] else nodes - 1
        if last >= nodes:
            raise InstanceError(f"solver output: {name} has no variable x[{last}]; {listed}")
        following.update(zip(range(first, last + 1), given[len(following) :], strict=False))
    if sorted(following) != list(range(nodes)) or "*" in following.values():
        raise InstanceError(f"solver output: {listed}")
    return [int(following[node]) for node in range(nodes)]


def _expand(values: str, most: int) -> list[str]:
    """Return the first ``most`` values; ``1x3`` stands for three values 1."""
    given: list[str] = []
    for word in values.split():
        read = _VALUE.fullmatch(word)
        if read is None:
            raise InstanceError(f"solver output: {shown(word)} is not a value of a variable")
        given += [read[1]] * min(int(read[2] or 1), most)
    return given[:most]


def _main() -> None:
    """Write the model on standard input to the file that is the only argument."""
    program, path = json.load(sys.stdin), Path(sys.argv.pop())
    sys.argv = [""]  # pycsp3 reads the arguments when it is imported
    import pycsp3
    from pycsp3.compiler import Compilation

    Compilation.done = True  # nothing is to be compiled when the process ends
    pycsp3.clear()
    domains: list[list[int]] = program["domains"]
    x = pycsp3.VarArray(id="x", size=len(domains), dom=lambda node: set(domains[node]) or {node})
    pycsp3.satisfy(pycsp3.Circuit(x))
    pycsp3.satisfy(x[node] != node for node, domain in enumerate(domains) if not domain)
    pycsp3.satisfy(
        pycsp3.disjunction(
            (x[node] == head) if holds else (x[node] != head) for node, head, holds in clause
        )
        for clause in program["clauses"]
    )
    tables = program["tables"]
    if tables:
        c = pycsp3.VarArray(
            id="c", size=len(tables), dom=lambda i: {cost for _, cost in tables[i][1]}
        )
        pycsp3.satisfy(
            (x[node], c[i]) in list(map(tuple, table)) for i, (node, table) in enumerate(tables)
        )
        pycsp3.minimize(pycsp3.Sum(c))
    pycsp3.compile(str(path))


if __name__ == "__main__":
    _main()
