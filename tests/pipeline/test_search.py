"""The cut loop with a solver that does not keep to what it was given."""

import pytest

from uno_csp import Longest, Options, Uno1
from uno_csp.errors import BackendError
from uno_csp.methods import ENCODINGS, find_backend
from uno_csp.modeling import Objective, relax
from uno_csp.pipeline.cut_loop import decide, minimise
from uno_csp.pipeline.search import Search

APART = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 4), (4, 3), (4, 4))


@pytest.mark.parametrize("kind", [Uno1, Longest])
@pytest.mark.parametrize("backend", ["cp-sat", "highs"])
def test_a_solver_that_ignores_cuts_is_named(
    kind: type[Uno1 | Longest], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = ENCODINGS.find("hub-trail")
    encoded = encoder.encode(kind(APART))
    model = relax(encoded.model)
    search = Search(
        encoder, encoded, model, encoded.model.globals, find_backend(backend), Options()
    )
    monkeypatch.setattr(type(search.session), "add", lambda *_: None)
    with pytest.raises(BackendError, match=f"{backend} proposed what breaks a cut"):
        if model.objective is None:
            decide(search, restarts=False)
        else:
            assert isinstance(model.objective, Objective)
            minimise(search, model.objective)
