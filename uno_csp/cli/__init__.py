"""The command line: ``uno-csp new | solve | check | explain | generate | list ...``.

Exit codes of ``solve``: 10 yes, 20 no, 30 optimum, 0 unknown; 2 bad usage or input, or output that
cannot be written, 3 a backend is missing or failed, 70 the checker rejected an answer. Those of
``check``: 0 valid, 1 not valid, 2 unreadable. Of all: 130 after Ctrl-C, 141 if the pipe was closed.
"""

import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click
from click.exceptions import NoSuchCommand
from click.shell_completion import CompletionItem

from uno_csp.cli.choices import option
from uno_csp.cli.output import (
    INTERRUPTED,
    PIPE_CLOSED,
    complain,
    discard_output,
    keep_report,
    prepare_streams,
    print_text,
)
from uno_csp.errors import BackendError, CheckFailed, UnoCspError, lacks_resources
from uno_csp.processes.deadline import AGAIN_S
from uno_csp.processes.forking import adopt_fork_server
from uno_csp.processes.pool import end_processes, start_ahead
from uno_csp.processes.signals import handled, told_if_lost

CANNOT_WRITE = 2
TERMINATING = (signal.SIGTERM, signal.SIGHUP)

SOLVER = "uno_csp.pipeline.solver_worker", "cadical195"
"""The module of workers, and the backend, that most questions need."""

_HELP = ("-h", "--help")

_SOLVER_PACKAGES = ("python-sat", "ortools", "pulp", "highspy")

COMMANDS: Mapping[str, str] = {
    "advise": "Recommend a card when the other hands are hidden.",
    "bench": "Run suites of experiments and report on them.",
    "benchmarks": "Make or list the benchmark files for other solvers.",
    "check": "Check an answer against its question.",
    "completion": "Print the completion script for a shell.",
    "count": "Count the ways to play a whole hand.",
    "decode": "Turn a solver's output into a checked answer.",
    "describe": "Print the documentation of a method, backend or family.",
    "enumerate": "List the plays of a hand, or all optimal answers.",
    "examples": "Write the files that the documentation works with.",
    "explain": "Explain an answer in plain words.",
    "export": "Write a question for other solvers: CNF, LP and more.",
    "generate": "Make an instance of a family of questions.",
    "hamilton": "Hamiltonian cycles and paths, path covers, longest paths.",
    "jobs": "Back up or restore the jobs of a server.",
    "list": "List encodings, backends, families, questions or formats.",
    "new": "Write a question as JSON, or deal a real game.",
    "puzzle": "Make hands with exactly one play.",
    "review": "Say what each turn of a game gave away.",
    "sample": "Draw plays of a hand at random, all equally likely.",
    "serve": "Answer questions over HTTP, with a web page.",
    "solve": "Answer a question, from a file or typed: solve R5 R7 B7.",
    "verify": "Check a certificate, a folder or a zip file.",
}
"""The commands with their short helps; ``NAME`` is ``NAME_command`` in ``uno_csp.cli.NAME``."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its code; an error is printed as one line on standard error."""
    prepare_streams()
    try:
        with ExitStack() as until_exit:
            lost = partial(_terminate_again, until_exit)
            until_exit.enter_context(told_if_lost(_Terminated, lost))
            for number in TERMINATING:
                if signal.getsignal(number) is not signal.SIG_IGN:  # as that of a hangup, by nohup
                    until_exit.enter_context(handled(number, _terminate))
            code = _run_or_end(arguments)
    except _Terminated as ended:  # while the handlers are set or given back
        _end_by(ended.number)
    sys.exit(code)


def _run_or_end(arguments: Sequence[str] | None) -> int:
    """Run a command and return its code; after a signal, a second one is ignored until the end.

    A function of its own: no handler of its caller covers the beginning of a ``try`` in a block.
    """
    try:
        return _run(arguments)
    except _Terminated as ended:
        _end_by(ended.number)


