"""Questions that fall into pieces: each piece is answered, and the answers are joined."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event

from uno_csp.hub_graph.chains import chained
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.progress import Progress, ProgressListener
from uno_csp.portfolio import is_answered_at_once
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import FillIn, Instance, Longest
from uno_csp.questions.answers import Answer, Status, Witness
from uno_csp.questions.cards import hub_count
from uno_csp.reductions import known_bound
from uno_csp.reductions.splitting import Split, split

STEP_NAME = "pieces one by one"  # name of the splitting in answers
Run = Callable[[Instance, Deadline, ProgressListener | None], Answer]
"""Answers the question about a piece up to a deadline."""


def worth_splitting(instance: Instance) -> Split | None:
    """Return the pieces of a hand, if some, and no method takes them in one pass."""
    k, dimension = instance.at_least, instance.dimension
    in_one_pass = 2 * k <= dimension and hub_count(dimension, k) <= 2
    return None if in_one_pass or is_answered_at_once(instance) else split(instance)


def answer_pieces(
    found: Split,
    run: Run,
    deadline: Deadline,
    on_progress: ProgressListener | None,
    stop: Event | None,
) -> Answer:
    """Answer the question about each piece, and join the answers.

    Each piece has a share of the time that is left, by its number of cards. Pieces of ``fill-in``
    come in the order of their sizes; those of ``longest``, the largest first, are left out once
    they have too few cards.
    """
    pieces, longest = found.pieces, isinstance(found.instance, Longest)
    order = sorted(range(len(pieces)), key=lambda place: pieces[place].size, reverse=longest)
    answers = [Answer(each.question, Status.UNKNOWN, bound=known_bound(each)) for each in pieces]
    best = 0
    for number, place in enumerate(order):
        stopped = deadline.expired or (stop is not None and stop.is_set())
        if stopped or (longest and pieces[place].size <= best):
            break
        part = pieces[place].size / sum(pieces[other].size for other in order[number:])
        share = NEVER if deadline == NEVER else Deadline.after(part * deadline.left_s)
        listener = on_progress and _listener(on_progress, found, answers, place)
        answers[place] = run(pieces[place], share, listener)
        best = max(best, answers[place].objective or 0)
    return _join(found, answers, order[0 if longest else -1])


def _join(found: Split, answers: Sequence[Answer], largest: int) -> Answer:
    """Return the answer of the whole hand, with the method and statistics of its largest piece."""
    bound = found.value([_bound(each) for each in answers])
    pairs = zip(found.pieces, answers, strict=True)
    witness = found.joined([_show(piece, answer) for piece, answer in pairs])
    optimal = witness.objective == bound
    reasons = (each.reason for each in answers if each.status is Status.UNKNOWN and each.reason)
    stats = {**answers[largest].stats, "pieces": len(answers)}
    return replace(
        answers[largest],
        status=Status.OPTIMAL if optimal else Status.UNKNOWN,
        witness=witness,
        bound=bound,
        reason="" if optimal else next(reasons, STOPPED),
        stats={**stats, "reductions": [STEP_NAME, *stats.get("reductions", ())]},
    )


def _listener(
    on_progress: ProgressListener, found: Split, answers: Sequence[Answer], place: int
) -> ProgressListener:
    """Return a listener that reports the progress with a piece as progress with the whole hand."""

    def listen(progress: Progress) -> None:
        bounds = [_bound(each) for each in answers]
        bounds[place] = bounds[place] if progress.bound is None else progress.bound
        on_progress(replace(progress, objective=None, bound=found.value(bounds)))

    return listen


def _bound(answer: Answer) -> int:
    return answer.bound or 0


def _show(piece: FillIn | Longest, answer: Answer) -> Witness:
    """Return the witness of a piece; if none was found, a simple one."""
    if answer.witness.sequence is not None:
        return answer.witness
    if isinstance(piece, Longest):
        return Witness((), objective=0)
    found = chained([[card] for card in piece.cards], piece.at_least, piece.after)
    return Witness((), added=(), objective=0) if found is None else found
