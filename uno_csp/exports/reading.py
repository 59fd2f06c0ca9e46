"""What an outside program said about an exported file, turned back into a checked answer."""

from dataclasses import replace
from os import PathLike
from pathlib import Path

from uno_csp.answers import NOTHING_SHOWN, Answer, Status, Witness
from uno_csp.certificates.verifier import NoChecker, Refused, run_checker
from uno_csp.checker import check
from uno_csp.errors import BackendUnavailable, InstanceError, NotAccepted
from uno_csp.exports.programs import hcp_nodes, read_tour, write_dimacs
from uno_csp.exports.writing import Prepared, prepare
from uno_csp.given import require_kind
from uno_csp.modeling import (
    Proof,
    SolverOutput,
    broken_constraint,
    read_solver_output,
    to_cnf,
)
from uno_csp.processes.scratch import scratch_folder
from uno_csp.questions import Instance, Uno1, require_question
from uno_csp.wording import shown

SAID = "as the outside solver says"
USUAL_GAP = 1e-4
"""What is relatively so near to the best counts as the best for HiGHS, unless it is told."""


def decode(
    instance: Instance,
    text: str,
    *,
    method: str | None = None,
    connectivity: str | None = None,
    bound: int | None = None,
    proof: str | Path | None = None,
) -> Answer:
    """Read a solver's output for an exported question.

    An assignment must satisfy the model and decode to a witness the checker accepts, so a yes is
    as good as our own. A no, and that a value is the best, is what the solver says.

    Parameters
    ----------
    instance
        The question that was exported.
    text
        ``s``, ``v`` and ``o`` lines, a result file of MiniSat, a solution file of CBC or HiGHS, or
        a TSPLIB tour for a question exported as ``hcp``.
    method, connectivity, bound
        As given to :func:`uno_csp.export`.
    proof
        A file with the solver's DRAT proof, as text, that the formula exported as ``dimacs`` has no
        solution. Then not the solver is believed, but a checker of proofs, and the encoding.

    Raises
    ------
    InstanceError
        When there is no status in the text, or its assignment does not satisfy the model.
    NotAccepted
        As for :func:`uno_csp.export`; or when the proof is none, or has nothing to show.
    BackendUnavailable
        When there is no checker of proofs.
    """
    require_question(instance)
    if not isinstance(text, str):
        raise InstanceError(f"solver output: {shown(text)} is not allowed; a text is")
    if proof is not None:
        require_kind("proof", proof, str | PathLike)
    tour = read_tour(text)
    if tour is not None:
        return _checked(instance, _from_tour(instance, tour))
    output = read_solver_output(text)
    if not output.status:
        raise InstanceError("solver output: no s line, and nothing else that says how it ended")
    prepared = prepare(instance, method, connectivity, bound=bound)
    said = SAID if proof is None else _proved(prepared, output, Path(proof))
    status, witness, reason = _understood(prepared, output, bound, said)
    value = None if witness is None else witness.objective
    proved = _proved_bound(instance, status, output, value, bound)
    if prepared.encoder.proves is Proof.YES_ONLY:
        proved = None
    known = instance.expected
    doubt = known and known.contradicted_by(instance.sense, status, value, proved)
    if doubt:  # a witness shows itself; what has none is not believed
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
    return _checked(instance, answer)


def _proved(prepared: Prepared, output: SolverOutput, proof: Path) -> str:
    """Who says that the formula has no solution, once a checker has taken the proof."""
    if output.status is not Status.UNSATISFIABLE:
        raise NotAccepted(f"a proof shows that there is no solution, and {output.status} was said")
    if prepared.model.objective is not None:
        raise NotAccepted("a proof is about an objective only with the bound of the export")
    if not proof.is_file():
        raise NotAccepted(f"{proof}: there is no such file")
    with scratch_folder() as folder:
        formula = folder / "formula.cnf"
        with formula.open("w", encoding="utf-8") as stream:
            write_dimacs(to_cnf(prepared.model), stream, ())
        try:
            checker = run_checker(formula, proof, "auto")
        except (Refused, OSError, UnicodeDecodeError) as error:
            told = str(error).removeprefix("proof.drat: ")
            raise NotAccepted(f"{proof}: no DRAT proof of this in text: {told}") from None
        except NoChecker as error:
            raise BackendUnavailable(str(error)) from None
    return f"as a proof shows that {checker} has checked"


