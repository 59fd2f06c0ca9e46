"""Any name is harmless everywhere it is printed."""

import json
import logging.config
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.table import Table

from tests.support.certifying import written
from tests.support.names import CONTROLS, NAMES
from tests.support.running import Capture, answered, refused
from uno_csp.cli.output import print_rich
from uno_csp.formats import Answer, Status, console, question_to_dict
from uno_csp.formats.pictures import draw
from uno_csp.hamilton import hamiltonian_path
from uno_csp.hamilton.problems import Goal, problem_of
from uno_csp.hamilton.writing import human
from uno_csp.questions import Cooperative, FillIn, Instance, Longest, Uncooperative, Uno1
from uno_csp.questions.answers import Play, Witness
from uno_csp.questions.wording import describe, named, printable
from uno_csp.reductions import reduce
from uno_csp.service.logs import log_config
from uno_csp.verifier import graphs, hands
from uno_csp.verifier.reading import judged


def assert_harmless(text: str) -> None:
    assert not CONTROLS.search(text), text
    assert not any(line.startswith(("proved", "s ", "v ")) for line in text.split("\n")), text


def questions(name: str) -> list[tuple[Instance, Answer]]:
    """A question of each kind with an answer that shows its cards."""
    one, other = (name, 1), (name, 2)
    play = Witness((one, other))
    added = Witness((one, other), added=(other,), objective=1)
    plays = Witness(plays=(Play(1, one),))
    pairs = {"kind": "matching", "pairs": [[[*one], [*other]]], "open": [*one]}
    return [
        (Uno1((one, other)), Answer("uno-1", Status.SATISFIABLE, play)),
        (
            Longest((one, other)),
            Answer("longest", Status.OPTIMAL, Witness((one, other), objective=2), 2),
        ),
        (FillIn((one,)), Answer("fill-in", Status.OPTIMAL, added, 1)),
        (Cooperative(((one,), (other,))), Answer("cooperative", Status.SATISFIABLE, plays)),
        (
            Uncooperative(((one,), (other,))),
            Answer("uncooperative", Status.SATISFIABLE, Witness(strategy=pairs), reason=""),
        ),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_answers_on_a_console(name: str) -> None:
    for instance, answer in questions(name):
        plain = console.human(instance, answer).plain.replace("\N{NO-BREAK SPACE}", " ")
        assert_harmless(plain)
        assert f"[{describe((name, 1))}]" in plain
        lines = console.competition(instance, answer)
        assert not CONTROLS.search(lines)
        assert len([line for line in lines.split("\n") if line.startswith("s ")]) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_reason_names_cards_in_one_line(name: str) -> None:
    decided = reduce(Uno1(((name, 1), ("other", 2)))).decided
    assert decided is not None
    assert_harmless(decided.reason)
    assert "\n" not in decided.reason
    assert decided.reason.endswith(f"{describe((name, 1))} and other 2 are in different ones")


class _Elements(HTMLParser):
    """Collect the elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(key for key, _ in attrs)}


@pytest.mark.parametrize("name", NAMES)
def test_answers_in_a_notebook(name: str) -> None:
    for _, answer in questions(name):
        page = _Elements()
        page.feed(answer._repr_html_())
        assert page.found <= {"div", "strong", "span", "style", "title"}
        assert not CONTROLS.search(answer._repr_html_())
        svg = answer._repr_svg_()
        if svg:
            tags = {each.tag.partition("}")[2] for each in ElementTree.fromstring(svg).iter()}
            assert tags <= {"svg", "g", "rect", "text", "title", "polyline"}


@pytest.mark.parametrize("name", NAMES[:3] + NAMES[7:10])
def test_pictures(name: str, tmp_path: Path) -> None:
    instance = Uno1(((name, 1), (name, 2)), name=name)
    picture = tmp_path / "hand.svg"
    draw(instance, Answer("uno-1", Status.SATISFIABLE, Witness(instance.cards)), str(picture))
    text = picture.read_text()
    assert not re.search(r"<script|[\x1b\u202e\u2028]", text)
    assert not any(
        key.startswith("on") for each in ElementTree.fromstring(text).iter() for key in each.attrib
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_path_lists_names_that_cannot_be_mistaken(name: str) -> None:
    edges = [(name, "x"), ("x", 5)]
    problem = problem_of(edges, Goal.PATH)
    text = human(problem, hamiltonian_path(edges))
    assert_harmless(text)
    path = text.split("\n")[2]
    assert path in (" ".join(problem.words), " ".join(reversed(problem.words)))
    assert name == "5" or problem.words[0] in (named(name), printable(name))


def test_names_are_quoted_only_where_they_could_be_mistaken() -> None:
    for plain in ("red", "+2", "skip", "J\u00fcrg", "v_1", "a-b", "1.5", "\N{SNOWMAN}", 5, -5):
        assert named(plain) == str(plain)
    for odd in (*NAMES[:5], "a b", "5", "-5", "", "a,b", "a\n", "\\n"):
        assert named(odd).startswith('"')
    assert named("a\nb") != named("a\\nb")
    assert describe(("wild",)) != describe(("*",))


def graph_certificate(folder: Path, name: str, status: str = "UNSATISFIABLE") -> None:
    """Write a certificate that a star with that name in its centre has no path."""
    graph = {
        "goal": "path",
        "vertices": [name, "b", "c", "d"],
        "edges": [[0, 1], [0, 2], [0, 3]],
        "source": 0,
        "target": None,
    }
    files = {"graph.json": json.dumps(graph), "reason.json": json.dumps({"removed": [0]})}
    written(folder, files, status=status)


@pytest.mark.parametrize("name", NAMES)
def test_a_verifier_of_graphs_prints_one_claim(name: str, tmp_path: Path) -> None:
    graph_certificate(tmp_path / "c", name)
    code, said = judged(tmp_path / "c", "auto", graphs.verify)
    assert code == 0
    assert said.isascii()
    assert [line.startswith("proved") for line in said.split("\n")] == [True, False, False]
    assert answered(0, "verify", str(tmp_path / "c")).count("\nproved") == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_is_one_line(name: str, tmp_path: Path) -> None:
    graph_certificate(tmp_path / "c", "a", status=f"UNSAT {name}")
    for check in (graphs.verify, hands.verify):
        code, said = judged(tmp_path / "c", "auto", check)
        assert code in (1, 2)
        assert said.isascii()
        assert said.isprintable()


@pytest.mark.parametrize("name", NAMES)
def test_check_prints_a_line_for_each_violation(name: str, tmp_path: Path) -> None:
    question = Uno1(((name, 1), ("b", 2)))
    (tmp_path / "q.json").write_text(json.dumps(question_to_dict(question)))
    answer = {
        "question": "uno-1",
        "status": "SATISFIABLE",
        "sequence": [[name, 1], ["b", 2], [name, 2]],
    }
    (tmp_path / "a.json").write_text(json.dumps(answer))
    out = answered(1, "check", str(tmp_path / "q.json"), str(tmp_path / "a.json"))
    assert_harmless(out)
    assert all(line.startswith("not valid: ") for line in out.splitlines())
    answer["status"] = answer["question"] = name
    (tmp_path / "a.json").write_text(json.dumps(answer))
    assert refused("check", str(tmp_path / "q.json"), str(tmp_path / "a.json")).count("\n") == 1


def test_hints_in_brackets_are_printed(capsys: Capture) -> None:
    table = Table("backend")
    table.add_row('pip install "uno-csp[cryptosat]" :smile:')
    print_rich(table)
    assert 'pip install "uno-csp[cryptosat]" :smile:' in capsys.readouterr().out


def test_a_log_line_stays_one_line() -> None:
    for name in NAMES:
        record = logging.LogRecord("uno_csp", logging.INFO, "", 0, "read %s", (name,), None)
        formatter = logging.config.DictConfigurator(log_config("info", "text")).configure_formatter(
            log_config("info", "text")["formatters"]["line"]
        )
        assert not CONTROLS.search(formatter.format(record))
        assert "\n" not in formatter.format(record)
