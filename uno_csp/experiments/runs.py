"""Description of one run as plain data: instance, combination, seed and limits."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from uno_csp.families import Family, Origin, command_of, options_of
from uno_csp.families import generate as generate_instance
from uno_csp.formats import parse, question_to_dict
from uno_csp.pipeline import Options
from uno_csp.processes.supervision import Limits
from uno_csp.questions import FillIn, Instance, Longest

ID_CHARS = 16
ANSWERED, UNKNOWN, WRONG, ERROR = "answered", "unknown", "wrong", "error"
UNAVAILABLE = "unavailable"  # `wrong` contradicts a proof, or its check
CLEAN = "clean"  # the key by which a worker reports that it has left no process behind


@dataclass(frozen=True, slots=True)
class Combination:
    """A way to solve a question; None leaves a choice to ``solve``."""

    method: str | None
    connectivity: str | None
    backend: str | None
    presolve: bool = False
    workers: int = 1

    @property
    def label(self) -> str:
        """A short unique name."""
        named = [self.method or "default", self.backend, self.connectivity]
        label = " + ".join(part for part in named if part)
        label += " + presolve" if self.presolve else ""
        return label + (f" x{self.workers}" if self.workers > 1 else "")


@dataclass(frozen=True, slots=True)
class InstanceSource:
    """Origin of an instance as canonical JSON; equal sources give equal instances."""

    # JSON of family, parameters, seed, shuffle and question; or of file, line and content
    described: str
    family: str  # family, by which tables are grouped; `files` for instances from files
    origin: str  # `random` or `structured`; instances from files count as structured
    name: str  # human-readable name
    question: str  # the kind of question

    @staticmethod
    def of_family(
        family: Family,
        parameters: Mapping[str, Any],
        seed: int | None,
        shuffle: int | None,
        question: str | None,
        made: Instance,
    ) -> "InstanceSource":
        """Return the source of a generated instance, with default parameters filled in."""
        full = {each.name: each.default for each in family.parameters.values()} | dict(parameters)
        described = {
            "family": family.name,
            "parameters": full,
            "seed": seed,
            "shuffle": shuffle,
            "question": question or made.question,
        }
        name = made.name + ("" if shuffle is None else f", shuffled by {shuffle}")
        return InstanceSource(
            _canonical(described), family.name, str(family.origin), name, made.question
        )

    @staticmethod
    def of_file(file: str, line: int | None, asked: Mapping[str, Any]) -> "InstanceSource":
        """Return the source of a question in a file, including the question itself."""
        described = _canonical({"file": file, "line": line, "asked": asked})
        shown = file if line is None else f"{file}:{line}"
        name = str(asked.get("name") or shown)
        return InstanceSource(described, "files", Origin.STRUCTURED, name, asked["question"])

    @property
    def id(self) -> str:
        """Hash of the source, the same in every suite."""
        return _hash(self.described)

    def instance(self) -> Instance:
        """Generate or parse the instance."""
        data = json.loads(self.described)
        if "asked" in data:
            return parse(data["asked"])
        asked = None if data["question"] in ("cooperative", "uncooperative") else data["question"]
        return generate_instance(
            data["family"],
            seed=data["seed"],
            question=asked,
            shuffle=data["shuffle"],
            **data["parameters"],
        )


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a suite."""

    suite: str
    source: InstanceSource
    combination: Combination
    seed: int
    limits: Limits
    certify: bool = False

    @property
    def id(self) -> str:
        """Hash of the run's description, by which a suite is resumed."""
        return _hash(
            _canonical(
                [
                    self.source.described,
                    asdict(self.combination),
                    self.seed,
                    asdict(self.limits),
                    *(["certify"] if self.certify else []),
                ]
            )
        )

    @property
    def process_limits(self) -> Limits:
        """Limits of the process: with a certificate, three time limits (solve, make and check)."""
        wall_s = self.limits.wall_s
        if not self.certify or wall_s is None:
            return self.limits
        return replace(self.limits, wall_s=3 * wall_s)

    @property
    def options(self) -> Options:
        """Options for ``solve``; the supervising process enforces the other limits."""
        return Options(time_limit_s=self.limits.wall_s, seed=self.seed, **asdict(self.combination))

    @property
    def label(self) -> str:
        """Human-readable description in one line."""
        return f"{self.source.name}: {self.combination.label}"

    def identity(self) -> dict[str, Any]:
        """Return the fields of a record that do not depend on the outcome."""
        source, way = self.source, self.combination
        return {
            "run": self.id,
            "suite": self.suite,
            "instance": {
                "id": source.id,
                "name": source.name,
                "family": source.family,
                "origin": source.origin,
                "question": source.question,
                "source": source.described,
            },
            "combination": way.label,
            "asked": {**asdict(way), "seed": self.seed},
            "limits": asdict(self.limits),
            "command": self.command(),
        }

    def command(self) -> str:
        """Return the shell command that repeats the run."""
        data = json.loads(self.source.described)
        way = self.combination
        given = {
            "method": way.method,
            "backend": way.backend,
            "connectivity": way.connectivity,
            "presolve": None if way.presolve else False,
            "workers": way.workers if way.workers > 1 else None,
            "seed": self.seed or None,
            "time_limit": f"{self.limits.wall_s:g}" if self.limits.wall_s else None,
            "proof": "certificate" if self.certify else None,
        }
        line, file = data.get("line"), data.get("file", "-")
        if "file" in data and file.startswith("-"):
            file = f"./{file}"  # no option
        solve = shlex.join(["uno-csp", "solve", file if line is None else "-", *options_of(given)])
        if line is not None:
            return f"{shlex.join(['sed', '-n', f'{line}p', file])} | {solve}"
        if "file" in data:
            return solve
        asked = {name: data[name] for name in ("seed", "shuffle")}
        if data["question"] in (Longest.question, FillIn.question):
            asked["question"] = data["question"]
        return f"{shlex.join(command_of(data['family'], data['parameters'], **asked))} | {solve}"


def instance_facts(instance: Instance) -> dict[str, Any]:
    """Return the facts about an instance that a record has besides its source."""
    written = question_to_dict(instance)
    return {
        "cards": len(instance.cards),
        "attributes": instance.dimension,
        "at_least": instance.at_least,
        **({"expected": written["expected"]} if "expected" in written else {}),
    }


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:ID_CHARS]
