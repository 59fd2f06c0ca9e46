"""Handlers of requests to solve: accepting a question, and solving it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from threading import Event
from typing import Annotated, Any

from pydantic import BaseModel, Field

from uno_csp.certificates import certify, pack
from uno_csp.checker import check
from uno_csp.errors import BackendUnavailable, InstanceError, UnknownName, UnoCspError
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.methods import require_listed
from uno_csp.pipeline import Options, Progress, solve
from uno_csp.pipeline.planning import make_plan
from uno_csp.processes.channel import Channel
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.pausing import pause
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.wording import shown
from uno_csp.service.handlers.canonical import Canonical, canonical
from uno_csp.service.handlers.declaring import BATCH, Work, handler
from uno_csp.service.messages import (
    AnswerJson,
    Body,
    ProblemBody,
    Question,
    Seed,
    Text,
    UnreadQuestion,
)
from uno_csp.service.problems import problem_of
from uno_csp.service.reading import Task, question_of, read
from uno_csp.service.settings import LONGEST_WALL_S

REQUEST, SENT = "request", "sent"
"""Keys of what is reported of a request: what a job needs, and a text that is equal for requests
that are, whatever the server's default time limit."""

ANSWER, REUSABLE, CACHED = "answer", "reusable", "cached"
"""Keys of the result of a job: its answer, the answer in canonical names if it is to be kept for
the same question in other names, and whether it came from the cache."""

_HAND = {"question": "uno-1", "cards": ["R5", "R7", "B7"]}
_OFFERS = {"supply": ["R7", "B5", "G1"], "costs": [2, 1, 1]}
_TWO_HANDS = {"hands": [["R5", "R7"], ["B7"]]}
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "Can the whole hand be discarded?": {"instance": _HAND},
    "How many cards can be discarded at most, within ten seconds?": {
        "instance": {"question": "longest", "cards": ["R5", "R7", "B2"]},
        "time_limit_s": 10,
    },
    "Which cards are missing, if some may be bought?": {
        "instance": {"question": "fill-in", "cards": ["R5", "B7"], **_OFFERS}
    },
    "Can all players together empty player 1's hand?": {
        "instance": {"question": "cooperative", **_TWO_HANDS}
    },
    "Who wins against everybody?": {"instance": {"question": "uncooperative", **_TWO_HANDS}},
    "Who wins the real game with open cards?": {
        "instance": {"question": "open-game", **_TWO_HANDS, "after": "R1"}
    },
    "Cards with three attributes, and a certificate if the answer is no": {
        "instance": {"question": "uno-1", "cards": [[1, "a", "x"], [2, "b", "y"]]},
        "proof": True,
    },
}
"""Requests to solve, by a summary of each."""

MOST_QUESTIONS = 10_000  # of a list
LIST_S = 540.0  # time for all questions of a list, less than its lane gives


class _Solving(Body):
    method: Text | None = None
    backend: Text | None = None
    connectivity: Text | None = None
    seed: Seed = 0
    presolve: bool = True


class SolveRequest(_Solving):
    """A question, in the form of question files, and the solver options."""

    instance: Question
    time_limit_s: Annotated[float, Field(gt=0, le=LONGEST_WALL_S)] | None = None
    memory_limit_mb: Annotated[float, Field(gt=0)] | None = None
    proof: bool = False


class SolveManyRequest(_Solving):
    """Up to 10,000 questions, and the solver options of each; ``time_limit_s`` is for each, too.

    All together take up to nine minutes; questions for which no time is left are UNKNOWN.
    """

    instances: Annotated[list[UnreadQuestion], Field(max_length=MOST_QUESTIONS)]
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 5.0


class AnswersBody(BaseModel):
    """For each question its answer, or the problem with it, in order."""

    answers: list[AnswerJson | ProblemBody]


def accept(task: Task, channel: Channel) -> dict[str, Any]:
    """Read a request to solve: report what the job needs of it, and return its canonical hash.

    The report comes first because finding the hash may take too long. The parent is asked for the
    cached answer of that hash; it is returned, too, in the names of the question.
    """
    request = read(SolveRequest, task["body"], task["cards"])
    instance = request.instance
    limit_s = request.time_limit_s or task["wall_s"]
    require_listed(request.backend, task["backends"])
    named = request.model_dump(exclude={"instance", "proof"}, exclude_none=True)
    options = Options.of({**named, "time_limit_s": limit_s})
    make_plan(instance, options)
    asked = {"instance": question_to_dict(instance, draw_fours=True)}
    sent = json.dumps({**asked, **request.model_dump(exclude={"instance"})}, sort_keys=True)
    wanted = {**asked, "options": options.to_dict(), "proof": request.proof}
    channel.report({REQUEST: wanted, SENT: sent})
    form = canonical(instance) if options.leave_the_choice and not request.proof else None
    if form is None:
        return {"hash": None, ANSWER: None}
    kept = channel.ask(form.hash)
    answer = None if kept is None else _recall(instance, form, kept)
    return {"hash": form.hash, ANSWER: answer}


