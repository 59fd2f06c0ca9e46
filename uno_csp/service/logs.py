"""Log lines with their parts named: JSON for programs, or text for people.

The code logs with the standard library; structlog gives the lines their form.
"""

import logging
import logging.config
import threading
from typing import Any, Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Format = Literal["text", "json"]

_CHATTY = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado",
    "tornado.application",
)
"""Loggers to which ``distributed`` gives handlers of its own when it is imported."""

_log = logging.getLogger(__name__)


def log_config(level: str, form: Format) -> dict[str, Any]:
    """Return the argument of :func:`logging.config.dictConfig`, for all lines of all libraries.

    ``json`` is one object a line: ``timestamp``, ``level``, ``logger``, ``event`` and what belongs
    to it, an ``exception`` in one string. ``level`` is that of this package and of uvicorn; other
    libraries log warnings.
    """
    written: tuple[Processor, ...] = (
        (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str))
        if form == "json"
        else (
            structlog.dev.ConsoleRenderer(
                colors=False,
                pad_event_to=0,
                exception_formatter=structlog.dev.plain_traceback,  # local variables are nobody's
            ),
        )
    )
    read: tuple[Processor, ...] = (
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _without_colours,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": read,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *written],
    }
    handler = {"class": "logging.StreamHandler", "formatter": "line"}  # on standard error
    logger = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": handler},
        "loggers": {
            "uno_csp": logger,
            "uvicorn": logger,
            **{name: {"handlers": [], "propagate": True, "level": "WARNING"} for name in _CHATTY},
            # The pool warns of each connection that cannot be made; the store says once it is away.
            "psycopg.pool": {"handlers": [], "propagate": True, "level": "ERROR"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


def configure(level: str, form: Format) -> None:
    """Give all lines their form, those of warnings and of dying threads too."""
    logging.config.dictConfig(log_config(level, form))
    logging.captureWarnings(capture=True)
    threading.excepthook = _log_dying_thread


def _log_dying_thread(died: threading.ExceptHookArgs) -> None:
    if died.exc_value is not None:
        name = "unknown" if died.thread is None else died.thread.name
        _log.error("a thread died", exc_info=died.exc_value, extra={"thread": name})


def _without_colours(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Uvicorn gives its messages a second time, with colours."""
    event.pop("color_message", None)
    return event
