"""Encodings of output: UTF-8 for programs in every locale, that of the locale for people."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.running import Patch, run

NAMED = """{"question": "uno-1", "name": "größte 手", "cards": [["grün", 5], ["grün", "手"]]}"""
EDGES = "é ü\nü ø\nø é\n"


def bytes_of(line: str, encoding: str, monkeypatch: Patch) -> bytes:
    """Return what a command prints where the encoding of standard output is another one."""
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding)
    monkeypatch.setattr("sys.stdout", stream)
    assert run(line) in (0, 10)
    assert (stream.encoding, stream.errors) == (encoding, "backslashreplace")
    return printed.getvalue()


@pytest.mark.parametrize("encoding", ["iso8859-1", "ascii", "utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("line", "name"),
    [
        *((f"export q.json --to {to}", "grün") for to in ("graphml", "dot")),
        *((f"export q.json --to {to}", "größte 手") for to in ("dimacs", "lp", "mps", "hcp")),
        ("solve q.json --format competition", ""),
        *((f"hamilton g.edges --format {name}", "é") for name in ("tour", "competition")),
        ("hamilton g.edges --to graphml", ""),
    ],
)
def test_text_for_programs_is_utf8(
    line: str, name: str, encoding: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "q.json").write_text(NAMED, encoding="utf-8")
    (tmp_path / "g.edges").write_text(EDGES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = bytes_of(line, encoding, monkeypatch).decode()
    assert name.replace(" ", "_" if "hcp" in line else " ") in text
    if "graphml" in line:
        ElementTree.fromstring(text)


@pytest.mark.parametrize(("encoding", "text"), [("iso8859-1", "grün"), ("ascii", "gr\\xfcn")])
def test_text_for_people_is_in_their_locale(
    encoding: str, text: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "q.json").write_text(NAMED, encoding="utf-8")
    said = bytes_of(f"solve {tmp_path / 'q.json'}", encoding, monkeypatch)
    assert f"[{text} 5]" in said.decode(encoding)
