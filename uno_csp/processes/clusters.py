"""Connection to a Dask scheduler, for experiments and for the service."""

import asyncio
import logging
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from uno_csp.errors import BackendUnavailable, NotAccepted

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10
T = TypeVar("T")


def require_distributed() -> None:
    """Raise BackendUnavailable if ``distributed`` is not installed."""
    if find_spec("distributed") is None:
        raise BackendUnavailable(
            "a cluster needs distributed, which is not installed; pip install 'uno-csp[cluster]'"
        )


def connected(address: str) -> "Client":
    """Return a client of a scheduler; raise NotAccepted if none answers at the address."""
    require_distributed()
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:  # parsed first: a Client whose constructor failed logs errors when it is collected
        get_address_host_port(address)
    except ValueError as error:
        raise NotAccepted(f"{address!r} is not a scheduler address: {error}") from None
    if address.startswith("tls://"):
        _require_certificates(address)
    greeted: Future[None] = Future()

    def greet() -> None:
        try:
            greeted.set_result(asyncio.run(_greet(address)))
        except Exception as error:
            greeted.set_exception(error)

    # Who accepts a connection and stays silent is waited for without end, by the library.
    threading.Thread(target=greet, name="cluster-greeting", daemon=True).start()
    try:
        greeted.result(2 * CONNECT_S)
        return Client(address, timeout=CONNECT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # what answers may be another server, or expect a certificate
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise NotAccepted(f"no Dask scheduler answers at {address}: {reason}") from None


def _require_certificates(address: str) -> None:
    """Raise NotAccepted unless the settings of Dask name the files that TLS needs."""
    from distributed.security import Security

    own: Any = Security()  # type: ignore[no-untyped-call]
    files = {
        "CA_FILE": own.tls_ca_file,
        "CLIENT__CERT": own.tls_client_cert,
        "CLIENT__KEY": own.tls_client_key,
    }
    for name, given in files.items():
        setting = f"DASK_DISTRIBUTED__COMM__TLS__{name}"
        if not given:
            raise NotAccepted(f"{address} needs certificates: {setting} is not set")
        if "\n" not in given and not Path(given).is_file():  # else the certificate itself
            raise NotAccepted(f"{address} needs certificates: {setting}: {given} is no file")


async def _greet(address: str) -> None:
    """Raise an error unless a scheduler answers."""
    from distributed.comm.core import connect
    from distributed.security import Security

    own: Any = Security()  # type: ignore[no-untyped-call]
    greet: Any = connect
    comm = await greet(address, timeout=CONNECT_S, **own.get_connection_args("client"))
    comm.abort()


def silence_library() -> None:
    """Keep ``distributed`` from logging tracebacks of errors that it also raises."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def run_in_loop(client: "Client", coroutine: Coroutine[Any, Any, T]) -> "Future[T]":
    """Start a coroutine in a client's event loop, from another thread.

    The future returned can be waited for with a timeout. The client's own methods cannot: called
    from many threads, ``distributed.Future.result(timeout=...)`` loses results; and a method that
    is called while another thread closes the client waits for ever.

    Raises NotAccepted when the client is closed.
    """
    loop: Any = client.loop
    try:
        return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)
    except RuntimeError as error:
        coroutine.close()
        raise NotAccepted(f"the client of the scheduler is closed: {error}") from None
