"""Run a module of this package as a program, where a library must not run in this process."""

import json
import subprocess
from typing import Any

from uno_csp.errors import BackendError
from uno_csp.processes.channel import python_command
from uno_csp.processes.endings import ending


def run_module(module: str, data: Any, *arguments: str, limit_s: float, title: str) -> str:
    """Run a module as a program with JSON on its standard input; return what it prints.

    Raises BackendError, with the title of the library, if the program fails or at the limit.
    """
    code = f"import runpy; runpy.run_module({module!r}, None, '__main__')"
    try:
        done = subprocess.run(
            [*python_command(code), *arguments],
            input=json.dumps(data),
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip()[-200:] or f"the program {ending(error.returncode)}"
        raise BackendError(f"{title}: {said}") from None
    except subprocess.TimeoutExpired:
        raise BackendError(f"{title}: stopped after {limit_s:g} s") from None
    return done.stdout
