"""The checker of paths and cycles in graphs; it knows nothing of cards."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

from uno_csp.hamilton.problems import Goal, HamiltonProblem


def violations(problem: HamiltonProblem, paths: Sequence[Sequence[int]]) -> list[str]:
    """Return what is wrong with paths, given by places of vertices; a cycle is one path."""
    near = problem.neighbours
    walks = [[*path, path[0]] for path in paths] if problem.goal is Goal.CYCLE else paths
    found = [
        f"{problem.words[one]} and {problem.words[other]} are not adjacent"
        for one, other in chain.from_iterable(map(pairwise, walks))
        if other not in near[one]
    ]
    visits = Counter(chain.from_iterable(paths))
    found += [
        f"{problem.words[place]} is visited {n} times" for place, n in visits.items() if n > 1
    ]
    if problem.goal is not Goal.LONGEST:
        found += [
            f"{problem.words[place]} is not visited"
            for place in range(len(near))
            if place not in visits
        ]
    if problem.goal is not Goal.PATHS and len(paths) != 1:
        found.append(f"there are {len(paths)} paths, where one is wanted")
    if problem.goal is Goal.CYCLE and len(near) < 3:
        found.append("a cycle has three vertices or more")
    if problem.source is not None and paths and paths[0][0] != problem.source:
        found.append(f"the path does not begin at {problem.words[problem.source]}")
    if problem.target is not None and paths and paths[0][-1] != problem.target:
        found.append(f"the path does not end at {problem.words[problem.target]}")
    return found
