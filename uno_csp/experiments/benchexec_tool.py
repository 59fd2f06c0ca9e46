"""Tool-info module for BenchExec: the command line of uno-csp and how to read its output.

A run solves one file with one question; the answer is the ``s`` line of ``--format competition``. A
benchmark definition refers to this module by ``tool="uno_csp.experiments.benchexec_tool"``.
BenchExec must be installed in the same environment; no other module of this package needs it.
"""

import re
from collections.abc import Sequence

from benchexec import result
from benchexec.tools.template import BaseTool2

STATUSES = {
    "SATISFIABLE": result.RESULT_TRUE_PROP,
    "UNSATISFIABLE": result.RESULT_FALSE_PROP,
    "OPTIMUM FOUND": result.RESULT_DONE,
    "UNKNOWN": result.RESULT_UNKNOWN,
}
"""Meaning of ``s`` lines; an optimum has no true/false verdict to compare with."""

ERRORS = {2: "bad input", 3: "backend", 70: "refused answer"}  # kinds of errors by exit code
_LINE = re.compile(r"s ([A-Z ]+)")


class Tool(BaseTool2):  # type: ignore[misc]
    """BenchExec tool for uno-csp, which answers questions about the card game UNO."""

    def name(self) -> str:
        """Return the name shown in tables."""
        return "uno-csp"

    def executable(self, tool_locator: BaseTool2.ToolLocator) -> str:
        """Find the command in ``bin`` of the tool directory or on the PATH."""
        found: str = tool_locator.find_executable("uno-csp", subdir="bin")
        return found

    def version(self, executable: str) -> str:
        """Return the version of the package, from the first line of ``uno-csp --version``."""
        version: str = self._version_from_tool(executable, line_prefix="uno-csp ")
        return version

    def cmdline(
        self,
        executable: str,
        options: Sequence[str],
        task: BaseTool2.Task,
        rlimits: BaseTool2.ResourceLimits,
    ) -> list[str]:
        """Return the command for one file; the CPU limit is enforced by BenchExec alone."""
        del rlimits
        file = task.single_input_file
        return [executable, "solve", file, "--format", "competition", *options]

    def determine_result(self, run: BaseTool2.Run) -> str:
        """Return the verdict; an ``s`` line counts even if the run was killed after it."""
        said = [found[1] for line in run.output if (found := _LINE.fullmatch(line.strip()))]
        if len(set(said)) > 1:
            return f"{result.RESULT_ERROR} (contradiction)"
        if said and said[0] in STATUSES and run.exit_code.value not in ERRORS:
            verdict: str = STATUSES[said[0]]
            return verdict
        if run.was_timeout:
            timeout: str = result.RESULT_TIMEOUT
            return timeout
        why = ERRORS.get(run.exit_code.value, "no answer")
        return f"{result.RESULT_ERROR} ({why})"

    def get_value_from_output(self, output: BaseTool2.RunOutput, identifier: str) -> str | None:
        """Return a table column: the ``o`` line, or the last ``c`` line of that name."""
        start = "o " if identifier == "o" else f"c {identifier} "
        found = [line.strip()[len(start) :] for line in output if line.startswith(start)]
        return found[-1] if found else None
