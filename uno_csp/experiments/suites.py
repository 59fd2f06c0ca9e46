"""Suites: TOML files that list the instances, combinations and limits of an experiment.

::

    name = "small"
    limits = { wall_s = 10, cpu_s = 20, memory_mb = 2000 }

    [[instances]]
    family = "random"
    parameters = [{ colours = 20, numbers = 20, cards = 60 }, { cards = 100 }]
    seeds = [1, 2, 3]

    [[instances]]
    files = ["hands/*.json", "more.jsonl"]

    [[combinations]]
    methods = ["hub-trail"]
    connectivity = ["lazy", "order"]
    backends = ["cadical195", "cp-sat"]

Every instance is solved in every combination, except that a combination with ``questions`` is
limited to those. ``default`` leaves a choice to ``solve``. Presolving is off unless a combination
says ``presolve = true``, since an experiment measures encodings and solvers. With the top-level key
``certify = true``, every NO and every optimum gets a certificate; making and checking it each have
the full time limit.
"""

import glob
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic import ValidationError as PydanticError

from uno_csp.errors import InstanceError, UnoCspError
from uno_csp.experiments.runs import Combination, InstanceSource, Run
from uno_csp.families import find_family, generate
from uno_csp.families.graph6_files import with_graphs_read
from uno_csp.formats import parse_file, parse_lines, question_to_dict, read_text
from uno_csp.formats.text import plain_name, text_of_name
from uno_csp.methods import algorithm_names, find_backend, find_connectivity, find_method
from uno_csp.processes.supervision import Limits
from uno_csp.questions import question_types
from uno_csp.questions.arguments import place_of, refusal
from uno_csp.questions.wording import shown

DEFAULT = "default"  # name in a suite that leaves a choice to ``solve``
_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Seed = Annotated[int, Field(ge=0, lt=2**31)]


def _question(name: str) -> str:
    """Return the name of a kind of question."""
    if name not in question_types():
        there = ", ".join(question_types())
        raise InstanceError(f"{shown(name)} is no question; there are {there}")
    return name


def _file_name(name: str) -> str:
    """Return the name of a suite, by which the files of its runs are called."""
    if not re.fullmatch(r"\w[\w .+-]{0,99}", name):
        allowed = "expected up to 100 letters, digits, blanks and . + - _, a letter or digit first"
        raise InstanceError(f"{shown(name)} is not allowed; {allowed}")
    return name


KnownQuestion = Annotated[str, AfterValidator(_question)]
_Some = Field(min_length=1)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Limits(_Table):
    wall_s: _Positive = 60.0
    cpu_s: _Positive | None = None
    memory_mb: _Positive | None = None


class _Instances(_Table):
    family: str | None = None
    parameters: Annotated[list[dict[str, Any]], _Some] = [{}]
    seeds: Annotated[list[_Seed], _Some] | None = None
    shuffles: Annotated[list[_Seed], _Some] | None = None
    question: KnownQuestion | None = None
    files: Annotated[list[str], _Some] | None = None


class _Combinations(_Table):
    methods: Annotated[list[str], _Some] = [DEFAULT]
    connectivity: Annotated[list[str], _Some] = [DEFAULT]
    backends: Annotated[list[str], _Some] = [DEFAULT]
    questions: Annotated[list[KnownQuestion], _Some] | None = None
    presolve: bool = False
    workers: Annotated[int, Field(ge=1)] = 1


class _Suite(_Table):
    name: Annotated[str, AfterValidator(_file_name)]
    limits: _Limits = _Limits()
    solver_seeds: Annotated[list[_Seed], _Some] = [0]
    certify: bool = False
    instances: Annotated[list[_Instances], _Some]
    combinations: Annotated[list[_Combinations], _Some]


@dataclass(frozen=True, slots=True)
class Suite:
    """The name of a suite and its runs, in order."""

    name: str
    runs: tuple[Run, ...]


def read_suite(path: str | Path) -> Suite:
    """Read a suite, whose paths are relative to its folder, and expand it into runs."""
    source = Path(path)
    text = read_text(str(path))
    try:
        suite = _Suite.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InstanceError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise InstanceError(f"{path}: not TOML that can be read: it is nested too deeply") from None
    except PydanticError as error:
        first = error.errors(include_url=False)[0]
        raise InstanceError(f"{path}: {place_of(first['loc'])}: {refusal(first)}") from None
    try:
        return Suite(suite.name, tuple(dict.fromkeys(_runs(suite, source.parent))))
    except UnoCspError as error:
        raise InstanceError(f"{path}: {error}") from None


