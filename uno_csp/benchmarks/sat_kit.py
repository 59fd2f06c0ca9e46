"""The kit for SAT competitions: twenty CNF files and their description."""

import csv
import hashlib
import lzma
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uno_csp.benchmarks import Benchmark, benchmarks
from uno_csp.errors import UnoCspError
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions.answers import Status

OF_EACH_ANSWER = 10  # files with the answer SATISFIABLE, and as many with UNSATISFIABLE

SOLVER, WEAK_SOLVER = "kissat", "minisat"
WEAK_SOLVER_S = 60  # seconds in which MiniSat may not solve at least ten of the files

FILES, SUMS, TABLE = "cnf", "MD5SUMS", "benchmarks.csv"
DESCRIPTION, PDF = "description.tex", "description.pdf"
_RESULTS = {Status.SATISFIABLE: "sat", Status.UNSATISFIABLE: "unsat"}
_TEMPLATE = "sat_description.tex.j2"
_LATEX_S = 120
_ESCAPES = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "#$%&_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


@dataclass(frozen=True, slots=True)
class CnfFacts:
    """Sizes of a CNF file and its hashes, in hexadecimal."""

    # as its header gives them
    variables: int
    clauses: int
    # key of the Global Benchmark Database (Iser, Sinz 2018): MD5 of the clauses, joined by one
    # space, without header and comments
    gbd_hash: str
    md5: str  # MD5 of the compressed file


def inspect(path: Path) -> CnfFacts:
    """Read a compressed DIMACS file, one clause a line; raise UnoCspError if it is irregular."""
    digest = hashlib.md5(usedforsecurity=False)
    header = (0, -1)
    count = largest = 0
    with lzma.open(path, "rt", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("c"):
                continue
            words = line.split()
            if words[0] == "p":
                header = (int(words[2]), int(words[3]))
                continue
            variables = {abs(int(word)) for word in words[:-1]}
            if not variables or len(variables) < len(words) - 1 or words[-1] != "0":
                raise UnoCspError(f"{path.name}: a clause is empty or repeats a variable: {line}")
            largest = max(largest, *variables)
            digest.update((" " if count else "").encode() + " ".join(words).encode())
            count += 1
    if header[1] != count or header[0] < largest:
        raise UnoCspError(
            f"{path.name}: the header says {header[0]} variables and {header[1]} clauses, but "
            f"there are {largest} and {count}"
        )
    whole = hashlib.md5(path.read_bytes(), usedforsecurity=False)
    return CnfFacts(*header, digest.hexdigest(), whole.hexdigest())


def hardest() -> list[Benchmark]:
    """Return the DIMACS files that take kissat longest, ten for each answer."""
    tried = [each for each in benchmarks(to="dimacs") if WEAK_SOLVER in each.cpu_s]
    decided = [each for each in tried if each.cpu_s.get(SOLVER) is not None]
    decided.sort(key=lambda each: -(each.cpu_s[SOLVER] or 0))
    return [
        each
        for status in _RESULTS
        for each in [one for one in decided if one.status is status][:OF_EACH_ANSWER]
    ]


def make_sat_kit(folder: Path, author: str) -> Iterator[Benchmark]:
    """Write the files, their checksums, a table and a description; yield each file once written.

    ``benchmarks.csv`` has the columns of the Global Benchmark Database; ``description.tex``, in the
    style of IEEE conferences, is typeset if LaTeX is installed. Raises UnoCspError if a file is not
    the measured one, or not in the form that competitions ask for.
    """
    facts: dict[str, CnfFacts] = {}
    chosen = hardest()
    (folder / FILES).mkdir(parents=True)
    for each in chosen:
        if each.write(folder / FILES) != each.sha256:
            raise UnoCspError(f"{each.name}: not byte for byte what was measured")
        facts[each.name] = inspect(folder / FILES / each.file)
        yield each
    sums = [f"{facts[each.name].md5}  {FILES}/{each.file}\n" for each in chosen]
    (folder / SUMS).write_text("".join(sums), encoding="utf-8")
    with (folder / TABLE).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["hash", "filename", "family", "author", "result", "minisat1m", "kissat_s"])
        for each in chosen:
            quick = each.cpu_s[WEAK_SOLVER] is not None
            writer.writerow(
                [
                    facts[each.name].gbd_hash,
                    each.file,
                    "uno",
                    author,
                    _RESULTS[each.status],
                    "yes" if quick else "no",
                    each.cpu_s[SOLVER],
                ]
            )
    (folder / DESCRIPTION).write_text(_describe(chosen, facts, author), encoding="utf-8")
    _typeset(folder)


def _describe(chosen: Sequence[Benchmark], facts: Mapping[str, CnfFacts], author: str) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(  # noqa: S701  # LaTeX; the filter tex escapes
        loader=PackageLoader("uno_csp.benchmarks", ""),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.tests["contains"] = lambda text, part: part in text
    environment.filters["tex"] = lambda text: str(text).translate(_ESCAPES)
    rows = [_row(each, facts[each.name]) for each in chosen]
    times = [row["kissat"] for row in rows]
    return environment.get_template(_TEMPLATE).render(
        author=author,
        rows=rows,
        encodings=Counter(each.encoding for each in chosen),
        unsolved=sum(row["minisat"] is None for row in rows),
        weak_solver_s=WEAK_SOLVER_S,
        quickest=min(times),
        slowest=max(times),
        smallest=min(row["variables"] for row in rows),
        largest=max(row["variables"] for row in rows),
    )


def _row(each: Benchmark, facts: CnfFacts) -> dict[str, Any]:
    return {
        "name": each.name.removeprefix("uno-").rsplit("-", 1)[0],
        "answer": _RESULTS[each.status],
        "variables": facts.variables,
        "clauses": facts.clauses,
        "minisat": each.cpu_s[WEAK_SOLVER],
        "kissat": each.cpu_s[SOLVER],
    }


def _typeset(folder: Path) -> None:
    """Make the PDF of the description if LaTeX and its IEEE style are installed."""
    if shutil.which("pdflatex") is None or not _finds("IEEEtran.cls"):
        return
    with scratch_folder() as place:
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-output-directory"]
        for _ in range(2):  # references are known in the second run
            run = subprocess.run(
                [*command, str(place), str((folder / DESCRIPTION).absolute())],
                cwd=place,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LATEX_S,
                check=False,
            )
            if run.returncode:
                raise UnoCspError(f"{folder / DESCRIPTION}: pdflatex: {run.stdout[-300:].strip()}")
        shutil.copy(place / PDF, folder / PDF)


def _finds(style: str) -> bool:
    return (
        shutil.which("kpsewhich") is not None
        and subprocess.run(["kpsewhich", style], capture_output=True, check=False).returncode == 0
    )
