"""The blocks of docs/programs.md work where they say: threads, an event loop, forked processes."""

import sys
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from scripts.blocks import blocks, ran

PRINTED = (
    "['YES', 'NO', 'YES']\n",
    "it was stopped\n",
    "['YES', 'NO']\n2\n",
    "YES\n['YES', 'NO']\n",
)
PAGE = blocks("docs/programs.md", "python")


@pytest.mark.parametrize(("number", "printed"), [*enumerate(PRINTED)])
def test_a_block_prints_its_answers_and_nothing_else(
    number: int, printed: str, tmp_path: Path
) -> None:
    assert len(PAGE) == len(PRINTED)
    assert ran(PAGE[number], sys.executable, tmp_path) == (printed, printed)


KERNEL = """
import asyncio, uno_csp
loop = asyncio.get_running_loop()
answer = await uno_csp.solve_async("R5 R7 B7")
print(answer.status.word, uno_csp.solve("R5 B7").status.word)
print(*(each.status.word for each in uno_csp.solve_many(["R5 R7", "R5 B7"])))
"""


def test_a_cell_of_a_notebook_awaits_and_calls() -> None:
    book = new_notebook(cells=[new_code_cell(KERNEL)])  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=200).execute()
    assert "".join(output.text for output in book.cells[0].outputs) == "YES NO\nYES NO\n"
