"""``uno-csp hamilton``."""

import json
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from uno_csp.cli.choices import TEXT, NameChoice, option, style_of
from uno_csp.cli.files import whole_output
from uno_csp.cli.interrupts import answered
from uno_csp.cli.output import INTERRUPTED, complain, print_for_programs, print_json, print_text
from uno_csp.cli.showing import EXIT_CODES, reading
from uno_csp.cli.solver_options import solver_options
from uno_csp.errors import InstanceError
from uno_csp.exports import FORMATS as TARGETS
from uno_csp.exports import export
from uno_csp.exports.heads import exported_text
from uno_csp.formats import question_to_dict, read_text
from uno_csp.graph_files.drafts import ReadGraph, Reading
from uno_csp.graph_files.reading import FORMATS, chosen_of, read_graphs
from uno_csp.hamilton import Goal, HamiltonAnswer, HamiltonProblem, named_problem, solve_problem
from uno_csp.hamilton.decoding import decode_problem
from uno_csp.hamilton.hands import MANY_COLOURS, hand_of
from uno_csp.hamilton.writing import competition, human, tsplib
from uno_csp.pipeline import Options
from uno_csp.pipeline.timed import Timed
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import printable

QUESTION = "question"  # name of the hand of a graph, among the formats to write
EXPORTS = NameChoice((QUESTION, *TARGETS), {"cnf": "dimacs"})

_OPTIONS = {
    "^source, target: ": "--from, --to: ",
    "^source: ": "--from: ",
    "^target: ": "--to: ",
    "the option format": "--input-format",
    r"the option (\w+)": r"--\1",
}
"""Names of this command's options, by what messages about a graph call them."""

BY_LINE = ("graph6", "sparse6", "digraph6")  # a graph on each line, all of which are answered


@click.command(name="hamilton")
@click.argument("file")
@option("--cycle", "Find a Hamiltonian cycle, as without an option.", is_flag=True)
@option("--path", "Find a Hamiltonian path.", is_flag=True)
@option("--paths", "Find the fewest paths that cover all vertices.", is_flag=True)
@option("--longest", "Find a longest path.", is_flag=True)
@option("--from source", "With --path the first vertex.", TEXT, value="VERTEX")
@option(
    "--to",
    "With --path the last vertex; without it, or if there is no such vertex, as --export.",
    TEXT,
    value="VERTEX|FORMAT",
)
@option(
    "--input-format kind",
    f"Format of the file: {', '.join(FORMATS)}. If left out, the suffix or a mark in the text "
    "tells; a text without any is a list of edges, or an error.",
    NameChoice(tuple(FORMATS)),
    value="FORMAT",
)
@option("--graph number", "Take the N-th graph of the file.", int, value="N")
@option("--undirected", "Take the arcs of a directed graph as edges.", is_flag=True)
@option("--isolated", "Take a name alone on a line as a vertex without edges.", is_flag=True)
@solver_options("method", "backend", "time_limit_s", "seed", "proof")
@style_of("answer; a tour is a TSPLIB file", "tour", "competition")
@option(
    "--export written_as",
    "Solve nothing, but write the hand of the graph (question) or a file for other solvers: "
    f"{', '.join(TARGETS)}.",
    EXPORTS,
    value="FORMAT",
)
@option(
    "--decode output",
    "Solve nothing, but read what another solver printed for the exported hand of the graph.",
    value="OUTPUT",
)
@option("--exported", "With --decode: the exported file, which a no needs.", value="FILE")
def hamilton_command(
    file: str,
    source: str | None,
    to: str | None,
    kind: str | None,
    style: str,
    written_as: str | None,
    **chosen: Any,
) -> int:
    """Answer a Hamiltonian problem on the graph in FILE; - is standard input.

    Formats: lists of edges, adjacency lists, 0/1 matrices, METIS, TGF, DIMACS .col, TSPLIB .hcp,
    graph6, sparse6, digraph6, GraphML, GML, Pajek, DOT, Matrix Market and JSON. Several graphs in
    graph6, sparse6 or digraph6 are answered one by one, as lines of JSON.

    Exit code: 10 yes, 20 no, 30 optimum found, 0 unknown; 2 for a file that is not a graph.
    """
    goal = _goal([each for each in Goal if chosen.pop(each)])
    output, exported = map(chosen.pop, ("output", "exported"))
    number, read_as = chosen.pop("number"), Reading(*map(chosen.pop, ("undirected", "isolated")))
    options = Options.of(chosen)
    timed = Timed(options)
    unread = HamiltonAnswer(goal or Goal.CYCLE, Status.UNKNOWN)
    known: dict[str, Any] = {"goal": goal}
    with reading(timed, style, unread, known):
        text = read_text(file)
        try:
            graphs = _graphs(text, file, kind, number, read_as)
            goals = [goal or Goal.of(graph) for graph in graphs]
            ends, written_as = _ends(graphs[0], goals[0], (source, to), written_as)
            problems = [
                named_problem(graph, each, *ends) for graph, each in zip(graphs, goals, strict=True)
            ]
        except InstanceError as error:
            raise InstanceError(f"{file}: {_with_options(str(error))}") from None
    if exported is not None and output is None:
        raise click.UsageError("--exported goes with --decode")
    if options.proof and (written_as or output):
        raise click.UsageError("--proof goes with an answer, not with --export or --decode")
    if len(problems) > 1:
        if style not in ("human", "json"):
            raise click.UsageError("a file of several graphs is answered as lines of JSON")
        if written_as or options.proof or output:
            raise click.UsageError(
                "--export, --decode and --proof take one graph, not several; use --graph N"
            )
        _answer_all(problems, graphs, options)
        return 0
    if written_as is not None:
        _export(problems[0], written_as, timed)
        return 0
    interrupted = False
    if output is not None:
        known |= {"read": graphs[0].said, "goal": goals[0]}
        with reading(timed, style, unread, known):
            answer = _decode(problems[0], output, exported, options.method)
    else:
        answer, interrupted = answered(partial(solve_problem, problems[0]), timed)
    _show(problems[0], answer, graphs[0].said, style)
    return INTERRUPTED if interrupted else EXIT_CODES[answer.status]


