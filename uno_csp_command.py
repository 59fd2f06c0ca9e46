"""The program ``uno-csp``, from its first line on.

Loading the package takes a moment, in which Ctrl-C must be as quiet as later; so this module
loads nothing by itself.
"""

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    try:
        from uno_csp.cli import main as run
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os._exit(INTERRUPTED)  # nothing has been begun, and nothing is to be tidied up
    run()