def _recall(instance: Instance, form: Canonical, kept: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a cached answer in the names of a question if it is whole and right, else None."""
    try:
        answer = form.from_canonical(kept)
        claim = parse_answer_object(answer)
        violations = check(instance, claim)
    except (UnoCspError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return None if violations else {**answer, "meaning": instance.meaning(claim)}


def solve_job(task: Task, channel: Channel) -> dict[str, Any]:
    """Solve a question, or recall its answer; return it, and for the cache in canonical names."""
    instance = parse(task["instance"])
    form_of = cache(partial(_known_form, instance, task["hash"]))
    if task.get("kept") and (form := form_of()):
        recalled = _recall(instance, form, task["kept"])
        if recalled is not None:
            return {ANSWER: recalled, REUSABLE: None, CACHED: True}
    options = Options.of(task["options"])
    require_listed(options.backend, task["backends"])  # other servers may share the queue
    deadline = Deadline.after(options.time_limit_s or 0.0)
    stop = Event()
    channel.on_interrupt(stop.set)
    try:
        found = solve(instance, options, on_progress=partial(_report, channel), stop=stop)
    finally:
        channel.on_interrupt(None)
    answer = found.to_dict()
    if task["proof"]:
        channel.report({ANSWER: answer})  # it stands even if the proof is not finished
        certified = _certify(instance, found, deadline.left_s, task["proof"])
        return {ANSWER: certified, REUSABLE: None}
    # Answers by reductions are found again in no time, and their reasons name cards.
    worth_keeping = answer["status"] != "UNKNOWN" and answer["method"] is not None
    form = form_of() if worth_keeping else None
    return {ANSWER: answer, REUSABLE: form.to_canonical(answer) if form else None}


def _known_form(instance: Instance, known: str | None) -> Canonical | None:
    """Return the canonical form of a question if it has this hash; its limits stand still."""
    if known is None:
        return None
    with pause("looking for the canonical form"):
        form = canonical(instance)
    return form if form is not None and form.hash == known else None


@handler(
    AnswersBody,
    BATCH,
    {"Two questions": {"instances": [_HAND, {"question": "fill-in", "cards": ["R5", "B7"]}]}},
    path="solve-many",
)
def solve_many(request: SolveManyRequest, work: Work) -> Iterator[dict[str, Any]]:
    """Answer many questions, each on its own; best for small ones.

    The reply has for each question its answer, or the problem with it, in order and as soon as it
    is known.
    """
    require_listed(request.backend, work.task["backends"])
    named = request.model_dump(exclude={"instances"}, exclude_none=True)
    options = Options.of(named)
    questions: list[Instance | UnoCspError] = []
    left = work.cards
    for number, asked in enumerate(request.instances):
        try:
            questions.append(question := _question_in_list(number, asked, left))
        except UnoCspError as error:
            questions.append(error)
        else:
            left -= question.size
    deadline = Deadline.after(LIST_S)
    for each in questions:
        yield _answer_in_list(each, options, deadline)


def _question_in_list(number: int, asked: Any, most: int) -> Instance:
    if isinstance(asked, dict):
        return question_of(asked, most)
    raise InstanceError(f"instances[{number}]: {shown(asked)} is not allowed; expected an object")


def _answer_in_list(
    question: Instance | UnoCspError, options: Options, deadline: Deadline
) -> dict[str, Any]:
    """Return the answer to a question of a list, or the problem with it."""
    if isinstance(question, UnoCspError):
        return problem_of(question)
    if deadline.expired:
        late = f"the time for all questions, {LIST_S:g} s, was over"
        return Answer(question.question, Status.UNKNOWN, reason=late).to_dict()
    limit_s = min(options.time_limit_s or LIST_S, deadline.left_s)
    try:
        answer = solve(question, replace(options, time_limit_s=limit_s))
        if limit_s != options.time_limit_s:
            spent, all_s = f"time limit of {limit_s:g} s", f"time limit of {LIST_S:g} s"
            reason = answer.reason.replace(spent, f"{all_s} for all questions")
            answer = replace(answer, reason=reason)
        return answer.to_dict()
    except (UnknownName, BackendUnavailable):
        raise
    except UnoCspError as error:
        return problem_of(error)


def _certify(
    instance: Instance, answer: Answer, left_s: float, wanted: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the answer with a description of its certificate; pack the certificate if any."""
    with scratch_folder() as folder:
        certified = certify(instance, answer, folder / "certificate", time_limit_s=left_s)
        summary = {key: v for key, v in (certified.certificate or {}).items() if key != "path"}
        size = summary.get("bytes", 0)
        if size > wanted["most_bytes"]:
            limit = f"its certificate has {size} bytes; at most {wanted['most_bytes']} are kept"
            summary = {"certified": False, "summary": limit}
        elif "kind" in summary:
            pack(folder / "certificate", Path(wanted["path"]))
    return replace(certified, certificate=summary).to_dict()


def _report(channel: Channel, progress: Progress) -> None:
    state = {**asdict(progress), "elapsed_s": round(progress.elapsed_s, 3)}
    del state["proof"]
    channel.report(state)
