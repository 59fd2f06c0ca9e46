"""No reader takes more than linear time: a quadratic one takes hours for a megabyte of one mark."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import pytest

from uno_csp import UnoCspError, parse
from uno_csp.exports.output_formats import find_output_format, plain_text
from uno_csp.exports.xcsp import read_instantiation
from uno_csp.formats import parse_answer
from uno_csp.graph_files.reading import FORMATS, read_graphs
from uno_csp.modeling import Model
from uno_csp.verifier.reading import Refused, loads

MARKS = (*" \t\n\r,;:|/\\()[]{}<>\"'`#%*+-=_.01xR", "a,", '"a,"', "1 ", "a\n", "-1 ", "<a>", "[[1")
MARKS += ("<instantiation>", "1,\n", "\n ", "R1 ", '{"a":', "\x1b[", "&", "?", "@", "~")
BEGINNINGS = ("", "graph [", '{"nodes": [', "p edge 3 2\n", "3 2\n")
"""Text before the marks: none, or the beginnings of graph files."""


def _graphs(kind: str, text: str) -> object:
    return list(read_graphs(text, kind=kind))


READERS: dict[str, Callable[[str], object]] = {
    "question": parse,
    "answer": parse_answer,
    "output": lambda text: find_output_format(plain_text(text)),
    "instantiation": lambda text: read_instantiation(text, Model()),
    "certificate": loads,
    "graph": lambda text: list(read_graphs(text)),
    **{f"graph, {kind}": partial(_graphs, kind) for kind in FORMATS},
}


def read(reader: str, size: int, beginnings: Sequence[str] = ("",)) -> int:
    """Return the number of texts of one mark that are refused in a few words."""
    refused = 0
    for beginning, mark in product(beginnings, MARKS):
        try:
            READERS[reader](beginning + mark * (size // len(mark)))
        except (UnoCspError, Refused, ValueError, RecursionError) as error:
            assert len(str(error)) < 600
            refused += 1
    return refused


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_megabyte_of_one_mark(reader: str) -> None:
    assert read(reader, 1_000_000) > len(MARKS) // 2


@pytest.mark.parametrize("reader", READERS)
def test_a_little_of_one_mark(reader: str) -> None:
    assert read(reader, 8_000, BEGINNINGS) > len(BEGINNINGS) * len(MARKS) // 2
