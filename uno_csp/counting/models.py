"""Plays as models of a formula, counted by the projected model counter Ganak.

The formula is that of the encoding ``position``, in which copies are played in order, so that its
models differ in a card at a position exactly if the plays do. Ganak prints to standard output and
cannot be interrupted, so it runs in a process of its own: ``python -m uno_csp.counting.models``
reads the formula as JSON from standard input and prints the number last.
"""

import json
import sys

from uno_csp.encodings.position import ENCODER
from uno_csp.errors import BackendError, BackendUnavailable
from uno_csp.modeling.cnf import to_cnf
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.modules import run_module
from uno_csp.questions import Uno1

MOST_CARDS = 12  # maximum number of cards
LIMIT_S = 600.0  # time limit of the model counter in seconds, far more than it needs


def count_models(question: Uno1, deadline: Deadline = NEVER) -> int:
    """Return the number of plays.

    Raises BackendUnavailable without the package pyganak, and TimeUp at the deadline.
    """
    try:
        import pyganak  # noqa: F401
    except ImportError:
        raise BackendUnavailable(
            'pyganak is not installed: pip install "uno-csp[counting]"'
        ) from None
    model = ENCODER.encode(question).model
    if not model.num_vars:
        return 1
    cnf = to_cnf(model)
    formula = {
        "variables": cnf.num_vars,
        "projected": model.num_vars,
        "clauses": list(map(list, cnf.clauses)),
    }
    limit_s = min(LIMIT_S, deadline.left_s)
    try:
        printed = run_module(__name__, formula, limit_s=limit_s, title="ganak")
    except BackendError:
        deadline.check()
        raise
    try:
        return int(printed.split()[-1])
    except (IndexError, ValueError):
        raise BackendError(f"ganak: no number in its output: {printed[-200:]!r}") from None


def _main() -> None:
    import pyganak

    formula = json.load(sys.stdin)
    counter = pyganak.Counter()
    counter.new_vars(formula["variables"])
    counter.set_sampling_set(range(1, formula["projected"] + 1))
    counter.add_clauses(formula["clauses"])
    sys.stdout.write(f"\n{counter.count()}\n")


if __name__ == "__main__":
    _main()
