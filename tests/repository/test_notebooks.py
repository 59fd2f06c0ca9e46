"""Answers in notebooks, and the notebooks of the examples."""

import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support import ROOT
from uno_csp import Answer, Status, parse, solve
from uno_csp.questions.wording.markup import SHOWN_CARDS, face_of, html, svg

NOTEBOOKS = ROOT / "examples/notebooks"
VERDICT = re.compile(r"<strong[^>]*>(.*?)</strong>")


def verdicts(notebook: nbformat.NotebookNode) -> list[str]:
    """What the answers in it say."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    shown = ("".join(each.get("data", {}).get("text/html", "")) for each in outputs)
    return [found for text in shown for found in VERDICT.findall(text)]


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """What its cells show as text, without times."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    shown = ("".join(each.get("text") or each.data["text/plain"]) for each in outputs)
    return [re.sub(r"[0-9.]+ s", "", text) for text in shown]


def run_again(name: str, folder: Path) -> tuple[nbformat.NotebookNode, nbformat.NotebookNode]:
    """Return a notebook as it is stored, and as it is when all of its cells have run."""
    stored = nbformat.read(NOTEBOOKS / name, as_version=4)  # type: ignore[no-untyped-call]
    fresh = nbformat.read(NOTEBOOKS / name, as_version=4)  # type: ignore[no-untyped-call]
    for cell in fresh.cells:
        cell.update({"outputs": []} if cell.cell_type == "code" else {})
    NotebookClient(fresh, timeout=200, resources={"metadata": {"path": folder}}).execute()
    return stored, fresh


@pytest.mark.slow
def test_the_notebooks_run_and_show_what_they_are_stored_with(tmp_path: Path) -> None:
    stored, fresh = run_again("course.ipynb", tmp_path)
    assert texts(fresh) == texts(stored)
    assert "(117, 126)" in texts(fresh)
    assert any(text.startswith("proved by inequalities") for text in texts(fresh))
    stored, fresh = run_again("tour.ipynb", tmp_path)
    assert verdicts(fresh) == verdicts(stored)
    assert len(verdicts(fresh)) == 4


def test_an_answer_shows_its_verdict_and_its_cards() -> None:
    answer = solve(parse({"question": "fill-in", "cards": ["R5", "B7", "W"], "after": "G1"}))
    expected = ElementTree.fromstring(answer._repr_html_())
    words = "".join(expected.itertext())
    assert words.startswith("BEST  ")
    assert answer.sequence is not None
    chips = list(expected.iter("span"))
    assert len(chips) == len(answer.sequence)
    assert sum("(added)" in each.attrib["title"] for each in chips) == len(answer.added or ())
    picture = ElementTree.fromstring(answer._repr_svg_() or "")
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}g"))) == len(chips)


def test_players_are_named_and_a_no_has_no_picture() -> None:
    hands = {"question": "cooperative", "hands": [["R5", "R7"], ["R1", "B7"]]}
    assert "2:<span" in solve(parse(hands))._repr_html_()
    refused = solve(parse("R5 B7"))
    assert refused._repr_svg_() is None
    assert "NO  the whole hand cannot be discarded" in refused._repr_html_()


def test_names_are_text_and_long_sequences_are_cut() -> None:
    evil = '<script>alert("x")</script>'
    faces = [face_of((evil, number)) for number in range(SHOWN_CARDS + 5)]
    for text in (html(evil, "red", [evil], faces, evil), svg(faces)):
        assert "<script" not in text
        assert "and 5 more cards" in text
        ElementTree.fromstring(text)
    assert "UNKNOWN" in Answer("uno-1", Status.UNKNOWN, reason="time")._repr_html_()
