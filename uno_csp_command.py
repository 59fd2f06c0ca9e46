"""Entry point of the program ``uno-csp``.

Importing the package takes a moment, and Ctrl-C must be handled quietly from the start. So this
module itself imports only the standard library.
"""

import os
import signal
import sys
import warnings
from contextlib import suppress

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _tell
    # No matrix here is large, and where the system gives no thread, OpenBLAS ends the process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from uno_csp.cli import main as run
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os._exit(INTERRUPTED)  # nothing has started, so there is nothing to clean up
    run()


def _tell(message: Warning | str, *_where: object, **_more: object) -> None:
    """Print a warning as one line, without its location in the code."""
    with suppress(OSError, AttributeError):  # standard error may be closed
        sys.stderr.write(f"uno-csp: warning: {' '.join(str(message).split())}\n")
