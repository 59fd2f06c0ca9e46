"""Solvers that are not ours agree on exported files, and the rule in a file gives the answer."""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import highspy
import pytest
import swiglpk as glpk
from ortools.sat.python import cp_model
from pulp.apis.coin_api import pulp_cbc_path
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

import uno_csp
from tests.exports.test_xcsp import ace, needs_java
from tests.support.hands import Proved, truth
from tests.support.outside import decode
from tests.support.products import spread
from uno_csp import InstanceError, Status, UnoCspError, encoding_names, export, parse
from uno_csp.exports.linear_programs import write_lp, write_mps, write_opb
from uno_csp.exports.outputs import Output
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import DECOMPOSITIONS, Model, Objective, Proof, Relation, read_competition
from uno_csp.questions import Instance

KINDS = ("uno-1", "longest", "fill-in", "cooperative")
PAIRS = [
    (kind, encoding)
    for kind in KINDS
    for encoding in encoding_names()
    if any(ENCODINGS.find(encoding).refusal(each.instance) is None for each in truth(kind))
]
PRICED = parse(
    {
        "question": "fill-in",
        "cards": [["red", 1], ["blue", 2]],
        "supply": [["red", 2], ["red", 3], ["blue", 3]],
        "costs": [5, 2, 1],
    }
)
LONG_NAME = "a long name, " * 15


