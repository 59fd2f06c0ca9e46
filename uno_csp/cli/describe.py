"""``uno-csp describe``."""

import click

from uno_csp.catalogue import description
from uno_csp.cli.output import print_text


@click.command(name="describe")
@click.argument("name")
def describe_command(name: str) -> None:
    """Print the documentation of an encoding, algorithm, backend, family or question."""
    print_text(description(name))
