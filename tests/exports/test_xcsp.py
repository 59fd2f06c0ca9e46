"""Questions as XCSP3 instances, solved by ACE and read back."""

import io
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from tests.support.outside import decode
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp import (
    BackendError,
    BackendUnavailable,
    InstanceError,
    NotAccepted,
    Status,
    Uno1,
    export,
    parse,
    solve,
)
from uno_csp.benchmarks import Benchmark, make
from uno_csp.questions import Instance

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="needs java")
SQUARE = Uno1((("red", 1), ("red", 2), ("blue", 2)), name="a <square> -- & more---")


def ace() -> str:
    spec = find_spec("pycsp3")
    assert spec is not None
    assert spec.origin is not None
    (jar,) = Path(spec.origin).parent.glob("solvers/ace/ACE-*.jar")
    return str(jar)


def solved(instance: Instance, folder: Path, *options: str) -> str:
    file = folder / "question.xml"
    export(instance, "xcsp", file)
    command = ["java", "-jar", ace(), str(file), "-t=100s", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("asked", table("exports", "special instances for ACE"))
def test_ace_agrees_on_what_is_special(asked: dict[str, Any], tmp_path: Path) -> None:
    instance = parse(asked)
    expected = solve(instance)
    for options in ((), ("-npc",)):
        said = solved(instance, tmp_path, *options)
        method = None if "<instantiation" in said else "successor"
        answer = decode(instance, said, method=method)
        assert (answer.status, answer.objective) == (expected.status, expected.objective)


def test_the_instance_is_plain_xml_with_a_circuit(tmp_path: Path) -> None:
    file = tmp_path / "square.xml"
    exported = export(SQUARE, "xcsp", file, varnames=True)
    assert (exported.method, exported.connectivity, exported.constraints) == (
        "successor",
        "native",
        1,
    )
    root = Xml.parse(file).getroot()  # a file of our own
    assert root.attrib == {"format": "XCSP3", "type": "CSP"}
    (circuit,) = root.findall("constraints/circuit")
    assert (circuit.text or "").split() == ["x[]"]
    domains = {each.get("for"): (each.text or "").split() for each in root.iter("domain")}
    assert domains["x[0]"] == ["1..3"]
    assert domains["x[2]"] == ["0..1", "3"] or domains["x[2]"] == ["0", "1", "3"]
    assert "node 3 blue 2" in file.read_text()
    export(SQUARE, "xcsp", again := io.StringIO(), varnames=True)
    assert again.getvalue() == file.read_text()


def test_a_pile_that_no_card_matches_leaves_no_solution() -> None:
    text = io.StringIO()
    export(Uno1((("red", 5), ("red", 7)), after=("blue", 9)), "xcsp", text)
    assert re.search(r'<domain for="x\[0\]"> 0 </domain>', text.getvalue())
    assert re.search(r"<intension> ne\(x\[0\],0\) </intension>", text.getvalue())


def said_of(names: str, values: str) -> str:
    return (
        "o 0   0.04  ham=0\ns SATISFIABLE\nv <instantiation id='sol1' type='solution'> <list> "
        f"{names} </list> <values> {values} </values> </instantiation>\n"
    )


@pytest.mark.parametrize(("names", "values"), table("exports", "lists of variables"))
def test_lists_of_variables_are_read(names: str, values: str) -> None:
    answer = decode(SQUARE, said_of(names, values))
    assert answer.status is Status.SATISFIABLE
    assert answer.checked
    assert answer.witness.sequence == SQUARE.cards


def test_lines_and_colours_do_not_matter() -> None:
    said = "\x1b[92ms SATISFIABLE\x1b[0m\n\x1b[92mv\x1b[0m <instantiation>\nv <list>x[]</list>\n"
    said += "v <values>1 2\nv 3 0</values>\nv </instantiation>\n"
    assert decode(SQUARE, said).checked
    assert decode(SQUARE, "\x1b[92ms UNSATISFIABLE\x1b[0m").status is Status.UNSATISFIABLE


@pytest.mark.parametrize(
    ("said", "message"),
    [
        *(
            (said_of(*values), message)
            for *values, message in table("exports", "no instantiations")
        ),
        ("s SATISFIABLE\nv <instantiation> <list> x[] </list>", "no <instantiation> with"),
        (said_of("x[]", "1 2 3 0").replace("s SATISFIABLE", ""), "no s line"),
    ],
)
def test_what_is_no_solution_is_refused(said: str, message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        decode(SQUARE, said)


@pytest.mark.parametrize(
    "options", [{"method": "hub-trail"}, {"connectivity": "order"}, {"bound": 1}]
)
def test_it_takes_no_other_options(options: dict[str, Any]) -> None:
    with pytest.raises(NotAccepted, match="xcsp takes no"):
        decode(SQUARE, said_of("x[]", "1 2 3 0"), **options)


def test_a_missing_package_is_named(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setattr("uno_csp.exports.xcsp.find_spec", lambda name: None)
    with pytest.raises(BackendUnavailable, match=r"pip install \"uno-csp\[xcsp\]\""):
        export(SQUARE, "xcsp", io.StringIO())
    with pytest.raises(BackendUnavailable, match=r"uno-csp\[xcsp\]"):
        list(make(tmp_path / "set", [Benchmark("x", "xcsp", "spider", "successor", {})]))
    assert not (tmp_path / "set").exists()


def test_a_package_that_fails_says_why(monkeypatch: Patch, tmp_path: Path) -> None:
    (tmp_path / "pycsp3.py").write_text("raise SystemExit('it is broken')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BackendError, match="it is broken"):
        export(SQUARE, "xcsp", io.StringIO())
