"""The command line: every exit code, every bad input, and every command of the README."""

import codecs
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest

from scripts.blocks import PAGES, blocks, differences
from tests.support import ROOT
from tests.support.hands import hard
from tests.support.processes import named_below
from tests.support.running import Capture, Patch, answered, outcome, refused, run
from tests.support.serving import wait_until
from tests.support.tables import table
from uno_csp import Answer, CheckFailed, Options, Uno1, cli, solve
from uno_csp.cli import solve as solve_command
from uno_csp.cli.asking import asked
from uno_csp.errors import UnoCspError
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance

EXAMPLE = str(ROOT / "examples/paper-example-1.json")
BATCH = str(ROOT / "examples/batch.jsonl")


def test_new_writes_a_question() -> None:
    def new(words: str) -> Any:
        return json.loads(answered(0, f"new uno-1 {words}"))

    assert new("R5 red,7 W --after y5 --at-least 1") == {
        "question": "uno-1",
        "cards": [["red", 5], ["red", 7], ["*", "*"]],
        "after": ["yellow", 5],
    }
    assert new("-- -1,2 '*,*'")["cards"] == [[-1, 2], ["*", "*"]]
    assert new("1,1,1 --at-least 2 --name n --comment c")["at_least"] == 2


def test_a_file_of_several_questions_is_not_one(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text('{"question": "uno-1", "cards": ["R5"]}\n' * 2)
    for command in ("count", "enumerate"):
        assert "it holds several questions; expected one" in refused(command, str(file))


@pytest.mark.parametrize(("ending", "question"), table("cli", "pictures"))
def test_plot(ending: str, question: dict[str, Any], tmp_path: Path) -> None:
    file, out = tmp_path / "q.json", tmp_path / f"picture.{ending}"
    file.write_text(json.dumps(question))
    assert run("solve", str(file), "--plot", str(out)) in (10, 20, 30)
    assert out.stat().st_size > 1000


def lines_of(code: int, *words: str) -> list[dict[str, Any]]:
    """Return the output of a command that ends with a code: a line of JSON per question."""
    return [json.loads(line) for line in answered(code, *words).splitlines()]


def test_batch_keeps_order_and_goes_on(tmp_path: Path) -> None:
    statuses = [each["status"] for each in lines_of(0, "solve", BATCH)]
    assert statuses == ["SATISFIABLE", "UNSATISFIABLE", "SATISFIABLE"]
    mixed = tmp_path / "mixed.txt"
    good = '{"question": "uno-1", "cards": ["R5"]}'
    mixed.write_text(f'{good}\n\n{{"question": "uno-1"}}\nnonsense\n{good}\n')
    answers = lines_of(2, "solve", str(mixed), "--jsonl")
    assert answers[1] == {"error": "cards: missing", "line": 3}
    assert answers[2]["line"] == 4
    assert answers[0]["status"] == answers[3]["status"] == "SATISFIABLE"
    again = lines_of(2, "solve", str(mixed), "--jsonl", "--workers", "2", "--backend", "glucose4")
    assert [each.get("line") for each in again] == [None, 3, 4, None]


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (b'{"question": "uno-1", "cards": [["r\xffd", 1]]}', "character 36: byte 0xff"),
        (b'{"question": "uno-1", "name": "caf\xe9", "cards": []}', "character 35: byte 0xe9"),
        (b"\xc3", "character 1: byte 0xc3"),
        ("é".encode() + b"\xed\xa0\x80", "character 2: byte 0xed"),
    ],
)
def test_a_line_that_is_not_utf8_is_one_error(bad: bytes, place: str, tmp_path: Path) -> None:
    good, file = '{"question": "uno-1", "cards": [["größe", 1]]}'.encode(), tmp_path / "q.jsonl"
    for mark in (b"", codecs.BOM_UTF8):
        file.write_bytes(mark + b"\r\n".join((good, bad, good, b"")))
        first, second, third = lines_of(2, "solve", str(file))
        assert first["status"] == third["status"] == "SATISFIABLE"
        assert second == {"error": f"{place} is not UTF-8 text", "line": 2}
    file.write_bytes(gzip.compress(good))
    said = refused("solve", str(file))
    assert "compressed by gzip; the name of such a file ends in .gz" in said