def _with_options(message: str) -> str:
    """Return a message about a graph that names options as the command does.

    >>> _with_options("line 1: a is one word; the option isolated takes it")
    'line 1: a is one word; --isolated takes it'
    """
    for words, option_shown in _OPTIONS.items():
        message = re.sub(words, option_shown, message)
    return message


def _decode(
    problem: HamiltonProblem, output: str, exported: str | None, method: str | None
) -> HamiltonAnswer:
    """Return the answer in the file of a solver's output."""
    head = None if exported is None else exported_text(exported)
    if exported is not None and head is None:
        raise InstanceError(f"{exported}: this is no exported file")
    try:
        return decode_problem(problem, read_text(output), head, method)
    except InstanceError as error:
        raise InstanceError(f"{output}: {error}") from None


def _answer_all(
    problems: Sequence[HamiltonProblem], graphs: Sequence[ReadGraph], options: Options
) -> None:
    for number, (problem, graph) in enumerate(zip(problems, graphs, strict=True), start=1):
        answer = solve_problem(problem, options)
        print_json({"graph": number, "read": graph.said, **answer.to_dict()})


def _graphs(
    text: str, file: str, kind: str | None, number: int | None, reading: Reading
) -> list[ReadGraph]:
    """Return the graphs of a file: the one with a number, the only one, or all of its lines."""
    graphs = list(read_graphs(text, name=file, kind=kind, reading=reading))
    if number is None and len(graphs) > 1 and graphs[0].format in BY_LINE:
        return graphs
    return [chosen_of(graphs, number)]


def _goal(given: Sequence[Goal]) -> Goal | None:
    """Return the goal of the command line, if any; raise UsageError for several."""
    if len(given) > 1:
        raise click.UsageError(f"--{given[0]} and --{given[1]} are two goals; one is answered")
    return next(iter(given), None)


def _ends(
    graph: ReadGraph, goal: Goal, ends: tuple[str | None, str | None], written_as: str | None
) -> tuple[tuple[str | None, str | None], str | None]:
    """Return the ends of the path, and the format to write, which ``--to`` may name as well."""
    source, to = ends
    if to is not None and not (goal is Goal.PATH and to in map(str, graph.vertices)):
        written_as, to = _find_format(to, goal), None
    if goal is not Goal.PATH and source is not None:
        raise click.UsageError("--from goes with --path")
    return (source, to), written_as


def _show(problem: HamiltonProblem, answer: HamiltonAnswer, read: str, style: str) -> None:
    match style:
        case "json":
            print_json({"read": read, **answer.to_dict()})
        case "tour" if answer.paths:
            print_for_programs(tsplib(problem, answer, read))
        case "tour":
            verdict = human(problem, answer).partition("\n")[0]
            complain(f"there is no tour: {verdict}")
        case "competition":
            print_for_programs(competition(problem, answer, read))
        case _:
            print_text(human(problem, answer, read))


def _find_format(name: str, goal: Goal) -> str:
    """Return the format that ``--to`` names where it names no vertex."""
    try:
        return EXPORTS.convert(name, None, None)
    except click.BadParameter as error:
        if goal is Goal.PATH:
            shown = printable(name)
            raise InstanceError(f"--to: {shown} is no vertex of the graph, and no format") from None
        raise click.UsageError(f"--to: {error.message}; --to VERTEX goes with --path") from None


def _export(problem: HamiltonProblem, to: str, timed: Timed) -> None:
    with whole_output(timed) as out:
        hand = hand_of(problem, for_file=True)
        if not hand.fits_a_file:
            raise InstanceError(
                f"the edges need {hand.question.dimension - 1} colours; "
                f"a question in a file has up to {MANY_COLOURS - 1}"
            )
        if to == QUESTION:
            text = json.dumps(question_to_dict(hand.question))
            (sys.stdout if isinstance(out, str) else out).write(f"{text}\n")
        else:
            export(hand.question, to, out)
