"""``uno-csp benchmarks``: the benchmark set for other solvers."""

from pathlib import Path

import click

from uno_csp.cli.output import print_text, tell

ONLY = click.option(
    "--only", default="*", metavar="PATTERN", help="Names that fit, as in a shell; '*' is anything."
)
TO = click.option(
    "--to", type=click.Choice(["dimacs", "wcnf", "opb"]), help="Only files of this format."
)


@click.group(name="benchmarks", short_help="A set of files whose difficulty was measured.")
def benchmarks_command() -> None:
    """Files for other solvers: CNF, MaxSAT and pseudo-Boolean, with known answers.

    Each is complete, comes from seeds, and is the same byte for byte wherever it is made.
    """


@benchmarks_command.command(name="make")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@ONLY
@TO
def make_command(folder: Path, only: str, to: str | None) -> None:
    """Write the files into FOLDER, with MANIFEST.tsv and SHA256SUMS.

    A line of MANIFEST.tsv has the SHA-256 of a file before compression, its name, its status and
    the command that makes it. Exit code 1 if a file is not the one that was measured.
    """
    from uno_csp.benchmarks import benchmarks, make

    chosen = benchmarks(only, to)
    for count, each in enumerate(make(folder, chosen), start=1):
        tell(f"{count}/{len(chosen)} {each.file}")
    print_text(f"{len(chosen)} files in {folder}")


@benchmarks_command.command(name="list")
@ONLY
@TO
def list_command(only: str, to: str | None) -> None:
    """Write the name, format, status and command of each file, a line each."""
    from uno_csp.benchmarks import benchmarks

    lines = [
        f"{each.name}\t{each.to}\t{each.status}\t{each.command}" for each in benchmarks(only, to)
    ]
    print_text("\n".join(lines))
