"""The program that does the server's work, ``python -m uno_csp.service.worker``, task by task.

It reads requests, solves, checks, exports and generates, tells how far it is, and at the end what
came out: the server's own process looks into no question, so that none can hold it up.
See :mod:`uno_csp.processes.programs`.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from uno_csp.advice import Seat, advise
from uno_csp.algorithms.analysis import analyse
from uno_csp.answers import Answer
from uno_csp.certificates import certify, pack
from uno_csp.checker import check
from uno_csp.errors import InstanceError, UnknownName, UnoCspError
from uno_csp.exports import FORMATS, export
from uno_csp.families import find_family, generate
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.formats.strict_json import loads
from uno_csp.pipeline import Options, Progress, solve
from uno_csp.pipeline.planning import make_plan
from uno_csp.pipeline.race import Stop
from uno_csp.processes.programs import PROGRESS, heed, read_tasks, say, say_ready
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions import Instance, OpenGame
from uno_csp.questions.open_game import official_card, rules_of
from uno_csp.registry import require_listed
from uno_csp.service.bodies import (
    AdviseRequest,
    AnalyseRequest,
    CheckRequest,
    ExportRequest,
    GenerateRequest,
    ParseRequest,
    SolveRequest,
)
from uno_csp.service.canonical import Canonical, canonical
from uno_csp.service.problems import Problem, problem, told

RESULT, ERROR = "result", "error"
"""The keys of what is printed at the end."""

ANSWER, KEPT = "answer", "kept"
"""The keys of what a job comes to."""

ANALYSIS_S = 20.0
"""So long a game is looked at for one analysis: somebody waits for it."""

BodyT = TypeVar("BodyT", bound=BaseModel)
Task = Mapping[str, Any]


def main() -> None:
    """Do what standard input asks for."""
    heed(_end_early)
    for task in read_tasks():
        say_ready()
        say(_done(task))


def _done(task: Task) -> dict[str, Any]:
    try:
        return {RESULT: DOINGS[task["do"]](task)}
    except Problem as error:
        return {ERROR: error.body}
    except UnoCspError as error:
        return {ERROR: told(error)}
    except MemoryError:
        return {ERROR: problem(502, "memory is used up")}
    except Exception as error:  # a bug of ours is the answer to one request
        return {ERROR: problem(500, f"a bug, please report it: {type(error).__name__}: {error}")}


def accept(task: Task) -> dict[str, Any]:
    """Read a request to solve: what is to be kept of it, and its canonical hash.

    What is to be kept is told on the way already: finding the hash may take too long.
    """
    request = _body(SolveRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    limit_s = request.time_limit_s or task["wall_s"]
    if limit_s > task["longest_wall_s"]:
        longest = f"{task['longest_wall_s']:g}"
        raise Problem(422, f"time_limit_s: {limit_s:g} is not allowed; up to {longest} is")
    require_listed(request.backend, task["backends"])
    named = request.model_dump(exclude={"instance", "proof"}, exclude_none=True)
    options = Options.of({**named, "time_limit_s": limit_s})
    make_plan(instance, options)  # whether there is such a thing
    asked = question_to_dict(instance)
    say({PROGRESS: {"instance": asked, "options": options.to_dict(), "proof": request.proof}})
    free = options.method is options.backend is options.connectivity is None
    shared = free and options.presolve and not request.proof
    form = canonical(instance) if shared else None
    _LATEST[:] = [(asked, instance, form)]
    return {"hash": None if form is None else form.hash}


def parse_text(task: Task) -> dict[str, Any]:
    """A question file in the one form that all have in common."""
    instance = parse(_body(ParseRequest, task["body"]).text)
    _require_size(instance, task["cards"])
    return question_to_dict(instance)


def recall(task: Task) -> dict[str, Any] | None:
    """A known answer in the names of a question, checked anew; None if it does not fit."""
    instance, form = _known(task["instance"])
    if form is None or form.hash != task["hash"]:
        return None
    answer = form.from_canonical(task["kept"])
    try:
        claim = parse_answer_object(answer)
        violations = check(instance, claim)
    except UnoCspError:
        return None
    return None if violations else {**answer, "meaning": instance.meaning(claim)}


_STOPS: list[Stop] = []
"""Ends the solving that is under way, if any is, with the best found so far."""


def _end_early() -> None:
    for stop in _STOPS:
        stop.set()


_LATEST: list[tuple[Mapping[str, Any], Instance, Canonical | None]] = []
"""The question accepted last, as JSON, and its canonical form: it may be recalled next."""


def _known(asked: Mapping[str, Any]) -> tuple[Instance, Canonical | None]:
    """A question and its canonical form."""
    for latest, instance, form in _LATEST:
        if latest == asked:
            return instance, form
    instance = parse(asked)
    return instance, canonical(instance)


def solve_job(task: Task) -> dict[str, Any]:
    """Solve a question: the answer, and in canonical names what is worth keeping of it."""
    instance = parse(task["instance"])
    options = Options.of(task["options"])
    require_listed(options.backend, task["backends"])  # other servers may share the queue
    started = time.monotonic()
    with closing(Stop()) as stop:
        _STOPS[:] = [stop]
        found = solve(instance, options, on_progress=_tell, stop=stop)
        _STOPS.clear()
    answer = found.to_dict()
    if task["proof"]:
        say({PROGRESS: {ANSWER: answer}})  # it stands, whatever becomes of the proof
        left_s = (options.time_limit_s or 0.0) - (time.monotonic() - started)
        return {ANSWER: _certified(instance, found, max(left_s, 0.0), task["proof"]), KEPT: None}
    # What reductions decide is decided again in no time, and their reasons name cards.
    worth_keeping = answer["status"] != "UNKNOWN" and answer["method"] is not None
    if task["hash"] is None or not worth_keeping:
        return {ANSWER: answer, KEPT: None}
    form = canonical(instance)
    same = form is not None and form.hash == task["hash"]
    return {ANSWER: answer, KEPT: form.to_canonical(answer) if form and same else None}


def _certified(
    instance: Instance, answer: Answer, left_s: float, wanted: Mapping[str, Any]
) -> dict[str, Any]:
    """The answer with what is to be said of its certificate, which is packed if there is one."""
    with scratch_folder() as folder:
        certified = certify(instance, answer, folder / "certificate", time_limit_s=left_s)
        told = {key: v for key, v in (certified.certificate or {}).items() if key != "path"}
        size = told.get("bytes", 0)
        if size > wanted["most_bytes"]:
            limit = f"its certificate has {size} bytes, and {wanted['most_bytes']} are kept"
            told = {"certified": False, "told": limit}
        elif "kind" in told:
            pack(folder / "certificate", Path(wanted["path"]))
    return replace(certified, certificate=told).to_dict()


def _tell(progress: Progress) -> None:
    """One line for each round."""
    how_far = {
        "rounds": progress.rounds,
        "cuts": progress.cuts,
        "elapsed_s": round(progress.elapsed_s, 3),
        "objective": progress.objective,
        "bound": progress.bound,
    }
    say({PROGRESS: how_far})


def check_answer(task: Task) -> dict[str, Any]:
    """What the checker says of an answer."""
    request = _body(CheckRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    violations = check(instance, parse_answer_object(request.answer))
    listed = [
        {"rule": each.rule, "step": each.step, "message": each.message} for each in violations
    ]
    return {"valid": not violations, "violations": listed}


def export_question(task: Task) -> dict[str, Any]:
    """Write a file to a path that the server has chosen."""
    request = _body(ExportRequest, task["body"])
    if request.to not in FORMATS:
        raise UnknownName("format", request.to, FORMATS)
    instance = _question(request.instance, task["cards"])
    options = request.model_dump(exclude={"instance", "to"})
    written = export(instance, request.to, task["path"], **options)
    return {"variables": written.variables, "constraints": written.constraints}


def generate_question(task: Task) -> dict[str, Any]:
    """Make an instance of a family."""
    request = _body(GenerateRequest, task["body"])
    known = find_family(request.family)
    for name in request.parameters:
        if name not in known.parameters:
            listed = ", ".join(known.parameters) or "none"
            raise InstanceError(f"{name}: not a parameter of {known.name}; there are: {listed}")
    for name in ("cards", "vertices"):
        wanted = request.parameters.get(name, 0)
        if isinstance(wanted, int) and wanted > task["cards"]:
            raise InstanceError(f"{name}: {wanted} is not allowed; no more than {task['cards']} is")
    options = request.model_dump(exclude={"family", "parameters"})
    made = generate(request.family, **options, **request.parameters)
    _require_size(made, task["cards"])
    return question_to_dict(made)


def analyse_game(task: Task) -> dict[str, Any]:
    """What every move of a game on the way leads to."""
    request = _body(AnalyseRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    if not isinstance(instance, OpenGame):
        raise InstanceError(f"question: {instance.question} is no open-game")
    return analyse(instance, request.plays, time_limit_s=ANALYSIS_S)


def advise_player(task: Task) -> dict[str, Any]:
    """Which card to play."""
    request = _body(AdviseRequest, task["body"])
    seat = Seat(
        tuple(official_card(card, f"hand[{i}]") for i, card in enumerate(request.hand)),
        official_card(request.after, "after"),
        tuple(request.others),
        request.colour,
        tuple(official_card(card, f"seen[{i}]") for i, card in enumerate(request.seen)),
        rules_of(request.rules),
    )
    limit_s, seed = request.time_limit_s, request.seed
    return advise(seat, deals=request.deals, time_limit_s=limit_s, seed=seed).to_dict()


def _body(kind: type[BodyT], text: str) -> BodyT:
    """A request from its JSON text.

    Raises
    ------
    Problem
        400 when it is no JSON, 422 when it does not fit, with the place.
    InstanceError
        When a key stands twice, or a string is no Unicode text.
    """
    try:
        found = loads(text)
    except InstanceError as error:
        if str(error).startswith("not JSON"):
            raise Problem(400, f"the body is {error}") from None
        raise
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "body"
        raise Problem(422, f"{place}: {first['msg'].lower()}", place=place) from None


def _question(asked: Mapping[str, Any], most: int) -> Instance:
    """A question that is not too large.

    Raises
    ------
    InstanceError
        When it cannot be read.
    Problem
        413 when it is too large.
    """
    instance = parse(asked)
    _require_size(instance, most)
    return instance


def _require_size(instance: Instance, most: int) -> None:
    if instance.size > most:
        raise Problem(413, f"{instance.size} cards are more than the {most} allowed")


DOINGS: Mapping[str, Callable[[Task], Any]] = MappingProxyType(
    {
        "accept": accept,
        "parse_text": parse_text,
        "recall": recall,
        "solve_job": solve_job,
        "check_answer": check_answer,
        "export_question": export_question,
        "generate_question": generate_question,
        "analyse_game": analyse_game,
        "advise_player": advise_player,
    }
)
"""What the program can be asked to do, by name."""

if __name__ == "__main__":
    main()
