"""Cards as people type them: every usual spelling, and no slip becomes a card."""

import itertools
import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import spellings
from tests.support.examples import examples
from tests.support.running import run
from uno_csp import InstanceError, Uno1, parse, solve
from uno_csp.formats.faces import face
from uno_csp.formats.tables import cards_of_table
from uno_csp.formats.typed_cards import cards_of_text, cards_of_words
from uno_csp.questions.cards import WILD
from uno_csp.questions.codes import canonical
from uno_csp.questions.open_game import card_of, official_card

Capture = pytest.CaptureFixture[str]


def test_no_spelling_means_two_cards() -> None:
    """Of all texts of up to four characters."""
    for length in range(1, 5):
        for letters in itertools.product("rygbsdw+0124", repeat=length):
            text = "".join(letters)
            code = canonical(text)
            if code is not None and code not in ("W", "+4"):
                assert code[0].lower() in text
                assert code[1:] in ("S", "R", "+2") or code[1:] in text


@pytest.mark.parametrize(
    "text",
    [
        "R10",
        "gone",
        "rot",
        "pink 5",
        "1 3",
        "6",
        "skip",
        "five",
        "wild_4",
        "r-wild",
        "RG",
        "P5",
        "R",
        "S",
        "red",
        "55R",
        "R5R",
        "D2",
        "+2",
        "W5",
        "red blue",
        "RR5",
    ],
)
def test_what_is_no_card_is_an_error(text: str) -> None:
    with pytest.raises(InstanceError, match="line 1, column 1: "):
        cards_of_text(text)
    with pytest.raises(InstanceError, match=r"cards\[1\]: "):
        cards_of_words(["R5", text], "cards")


def test_a_line_may_have_many_cards() -> None:
    wanted = (("red", 5), ("red", 7), ("blue", 7), ("*", "*"))
    for text in ("R5 R7 B7 W", "r5,7R,B7, wild", "red 5 red 7 blue 7 W"):
        assert parse(text) == Uno1(wanted)
    assert parse("R5 R7\n# a remark\nB7 W # and another") == Uno1(wanted)


def test_arguments_are_parted_by_commas_and_quotes() -> None:
    two = (("*", "*"), ("*", "*"))
    for words in (["W", "+4"], ["wild,", "+4"], ["wild", ",+4"], ["wild", ",", "+4", ","]):
        assert cards_of_words(words, "cards") == two
    assert cards_of_words(["wild", "+4"], "cards") == two[:1]
    assert cards_of_words(["red 7", "wild"], "cards") == (("red", 7), ("*", "*"))
    assert cards_of_words(["R5 B7", "red,3"], "c") == (("red", 5), ("blue", 7), ("red", 3))


def test_other_values_are_joined_by_commas() -> None:
    assert cards_of_text("pink,5") == (("pink", 5),)
    assert cards_of_text("1,2 3,4; 2x 5,6") == ((1, 2), (3, 4), (5, 6), (5, 6))
    assert parse({"question": "uno-1", "cards": [["pink", "X10"]]}).cards == (("pink", "X10"),)
    assert cards_of_text("red,7 pink,3") == (("red", 7), ("pink", 3))
    for text in ("R5 B7 pink,3", "R5, B7 pink", "R5 B7, R7 pink", "pink 5"):
        with pytest.raises(InstanceError, match=r'"pink" is no card'):
            cards_of_text(text)
    with pytest.raises(InstanceError, match=r'column 4: "R77" is no card; did you mean R7\?'):
        cards_of_text("R5,R77")


