"""Make certificates: write the cheapest kind that works and verify it at once."""

from collections.abc import Mapping
from dataclasses import replace
from math import comb
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat

from uno_csp.certificates.drafts import Draft, certify_draft, draft_of, to_json
from uno_csp.certificates.duels import duel
from uno_csp.certificates.folders import require_free
from uno_csp.certificates.graphs import of_graph_hand
from uno_csp.certificates.groups import describe_groups, find_groups
from uno_csp.certificates.open_games import certify_game
from uno_csp.certificates.parts import EffortListener, ProofOptions, impossible, in_parts, unheard
from uno_csp.certificates.refutation import SOLVER, HasSolution, Unproved
from uno_csp.checker import check
from uno_csp.errors import CheckFailed
from uno_csp.formats import question_to_dict
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Instance, OpenGame, Uncooperative, require_question
from uno_csp.questions.answers import Answer, Status, require_answer
from uno_csp.questions.arguments import limit_of, plain_value, require_function, require_kind
from uno_csp.verifier.cards import KINDS, Better, Question, better, far
from uno_csp.verifier.reading import Refused

if TYPE_CHECKING:
    import numpy as np

MOST_ENDS = 400_000  # maximum number of card-hub pairs for which a proof is searched


def certify(
    instance: Instance,
    answer: Answer,
    folder: str | PathLike[str],
    *,
    time_limit_s: SupportsFloat | None = None,
    strict: "bool | np.bool_" = False,
    bounds: "bool | np.bool_" = True,
    on_effort: EffortListener = unheard,
) -> Answer:
    r"""Write a certificate of an answer and return the answer with ``certificate`` filled in.

    A YES is proved by its witness and needs none, except that of a real game. If no certificate
    could be made, ``certificate`` gives the reason; the answer itself does not change.

    Parameters
    ----------
    instance, answer
        The question and its answer, as from :func:`uno_csp.solve`.
    folder
        Target folder: new, empty, or with an older certificate. A new certificate replaces it, and
        an answer without one leaves it alone.
    time_limit_s
        Time limit of the proof search in seconds.
    strict
        Encode connectedness in the formula instead of adding cuts, so that the cuts need not be
        trusted. Such a formula is much larger, so this works for small hands only.
    bounds
        Allow proofs by sums of inequalities, which need no external checker. If False, the proof
        is always a formula with a DRAT proof, for any DRAT checker.
    on_effort
        Called with the :class:`~uno_csp.certificates.Effort` so far, as the search for a proof of a
        hand goes on.

    Raises
    ------
    NotAccepted
        If the folder holds other files, or the path is not a folder.
    CheckFailed
        If the answer is wrong, since the formula has a solution or the checker refuses the witness;
        or if the certificate is refused. With an answer of this package, that is a bug.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from uno_csp import parse, solve
    >>> hand = parse("red,5\nblue,7")
    >>> with TemporaryDirectory() as folder:
    ...     print(certify(hand, solve(hand), folder).certificate["summary"])
    proved: the cards fall into 2 groups
    """
    require_question(instance)
    require_answer(answer)
    require_kind("folder", folder, str | PathLike)
    require_free(folder)
    encoded, summed = plain_value(strict), plain_value(bounds)
    require_kind("strict", encoded, bool)
    require_kind("bounds", summed, bool)
    require_function("on_effort", on_effort)
    limit = None if time_limit_s is None else limit_of("time_limit_s", time_limit_s)
    options = ProofOptions(Deadline.after(limit), encoded, summed, on_effort=on_effort)
    found = uncertified(instance, answer)
    if found is not None and found["certified"]:
        _require_right(instance, answer)
    found = found or _certificate(instance, answer, Path(folder), options)
    return replace(answer, certificate=found)


def _require_right(instance: Instance, answer: Answer) -> None:
    """Raise CheckFailed if the checker refuses an answer, which may be one that is made up."""
    violations = check(instance, answer)
    if violations:
        report = {"instance": question_to_dict(instance), "answer": answer.to_dict()}
        raise CheckFailed(f"the answer is wrong: {violations[0]}", report)


