"""Any hand of official cards, in any spelling and by any route, is read as that hand."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
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
from uno_csp.questions import codes
from uno_csp.service.jobs.answering import parse_text


def codes_of(question: Any) -> list[str | None]:
    return [codes.code_of(card) for card in question.cards]


def by_http(text: str) -> Any:
    """Read a text as the service does."""
    channel: Any = None
    return parse(parse_text({"body": json.dumps({"text": text}), "cards": 2000}, channel))


@pytest.mark.parametrize("form", spellings.FORMS)
@examples(40)
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


def test_ten_decks_are_read_from_a_file(tmp_path: Path) -> None:
    rng = random.Random(1)
    hand = rng.sample(spellings.DECK * 10, 1080)
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


ALPHABET = "RYGBWSxX0123456789+-_,; \n[]()#/\"'\u0665\u200b\x0crgbwdeil"


@examples(400)
@given(spellings.written_hands(spellings.TEXTS, max_cards=3), st.data())
def test_a_changed_text_is_refused_or_read_as_it_stands(
    written: tuple[list[str], str], data: st.DataObject
) -> None:
    """Cut at either end, or with a character more, less or changed."""
    text = written[1].replace("\r", "")
    place = data.draw(st.integers(0, len(text)))
    char = data.draw(st.sampled_from(ALPHABET))
    end = place + data.draw(st.integers(0, 1))
    changed = data.draw(
        st.sampled_from((text[:place], text[place:], text[:place] + char + text[end:]))
    )
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


def test_every_pair_of_cards_is_a_hand() -> None:
    """A check on single cards must not refuse what stands beside them."""
    kinds = [*dict.fromkeys(spellings.DECK)]
    for first, second in product(kinds, repeat=2):
        assert codes_of(parse(f"{first} {second}")) == [first, second]
        table = f"color,value\n{_row(first)}\n{_row(second)}"
        assert codes_of(parse(table)) == [first, second]


def _row(code: str) -> str:
    return f"black,{code}" if code in spellings.WILDS else f"{code[0]},{code[1:]}"
