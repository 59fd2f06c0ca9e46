"""Compare all verifiers of certificates on mutated certificates of every kind, in three locales.

One certificate has one meaning: what one verifier accepts, all others accept, unless they do not
know certificates of its kind. Judged are the verifiers of each kind, ``uno-csp verify`` with every
proof checker, and the checker that Coq has proved on the bare files; each on the folder, and one of
them on a zip file of it.

Each case depends on the seed and its number only. The numbers done are kept in a file, so that a
run that was stopped goes on from there.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.certificate_mutations import mutated, packed, put
from tests.attacks.certificate_seeds import Certificate, seeds
from uno_csp.certificates import proved
from uno_csp.cli.verify import verify_any
from uno_csp.verifier import graphs, hands, reading, real_games

CHECKERS = ("dratify", "drup", proved.NAME)
LOCALES = ("C", "en_US.ISO-8859-1", "C.UTF-8")
MEMORY = Path("/dev/shm")  # noqa: S108  # a folder in memory, for thousands of small files
NOT_KNOWN = (
    "claim.json: allowed files",
    "claim.json: it lists no graph.json",
    "unknown question 'open-game'",
)
"""Parts of refusals by verifiers that do not know certificates of a kind."""

Judge = Callable[[Path], tuple[int, str]]
"""Returns an exit code with a line."""


def judges() -> dict[str, Judge]:
    """Return the verifiers by name."""
    own = (hands, graphs, real_games)
    found: dict[str, Judge] = {each.__name__: partial(_judged, each.verify) for each in own}
    for checker in CHECKERS:
        found[f"uno-csp verify --checker {checker}"] = partial(_judged, verify_any, checker=checker)
    return found


def _judged(check: reading.Check, path: Path, checker: str = "dratify") -> tuple[int, str]:
    return reading.judged(path, checker, check)


def differing(rng: random.Random, files: Certificate, scratch: Path) -> tuple[str, bool]:
    """Return how the verifiers differ on a certificate, or "", and whether it is accepted."""
    folder = scratch / "certificate"
    folder.mkdir()
    try:
        found = _found(rng, files, folder)
    finally:
        shutil.rmtree(folder)
    said = {name: code for name, (code, line) in found.items() if not _unknown(code, line)}
    if len({code == 0 for code in said.values()}) < 2:
        return "", 0 in said.values()
    return json.dumps(found, indent=1), True


def _found(rng: random.Random, files: Certificate, folder: Path) -> dict[str, tuple[int, str]]:
    """Return what each verifier says of the files in a folder."""
    regular = put(rng, files, folder)
    found = {name: judge(folder) for name, judge in judges().items()}
    codes = {code for code, _ in found.values()}
    _, said = found[hands.__name__]
    signed = not any(part in said for part in (*NOT_KNOWN, "(SHA-256)", "missing"))
    of_cards = "question.json" in files and "strategy.txt" not in files
    if regular and signed and of_cards and 0 not in codes and proved.program():
        found["the proved checker alone"] = _alone(folder)  # else it was run already
    if regular and set(files) <= {reading.CLAIM, *hands.FILES}:
        archive = folder / "certificate.zip"
        packed(rng, files, archive)
        found["zip file"] = _judged(hands.verify, archive)
    return found


def _alone(folder: Path) -> tuple[int, str]:
    try:
        return proved.verdict(folder)
    except Exception as error:
        return 2, f"{type(error).__name__}: {error}"


def _unknown(code: int, line: str) -> bool:
    return code == 3 or any(part in line for part in NOT_KNOWN)


def case(seed: int, number: int) -> tuple[str, Certificate, random.Random]:
    """Return the kind and the files of a case, and what it draws more from."""
    rng = random.Random(f"{seed} {number}")
    kind = rng.choice(list(seeds()))
    return kind, mutated(rng, seeds()[kind]), rng


def compare(seed: int, numbers: Sequence[int]) -> Iterator[tuple[str, bool, str]]:
    """Yield for each case its kind, whether it is accepted, and how the verifiers differ."""
    with TemporaryDirectory() as scratch:
        for number in numbers:
            kind, files, rng = case(seed, number)
            what, accepted = differing(rng, files, Path(scratch))
            yield kind, accepted, what


def _work(given: argparse.Namespace) -> int:
    """Compare the cases of one process, and keep how far it has come."""
    done = json.loads(given.state.read_text()) if given.state.exists() else {"next": given.first}
    counts, differ = Counter(done.get("counts", {})), done.get("differ", [])
    numbers = range(done["next"], given.first + given.cases)
    for number, (kind, accepted, what) in zip(numbers, compare(given.seed, numbers), strict=True):
        counts[f"{kind}: {'accepted' if accepted else 'refused'}"] += 1
        differ += [[number, kind, what]] if what else []
        if number % 100 == 99 or number + 1 == numbers.stop or what:
            state = {"next": number + 1, "counts": counts, "differ": differ}
            given.state.write_text(json.dumps(state))
    return 0


def _in_locale(locale: str, folder: Path) -> dict[str, str]:
    """Return an environment with a locale, which is made if the machine does not have it."""
    if locale.startswith("en_US") and not (folder / locale).exists():
        command = ["localedef", "-i", "en_US", "-f", "ISO-8859-1", str(folder / locale)]
        subprocess.run(command, check=False, capture_output=True)
    own = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    own |= {"LOCPATH": str(folder)} if locale.startswith("en_US") else {}
    own |= {"TMPDIR": str(MEMORY)} if MEMORY.is_dir() else {}
    return {**os.environ, **own}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if verifiers differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=50_000, help="number of cases (50,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=Path("attack-certificates"))
    parser.add_argument("--first", type=int, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.first is not None:
        return _work(given)
    given.state.mkdir(exist_ok=True)
    began, share, running = time.monotonic(), -(-given.cases // len(LOCALES)), []
    for place, locale in enumerate(LOCALES):
        state = given.state / f"{locale}.json"
        own = ["--cases", share, "--seed", given.seed, "--state", state, "--first", place * share]
        command = [sys.executable, "-m", "tests.attacks.verifiers", *map(str, own)]
        running.append(subprocess.Popen(command, env=_in_locale(locale, given.state.resolve())))
    ended = [each.wait() for each in running]
    states = [json.loads((given.state / f"{each}.json").read_text()) for each in LOCALES]
    counts = sum((Counter(each["counts"]) for each in states), Counter[str]())
    for kind, number in sorted(counts.items()):
        print(f"{number:6} {kind}")
    differ = [each for state in states for each in state["differ"]]
    for number, kind, what in differ[:10]:
        print(f"case {number}, {kind}: {what}")
    seconds = time.monotonic() - began
    print(f"{counts.total()} cases in {seconds:.0f} s, {len(differ)} on which verifiers differ")
    return 1 if differ or any(ended) else 0


if __name__ == "__main__":
    sys.exit(main())
