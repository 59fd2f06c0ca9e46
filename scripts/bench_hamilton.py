"""Benchmark Hamiltonian problems beside other programs; write results/hamilton.md.

FOLDER has graphs as .hcp files, and .jsonl files with an object of ``vertices``, ``edges`` and
``completion_number`` on each line. Each graph is asked with its vertices renamed at random, each
time with the next seed; the table has the median and the longest time. Rivals run in processes of
their own, and only their search is timed. Every answer is checked, and where several programs
answer, they have to agree.
"""

import argparse
import json
import math
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

import networkx as nx

from uno_csp import Options, Status, UnoCspError
from uno_csp.families.cubic_graphs import flower_snark, generalized_petersen
from uno_csp.graph_files.reading import read_graph
from uno_csp.hamilton import Goal, HamiltonAnswer, problem_of, solve_problem
from uno_csp.hamilton.checking import violations

Graph: TypeAlias = "nx.Graph[Any]"

Verdict: TypeAlias = bool | None
"""True if there is a cycle, False if not, None if the program did not say."""

Run: TypeAlias = tuple[float, Verdict]  # seconds, and the verdict
OWN = ("hub-trail", "successor", "rotations")
"""Methods that run beside the default, the first two with CaDiCaL."""

LKH_VERTICES = 1200  # maximum number of vertices for LKH, which takes a matrix of distances
DENSE = 100_000  # maximum number of edges for programs that write a model in Python


@dataclass(frozen=True, slots=True)
class Row:
    """A graph of the table, and whether it has a cycle if that is known."""

    name: str
    graph: Graph
    expected: Verdict = None


def renamed(graph: Graph, seed: int) -> Graph:
    """Return the graph with vertices 0 to n - 1, in an order drawn with a seed."""
    rng = random.Random(seed)
    order = list(range(len(graph)))
    rng.shuffle(order)
    number = dict(zip(graph, order, strict=True))
    edges = [(number[one], number[other]) for one, other in graph.edges]
    rng.shuffle(edges)
    found: Graph = nx.Graph()
    found.add_nodes_from(range(len(graph)))
    found.add_edges_from(edges)
    return found


def public(folder: Path) -> Iterator[Row]:
    """Yield the graphs of a folder."""
    for path in sorted(folder.glob("*.hcp"), key=lambda path: (len(path.stem), path.stem)):
        read = read_graph(path.read_text(), name=path.name)
        graph: Graph = nx.empty_graph(len(read.vertices))
        graph.add_edges_from(read.edges)
        yield Row(path.stem, graph)


def sheehan(size: int) -> Graph:
    """Return a graph with one Hamiltonian cycle and the most edges for that (Sheehan 1977)."""
    graph: Graph = nx.cycle_graph(size)
    graph.add_edges_from(
        (odd, later) for odd in range(1, size, 2) for later in range(odd + 1, size)
    )
    return graph


def knights(side: int) -> Graph:
    """Return the graph of a knight's moves on a square board."""
    graph: Graph = nx.Graph()
    squares = [(row, column) for row in range(side) for column in range(side)]
    graph.add_nodes_from(squares)
    for row, column in squares:
        for down, right in ((1, 2), (2, 1), (2, -1), (1, -2)):
            if row + down < side and 0 <= column + right < side:
                graph.add_edge((row, column), (row + down, column + right))
    return graph


def threshold(size: int, seed: int) -> Graph:
    """Return G(n, p) with p just above the threshold of Hamiltonian cycles."""
    share = (math.log(size) + math.log(math.log(size)) + 2) / size
    graph: Graph = nx.gnp_random_graph(size, share, seed=seed)
    return graph


