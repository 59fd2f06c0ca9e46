"""Read the files of a certificate, a folder or a zip file, in work bounded by their size.

A certificate means the same to all verifiers, which read through this file. Text is UTF-8 in every
locale. JSON has no duplicate keys, no fractions and no halves of surrogate pairs.
``docs/certificates.md`` states the whole grammar.
"""

import argparse
import hashlib
import itertools
import json
import math
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Check = Callable[[Path, str], tuple[str, str | None]]
CLAIM = "claim.json"

MOST_BYTES, MOST_JSON = 1 << 28, 1 << 26
"""Maximum size of all files together, and of one file of JSON, in bytes."""

MOST_RATIO, ALWAYS_UNPACKED = 100, 1 << 20
"""Maximum size of the unpacked files: a multiple of the zip file, and bytes more.

The longest strategies are packed to a thirtieth.
"""

MOST_VALUES, MOST_DEPTH = 4_000_000, 100
"""Maximum number of values of a JSON text, and of brackets that are open at a time."""

STEPS_AT_LEAST, STEPS_PER_BYTE, MOST_STEPS = 64_000_000, 256, 1_000_000_000
"""Maximum number of steps: a constant, more for each byte, and never more than the last.

A step takes some 25 ns and up to 5 bytes. A position of a strategy takes a line of 8 bytes and up
to 1,000 steps, most of them to see that its replies lead to positions met before.
"""

MOST_LINE = 2_000  # maximum length of a refusal, in characters
VALUE_STEPS = 10  # steps for a value of a JSON text


class Refused(Exception):
    """The certificate does not show what it claims."""


class Exceeded(Refused):
    """The certificate takes more work than its size allows."""


class NoChecker(Exception):
    """No proof checker is installed."""


def require(holds: object, message: str) -> None:
    """Raise Refused with the message unless the condition holds."""
    if not holds:
        raise Refused(message)


@contextmanager
def within(place: str) -> Iterator[None]:
    """Raise Refused, with the place named, for a part of a file that is no such part."""
    try:
        yield
    except Exceeded:
        raise
    except (Refused, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Refused(f"{place}: {error}") from None


class Budget:
    """The steps that are left to a verifier; without a size there is no limit."""

    def __init__(self, size: int | None = None) -> None:
        most = STEPS_AT_LEAST + STEPS_PER_BYTE * (size or 0)
        self.most = self.left = math.inf if size is None else min(MOST_STEPS, most)

    def spend(self, steps: int) -> None:
        """Take some steps; raise Exceeded if fewer are left."""
        self.left -= steps
        if self.left < 0:
            limit = f"{STEPS_AT_LEAST:,} and {STEPS_PER_BYTE} for each byte, up to {MOST_STEPS:,}"
            raise Exceeded(f"over the limit of {self.most:,} steps ({limit})")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len({key for key, _ in pairs}) == len(pairs), "duplicate key")
    return dict(pairs)


def _fraction(number: str) -> Any:
    raise Refused(f"{number[:20]} is not an integer")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_fraction, parse_constant=_fraction
)


def loads(line: str, budget: Budget | None = None) -> Any:
    """Return the value of a JSON text without duplicate keys, fractions and half characters."""
    brackets = line.count("[") + line.count("{")
    values = 1 + brackets + line.count(",")
    if values > MOST_VALUES:
        raise Exceeded(f"over the limit of {MOST_VALUES:,} values")
    if budget is not None:
        budget.spend(VALUE_STEPS * values)
    found = _DECODER.decode(line)
    if "\\u" in line:  # an escape may be half of a surrogate pair
        json.dumps(found, ensure_ascii=False).encode()
    if brackets > MOST_DEPTH:
        _require_flat(found)
    return found