BAD: dict[str, tuple[bytes | None, str]] = {
    "empty.json": (b"", "empty"),
    "cut.json": (b'{"question": ', "not JSON"),
    "kind.json": (b'{"question": "chess", "cards": []}', "allowed are"),
    "ragged.json": (b'{"question": "uno-1", "cards": [[1,2],[3]]}', "cards[1]"),
    "long.txt": (b"x" * 1_000_000, "line 1"),
    "long.json": (b'{"question": "' + b"x" * 1_000_000 + b'"}', "question: "),
    "binary": (bytes(range(256)) * 100, "UTF-8"),
    "missing": (None, "no such file"),
    "": (None, "directory"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_one_line(name: str, tmp_path: Path) -> None:
    content, message = BAD[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    code, said, complained = outcome("solve", str(path))
    assert (code, said) == (2, "")
    assert complained.startswith(f"uno-csp: {path}: ")
    assert complained.count("\n") == 1
    assert message in complained
    assert len(complained) - len(str(path)) < 300


@pytest.mark.parametrize("what", ["encodings", "backends", "families", "questions"])
def test_listings(what: str) -> None:
    human = answered(0, "list", what)
    rows = json.loads(answered(0, "list", what, "--format", "json"))
    assert rows
    assert all(row["name"] in human for row in rows)


def test_version_names_the_solvers() -> None:
    shown = answered(0, "--version")
    for package in ("uno-csp 0.1.0", "python-sat ", "ortools ", "pulp ", "highspy "):
        assert package in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_UNO_CSP_COMPLETE" in answered(0, "completion", shell)


@pytest.mark.parametrize(("arguments", "code", "message"), table("cli", "bad options"))
def test_bad_options_get_one_line(arguments: list[str], code: int, message: str) -> None:
    found, _, complained = outcome("solve", EXAMPLE, *arguments)
    assert found == code
    assert message in complained
    assert complained.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["solve"], ["nonsense"], ["new", "chess"], ["list"], ["new", "uno-1", "R5", "1"]]
)
def test_bad_usage(arguments: list[str]) -> None:
    assert refused(*arguments).count("\n") == 1


@pytest.mark.parametrize(("error", "code"), [(CheckFailed("x"), 70), (UnoCspError("x"), 1)])
def test_other_errors_have_their_codes(
    error: UnoCspError, code: int, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setattr(solve_command, "solve", Mock(side_effect=error))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # a report is left there
    assert run("solve", EXAMPLE) == code


def test_an_answer_found_at_the_moment_of_ctrl_c_is_shown(
    monkeypatch: Patch, capsys: Capture
) -> None:
    def pressed(*given: Any, **more: Any) -> Answer:
        """Answer a question, and press Ctrl-C."""
        answer = solve(*given, **more)
        signal.raise_signal(signal.SIGINT)
        return answer

    monkeypatch.setattr(solve_command, "solve", pressed)
    assert run("solve", EXAMPLE) == 130
    out, err = capsys.readouterr()
    assert out.startswith("YES")
    assert err == ""


def test_ctrl_c_leaves_one_line(tmp_path: Path) -> None:
    file = tmp_path / "hard.json"
    file.write_text(json.dumps(question_to_dict(hard())))
    plain = ("--method", "position", "--backend", "cbc", "--no-presolve")
    command = [sys.executable, "-m", "uno_csp", "solve", str(file), *plain]
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    asked = subprocess.Popen(command, **piped, cwd=ROOT)
    wait_until(lambda: bool(named_below(asked.pid, "cbc")))
    asked.send_signal(signal.SIGINT)
    out, err = asked.communicate(timeout=200)
    assert (asked.returncode, out) == (130, "")
    assert re.fullmatch(r"interrupted after [0-9]+ s\n", err)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_the_documentation_do_what_they_say(page: str) -> None:
    assert sum(len(blocks(each)) for each in PAGES) >= 39
    assert [*differences([page], [sys.executable])] == []


def test_the_python_of_the_readme_and_the_tour_runs(capsys: Capture) -> None:
    pages = ("README.md", "docs/tour.md", "docs/hamiltonian.md")
    codes = [code for page in pages for code in blocks(page, "python")]
    for code, said in zip(
        codes, (*2 * ("SATISFIABLE (('",), "UNSATISFIABLE\n('c', 'b'"), strict=True
    ):
        exec(compile(code.text, "a page", "exec"), {})  # noqa: S102
        assert capsys.readouterr().out.startswith(said)


def test_the_questions_of_the_tour_are_read(tmp_path: Path) -> None:
    (questions,) = blocks("docs/tour.md", "json")
    for question, code in zip(questions.text.splitlines(), (10, 30, 10), strict=True):
        (tmp_path / "q.json").write_text(question)
        assert run("solve", str(tmp_path / "q.json")) == code


def test_a_bug_ends_one_line_of_a_batch_and_not_the_rest(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    def fail(instance: Uno1, *options: object, **more: object) -> object:
        """Wrong for hands of one card."""
        if len(instance.cards) == 1:
            raise ZeroDivisionError("by zero")
        if len(instance.cards) == 2:
            raise CheckFailed("the checker refused the answer", {"violations": ["x"]})
        return solve(instance)

    monkeypatch.setattr("uno_csp.pipeline.many.solve", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lines = [{"question": "uno-1", "cards": [["a", 1]] * count} for count in (1, 2, 3)]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    data = lines_of(70, "solve", str(batch))
    assert data[0] == {"error": "a bug, please report it: ZeroDivisionError: by zero", "line": 1}
    (report,) = tmp_path.glob("uno-csp-refused-*.json")
    assert data[1] == {"error": f"the checker refused the answer; see {report}", "line": 2}
    assert data[2]["status"] == "SATISFIABLE"


@pytest.mark.parametrize(("line", "code", "message"), table("cli", "what people type"))
def test_what_people_type(line: str, code: int, message: str) -> None:
    found, said, complained = outcome(line)
    assert found == code
    assert message in said + complained
    assert "\N{NO-BREAK SPACE}" not in said


def test_a_card_is_a_card_though_a_file_has_its_name(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("R5").write_text("R5 B7")
    for line, code in (("solve R5", 10), ("solve R5 B5", 10), ("solve ./R5", 20)):
        assert run(line) == code
    said = refused("solve ./R5 --after Y5")
    assert "--question and --after are for typed cards; ./R5 is a file" in said


@pytest.mark.parametrize("name", ["hand.json", "hand.txt"])
def test_a_wild_draw_four_stays_what_it_is(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    if name.endswith("json"):
        file.write_text(answered(0, "new uno-1 R5 +4 B7 W wd4"))
        assert json.loads(file.read_text())["cards"][1] == "+4"
    else:
        file.write_text("R5 +4 B7\nW, wild draw four\n")
    out = answered(10, "solve", str(file))
    assert (out.count("[wild +4]"), out.count("[wild]")) == (2, 1)
    assert "[wild +4]" in answered(10, "solve R1 +4 / B2 W --question cooperative")


def test_the_time_to_read_the_file_counts(tmp_path: Path, monkeypatch: Patch) -> None:
    hand = tmp_path / "hand.txt"
    hand.write_text("R5 R7")
    given: list[float | None] = []

    def timed(instance: Instance, options: Options, **more: Any) -> Answer:
        given.append(options.time_limit_s)
        return solve(instance, options, **more)

    def slow(words: Sequence[str], *more: Any) -> Instance:
        time.sleep(0.3)
        return asked(words, *more)

    monkeypatch.setattr(solve_command, "solve", timed)
    monkeypatch.setattr(solve_command, "asked", slow)
    assert run("solve", str(hand), "--time-limit", "600") == 10
    assert given[0] is not None
    assert given[0] <= 599.7


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_falls_into_a_finalizer_ends_the_command(
    number: signal.Signals, monkeypatch: Patch
) -> None:
    """Python drops what a finalizer raises, so the handler runs once more behind it."""

    class Finalized:
        def __del__(self) -> None:
            os.kill(os.getpid(), number)

    def command(_arguments: object) -> int:
        Finalized()
        Event().wait(200)
        return 0

    monkeypatch.setattr(cli, "_run", command)
    monkeypatch.setattr(signal, "raise_signal", lambda again: sys.exit(128 + again))
    before = signal.signal(number, signal.SIG_DFL)  # perhaps ignored, as by nohup
    with pytest.raises(SystemExit) as ended:
        cli.main([])
    assert ended.value.code == 128 + number
    signal.signal(number, before)
