"""``uno-csp serve``: run the HTTP service."""

import logging
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from uno_csp.cli.choices import DATA, option
from uno_csp.errors import BackendUnavailable, NotAccepted
from uno_csp.methods import find_backend
from uno_csp.processes.channel import program
from uno_csp.processes.clusters import require_distributed
from uno_csp.processes.scratch import sweep

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from uno_csp.service.jobs.runners import Runner
    from uno_csp.service.settings import Settings
    from uno_csp.service.stores.store import Store

TOKEN = "UNO_CSP_TOKEN"  # noqa: S105 (the name of a variable, not a token)
NEEDED = ("fastapi", "igraph", "limits", "prometheus_client", "sqlalchemy", "structlog", "uvicorn")
OPTIONAL = (
    ("dratify", "certificates of refutations", "proofs"),
    ("pyganak", "counts by models", "counting"),
)
"""Modules that a server can be without, what it lacks then, and the extra that has them."""

SHUTDOWN_S = 5
BACKLOG = 2048
_log = logging.getLogger(__name__)


@click.command(name="serve")
@option("--host", "The address to listen on.", default="127.0.0.1", value="ADDRESS")
@option("--port", "The port to listen on; 0 takes a free one.", click.IntRange(0, 65535), 8000)
@DATA
@option("--jobs workers", "Number of jobs solved in parallel.", click.IntRange(min=1), 2, "N")
@option(
    "--store",
    "A PostgreSQL job store that several servers share, as postgresql://USER@HOST/NAME; or "
    "set UNO_CSP_STORE in the environment, which hides a password from process lists.",
    value="URL",
    envvar="UNO_CSP_STORE",
)
@option(
    "--cluster",
    "A Dask scheduler whose workers solve the jobs; or set UNO_CSP_CLUSTER.",
    value="ADDRESS",
    envvar="UNO_CSP_CLUSTER",
)
@option("--queue", "Maximum number of waiting jobs.", click.IntRange(min=1), 1000, "N")
@option("--memory-mb", "Memory limit of one job.", click.IntRange(min=200), 4000, "MB")
@option(
    "--time-limit wall_s",
    "Default time limit of a job, in seconds.",
    click.FloatRange(min=0, min_open=True),
    60.0,
    "S",
)
@option(
    "--rate requests_per_minute",
    "Maximum number of requests per client and minute.",
    click.FloatRange(min=1),
    6000,
    "N",
)
@option(
    "--keep-days",
    "Delete jobs that finished this number of days ago; without it they are kept.",
    click.FloatRange(min=0, min_open=True),
    value="N",
)
@option(
    "--name names",
    "A host name of the server, besides localhost and bare IP addresses.",
    value="HOST",
    multiple=True,
)
@option(
    "--allow-backend backends",
    "Allow jobs to use this solver program on the PATH, as dimacs:PROGRAM, besides the listed "
    "backends.",
    value="NAME",
    multiple=True,
)
@option(
    "--behind-proxy",
    "Take the client's address from the headers of a proxy on this machine.",
    is_flag=True,
)
@option(
    "--log-level",
    "Log level on standard error; info logs each request and each state change of a job.",
    click.Choice(["warning", "info", "debug"]),
    "warning",
)
@option(
    "--log-format",
    "Log lines as text, or one JSON object per line.",
    click.Choice(["text", "json"]),
    "text",
)
@option(
    "--results",
    "Folder of a report on experiments to serve with the page.",
    click.Path(path_type=Path, file_okay=False, exists=True),
)
@option(
    "--guide",
    "Folder of the documentation, as scripts/docs builds it, to serve with the page.",
    click.Path(path_type=Path, file_okay=False, exists=True),
)
def serve_command(
    host: str,
    port: int,
    names: tuple[str, ...],
    backends: tuple[str, ...],
    store: str | None,
    cluster: str | None,
    log_level: str,
    log_format: Literal["text", "json"],
    **limits: Any,
) -> None:
    """Answer questions over HTTP: a page at /, the API under /api/v1.

    Accepted jobs survive a restart: start the server again on the same folder, and they resume. If
    UNO_CSP_TOKEN is set in the environment, clients must send it as a bearer token.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise BackendUnavailable(
            f"the service needs {', '.join(missing)}; pip install 'uno-csp[service]'"
        )
    from uno_csp.service.api.app import create_app, end_requests
    from uno_csp.service.api.connections import EndingServer, raise_descriptor_limit
    from uno_csp.service.logs import configure
    from uno_csp.service.settings import Settings

    os.environ.pop("UNO_CSP_STORE", None)  # it may have a password, and no child is to have it
    settings = Settings(
        token=os.environ.pop(TOKEN, None) or None,  # no child is to have it
        names=(host, *names),
        eager=True,
        backends=tuple(find_backend(name).name for name in backends),
        **limits,
    )
    if cluster is not None and find_spec("distributed") is not None:
        import distributed  # noqa: F401 (it configures its own logging when it is imported)
    configure(log_level, log_format)
    sweep()  # folders of servers that were killed
    descriptors = raise_descriptor_limit()
    with _listening(host, port) as listener, _compiling():
        runner = _runner(cluster, settings)  # first, because the store locks the folder
        app = create_app(settings, _store(store, settings.data), runner)
        config = configured(app, settings, descriptors)
        server = EndingServer(config, partial(end_requests, app, SHUTDOWN_S - 1))
        kept = str(settings.data) if store is None else "PostgreSQL"
        _tell(listener, kept, log_format)
        server.run(sockets=[listener])


def configured(app: "FastAPI", settings: "Settings", descriptors: int) -> "uvicorn.Config":
    """Return how uvicorn runs the application with this number of file descriptors."""
    import uvicorn

    from uno_csp.service.api.connections import KEEP_ALIVE_S, bounded_protocol

    return uvicorn.Config(
        app,
        http=bounded_protocol(descriptors, settings.token),
        timeout_keep_alive=KEEP_ALIVE_S,
        log_config=None,
        access_log=False,
        proxy_headers=settings.behind_proxy,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )


@contextmanager
def _compiling() -> Iterator[None]:
    """Compile the search of open games in the background, if that has not been done."""
    command = program("uno_csp.agents.compiling", "prepare")
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def _store(url: str | None, data: Path) -> "Store":
    """Return the job store: SQLite in the folder, or PostgreSQL."""
    from uno_csp.service.stores.postgres_store import PostgresStore
    from uno_csp.service.stores.sqlite_store import SqliteStore

    if url is None:
        return SqliteStore(data)
    if not url.startswith(("postgresql://", "postgres://")):
        raise NotAccepted("--store: only a URL that begins with postgresql:// is allowed")
    return PostgresStore(url)


def _runner(cluster: str | None, settings: "Settings") -> "Runner":
    """Return the place where jobs are solved: this machine, or a cluster."""
    from uno_csp.service.jobs.runners import local_runner

    if cluster is None:
        return local_runner(settings)
    require_distributed()
    from uno_csp.service.jobs.cluster_runner import ClusterRunner

    return ClusterRunner(cluster)


def _tell(listener: socket.socket, kept: str, form: str) -> None:
    """Print the URL of the page and the job store on standard error, or log them as JSON."""
    address, port = listener.getsockname()[:2]
    name = f"[{address}]" if ":" in address else address
    url = f"http://{name}:{port}/"
    missing = "; ".join(
        f"no {what} (pip install 'uno-csp[{extra}]')"
        for module, what, extra in OPTIONAL
        if find_spec(module) is None
    )
    if form == "json":
        _log.info("listening", extra={"url": url, "data": kept, "missing": missing})
        return
    with suppress(OSError):
        click.echo(f"{url} (jobs are stored in {kept}; Ctrl-C stops it)", err=True)
        if missing:
            click.echo(f"not installed: {missing}", err=True)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address; raise NotAccepted if it cannot."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # asyncio sets TCP_NODELAY only if the protocol of the socket is given as TCP.
        with ExitStack() as unless_bound:
            listener = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
            unless_bound.enter_context(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
            unless_bound.pop_all()
            return listener
    except (OSError, UnicodeError) as error:  # an invalid host name is a UnicodeError
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise NotAccepted(f"--host {host} --port {port}: {reason}") from None
