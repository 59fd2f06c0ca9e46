"""The connectivity of a model: how its global constraints are enforced on a backend."""

from uno_csp.errors import NotAccepted
from uno_csp.methods import LAZY, NATIVE, find_connectivity
from uno_csp.modeling import DECOMPOSITIONS, Backend, Connected, Global, Model, decompose, relax


def choose_connectivity(model: Model, backend: Backend, wanted: str | None) -> str | None:
    """Return how globals of a model are enforced; None if it has none.

    By default that is natively where the backend has the constraints, else lazily. Raises
    NotAccepted if the backend lacks what is wanted, or cannot cope with it.
    """
    chosen = None if wanted is None else find_connectivity(wanted)
    if not model.globals:
        return None
    foreign = [type(each) for each in model.globals if type(each) not in backend.native_globals]
    if chosen is None:
        return LAZY if foreign else NATIVE
    if chosen == NATIVE and foreign:
        raise NotAccepted(
            f"backend {backend.name!r} has no native constraint {foreign[0].__name__.lower()!r}; "
            f"connectivity may be {', '.join((LAZY, *DECOMPOSITIONS))}"
        )
    most = dict(backend.most_links).get(chosen)
    links = max(map(link_count, model.globals))
    if most is not None and links > most:
        raise NotAccepted(
            f"backend {backend.name!r} does not scale to {chosen!r} with more than {most} "
            f"possible links, and this model has {links}; connectivity may be {LAZY}"
        )
    return chosen


def link_count(constraint: Global) -> int:
    """Return the number of edges of a global constraint; two opposite arcs count as one."""
    size = len(constraint.literals)
    return size if isinstance(constraint, Connected) else size // 2


def with_connectivity(model: Model, connectivity: str | None) -> Model:
    """Return the model that a session is to hold: globals native, left out or decomposed."""
    if connectivity is None or connectivity == NATIVE:
        return model
    return relax(model) if connectivity == LAZY else decompose(model, connectivity)