def families(seed: int) -> Iterator[Row]:
    """Yield generated graphs of growing sizes."""
    for count in (101, 501, 1001):
        yield Row(f"generalised Petersen GP({count},2)", generalized_petersen(count, 2))
    for count in (7, 15, 25):
        yield Row(f"flower snark J({count})", flower_snark(count), False)
    for size in (50, 100, 200):
        yield Row(f"Sheehan's graph on {size}", sheehan(size), True)
    for size in (200, 1000, 3000):
        yield Row(f"G({size}, p) near the threshold", threshold(size, seed))
    for side in (10, 20, 40):
        yield Row(f"grid {side} x {side}", nx.grid_2d_graph(side, side), True)
    yield Row("grid 21 x 21", nx.grid_2d_graph(21, 21), False)
    for side in (8, 30, 60, 100):
        yield Row(f"knight's tour {side} x {side}", knights(side), True)
    yield Row("complete bipartite K(40, 41)", nx.complete_bipartite_graph(40, 41), False)


def fans(count: int, size: int, shared: int) -> Graph:
    """Return complete graphs that share some vertices."""
    graph: Graph = nx.Graph()
    for number in range(count):
        own = [(number, each) for each in range(size - shared)]
        graph.add_edges_from(combinations([*range(shared), *own], 2))
    return graph