def test_cards_need_no_file(capsys: Capture) -> None:
    assert run("solve", "R5", "R7", "B7") == 10
    assert "(3 official cards)" in capsys.readouterr().out
    assert run("solve", "5r 7r, blue 7") == 10
    assert "(3 official cards)" in capsys.readouterr().out
    assert run("solve", "R5") == 10
    assert run("explain", "R5", "B7") == 20
    assert "2 groups" in capsys.readouterr().out
    assert run("solve", "R5", "R77") == 2
    assert capsys.readouterr().err == 'uno-csp: cards[1]: "R77" is no card; did you mean R7?\n'
    assert run("solve", "R5", "pyproject.toml") == 2
    assert "pyproject.toml is a file; one question" in capsys.readouterr().err
    assert run("solve", "nothing.json") == 2
    assert "nothing.json: no such file" in capsys.readouterr().err


def test_new_takes_the_spellings(capsys: Capture) -> None:
    assert run("new", "cooperative", "5R", "red", "7", "/", "RD2", "--after", "wd4") == 0
    message = parse(capsys.readouterr().out)
    assert message.hands == ((("red", 5), ("red", 7)), (("red", "+2"),))
    assert message.after == ("*", "*")
    assert run("new", "open-game", "5r", "/", "WD4", "--after", "red 1", "--draw", "2B,w") == 0
    game = parse(capsys.readouterr().out)
    assert game.hands == ((card_of(5),), (card_of(53),))
    assert run("new", "uno-1", "R5", "--after", "R5 R7") == 2
    assert "after: expected one card, found 2" in capsys.readouterr().err
    for words in (("solve", "R5"), ("count", "R5"), ("new", "open-game", "R5", "/", "R7")):
        assert run(*words, "--after", "X9") == 2
        said = capsys.readouterr().err
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


def test_a_name_that_is_not_known_is_answered_with_the_likeliest(capsys: Capture) -> None:
    assert run("solve", "R5", "--backend", "cpsat") == 2
    assert "no backend is called 'cpsat'; did you mean cp-sat? there are: " in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "text",
    [
        "Red,7\nred,5",
        "RED,7\nred 5",
        '"red","7"\n"red","5"',
        "Color,Number\nred,7\nR5",
        "red,7 Red,5",
    ],
)
def test_a_colour_is_the_same_however_it_is_written(text: str) -> None:
    assert parse(text).cards == (("red", 7), ("red", 5))


def test_behind_a_colour_stands_what_codes_write() -> None:
    assert cards_of_text("red,+2") == cards_of_text("Red,d2") == (("red", "+2"),)
    assert parse("red,Skip\nred,12").cards == (("red", "skip"), ("red", 12))
    assert cards_of_text("+2,+3") == ((2, 3),)
    assert cards_of_text("pink,+2") == (("pink", "+2"),)
    assert cards_of_text("red,-3") == (("red", -3),)
    assert cards_of_text("R2 B+2 red,2 pink,2".replace("pink,2", "G2"))[1] == ("blue", "+2")
    assert cards_of_text("red,2 pink,+2") == (("red", 2), ("pink", "+2"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gren,5\ngreen,7", 'line 1, column 1: value 1, "gren", is no colour; did you mean green'),
        ("red,5\nyelow,5", 'line 2, column 1: value 1, "yelow", is no colour; did you mean yellow'),
        ("R,12\nR7", 'line 1, column 1: "R" needs a number or symbol'),
        ("R,12\nred,7", 'line 2, column 1: value 1, "red", looks like "R"'),
        ("pink,5\nred,5\nPink,7", 'line 3, column 1: value 1, "Pink", looks like "pink"'),
        ("a,C\nc,c", 'line 2, column 1: value 2, "c", looks like "C"'),
        ("red,5\n7,red", "line 2, column 1: 7 and red are in another order than in a card before"),
        ("pink,five\nred,5", 'value 2, "5", looks like "five"'),
        ("color,number", "empty: no line holds a card"),
        ("red,5.0\nblue,5", 'line 1, column 1: value 2: "5.0" is no whole number'),
        ("red,1e3\nblue,1000", 'line 1, column 1: value 2: "1e3" is no whole number'),
        ("red,-5\nblue,\N{MINUS SIGN}5", "line 2, column 1: value 2: .* is no whole number"),
        ("r\u00e9d,5\nre\u0301d,7", "line 2, column 1: value 1, .* looks like"),
        ("\N{CYRILLIC SMALL LETTER ER}ed,5", "value 1: .* is a letter of another alphabet"),
        ("red,5,x2", 'line 1, column 1: value 3: "x2" is a count; write red,5 x2'),
        ("R5 X9", 'column 4: "X9" is no card; copies are written'),
        ("red,5\nwild,wild", 'column 1: "wild,wild" may be one card or two; write W'),
        ("W,W\nred,5", 'line 1, column 1: "W,W" may be one card or two'),
        ("pink,5 red,wild", 'value 2: "wild" is a wild card, W, but "red" stands beside it'),
        ("red,5 blue,7,a", "line 1, column 7: 3 values, but the first card has 2"),
        ("red,5 a:b,7", '"a:b": : is not allowed in a typed value'),
        ("pink,NaN", r"value 2: it is missing \(NaN\)"),
        ("pink,5 pink,n/a", r"value 2: it is missing \(n/a\)"),
        ("pink,", r'"pink" is no card'),
    ],
)
def test_values_that_look_alike_are_told(text: str, problem: str) -> None:
    with pytest.raises(InstanceError, match=problem):
        parse(text)


