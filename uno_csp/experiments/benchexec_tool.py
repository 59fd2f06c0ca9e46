"""The tool-info module of uno-csp for BenchExec: how it is called, and what it says.

A run is one file with one question, and its answer the ``s`` line of ``--format competition``. A
benchmark definition names this module, ``tool="uno_csp.experiments.benchexec_tool"``, and BenchExec
and this package are in one environment. Nothing else here needs BenchExec.
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
"""What an ``s`` line means; a task that is an optimum has no verdict to be compared with."""

ERRORS = {2: "bad input", 3: "backend", 70: "refused answer"}
"""What went wrong, by the exit code."""

_LINE = re.compile(r"s ([A-Z ]+)")


class Tool(BaseTool2):  # type: ignore[misc]
    """uno-csp, which answers questions about the card game UNO."""

    def name(self) -> str:
        """The name in tables."""
        return "uno-csp"

    def executable(self, tool_locator: BaseTool2.ToolLocator) -> str:
        """The command, beside the tool or on the PATH."""
        found: str = tool_locator.find_executable("uno-csp", subdir="bin")
        return found

    def version(self, executable: str) -> str:
        """The version of the package, the first of those it tells."""
        told: str = self._version_from_tool(executable, line_prefix="uno-csp ")
        return told

    def cmdline(
        self,
        executable: str,
        options: Sequence[str],
        task: BaseTool2.Task,
        rlimits: BaseTool2.ResourceLimits,
    ) -> list[str]:
        """Solve one file; a limit of CPU time is left to BenchExec, which has to see it reached."""
        del rlimits
        file = task.single_input_file
        return [executable, "solve", file, "--format", "competition", *options]

    def determine_result(self, run: BaseTool2.Run) -> str:
        """The verdict; an ``s`` line counts even if the run was ended after it.

        Exit codes above 128 are signals that a shell passed on.
        """
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
        """A column of a table: ``o`` is the objective, else the value of that ``c`` line.

        The ``c`` lines are ``method``, ``bound``, ``wall_s`` and others; the last one counts.
        """
        start = "o " if identifier == "o" else f"c {identifier} "
        found = [line.strip()[len(start) :] for line in output if line.startswith(start)]
        return found[-1] if found else None