def xor_gadgets(count: int, seed: int) -> Graph:
    """Return paths of nine vertices with two chords each, joined at random."""
    rng = random.Random(seed)
    graph: Graph = nx.Graph()
    ends = []
    for number in range(count):
        nx.add_path(graph, [(number, place) for place in range(1, 10)])
        graph.add_edges_from(((number, a), (number, b)) for a, b in ((1, 6), (4, 9)))
        ends += [(number, place) for place in (1, 1, 3, 3, 7, 7, 7, 9, 9, 9)]
    rng.shuffle(ends)
    graph.add_edges_from((a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if a != b)
    return graph


def cactus(size: int, seed: int, *, chords: bool) -> Graph:
    """Return cycles, or complete graphs, each of which shares a vertex with those before."""
    rng = random.Random(seed)
    graph: Graph = nx.empty_graph(1)
    while len(graph) < size:
        ring = [rng.randrange(len(graph)), *range(len(graph), len(graph) + rng.randint(1, 4))]
        graph.add_edges_from(combinations(ring, 2) if chords else pairwise([*ring, ring[0]]))
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def easy(seed: int) -> Iterator[Row]:
    """Yield graphs that need no search: dense, geometric, of large symmetry, or without a cycle."""
    for size in (600, 1300):
        yield Row(f"G({size}, 1/2)", nx.gnp_random_graph(size, 0.5, seed=seed), True)
    for size in (300, 800):
        yield Row(f"complete graph on {size}", nx.complete_graph(size), True)
    yield Row("complete bipartite K(250, 250)", nx.complete_bipartite_graph(250, 250), True)
    yield Row("25 parts of 20", nx.complete_multipartite_graph(*[20] * 25), True)
    yield Row("two K(150) that share two vertices", fans(2, 150, 2), True)
    yield Row("line graph of K(60)", nx.line_graph(nx.complete_graph(60)), True)
    yield Row("Kneser graph (9, 3)", nx.kneser_graph(9, 3), True)
    yield Row("random geometric on 3000", nx.random_geometric_graph(3000, 0.046, seed=seed))
    yield Row("20-regular on 4000", nx.random_regular_graph(20, 4000, seed=seed), True)
    yield Row("hypercube of dimension 11", nx.hypercube_graph(11), True)
    yield Row("small world on 1000", nx.connected_watts_strogatz_graph(1000, 8, 0.1, seed=seed))
    yield Row("preferential attachment, 1000", nx.barabasi_albert_graph(1000, 5, seed=seed))
    yield Row("400,000 random edges", nx.gnm_random_graph(20_000, 400_000, seed=seed), True)
    yield Row("wheel on 4000", nx.wheel_graph(4000), True)
    yield Row("fifth power of a cycle on 2000", nx.circulant_graph(2000, [1, 2, 3, 4, 5]), True)
    yield Row("complete bipartite K(150, 151)", nx.complete_bipartite_graph(150, 151), False)
    yield Row("K(150) joined to 151", nx.complete_multipartite_graph(*[1] * 150, 151), False)
    yield Row("two K(300) that share one vertex", fans(2, 300, 1), False)
    yield Row("complete bipartite K(2, 2000)", nx.complete_bipartite_graph(2, 2000), False)
    yield Row("star with 3000 leaves", nx.star_graph(3000), False)
    for count in (30, 60, 90):
        yield Row(f"{count} exclusive-or gadgets", xor_gadgets(count, seed))


def sparse(seed: int) -> Iterator[tuple[str, Graph]]:
    """Yield graphs of small width, and graphs of many components."""
    yield "star with 3000 leaves", nx.star_graph(3000)
    yield "binary tree on 4095", nx.balanced_tree(2, 11)
    yield "300 K(4) that share one vertex", fans(300, 4, 1)
    yield "random tree on 2000", nx.random_labeled_tree(2000, seed=seed)
    yield "ladder 2 x 1000", nx.ladder_graph(1000)
    yield "grid 40 x 40", nx.grid_2d_graph(40, 40)
    yield "cactus on 1363", cactus(1363, seed, chords=False)
    yield "block graph on 730", cactus(730, seed, chords=True)
    yield "path on 20,000", nx.path_graph(20_000)
    yield "200 K(8)", nx.disjoint_union_all([nx.complete_graph(8)] * 200)
    yield (
        "66,666 triangles",
        nx.Graph(pair for v in range(0, 199_998, 3) for pair in combinations(range(v, v + 3), 2)),
    )


def ours(method: str | None) -> Callable[[Graph, float], Run]:
    """Return the solver of this package with a method; None for the default."""
    backend = None if method in (None, "rotations") else "cadical195"

    def run(graph: Graph, limit_s: float) -> Run:
        options = Options(method=method, backend=backend, time_limit_s=limit_s)
        began = time.perf_counter()
        try:
            answer = solve_problem(problem_of(graph, Goal.CYCLE), options)
        except UnoCspError:
            return limit_s, None
        found = {Status.SATISFIABLE: True, Status.UNSATISFIABLE: False}
        return time.perf_counter() - began, found.get(answer.status)

    return run


def by_cp_sat(graph: Graph, limit_s: float) -> Run:
    """Solve with AddCircuit, as the manual of OR-Tools does."""
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    model = cp_model.CpModel()
    arcs = [arc for one, other in graph.edges for arc in ((one, other), (other, one))]
    literals = [model.new_bool_var("") for _ in arcs]
    model.add_circuit([(*arc, literal) for arc, literal in zip(arcs, literals, strict=True)])
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit_s
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    spent_s = time.perf_counter() - began
    if status == cp_model.INFEASIBLE:
        return spent_s, False
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return spent_s, None
    following = dict(arc for arc, on in zip(arcs, literals, strict=True) if solver.value(on))
    return spent_s, _is_cycle(graph, _followed(following))


CLINGO = """
{ cycle(X,Y) : arc(X,Y) } = 1 :- node(X).
{ cycle(X,Y) : arc(X,Y) } = 1 :- node(Y).
reached(Y) :- cycle(0,Y).
reached(Y) :- reached(X), cycle(X,Y).
:- node(X), not reached(X).
#show cycle/2.
"""
"""The encoding of the Potassco guide."""


def by_clingo(graph: Graph, limit_s: float) -> Run:
    """Solve with clingo."""
    import clingo

    began = time.perf_counter()
    control = clingo.Control(["--warn=none"])
    facts = "".join(f"node({vertex})." for vertex in graph)
    facts += "".join(f"arc({one},{other}). arc({other},{one})." for one, other in graph.edges)
    control.add("base", [], facts + CLINGO)
    control.ground([("base", [])])
    following: dict[int, int] = {}

    def read(model: clingo.Model) -> None:
        for atom in model.symbols(shown=True):
            following[atom.arguments[0].number] = atom.arguments[1].number

    left_s = limit_s - (time.perf_counter() - began)
    with control.solve(on_model=read, async_=True) as handle:
        done = handle.wait(max(left_s, 0.0))
        handle.cancel()
        result = handle.get()
    spent_s = time.perf_counter() - began
    if not done:
        return spent_s, None
    return spent_s, _is_cycle(graph, _followed(following)) if result.satisfiable else False


def by_lkh(graph: Graph, limit_s: float) -> Run:
    """Look for a tour of length 0 with LKH, which never proves that there is none."""
    import elkai

    del limit_s  # the caller ends the process
    size = len(graph)
    if size > LKH_VERTICES:
        return 0.0, None
    distances = [[int(not graph.has_edge(a, b)) for b in range(size)] for a in range(size)]
    began = time.perf_counter()
    tour = elkai.DistanceMatrix(distances).solve_tsp(runs=10)[:-1]
    spent_s = time.perf_counter() - began
    closed = all(graph.has_edge(a, b) for a, b in zip(tour, tour[1:] + tour[:1], strict=True))
    return spent_s, True if closed else None


RIVALS: dict[str, Callable[[Graph, float], Run]] = {
    "CP-SAT's circuit": by_cp_sat,
    "clingo": by_clingo,
    "LKH": by_lkh,
}


def _followed(following: dict[int, int]) -> list[int]:
    tour = [0]
    while following[tour[-1]] != 0:
        tour.append(following[tour[-1]])
    return tour


def _is_cycle(graph: Graph, tour: Sequence[int]) -> bool:
    """Return True, after the checker has accepted the cycle."""
    assert not violations(problem_of(graph, Goal.CYCLE), [list(tour)])  # noqa: S101
    return True


def _in_child(
    run: Callable[[Graph, float], Run], graph: Graph, limit_s: float, end: Connection
) -> None:
    end.send(run(graph, limit_s))


def limited(run: Callable[[Graph, float], Run], graph: Graph, limit_s: float) -> Run:
    """Run a rival in a process of its own, which is ended some time after the limit."""
    ours_end, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_in_child, args=(run, graph, limit_s, theirs))
    process.start()
    theirs.close()
    try:
        return ours_end.recv() if ours_end.poll(2 * limit_s + 10) else (limit_s, None)
    except EOFError:
        return limit_s, None
    finally:
        process.kill()
        process.join()