def _require_flat(value: Any) -> None:
    """Raise Exceeded if a value is nested too deeply."""
    level, depth = [value], 0
    while level := [each for each in level if type(each) in (dict, list)]:
        depth += 1
        if depth > MOST_DEPTH:
            raise Exceeded(f"over the limit of {MOST_DEPTH} nested brackets")
        inside = (each.values() if type(each) is dict else each for each in level)
        level = [*itertools.chain.from_iterable(inside)]


def array(value: Any, what: str) -> list[Any]:
    """Return a value that is a list."""
    require(type(value) is list, f"{what}: not a list")
    return list(value)


def integers(value: Any, what: str) -> list[int]:
    """Return a value that is a list of integers."""
    require({*map(type, array(value, what))} <= {int}, f"{what}: not a list of integers")
    return list(value)


def place(value: Any, size: int, what: str) -> int:
    """Return a value that is the index of an item of a list of a size."""
    require(type(value) is int and 0 <= value < size, f"{what}: {value!r} is not below {size}")
    return int(value)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, which end with a line feed; the last one need not."""
    return text.removesuffix("\n").split("\n") if text else []


Source = Callable[[str], bytes]  # returns the bytes of the file of a name


def _regular(path: Path) -> bytes:
    """Return the bytes of a regular file; a link or a pipe is not opened."""
    there = path.is_file() and not path.is_symlink()
    require(there, f"{path.name}: missing, or not a regular file")
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _is_alone(path: Path) -> bool:
    """Return True if a file is an archive from its first byte to its last."""
    with path.open("rb") as stream:
        begins = stream.read(4) == b"PK\x03\x04"
        stream.seek(-22, 2)
        return begins and stream.read(4) == b"PK\x05\x06"


def _unpacked(path: Path, names: Collection[str]) -> Source:
    """Return the files in a zip file that holds some of these names, and nothing else."""
    try:
        with zipfile.ZipFile(path) as packed:
            infos, there = packed.infolist(), packed.namelist()
            plain = all(each.filename == each.orig_filename for each in infos)
            plain = plain and not any(stat.S_ISLNK(each.external_attr >> 16) for each in infos)
            require(plain and _is_alone(path), f"{path}: links, or bytes that belong to no file")
            right = len({*there}) == len(there) and {*there} <= {*names}
            require(right, f"{path}: duplicate files, or files that do not belong to a certificate")
            methods = {each.compress_type for each in infos}
            plain = methods <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
            right = plain and not any(each.flag_bits & 1 for each in infos)
            require(right, f"{path}: encrypted, or neither stored nor deflated")
            size, most = sum(each.file_size for each in infos), path.stat().st_size
            most = min(MOST_BYTES, MOST_RATIO * most + ALWAYS_UNPACKED)
            if size > most:
                raise Exceeded(f"{path}: it unpacks to {size:,} bytes, over the limit of {most:,}")
            # The size is that of the heading: no more is unpacked.
            found = {each.filename: packed.open(each).read(each.file_size) for each in infos}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise ValueError(f"not a zip file: {error}") from None

    def read(name: str) -> bytes:
        require(name in found, f"{name}: missing")
        return found[name]

    return read


def opened(path: Path, allowed: Sequence[str]) -> tuple[Source, bytes, list[str]]:
    """Return the files of a certificate, the bytes of its claim, and the names that it lists."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    require(path.is_file() or path.is_dir(), f"{path}: neither a folder nor a file")
    names = (CLAIM, *allowed)
    source = _unpacked(path, names) if path.is_file() else lambda name: _regular(path / name)
    claim = source(CLAIM)
    files: Any = _object(CLAIM, claim, Budget(len(claim))).get("files")
    require(type(files) is dict, f"{CLAIM}: no files")
    require({*files} <= {*allowed}, f"{CLAIM}: allowed files: {', '.join(allowed)}")
    return source, claim, [*files]


def _object(name: str, raw: bytes, budget: Budget) -> dict[str, Any]:
    """Return the JSON object of a file."""
    if len(raw) > MOST_JSON:
        raise Exceeded(f"{name}: over the limit of {MOST_JSON:,} bytes")
    found = loads(raw.decode(), budget)
    require(type(found) is dict, f"{name}: not an object")
    return dict(found)


