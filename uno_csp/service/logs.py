"""Structured logging: JSON for programs, or text for people.

The code logs with the standard library; structlog formats the lines.
"""

import logging
import logging.config
import threading
from typing import Any, Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from uno_csp.questions.wording import printable

Format = Literal["text", "json"]

_CHATTY = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application")
"""Loggers to which ``distributed`` gives handlers of its own when it is imported.

They log tracebacks of errors that are raised too, so that a lost scheduler is logged by its runner.
"""

_log = logging.getLogger(__name__)


def log_config(level: str, form: Format) -> dict[str, Any]:
    """Return the argument of :func:`logging.config.dictConfig`, for all libraries.

    ``json`` writes one object per line: ``timestamp``, ``level``, ``logger``, ``event`` and its
    extra fields, with an ``exception`` as one string. ``level`` applies to this package and to
    uvicorn; other libraries log warnings only.
    """
    written: tuple[Processor, ...] = (
        (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str))
        if form == "json"
        else (
            _in_one_line,
            structlog.dev.ConsoleRenderer(
                colors=False,
                pad_event_to=0,
                exception_formatter=structlog.dev.plain_traceback,  # no local variables in the log
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
            **{name: {"handlers": [], "propagate": True, "level": "CRITICAL"} for name in _CHATTY},
            # The pool warns of each failed connection; the store logs once that it is unreachable.
            "psycopg.pool": {"handlers": [], "propagate": True, "level": "ERROR"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


def configure(level: str, form: Format) -> None:
    """Configure logging, also of Python warnings and uncaught exceptions in threads."""
    logging.config.dictConfig(log_config(level, form))
    logging.captureWarnings(capture=True)
    threading.excepthook = _log_dying_thread


def _log_dying_thread(died: threading.ExceptHookArgs) -> None:
    if died.exc_value is not None:
        name = "unknown" if died.thread is None else died.thread.name
        _log.error("a thread died", exc_info=died.exc_value, extra={"of_thread": name})


def _in_one_line(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Escape line ends and control characters: a name in a message starts no line of its own."""
    return {key: printable(it) if isinstance(it, str) else it for key, it in event.items()}


def _without_colours(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Drop the coloured copy that uvicorn adds to its messages."""
    event.pop("color_message", None)
    return event
