"""Export questions as files for other programs: clauses, linear programs and graphs."""

import io
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from os import PathLike, fsdecode
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, SupportsIndex, TextIO, cast

from uno_csp.errors import NotAccepted, require_known
from uno_csp.exports.heads import OPTIONS, Head, head_lines
from uno_csp.exports.objectives import answer_rule
from uno_csp.exports.outputs import LIMIT_MB, STDOUT, Output, Size, Target, opened
from uno_csp.exports.preparing import Comments, Exporting, prepare
from uno_csp.exports.tours import write_hcp
from uno_csp.exports.xcsp import ENCODING, XCSP, require_circuit
from uno_csp.formats.compression import OPENERS
from uno_csp.formats.files import require_target, written
from uno_csp.methods import NATIVE
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions import Expected, Instance, require_question
from uno_csp.questions.arguments import plain_value, require_kind
from uno_csp.questions.wording import counted, describe, printable, shown

if TYPE_CHECKING:
    import numpy as np

MOST_BINARY = 40_000_000  # largest text in bytes of a CP-SAT model that is written in binary form
COMMENT_CHARS = 68  # longest line of a comment: CBC rejects lines of 868 characters


@dataclass(frozen=True, slots=True)
class Exported:
    """Summary of an export; variables and constraints are None for a graph."""

    to: str
    method: str | None = None
    connectivity: str | None = None
    variables: int | None = None
    constraints: int | None = None
    bytes: int | None = None  # size of the text before it is compressed; None for a binary file


def export(
    instance: Instance,
    to: str,
    out: Target = STDOUT,
    *,
    method: str | None = None,
    connectivity: str | None = None,
    bound: SupportsIndex | None = None,
    varnames: "bool | np.bool_" = False,
    question: "bool | np.bool_" = True,
    limit_mb: SupportsIndex = LIMIT_MB,
) -> Exported:
    r"""Write a question as a file for other programs.

    Comments in the file give the question, the encoding with its parameters, the expected answer
    if the question has one, and with ``varnames`` the meaning of each variable. :func:`decode`
    needs no more than the file.

    Parameters
    ----------
    instance
        The question; no reductions are applied.
    to
        ``dimacs``, ``wcnf`` (MaxSAT Evaluation 2022), ``wcnf-classic`` (with a header, as before),
        ``opb``, ``lp``, ``mps``, ``cpsat``, ``xcsp`` (XCSP3), ``hcp`` (TSPLIB), ``dot``,
        ``graph6`` or ``graphml``.
    out
        A path or a text stream; ``-`` is standard output. A path may end in .gz, .bz2 or .xz. With
        None nothing is written, and the result tells the size of the file.
    method
        Encoding, as for ``solve``; by default the first exact one for the question.
    connectivity
        Decomposition of the globals, for ``cpsat`` also ``native``; by default ``eager``.
    bound
        Turn an optimisation question into a decision: is this value or a better one possible?
    varnames
        Write a comment for each variable that has a meaning.
    question
        Write the question into the comment, for :func:`decode`.
    limit_mb
        Maximum size of the text in MB.

    Raises
    ------
    UnknownName, NotAccepted
        When the format is unknown, or does not fit the question or the other arguments; when the
        file would be too large.

    Examples
    --------
    >>> import io, uno_csp
    >>> text = io.StringIO()
    >>> export(uno_csp.parse("red,5\nred,7"), "dimacs", text, method="position").constraints
    12
    >>> text.getvalue().splitlines()[-1]
    '2 4 0'
    """
    require_question(instance)
    value = plain_value(bound)
    named_too, with_question = plain_value(varnames), plain_value(question)
    require_known("format", to, FORMATS)
    target = _target_of(out)
    require_kind("varnames", named_too, bool)
    require_kind("question", with_question, bool)
    most = _most_bytes(limit_mb)
    head = Head(instance, method, connectivity, value, to)
    if to in _GRAPHS:
        named = [name for name in OPTIONS if getattr(head, name) is not None]
        if named or named_too:
            option = (*named, "varnames")[0]
            raise NotAccepted(f"{to} takes no {option}: it is a graph of cards without variables")
        if not instance.by_attributes:
            raise NotAccepted(f"{to} shows matching cards; {instance.question} has other rules")
        with opened(target, most) as stream:
            _write_graph(instance, to, stream)
        return Exported(to, bytes=stream.size)
    if to == XCSP:
        require_circuit(head)
        method, connectivity = ENCODING, NATIVE
    native = to in ("cpsat", XCSP)
    prepared = prepare(instance, method, connectivity, bound=value, native=native)
    head = head._replace(method=prepared.encoder.name, connectivity=prepared.connectivity)

    def lines() -> Iterator[str]:
        yield from comments(prepared, to, varnames=named_too)
        if with_question:
            yield from head_lines(head)

    made = partial(Exported, to, prepared.encoder.name, prepared.connectivity)
    if to == "cpsat" and isinstance(target, str | Path) and _is_binary(target):
        return made(*_write_binary(prepared, target, most))
    with opened(target, most) as stream:
        size = _write_model(prepared, to, stream, lines)
    return made(*size, stream.size)


def _most_bytes(limit_mb: SupportsIndex) -> int:
    """Return a limit of megabytes in bytes; raise NotAccepted if it is not allowed."""
    limit = plain_value(limit_mb)
    require_kind("limit_mb", limit, int)
    if limit < 1:
        raise NotAccepted(f"limit_mb: {shown(limit)} is not allowed; expected 1 or more")
    return int(limit) * 10**6


