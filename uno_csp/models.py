"""Models to go on with: a question as a model of CPMpy, for constraints of one's own."""

from dataclasses import dataclass
from typing import Any

from uno_csp.backends.cpmpy import to_cpmpy as translated
from uno_csp.errors import NotAccepted
from uno_csp.exports.preparing import prepare
from uno_csp.methods import EAGER, NATIVE
from uno_csp.modeling import Circuit
from uno_csp.questions import Instance, require_question
from uno_csp.questions.answers import Witness


@dataclass(slots=True)
class Posed:
    """A question as a model of CPMpy.

    Attributes
    ----------
    model
        The ``cpmpy.Model``: add constraints to it, and solve it with any of CPMpy's solvers.
    variables
        Its Boolean variables by their short names, those that ``export --varnames`` explains:
        ``x[3,5]`` of the encoding ``position`` says that card 3 is played at position 5.
    """

    model: Any
    variables: dict[str, Any]
    _all: list[Any]
    _prepared: Any

    def witness(self) -> Witness:
        """Return what the solution of the model says; raise NotAccepted if it has none."""
        values = [bool(variable.value()) for variable in self._all]
        found: Witness | None = None
        if self.model.status().exitstatus.name in ("OPTIMAL", "FEASIBLE"):
            found = self._prepared.encoder.decode(self._prepared.encoded, [False, *values])
        if found is None:
            raise NotAccepted("the model has no solution that is a play")
        return found


def to_cpmpy(instance: Instance, method: str | None = None) -> Posed:
    """Return a question as a model of CPMpy, with a native circuit where the encoding has one.

    Parameters
    ----------
    instance
        The question; no reductions are applied.
    method
        Encoding, as for ``solve``; by default the first exact one for the question.

    Raises
    ------
    NotAccepted
        When the encoding does not take the question.
    """
    require_question(instance)
    prepared = prepare(instance, method, EAGER)
    globals_ = prepared.stated.globals
    if globals_ and all(isinstance(each, Circuit) for each in globals_):
        prepared = prepare(instance, method, NATIVE, native=True)
    model, variables = translated(prepared.model)
    named = {
        meaning.split(" ", 1)[0]: variables[number - 1]
        for number, meaning in prepared.encoder.meanings(prepared.encoded)
    }
    return Posed(model, named, variables, prepared)
