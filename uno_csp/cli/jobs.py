"""``uno-csp jobs``: backup and restoration of the jobs of a server."""

from pathlib import Path

import click

from uno_csp.cli.choices import DATA
from uno_csp.cli.output import print_text, require_other
from uno_csp.formats.files import require_target
from uno_csp.questions.wording import counted


@click.group(name="jobs")
def jobs_command() -> None:
    """Back up or restore the jobs in a data folder of uno-csp serve.

    Jobs in PostgreSQL are backed up by pg_dump.
    """


@jobs_command.command(name="backup")
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@DATA
def backup_command(archive: Path, data: Path) -> None:
    """Write the jobs and their certificates into ARCHIVE, a tar file; the server may run."""
    from uno_csp.service.stores.backups import back_up

    require_target(archive, [".tar"])
    require_other(archive, *(path for path in data.glob("*") if path.is_file()))
    print_text(f"{counted(back_up(data, archive), 'job')} in {archive}")


@jobs_command.command(name="restore")
@click.argument("archive", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@DATA
def restore_command(archive: Path, data: Path) -> None:
    """Unpack ARCHIVE into a data folder that has no jobs yet, before the server starts."""
    from uno_csp.service.stores.backups import restore

    print_text(f"{counted(restore(archive, data), 'job')} in {data}")
