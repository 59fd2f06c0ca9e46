"""Cards as people type them: every usual spelling, and no slip becomes a card."""

import itertools
import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import spellings
from tests.support.examples import examples
from tests.support.running import Capture, answered, refused, run
from tests.support.tables import table
from uno_csp import InstanceError, parse, solve
from uno_csp.formats.faces import face
from uno_csp.formats.tables import cards_of_table
from uno_csp.formats.typed_cards import cards_of_text, cards_of_words
from uno_csp.questions.cards import WILD
from uno_csp.questions.codes import canonical
from uno_csp.questions.open_game import card_of, official_card


def test_no_spelling_means_two_cards() -> None:
    """Of all texts of up to four characters."""
    for length in range(1, 5):
        for letters in itertools.product("rygbsdw+0124", repeat=length):
            text = "".join(letters)
            code = canonical(text)
            if code is not None and code not in ("W", "+4"):
                assert code[0].lower() in text
                assert code[1:] in ("S", "R", "+2") or code[1:] in text


@pytest.mark.parametrize("text", table("formats", "no cards"))
def test_what_is_no_card_is_an_error(text: str) -> None:
    with pytest.raises(InstanceError, match="line 1, column 1: "):
        cards_of_text(text)
    with pytest.raises(InstanceError, match=r"cards\[1\]: "):
        cards_of_words(["R5", text], "cards")


def test_arguments_are_parted_by_commas_and_quotes() -> None:
    two = (("*", "*"), ("*", "*"))
    for words in (["W", "+4"], ["wild,", "+4"], ["wild", ",+4"], ["wild", ",", "+4", ","]):
        assert cards_of_words(words, "cards") == two
    assert cards_of_words(["wild", "+4"], "cards") == two[:1]
    assert cards_of_words(["red 7", "wild"], "cards") == (("red", 7), ("*", "*"))
    assert cards_of_words(["R5 B7", "red,3"], "c") == (("red", 5), ("blue", 7), ("red", 3))


def test_new_takes_the_spellings() -> None:
    message = parse(answered(0, "new cooperative 5R red 7 / RD2 --after wd4"))
    assert message.hands == ((("red", 5), ("red", 7)), (("red", "+2"),))
    assert message.after == ("*", "*")
    game = parse(answered(0, "new open-game 5r / WD4 --after 'red 1' --draw 2B,w"))
    assert game.hands == ((card_of(5),), (card_of(53),))
    assert "after: expected one card, found 2" in refused("new uno-1 R5 --after 'R5 R7'")
    for words in (("solve", "R5"), ("count", "R5"), ("new", "open-game", "R5", "/", "R7")):
        said = refused(*words, "--after", "X9")
        assert said.startswith('uno-csp: after: "X9" is no card; copies are written 2xR5')
        assert "cards are written red 5 or R5" in said
    assert official_card("b+2", "x") == ("blue", "+2")


def test_the_program_alone_prints_its_help(capsys: Capture) -> None:
    assert run() == 0
    said = capsys.readouterr()
    assert said.out.startswith("Usage: uno-csp")
    assert said.err == ""
    commands = said.out.partition("Commands:\n")[2].splitlines()
    assert all(line.rstrip().endswith(".") and "..." not in line[-6:] for line in commands)


@pytest.mark.parametrize(("text", "problem"), table("formats", "look-alikes"))
def test_values_that_look_alike_are_told(text: str, problem: str) -> None:
    with pytest.raises(InstanceError, match=problem):
        parse(text)


@pytest.mark.parametrize("row", table("formats", "wild rows"))
def test_a_wild_card_in_a_table_of_values(row: str) -> None:
    for text in (f"Color,Number\nred,5\n{row}", f"red,5\n{row}"):
        assert cards_of_table(text) == (("red", 5), (WILD, WILD))


@pytest.mark.parametrize(
    "row", ["x1,z2", "redwood,5", "reddish,skip", "gone,5", "p5,pink", "b,g,5", "pink,+2"]
)
def test_values_that_are_no_cards_stay(row: str) -> None:
    assert len(cards_of_table(row)) == 1


def test_in_json_every_value_is_what_it_is() -> None:
    cards = (("gren", 5), ("green", "5"), ("Green", "5 "), ("pink", "X10"))
    assert parse({"question": "uno-1", "cards": [[*card] for card in cards]}).cards == cards


@pytest.mark.parametrize(("card", "code"), table("formats", "wild cards in JSON"))
def test_in_json_a_wild_card_by_another_word_is_told_its_code(card: str, code: str) -> None:
    for other in ('["red", 5]', '["Red", "5"]', '"R5"'):
        text = f'{{"question": "uno-1", "cards": [{other}, {card}]}}'
        with pytest.raises(InstanceError, match=r"cards\[1\]: .* its code is") as caught:
            parse(text)
        assert str(caught.value).endswith(f'"{code}"')
    alone = parse(f'{{"question": "uno-1", "cards": [["pink", 5], {card}]}}')
    assert len(alone.cards) == 2