def _is_binary(out: str | Path) -> bool:
    """Return True for a path of a binary CP-SAT model; raise NotAccepted for a compressed one."""
    *others, last = ["", *(suffix.lower() for suffix in Path(out).suffixes)]
    if others[-1:] == [".pb"] and last in OPENERS:
        raise NotAccepted(
            f"{out}: a binary model is not compressed; .pb and .pbtxt{last} are written"
        )
    return last == ".pb"


def _target_of(out: Target) -> Target:
    """Return where text goes; raise InstanceError or NotAccepted unless it can be written there."""
    if out is not None and not _takes_text(out):
        require_kind("out", out, str | PathLike, "a path or a stream of text")
    target = Path(fsdecode(out)) if isinstance(out, PathLike) else out
    if isinstance(target, str | Path) and target != STDOUT:
        require_target(target, OPENERS)
    return target


def _takes_text(out: object) -> bool:
    try:
        cast("TextIO", out).write("")
    except (AttributeError, TypeError):
        return False
    except ValueError as error:  # it is closed
        raise NotAccepted(f"out: {error}") from None
    return True


def comments(prepared: Exporting, to: str, *, varnames: bool) -> Iterator[str]:
    """Yield the lines of the comment at the head of an exported file, cut to a safe length."""
    for line in _comments(prepared, to, varnames=varnames):
        yield from _wrap(line)


def _wrap(text: str) -> list[str]:
    """Return a text as lines for a comment; all but the first are indented."""
    plain = printable(" ".join(text.split()))
    if len(plain) <= COMMENT_CHARS:
        return [plain]
    return textwrap.wrap(plain, COMMENT_CHARS, subsequent_indent="  ", break_on_hyphens=False)


def _comments(prepared: Exporting, to: str, *, varnames: bool) -> Iterator[str]:
    instance, encoder = prepared.instance, prepared.encoder
    yield f"uno-csp {to}: {instance.question}, {counted(len(instance.cards), 'card')}"
    if instance.name:
        yield f"name: {instance.name}"
    if instance.comment:
        yield f"comment: {instance.comment}"
    players = len(instance.hands)
    hands = f", {players} hands" if players > 1 else ""
    yield f"attributes {instance.dimension}, of which {instance.at_least} must agree{hands}"
    yield f"encoding {encoder.name}, proof {encoder.proves}, connectivity {prepared.connectivity}"
    if to == XCSP:
        yield "x[i] is the node after node i: 0 is the pile, i card i; x[i] = i leaves card i out"
    else:
        yield f"variables of the encoding 1 to {prepared.encoded.model.num_vars}, auxiliary beyond"
    if prepared.bound is not None:
        yield f"satisfiable if the value of the answer can be {prepared.bound} or better"
    objective = prepared.model.objective
    if objective is not None:
        yield answer_rule(objective, instance.sense, to)
    if instance.expected is not None:
        yield _expectation(instance.expected)
    if varnames:
        yield from _meanings(prepared, to)


def _meanings(prepared: Exporting, to: str) -> Iterator[str]:
    if to == XCSP:
        for node, card in enumerate(prepared.encoded.data.cards, start=1):
            yield f"node {node} {describe(card)}"
        return
    for variable, meaning in prepared.encoder.meanings(prepared.encoded):
        yield f"var {variable} {meaning}"


def _expectation(known: Expected) -> str:
    value = "" if known.objective is None else f" {known.objective}"
    value += "" if known.bound is None else f" bound {known.bound}"
    return f"expected {known.status}{value}: {known.why}"


def _write_binary(prepared: Exporting, path: str | Path, most_bytes: int) -> Size:
    """Write a CP-SAT model in binary form, which has no comments and is made in memory."""
    from uno_csp.exports.cp_models import write_binary

    text = io.StringIO()
    try:
        limited = Output(text, min(most_bytes, MOST_BINARY))
        size = _write_model(prepared, "cpsat", limited, tuple)
    except NotAccepted as error:
        raise NotAccepted(
            f"{error}; a binary model has {MOST_BINARY // 10**6} MB of text at most"
        ) from None
    with scratch_folder() as folder, written(path) as raw:
        write_binary(text.getvalue(), folder / "model.pb")
        raw.write((folder / "model.pb").read_bytes())
    return size


def _write_graph(instance: Instance, to: str, stream: Output) -> None:
    if to == "hcp":
        cards = counted(len(instance.cards), "card")
        comments = [f"uno-csp: {instance.question}, {cards}; node 1 is the pile"]
        comments += [] if instance.expected is None else _wrap(_expectation(instance.expected))
        write_hcp(instance, stream, comments)
        return
    from uno_csp.graphs.uno_graphs import uno_graph  # which loads networkx
    from uno_csp.graphs.writers import WRITERS

    stream.write(WRITERS[to](uno_graph(instance)) + "\n")


_MODELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "dimacs": ("programs", "write_dimacs"),
        "wcnf": ("programs", "write_wcnf"),
        "wcnf-classic": ("programs", "write_classic_wcnf"),
        "opb": ("linear_programs", "write_opb"),
        "lp": ("linear_programs", "write_lp"),
        "mps": ("linear_programs", "write_mps"),
        "cpsat": ("cp_models", "write_cp_model"),
        XCSP: ("xcsp", "write_xcsp"),
    }
)
"""The module and the function that write a model in a format; most of them load NumPy."""


def _write_model(prepared: Exporting, to: str, out: Output, lines: Comments) -> Size:
    module, function = _MODELS[to]
    write = getattr(import_module(f"uno_csp.exports.{module}"), function)
    size: Size = write(prepared, out, lines)
    return size


_GRAPHS = ("hcp", "dot", "graph6", "graphml")
FORMATS = (*_MODELS, *_GRAPHS)  # names of the export formats
