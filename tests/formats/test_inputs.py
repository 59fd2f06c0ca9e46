"""Files and commands of people who keep hands in their own way: read right, or refused."""

from pathlib import Path

import pytest

from tests.support.running import run
from uno_csp import InstanceError
from uno_csp.formats import parse, parse_file
from uno_csp.formats.text import OPENERS

Capture = pytest.CaptureFixture[str]
PAIR = "red,5\nblue,7\n"

FILES: dict[str, tuple[str, int | str]] = {
    "black.csv": (f"color,value\n{PAIR}black,Draw Four\n", 10),
    "behind.csv": ("value,color\n5,red\n7,blue\nDraw Four,black\n", 10),
    "none.csv": (f"color,value\n{PAIR}NO_COLOR,WILD_DRAW_FOUR\n", 10),
    "special.csv": (f"color,value\n{PAIR}special,draw4\n", 10),
    "quoted.csv": ('color,value\n"Red","5"\n"Blue","7"\n"Black","+4"\n', 10),
    "pieces.txt": ("kind,color,count\nskip,blue,2\nskip,red,2\nwild_draw_four,none,4\n", 10),
    "letters.csv": ("color,value\nR,5\nG,5\nW,W\n", 10),
    "words.csv": ("color,value,count\nred,five,1\nblue,5,1\n", 10),
    "rows.csv": ('"Red, 5"\n"Wild, Wild"\n"Blue, 7"\n', 10),
    "rows.txt": ('"Red, 5"\n"Red, 7"\n"Blue, 7"\n', 10),
    "excel.csv": ("sep=;\r\nColor;Number\r\nred;5\r\nblue;5\r\n", 10),
    "n.csv": (f"color,n\n{PAIR}", 20),
    "codes.json": ('{"question":"uno-1","cards":["red_5","wild_draw_4","blue_skip"]}', 10),
    "purple.csv": (
        f"color,value\n{PAIR}purple,wild_draw_four\n",
        'line 4: value 2: "wild_draw_four"',
    ),
    "chooser.csv": (f"{PAIR}black,chooser\n", 'line 3: "black chooser" looks like a wild card'),
    "black.json": (
        '{"question":"uno-1","cards":[["red","5"],["blue",7],["black","+4"]]}',
        'cards[2]: ["black", "+4"] looks like a wild card; its code is "+4"',
    ),
    "purple.json": (
        '{"question":"uno-1","cards":["R5",["purple","wild"]]}',
        'cards[1]: ["purple", "wild"] looks like a wild card',
    ),
    "change.json": (
        '{"question":"uno-1","cards":[["red",5],["black","change"]]}',
        'cards[1]: ["black", "change"] looks like a wild card',
    ),
    "invisible.json": (
        '{"question":"uno-1","cards":[["red\u200b",5],["red",7]]}',
        "cards[0]: .*U+200B (zero width space) is invisible",
    ),
    "values.json": ('{"question":"uno-1","cards":[["w",5],["w","wild"],["\u200b",5]]}', 10),
    "hash.txt": ("5R 7R #R 7B\n", 'line 1, column 7: "#R" is no card'),
    "hashes.txt": ("5R\n7R\n#R\n#B\n", 'line 3, column 1: "#R" is no card'),
    "invisible.csv": ("red,skip\nblue,skip\u200b\n", "line 2: value 2: .*U+200B"),
    "circled.csv": ("red,5\nblue,\u2464\n", 'line 2: value 2: "\u2464"'),
    "arabic.csv": ("red,5\nblue,\u0665\n", 'line 2: value 2: "\u0665"'),
    "emoji.txt": ("\U0001f7e5 5\n", 'line 1, column 1: "\U0001f7e5" is no card'),
    "played.txt": ("r-5 b-7 r-draw_2 r-wild\n", '"r-wild" is a wild card that was played as red'),
    "foreign.csv": ("Farbe;Zahl\nrot;5\n", 'line 1: "Farbe,Zahl" looks like a heading'),
    "bars.csv": ("color|number\nred|5\n", 'line 1: "color|number" is one value'),
    "single.csv": ("'color','number'\n'red','5'\n", "line 1: value 1: .* is not allowed at an end"),
    "row.csv": ("red,5,blue,7\n", "line 1: red,5,blue,7 may be one card or several"),
    "row.txt": ("red,5,blue,7\n", "line 1, column 1: red,5,blue,7 may be one card or several"),
    "counts.csv": ("red,5,2\nblue,7,1\n", "line 1: red,5,2 may be 2 copies of red,5"),
    "wilds.csv": ("wild,wild\n", "line 1: it may be one wild card or several"),
    "twice.csv": (
        f"Color,Number\n{PAIR}Color,Number\nred,5\n",
        "line 4: the heading stands here again",
    ),
    "types.csv": ("type,color,number\nnumber,red,5\n", "line 1: the columns type and number"),
    "upper.csv": ("SEP=;\r\nColor;Number\r\nred;5\r\n", 10),
    "open.csv": ('color,number\n"red,5\n', "line 2: a quoted cell has no end"),
    "line.csv": ('color,number\n"re\nd",5\n', "line 2: value 1: .*U+000A"),
    "behind-quotes.txt": (
        '"R5" "R7"\n',
        "line 1: a quoted cell ends without a separator behind it",
    ),
    "list.txt": ('["R5", "R7"]\n', "line 1, column 1: a list in JSON stands in a question"),
    "pairs.txt": ('[["red", 5]]\n', "line 1, column 1: a list in JSON stands in a question"),
    "python.txt": ("['R5', 'R7']\n", "line 1, column 2: \"'R5',\": ' is no part of a card"),
    "typed-circled.txt": ("red \u2464\n", '"\u2464" is none: U+2464'),
    "typed-invisible.txt": ("red 5\u200b\n", "is none: U+200B"),
    "keycap.txt": ("red 5\ufe0f\u20e3\n", "is none: U+FE0F"),
    "special-column.csv": ("color,number,special\n,,wild\n", 'line 1: unknown column "special"'),
}
COMMANDS: dict[tuple[str, ...], int | str] = {
    ("R2", "B+2"): 20,
    ("R2 B2 B+2",): 10,
    ("Red Five, Blue Seven",): 20,
    ("[red 5], [blue 7]",): 20,
    ("[green +2] [wild]",): 10,
    ("2xR5", "R5 x2", "2 x R5"): 10,
    ("rot 5, blau 7",): 'cards[0]: "rot" is no card',
    ("(red,5),(blue,7)",): 'cards[0]: "(red',
    ("2", "wild"): 'cards[0]: "2" stands before a card; copies are written 2 x wild',
    ("3 red 5",): 'cards[1]: "5" needs a colour',
    ("red 5 7 blue 7",): 'cards[2]: "7" needs a colour',
    ("R5 / B7",): "uno-1 has one hand",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_right_or_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    text, wanted = FILES[name]
    file = tmp_path / name
    file.write_bytes(text.encode())
    _expect(str(file), wanted, capsys)


def test_a_table_is_said(tmp_path: Path, capsys: Capture) -> None:
    for name, text in (("hand.csv", PAIR), ("hand.txt", f"color,number\n{PAIR}")):
        (tmp_path / name).write_text(text)
        run("solve", str(tmp_path / name))
        assert capsys.readouterr().err.endswith(f"{name}: read as a table: 2 official cards\n")
    (tmp_path / "typed.txt").write_text(PAIR)
    run("solve", str(tmp_path / "typed.txt"))
    assert not capsys.readouterr().err


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_read_right_or_refused(words: tuple[str, ...], capsys: Capture) -> None:
    code = run("solve", *words)
    _judge(code, COMMANDS[words], capsys)


@pytest.mark.parametrize(
    "hole", ["NaN", "nan", "None", "NULL", "<NA>", "N/A", "#N/A", "", "NaT", " "]
)
@pytest.mark.parametrize("heading", ["", "color,number\n"])
def test_a_missing_value_is_an_error(
    hole: str, heading: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "hand.csv"
    file.write_text(f"{heading}red,5\nred,{hole}\nblue,5\n")
    _expect(str(file), f"line {2 + bool(heading)}: value 2: it is missing", capsys)


def _expect(file: str, wanted: int | str, capsys: Capture) -> None:
    _judge(run("solve", file), wanted, capsys)


def _judge(code: int, wanted: int | str, capsys: Capture) -> None:
    """Compare the exit code, or the error with the parts of what is wanted."""
    said = capsys.readouterr()
    if isinstance(wanted, int):
        assert code == wanted, said.err
    else:
        assert code == 2
        assert all(part in said.err for part in wanted.split(".*")), said.err
        assert said.err.count("\n") <= 3


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2", ".GZ"])
def test_compressed_files_are_read(suffix: str, tmp_path: Path) -> None:
    opener = OPENERS[suffix.lower()]
    for name, text in (("hand.json", '{"question": "uno-1", "cards": ["R5"]}'), ("h.csv", "R5")):
        path = tmp_path / (name + suffix)
        with opener(path, "wt", encoding="utf-8") as stream:
            stream.write(text)
        assert parse_file(str(path)).cards == (("red", 5),)
    cut = tmp_path / f"cut.json{suffix}"
    cut.write_bytes(path.read_bytes()[:-6])
    plain = tmp_path / f"plain.json{suffix}"
    plain.write_text("R5")
    for damaged, said in ((cut, "cut off|damaged"), (plain, "damaged")):
        with pytest.raises(
            InstanceError, match=rf"{damaged.name}: it is ({said}), or no {suffix.lower()} "
        ):
            parse_file(str(damaged))


@pytest.mark.parametrize("suffix", OPENERS)
def test_a_compressed_file_by_another_name_is_told(suffix: str, tmp_path: Path) -> None:
    packed, path = tmp_path / f"hand{suffix}", tmp_path / "hand.txt"
    with OPENERS[suffix](packed, "wt", encoding="utf-8") as stream:
        stream.write("R5 R7")
    path.write_bytes(packed.read_bytes())
    with pytest.raises(InstanceError, match=rf"hand.txt: it is .* ends in {suffix}$"):
        parse_file(str(path))


@pytest.mark.parametrize("suffix", OPENERS)
def test_all_streams_of_a_compressed_file_count(suffix: str, tmp_path: Path) -> None:
    parts = []
    for text in ("R1 R2", " B2"):
        with OPENERS[suffix](tmp_path / f"part{suffix}", "wb") as stream:
            stream.write(text.encode())
        parts.append((tmp_path / f"part{suffix}").read_bytes())
    whole = tmp_path / f"whole{suffix}"
    whole.write_bytes(b"".join(parts))
    assert len(parse_file(str(whole)).cards) == 3
    for damaged in (parts[0] + b"x" + parts[1][1:], parts[0] + b"junk", parts[0][:-3]):
        whole.write_bytes(damaged)
        with pytest.raises(InstanceError, match="whole"):
            parse_file(str(whole))


@pytest.mark.parametrize("suffix", ["", *OPENERS])
def test_a_table_is_a_table_when_it_is_compressed(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"hand.csv{suffix}"
    with OPENERS.get(suffix, open)(path, "wt", encoding="utf-8") as stream:
        stream.write("red;5\nblue;7\n")
    assert parse_file(str(path)).cards == (("red", 5), ("blue", 7))


@pytest.mark.parametrize("text", ["color,number\n+4,+4\nred,5\n", "+4,5", "4,+4", "red,5 +4,4"])
def test_a_symbol_is_no_number(text: str) -> None:
    try:
        cards = parse(text).cards
    except InstanceError:
        return
    assert ("*", "*") in cards


PLAIN = "colour,number\nred,5\nred,7\nblue,7\n"


@pytest.mark.parametrize(
    "text",
    [
        ",colour,number\n0,red,5\n1,red,7\n2,blue,7\n",  # as pandas writes a frame
        ",colour,number\n0,red,5.0\n1,red,7.0\n2,blue,7.0\n",
        ";colour;number\n1;red;5\n2;red;7\n3;blue;7\n",
        "colour,number,,\nred,5,,\nred,7,,\nblue,7,,\n,,,\n",  # as spreadsheets do
        "colour;number;\nred;5;\nred;7;\nblue;7;\n",
        "colour,number\n\nred,5\n,\nred,7\nblue,7\n,\n",
        "colour\tnumber\nred\t5.0\nred\t7\nblue\t7\n",
    ],
)
def test_a_table_is_read_as_programs_write_it(text: str) -> None:
    assert parse(text).cards == parse(PLAIN).cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",colour,number\n3,red,5\n1,red,7\n", 'line 1: unknown column ""'),
        (",colour,number\na,red,5\nb,red,7\n", 'line 1: unknown column ""'),
        ("colour,number,\nred,5,\nred,7,x\n", 'line 1: unknown column ""'),
        ("id,colour,number\n0,red,5\n", 'line 1: unknown column "id"'),
        ("colour,number\nred,5.5\n", "line 2: value 2: .* is no whole number"),
        ("colour,number,\nred,,\n", "line 2: value 2: it is missing"),
    ],
)
def test_a_table_of_two_meanings_is_refused(text: str, message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        parse(text)
