"""The handlers of a server's worker.

A worker parses requests, solves, checks, exports and generates. The server's own process looks into
no question, so that none can hold it up, except the small one in a link, for its preview.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from uno_csp.agents.advising import advise
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_turn
from uno_csp.agents.seats import Seat
from uno_csp.algorithms.analysis import analyse
from uno_csp.algorithms.stepping import GameState
from uno_csp.certificates import certify, pack
from uno_csp.checker import check
from uno_csp.counting import count
from uno_csp.errors import InstanceError, UnknownName, UnoCspError
from uno_csp.exports import FORMATS, export
from uno_csp.families import find_family, generate
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.formats.strict_json import NotJson, loads
from uno_csp.hamilton import Goal, named_problem, read_graphs, solve_problem
from uno_csp.methods import require_listed
from uno_csp.pipeline import Options, Progress, solve
from uno_csp.pipeline.planning import require_plan
from uno_csp.pipeline.race import Stop
from uno_csp.processes.channel import READY, Channel
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.scratch import scratch_folder
from uno_csp.puzzles import Reasoner, puzzle
from uno_csp.questions import Instance, OpenGame, Uno1
from uno_csp.questions.answers import Answer
from uno_csp.questions.open_game import official_card, rules_of
from uno_csp.service.api.bodies import (
    AdviseRequest,
    AnalyseRequest,
    CheckRequest,
    CountRequest,
    ExportRequest,
    GenerateRequest,
    HamiltonRequest,
    HintRequest,
    MoveRequest,
    ParseRequest,
    PuzzleRequest,
    SolveRequest,
)
from uno_csp.service.jobs.canonical import Canonical, canonical
from uno_csp.service.problems import Problem, problem, problem_of

RESULT, ERROR = "result", "error"
"""Keys of what a handler returns: the result, or a problem."""

ANSWER, REUSABLE = "answer", "reusable"
"""Keys of the result of a job: its answer, and the answer in canonical names if it is to be kept
for the same question in other names."""

ANALYSIS_S = 20.0
"""Time limit of one analysis of a game, for which somebody waits."""

BodyT = TypeVar("BodyT", bound=BaseModel)
Task = Mapping[str, Any]


def handle(task: Task, channel: Channel) -> dict[str, Any]:
    """Handle one task; errors become problems."""
    channel.report(READY)
    try:
        return {RESULT: HANDLERS[task["do"]](task, channel)}
    except Problem as error:
        return {ERROR: error.body}
    except UnoCspError as error:
        return {ERROR: problem_of(error)}
    except MemoryError:
        return {ERROR: problem(502, "out of memory")}
    except Exception as error:  # a bug must fail this request only
        return {ERROR: problem(500, f"a bug, please report it: {type(error).__name__}: {error}")}


def accept(task: Task, channel: Channel) -> dict[str, Any]:
    """Read a request to solve: report what the job needs of it, and return its canonical hash.

    The report comes first because finding the hash may take too long. The parent is asked for the
    cached answer of that hash; it is returned, too, in the names of the question.
    """
    request = _body(SolveRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    limit_s = request.time_limit_s or task["wall_s"]
    if limit_s > task["longest_wall_s"]:
        longest = f"{task['longest_wall_s']:g}"
        raise Problem(422, f"time_limit_s: {limit_s:g} is not allowed; expected at most {longest}")
    require_listed(request.backend, task["backends"])
    named = request.model_dump(exclude={"instance", "proof"}, exclude_none=True)
    options = Options.of({**named, "time_limit_s": limit_s})
    require_plan(instance, options)
    asked = {"instance": question_to_dict(instance, draw_fours=True)}
    channel.report({**asked, "options": options.to_dict(), "proof": request.proof})
    free = options.method is options.backend is options.connectivity is None
    shared = free and options.presolve and not request.proof
    form = canonical(instance) if shared else None
    if form is None:
        return {"hash": None, ANSWER: None}
    kept = channel.ask(form.hash)
    answer = None if kept is None else _recalled(instance, form, kept)
    return {"hash": form.hash, ANSWER: answer}


def parse_text(task: Task, _channel: Channel) -> dict[str, Any]:
    """Parse a question file of any format; return the question as JSON."""
    instance = parse(_body(ParseRequest, task["body"]).text)
    _require_size(instance, task["cards"])
    return question_to_dict(instance, draw_fours=True)


def recall(task: Task, _channel: Channel) -> dict[str, Any] | None:
    """Return a cached answer in the names of a question, checked again; None if it fails."""
    instance = parse(task["instance"])
    form = canonical(instance)
    if form is None or form.hash != task["hash"]:
        return None
    return _recalled(instance, form, task["kept"])


def _recalled(
    instance: Instance, form: Canonical, kept: Mapping[str, Any]
) -> dict[str, Any] | None:
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
        certified = _certified(instance, found, deadline.left_s, task["proof"])
        return {ANSWER: certified, REUSABLE: None}
    # Answers by reductions are found again in no time, and their reasons name cards.
    worth_keeping = answer["status"] != "UNKNOWN" and answer["method"] is not None
    if task["hash"] is None or not worth_keeping:
        return {ANSWER: answer, REUSABLE: None}
    form = canonical(instance)
    same = form is not None and form.hash == task["hash"]
    return {ANSWER: answer, REUSABLE: form.to_canonical(answer) if form and same else None}


def _certified(
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
    """Report the progress of a solver."""
    state = {
        "rounds": progress.rounds,
        "cuts": progress.cuts,
        "elapsed_s": round(progress.elapsed_s, 3),
        "objective": progress.objective,
        "bound": progress.bound,
    }
    channel.report(state)


def check_answer(task: Task, _channel: Channel) -> dict[str, Any]:
    """Check an answer with the independent checker."""
    request = _body(CheckRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    violations = check(instance, parse_answer_object(request.answer))
    listed = [
        {"rule": each.rule, "step": each.step, "message": each.message} for each in violations
    ]
    return {"valid": not violations, "violations": listed}


def export_question(task: Task, _channel: Channel) -> dict[str, Any]:
    """Export a question to a path chosen by the server."""
    request = _body(ExportRequest, task["body"])
    if request.to not in FORMATS:
        raise UnknownName("format", request.to, FORMATS)
    instance = _question(request.instance, task["cards"])
    options = request.model_dump(exclude={"instance", "to"})
    written = export(instance, request.to, task["path"], **options)
    return {"variables": written.variables, "constraints": written.constraints}


def generate_question(task: Task, _channel: Channel) -> dict[str, Any]:
    """Generate an instance of a family."""
    request = _body(GenerateRequest, task["body"])
    known = find_family(request.family)
    for name in request.parameters:
        if name not in known.parameters:
            listed = ", ".join(known.parameters) or "none"
            raise InstanceError(f"{name}: not a parameter of {known.name}; there are: {listed}")
    for name in ("cards", "vertices"):
        wanted = request.parameters.get(name, 0)
        if isinstance(wanted, int) and wanted > task["cards"]:
            raise InstanceError(
                f"{name}: {wanted} is not allowed; expected at most {task['cards']}"
            )
    options = request.model_dump(exclude={"family", "parameters"})
    made = generate(request.family, **options, **request.parameters)
    _require_size(made, task["cards"])
    return question_to_dict(made)


def analyse_game(task: Task, _channel: Channel) -> dict[str, Any]:
    """Analyse what each move leads to, in a game after the turns played so far."""
    request = _body(AnalyseRequest, task["body"])
    instance = _open_game(request.instance, task["cards"])
    return analyse(instance, request.plays, most=request.most, time_limit_s=ANALYSIS_S)


def advise_player(task: Task, _channel: Channel) -> dict[str, Any]:
    """Estimate which card to play when the other hands are hidden."""
    request = _body(AdviseRequest, task["body"])
    seat = Seat(
        tuple(official_card(card, f"hand[{i}]") for i, card in enumerate(request.hand)),
        official_card(request.after, "after"),
        tuple(request.others),
        request.colour,
        tuple(official_card(card, f"seen[{i}]") for i, card in enumerate(request.seen)),
        rules_of(request.rules),
    )
    return advise(
        seat,
        agent=request.agent,
        deals=request.deals,
        time_limit_s=request.time_limit_s,
        seed=request.seed,
    ).to_dict()


def choose_move(task: Task, _channel: Channel) -> dict[str, Any]:
    """Let an agent play the next turn of a game, of which it sees one hand."""
    request = _body(MoveRequest, task["body"])
    state = GameState(_open_game(request.instance, task["cards"]))
    for at, turn in enumerate(request.plays):
        state = state.played(turn, f"plays[{at}]")
    budget = {} if request.deals is None else {"work": request.deals}
    kind = AGENTS.find(request.agent)
    agent = kind(seed=request.seed, seconds=request.time_limit_s, **budget)
    after, prospects = play_turn(state, agent)
    return {"turn": after.turns[-1], "moves": [each.to_dict() for each in prospects]}


def solve_graph(task: Task, _channel: Channel) -> dict[str, Any]:
    """Answer a Hamiltonian problem."""
    request = _body(HamiltonRequest, task["body"])
    graphs = list(read_graphs(request.text, kind=request.format))
    if len(graphs) != 1:
        raise InstanceError(f"text: {len(graphs)} graphs; expected one")
    (graph,) = graphs
    if len(graph) > task["cards"]:
        raise Problem(413, f"{len(graph)} vertices are more than the {task['cards']} allowed")
    ends = (request.source, request.target)
    problem = named_problem(graph, Goal(request.goal), *ends)
    options = Options(time_limit_s=request.time_limit_s, seed=request.seed)
    answer = solve_problem(problem, options).to_dict()
    del answer["certificate"]
    return {
        **answer,
        "vertices": list(problem.vertices),
        "edges": [list(edge) for edge in problem.edges],
    }


def count_plays(task: Task, _channel: Channel) -> dict[str, Any]:
    """Count the plays of a hand."""
    request = _body(CountRequest, task["body"])
    return count(_question(request.instance, task["cards"]), request.method).to_dict()


def make_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Make a puzzle."""
    request = _body(PuzzleRequest, task["body"])
    made = puzzle(request.cards, level=request.level, missing=request.missing, seed=request.seed)
    return made.to_dict()


