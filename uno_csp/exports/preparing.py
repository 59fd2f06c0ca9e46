"""Encode a question for a file: its model, whose globals are decomposed, and what it is about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from uno_csp.errors import NotAccepted
from uno_csp.exports.objectives import constant_of
from uno_csp.methods import (
    EAGER,
    ENCODINGS,
    LAZY,
    NATIVE,
    AnyEncoder,
    encoding_names,
    find_connectivity,
    is_exact,
    methods_taking,
)
from uno_csp.modeling import DECOMPOSITIONS, Circuit, Encoded, Linear, Model, Relation, decompose
from uno_csp.portfolio import TRAIL
from uno_csp.questions import Instance, Sense
from uno_csp.questions.arguments import require_kind
from uno_csp.questions.wording import shown

MAX_BOUND = 2**53  # largest absolute bound, more than any sum of costs
Comments: TypeAlias = Callable[[], Iterable[str]]  # returns the lines of the comment of a file


@dataclass(frozen=True, slots=True)
class Exporting:
    """A question encoded as a model whose globals are decomposed."""

    instance: Instance
    # the encoding and its result, needed to decode assignments
    encoder: AnyEncoder
    encoded: Encoded[Any]
    # the model of the encoding, with a bound in place of the objective if one was given
    stated: Model
    model: Model  # `stated` with its globals decomposed
    connectivity: str | None  # the decomposition, or `native`; None if the model has no globals
    bound: int | None = None  # the bound in place of the objective

    @property
    def maximises(self) -> bool:
        """Return True if there is an objective, and the question asks for its maximum."""
        return self.model.objective is not None and self.instance.sense is Sense.MAXIMISE

    def constant(self, to: str) -> int:
        """Return the constant in the value of a file."""
        return constant_of(self.model.objective, to)


def prepare(
    instance: Instance,
    method: str | None,
    connectivity: str | None,
    *,
    bound: int | None = None,
    native: bool = False,
) -> Exporting:
    """Encode a question and decompose its globals; equal arguments give equal variables."""
    encoder = ENCODINGS.find(_exact_encoding(instance) if method is None else method)
    refusal = encoder.refusal(instance)
    if refusal is not None:
        raise NotAccepted(f"method: {shown(encoder.name)} does not take this question: {refusal}")
    encoded = encoder.encode(instance)
    stated = encoded.model
    wanted = find_connectivity(EAGER if connectivity is None else connectivity)
    if wanted == LAZY or (wanted == NATIVE and not native):
        more = (NATIVE,) if native else ()
        raise _wrong_connectivity(wanted, "a file must be self-contained", *more)
    if wanted == NATIVE:
        for each in stated.globals:
            if not isinstance(each, Circuit):
                kind = type(each).__name__.lower()
                raise _wrong_connectivity(wanted, f"cpsat has no constraint {kind!r}")
    if bound is not None:
        stated = _set_bound(instance, stated, bound)
    used = wanted if stated.globals else None
    model = stated if used in (None, NATIVE) else decompose(stated, used)
    return Exporting(instance, encoder, encoded, stated, model, used, bound)


def _wrong_connectivity(name: str, why: str, *others: str) -> NotAccepted:
    allowed = ", ".join((EAGER, *DECOMPOSITIONS, *others))
    return NotAccepted(f"connectivity {name} is not allowed: {why}; there are: {allowed}")


def _exact_encoding(instance: Instance) -> str:
    """Return the first encoding that takes the question and proves both yes and no."""
    takes = [name for name in methods_taking(type(instance)) if name in encoding_names()]
    encodings = sorted(filter(is_exact, takes), key=lambda name: name not in TRAIL)
    refusals = []
    for name in encodings:
        refusal = ENCODINGS.find(name).refusal(instance)
        if refusal is None:
            return name
        refusals.append(f"{name}: {refusal}")
    if takes:
        comments = "; ".join(refusals)
        raise NotAccepted(f"no exact encoding takes this question ({comments})")
    raise NotAccepted(f"{instance.question} is answered by an algorithm and has no model")


def _set_bound(instance: Instance, model: Model, bound: int) -> Model:
    """Return the model with a constraint in place of its objective."""
    objective = model.objective
    if objective is None:
        raise NotAccepted(
            f"bound: only questions with an objective have one, not {instance.question}"
        )
    require_kind("bound", bound, int)
    if abs(bound) > MAX_BOUND:
        raise NotAccepted(f"the bound must be from -{MAX_BOUND} to {MAX_BOUND}, not {bound}")
    value = instance.sense.sign * bound
    bounded = replace(
        model, objective=None, linears=list(model.linears), clauses=model.clauses.copy()
    )
    if objective.floor is not None and value < objective.floor:
        bounded.add_clause()
    else:
        largest = objective.largest_sum(value)
        bounded.linears.append(
            Linear(objective.coefficients, objective.literals, Relation.AT_MOST, largest)
        )
    return bounded
