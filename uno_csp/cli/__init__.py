"""The command line: ``uno-csp new | solve | check | explain | generate | list ...``.

Exit codes of ``solve``: 10 yes, 20 no, 30 optimum, 0 unknown; 2 bad usage or input, or output that
cannot be written, 3 a backend is missing or failed, 70 a wrong answer was caught. Of ``check``: 0
valid, 1 not valid, 2 unreadable. 130 after Ctrl-C, 141 when the reader of the output went away.
"""

import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import FrameType
from typing import NoReturn

import click

from uno_csp.cli.advise import advise_command
from uno_csp.cli.bench import bench_command
from uno_csp.cli.benchmarks import benchmarks_command
from uno_csp.cli.check import check_command
from uno_csp.cli.completion import completion_command
from uno_csp.cli.decode import decode_command
from uno_csp.cli.describe import describe_command
from uno_csp.cli.explain import explain_command
from uno_csp.cli.export import export_command
from uno_csp.cli.generate import generate_command
from uno_csp.cli.list import list_command
from uno_csp.cli.new import new_command
from uno_csp.cli.output import (
    PIPE_CLOSED,
    complain,
    discard_output,
    keep_report,
    prepare_streams,
    print_text,
)
from uno_csp.cli.serve import serve_command
from uno_csp.cli.showing import INTERRUPTED
from uno_csp.cli.solve import solve_command
from uno_csp.cli.verify import verify_command
from uno_csp.errors import CheckFailed, UnoCspError
from uno_csp.processes.workers import dismiss
from uno_csp.registry import backend_names, find_backend

CANNOT_WRITE = 2

_SOLVER_PACKAGES = ("python-sat", "ortools", "pulp", "highspy")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code; errors are one line on standard error."""
    prepare_streams()
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _run(arguments)
    except _Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # one is enough
        dismiss()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, previous or signal.SIG_DFL)
    sys.exit(code)


class _Terminated(BaseException):
    """The process was asked to end, and tidies up on its way out."""


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise _Terminated


def _run(arguments: Sequence[str] | None) -> int:
    stdout = sys.stdout
    try:
        code = cli.main(
            None if arguments is None else [*arguments], "uno-csp", standalone_mode=False
        )
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except SystemExit as left:  # click muffles the streams when nobody reads the help any more
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
    except OSError as error:  # say, a help text on a full disk
        discard_output()
        complain(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}")
        return CANNOT_WRITE
    return _code(code)


def _code(returned: object) -> int:
    return returned if isinstance(returned, int) else 0


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        lines = [f"{package} {version(package)}" for package in ("uno-csp", *_SOLVER_PACKAGES)]
        programs = [find_backend(name) for name in backend_names() if ":" in name]
        lines += [f"{each.name} {each.version()}" for each in programs if each.available()]
        print_text("\n".join(lines))
        context.exit(0)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions of this program and of the solvers, and exit.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """The card game UNO as a combinatorial problem: ask, solve, check.

    Try: uno-csp solve R5 R7 B7. A question is a JSON file, or text with cards; '-' is standard
    input.
    """
    if context.invoked_subcommand is None:
        print_text(context.get_help())


for _command in (
    new_command,
    solve_command,
    verify_command,
    check_command,
    explain_command,
    advise_command,
    generate_command,
    export_command,
    decode_command,
    bench_command,
    benchmarks_command,
    serve_command,
    list_command,
    describe_command,
    completion_command,
):
    cli.add_command(_command)


if __name__ == "__main__":
    main()