@pytest.mark.parametrize(
    "row",
    [
        "wild,wild",
        "wild,",
        "wild,+4",
        "Black,Wild",
        "Wild,Draw 4",
        "W",
        "none,w",
        "multi,+4",
        ",wild",
    ],
)
def test_a_wild_card_in_a_table_of_values(row: str) -> None:
    for table in (f"Color,Number\nred,5\n{row}", f"red,5\n{row}"):
        assert cards_of_table(table) == (("red", 5), (WILD, WILD))


def test_copies_of_a_wild_card_in_a_table() -> None:
    table = "Color;Number;Count\nred;5;1\nWild;Wild;2\nwild;;1"
    assert parse(table).cards == (("red", 5), *[(WILD, WILD)] * 3)


def test_values_that_are_no_wild_cards_stay() -> None:
    assert parse("R5,R7\nW,W").cards == (("red", 5), ("red", 7), (WILD, WILD), (WILD, WILD))
    assert parse("a,x1\nc,x2").cards == (("a", "x1"), ("c", "x2"))
    assert parse("\N{CYRILLIC SMALL LETTER ER},5\nq,5").cards[1] == ("q", 5)
    assert parse("k\N{LATIN SMALL LETTER DOTLESS I}rm\N{LATIN SMALL LETTER DOTLESS I},5").cards
    for row in ("x1,z2", "redwood,5", "reddish,skip", "gone,5", "p5,pink", "b,g,5"):
        assert len(cards_of_table(row)) == 1
    assert parse("pink,5 *,*").cards == (("pink", 5), (WILD, WILD))
    assert cards_of_table("wild\n+4") == ((WILD, WILD),) * 2


def test_in_json_every_value_is_what_it_is() -> None:
    cards = (("gren", 5), ("green", "5"), ("Green", "5 "))
    assert parse({"question": "uno-1", "cards": [[*card] for card in cards]}).cards == cards
    assert parse("white,5\ngrey,5\nblack,5\nred,5").cards[1] == ("grey", 5)
    assert parse("a,c\nc,a").cards == (("a", "c"), ("c", "a"))
    assert parse("red,green\ngreen,red\n1,red").cards[1] == ("green", "red")


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ('["wild", "wild"]', "W"),
        ('["wild", "+4"]', "+4"),
        ('["Black", "Wild Draw Four"]', "+4"),
        ('["none", "wild"]', "W"),
    ],
)
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
    assert run("solve", str(file)) == 20
    said = capsys.readouterr()
    assert said.err == 'uno-csp: note: cards[0]: ["red", "5"] is a card of values; not R5\n'
    assert 'red "5" and ' in said.out
    file.write_text('{"question": "cooperative", "hands": [["R5"], [["Green", 5], "R7"]]}')
    assert run("check", str(file), str(file)) == 2
    assert "note" not in capsys.readouterr().err
    assert run("explain", str(file)) in (10, 20)
    assert 'note: hands[1][0]: ["Green", 5] is a card of values' in capsys.readouterr().err