def _runs(suite: _Suite, folder: Path) -> Iterator[Run]:
    limits = Limits(suite.limits.wall_s, suite.limits.cpu_s, suite.limits.memory_mb)
    ways = [
        (_place(f"combinations[{number}]", _combinations, each), each.questions)
        for number, each in enumerate(suite.combinations)
    ]
    sources = [
        source
        for number, each in enumerate(suite.instances)
        for source in _place(f"instances[{number}]", _sources, each, folder)
    ]
    for number, (_, questions) in enumerate(ways):
        if questions is not None and not any(each.question in questions for each in sources):
            raise InstanceError(f"combinations[{number}].questions: no instance asks one of these")
    for source in sources:
        for combinations, questions in ways:
            if questions is None or source.question in questions:
                for combination in combinations:
                    for seed in suite.solver_seeds:
                        yield Run(suite.name, source, combination, seed, limits, suite.certify)


def _place(place: str, read: Any, *arguments: Any) -> list[Any]:
    """Collect what a reader yields, and prefix its errors with the place."""
    try:
        return list(read(*arguments))
    except UnoCspError as error:
        raise InstanceError(f"{place}: {error}") from None


def _combinations(table: _Combinations) -> Iterator[Combination]:
    for name in table.methods:
        method = None if name == DEFAULT else find_method(name).name
        if method in algorithm_names():
            yield Combination(method, None, None, table.presolve, 1)
            continue
        for backend_name in table.backends:
            backend = None if backend_name == DEFAULT else find_backend(backend_name).name
            for way in table.connectivity:
                connectivity = None if way == DEFAULT else find_connectivity(way)
                yield Combination(method, connectivity, backend, table.presolve, table.workers)


def _sources(table: _Instances, folder: Path) -> Iterator[InstanceSource]:
    if (table.family is None) == (table.files is None):
        raise InstanceError("needs either family or files")
    if table.files is not None and not {"files"} >= table.model_fields_set:
        others = ", ".join(sorted(table.model_fields_set - {"files"}))
        raise InstanceError(f"{others}: not for files, which are questions as they stand")
    if table.family is not None:
        yield from _from_family(table, table.family, folder)
        return
    files: dict[Path, str] = {}
    for pattern in table.files or ():
        for path, name in _matches(pattern, folder).items():
            files.setdefault(path, name)
    for name in files.values():
        found = [*_from_file(folder / name, text_of_name(name))]
        if not found:
            raise InstanceError(f"files: {text_of_name(name)}: it has no question")
        yield from found


def _matches(pattern: str, folder: Path) -> dict[Path, str]:
    """Return the files that a pattern or a plain name stands for, and how a folder names them.

    ``*``, ``?`` and ``[...]`` are as in a shell, and ``**`` is any number of folders. A file that
    links give several names has the first one.
    """
    if "\0" in pattern:
        raise InstanceError(f"files: {shown(pattern)} is no pattern of file names")
    given = os.fsdecode(pattern.encode())  # as the names of files are, in every locale
    named = [given, *sorted(glob.glob(given, root_dir=folder, recursive=True))]  # noqa: PTH207
    found: dict[Path, str] = {}
    for name in named:
        path = Path(folder, name)
        with suppress(OSError):  # a name that is too long, or a link to itself
            if path.is_file():
                found.setdefault(path.resolve(), name)
    if not found:
        raise InstanceError(f"files: no file matches {shown(pattern)} in {folder}")
    return found


def _from_family(table: _Instances, name: str, folder: Path) -> Iterator[InstanceSource]:
    family = find_family(name)
    if table.seeds is not None and not family.seeded:
        raise InstanceError(f"seeds: {name} is not random")
    seeds: list[int | None] = list(table.seeds or [0]) if family.seeded else [None]
    shuffles: list[int | None] = [*table.shuffles] if table.shuffles else [None]
    for given in table.parameters:
        parameters = with_graphs_read(given, folder)
        for seed in seeds:
            for shuffle in shuffles:
                made = generate(
                    name, seed=seed, question=table.question, shuffle=shuffle, **parameters
                )
                yield InstanceSource.of_family(
                    family, parameters, seed, shuffle, table.question, made
                )


def _from_file(path: Path, shown: str) -> Iterator[InstanceSource]:
    if not plain_name(path.name).endswith(".jsonl"):
        yield InstanceSource.of_file(shown, None, question_to_dict(parse_file(str(path))))
        return
    for number, parsed in parse_lines(read_text(str(path), lenient=True)):
        if isinstance(parsed, InstanceError):
            raise InstanceError(f"{shown}: line {number}: {parsed}")
        yield InstanceSource.of_file(shown, number, question_to_dict(parsed))