def _end_by(number: int) -> NoReturn:
    """End the workers, and then this process by a signal."""
    end_processes()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
    sys.exit(128 + number)  # the signal is blocked


class _Terminated(BaseException):
    """Raised on SIGTERM and SIGHUP, so that workers are ended before the process."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _terminate(number: int, _frame: FrameType | None) -> None:
    if signal.getsignal(signal.SIGTERM) not in (_terminate, signal.SIG_IGN):
        signal.raise_signal(signal.SIGTERM)  # a server handles it itself
        return
    for each in TERMINATING:
        signal.signal(each, signal.SIG_IGN)  # a second one is ignored during the cleanup
    raise _Terminated(number)


def _terminate_again(until_exit: ExitStack, lost: _Terminated) -> None:
    """Send a signal again, after the finalizer into which it fell."""
    signal.signal(lost.number, _terminate)
    timer = threading.Timer(AGAIN_S, os.kill, (os.getpid(), lost.number))
    until_exit.callback(timer.cancel)
    timer.start()


def _run(arguments: Sequence[str] | None) -> int:
    stdout = sys.stdout
    try:
        asks = arguments is None and sys.argv[1:2] in (["solve"], ["hamilton"])
        if asks and not {*_HELP} & {*sys.argv}:
            _start_solver_ahead()
        code = cli.main(
            None if arguments is None else [*arguments], "uno-csp", standalone_mode=False
        )
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except SystemExit as left:  # click wraps the streams if the help meets a closed pipe
        return _code(left.code) if sys.stdout is stdout else PIPE_CLOSED
    except click.ClickException as error:
        complain(error.format_message())
        return error.exit_code
    except CheckFailed as error:
        complain(f"{error}; please report it with {keep_report(error)}")
        return error.exit_code
    except UnoCspError as error:
        complain(str(error))
        return error.exit_code
    except (OSError, RuntimeError, MemoryError, ImportError) as error:
        return _tell_refusal(error)
    return _code(code)


def _tell_refusal(error: Exception) -> int:
    """Tell that the system refused something, and return the exit code; raise any other error."""
    lines = (getattr(error, "strerror", None) or str(error) or "out of memory").split("\n")
    reason = next(line for line in reversed(lines) if line.strip()).lower()
    if lacks_resources(error):
        complain(f"the system gives no more processes, threads or memory: {reason}")
        return BackendError.exit_code
    if not isinstance(error, OSError):
        raise error
    discard_output()  # for example a help text on a full disk
    complain(f"{error.filename or 'output'}: {reason}")
    return CANNOT_WRITE


def _start_solver_ahead() -> None:
    """Fork the worker for the question; most modules that it needs are needed here as well."""
    import_module(SOLVER[0])
    adopt_fork_server(SOLVER[:1])
    start_ahead(*SOLVER)


def _code(returned: object) -> int:
    return returned if isinstance(returned, int) else 0


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib.metadata import version

        lines = [f"{package} {version(package)}" for package in ("uno-csp", *_SOLVER_PACKAGES)]
        print_text("\n".join(lines))
        context.exit(0)


class _Commands(click.Group):
    """Group that imports a command on first use: importing all takes longer than many commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of all commands."""
        return [*COMMANDS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of a command's name or an option, without importing commands."""
        found = [
            CompletionItem(name, help=text)
            for name, text in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"uno_csp.cli.{cmd_name}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        found.short_help = COMMANDS[cmd_name]
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; for an unknown name suggest the nearest ones."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise NoSuchCommand(args[0], possibilities=[*COMMANDS], ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": [*_HELP], "show_default": True},
)
@option(
    "--version",
    "Show the versions of this program and of the solver packages, and exit.",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
)
@click.pass_context
def cli(context: click.Context) -> None:
    """The card game UNO as a combinatorial problem: ask, solve, check.

    Try: uno-csp solve R5 R7 B7. A question is a JSON file or a text file with cards; '-' is
    standard input.
    """
    if context.invoked_subcommand is None:
        print_text(context.get_help())


if __name__ == "__main__":
    main()