def test_what_is_neither_a_file_nor_cards(capsys: Capture) -> None:
    for words, problem in (
        (["red ten"], 'cards[0]: "red" needs a number or symbol'),
        (["red,5", "gren,7"], 'cards[1]: value 1, "gren", is no colour; did you mean green?'),
        ([""], "a question is a file, or cards such as R5 R7 B7"),
        (["my hand.txt"], "my hand.txt: no such file"),
        (['{"question": "uno-1"}'], '{"question": "uno-1"}: no such file'),
    ):
        assert run("solve", *words) == 2
        assert problem in capsys.readouterr().err
    assert run("solve", "R5", "", "R7") == 10
    assert "(2 official cards)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("color,number,count\nred,5,2\nblue,skip,1", ["R5", "R5", "BS"]),
        ("Color;Number\nred;5\nblue;7", ["R5", "B7"]),
        ("number\tcolor\tn\n5\tred\t1", ["R5"]),
        ('"colour","value","quantity"\n"red","5","3"', ["R5", "R5", "R5"]),
        ("color,n\nred,5\nblue,7", ["R5", "B7"]),
        ("color,n,count\nred,5,2", ["R5", "R5"]),
        ("sep=;\nColor;Number\nred;5", ["R5"]),
        ("kind,color,count\nskip,red,1\nwild_draw_four,none,2", ["RS", "+4", "+4"]),
        ("Card\nR5\n5b", ["R5", "B5"]),
        ("card,copies\nR5,2\nwild,1\n", ["R5", "R5", "W"]),
        ('"red";"5"\n"blue";"7"', ["R5", "B7"]),
        ('"Red, 5"\n"Wild, Wild"\n"Blue, 7"', ["R5", "W", "B7"]),
        ("R5;R7", ["R5", "R7"]),
        ("color,number\nR5\nred,7", ["R5", "R7"]),
        ("count,card\n0,R7\n2,R5", ["R5", "R5"]),
        ("2xR5\nB7 x2", ["R5", "R5", "B7", "B7"]),
        ("3 x red 5, 2\N{MULTIPLICATION SIGN}W", ["R5", "R5", "R5", "W", "W"]),
        ("[red 5] [wild]\n[green\N{NO-BREAK SPACE}+2] +[wild +4]", ["R5", "W", "G+2", "+4"]),
        ("black wild, black +4", ["W", "+4"]),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_and_copies(text: str, cards: list[str], encoding: str) -> None:
    assert parse(text.encode(encoding)).cards == parse({"question": "uno-1", "cards": cards}).cards


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("color,number,owner\nred,5,me", 'line 1: unknown column "owner"'),
        ('color,number\n"red,5', "line 2: a quoted cell has no end"),
        ("color,number\nred,R5", 'line 2: value 2: "R5" is a whole card, R5'),
        ("color,number\npurple,wild", 'line 2: value 2: "wild" is a wild card, W, but "purple"'),
        ("color,number,n\nred,5,NaN", "line 2: the count is missing"),
        ("color,number,count\nred,5", "line 2: 2 cells, not 3 where the heading has color, number"),
        (
            "color,number,count\nred,5,many",
            'line 2: count: "many" is not allowed; expected 0 to 1000000',
        ),
        ("color,number,count\nred,5,-1", 'line 2: count: "-1" is not allowed'),
        ("color,color\nred,5", "line 1: a table has a column of codes or columns of attributes"),
        ("card,color\nR5,red", "line 1: a table has a column of codes or columns of attributes"),
        ("count\n5", "line 1: a table has a column of codes or columns of attributes"),
        ("card,n,count\nR5,1,1", "line 1: a table has at most one count column"),
        ("card\nR5 R7", 'line 2: card: "R5 R7" is no card'),
        ("+2", r'line 1, column 1: "\+2" needs a colour, as in red \+2'),
        ("R5 +2", r'line 1, column 4: "\+2" needs a colour'),
        ("0xR5", "line 1, column 1: 0 copies are not allowed; expected 1 to 1000"),
        ("1x3", "line 1, column 3: .* needs a colour"),
        ("2xR77", 'line 1, column 3: "R77" is no card'),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("R10,B12", '"R10" is no card; did you mean R1 or R0'),
        ("rot5,blau7", '"rot5" is no card'),
        ("Rd5,Bl7", '"Rd5" is no card'),
        ("redskp,5", '"redskp" is no card; did you mean redskip'),
        ("+4,pink", r'"\+4" is a wild card, \+4, but "pink" stands beside it'),
        ("5,red,7,blue", "may be one card or several; write 5,red 7,blue"),
        ("red,5,blue", "may be one card or several; a heading"),
        ("2,red,skip", "may be 2 copies of red,skip"),
        ("red,5 red,reverze", 'value 2, "reverze", is no symbol; did you mean reverse'),
        ("red,5 red,sk1p", 'value 2, "sk1p", is no symbol; did you mean skip'),
        ("red,5 bleu,5", 'value 1, "bleu", is no colour; did you mean blue'),
        ("1,red,5", "may be 1 copy of red,5"),
        ("red,5 red,O", 'value 2, "O", is no symbol; did you mean 0'),
        ("red,l2 red,12", 'value 2, "12", looks like "l2"'),
        ("pink,5 p\N{LATIN SMALL LETTER DOTLESS I}nk,5", "looks like"),
        ("pink,5 p\N{CYRILLIC SMALL LETTER ER},5 p,5", "is a letter of another|looks like"),
        ("\N{CYRILLIC SMALL LETTER ER},5 p,5", "looks like"),
        ("red,5\nred,7\nTotal,2", '"Total" begins a row of sums'),
        ("color,number\nred,5\nSumme,1", '"Summe" begins a row of sums'),
        ("red,5\ncolor,number\nred,7", '"color,number" looks like a heading'),
        ("colr,numbr\nred,skip\nred,5", '"colr,numbr" looks like a heading'),
        ("Farbe,Zahl\nrot,5\nrot,aussetzen", '"Farbe,Zahl" looks like a heading'),
        ("color\nR5", '"R5" is a whole card, R5, but nothing stands beside it'),
    ],
)
def test_what_is_nearly_official_is_told(text: str, said: str) -> None:
    with pytest.raises(InstanceError, match=said):
        parse(text)


def test_a_table_of_one_column() -> None:
    assert parse("number\n5\n7\nwild").cards == ((5,), (7,), (WILD,))


@pytest.mark.parametrize(
    ("cards", "note"),
    [
        ([["gren", 5], ["green", 7]], 'cards[0]: value 1, "gren", is no colour'),
        ([["red", "+4"]], 'cards[0]: "red +4" looks like a wild card'),
        ([["e\u0301", 5], ["\u00e9", 7]], "cards[1]: value 1, "),
        ([["\u0435", 5], ["e", 7]], "cards[1]: value 1, "),
        ([["pink", 5], ["pink", 7]], ""),
    ],
)
def test_in_json_what_looks_alike_is_noted(
    cards: list[list[object]], note: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps({"question": "uno-1", "cards": cards}))
    assert run("solve", str(file)) in (10, 20)
    said = capsys.readouterr().err
    assert said.startswith(f"uno-csp: note: {note}") if note else not said
