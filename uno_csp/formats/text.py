"""Text of files: the one place where bytes become text, and the rules for characters in a value.

A file is UTF-8, or UTF-16 with a byte order mark; its lines end with LF, CRLF or CR. It may be
compressed if its name says so. The text that readers get has no byte order mark, and its lines end
with LF.
"""

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from uno_csp.errors import InstanceError, meant
from uno_csp.formats.compression import decompressed, suffix_of
from uno_csp.questions.wording import printable

STDIN = "-"  # name of standard input
MOST_BYTES = 256 << 20  # maximum size of a text in bytes: some ten million cards
_READ_AT_ONCE = 1 << 20  # bytes

_MARKS = {
    codecs.BOM_UTF8: ("UTF-8", "utf-8-sig"),
    codecs.BOM_UTF16_LE: ("UTF-16", "utf-16"),
    codecs.BOM_UTF16_BE: ("UTF-16", "utf-16"),
}
"""Encodings by their byte order marks: the name, and Python's codec, which drops the mark."""

_PACKED = {
    b"\x1f\x8b": "compressed by gzip; the name of such a file ends in .gz",
    b"BZh": "compressed by bzip2; the name of such a file ends in .bz2",
    b"\xfd7zXZ": "compressed by xz; the name of such a file ends in .xz",
    b"PK\x03\x04": "a zip file; a spreadsheet is read as CSV",
    b"(\xb5/\xfd": "compressed by Zstandard; .gz, .bz2 and .xz are read",
}
"""The kinds of files that are no text, by their first bytes."""

MISSING = frozenset(
    (
        *("nan", "nat", "na", "none", "null", "n/a", "<na>", "#n/a", "#na", "#nv", "#n/d"),
        *("", "?", "\N{EN DASH}", "\N{EM DASH}", "\N{HORIZONTAL ELLIPSIS}"),
    )
)
"""Marks of a missing value, as programs and people write them, in lower case."""

_SHEET_ERROR = re.compile(r"#[^\W\d_][\w/ ]{1,20}[!?]|Err:[0-9]{3}")
"""Errors that spreadsheets write into cells, in their languages: ``#REF!``, ``#NAME?``."""

_SHAPES = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405"
    "\u0406\u0408\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5"
    "\u03a7\u03bf\u0131",
    "ABEKMHOPCTYXSIJaeopcyxsijABEZHIKMNOPTYXoi",
)
"""Letters of Cyrillic and Greek, and the dotless i, by the Latin letters that look the same."""

_NO_CHARACTER = {"Cc": "control character", "Cs": "half of a surrogate pair", "Co": "private use"}
"""The kinds of characters without a name, by their category."""

_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")  # with letters that look like those of another


def text_of(raw: bytes, *, lenient: bool = False) -> str:
    r"""Return the text of some bytes, without byte order mark and with LF as line end.

    ``lenient`` keeps bytes that are not UTF-8, for :func:`undecoded` to find them in a line. Raises
    InstanceError if they are neither UTF-8 nor UTF-16 with a byte order mark, contain NUL, or are
    more than :data:`MOST_BYTES`.

    >>> text_of(b"\xef\xbb\xbfred,5\r\n"), text_of("R5".encode("utf-16"))
    ('red,5\n', 'R5')
    """
    if len(raw) > MOST_BYTES:
        raise InstanceError(f"{len(raw)} bytes are too many; a text has up to {MOST_BYTES}")
    known = (each for mark, each in _MARKS.items() if raw.startswith(mark))
    name, codec = next(known, ("UTF-8", "utf-8"))
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError as error:
        if packed := next((each for mark, each in _PACKED.items() if raw.startswith(mark)), ""):
            raise InstanceError(f"it is no text but {packed}") from None
        if lenient and name == "UTF-8":
            return with_line_feeds(raw.decode(codec, "surrogateescape"))
        line = raw.count(b"\n", 0, error.start) + 1
        raise InstanceError(f"line {line}: byte {error.start} is not {name} text") from None
    if "\0" in text:
        raise InstanceError(f"character {text.index(chr(0))} is NUL: this is not a text file")
    return with_line_feeds(text)


def undecoded(line: str) -> str:
    """Return an error message for the first byte of a line that is not UTF-8; empty if all are."""
    found = re.search("[\udc80-\udcff]", line)
    if found is None:
        return ""
    return f"character {found.start() + 1}: byte {ord(found[0]) - 0xDC00:#x} is not UTF-8 text"


def text_of_word(word: str) -> str:
    """Return a word of a command line; bytes that the locale does not know are read as UTF-8.

    Python keeps each such byte as half of a surrogate pair (PEP 383).
    """
    if not any("\udc80" <= character <= "\udcff" for character in word):
        return word
    try:
        return text_of(os.fsencode(word))
    except InstanceError:
        raise InstanceError(f"{text_of_name(word)} is not UTF-8 text") from None


