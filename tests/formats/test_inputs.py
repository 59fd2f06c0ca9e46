"""Files and commands of people who keep hands in their own way: read right, or refused."""

from pathlib import Path

import pytest

from tests.support.running import Capture, run
from tests.support.tables import table
from uno_csp import InstanceError
from uno_csp.formats import parse, parse_file
from uno_csp.formats.compression import OPENERS

PAIR = "red,5\nblue,7\n"

FILES: dict[str, tuple[str, int | str]] = table("formats", "files")


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_right_or_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    text, wanted = FILES[name]
    file = tmp_path / name
    file.write_bytes(text.encode())
    _judge(run(f"solve {file}"), wanted, capsys)


def test_a_table_is_said(tmp_path: Path, capsys: Capture) -> None:
    for name, text in (("hand.csv", PAIR), ("hand.txt", f"color,number\n{PAIR}")):
        (tmp_path / name).write_text(text)
        run(f"solve {tmp_path / name}")
        assert capsys.readouterr().err.endswith(f"{name}: read as a table: 2 official cards\n")
    (tmp_path / "typed.txt").write_text(PAIR)
    run("solve", str(tmp_path / "typed.txt"))
    assert not capsys.readouterr().err


@pytest.mark.parametrize(("words", "wanted"), table("formats", "commands"))
def test_a_command_is_read_right_or_refused(
    words: list[str], wanted: int | str, capsys: Capture
) -> None:
    _judge(run("solve", *words), wanted, capsys)


@pytest.mark.parametrize(
    "hole",
    [
        *("NaN", "nan", "None", "NULL", "<NA>", "N/A", "#N/A", "", "NaT", " ", "?", "\N{EM DASH}"),
        *("#REF!", "#BEZUG!", "#NAME?", "#DIV/0!", "#NV", "Err:502", "=5", "=A1"),
    ],
)
@pytest.mark.parametrize("heading", ["", "color,number\n"])
def test_a_missing_value_is_an_error(
    hole: str, heading: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "hand.csv"
    file.write_text(f"{heading}red,5\nred,{hole}\nblue,5\n")
    fault = f'"{hole}" is no whole number' if hole.startswith("=") else "it is missing"
    said = f"line {2 + bool(heading)}: value 2: {fault}"
    _judge(run(f"solve {file}"), said, capsys)


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
    hand = '{"question": "uno-1", "cards": ["R5", "B7"]}'
    for name, text in (("hand.json", hand), ("hand.csv", "red;5\nblue;7\n")):
        path = tmp_path / (name + suffix)
        with opener(path, "wt", encoding="utf-8") as stream:
            stream.write(text)
        assert parse_file(str(path)).cards == (("red", 5), ("blue", 7))
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


@pytest.mark.parametrize("text", ["color,number\n+4,+4\nred,5\n", "+4,5", "4,+4", "red,5 +4,4"])
def test_a_symbol_is_no_number(text: str) -> None:
    try:
        cards = parse(text).cards
    except InstanceError:
        return
    assert ("*", "*") in cards


PLAIN = "colour,number\nred,5\nred,7\nblue,7\n"


@pytest.mark.parametrize("text", table("formats", "tables of programs"))
def test_a_table_is_read_as_programs_write_it(text: str) -> None:
    assert parse(text).cards == parse(PLAIN).cards


@pytest.mark.parametrize(("text", "message"), table("formats", "tables of two meanings"))
def test_a_table_of_two_meanings_is_refused(text: str, message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        parse(text)
