"""clingo (answer set programming): both global constraints natively, by a recursive definition.

The textbook program for Hamiltonian circuits defines reachability: the first node is reached, and
so is each node that a chosen arc leads to from a reached node; no present node may be unreached.
Here the same definition serves both globals, and everything else is written as integrity
constraints. The program is passed as ground rules, so no time is spent on grounding.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from uno_csp.backends._installed import PackageBackend
from uno_csp.backends._sessions import Found, SearchSession
from uno_csp.modeling import (
    AtLeastTwo,
    Circuit,
    Connected,
    Cut,
    Linear,
    Model,
    as_at_mosts,
    parity_clauses,
)
from uno_csp.processes.deadline import Deadline


class ClingoBackend(PackageBackend):
    """The answer set solver of the Potassco project."""

    name = package = "clingo"
    summary = "answer set programming, native circuit and connected"
    native_globals = frozenset({Circuit, Connected})
    parallel = minimises = True

    def open(self, model: Model, *, seed: int = 0, workers: int = 1) -> "ClingoSession":
        """Write the model as a ground program."""
        return ClingoSession(model, seed, workers)


class ClingoSession(SearchSession):
    """A clingo control object; constraints can be added between calls."""

    def __init__(self, model: Model, seed: int, workers: int) -> None:
        import clingo

        super().__init__(model)
        options = [f"--seed={seed}", f"--parallel-mode={workers}", "--models=0"]
        self._control = clingo.Control(options, logger=lambda *_: None)
        cnf = parity_clauses(model)
        with self._control.backend() as rules:
            self._atoms = [0, *(rules.add_atom() for _ in range(cnf.num_vars))]
            rules.add_rule(self._atoms[1:], choice=True)
            for clause in cnf.clauses:
                rules.add_rule([], [self._literal(-literal) for literal in clause])
            for linear in model.linears:
                self._add_linear(rules, linear)
            for constraint in model.globals:
                if isinstance(constraint, Circuit):
                    self._add_circuit(rules, constraint)
                else:
                    self._add_connected(rules, constraint)
            if model.objective is not None:
                pairs = zip(model.objective.literals, model.objective.coefficients, strict=True)
                rules.add_minimize(0, [(self._literal(literal), c) for literal, c in pairs])

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the program."""
        with self._control.backend() as rules:
            for cut in cuts:
                if isinstance(cut, AtLeastTwo):
                    self._add_linear(rules, cut.linear)
                else:
                    rules.add_rule([], [self._literal(-literal) for literal in cut])

    def search(self, time_limit_s: float | None) -> Found:
        """Search for one answer set, or with an objective for an optimal one."""
        # With an objective ask for all (0) models: each is better than the previous one.
        self._control.configuration.solve.models = 1 if self.objective is None else 0
        values: list[bool] | None = None
        deadline = Deadline.after(time_limit_s)
        with self._control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                # A negative timeout would mean waiting for ever.
                left_s = None if time_limit_s is None else deadline.left_s
                if not handle.wait(left_s) or handle.model() is None:
                    break
                values = self._read(handle.model())
                if self.objective is None:
                    break
            handle.cancel()
            verdict = handle.get()
        complete = verdict.unsatisfiable if values is None else verdict.exhausted
        return Found(values, complete, str(verdict))

    def _read(self, model: Any) -> list[bool]:
        return [model.is_true(atom) for atom in self._atoms[1 : self.num_vars + 1]]

    def _literal(self, literal: int) -> int:
        atom: int = self._atoms[abs(literal)]
        return atom if literal > 0 else -atom

    def _add_linear(self, rules: Any, linear: Linear) -> None:
        for coefficients, literals, bound in as_at_mosts(linear):
            if bound < 0:
                rules.add_rule([], [])
            elif bound < sum(coefficients):
                weighted = zip(map(self._literal, literals), coefficients, strict=True)
                rules.add_weight_rule([], bound + 1, list(weighted))

    def _add_circuit(self, rules: Any, circuit: Circuit) -> None:
        """Require one arc out of and into each node, and that every node not skipped is reached."""
        ways: list[list[int]] = [[] for _ in range(2 * circuit.num_nodes)]
        skipped: dict[int, int] = {}
        arcs = list(zip(circuit.tails, circuit.heads, circuit.literals, strict=True))
        for tail, head, literal in arcs:
            ways[2 * tail].append(self._literal(literal))
            ways[2 * head + 1].append(self._literal(literal))
            if tail == head:
                skipped[tail] = self._literal(literal)
        for literals in ways:
            rules.add_rule([], [-literal for literal in literals])
            rules.add_weight_rule([], 2, [(literal, 1) for literal in literals])
        reached = [rules.add_atom() for _ in range(circuit.num_nodes)]
        rules.add_rule([reached[0]])
        for tail, head, literal in arcs:
            rules.add_rule([reached[head]], [reached[tail], self._literal(literal)])
        if 0 in skipped:
            rules.add_rule([], [skipped[0]])
        for node, atom in enumerate(reached):
            rules.add_rule([], [-atom, *([-skipped[node]] if node in skipped else [])])

    def _add_connected(self, rules: Any, connected: Connected) -> None:
        """Require that the first present node reaches all others along chosen edges."""
        present = [self._literal(literal) for literal in connected.presence]
        reached = [rules.add_atom() for _ in present]
        earlier: Iterable[int] = ()
        for node, atom in zip(present, reached, strict=True):
            rules.add_rule([atom], [node, *(-other for other in earlier)])
            found = rules.add_atom()  # this node or one before it is present
            for cause in (node, *earlier):
                rules.add_rule([found], [cause])
            earlier = (found,)
            rules.add_rule([], [node, -atom])
        for tail, head, literal in zip(
            connected.tails, connected.heads, connected.literals, strict=True
        ):
            chosen = self._literal(literal)
            rules.add_rule([reached[head]], [reached[tail], chosen])
            rules.add_rule([reached[tail]], [reached[head], chosen])


BACKEND = ClingoBackend()
