"""Decode an external solver's output for an exported file into a checked answer."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import SupportsIndex

from uno_csp.checker import check
from uno_csp.errors import BackendUnavailable, InstanceError, NotAccepted
from uno_csp.exports.binary_proofs import text_proof
from uno_csp.exports.heads import Head, head_of
from uno_csp.exports.objectives import constant_of, stated_value
from uno_csp.exports.output_formats import (
    CONCORDE,
    GLPK_NUMBERED,
    TOUR,
    XCSP,
    OutputFormat,
    find_output_format,
    plain_text,
)
from uno_csp.exports.outputs import opened
from uno_csp.exports.preparing import Exporting, prepare
from uno_csp.exports.tours import hcp_nodes, read_concorde_tour, read_tour
from uno_csp.exports.xcsp import ENCODING, read_instantiation, require_circuit
from uno_csp.formats.text import with_line_feeds
from uno_csp.methods import NATIVE
from uno_csp.modeling import Proof, SolverOutput, broken_constraint, parity_clauses
from uno_csp.modeling.cnf import lower
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions import Instance, Uno1, require_question
from uno_csp.questions.answers import NOTHING_SHOWN, Answer, Status, Witness
from uno_csp.questions.arguments import plain_value, require_kind
from uno_csp.questions.decisions import meaning_of
from uno_csp.questions.wording import shown
from uno_csp.verifier.proofs import run_checker
from uno_csp.verifier.reading import NoChecker, Refused

SAID = "as the external solver says"
ROUNDING = 1e-3  # tolerance for an objective value that a linear solver prints
LINEAR = ("lp", "mps")  # formats of linear programs
USUAL_GAP = 1e-4  # relative optimality gap at which HiGHS stops by default (``mip_rel_gap``)


def decode(
    instance: Instance | str,
    text: str,
    *,
    method: str | None = None,
    connectivity: str | None = None,
    bound: SupportsIndex | None = None,
    proof: str | PathLike[str] | None = None,
    output_format: str | None = None,
) -> Answer:
    """Decode a solver's output for an exported question.

    An assignment must satisfy the model and decode to a witness that the checker accepts, so a YES
    is as reliable as our own. A NO or the optimality of a value is only the solver's claim. With a
    bound the status stays UNKNOWN, because the optimum is; see
    :func:`~uno_csp.questions.decisions.decided`.

    Parameters
    ----------
    instance
        The text of the exported file, or the question that was exported.
    text
        What the solver printed or wrote, in one of the formats of
        :data:`~uno_csp.exports.output_formats.OUTPUT_FORMATS`.
    method, connectivity, bound
        The arguments of :func:`uno_csp.export`, which an exported file names itself.
    proof
        File with the solver's DRAT proof, text or binary, that the formula exported as ``dimacs``
        is unsatisfiable. Then a NO rests on a proof checker and the encoding, not on the solver.
    output_format
        The name of the output's format; by default it is recognised by its mark.

    Raises
    ------
    InstanceError
        When the text cannot be read as a whole, has no status, contradicts itself, or its
        assignment does not satisfy the model.
    UnknownName, NotAccepted
        As for :func:`uno_csp.export`; when the proof is invalid or does not apply; when the output
        is a NO or an optimum, and it is not known which file it is about.
    BackendUnavailable
        When no proof checker is installed.
    """
    exported = isinstance(instance, str)
    options = {"method": method, "connectivity": connectivity, "bound": plain_value(bound)}
    head = _of_file(instance, options) if isinstance(instance, str) else Head(instance, **options)
    instance, wanted = head.instance, head.bound
    require_question(instance)
    if not isinstance(text, str):
        raise InstanceError(f"solver output: {shown(text)} is not allowed; expected a string")
    if proof is not None:
        require_kind("proof", proof, str | PathLike)
    text = plain_text(with_line_feeds(text))
    chosen = find_output_format(text, output_format)
    if chosen.name in (TOUR, CONCORDE):
        given = {**options, "proof": proof}
        option = next((name for name in given if given[name] is not None), None)
        if option is not None and not exported:
            raise NotAccepted(f"a tour takes no {option}: it is of a file exported as hcp")
        tour = (read_tour if chosen.name == TOUR else read_concorde_tour)(text)
        return _check(instance, _from_tour(instance, tour))
    prepared, output = _read(chosen, head, text)
    if not exported and proof is None:
        _require_known_file(head, output)
    said = SAID if proof is None else _prove(prepared, output, Path(proof))
    status, witness, reason = _understood(prepared, output, wanted, said)
    value = None if witness is None else witness.objective
    proved = _proved_bound(instance, status, output, value, wanted)
    if prepared.encoder.proves is Proof.YES_ONLY:
        proved = None
    known = instance.expected
    doubt = known and known.contradicted_by(instance.sense, status, value, proved)
    if doubt:  # keep a checked witness; drop a claim without one
        stands = status is Status.SATISFIABLE
        status, proved, reason = status if stands else Status.UNKNOWN, None, doubt
    answer = Answer(
        instance.question,
        status,
        witness or NOTHING_SHOWN,
        proved,
        reason=reason,
        method=prepared.encoder.name,
        connectivity=prepared.connectivity,
    )
    return _check(instance, answer, wanted)


def _read(chosen: OutputFormat, head: Head, text: str) -> tuple[Exporting, SolverOutput]:
    """Return the exported model, and the output about it."""
    instance, method, connectivity, bound, to = head
    if chosen.name == XCSP:
        require_circuit(head)
        prepared = prepare(instance, ENCODING, NATIVE, native=True)
        output = read_instantiation(text, prepared.model)
    else:
        assert chosen.read is not None  # noqa: S101
        output = chosen.read(text)
        native = connectivity == NATIVE
        prepared = prepare(instance, method, connectivity, bound=bound, native=native)
        if chosen.name == GLPK_NUMBERED and output.literals:
            output = _by_name(prepared, output, to)
    if output.status is None:
        raise InstanceError("solver output: no s line, and no other status")
    return prepared, output


def _by_name(prepared: Exporting, output: SolverOutput, to: str | None) -> SolverOutput:
    """Return an output by the names of columns, which it has by their numbers in a file."""
    from uno_csp.exports.linear_programs import columns_in_order, program_of  # which load NumPy

    numbered = output.literals or ()
    programs = {
        name: program_of(prepared.model, prepared.constant(name))
        for name in LINEAR
        if to in (None, name)
    }
    orders = {tuple(columns_in_order(programs[name], name).tolist()) for name in programs}
    if len(orders) > 1:
        raise NotAccepted(
            f"the numbers of columns in an output of {GLPK_NUMBERED} are those of the exported "
            "file: give that instead of the question"
        )
    order = next(iter(orders), ())
    if len(order) != len(numbered):
        raise InstanceError(
            f"solver output: it has {len(numbered)} columns, and the exported file {len(order)}; "
            f"{_may_be_other(prepared)}"
        )
    return replace(
        output,
        literals=tuple(order[abs(each) - 1] * (1 if each > 0 else -1) for each in numbered),
        fractional=tuple(order[column - 1] for column in output.fractional),
    )


def _of_file(exported: str, options: Mapping[str, object]) -> Head:
    """Return the description in an exported file; raise NotAccepted if an option differs."""
    head = head_of(exported)
    for name, value in options.items():
        if value not in (None, getattr(head, name)):
            raise NotAccepted(f"{name}: the file was exported with {getattr(head, name)}")
    return head


def _require_known_file(head: Head, output: SolverOutput) -> None:
    """Raise unless it is certain which model a solver means that claims a NO or an optimum."""
    optimises = head.instance.optimises
    certain = head.method is not None
    if output.status is Status.UNSATISFIABLE:
        certain = certain and (head.bound is not None or not optimises)
    else:  # a solver of linear programs calls a yes optimal
        certain = certain or not (optimises and output.status is Status.OPTIMAL)
    if not certain:
        options = "the method" + (" and the bound" if optimises else "")
        raise NotAccepted(
            f"{output.status} is said of the exported file: give that instead of the question, or "
            f"{options} it was exported with"
        )


def _prove(prepared: Exporting, output: SolverOutput, proof: Path) -> str:
    """Check the proof of unsatisfiability and return the reason to give for the NO."""
    if output.status is not Status.UNSATISFIABLE:
        raise NotAccepted(f"a proof is for UNSATISFIABLE, but the solver said {output.status}")
    if prepared.model.objective is not None:
        raise NotAccepted("a proof about an objective needs the bound of the export")
    if not proof.is_file():
        raise NotAccepted(f"{proof}: no such file")
    from uno_csp.exports.programs import write_clauses  # which loads NumPy

    with scratch_folder() as folder:
        formula = folder / "formula.cnf"
        with opened(formula, sys.maxsize) as out:
            write_clauses(prepared.model, out, ())
        try:
            checker = run_checker(formula, text_proof(proof, folder), "auto")
        except (Refused, OSError, NotAccepted) as error:
            reason = str(error).removeprefix("proof.drat: ")
            raise NotAccepted(f"{proof}: not a valid DRAT proof: {reason}") from None
        except NoChecker as error:
            raise BackendUnavailable(str(error)) from None
    return f"by a proof that {checker} has checked"


def _understood(
    prepared: Exporting, output: SolverOutput, bound: int | None, said: str
) -> tuple[Status, Witness | None, str]:
    """Translate the solver's output into the question's status, witness and reason."""
    encoder = prepared.encoder
    optimising = prepared.instance.optimises
    if output.status is Status.UNSATISFIABLE:
        if encoder.proves is Proof.YES_ONLY:
            return Status.UNKNOWN, None, f"{encoder.name} has no solution, but proves only a yes"
        if bound is not None:
            return Status.UNKNOWN, None, said
        return Status.UNSATISFIABLE, None, said
    if output.literals is None and output.status is Status.UNKNOWN:
        return Status.UNKNOWN, None, "the external solver found nothing"
    if output.literals is None and prepared.model.num_vars:
        raise InstanceError(f"solver output: {output.status}, but no v line with the assignment")
    witness = _witness(prepared, output)
    if witness is None:
        return Status.UNKNOWN, None, f"the solution of {encoder.name} could not be put in order"
    if not optimising:
        return Status.SATISFIABLE, witness, ""
    objective = prepared.model.objective
    constant = objective is not None and not any(objective.coefficients)
    if (output.status is Status.OPTIMAL or constant) and bound is None:
        doubt = _doubt(prepared, output)
        return (Status.UNKNOWN, witness, doubt) if doubt else (Status.OPTIMAL, witness, SAID)
    asked = "proved no optimum" if bound is None else "was not asked for the optimum"
    return Status.UNKNOWN, witness, f"the external solver {asked}"


def _witness(prepared: Exporting, output: SolverOutput) -> Witness | None:
    # Not the decomposed model: its auxiliary variables may be fractional in an LP solution file.
    stated = prepared.stated
    free = set(stated.continuous)
    for variable in output.fractional:
        if variable <= stated.num_vars and variable not in free:
            raise InstanceError(f"solver output: the value of variable {variable} must be 0 or 1")
    _require_known(prepared, output)
    assignment = output.assignment(prepared.model.num_vars)
    broken = broken_constraint(stated, assignment)
    if broken is not None:
        raise InstanceError(
            f"solver output: the assignment breaks {broken} of the model; {_may_be_other(prepared)}"
        )
    value, constants = output.objective, {0.0, *(constant_of(None, to) for to in output.exports)}
    if (
        prepared.model.objective is None
        and value is not None
        and min(abs(value - each) for each in constants) > ROUNDING
    ):
        raise InstanceError(
            f"solver output: it has an objective, {output.objective:g}, but the model has none"
        )
    found: Witness | None = prepared.encoder.decode(prepared.encoded, assignment)
    return found


def _require_known(prepared: Exporting, output: SolverOutput) -> None:
    """Raise if the output has a variable that no exported file has."""
    highest = max(map(abs, output.literals or ()), default=0)
    model = prepared.model
    if highest <= model.num_vars + 1:  # the last column of linear programs is the constant
        return
    from uno_csp.exports.clause_streams import ClauseStream  # which load NumPy
    from uno_csp.exports.linear_programs import program_of

    formula = ClauseStream(model.num_vars, lambda _: None)
    lower(model, formula)
    most = max(
        formula.num_vars,
        *(len(program_of(each, 0).upper) for each in (model, parity_clauses(model))),
    )
    if highest > most:
        raise InstanceError(
            f"solver output: it has variable {highest} of at most {most}; {_may_be_other(prepared)}"
        )


def _may_be_other(prepared: Exporting) -> str:
    """Return what to look at when an output does not fit the model."""
    exported = " and ".join(filter(None, (prepared.encoder.name, prepared.connectivity)))
    return (
        f"was the file exported from this question, with {exported} "
        "(--method, --connectivity) and the same --bound?"
    )


def _doubt(prepared: Exporting, output: SolverOutput) -> str:
    """Return why a claimed optimum is doubtful, or an empty string."""
    objective = prepared.model.objective
    assert objective is not None  # noqa: S101
    assignment = output.assignment(prepared.model.num_vars)
    stated = [
        stated_value(objective, prepared.instance.sense, to, assignment) for to in output.exports
    ]
    linear = "lp" in output.exports
    if linear and USUAL_GAP * abs(stated[0]) >= objective.unit:
        return f"the gap of linear solvers, {USUAL_GAP:g}, exceeds one unit of the objective"
    if output.objective is None:
        complete = output.is_complete(prepared.stated.num_vars)
        return "" if complete else "the output has no objective, and not the value of each variable"
    slack = ROUNDING if linear else 0
    if not any(abs(output.objective - value) <= slack for value in stated):
        return (
            f"the output says that the objective is {output.objective:.15g}, which is not the cost "
            f"of the assignment ({stated[0]})"
        )
    return ""


def _proved_bound(
    instance: Instance, status: Status, output: SolverOutput, value: int | None, bound: int | None
) -> int | None:
    if status is Status.OPTIMAL:
        return value
    if bound is not None and output.status is Status.UNSATISFIABLE:
        return bound + instance.sense.sign
    return None


def _from_tour(instance: Instance, tour: list[int]) -> Answer:
    """Decode a Hamiltonian circuit into the sequence of cards that starts at the pile."""
    if not isinstance(instance, Uno1):
        raise InstanceError("solver output: a tour is for uno-1 only")
    nodes = hcp_nodes(instance)
    if sorted(tour) != list(range(1, nodes + 1)):
        raise InstanceError(f"solver output: a tour visits each node from 1 to {nodes} once")
    start = tour.index(1)
    order = [*tour[start + 1 :], *tour[:start]]
    cards = len(instance.cards)
    if order[-1] > cards + 1:  # with a pile, the two extra nodes come first
        order.reverse()
    sequence = tuple(instance.cards[node - 2] for node in order if node <= cards + 1)
    return Answer(instance.question, Status.SATISFIABLE, Witness(sequence), method="hcp")


def _check(instance: Instance, answer: Answer, bound: int | None = None) -> Answer:
    """Check the answer; return it with ``meaning``, and ``checked`` if it has a witness."""
    violations = check(instance, answer)
    if violations:
        raise InstanceError(f"solver output: the checker refuses it: {violations[0]}")
    meaning = meaning_of(instance, answer, bound)
    return replace(answer, meaning=meaning, checked=answer.witness.complete)
