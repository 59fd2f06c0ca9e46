r"""uno-csp: the card game UNO as a combinatorial problem, solved by SAT, CP-SAT and ILP.

>>> import uno_csp
>>> hand = uno_csp.parse("red,5\nred,7\nblue,7")
>>> answer = uno_csp.solve(hand)
>>> str(answer.status), answer.checked
('SATISFIABLE', True)
>>> uno_csp.check(hand, answer)
[]

Importing this package imports no other module; public names are loaded on first use.
"""

from importlib import import_module
from typing import Any

import lazy_loader

__version__ = "0.1.0"

_LISTED = ("algorithms", "backends", "encodings")  # callable, as in uno_csp.backends()
_load, _names, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Load a public name, or a package, on first use."""
    if name in _LISTED:
        return getattr(import_module("uno_csp.methods").uno_csp, name)
    return _load(name)


def __dir__() -> list[str]:
    return sorted({*_names(), *_LISTED})
