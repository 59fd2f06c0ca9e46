"""Declaration of handlers, and the classes of service in which their requests are handled.

A handler is a function of a request and the :class:`Work` around it. It knows nothing of HTTP:
route, description, entry of the worker, lane and example all come from its declaration.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isgeneratorfunction
from typing import Any, get_type_hints

from pydantic import BaseModel

from uno_csp.processes.channel import Channel
from uno_csp.service.reading import Task, read

RESULT, ERROR, LATER = "result", "error", "later"
"""Keys of what a task returns: the result, a problem, or why it can only be handled later."""

ITEM = "item"  # key of a report with one item of a streamed reply


@dataclass(frozen=True, slots=True)
class Lane:
    """A class of service; requests of one lane never wait for those of another."""

    name: str
    at_a_time: int  # maximum number of requests handled at a time
    waiting: int  # maximum number of requests that wait; further ones get 429
    wall_s: float  # time limit of one request, in seconds
    meaning: str


SHORT_MB = 1000.0  # memory limit of a request in a lane, over all its processes
PARSE = Lane("parse", 2, 200, 3.0, "questions to solve, and question files")
SHORT = Lane("short", 2, 200, 60.0, "checks, generated instances and hints")
FILE = Lane("file", 2, 200, 60.0, "exports")
LONG = Lane("long", 2, 200, 60.0, "graphs, games, counts and puzzles")
BATCH = Lane("batch", 1, 20, 600.0, "lists of questions")
PREVIEW = Lane("preview", 1, 8, 3.0, "titles and pictures of links")
LANES = (PARSE, SHORT, FILE, LONG, BATCH, PREVIEW)


@dataclass(frozen=True, slots=True)
class Work:
    """The surroundings of a request: the limits of the server, and the channel to it."""

    task: Task
    channel: Channel

    @property
    def cards(self) -> int:
        """Maximum number of cards of a question."""
        return int(self.task["cards"])


@dataclass(frozen=True, slots=True)
class Handler:
    """A declared handler, which is the entry of its tasks in a worker."""

    function: Callable[..., Any]
    request: type[BaseModel]
    reply: Any  # type of the reply; for a generator, a model with one list, of what it yields
    lane: Lane
    example: Mapping[str, Mapping[str, Any]]  # bodies by a summary of each
    path: str

    @property
    def name(self) -> str:
        """Name of the operation."""
        return self.function.__name__

    @property
    def streams(self) -> bool:
        """True if the function yields the items of its reply one by one."""
        return isgeneratorfunction(self.function)

    def __call__(self, task: Task, channel: Channel) -> Any:
        """Read the request of a task, and handle it."""
        found = self.function(read(self.request, task["body"], task["cards"]), Work(task, channel))
        if self.streams:
            for item in found:
                channel.report({ITEM: item})
            return None
        return found


HANDLERS: dict[str, Handler] = {}
"""All handlers by the names of their functions."""


def handler(
    reply: Any, lane: Lane, example: Mapping[str, Mapping[str, Any]], *, path: str | None = None
) -> Callable[[Callable[..., Any]], Handler]:
    """Declare a handler of the requests that its function takes.

    Its route is ``path``, by default the first word of its name; its tag is its module.
    """

    def declare(function: Callable[..., Any]) -> Handler:
        request = get_type_hints(function)["request"]
        place = path or function.__name__.partition("_")[0]
        declared = Handler(function, request, reply, lane, example, place)
        HANDLERS[declared.name] = declared
        return declared

    return declare


def do(entry: "Handler | Callable[[Task, Channel], Any]") -> str:
    """Return the key ``do`` of the tasks for an entry of the worker: its module and name."""
    function = entry.function if isinstance(entry, Handler) else entry
    return f"{function.__module__}:{function.__name__}"