def test_in_json_what_reads_like_a_card_is_noted(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "hand.json"
    file.write_text('{"question": "uno-1", "cards": [["red", "5"], ["blue", 5]]}')
    assert run(f"solve {file}") == 20
    said = capsys.readouterr()
    assert said.err == 'uno-csp: note: cards[0]: ["red", "5"] is a card of values; not R5\n'
    assert 'red "5" and ' in said.out
    file.write_text('{"question": "cooperative", "hands": [["R5"], [["Green", 5], "R7"]]}')
    assert "note" not in refused(f"check {file} {file}")
    assert run(f"explain {file}") in (10, 20)
    assert 'note: hands[1][0]: ["Green", 5] is a card of values' in capsys.readouterr().err


@pytest.mark.parametrize(("text", "cards"), table("formats", "tables"))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_is_read_as_these_cards(text: str, cards: list[Any], encoding: str) -> None:
    assert parse(text.encode(encoding)).cards == parse({"question": "uno-1", "cards": cards}).cards


@pytest.mark.parametrize(("text", "said"), table("formats", "unreadable tables"))
def test_tables_that_cannot_be_read_name_the_place(text: str, said: str) -> None:
    with pytest.raises(InstanceError, match=said):
        parse(text)


def test_what_is_printed_can_be_read() -> None:
    """For cards of any kind, and JSON in brackets stays JSON."""
    hand = parse({"question": "uno-1", "cards": ["R5", "R7", "W", "Y+2"]})
    answer = solve(hand)
    printed = " ".join(face(card)[0] for card in answer.sequence or ())
    assert Counter(parse(printed).cards) == Counter(hand.cards)
    assert cards_of_words(printed.split(), "cards") == parse(printed).cards
    for text in ("[1, 2]", "[5]", "[]", '["R5"]', "[rot 5] [red 5]", "[1 3] [1 4]"):
        with pytest.raises(InstanceError, match="line 1, column"):
            parse(text)


NAMES = ("pink", "white", "grey", "teal", "r2d2", "a", "c", "x1", "Ulm")
FACES = (0, 7, 12, -3, "joker", "queen", "+2", "k9", "tall", "seventeen")


@examples(100)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(FACES)), min_size=1, max_size=8))
def test_cards_of_other_names_are_read(hand: list[tuple[str, int | str]]) -> None:
    """Typed and in tables, with a heading or none, and beside official cards."""
    rows = [",".join(map(str, card)) for card in hand]
    assert parse("\n".join(("color,number", *rows))).cards == tuple(hand)
    for others in ((), ("red,5", "blue,skip")):
        cards = (*(("red", 5), ("blue", "skip")), *hand) if others else tuple(hand)
        text = "\n".join((*others, *rows))
        try:
            assert parse(text).cards == cards_of_table(text) == cards
        except InstanceError as error:
            words = {value for card in hand[1:] for value in card}
            assert "looks like a heading" in str(error)
            assert isinstance(hand[0][1], str)
            assert not words & {*hand[0]}


@examples(100)
@given(st.lists(st.sampled_from(spellings.DECK), min_size=2, max_size=5), st.data())
def test_codes_joined_by_commas_are_no_card_of_values(hand: list[str], data: st.DataObject) -> None:
    """Codes, of which some are misspelt, and the values of official cards in one row."""
    slips = {code: data.draw(st.sampled_from((code, code + "0", code + "x"))) for code in hand}
    coloured = [code for code in hand if code not in spellings.WILDS]
    values = [part for code in coloured for part in (code[0], code[1:])]
    for text in (",".join(slips[code] for code in hand), ",".join(values)):
        try:
            cards = parse(text).cards
        except InstanceError:
            continue
        assert len(cards) >= len(coloured)


def test_every_official_card_turned_is_refused_beside_others() -> None:
    for colour, symbol in product(("red", "Blue", "G"), ("0", "9", "skip", "reverse", "+2")):
        for text in (f"{symbol},{colour} red,5", f"red,5 {symbol},{colour}"):
            with pytest.raises(InstanceError):
                parse(text)


@pytest.mark.parametrize(("text", "said"), table("formats", "nearly official"))
def test_what_is_nearly_official_is_told(text: str, said: str) -> None:
    with pytest.raises(InstanceError, match=said):
        parse(text)


@pytest.mark.parametrize(("cards", "note"), table("formats", "notes on JSON"))
def test_in_json_what_looks_alike_is_noted(
    cards: list[list[object]], note: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps({"question": "uno-1", "cards": cards}))
    assert run(f"solve {file}") in (10, 20)
    said = capsys.readouterr().err
    assert said.startswith(f"uno-csp: note: {note}") if note else not said
