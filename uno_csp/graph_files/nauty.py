"""Readers of graph6, sparse6 and digraph6 files, which have a graph on each line."""

from collections.abc import Callable, Iterator
from itertools import islice

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import MOST_EDGES, Draft, ReadGraph, Reading, error_at, lines_of
from uno_csp.graphs.graph6 import READERS


def reader_of(name: str) -> Callable[[str, Reading], Iterator[ReadGraph]]:
    """Return the reader of the files of a format; its mark may stand before the first graph."""
    mark = f">>{name}<<"

    def read(text: str, reading: Reading) -> Iterator[ReadGraph]:
        first = True
        for line, words in lines_of(text):
            graph = words[0].removeprefix(mark) if first else words[0]
            first = False
            if len(words) > 1:
                raise error_at(line, f"it is not {name}: it has a blank")
            if graph:
                yield _graph(name, graph, line, reading)

    return read


def _graph(name: str, text: str, line: int, reading: Reading) -> ReadGraph:
    draft = Draft(reading)
    if name == "digraph6":
        draft.directed(line, name)
    try:
        size, pairs = READERS[name](text)
        edges = list(islice(pairs, MOST_EDGES + 1))
    except InstanceError as error:
        raise error_at(line, f"it is not {name}: {error}") from None
    draft.number(range(size), line)
    for one, other in edges:
        draft.join(one, other, line)
    return draft.finish(name)
