"""The command-line options of a run, made from :class:`uno_csp.Options`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import click

from uno_csp.cli.output import complete
from uno_csp.methods import CONNECTIVITY, backend_names, method_names
from uno_csp.pipeline import Options

_NAMES: Mapping[str, Callable[[], Sequence[str]]] = {
    "method": method_names,
    "backend": backend_names,
    "connectivity": lambda: CONNECTIVITY,
}
_VALUES = {"proof": "DIR", "seed": "N", "workers": "N"}
_UNITS = {"_s": "S", "_mb": "MB"}  # ends of the names of options, and what help shows for a value
_HELP = {
    "method": "Encoding or algorithm; chosen automatically if left out. See: uno-csp list "
    "encodings.",
    "backend": "The solver. See: uno-csp list backends.",
    "connectivity": f"Treatment of global constraints: {', '.join(CONNECTIVITY)}.",
    "time_limit_s": "Wall-clock time limit in seconds, without the time to load the solver.",
    "memory_limit_mb": "Memory limit of all solving processes together.",
    "seed": "Random seed of the solver.",
    "workers": "Threads for the solver; for a file of many questions, how many are answered at a "
    "time.",
    "presolve": "Let reductions decide or shrink the question first.",
    "proof": "Also write a certificate of a no or an optimum; see: uno-csp verify.",
    "strict": "With --proof: use no cuts, which the checker has to trust; for small questions.",
}


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
    elif name in _VALUES:
        more["metavar"] = _VALUES[name]
    elif default is True:
        flag = f"{flag}/--no-{name}"
    elif default is False:
        more["is_flag"] = True
    return click.option(flag, name, **more)
