"""Options that must be the same for ``export`` and ``decode``, and where exports are written."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryFile
from typing import TextIO

from uno_csp.cli.choices import option
from uno_csp.cli.output import complete, while_somebody_reads
from uno_csp.errors import NotAccepted
from uno_csp.exports import STDOUT
from uno_csp.formats.files import utf8_output
from uno_csp.methods import EAGER, NATIVE, encoding_names
from uno_csp.modeling import DECOMPOSITIONS
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import NEVER, TimeUp

METHOD = option(
    "--method",
    "The encoding; chosen automatically if left out.",
    value="NAME",
    shell_complete=complete(encoding_names()),
)
CONNECTIVITY = option(
    "--connectivity",
    f"Encoding of global constraints: {EAGER}, {', '.join(DECOMPOSITIONS)}; cpsat: {NATIVE}.",
    value="NAME",
    shell_complete=complete((EAGER, *DECOMPOSITIONS, NATIVE)),
)
BOUND = option(
    "--bound",
    "Make fill-in or longest a decision: is this value, or a better one, possible?",
    int,
    value="N",
)


@contextmanager
def whole_output(timed: Timed, output: str = STDOUT) -> Iterator[str | TextIO]:
    """Yield where an export is written within a limit; standard output gets all or nothing."""
    with while_somebody_reads(), ExitStack() as held:
        target: str | TextIO = output
        if output == STDOUT and timed.deadline != NEVER:
            target = held.enter_context(TemporaryFile("w+", encoding="utf-8", newline=""))
        try:
            with timed.during("writing", interrupted=True):
                yield target
        except TimeUp as error:
            raise NotAccepted(f"nothing was written: {error}") from None
        if not isinstance(target, str):
            target.seek(0)
            with utf8_output() as stream:
                shutil.copyfileobj(target, stream)