def cases(kind: str, encoding: str, most_cards: int) -> list[Proved]:
    """Up to four small instances, with both answers if there are both."""
    refusal = ENCODINGS.find(encoding).refusal
    small = [
        each
        for each in truth(kind)
        if len(each.instance.cards) <= most_cards and refusal(each.instance) is None
    ]
    priced = [Proved(PRICED, "OPTIMAL", 3)]
    more = priced if kind == "fill-in" and refusal(PRICED) is None else []
    return [*small[:: max(1, len(small) // 3)][:3], *small[-1:], *more]


def test_every_kind_with_a_model_is_tried() -> None:
    assert {kind for kind, _ in PAIRS} == set(KINDS)
    assert len(PAIRS) >= 13


Said = Iterator[tuple[str, float | None]]
"""What may be given to ``decode``, with the objective value that the solver found."""


def by_highs(file: Path) -> Said:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    assert highs.readModel(str(file)) is not highspy.HighsStatus.kError
    highs.run()
    highs.writeSolution(f"{file}.sol", 0)
    yield Path(f"{file}.sol").read_text(), highs.getObjectiveValue()


def by_cbc(file: Path) -> Said:
    solution = Path(f"{file}.sol")
    command = [pulp_cbc_path, str(file), "solve", "solution", str(solution)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "with 0 errors" in done.stdout or file.suffix == ".lp", done.stdout
    text = solution.read_text()
    yield text, float(text.split("\n")[0].split()[-1])


def by_glpk(file: Path) -> Said:
    glpk.glp_term_out(glpk.GLP_OFF)
    for form in (None,) if file.suffix == ".lp" else (glpk.GLP_MPS_DECK, glpk.GLP_MPS_FILE):
        problem = glpk.glp_create_prob()
        if form is None:
            assert glpk.glp_read_lp(problem, None, str(file)) == 0
        else:
            assert glpk.glp_read_mps(problem, form, None, str(file)) == 0
        options = glpk.glp_iocp()
        glpk.glp_init_iocp(options)
        options.presolve = glpk.GLP_ON
        assert glpk.glp_intopt(problem, options) in (0, glpk.GLP_ENOPFS)
        value = glpk.glp_mip_obj_val(problem)
        glpk.glp_write_mip(problem, f"{file}.sol")
        if "s mip" in Path(f"{file}.sol").read_text():
            yield Path(f"{file}.sol").read_text(), value
        glpk.glp_print_mip(problem, f"{file}.out")
        glpk.glp_delete_prob(problem)
        yield Path(f"{file}.out").read_text(), value


def by_clasp(file: Path, quiet: str = "--quiet=1") -> Said:
    command = [sys.executable, "-m", "clingo", "--mode=clasp", "--outf=1", quiet, str(file)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^o (.+)$", text, re.MULTILINE)
    yield text, float(found[-1]) if found else None


def by_rc2(file: Path) -> Said:
    with RC2(WCNF(from_file=str(file))) as solver:
        model = solver.compute()
        if model is None:
            yield "s UNSATISFIABLE\n", None
            return
        bits = "".join(str(int(literal > 0)) for literal in model)
        yield f"o {solver.cost}\ns OPTIMUM FOUND\nv {bits}\n", solver.cost
        literals = " ".join(map(str, model))
        yield f"o {solver.cost}\ns OPTIMUM FOUND\nv {literals}\n", solver.cost


def by_minisat(file: Path) -> Said:
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(file))) as solver:
        found = solver.solve()
        values = " ".join(map(str, [*(solver.get_model() or ()), 0]))
    yield (f"s SATISFIABLE\nv {values}\n" if found else "s UNSATISFIABLE\n"), None
    yield (f"SAT\n{values}\n" if found else "UNSAT\n"), None


def by_cp_sat(file: Path) -> Said:
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(file.read_text())
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    name = solver.status_name(solver.solve(model))
    if name != "OPTIMAL":
        assert name == "INFEASIBLE"
        yield "s UNSATISFIABLE\n", None
        return
    count = len(model.proto.variables)
    values = [solver.boolean_value(model.get_bool_var_from_proto_index(i)) for i in range(count)]
    bits = " ".join(str(i if value else -i) for i, value in enumerate(values, start=1))
    optimises = model.has_objective()
    word = "OPTIMUM FOUND" if optimises else "SATISFIABLE"
    yield f"s {word}\nv {bits} 0\n", solver.objective_value if optimises else None


def by_ace(file: Path) -> Said:
    command = ["java", "-jar", ace(), str(file), "-t=100s", "-npc"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^o (\S+)", text, re.MULTILINE)
    yield text, float(found[-1]) if found else None


Run = Callable[[Path], Said]


def by_program(command: str) -> Run:
    """Return a way to run a program of Debian, which prints its answer or writes it to a file."""

    def run(file: Path) -> Said:
        out = file.with_suffix(".out")
        words = command.format(file=file, out=out).split()
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        yield out.read_text() if "{out}" in command else done.stdout, None

    run.__name__ = command.partition(" ")[0]
    return run


PROGRAMS = [
    (to, by_program(command), 5)
    for to, command in (
        ("dimacs", "cadical -q {file}"),
        ("dimacs", "minisat {file} {out}"),
        ("dimacs", "picosat {file}"),
        ("opb", "minisat+ {file}"),
    )
    if shutil.which(command.partition(" ")[0])
]
SOLVERS: list[tuple[str, Run, int]] = [
    ("lp", by_highs, 6),
    ("lp", by_cbc, 5),
    ("lp", by_glpk, 4),
    ("mps", by_highs, 6),
    ("mps", by_cbc, 5),
    ("mps", by_glpk, 4),
    ("opb", by_clasp, 6),
    ("dimacs", by_clasp, 6),
    ("wcnf-classic", by_clasp, 6),
    ("wcnf", by_rc2, 6),
    ("wcnf-classic", by_rc2, 6),
    ("dimacs", by_minisat, 6),
    ("cpsat", by_cp_sat, 6),
]
"""Formats, the solvers that read them, and the largest number of cards that they are given."""


def value_by_the_rule(text: str, value: float) -> Fraction:
    """The value of the answer, by the rule in the comments of a file."""
    (rule,) = re.findall(r"^[^\w]*(?:c )?answer = (.*?)(?: -->)?$", text, re.MULTILINE)
    names: dict[str, Any] = {"objective": Fraction(value), "cost": Fraction(value)}
    return Fraction(eval(rule, {"max": max, "min": min}, names))  # noqa: S307


def tried(proved: Proved, to: str, run: Run, folder: Path, **options: Any) -> bool:
    """Export, solve outside and decode; return False if the format does not take the question."""
    instance, method = proved.instance, options.get("method")
    file = folder / f"question.{'xml' if to == 'xcsp' else to}"
    try:
        export(instance, to, file, **options)
    except UnoCspError as error:
        assert to.startswith("wcnf") == (not instance.optimises), error
        return False
    exact = method is None or ENCODINGS.find(method).proves == Proof.EXACT
    text = file.read_text()
    for said, value in run(file):
        if to == "xcsp" and "<instantiation" not in said:
            options = {"method": "successor"}
        answer = decode(instance, said, to=to, **options)
        if exact or answer.status is not Status.UNKNOWN:
            assert (answer.status, answer.objective) == (proved.status, proved.objective), instance
        if instance.optimises and value is not None and answer.objective is not None:
            assert value_by_the_rule(text, value) == answer.objective
            if to in ("lp", "cpsat") and "/" not in text.split("answer = ")[1].split("\n")[0]:
                assert abs(value - answer.objective) < 1e-6 or answer.objective == 0
    return True


def named(choice: tuple[Any, ...]) -> str:
    return "-".join(getattr(part, "__name__", str(part)) for part in choice)


@pytest.mark.parametrize(("solver", "pair"), spread(3, [*SOLVERS, *PROGRAMS], PAIRS), ids=named)
def test_solvers_agree(solver: tuple[str, Run, int], pair: tuple[str, str], tmp_path: Path) -> None:
    (to, run, most), (kind, encoding) = solver, pair
    if to == "dimacs" and kind in ("longest", "fill-in"):
        return  # a decision only: see test_optimisation_as_a_decision
    found = [
        tried(each, to, run, tmp_path, method=encoding, connectivity=list(DECOMPOSITIONS)[i % 2])
        for i, each in enumerate(cases(kind, encoding, most)[len(run.__name__) % 2 :: 2])
    ]
    assert all(found) or (to.startswith("wcnf") and kind in ("uno-1", "cooperative"))


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["uno-1", "longest", "fill-in"])
def test_xcsp_solvers_agree(kind: str, tmp_path: Path) -> None:
    assert all(
        tried(each, "xcsp", by_ace, tmp_path)
        for each in cases(kind, "successor", 6)
        if each.instance.cards
    )


@pytest.mark.parametrize("to", ["dimacs", "wcnf", "opb", "lp", "mps", "cpsat", "xcsp", "hcp"])
def test_no_line_of_a_comment_is_long(to: str, tmp_path: Path) -> None:
    asked = {"question": "uno-1" if to in ("dimacs", "hcp") else "longest"}
    texts = {"name": LONG_NAME, "comment": "x" * 300 + "\u202e\x1b[2J -- ---"}
    known = {"status": "SATISFIABLE", "why": LONG_NAME} if to in ("dimacs", "hcp") else None
    cards = [["r" * 60, 1], ["r" * 60, 2], ["\u202eblue", 2]]
    instance = parse({**asked, **texts, "cards": cards, **({"expected": known} if known else {})})
    file = tmp_path / f"q.{to}"
    export(instance, to, file, varnames=to != "hcp")
    marks = ("c", "*", "\\", "#", "  <!--", "COMMENT", "NAME :")
    lines = [line for line in file.read_text().splitlines() if line.startswith(marks)]
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("to", ["lp", "mps", "opb"])
def test_large_numbers_are_written_exactly(to: str) -> None:
    large = 10**17 + 1
    stream = io.StringIO()
    model = Model(2)
    model.add_linear([large, 1], [1, 2], Relation.AT_MOST, large)
    model.objective = Objective([0], [1])
    given: Any = SimpleNamespace(model=model, constant=lambda _: -large, maximises=False)
    writers = {"lp": write_lp, "mps": write_mps, "opb": write_opb}
    writers[to](given, Output(stream, 10_000), tuple)
    words = re.findall(r"\d+", stream.getvalue())
    assert words.count(str(large)) == 3


def test_numbers_of_columns_are_those_of_a_file(tmp_path: Path) -> None:
    hand = parse({"question": "longest", "cards": ["R1", "R2", "B2", "G3"]})
    said = {}
    for to in ("lp", "mps"):
        export(hand, to, tmp_path / f"q.{to}")
        said[to], _ = next(by_glpk(tmp_path / f"q.{to}"))
        answer = uno_csp.decode((tmp_path / f"q.{to}").read_text(), said[to])
        assert (answer.status, answer.objective) == (Status.OPTIMAL, 3)
    with pytest.raises(UnoCspError, match="give that instead of the question"):
        uno_csp.decode(hand, said["lp"], method="hub-trail")
    with pytest.raises(InstanceError, match=r"it has 1 columns, and the exported file \d+;"):
        decode(hand, "s mip 1 1 o 0\ni 1 0\nj 1 1\ne o f\n", to="lp")


def test_models_without_rows_or_variables_are_solved(tmp_path: Path) -> None:
    no_row = parse({"question": "longest", "cards": []})
    no_variable = parse({"question": "fill-in", "cards": [], "supply": []})
    tries: list[tuple[Instance, str, Run]] = [
        *((no_row, to, run) for to, run in (("lp", by_glpk), ("mps", by_glpk), ("mps", by_highs))),
        *((asked, to, by_cbc) for asked, to in ((no_row, "lp"), (no_variable, "lp"))),
        (no_variable, "mps", by_cbc),
    ]
    for asked, to, run in tries:
        assert tried(Proved(asked, "OPTIMAL", 0), to, run, tmp_path)


def test_clasp_prints_every_better_solution(tmp_path: Path) -> None:
    hand = parse({"question": "longest", "cards": ["R1", "R2", "R3", "B2", "G3", "Y1"]})
    export(hand, "wcnf-classic", tmp_path / "hand.wcnf")
    ((said, cost),) = by_clasp(tmp_path / "hand.wcnf", "--quiet=0")
    answer = decode(hand, said)
    assert (answer.status, answer.objective, cost) == (Status.OPTIMAL, 5, 1)


def test_of_several_solutions_the_last_counts() -> None:
    several = "v 1 -2\nv -3 0\no 2\nv -1 2\nv 3 0\no 1\ns OPTIMUM FOUND\n"
    assert read_competition(several).literals == (-1, 2, 3)
    assert read_competition(several).objective == 1
    for faulty in (several.replace("o 2\n", ""), several.replace("-3 0", "-3")):
        with pytest.raises(InstanceError, match="solver output"):
            read_competition(faulty)
