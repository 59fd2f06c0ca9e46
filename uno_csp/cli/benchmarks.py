"""``uno-csp benchmarks``: the benchmark set for other solvers."""

from pathlib import Path

import click

from uno_csp.cli.choices import option
from uno_csp.cli.output import print_text, tell

ONLY = option("--only", "Only files whose name matches the pattern.", default="*", value="PATTERN")
TO = option("--to", "Only files of this format.", click.Choice(["dimacs", "wcnf", "opb", "xcsp"]))


@click.group(name="benchmarks")
def benchmarks_command() -> None:
    """Benchmark files for other solvers, with their answers: CNF, MaxSAT, pseudo-Boolean, XCSP3.

    Each file encodes its question completely, is generated from seeds, and is the same byte for
    byte on every machine.
    """


@benchmarks_command.command(name="make")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@ONLY
@TO
def make_command(folder: Path, only: str, to: str | None) -> None:
    """Write the files into FOLDER, with MANIFEST.tsv and SHA256SUMS.

    Each line of MANIFEST.tsv has the SHA-256 of a file before compression, its name, its status
    and the command that makes it. Exit code 1 if a file differs from the one that was measured.
    """
    from uno_csp.benchmarks import benchmarks, make

    chosen = benchmarks(only, to)
    for count, each in enumerate(make(folder, chosen), start=1):
        tell(f"{count}/{len(chosen)} {each.file}")
    print_text(f"{len(chosen)} files in {folder}")


@benchmarks_command.command(name="kit")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@option(
    "--for competition",
    "The competition whose form the files have.",
    click.Choice(["maxsat", "pb", "sat", "xcsp"]),
    required=True,
)
@option("--author", "For sat: the authors in the description.", value="NAMES")
def kit_command(folder: Path, competition: str, author: str | None) -> None:
    """Write into FOLDER what a competition asks for.

    For sat: twenty CNF files, their checksums, a table and a description in LaTeX, as PDF too if
    LaTeX is installed. For maxsat, pb and xcsp: a directory per domain, and a README.txt.
    """
    from uno_csp.benchmarks.kits import AUTHOR, make_kit

    count = 0
    for count, each in enumerate(make_kit(competition, folder, author or AUTHOR), start=1):
        tell(f"{count} {each.file}")
    print_text(f"{count} files in {folder}")


@benchmarks_command.command(name="list")
@ONLY
@TO
def list_command(only: str, to: str | None) -> None:
    """Print name, format, status and command of each file, one file per line."""
    from uno_csp.benchmarks import benchmarks

    lines = [
        f"{each.name}\t{each.to}\t{each.status}\t{each.command}" for each in benchmarks(only, to)
    ]
    print_text("\n".join(lines))
