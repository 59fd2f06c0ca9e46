"""Cooperative play by simulated annealing of an order of all cards; compiled.

The order needs no play to begin with: cards that do not match, and players who are skipped too
early, are counted, and random moves of stretches of cards lower that count. Where greedy games get
stuck because a player has few choices, the order as a whole is repaired in one place after another.
(Kirkpatrick, Gelatt and Vecchi 1983; the moves are 2-opt and or-3opt of the travelling salesman.)
"""

from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.open_game.compiling import machine_code
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.pausing import paused_s
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Play, Status, Witness
from uno_csp.questions.wording import counted

MOST_CARDS = 4_000  # largest number of cards: which of them match is a table of all pairs

MOVES_PER_PAIR = 16
"""Moves of annealing in the first run, for each pair of cards; doubled after every second run."""

RUNS = 10  # maximum number of runs
HOT, COLD, LEVELS = 0.55, 0.42, 64  # temperatures at the start and at the end, and their number
MENDING = 4 * LEVELS  # moves of mending, in moves at a temperature


class Annealing(Algorithm[Cooperative]):
    """Simulated annealing; proves only a yes."""

    name = "annealing"
    takes = (Cooperative,)
    proves = Proof.YES_ONLY
    gives_up = True
    loads_slowly = True

    def load(self) -> None:
        """Load the machine code, if there is any; else the first run has it made."""
        from uno_csp.algorithms._annealed_plays import ANNEALING

        if ANNEALING.is_kept():
            ANNEALING.prepare()

    def declines(self, instance: Cooperative) -> str | None:
        """Return a reason if there are too many cards."""
        return f"it takes up to {MOST_CARDS} cards" if instance.size > MOST_CARDS else None

    def run_until(self, instance: Cooperative, deadline: Deadline) -> Finding:
        """Return the plays of an order without cost, or UNKNOWN."""
        from uno_csp.algorithms._annealed_plays import ANNEALING

        paused_before_s = paused_s()
        why = ANNEALING.why_not()
        if why:
            return Finding(Status.UNKNOWN, reason=why)
        deadline = deadline.shifted(paused_s() - paused_before_s)
        run = 0
        while run < RUNS and not deadline.expired:
            plays = _anneal_once(instance, run, deadline)
            run += 1
            if plays:
                witness = Witness(plays=tuple(Play(q + 1, instance.cards[i]) for q, i in plays))
                return Finding(Status.SATISFIABLE, witness, stats={"runs": run})
        reason = f"none of {counted(run, 'run')} found a play"
        return Finding(Status.UNKNOWN, reason=reason, stats={"runs": run})


def _anneal_once(
    instance: Cooperative, run: int, deadline: Deadline
) -> list[tuple[int, int]] | None:
    """Return the players and cards of a play that a run finds, counted from 0; None if none."""
    from uno_csp.algorithms._annealed_plays import LAST, ROUND, anneal, arrange, begin

    deal, order = arrange(instance, run)
    machine_code(begin)(deal, order, run)
    moves = (MOVES_PER_PAIR << run // 2) * len(order.cards) ** 2 // LEVELS
    temperatures = [HOT * (COLD / HOT) ** (level / LEVELS) for level in range(LEVELS)]
    part = moves // ROUND * ROUND + ROUND
    for temperature in (*temperatures, *[0.0] * (MENDING * moves // part + 1)):
        if machine_code(anneal)(deal, order, moves if temperature else part, temperature):
            played = order.cards[1 : order.numbers[LAST] + 1].tolist()
            return [(deal.owner[card].item(), card - 1) for card in played]
        if deadline.expired:
            break
    return None


ALGORITHM = Annealing()
