"""A reproducible benchmark set for other solvers.

The set is listed in ``list.jsonl``, one JSON object per line. Each file is generated from an
instance family, a question, an encoding and an eager connectivity, so it is self-contained. Its
SHA-256 confirms that it is the file that was measured. Measurements: ``results/benchmarks.md``.
"""

import hashlib
import json
import lzma
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

from uno_csp.errors import UnknownName, UnoCspError
from uno_csp.exports import export
from uno_csp.exports.xcsp import XCSP, require_pycsp3
from uno_csp.families import command_of, generate, options_of
from uno_csp.questions import Instance
from uno_csp.questions.answers import Status

ENDINGS: Mapping[str, str] = {"dimacs": "cnf", "wcnf": "wcnf", "opb": "opb", "xcsp": "xml"}
"""File name extension of each format, before compression."""

MANIFEST, SUMS = "MANIFEST.tsv", "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One file of the set."""

    name: str  # file name without its extensions
    to: str  # format: `dimacs`, `wcnf`, `opb` or `xcsp`
    # as for `generate`
    family: str
    # as for `export`
    encoding: str
    parameters: Mapping[str, Any]
    connectivity: str | None = None
    seed: int | None = None
    shuffle: int | None = None
    question: str | None = None
    bound: int | None = None
    # answer of the file: SATISFIABLE, UNSATISFIABLE, OPTIMAL, or UNKNOWN
    status: Status = Status.UNKNOWN
    objective: int | None = None  # the optimum of the question, if OPTIMAL
    # how this package found the answer from the question, not the file; empty if it did not
    confirmed: str = ""
    sha256: str = ""  # SHA-256 of the uncompressed file, in hexadecimal
    # CPU seconds of each solver that was run on the file; None if it reached its limit
    cpu_s: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Name of the compressed file."""
        return f"{self.name}.{ENDINGS[self.to]}.xz"

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of ``export`` and ``decode``."""
        return {"method": self.encoding, "connectivity": self.connectivity, "bound": self.bound}

    def instance(self) -> Instance:
        """Generate the question of the file."""
        return generate(
            self.family,
            seed=self.seed,
            question=self.question,
            shuffle=self.shuffle,
            **self.parameters,
        )

    def write(self, folder: Path) -> str:
        """Write the file and return the SHA-256 of its uncompressed content."""
        path = folder / self.file
        export(self.instance(), self.to, path, **self.options, question=False)
        with lzma.open(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    @property
    def command(self) -> str:
        """Shell command that makes the file."""
        chosen = {"seed": self.seed, "shuffle": self.shuffle, "question": self.question}
        making = command_of(self.family, self.parameters, **chosen)
        writing = ["uno-csp", "export", "-", "--to", self.to, "--method", self.encoding]
        writing += options_of({"connectivity": self.connectivity, "bound": self.bound})
        writing += ["--no-decode", "-o", self.file]
        return f"{shlex.join(making)} | {shlex.join(writing)}"


def read_list(text: str) -> list[Benchmark]:
    """Parse a list of benchmarks in JSON Lines."""
    read = []
    for line in text.splitlines():
        fields = json.loads(line)
        fields["status"] = Status(fields.get("status", Status.UNKNOWN))
        read.append(Benchmark(**fields))
    return read


def benchmarks(pattern: str = "*", to: str | None = None) -> list[Benchmark]:
    """Return the benchmarks whose names match a shell pattern, in order; those of one format."""
    whole = read_list((files(__package__) / "list.jsonl").read_text(encoding="utf-8"))
    chosen = [each for each in whole if fnmatchcase(each.name, pattern) and to in (None, each.to)]
    if not chosen:
        raise UnknownName(
            "benchmark", pattern, [each.name for each in whole if to in (None, each.to)]
        )
    return chosen


def make(folder: Path, chosen: Sequence[Benchmark]) -> Iterator[Benchmark]:
    """Write the files, ``MANIFEST.tsv`` and ``SHA256SUMS``; yield each file once it is written.

    Raises UnoCspError at the end if a file differs from the measured one, and BackendUnavailable
    before anything is written if pycsp3 is needed and not installed.
    """
    if any(each.to == XCSP for each in chosen):
        require_pycsp3()
    folder.mkdir(parents=True, exist_ok=True)
    different = []
    lines, sums = ["sha256\tfile\tstatus\tcommand"], []
    for each in chosen:
        digest = each.write(folder)
        status = each.status if each.objective is None else f"{each.status} {each.objective}"
        lines.append(f"{digest}\t{each.file}\t{status}\t{each.command}")
        compressed = hashlib.sha256((folder / each.file).read_bytes()).hexdigest()
        sums.append(f"{compressed}  {each.file}")
        if digest != each.sha256:
            different.append(each.name)
        yield each
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / SUMS).write_text("\n".join(sums) + "\n", encoding="utf-8")
    if different:
        raise UnoCspError(
            f"not byte for byte what was measured: {', '.join(different)}; graphs and clauses "
            "depend on the releases of networkx and python-sat"
        )
