"""Handlers of requests to solve: accepting a question, and solving it."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from uno_csp.certificates import certify, pack
from uno_csp.checker import check
from uno_csp.errors import BackendUnavailable, UnknownName, UnoCspError
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.methods import require_listed
from uno_csp.pipeline import Options, Progress, solve
from uno_csp.pipeline.planning import make_plan
from uno_csp.processes.channel import Channel
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.stop import Stop
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer, Status
from uno_csp.service.api.bodies import ParseRequest, SolveManyRequest, SolveRequest
from uno_csp.service.jobs.canonical import Canonical, canonical
from uno_csp.service.jobs.tasks import (
    ANSWER,
    REUSABLE,
    Task,
    body_of,
    question_of,
    require_size,
    require_words,
)
from uno_csp.service.problems import Problem, problem_of

LIST_S = 45.0  # time for all questions of a list, less than a short request may take


def accept(task: Task, channel: Channel) -> dict[str, Any]:
    """Read a request to solve: report what the job needs of it, and return its canonical hash.

    The report comes first because finding the hash may take too long. The parent is asked for the
    cached answer of that hash; it is returned, too, in the names of the question.
    """
    request = body_of(SolveRequest, task["body"])
    instance = question_of(request.instance, task["cards"])
    limit_s = request.time_limit_s or task["wall_s"]
    if limit_s > task["longest_wall_s"]:
        longest = f"{task['longest_wall_s']:g}"
        raise Problem(422, f"time_limit_s: {limit_s:g} is not allowed; expected at most {longest}")
    require_listed(request.backend, task["backends"])
    named = request.model_dump(exclude={"instance", "proof"}, exclude_none=True)
    options = Options.of({**named, "time_limit_s": limit_s})
    make_plan(instance, options)
    asked = {"instance": question_to_dict(instance, draw_fours=True)}
    channel.report({**asked, "options": options.to_dict(), "proof": request.proof})
    free = options.method is options.backend is options.connectivity is None
    shared = free and options.presolve and not request.proof
    form = canonical(instance) if shared else None
    if form is None:
        return {"hash": None, ANSWER: None}
    kept = channel.ask(form.hash)
    answer = None if kept is None else _recall(instance, form, kept)
    return {"hash": form.hash, ANSWER: answer}


def parse_text(task: Task, _channel: Channel) -> dict[str, Any]:
    """Parse a question file of any format; return the question as JSON."""
    text = body_of(ParseRequest, task["body"]).text
    require_words(text, task["cards"])
    instance = parse(text)
    require_size(instance, task["cards"])
    return question_to_dict(instance, draw_fours=True)


def recall(task: Task, _channel: Channel) -> dict[str, Any] | None:
    """Return a cached answer in the names of a question, checked again; None if it fails."""
    instance = parse(task["instance"])
    form = canonical(instance)
    if form is None or form.hash != task["hash"]:
        return None
    return _recall(instance, form, task["kept"])


def _recall(instance: Instance, form: Canonical, kept: Mapping[str, Any]) -> dict[str, Any] | None:
    """Translate a cached answer into the names of a question, and check it."""
    answer = form.from_canonical(kept)
    try:
        claim = parse_answer_object(answer)
        violations = check(instance, claim)
    except UnoCspError:
        return None
    return None if violations else {**answer, "meaning": instance.meaning(claim)}


def solve_job(task: Task, channel: Channel) -> dict[str, Any]:
    """Solve a question; return the answer, and in canonical names the answer to be cached."""
    instance = parse(task["instance"])
    options = Options.of(task["options"])
    require_listed(options.backend, task["backends"])  # other servers may share the queue
    deadline = Deadline.after(options.time_limit_s or 0.0)
    with closing(Stop()) as stop:
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
    if task["hash"] is None or not worth_keeping:
        return {ANSWER: answer, REUSABLE: None}
    form = canonical(instance)
    same = form is not None and form.hash == task["hash"]
    return {ANSWER: answer, REUSABLE: form.to_canonical(answer) if form and same else None}


def solve_list(task: Task, _channel: Channel) -> dict[str, Any]:
    """Solve the questions of a list one after another; return their answers and problems."""
    request = body_of(SolveManyRequest, task["body"])
    require_listed(request.backend, task["backends"])
    named = request.model_dump(exclude={"instances"}, exclude_none=True)
    options = Options.of(named)
    left = task["cards"]
    questions: list[Instance | UnoCspError] = []
    for asked in request.instances:
        try:
            question = question_of(asked, left)
        except UnoCspError as error:
            questions.append(error)
        else:
            questions.append(question)
            left -= question.size
    deadline = Deadline.after(LIST_S)
    return {"answers": [_answer_in_list(each, options, deadline) for each in questions]}


def _answer_in_list(
    question: Instance | UnoCspError, options: Options, deadline: Deadline
) -> dict[str, Any]:
    """Return the answer to a question of a list, or the problem with it."""
    if isinstance(question, UnoCspError):
        return problem_of(question)
    if deadline.expired:
        late = f"the time for all questions, {LIST_S:g} s, was over"
        return Answer(question.question, Status.UNKNOWN, reason=late).to_dict()
    if deadline.left_s < (options.time_limit_s or 0.0):
        options = replace(options, time_limit_s=deadline.left_s)
    try:
        return solve(question, options).to_dict()
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
    state = {
        "rounds": progress.rounds,
        "cuts": progress.cuts,
        "elapsed_s": round(progress.elapsed_s, 3),
        "objective": progress.objective,
        "bound": progress.bound,
    }
    channel.report(state)