def agreed(row: Row, verdicts: Sequence[Verdict]) -> str:
    """Return the answer of all programs."""
    known = {verdict for verdict in (row.expected, *verdicts) if verdict is not None}
    assert len(known) < 2, f"{row.name}: programs disagree"  # noqa: S101
    return "unknown" if not known else "yes" if known.pop() else "no"


def hopeful(runs: Sequence[Run], names: int) -> bool:
    """Return True if a program may still answer more than half of its runs."""
    return 2 * sum(verdict is None for _, verdict in runs) < names


def cells(row: Row, names: int, limit_s: float) -> list[str]:
    """Return the cells of a row: the default's times, and how many times as long others took."""
    runs: dict[str, list[Run]] = {}
    everyone = {"default": ours(None), **{name: ours(name) for name in OWN}}
    for seed in range(names):
        graph = renamed(row.graph, seed)
        for name, run in everyone.items():
            if hopeful(runs.setdefault(name, []), names) or name == "default":
                runs[name].append(run(graph, limit_s))
        for name, run in RIVALS.items():
            too_large = graph.number_of_edges() > DENSE
            too_large = too_large or (name == "LKH" and len(graph) > LKH_VERTICES)
            if hopeful(runs.setdefault(name, []), names) and not too_large:
                runs[name].append(limited(run, graph, limit_s))
    answer = agreed(row, [verdict for several in runs.values() for _, verdict in several])
    own = [spent_s for spent_s, _ in runs["default"]]
    solved = sum(verdict is not None for _, verdict in runs["default"])
    median_s = statistics.median(own)
    shown = f"{median_s:.2f}" if solved == names else f"{solved} of {names}"
    found_cells = [row.name, str(len(row.graph)), answer, shown, f"{max(own):.2f}"]
    for name in (*OWN, *RIVALS):
        times = [spent_s for spent_s, verdict in runs[name] if verdict is not None]
        if 2 * len(times) <= names:
            found_cells.append("-")
        else:
            found_cells.append(f"{statistics.median(times) / median_s:.1f}")
    return found_cells


