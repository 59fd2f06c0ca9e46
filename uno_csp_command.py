"""The program ``uno-csp``, from its first line on.

Loading the package takes a moment, in which Ctrl-C must be as quiet as later; so this module
loads nothing by itself.
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
    try:
        from uno_csp.cli import main as run
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os._exit(INTERRUPTED)  # nothing has been begun, and nothing is to be tidied up
    run()


def _tell(message: Warning | str, *_where: object, **_more: object) -> None:
    """A warning in one line, without the place in the code."""
    with suppress(OSError, AttributeError):  # nobody may be there to be told
        sys.stderr.write(f"uno-csp: warning: {' '.join(str(message).split())}\n")
