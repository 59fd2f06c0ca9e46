"""Options whose time limit has begun: what is left of it, and the limit that an answer names."""

from dataclasses import replace
from typing import Any, TypeVar

from uno_csp.pipeline.options import Options
from uno_csp.processes.deadline import Deadline, clock_s

AnswerT = TypeVar("AnswerT", bound=Any)  # any answer with a reason


class Timed:
    """Options of a run whose time limit begins now, before its question is read."""

    def __init__(self, options: Options) -> None:
        self.options, self.deadline = options, Deadline.after(options.time_limit_s)
        self._began = clock_s()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the limit began."""
        return round(clock_s() - self._began, 6)

    def left(self) -> Options:
        """Return the options with the time that is left."""
        return replace(self.options, time_limit_s=self.deadline.limit_s)

    @property
    def ended_reading(self) -> str:
        """The reason of an answer about a question that was not read to its end."""
        return f"the time limit of {self.options.time_limit_s:g} s ended while reading"

    def name_limit(self, answer: AnswerT, left: Options) -> AnswerT:
        """Return an answer whose reason names the limit that was asked for, not what was left."""
        spent, asked = (
            f"time limit of {each.time_limit_s or 0:g} s" for each in (left, self.options)
        )
        named: AnswerT = replace(answer, reason=answer.reason.replace(spent, asked))
        return named
