"""``uno-csp hamilton``."""

from dataclasses import replace
from typing import Any

import click

from uno_csp.cli.choices import NameChoice
from uno_csp.cli.live_line import live_line
from uno_csp.cli.output import (
    complain,
    complete,
    print_json,
    print_text,
    while_somebody_reads,
)
from uno_csp.cli.showing import EXIT_CODES
from uno_csp.errors import InstanceError
from uno_csp.exports import FORMATS as TARGETS
from uno_csp.exports import STDOUT, export
from uno_csp.formats import question_to_dict, read_text
from uno_csp.hamilton import (
    FORMATS,
    Goal,
    HamiltonAnswer,
    HamiltonProblem,
    named_problem,
    read_graphs,
    solve_problem,
)
from uno_csp.hamilton.hands import MANY_COLOURS, hand_of
from uno_csp.hamilton.writing import competition, human, tsplib
from uno_csp.methods import backend_names, method_names
from uno_csp.pipeline import Options
from uno_csp.processes.deadline import Deadline

QUESTION = "question"
"""Name of the hand of a graph, among the formats to write."""

EXPORTS = NameChoice((QUESTION, *TARGETS), {"cnf": "dimacs"})


@click.command(name="hamilton")
@click.argument("file")
@click.option("--cycle", "goal", flag_value="cycle", default="cycle", help="A cycle; default.")
@click.option("--path", "goal", flag_value="path", help="A path through every vertex.")
@click.option("--paths", "goal", flag_value="paths", help="The fewest paths that cover it.")
@click.option("--longest", "goal", flag_value="longest", help="A longest path.")
@click.option("--from", "source", metavar="VERTEX", help="First vertex of the path.")
@click.option(
    "--to",
    metavar="VERTEX|FORMAT",
    help="With --path the last vertex; without it, or if there is no such vertex, as --export.",
)
@click.option(
    "--input-format",
    "kind",
    type=NameChoice(tuple(FORMATS)),
    help=f"Format of the file: {', '.join(FORMATS)}; recognised if left out.",
)
@click.option("--method", metavar="NAME", shell_complete=complete(method_names()))
@click.option("--backend", metavar="NAME", shell_complete=complete(backend_names()))
@click.option("--time-limit", "time_limit_s", type=float, metavar="S", help="As for solve.")
@click.option("--seed", type=int, default=0, show_default=True, help="A seed for the solver.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "json", "tour", "competition"]),
    default="human",
    show_default=True,
    help="How the answer is written; a tour is a TSPLIB file.",
)
@click.option("--proof", metavar="DIR", help="Also write a certificate of a no or an optimum.")
@click.option(
    "--export",
    "written_as",
    type=EXPORTS,
    help="Solve nothing, but write the hand of the graph (question) or a file for other solvers: "
    f"{', '.join(TARGETS)}.",
)
def hamilton_command(
    file: str,
    goal: str,
    source: str | None,
    to: str | None,
    kind: str | None,
    style: str,
    written_as: str | None,
    **chosen: Any,
) -> int:
    """Answer a Hamiltonian problem on the graph in FILE; ``-`` is standard input.

    Formats: TSPLIB .hcp, DIMACS .col, graph6 and sparse6 with a graph on each line, lists of edges,
    GraphML. Several graphs are answered one by one, as lines of JSON.

    Exit code: 10 yes, 20 no, 30 optimum found, 0 unknown; 2 for a file that is not a graph.
    """
    options = Options.of(chosen)
    deadline = Deadline.after(options.time_limit_s)  # the time to read the file counts
    problems, written_as = _asked(file, kind, Goal(goal), (source, to), written_as)
    if len(problems) > 1:
        if style not in ("human", "json"):
            raise click.UsageError("a file of several graphs is answered as lines of JSON")
        if written_as is not None or options.proof is not None:
            raise click.UsageError("--export and --proof take one graph, not several")
        for number, problem in enumerate(problems, start=1):
            print_json({"graph": number, **solve_problem(problem, options).to_dict()})
        return 0
    if written_as is not None:
        _export(problems[0], written_as)
        return 0
    left = replace(options, time_limit_s=deadline.limit_s)
    with live_line() as on_progress:
        answer = solve_problem(problems[0], left, on_progress=on_progress)
    _show(problems[0], answer, style)
    return EXIT_CODES[answer.status]


def _asked(
    file: str,
    kind: str | None,
    goal: Goal,
    ends: tuple[str | None, str | None],
    written_as: str | None,
) -> tuple[list[HamiltonProblem], str | None]:
    """Return the problems of a file, and the format to write, which ``--to`` may name as well."""
    source, to = ends
    text = read_text(file)
    try:
        graphs = list(read_graphs(text, name=file, kind=kind))
        if not graphs:
            raise InstanceError("it holds no graph")
        if to is not None and not (goal is Goal.PATH and to in map(str, graphs[0])):
            written_as, to = _format_named(to, goal), None
        if goal is not Goal.PATH and source is not None:
            raise click.UsageError("--from goes with --path")
        return [named_problem(graph, goal, source, to) for graph in graphs], written_as
    except InstanceError as error:
        raise InstanceError(f"{file}: {error}") from None


def _show(problem: HamiltonProblem, answer: HamiltonAnswer, style: str) -> None:
    match style:
        case "json":
            print_json(answer.to_dict())
        case "tour" if answer.paths:
            print_text(tsplib(problem, answer))
        case "tour":
            complain(f"there is no tour: {human(answer)}".partition("\n")[0])
        case "competition":
            print_text(competition(problem, answer))
        case _:
            print_text(human(answer))


def _format_named(name: str, goal: Goal) -> str:
    """Return the format that ``--to`` names where it names no vertex."""
    try:
        return EXPORTS.convert(name, None, None)
    except click.BadParameter as error:
        if goal is Goal.PATH:
            raise InstanceError(f"--to: {name} is no vertex of the graph, and no format") from None
        raise click.UsageError(f"--to: {error.message}; --to VERTEX goes with --path") from None


def _export(problem: HamiltonProblem, to: str) -> None:
    hand = hand_of(problem)
    if not hand.fits_a_file:
        raise InstanceError(
            f"the edges need {hand.question.dimension - 1} colours; "
            f"a question in a file has up to {MANY_COLOURS - 1}"
        )
    if to == QUESTION:
        print_json(question_to_dict(hand.question))
        return
    with while_somebody_reads():
        export(hand.question, to, STDOUT)
