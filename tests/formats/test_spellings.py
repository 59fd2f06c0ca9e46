"""Any hand of official cards, in any spelling and by any route, is read as that hand."""

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import spellings
from tests.support.examples import examples
from uno_csp import InstanceError, parse
from uno_csp.cli.asking import asked
from uno_csp.formats.questions import parse_text
from uno_csp.questions import codes
from uno_csp.service.handlers.files import parse_question


def codes_of(question: Any) -> list[str | None]:
    return [codes.code_of(card) for card in question.cards]


def by_http(text: str) -> Any:
    """Read a text as the service does."""
    channel: Any = None
    return parse(parse_question({"body": json.dumps({"text": text}), "cards": 2000}, channel))


@pytest.mark.parametrize("form", spellings.FORMS)
@examples(20)
@given(st.data())
def test_a_hand_is_read_by_every_route(form: Any, data: st.DataObject) -> None:
    hand, text = data.draw(spellings.written_hands([form]))
    wanted = [*dict.fromkeys(hand)] if form is spellings.counted else hand
    wanted = [code for code in wanted for _ in range(hand.count(code))] if wanted != hand else hand
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert codes_of(parse(text.encode(encoding))) == wanted
    assert codes_of(by_http(text)) == wanted


@examples(100)
@given(st.sampled_from(spellings.TEXTS), st.data())
def test_a_hand_is_read_from_the_words_of_a_command_line(form: Any, data: st.DataObject) -> None:
    hand, text = data.draw(spellings.written_hands([form]))
    text = text.replace("\r", "")
    assert Counter(codes_of(asked([f"{text}\n"]))) == Counter(hand)
    if form is not spellings.plain:  # whose line ends separate cards
        words = text.replace("\n", " ").split()
        assert Counter(codes_of(asked([*words, ","]))) == Counter(hand)


def test_decks_are_read_from_a_file(tmp_path: Path) -> None:
    rng = random.Random(1)
    hand = rng.sample(spellings.DECK * 3, 324)
    for form in spellings.FORMS:
        ending = {"table": "csv", "question": "json"}.get(form.__name__, "txt")
        file = tmp_path / f"hand.{ending}"
        file.write_text(form(rng, hand))
        assert Counter(codes_of(asked([str(file)]))) == Counter(hand)


@cache
def _all_spellings() -> dict[str, str]:
    """Map every spelling, in lower case and with blanks for hyphens, to its code."""
    found = {
        word.lower().replace("_", " "): code
        for code, words in spellings.WILDS.items()
        for word in words
    }
    found |= {
        f"{black}{word}": code for word, code in found.items() for black in ("black", "black ")
    }
    fours = ("+4", "d4", "draw4", "draw 4", "drawfour", "draw four")
    for name, join, four in product(("wild", "wild card", "wildcard", "w"), ("", " "), fours):
        if name != "w" or (not join and " " not in four):
            found |= {f"{black}{name}{join}{four}": "+4" for black in ("", "black", "black ")}
    found |= {
        f"{black}{four}": "+4"
        for four in (*fours, "w4", "wild4")
        for black in ("", "black", "black ")
    }
    found |= {f"{black}w": "W" for black in ("black", "black ")}
    for colour, face in product(spellings.COLOURS, spellings.FACES):
        for name, word in product(spellings.COLOURS[colour], spellings.words_for(face)):
            for join in ("", " "):
                found[f"{name.lower()}{join}{word}"] = colour + face
                if word not in ("s", "r"):
                    found[f"{word}{join}{name.lower()}"] = colour + face
    return found


