"""``uno-csp list``."""

from typing import Any

import click

from uno_csp.cli.output import print_json, print_rich
from uno_csp.questions import question_types
from uno_csp.registry import (
    algorithm_names,
    backend_names,
    encoding_names,
    find_algorithm,
    find_backend,
    find_encoder,
)


@click.command(name="list")
@click.argument("what", type=click.Choice(["encodings", "backends", "families", "questions"]))
@click.option(
    "--format", "style", type=click.Choice(["human", "json"]), default="human", show_default=True,
    help="How the listing is written.",
)  # fmt: skip
def list_command(what: str, style: str) -> None:
    """List encodings, backends, families or questions."""
    rows = _LISTINGS[what]()
    if style == "json":
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for column in rows[0]:
        table.add_column(column)
    for row in rows:
        table.add_row(
            *("yes" if v is True else "no" if v is False else str(v) for v in row.values())
        )
    print_rich(table)


def _encoding_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name in encoding_names():
        encoder = find_encoder(name)
        summary = _first_line(type(encoder).__doc__)
        rows.append(
            {"name": name, "needs_backend": True, "proof": encoder.proves, "summary": summary}
        )
    for name in algorithm_names():
        summary = _first_line(type(find_algorithm(name)).__doc__)
        rows.append({"name": name, "needs_backend": False, "proof": "exact", "summary": summary})
    return rows


def _backend_rows() -> list[dict[str, Any]]:
    rows = []
    for name in backend_names():
        backend = find_backend(name)
        installed = backend.available()
        shown = backend.version() if installed else backend.install_hint()
        rows.append(
            {"name": name, "installed": installed, "version": shown, "summary": backend.summary}
        )
    return rows


def _family_rows() -> list[dict[str, Any]]:
    from uno_csp.families import families

    return [
        {
            "name": family.name,
            "origin": str(family.origin),
            "seeded": family.seeded,
            "parameters": ", ".join(
                f"{each.name}={each.default}" for each in family.parameters.values()
            ),
            "summary": family.summary,
        }
        for family in families().values()
    ]


def _question_rows() -> list[dict[str, Any]]:
    return [
        {"name": name, "summary": _first_line(kind.__doc__)}
        for name, kind in question_types().items()
    ]


def _first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


_LISTINGS = {
    "encodings": _encoding_rows,
    "backends": _backend_rows,
    "families": _family_rows,
    "questions": _question_rows,
}
