"""The command that writes the examples."""

from importlib.metadata import PackagePath
from pathlib import Path

import uno_csp
from tests.support import ROOT
from tests.support.running import Patch, answered, refused
from uno_csp.cli import examples


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
