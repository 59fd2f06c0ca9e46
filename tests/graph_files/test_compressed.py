"""Graphs that are compressed, wherever one is written or read, by a suffix in any case."""

import json
from pathlib import Path

import pytest

from tests.support.running import answered
from uno_csp.experiments.suites import read_suite
from uno_csp.formats.compression import OPENERS

K4 = "C~"


def packed(path: Path, text: str) -> Path:
    """A file that is compressed as its name says."""
    with OPENERS[path.suffix.lower()](path, "wt", encoding="utf-8") as stream:
        stream.write(text)
    return path


@pytest.mark.parametrize(
    ("to", "ending", "suffix"),
    [("graph6", "g6", ".GZ"), ("graphml", "GraphML", ".bz2"), ("dot", "gv", ".Xz")],
)
def test_a_graph_that_was_written_is_read(
    to: str, ending: str, suffix: str, tmp_path: Path
) -> None:
    graphs = []
    for name in (f"plain.{ending}", f"packed.{ending}{suffix}"):
        answered(0, f"export R5 R7 B7 R9 --to {to} -o {tmp_path / name}")
        graphs.append(json.loads(answered(10, f"hamilton {tmp_path / name} --path --format json")))
    assert graphs[0]["read"] == graphs[1]["read"]
    assert graphs[0]["paths"] == graphs[1]["paths"]


@pytest.mark.parametrize("suffix", [".gz", ".XZ"])
def test_graphs_of_families_and_suites_are_read(suffix: str, tmp_path: Path) -> None:
    plain = answered(0, f"generate cubic --graph6 {K4}")
    file = packed(tmp_path / f"k4.g6{suffix}", f"Bw\n{K4}\n")
    assert answered(0, f"generate cubic --graph6 @{file}:2") == plain
    question = packed(tmp_path / f"k4.json{suffix}", plain)
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f'''
        name = "packed"
        combinations = [{{}}]
        [[instances]]
        family = "cubic"
        parameters = [{{ graph6 = "@{file.name}:2" }}]
        [[instances]]
        files = ["*.json{suffix}", "{question.name}"]
        '''
    )
    assert {len(json.loads(plain)["cards"])} == {
        len(run.source.instance().cards) for run in read_suite(suite).runs
    }


@pytest.mark.parametrize("suffix", [".xz", ".GZ"])
def test_the_way_back_of_a_graph_is_read(suffix: str, tmp_path: Path) -> None:
    file = packed(tmp_path / f"tri.el{suffix}", "a b\nb c\nc a\n")
    assert answered(10, f"hamilton {file}").startswith("SATISFIABLE")
    exported = packed(
        tmp_path / f"tri.cnf{suffix}", answered(0, f"hamilton {file} --export dimacs")
    )
    said = packed(tmp_path / f"said.txt{suffix}", "s UNKNOWN\n")
    shown = answered(0, f"hamilton {file} --decode {said} --exported {exported}")
    assert shown.startswith("UNKNOWN")