def table(rows: Iterator[Row], names: int, limit_s: float) -> list[str]:
    """Return the lines of a table of cycles."""
    heads = ["graph", "vertices", "cycle", "median s", "longest s", *OWN, *RIVALS]
    lines = [f"| {' | '.join(heads)} |", "|---|---:|---|" + "---:|" * (len(heads) - 3)]
    for row in rows:
        lines.append(f"| {' | '.join(cells(row, names, limit_s))} |")
        print(lines[-1], flush=True)
    return lines


def given(folder: Path) -> Iterator[tuple[str, list[Graph], list[int | None]]]:
    """Yield the graphs of path covers and longest paths, and the least numbers of paths known."""
    for path in sorted(folder.glob("*.jsonl")):
        graphs, known = [], []
        for each in map(json.loads, path.read_text().splitlines()):
            graph: Graph = nx.empty_graph(each["vertices"])
            graph.add_edges_from(each["edges"])
            graphs.append(graph)
            known.append(max(1, each["completion_number"]))
        yield path.name, graphs, known
    for name, graph in sparse(1):
        yield name, [graph], [None]


def numbers(folder: Path, limit_s: float) -> list[str]:
    """Return the lines of the table of path covers and longest paths."""
    lines = ["| graphs | number | problem | median s | longest s | right |"]
    lines.append("|---|---:|---|" + "---:|" * 3)
    for name, graphs, known in given(folder):
        for goal in (Goal.PATHS, Goal.LONGEST):
            answers: list[HamiltonAnswer] = []
            for graph in graphs:
                problem = problem_of(renamed(graph, 1), goal)
                answers.append(solve_problem(problem, Options(time_limit_s=limit_s)))
            times = [answer.wall_s for answer in answers]
            right = sum(
                answer.status is Status.OPTIMAL
                and (goal is Goal.LONGEST or k in (None, answer.objective))
                for answer, k in zip(answers, known, strict=True)
            )
            middle = f"{statistics.median(times):.2f} | {max(times):.2f}"
            lines.append(f"| {name} | {len(graphs)} | {goal} | {middle} | {right} |")
            print(lines[-1], flush=True)
    return lines


HEAD = """# Hamiltonian problems

Made by `scripts/bench_hamilton`{arguments}. Times that each graph was asked: {names}, with its
vertices renamed at random, under a limit of {limit:g} s. Median and longest time are those of the
default `solve`, from the graph to the checked answer; the other columns say how many times as
long others took, by medians: the methods hub-trail and successor with CaDiCaL, rotations,
CP-SAT's circuit constraint, clingo with the encoding of its guide, and LKH; rotations and LKH
prove no NO. - is a program that answered at most half of its runs, or took no such graph.
"""

NUMBERS_HEAD = """
## Path covers and longest paths

The default `solve`. Graphs and numbers of `completion.jsonl` are by Lechien, Jooken
and De Causmaecker (2022); an answer counts as right if it is proved and agrees with what is known.
"""


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", type=int, default=3, help="number of renamings")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each answer")
    parser.add_argument("--out", type=Path, default=Path("results/hamilton.md"))
    chosen = parser.parse_args()
    solve_problem(problem_of(nx.petersen_graph(), Goal.PATHS))  # starts the workers
    arguments = f" FOLDER --names {chosen.names} --limit {chosen.limit:g}"
    lines = [HEAD.format(arguments=arguments, names=chosen.names, limit=chosen.limit)]
    lines += ["## Public graphs\n", *table(public(chosen.folder), chosen.names, chosen.limit)]
    lines += ["\n## Generated graphs\n", *table(families(1), chosen.names, chosen.limit)]
    lines += ["\n## Graphs without a search\n", *table(easy(1), chosen.names, chosen.limit)]
    lines += [NUMBERS_HEAD, *numbers(chosen.folder, chosen.limit)]
    text = "\n".join(lines)
    chosen.out.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