def uncertified(instance: Instance, answer: Answer) -> dict[str, Any] | None:
    """Return what there is to say of an answer that gets no certificate; None if it may get one."""
    if answer.status is Status.UNKNOWN:
        return {"certified": False, "summary": answer.reason}
    if isinstance(instance, OpenGame):
        return None
    if answer.status is Status.SATISFIABLE:
        shown = "the witness shows the answer" if answer.checked else "no witness shows the answer"
        return {"certified": answer.checked, "summary": shown}
    if instance.question not in KINDS:
        return {"certified": False, "summary": f"there are no certificates of {instance.question}"}
    return None


def _certificate(
    instance: Instance, answer: Answer, target: Path, options: ProofOptions
) -> dict[str, Any]:
    """Write the certificate, and return what there is to say of it."""
    if isinstance(instance, OpenGame):
        return certify_game(instance, answer, target, options.deadline)
    question, answered = question_to_dict(instance), answer.to_dict()
    claim = {"status": str(answer.status), "objective": answer.objective, "strict": options.strict}
    made_by = {"method": answer.method, "backend": answer.backend, "proof_by": SOLVER}
    files = {"question.json": to_json(question)}
    if answer.status is Status.OPTIMAL:
        shows: dict[str, Any] = {
            key: answered[key] for key in ("sequence", "added") if key in answered
        }
        files["witness.json"] = to_json(shows)
    return certify_draft(
        target,
        lambda: _make(instance, Question(question), claim, answer, options),
        {**claim, "levels": False, "made_by": made_by},
        files,
        {"instance": question, "answer": answered},
    )


def _make(
    instance: Instance,
    question: Question,
    claim: Mapping[str, Any],
    answer: Answer,
    options: ProofOptions,
) -> Draft:
    """Make the cheapest certificate: nothing to prove, groups, a bound or a refutation."""
    goal = better(question, dict(claim))
    if goal is None:
        return Draft("witness", {}, "nothing can be better than the witness")
    if isinstance(instance, Uncooperative):
        return duel(instance, question, answer, options.deadline)
    if len(question.hands) > 1:
        return _never_together(question, goal, options)
    plain = not question.partly
    found = _in_groups(question, goal)
    if found is not None:
        return found
    drawn = of_graph_hand(question, goal, options)
    if drawn is not None:
        return drawn
    _require_small(question)
    parts = in_parts(question, goal, answer.sequence or (), options) if plain else None
    if parts is None:
        return _impossible(question, goal, options)
    reason = {"removed": [], "groups": parts.groups, "needs": parts.needs}
    return draft_of(parts.shown, {"reason.json": to_json(reason)})


def _in_groups(question: Question, goal: Better) -> Draft | None:
    """Return the certificate of cards that fall into too many groups; None if they do not."""
    if question.partly or question.supply is not None or goal.played is not None:
        return None
    groups = find_groups(question, goal.sequences)
    if groups is None:
        return None
    reason = {"removed": groups[0], "groups": groups[1]}
    words = describe_groups(question, *groups)
    return Draft("groups", {"reason.json": to_json(reason)}, words)


def _never_together(question: Question, goal: Better, options: ProofOptions) -> Draft:
    """Refute cooperative play by its rules step by step, or by groups where that is too large."""
    try:
        _require_small(question)
        return _impossible(question, goal, options)
    except (Refused, Unproved):
        found = _in_groups(question, goal)
        if found is None:
            raise
        return found


def _impossible(question: Question, goal: Better, options: ProofOptions) -> Draft:
    """Refute a better answer as a whole.

    Where joining two cards may take several, too few sequences may be possible at that price.
    """
    try:
        return draft_of([impossible(question, goal, options)], {})
    except HasSolution:
        if not far(question, goal):
            raise
    found = impossible(question, goal, replace(options, levels=True))
    return replace(draft_of([found], {}), claim={"levels": True})


def _require_small(question: Question) -> None:
    """Raise Unproved if the question is too large for a proof search."""
    drawn = [*question.cards, *(card for card, _ in question.offers)]
    ends = sum(comb(len(card), question.at_least) for card in drawn)
    if ends > MOST_ENDS:
        raise Unproved(f"too large to prove: {ends} card-hub pairs, and the limit is {MOST_ENDS}")
