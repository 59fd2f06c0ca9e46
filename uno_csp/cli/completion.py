"""``uno-csp completion``."""

import click
from click.shell_completion import get_completion_class

from uno_csp.cli.output import print_text


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script for a shell: eval "$(uno-csp completion bash)"."""
    from uno_csp.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101
    print_text(kind(cli, {}, "uno-csp", "_UNO_CSP_COMPLETE").source())
