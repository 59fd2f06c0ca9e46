"""Files that commands write: compressed ones, those that would overwrite others, the examples."""

import re
import shutil
from importlib.metadata import PackagePath
from pathlib import Path

import click
import pytest

import uno_csp
from tests.support import ROOT
from tests.support.running import Patch, answered, refused, run
from uno_csp import NotAccepted, export, parse
from uno_csp.cli import COMMANDS, cli, examples

CARDS = ("R5", "R7")


@pytest.mark.parametrize("suffix", [".zst", ".ZIP", ".7z", ".lz4", ".tar", ".tar.gz", ".Z", ".tgz"])
@pytest.mark.parametrize(
    "command",
    [
        ("export", *CARDS, "--to", "dimacs", "-o"),
        ("export", *CARDS, "--to", "dot", "-o"),
        ("export", *CARDS, "--to", "cpsat", "-o"),
        ("solve", *CARDS, "--plot"),
        ("verify", "--export"),
        ("jobs", "backup"),
    ],
)
def test_a_form_that_is_not_written_is_refused(
    command: tuple[str, ...], suffix: str, tmp_path: Path
) -> None:
    if {"verify": ".ZIP", "jobs": ".tar"}.get(command[0]) == suffix:
        return  # it is written
    words = "must end in" if command[0] == "solve" else f"a {suffix.lower()} file is not written"
    assert words in refused(*command, str(tmp_path / f"x{suffix}"))
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["", ".", "..", "a\0b", "/"])
def test_what_names_no_file_is_refused(name: str) -> None:
    with pytest.raises(NotAccepted, match=r"is no name of a file|is a directory"):
        export(parse("R5 R7"), "dimacs", name)


@pytest.mark.parametrize("name", ["x", "x.cnf", "x.v2.z.cnf", "x.GZ", "x.cnf.xz", "x.bz2", "a.b.c"])
def test_other_names_are_taken(name: str, tmp_path: Path) -> None:
    assert run("export", *CARDS, "--to", "dimacs", "-o", str(tmp_path / name)) == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_binary_model_is_not_compressed(tmp_path: Path) -> None:
    out = tmp_path / "x.PB"
    command = ("export", *CARDS, "--to", "cpsat", "-o")
    assert ".pb and .pbtxt.gz are written" in refused(*command, f"{out}.gz")
    assert run(*command, str(out)) == 0
    assert out.stat().st_size


def test_nothing_that_is_read_is_overwritten(tmp_path: Path) -> None:
    hand, certificate = tmp_path / "hand.svg", tmp_path / "cert.zip"
    hand.write_text("R5 R7")
    certificate.write_text("no certificate")
    shutil.copy(hand, tmp_path / "jobs.sqlite3")
    for command, file in (
        (("solve", str(hand), "--plot", str(hand)), hand),
        (("verify", str(certificate), "--export", str(certificate)), certificate),
        (("verify", "--export", str(hand)), hand),
        (("jobs", "backup", str(tmp_path / "jobs.sqlite3"), "--data", str(tmp_path)), hand),
    ):
        before = file.read_bytes()
        assert "give another name" in refused(*command)
        assert file.read_bytes() == before
    assert (tmp_path / "jobs.sqlite3").read_text() == "R5 R7"


def test_help_is_plain() -> None:
    """Each option is explained, and no help has names or marks of code or a plural with "is"."""
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        text = answered(0, name, "--help")
        assert "``" not in text
        assert "s is written" not in text
        assert not re.search(r" -+[a-z-]+ \w*_", text), name
        assert command is not None
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, f"{name}: {option.name}"


def listed(folder: Path) -> set[str]:
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {file.as_posix() for file in files if "__pycache__" not in file.parts}


def test_the_examples_are_those_of_the_source(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    count = len(listed(ROOT / "examples"))
    assert answered(0, "examples", str(folder)) == f"{count} files in {folder}\n"
    assert listed(folder) == listed(ROOT / "examples")
    assert "exists already" in refused("examples", str(folder))


def test_an_installed_wheel_has_them(tmp_path: Path, monkeypatch: Patch) -> None:
    class Installed(PackagePath):
        def locate(self) -> Path:
            return tmp_path / self

    source = tmp_path / examples.INSTALLED
    source.mkdir(parents=True)
    (source / "hand.csv").write_text("red,5\n")
    monkeypatch.setattr(uno_csp, "__file__", str(tmp_path / "lib/uno_csp/__init__.py"))
    monkeypatch.setattr(examples, "files", lambda _: [Installed(examples.INSTALLED, "hand.csv")])
    monkeypatch.chdir(tmp_path)
    assert answered(0, "examples") == "1 file in examples\n"
    assert (tmp_path / "examples/hand.csv").read_text() == "red,5\n"
    monkeypatch.setattr(examples, "files", lambda _: None)
    assert "this installation has no examples" in refused("examples more")


def test_every_folder_of_the_examples_is_in_the_wheel() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    folders = {path.relative_to(ROOT).parent for path in (ROOT / "examples").rglob("*.*")}
    for folder in folders:
        assert folder.name == "__pycache__" or f'"share/uno-csp/{folder.as_posix()}"' in text
