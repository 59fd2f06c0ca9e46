"""Finding a Dask scheduler, for experiments and for the service."""

import asyncio
import logging
from collections.abc import Coroutine
from concurrent.futures import Future
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from uno_csp.errors import BackendUnavailable, NotAccepted

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10
T = TypeVar("T")


def connected(address: str) -> "Client":
    """A client of the scheduler at that address.

    Raises
    ------
    BackendUnavailable
        When ``distributed`` is not installed.
    NotAccepted
        When nobody answers there.
    """
    if find_spec("distributed") is None:
        raise BackendUnavailable(
            "a cluster needs distributed, which is not installed; pip install 'uno-csp[cluster]'"
        )
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:  # by itself first: a client that could not be made complains when it is collected
        get_address_host_port(address)
    except ValueError as error:
        raise NotAccepted(f"{address!r} is no address of a scheduler: {error}") from None
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise NotAccepted(f"no Dask scheduler answers at {address}: {error}") from None


def silence_library() -> None:
    """Keep ``distributed`` from logging what its errors say anyway, with tracebacks."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def run_in_loop(client: "Client", coroutine: Coroutine[Any, Any, T]) -> "Future[T]":
    """Start a coroutine in the event loop of a client, from another thread.

    Its future can be waited for with a time limit. The client's own methods cannot: in many
    threads ``distributed.Future.result(timeout=...)`` loses results.
    """
    loop: Any = client.loop
    return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)