def hint_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Give a hint for a puzzle."""
    request = _body(HintRequest, task["body"])
    instance = _question(request.instance, task["cards"])
    if not isinstance(instance, Uno1):
        raise InstanceError(f"question: hints are for uno-1, not for {instance.question}")
    played = parse({"question": Uno1.question, "cards": request.played}).cards
    hint = Reasoner(instance).hint(played)
    return {"card": None if hint.card is None else list(hint.card), "reason": hint.reason}


def _body(kind: type[BodyT], text: str) -> BodyT:
    """Parse a request from its JSON text.

    Raises
    ------
    Problem
        400 if it is not JSON, 422 if it does not match its model, with the place.
    InstanceError
        When a key occurs twice, or a string is not valid Unicode.
    """
    try:
        found = loads(text)
    except NotJson as error:
        raise Problem(400, f"the body is {error}") from None
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "body"
        raise Problem(422, f"{place}: {first['msg'].lower()}", place=place) from None


def _question(asked: Mapping[str, Any], most: int) -> Instance:
    """Parse a question, and check its size.

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


def _open_game(given: dict[str, Any], most: int) -> OpenGame:
    """Return a question that must be a real game."""
    instance = _question(given, most)
    if not isinstance(instance, OpenGame):
        raise InstanceError(f"question: {instance.question} is no open-game")
    return instance


def _require_size(instance: Instance, most: int) -> None:
    if instance.size > most:
        raise Problem(413, f"{instance.size} cards are more than the {most} allowed")


HANDLERS: Mapping[str, Callable[[Task, Channel], Any]] = MappingProxyType(
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
        "choose_move": choose_move,
        "solve_graph": solve_graph,
        "count_plays": count_plays,
        "make_puzzle": make_puzzle,
        "hint_puzzle": hint_puzzle,
    }
)
"""Handlers by the name in the key ``do`` of a task."""