TYPES: dict[str, tuple[type, ...]] = {
    "status": (str,),
    "objective": (int, type(None)),
    "kind": (str,),
    "made_by": (dict,),
    "strict": (bool,),
    "levels": (bool,),
}
"""Types of the values of a claim."""


class Files:
    """The files of a certificate that its claim lists, each with the SHA-256 that it gives.

    ``KEYS`` declares the files that there may be, each with its allowed keys (none: any), and
    ``NEEDED`` the file without which there is no certificate of the kind.
    """

    KEYS: Mapping[str, str] = {}
    NEEDED = ""

    def __init__(self, path: Path) -> None:
        source, claim, names = opened(path, [name for name in self.KEYS if name != CLAIM])
        require(self.NEEDED in (*names, ""), f"{CLAIM}: it lists no {self.NEEDED}")
        self._raw, size = {CLAIM: claim}, len(claim)
        for name in names:
            self._raw[name] = source(name)
            size += len(self._raw[name])
            if size > MOST_BYTES:
                raise Exceeded(f"{name}: over the limit of {MOST_BYTES:,} bytes in all files")
        self.budget = Budget(size)
        self.claim = self.read(CLAIM)
        require(repr(self.claim.get("version")) == "1", "claim.json: only version 1 is supported")
        for key, types in TYPES.items():
            right = key not in self.claim or type(self.claim[key]) in types
            require(right, f"claim.json: {key} is {self.claim.get(key)!r}")
        self.files: dict[str, str] = self.claim["files"]
        for name, digest in self.files.items():
            found = hashlib.sha256(self._raw[name]).hexdigest()
            require(found == digest, f"{name}: not the file that was certified (SHA-256)")
        for name in self.files:
            if name.endswith(".json"):  # also one that nothing is proved by
                self.read(name)

    def text(self, name: str) -> str:
        """Return the text of a file."""
        require(name in self._raw, f"{name}: not listed in claim.json")
        return self._raw[name].decode()

    def read(self, name: str) -> dict[str, Any]:
        """Return the JSON object of a file, with its keys checked."""
        require(name in self._raw, f"{name}: not listed in claim.json")
        found = _object(name, self._raw[name], self.budget)
        unknown = sorted({*found} - {*(self.KEYS[name] or " ".join(found)).split()})
        require(not unknown, f"{name}: unknown key {unknown[:1]}")
        return found

    def write(self, folder: Path, names: Iterable[str]) -> None:
        """Write listed files into a folder, for a program that reads files."""
        for name in names:
            (folder / name).write_bytes(self._raw[name])


def judged(path: Path, checker: str, check: Check) -> tuple[int, str]:
    """Return the exit code and the text to print: for a failure, one line of printable ASCII."""
    try:
        return 0, check(path, checker)[0]
    except Refused as error:
        code, line = 1, f"refused: {error}"
    except NoChecker as error:
        code, line = 3, f"not checked: {error}"
    except Exception as error:  # a malformed file may raise anything
        code, line = 2, f"unreadable: {path}: {type(error).__name__}: {error}"
    line = line if len(line) < MOST_LINE else f"{line[:MOST_LINE]} ..."
    return code, "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in line)


def main(check: Check, checkers: Sequence[str]) -> None:
    """Run the command line of a verifier."""
    parser = argparse.ArgumentParser(description="Verify a uno-csp certificate.")
    parser.add_argument("certificate", type=Path, help="a folder or a zip file")
    parser.add_argument("--checker", choices=checkers, default="auto")
    given = parser.parse_args()
    judged_in = given.certificate.resolve()  # no proof checker is imported from there
    sys.path[:] = [each for each in sys.path if Path(each or ".").resolve() != judged_in]
    code, line = judged(given.certificate, given.checker, check)
    (sys.stderr if code else sys.stdout).write(f"{line}\n")
    sys.exit(code)
