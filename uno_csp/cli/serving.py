"""``uno-csp serve``: the questions over HTTP."""

import os
from importlib.util import find_spec
from pathlib import Path

import click

from uno_csp.errors import BackendUnavailable

TOKEN = "UNO_CSP_TOKEN"  # noqa: S105 (the name of a variable, not a token)
SHUTDOWN_S = 5


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), default=Path("uno-csp-data"),
    show_default=True, help="The folder of the job store.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
              help="Jobs solved at a time.")  # fmt: skip
@click.option("--queue", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N",
              help="Jobs that may wait.")  # fmt: skip
@click.option("--memory-mb", type=click.IntRange(min=200), default=4000, show_default=True,
              metavar="MB", help="What one job may use.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=60.0,
              show_default=True, metavar="S", help="Of a job that names none.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), default=6000.0,
              show_default=True, metavar="N", help="Requests a minute of one client.")  # fmt: skip
@click.option(
    "--results", type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A report of experiments to show beside the page.",
)  # fmt: skip
def serve(
    host: str, port: int, data: Path, jobs: int, queue: int, memory_mb: int, time_limit: float,
    rate: float, results: Path | None,
) -> None:  # fmt: skip
    """Answer questions over HTTP: a page at /, the API under /api/v1.

    Accepted jobs survive the server: start it again on the same folder, and they go on. If the
    environment has UNO_CSP_TOKEN, clients must show it as a bearer token.
    """
    missing = [name for name in ("fastapi", "uvicorn", "igraph") if find_spec(name) is None]
    if missing:
        raise BackendUnavailable(
            f"the service needs {', '.join(missing)}; pip install 'uno-csp[service]'"
        )
    import uvicorn

    from uno_csp.service.app import create_app
    from uno_csp.service.settings import Settings

    settings = Settings(
        data, os.environ.get(TOKEN) or None, jobs, queue, wall_s=time_limit,
        memory_mb=float(memory_mb), requests_per_minute=rate, results=results,
    )  # fmt: skip
    uvicorn.run(
        create_app(settings), host=host, port=port, log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_S,
    )  # fmt: skip
