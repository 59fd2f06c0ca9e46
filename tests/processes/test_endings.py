"""The words for the end of a process."""

import resource
import signal

import pytest

from uno_csp.processes.endings import ending


@pytest.mark.parametrize(
    ("code", "limits", "said"),
    [
        (None, (-1, -1), "was lost"),
        (0, (-1, -1), "exited with code 0"),
        (-signal.SIGABRT, (4, 4), "was ended by SIGABRT (Aborted)"),
        (-signal.SIGXCPU, (4, 9), "was ended by SIGXCPU (the CPU limit of 4 s)"),
        (-signal.SIGXCPU, (-1, -1), "was ended by SIGXCPU (the CPU limit)"),
        (-signal.SIGKILL, (-1, -1), "was ended by SIGKILL (for lack of memory, or by somebody)"),
        (
            -signal.SIGKILL,
            (4, 9),
            "was ended by SIGKILL (for lack of memory, at the CPU limit of 9 s, or by somebody)",
        ),
        (-signal.SIGRTMIN - 3, (-1, -1), f"was ended by signal {signal.SIGRTMIN + 3} (Real-time"),
    ],
)
def test_an_ending_says_what_is_known(
    code: int | None, limits: tuple[int, int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    assert ending(code).startswith(said)
