"""Reading questions and answers: every form, and every error with its place."""

import errno
import hashlib
import io
import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import games, questions
from tests.support.examples import examples
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp import Answer, InstanceError, Longest, Status, Uno1, generate, parse, parse_answer
from uno_csp.errors import DiskFull
from uno_csp.formats import parse_lines, question_to_dict
from uno_csp.formats.console import competition, human
from uno_csp.formats.files import utf8_output, written
from uno_csp.formats.typed_cards import cards_of_text
from uno_csp.questions import Instance
from uno_csp.questions.answers import Play, Witness
from uno_csp.service.problems import problem_of


def q(cards: Any, **keys: Any) -> str:
    return json.dumps({"question": "uno-1", "cards": cards, **keys})


@examples(100)
@given(questions() | games())
def test_a_question_survives_writing_and_reading(instance: Instance) -> None:
    written = instance.to_dict()
    assert parse(written) == instance
    assert parse(json.dumps(written)) == instance
    assert parse(json.dumps(written).encode()) == instance


def test_all_options_are_read() -> None:
    text = q([[1, 2, "x"]], at_least=2, after=[1, 2, "y"], name="n", comment="c")
    assert parse(text) == Uno1(((1, 2, "x"),), at_least=2, after=(1, 2, "y"), name="n", comment="c")


def test_card_codes_stand_where_cards_may() -> None:
    instance = parse(q(["R5", ["red", 6], "ys", "GR", "B+2", "W", "+4"], after="y0"))
    assert isinstance(instance, Uno1)
    assert instance.cards == (
        ("red", 5),
        ("red", 6),
        ("yellow", "skip"),
        ("green", "reverse"),
        ("blue", "+2"),
        ("*", "*"),
        ("*", "*"),
    )
    assert instance.after == ("yellow", 0)


def test_integers_and_texts_differ() -> None:
    assert parse(q([[1, "1"]])).cards == ((1, "1"),)
    assert cards_of_text("-3,+3,007,x1") == ((-3, 3, 7, "x1"),)


TOO_MUCH = (
    (
        '{"question": "uno-1", "cards": [[' + "9" * 5000 + ", " + "9" * 4000 + "]]}",
        r"cards\[0\]\[0\]: an integer has at most 4000 digits",
    ),
    ("[" * 100_000, "line 1, column 1: a list in JSON stands in a question"),
    ('{"a":' * 100_000, "nested too deeply"),
    ("x" * 300, 'line 1, column 1: "x+..." is no card'),
    (q([["z" * 10_000, 1]]), r"cards\[0\]\[0\]"),
)


@pytest.mark.parametrize(("text", "message"), [*table("formats", "errors"), *TOO_MUCH])
def test_errors_name_the_place(text: str, message: str) -> None:
    with pytest.raises(InstanceError, match=message) as caught:
        parse(text)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xff\xfe\x00", "not UTF-"),
        (b"\x7fELF\x02\x01\x00\x00", "NUL"),
        (b"red,5\x00", "NUL"),
        (b"R5\n\xff", "line 2: byte 3 is not UTF-8 text"),
    ],
)
def test_binary_input_is_refused(raw: bytes, said: str) -> None:
    with pytest.raises(InstanceError, match=said):
        parse(raw)


def test_well_formedness_is_checked_without_the_parser_too() -> None:
    with pytest.raises(InstanceError, match=r"cards\[1\]"):
        Uno1(((1, 2), (1,)))
    with pytest.raises(InstanceError, match="at_least: 0"):
        Uno1((), at_least=0)


def test_json_lines_go_on_after_a_bad_line() -> None:
    lines = list(parse_lines(f"{q([[1]])}\n\nnonsense\n{q([[2]])}\n{q([[1], [1, 2]])}"))
    assert [number for number, _ in lines] == [1, 3, 4, 5]
    assert [isinstance(found, Uno1) for _, found in lines] == [True, False, True, False]
    assert "not JSON" in str(lines[1][1])


@pytest.mark.parametrize("text", [*table("formats", "unreadable answers"), "[" * 100_000])
def test_unreadable_answers(text: str) -> None:
    with pytest.raises(InstanceError) as caught:
        parse_answer(text)
    assert "\n" not in str(caught.value)


def test_competition_lines_number_the_cards() -> None:
    hand = Uno1((("red", 5), ("red", 7), ("red", 5)))
    answer = Answer("uno-1", Status.SATISFIABLE, Witness((("red", 5), ("red", 5), ("red", 7))))
    assert competition(hand, answer).splitlines()[-2:] == ["s SATISFIABLE", "v 1 3 2 0"]
    best = Answer("longest", Status.OPTIMAL, Witness(hand.cards, objective=3), 3)
    assert competition(Longest(hand.cards), best).splitlines()[-3:-1] == ["o 3", "s OPTIMUM FOUND"]
    assert not any(line.startswith("o ") for line in competition(hand, answer).splitlines())
    game = parse({"question": "cooperative", "hands": [["R5", "R7"], ["R1", "B2"]]})
    plays = (Play(1, ("red", 7)), Play(2, ("red", 1)), Play(1, ("red", 5)))
    helped = Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays))
    assert competition(game, helped).splitlines()[-1] == "v 2 3 1 0"
    unknown = competition(hand, Answer("uno-1", Status.UNKNOWN, reason="time"))
    assert "c time" in unknown
    assert unknown.endswith("s UNKNOWN")


def test_human_output_colours_the_cards() -> None:
    hand = Uno1((("red", 5), ("*", "*"), (1, 2)))
    shown = human(hand, Answer("uno-1", Status.SATISFIABLE, Witness(hand.cards)))
    assert "YES" in shown.plain
    assert "[red\N{NO-BREAK SPACE}5] [wild] [1\N{NO-BREAK SPACE}2]" in shown.plain
    assert any("#d6281e" in str(span.style) for span in shown.spans)
    long = Uno1((("red", 5),) * 100)
    assert (
        "40 more cards"
        in human(long, Answer("uno-1", Status.SATISFIABLE, Witness(long.cards))).plain
    )


@examples(100)
@given(st.text() | st.binary() | st.text(alphabet='{}[]",:0123456789*RGBYSW+ \n', max_size=40))
def test_any_text_is_a_question_or_a_one_line_error(source: str | bytes) -> None:
    try:
        instance = parse(source)
    except InstanceError as error:
        assert len(str(error).splitlines()) == 1
        str(error).encode()
    else:
        assert isinstance(instance, Uno1)


def test_shuffling_keeps_its_order_of_drawing() -> None:
    """The same seed gives the same instance in every version."""
    hand = generate("deck", question="fill-in", seed=1, shuffle=3)
    written = json.dumps(question_to_dict(replace(hand, expected=None)), sort_keys=True)
    assert hashlib.sha256(written.encode()).hexdigest()[:16] == "05d3e023b11ae515"


def test_a_full_disk_is_told_as_one(tmp_path: Path, monkeypatch: Patch) -> None:
    def full(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(DiskFull, match="no space left") as caught, written(tmp_path / "out"):
        pass
    said = problem_of(caught.value)
    assert (said["status"], str(tmp_path) in said["detail"]) == (507, False)


def test_standard_output_has_its_encoding_back(monkeypatch: Patch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "latin-1")
    monkeypatch.setattr(sys, "stdout", stream)
    with utf8_output() as out:
        assert out.encoding == "utf-8"
    assert stream.encoding == "latin-1"
