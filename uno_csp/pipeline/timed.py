"""Options whose time limit has begun: what is left of it, and the limit that an answer names."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from uno_csp.pipeline.options import Options
from uno_csp.processes.deadline import Deadline, TimeUp, clock_s

AnswerT = TypeVar("AnswerT", bound=Any)  # any answer with a reason
ItemT = TypeVar("ItemT")


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

    def ended(self, stage: str) -> str:
        """Return the reason of an answer that the limit kept from coming, with the stage."""
        return f"the time limit of {self.options.time_limit_s or 0:g} s ended while {stage}"

    @contextmanager
    def during(self, stage: str, *, interrupted: bool = False) -> Iterator[None]:
        """Let TimeUp in a block name the limit that was asked for, and the stage of the work.

        A stage that the block has named stays. With ``interrupted`` the block ends in the midst, as
        by :meth:`Deadline.interrupting`.
        """
        try:
            with self.deadline.interrupting() if interrupted else nullcontext():
                yield
        except TimeUp as error:
            stage = error.stage or stage
            raise TimeUp(self.ended(stage), stage) from None

    def within(self, stage: str, items: Iterable[ItemT]) -> Iterator[ItemT]:
        """Yield items whose making is a stage, see :meth:`during`."""
        with self.during(stage):
            yield from items

    def name_limit(self, answer: AnswerT, left: Options) -> AnswerT:
        """Return an answer whose reason names the limit that was asked for, not what was left.

        So does the reason why it has no certificate.
        """
        spent, asked = (
            f"time limit of {each.time_limit_s or 0:g} s" for each in (left, self.options)
        )
        named: AnswerT = replace(answer, reason=answer.reason.replace(spent, asked))
        uncertified = getattr(answer, "certificate", None)
        if uncertified and not uncertified["certified"]:
            summary = uncertified["summary"].replace(spent, asked)
            named = replace(named, certificate={**uncertified, "summary": summary})
        return named