def readings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every way to read some words as cards, with copies; written to be clear, not fast."""
    if not words:
        yield ()
    for size in range(1, min(7, len(words)) + 1):
        text = " ".join(words[:size])
        match = re.fullmatch(r"(?:(\d+) ?[xX\xd7] ?)?(.+?)(?: ?[x\xd7] ?(\d+))?", text)
        assert match
        code = _all_spellings().get(match[2].lower().replace("-", " ").replace("_", " "))
        if code is not None and not (match[1] and match[3]):
            for others in readings(words[size:]):
                yield (code,) * int(match[1] or match[3] or 1) + others


def reference(text: str) -> set[tuple[str, ...]]:
    """Return all readings of a text as official cards."""
    text = re.sub(r"(?m)(^|(?<=[ \t]))#(?=[ \t]|$).*", "", text)
    text = re.sub(r"\+?\[([^\[\],;\n]+)\]", r",\1,", text)
    colours = "|".join(name for pair in spellings.COLOURS.values() for name in pair)
    text = re.sub(rf"(?i)(?<![^\s;])((?:\d+x)?(?:{colours})),(?=[^\s,;]+(?:[\s;]|$))", r"\1 ", text)
    found: set[tuple[str, ...]] = {()}
    for phrase in re.split(r"[,;\n]+", text):
        words = tuple(word for word in re.split("[ \t]+", phrase) if word)
        found = {before + behind for before in found for behind in readings(words)}
    return found


@examples(80)
@given(st.sampled_from(spellings.DECK), st.randoms(use_true_random=False), st.data())
def test_the_schema_accepts_the_codes_that_are_read(
    code: str, rng: random.Random, data: st.DataObject
) -> None:
    """Every spelling, and texts that are a change or a blank away from one."""
    text = spellings.spelt(rng, code)
    assert re.fullmatch(codes.pattern(), text), text
    place = data.draw(st.integers(0, len(text)))
    char = data.draw(st.sampled_from([*ALPHABET, "", "\u212a"]))
    changed = text[:place] + char + text[place + data.draw(st.integers(0, 1)) :]
    read = codes.canonical(changed) is not None
    assert bool(re.fullmatch(codes.pattern(), changed)) == read, changed


def test_the_schema_accepts_all_spellings_and_no_other_sign_for_a_letter() -> None:
    for word in codes.spellings():
        for text in (word, word.upper(), word.replace(" ", "_"), word.replace(" ", "-")):
            assert codes.canonical(text) and re.fullmatch(codes.pattern(), text)
    assert codes.canonical("red s\N{KELVIN SIGN}ip") is None
    with pytest.raises(InstanceError, match=r"U\+212A"):
        parse("color,number\nred,s\N{KELVIN SIGN}ip\n")


ALPHABET = "RYGBWSxX0123456789+-_,; \n[]()#/\"'\u0665\u200b\x0crgbwdeil"


@st.composite
def changes(draw: st.DrawFn, text: str, alphabet: str) -> str:
    """A text that is cut at either end, or has a character more, less or changed."""
    place = draw(st.integers(0, len(text)))
    end = place + draw(st.integers(0, 1))
    changed = text[:place] + draw(st.sampled_from(alphabet)) + text[end:]
    return draw(st.sampled_from((text[:place], text[place:], changed)))


@examples(100)
@given(spellings.written_hands(spellings.TEXTS, max_cards=3), st.data())
def test_a_changed_text_is_refused_or_read_as_it_stands(
    written: tuple[list[str], str], data: st.DataObject
) -> None:
    changed = data.draw(changes(written[1].replace("\r", ""), ALPHABET))
    try:
        cards = parse(changed).cards
    except InstanceError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 300
        return
    found = tuple(map(codes.code_of, cards))
    if None not in found:
        assert found in reference(changed), changed
        return
    words = [word for word in re.split(r"[ \t\n;]+", changed) if word]
    assert len(words) == len(cards)
    for word, card, code in zip(words, cards, found, strict=True):
        values = ",".join(map(str, card)).lower() == word.lower()
        assert values or (code,) in reference(word), changed


NO_COLOURS = {*map(str.lower, spellings.NO_COLOURS), "no color", "no colour", "any", "*"}
COUNTS = {"count", "quantity", "qty", "copies", "n"}


def meant_by_row(cells: list[str], *, turned: bool = False) -> str | tuple[str, ...]:
    """Return the code that two cells mean, or the cells themselves, in lower case."""
    words = [cell.lower().replace("-", " ").replace("_", " ") for cell in cells]
    for one, other in (words[::-1] if turned else words,) if len(words) == 2 else ():
        for letter, names in spellings.COLOURS.items():
            for face in spellings.FACES:
                if one in map(str.lower, names) and other in spellings.words_for(face):
                    return letter + face
    wild = {_all_spellings().get(word) for word in words} & {*spellings.WILDS}
    if wild and all(word in NO_COLOURS or _all_spellings().get(word) in wild for word in words):
        return "+4" if "+4" in wild else "W"
    number = re.compile(r"[0-9]+|\+(?![24]\Z)[1-9][0-9]*")  # +2 and +4 are symbols
    return tuple(str(int(each)) if number.fullmatch(each) else each.lower() for each in cells)


def meant_by_table(text: str) -> list[str | tuple[str, ...]]:
    """Return what the rows of a table mean, read by the csv module."""
    first, _, others = text.lstrip("\n ").partition("\n")
    named = first[:4].lower() == "sep="
    separator = (first[4:] or "\t") if named else next((c for c in ";\t" if c in first), ",")
    lines = csv.reader(StringIO(others if named else f"{first}\n{others}"), delimiter=separator)
    rows = [[cell.strip(" \t") for cell in row] for row in lines]
    rows = [row for row in rows if any(row)]
    heading = [name.lower() for name in rows[0]]
    if {"color", "colour", "suit", "number", "value", "type"}.isdisjoint(heading):
        codes_of_cells = [_all_spellings().get(cell.lower()) for row in rows for cell in row]
        if None not in codes_of_cells:
            return [code for code in codes_of_cells if code]
        return [meant_by_row(row) for row in rows]
    count = next((at for at, name in enumerate(heading) if name in COUNTS), len(heading))
    turned = heading[0] in ("number", "value", "type")
    return [
        meant_by_row([cell for at, cell in enumerate(row) if at != count], turned=turned)
        for row in rows[1:]
        for _ in range(int(row[count]) if count < len(row) else 1)
    ]


@examples(120)
@given(
    st.lists(st.sampled_from(spellings.DECK), min_size=1, max_size=3),
    st.randoms(use_true_random=False),
    st.data(),
)
def test_a_changed_table_is_refused_or_read_as_it_stands(
    hand: list[str], rng: random.Random, data: st.DataObject
) -> None:
    changed = data.draw(changes(spellings.table(rng, hand), ALPHABET.replace("#", "")))
    try:
        cards = parse_text(changed, "hand.csv").cards
    except InstanceError as error:
        assert str(error).startswith("hand.csv: ") and "\n" not in str(error)
        return
    found = [codes.code_of(card) or tuple(str(value).lower() for value in card) for card in cards]
    wanted = meant_by_table(changed)
    assert len(found) == len(wanted), changed
    for one, other in zip(found, wanted, strict=True):
        assert one == other or sorted(one) == sorted(other), changed


def test_every_pair_of_cards_is_a_hand() -> None:
    """A check on single cards must not refuse what stands beside them."""
    kinds = [*dict.fromkeys(spellings.DECK)]
    for first, second in product(kinds, repeat=2):
        assert codes_of(parse(f"{first} {second}")) == [first, second]
        table = f"color,value\n{_row(first)}\n{_row(second)}"
        assert codes_of(parse(table)) == [first, second]


def _row(code: str) -> str:
    return f"black,{code}" if code in spellings.WILDS else f"{code[0]},{code[1:]}"
