"""The command line in the POSIX locale, without docstrings and asserts, and in other encodings.

Output is UTF-8 for programs in every locale, and in the encoding of the locale for people.
"""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.running import Patch, run
from tests.support.tables import table

POSIX = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""The environment of batch systems and slim images, where Python takes bytes for ASCII."""

PROGRAM = """
import contextlib, io, json, os, sys
from uno_csp.cli import main

found = []
for words in json.loads(sys.stdin.buffer.read()):
    out, err = (io.TextIOWrapper(io.BytesIO(), sys.stdout.encoding) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([os.fsdecode(word.encode()) for word in words])
        except SystemExit as left:
            code = left.code or 0
    for stream in (out, err):
        stream.flush()
    found.append([code, *(stream.buffer.getvalue().decode() for stream in (out, err))])
print(json.dumps(found))
"""
"""Runs commands, whose words come as a shell hands them on, in one interpreter."""

FILES = {
    "händ é.json": '{"question": "uno-1", "name": "größte „Hand“ 手", '
    '"cards": [["grün", 5], ["grün", 7], ["blå", "é"], ["blå", 5]]}',
    "nö.json": '{"question": "uno-1", "cards": [["grün", 5], ["blå", "é"]]}',
    "bräuer.csv": "é,ü\nü,ø\nø,é\n",
    "süite.toml": 'name = "Prüfung"\nlimits = { wall_s = 20 }\n'
    '[[instances]]\nfiles = ["hä*.json", "nö.json"]\n'
    '[[combinations]]\nmethods = ["hub-trail"]\nbackends = ["cadical195"]\n',
}


def test_commands_do_the_same_in_the_poorest_interpreter(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    cases = table("cli", "surroundings")
    ran = subprocess.run(
        [sys.executable, "-OO", "-c", PROGRAM],
        input=json.dumps([case[0] for case in cases]).encode(),
        stdout=subprocess.PIPE,
        check=True,
        cwd=tmp_path,
        env={**os.environ, **POSIX},
        timeout=300,
    )
    for (words, code, said), (found, out, err) in zip(cases, json.loads(ran.stdout), strict=True):
        assert found == code, (words, out, err)
        assert code == 2 or "bench" in words or not err, (words, out, err)
        assert said in out + err, (words, out, err)
    exported = (tmp_path / "aüs.cnf").read_text(encoding="utf-8")
    assert "c name: größte „Hand“ 手" in exported
    assert (tmp_path / "Beweis é" / "claim.json").exists()
    assert (tmp_path / "erg é" / "report/index.html").exists()


@pytest.fixture
def named(tmp_path: Path, monkeypatch: Patch) -> None:
    """A question and a graph of names beyond ASCII, in the working folder."""
    cards = '"name": "größte 手", "cards": [["grün", 5], ["grün", "手"]]'
    (tmp_path / "q.json").write_text(f'{{"question": "uno-1", {cards}}}', encoding="utf-8")
    (tmp_path / "g.edges").write_text("é ü\nü ø\nø é\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def bytes_of(line: str, encoding: str, monkeypatch: Patch) -> bytes:
    """Return what a command prints where the encoding of standard output is another one."""
    stream = io.TextIOWrapper(printed := io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", stream)
    assert run(line) in (0, 10)
    assert (stream.encoding, stream.errors) == (encoding, "backslashreplace")
    return printed.getvalue()


@pytest.mark.usefixtures("named")
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
def test_text_for_programs_is_utf8(line: str, name: str, encoding: str, monkeypatch: Patch) -> None:
    text = bytes_of(line, encoding, monkeypatch).decode()
    assert name.replace(" ", "_" if "hcp" in line else " ") in text
    if "graphml" in line:
        ElementTree.fromstring(text)


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize(("encoding", "text"), [("iso8859-1", "grün"), ("ascii", "gr\\xfcn")])
def test_text_for_people_is_in_their_locale(encoding: str, text: str, monkeypatch: Patch) -> None:
    said = bytes_of("solve q.json", encoding, monkeypatch)
    assert f"[{text} 5]" in said.decode(encoding)