def _understood(
    prepared: Prepared, output: SolverOutput, bound: int | None, said: str
) -> tuple[Status, Witness | None, str]:
    """The status of the question, not of the file, with the witness and what is to be said."""
    encoder = prepared.encoder
    optimising = prepared.instance.optimises
    if output.status is Status.UNSATISFIABLE:
        if encoder.proves is Proof.YES_ONLY:
            return Status.UNKNOWN, None, f"{encoder.name} has no solution, but proves only a yes"
        if bound is not None:
            return Status.UNKNOWN, None, f"no value of {bound} or better, {said}"
        return Status.UNSATISFIABLE, None, said
    if output.literals is None and output.status is Status.UNKNOWN:
        return Status.UNKNOWN, None, "the outside solver found nothing"
    if output.literals is None and prepared.model.num_vars:
        raise InstanceError(f"solver output: {output.status}, but no v line with the assignment")
    witness = _witness(prepared, output)
    if witness is None:
        return Status.UNKNOWN, None, f"the solution of {encoder.name} could not be put in order"
    if not optimising:
        return Status.SATISFIABLE, witness, ""
    if output.status is Status.OPTIMAL and bound is None:
        doubt = _doubt(prepared, output, witness)
        return (Status.UNKNOWN, witness, doubt) if doubt else (Status.OPTIMAL, witness, SAID)
    return Status.UNKNOWN, witness, "the outside solver proved no optimum"


def _witness(prepared: Prepared, output: SolverOutput) -> Witness | None:
    # Not the decomposed model: what it adds may be fractions in a linear solver's file.
    assignment = output.assignment(prepared.model.num_vars)
    broken = broken_constraint(prepared.stated, assignment)
    if broken is not None:
        raise InstanceError(f"solver output: the assignment breaks {broken} of the model")
    found: Witness | None = prepared.encoder.decode(prepared.encoded, assignment)
    return found


def _doubt(prepared: Prepared, output: SolverOutput, witness: Witness) -> str:
    """Why an optimum is not believed: the assignment printed is not the one it is claimed of.

    MaxSAT solvers count what negative terms can save as a cost, pseudo-Boolean ones write not-x
    as 1 - x, so the sum on an ``o`` line differs by a constant that the format decides.
    """
    objective = prepared.model.objective
    assert objective is not None  # noqa: S101
    assignment = output.assignment(prepared.model.num_vars)
    total, saved, constant = 0, 0, 0
    for weight, literal in zip(objective.coefficients, objective.literals, strict=True):
        total += weight * (assignment[abs(literal)] == (literal > 0))
        saved += min(0, weight)
        constant += weight * (literal < 0)
    if output.rounded and USUAL_GAP * abs(total) >= objective.unit:
        return f"linear solvers stop within a gap of {USUAL_GAP:g}, which is more than one here"
    if output.objective not in (None, total, total - saved, total - constant):
        return f"the o line says {output.objective}, which is not what the assignment costs"
    assert witness.objective is not None  # noqa: S101
    if prepared.instance.sense.sign * witness.objective < objective.value_of_sum(total):
        return "the assignment is read as something better than the optimum that is claimed"
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
    """The cards in the order of a Hamiltonian circuit, from the pile on."""
    if not isinstance(instance, Uno1):
        raise InstanceError("solver output: a tour answers uno-1")
    nodes = hcp_nodes(instance)
    if sorted(tour) != list(range(1, nodes + 1)):
        raise InstanceError(f"solver output: a tour visits each node from 1 to {nodes} once")
    start = tour.index(1)
    order = [*tour[start + 1 :], *tour[:start]]
    cards = len(instance.cards)
    if order[-1] > cards + 1:  # with a pile the cards begin at its side of the circuit
        order.reverse()
    sequence = tuple(instance.cards[node - 2] for node in order if node <= cards + 1)
    return Answer(instance.question, Status.SATISFIABLE, Witness(sequence))


def _checked(instance: Instance, answer: Answer) -> Answer:
    """The answer with its seal, if there is a witness that carries it; never an impossible one."""
    violations = check(instance, answer)
    if violations:
        raise InstanceError(f"solver output: the checker refuses it: {violations[0]}")
    meaning = instance.meaning(answer)
    return replace(answer, meaning=meaning, checked=answer.witness.complete)
