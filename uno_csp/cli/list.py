"""``uno-csp list``."""

from typing import Any

import click

from uno_csp.catalogue import LISTINGS, listing
from uno_csp.cli.choices import NameChoice, option, style_of
from uno_csp.cli.output import print_json, print_rich


@click.command(name="list")
@click.argument("what", type=NameChoice([*LISTINGS]))
@option("--installed", "List only backends that are installed.", is_flag=True)
@style_of("listing")
def list_command(what: str, installed: bool, style: str) -> None:
    """List encodings, backends, families, questions or formats."""
    rows = listing(what)
    if installed:
        if "installed" not in rows[0]:
            raise click.UsageError(f"--installed is for backends, not for {what}")
        rows = [row for row in rows if row["installed"]]
    if style == "json":
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    columns = [name for name in rows[0] if any(row[name] not in (None, []) for row in rows)]
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    print_rich(table)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return f"{value['name']}={value['default']}"
    return "" if value is None else str(value)
