"""The live line on a terminal that shows the progress of a run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from uno_csp.pipeline import Progress
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.questions.wording import counted


@contextmanager
def live_line() -> Iterator[ProgressListener | None]:
    """Yield a listener that updates a live line on standard error; None without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as ProgressLine
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    line = ProgressLine(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task("solving")

    def on_progress(progress: Progress) -> None:
        line.update(task, description=described(progress))

    with line:
        yield on_progress


def described(progress: Progress) -> str:
    """Return what the line says of the progress."""
    if progress.proof is not None:
        cases, conflicts = progress.proof
        return f"proving: {counted(cases, 'case')}, {counted(conflicts, 'conflict')}"
    parts = [f"round {progress.rounds}, {progress.cuts} cuts"] if progress.rounds else []
    if progress.objective is not None:
        parts.append(f"found {progress.objective}")
    if progress.bound is not None:
        parts.append(f"proved {progress.bound}")
    return ", ".join(parts) or "solving"
