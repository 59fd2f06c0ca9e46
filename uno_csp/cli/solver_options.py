"""The command-line options of a run, made from :class:`uno_csp.Options`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from uno_csp.cli.output import complete
from uno_csp.methods import CONNECTIVITY, backend_names, method_names
from uno_csp.pipeline import Options
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.hamilton import HamiltonAnswer
    from uno_csp.questions.answers import Answer

AnswerT = TypeVar("AnswerT", "Answer", "HamiltonAnswer")

_NAMES: Mapping[str, Callable[[], Sequence[str]]] = {
    "method": method_names,
    "backend": backend_names,
    "connectivity": lambda: CONNECTIVITY,
}
_UNITS = {"_s": "S", "_mb": "MB"}  # ends of the names of options, and what help shows for a value
_HELP = {
    "method": "Encoding or algorithm; chosen automatically if left out. See: uno-csp list "
    "encodings.",
    "backend": "The solver. See: uno-csp list backends.",
    "connectivity": f"How global constraints are treated: {', '.join(CONNECTIVITY)}.",
    "time_limit_s": "Wall-clock time limit in seconds, without the time to load the solver.",
    "memory_limit_mb": "Memory limit of all solving processes together.",
    "seed": "A seed for the solver.",
    "workers": "Threads for the solver; for a file of many questions, how many are answered at a "
    "time.",
    "presolve": "Let reductions decide or shrink the question first.",
    "proof": "Also write a certificate of a no or an optimum; see: uno-csp verify.",
    "strict": "With --proof: use no cuts, which the checker has to trust; for small questions.",
}


class Timed:
    """Options of a run whose time limit begins now, before its file is read."""

    def __init__(self, options: Options) -> None:
        self._options, self._deadline = options, Deadline.after(options.time_limit_s)

    def left(self) -> Options:
        """Return the options with the time that is left."""
        return replace(self._options, time_limit_s=self._deadline.limit_s)

    def name_limit(self, answer: AnswerT, left: Options) -> AnswerT:
        """Return an answer whose reason names the limit that was asked for, not what was left."""
        spent, asked = (
            f"time limit of {each.time_limit_s or 0:g} s" for each in (left, self._options)
        )
        return replace(answer, reason=answer.reason.replace(spent, asked))


def solver_options(*names: str) -> Callable[[Any], Any]:
    """Add the options of these names to a command; all of them if none is named."""

    def add(command: Any) -> Any:
        for name in reversed(names or [each.name for each in fields(Options)]):
            command = _option(name)(command)
        return command

    return add


def _option(name: str) -> Callable[[Any], Any]:
    default = next(each.default for each in fields(Options) if each.name == name)
    unit = next((end for end in _UNITS if name.endswith(end)), "")
    flag = f"--{name.removesuffix(unit).replace('_', '-')}"
    more: dict[str, Any] = {"default": default, "help": _HELP[name]}
    if name in _NAMES:
        more |= {"metavar": "NAME", "shell_complete": complete(_NAMES[name]())}
    elif unit:
        more |= {"type": float, "metavar": _UNITS[unit]}
    elif name == "proof":
        more["metavar"] = "DIR"
    elif default is True:
        flag = f"{flag}/--no-{name}"
    elif default is False:
        more["is_flag"] = True
    return click.option(flag, name, **more)
