"""Words for the end of a process, from its exit code."""

import resource
import signal

LIMIT_SIGNALS = (-signal.SIGKILL, -signal.SIGXCPU)
"""Exit codes of processes that the system ends at a limit, of memory or of CPU time."""


def ending(code: int | None) -> str:
    """Return how a process with an exit code ended; None stands for one that was lost.

    >>> ending(3), ending(-signal.SIGSEGV)
    ('exited with code 3', 'was ended by SIGSEGV (Segmentation fault)')
    """
    if code is None:
        return "was lost"
    if code >= 0:
        return f"exited with code {code}"
    name = next((each.name for each in signal.Signals if each == -code), f"signal {-code}")
    return f"was ended by {name} ({_cause(code)})"


def _cause(code: int) -> str:
    """Return the meaning of a signal, and what may have sent it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if code == -signal.SIGXCPU:
        return "the CPU limit" + (f" of {soft} s" if soft != resource.RLIM_INFINITY else "")
    if code != -signal.SIGKILL:
        return signal.strsignal(-code) or "unknown"
    at_limit = f", at the CPU limit of {hard} s" if hard != resource.RLIM_INFINITY else ""
    return f"for lack of memory{at_limit}, or by somebody"