def text_of_name(name: str) -> str:
    """Return a file's name as text; bytes in it that are not UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def with_line_feeds(text: str) -> str:
    """Return a text without byte order mark, and with LF for CRLF and CR."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_text(path: str, *, lenient: bool = False) -> str:
    """Return the text of a file (``-`` is standard input), or raise InstanceError.

    ``lenient`` is that of :func:`text_of`.
    """
    if path == STDIN and sys.stdin is None:
        raise InstanceError("standard input is closed")
    try:
        if path == STDIN:
            return text_of(_bytes_of(sys.stdin.buffer), lenient=lenient)
        with Path(path).open("rb") as stream:
            raw = _bytes_of(stream)
        return text_of(decompressed(raw, suffix_of(path), MOST_BYTES), lenient=lenient)
    except OSError as error:
        raise InstanceError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except InstanceError as error:
        raise InstanceError(f"{path}: {error}") from None


def plain_name(path: str) -> str:
    """Return the name of a file in lower case, without the suffix of its compression.

    >>> plain_name("Hand.JSON.Gz"), plain_name("hand.json")
    ('hand.json', 'hand.json')
    """
    return path.lower().removesuffix(suffix_of(path))


def _bytes_of(stream: BinaryIO) -> bytes:
    """Return the bytes of a stream, or the first of too many."""
    found = bytearray()
    while len(found) <= MOST_BYTES and (more := stream.read(_READ_AT_ONCE)):
        found += more
    return bytes(found)


def is_missing(cell: str) -> bool:
    """Return True for a mark of a missing value, and for an error of a spreadsheet.

    >>> is_missing("NaN"), is_missing("#REF!"), is_missing("#1")
    (True, True, False)
    """
    return cell.lower() in MISSING or _SHEET_ERROR.fullmatch(cell) is not None


def fault_of(value: str) -> str:
    r"""Return an error message for a character that no typed value may have; empty if it has none.

    Not allowed are control and invisible characters, digits of another script, and letters of two
    alphabets that look alike.

    >>> fault_of("red\u200b")
    'U+200B (zero width space) is invisible'
    >>> fault_of("R\u0665"), fault_of("caf\u00e9")
    ('U+0665 (arabic-indic digit five) is no digit from 0 to 9', '')
    """
    if value.isascii() and value.isprintable():
        return ""
    for char in value:
        if printable(char) != char:
            return f"{_name_of(char)} is invisible"
        if char.isnumeric() and not (char.isascii() or char.isalpha()):
            return f"{_name_of(char)} is no digit from 0 to 9"
    named = ((unicodedata.name(char, ""), char) for char in value if char.isalpha())
    letters = {name.partition(" ")[0]: char for name, char in named}
    alike = {alphabet: char for alphabet, char in letters.items() if alphabet in _ALPHABETS}
    foreign = [*filter(_stands_for_ascii, value)]
    if len(alike) > 1:
        foreign += [char for alphabet, char in alike.items() if alphabet != "LATIN"]
    return f"{_name_of(foreign[-1])} is a letter of another alphabet" if foreign else ""


def _stands_for_ascii(char: str) -> bool:
    """Return True for another form of the letters A to Z, such as a full-width or ligated one."""
    plain = unicodedata.normalize("NFKC", char) if char.isalpha() else char
    return plain != char and any(map(str.isascii, plain))


def _name_of(char: str) -> str:
    name = unicodedata.name(char, _NO_CHARACTER.get(unicodedata.category(char), "")).lower()
    return f"U+{ord(char):04X} ({name or 'unassigned'})"


def unknown_key(place: str, key: str, allowed: Collection[str]) -> str:
    """Return an error message for a key that is none of those allowed, with the one it resembles.

    A letter of another alphabet in it is named, since the key may look like an allowed one.

    >>> unknown_key("card", "card", ["cards", "after"])
    'card: unknown key; did you mean cards? allowed are cards, after'
    >>> unknown_key("key", "\N{CYRILLIC SMALL LETTER ES}ards", ["cards"]).partition(";")[0]
    'key: unknown key (U+0441 (cyrillic small letter es) is a letter of another alphabet)'
    """
    fault = fault_of(key)
    why = f" ({fault})" if fault else ""
    return f"{place}: unknown key{why}; {meant(key, allowed)}allowed are {', '.join(allowed)}"


def shape_of(word: str) -> str:
    """Return the same text for words whose letters look the same, in any form of Unicode.

    >>> shape_of("\N{CYRILLIC SMALL LETTER ER}ink"), shape_of("e\N{COMBINING ACUTE ACCENT}")
    ('pink', '\N{LATIN SMALL LETTER E WITH ACUTE}')
    """
    return unicodedata.normalize("NFKC", word).translate(_SHAPES)
