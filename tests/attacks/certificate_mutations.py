"""Mutations of certificates: of the text of a file, of the structure of its JSON, of the folder."""

import hashlib
import json
import os
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attacks.certificate_seeds import Certificate
from tests.support.tables import table

CLAIM = "claim.json"
NUMBERS: tuple[str, ...] = (*table("attacks", "numbers"), "9" * 4300, "9" * 4301)
TEXTS: list[str] = table("attacks", "texts")
NAMES: list[str] = table("attacks", "names")
BLANKS = (" ", "\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x00", "\u00a0", "\u2028", "\ufeff", "")
BYTES = (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xef\xbb\xbf")
VALUES: tuple[Any, ...] = (None, True, False, 0, 1, -1, 10**30, "x", "*", "", [], {}, [0], [[0]])

Mutation = Callable[[random.Random, bytes], bytes]
"""Changes the bytes of a file."""


def _at(rng: random.Random, pattern: str, raw: bytes, fresh: bytes) -> bytes:
    """Put bytes in the place of a random match."""
    found = list(re.finditer(pattern.encode(), raw))
    if not found:
        return raw
    match = rng.choice(found)
    return raw[: match.start()] + fresh + raw[match.end() :]


def number(rng: random.Random, raw: bytes) -> bytes:
    """Replace a number, or write it another way."""
    found = re.search(rb"-?[0-9]+", raw[rng.randrange(len(raw) + 1) :])
    own = found[0].decode() if found else "0"
    fresh = rng.choice((*NUMBERS, f"{own}.0", f"{own}e0", f"0{own}", f"-{own}", f"{own}0"))
    return _at(rng, rf"(?<![0-9]){own}(?![0-9])", raw, fresh.encode())


def letter(rng: random.Random, raw: bytes) -> bytes:
    """Replace a letter in a string, or escape it."""
    places = [match.start() for match in re.finditer(rb"[A-Za-z]", raw)]
    if not places:
        return raw
    place = rng.choice(places)
    escape = f"\\u{raw[place]:04x}"
    fresh = rng.choice((*TEXTS, escape, escape, escape.upper().replace("\\U", "\\u")))
    return raw[:place] + fresh.encode() + raw[place + 1 :]


def blank(rng: random.Random, raw: bytes) -> bytes:
    """Put in a blank of some kind, or something else in the place of one."""
    pattern = rng.choice((r"(?<=[\[\]{},:])", r"\s+", r"\Z", r"\A", r"\n"))
    return _at(rng, pattern, raw, rng.choice(BLANKS).encode())


def key(rng: random.Random, raw: bytes) -> bytes:
    """Put in a key that is unknown, or one that is there already."""
    known = re.findall(rb'"[a-z_]+"(?=:)', raw) or [b'"x"']
    name = rng.choice((b'"surprise"', *known))
    return _at(rng, r"\{", raw, b"{%s: %s, " % (name, rng.choice((b"1", b"[]", b"null", b'"x"'))))


def nested(rng: random.Random, raw: bytes) -> bytes:
    """Put a value into many brackets, or many brackets in its place."""
    depth = rng.choice((1, 2, 50, 94, 95, 96, 97, 98, 99, 100, 101, 102, 2_000, 20_000))
    inner = rng.choice((b"", b"1", b'"[{"'))
    pattern = rng.choice((r"(?<=[:,\[] )-?[0-9]+", r'"[a-z]+"(?=[,\n}\]])', r"\[\]"))
    return _at(rng, pattern, raw, b"[" * depth + inner + b"]" * depth)


def byte(rng: random.Random, raw: bytes) -> bytes:
    """Change, drop, add or double some bytes."""
    place, length = rng.randrange(len(raw) + 1), rng.choice((0, 1, 1, 5))
    inside = raw[place : place + rng.choice((0, 1, 20))]
    fresh = rng.choice((b"", bytes([rng.randrange(256)]), *BYTES, inside))
    return raw[:place] + fresh + raw[place + length :]


def line(rng: random.Random, raw: bytes) -> bytes:
    """Drop, double, swap or empty lines, or end them another way."""
    lines, change = raw.split(b"\n"), rng.choice(("drop", "double", "swap", "empty", "ends"))
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    if change == "drop":
        del lines[one]
    elif change == "double":
        lines.insert(other, lines[one])
    elif change == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif change == "empty":
        lines.insert(one, rng.choice((b"", b" ", b"\r", b"0", b"c x")))
    return (b"\r\n" if change == "ends" else b"\n").join(lines)


def structure(rng: random.Random, raw: bytes) -> bytes:
    """Change a value, the order of keys, or an object for its pairs; write it densely or not."""
    try:
        return _restructured(rng, json.loads(raw))
    except (ValueError, RecursionError):
        return line(rng, raw)


def _restructured(rng: random.Random, data: Any) -> bytes:
    """Return the text of a value with a change."""
    change = rng.choice(("value", "value", "value", "order", "pairs", "none"))
    if change == "order" and isinstance(data, dict):
        data = dict(rng.sample(list(data.items()), len(data)))
    elif change == "pairs":
        data = _with_pairs(rng, data)
    elif change == "value":
        data = _with_value(rng, data)
    indent, ascii_only = rng.choice((None, 1)), rng.random() < 0.5
    return json.dumps(data, indent=indent, ensure_ascii=ascii_only).encode(errors="surrogatepass")


def _with_pairs(rng: random.Random, data: Any) -> Any:
    """Return a value with one object, itself or one inside, as an array of its pairs."""
    inner = (
        [name for name, each in data.items() if type(each) is dict] if type(data) is dict else []
    )
    if inner and rng.random() < 0.7:
        name = rng.choice(inner)
        return {**data, name: _with_pairs(rng, data[name])}
    if type(data) is dict:
        return [list(pair) for pair in data.items()]
    return dict(enumerate(data)) if type(data) is list else [data]


def _with_value(rng: random.Random, data: Any) -> Any:
    """Return a value with one inside that is replaced, dropped or doubled."""
    if not isinstance(data, dict | list) or not data or rng.random() < 0.1:
        return rng.choice(VALUES)
    places = list(data) if type(data) is dict else list(range(len(data)))
    place, change = rng.choice(places), rng.choice(("in", "in", "in", "in", "drop", "double"))
    if change == "in":
        data[place] = _with_value(rng, data[place])
    elif change == "drop":
        del data[place]
    elif type(data) is list:
        data.insert(rng.randrange(len(data)), data[place])
    return data


MUTATIONS: tuple[Mutation, ...] = (number, letter, blank, key, nested, byte, line, structure)


def mutated(rng: random.Random, files: Certificate) -> Certificate:
    """Return the files with one to three mutations, and mostly with hashes that fit."""
    found = dict(files)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if rng.random() < 0.12:
            _change_names(rng, found)
        else:
            name = rng.choice([each for each in found if each != CLAIM or rng.random() < 0.5])
            found[name] = rng.choice((*MUTATIONS, structure))(rng, found[name])
        if rng.random() < 0.95:
            found[CLAIM] = _signed(found)
    return found


def _signed(files: Certificate) -> bytes:
    """Return the claim with the hash of each listed file in the place of the old one."""
    claim = files[CLAIM]
    for name, raw in files.items():
        found = re.search(b'"%s": *"([0-9a-f]{0,64})"' % re.escape(name.encode()), claim)
        if found:
            fresh = hashlib.sha256(raw).hexdigest().encode()
            claim = claim[: found.start(1)] + fresh + claim[found.end(1) :]
    return claim


def _change_names(rng: random.Random, files: Certificate) -> None:
    """Drop, add, rename or list a file."""
    name, change = rng.choice(list(files)), rng.choice(("drop", "add", "rename", "list", "unlist"))
    fresh = rng.choice([each for each in NAMES if each not in ("", "../claim.json")])
    listed = rng.choice(NAMES).encode()
    if change == "drop" and name != CLAIM:
        del files[name]
    elif change == "add":
        files.setdefault(fresh, rng.choice((b"", b"{}", b"[]", b"0\n", *files.values())))
    elif change == "rename" and name != CLAIM and fresh != CLAIM:
        files[fresh] = files.pop(name)
        old, new = f'"{name}"'.encode(), f'"{fresh}"'.encode()
        files[CLAIM] = files[CLAIM].replace(old, new)
    elif change == "list":
        files[CLAIM] = _at(rng, r'"files": \{', files[CLAIM], b'"files": {"%s": "", ' % listed)
    else:
        files[CLAIM] = _at(rng, r'"[a-z]+\.[a-z]+": "[0-9a-f]*",?', files[CLAIM], b"")


def put(rng: random.Random, files: Certificate, folder: Path) -> bool:
    """Write the files into an empty folder; return True if all are regular files."""
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    if rng.random() > 0.03:
        return True
    path = folder / rng.choice(list(files))
    kind, raw = rng.choice(("link", "pipe", "folder", "hard link")), path.read_bytes()
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        (folder / "other").write_bytes(raw)
        (path.symlink_to if kind == "link" else path.hardlink_to)(folder / "other")
    return kind == "hard link"


def packed(rng: random.Random, files: Certificate, path: Path) -> None:
    """Write the files into a zip file."""
    method = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, raw in rng.sample(list(files.items()), len(files)):
            archive.writestr(name, raw)
