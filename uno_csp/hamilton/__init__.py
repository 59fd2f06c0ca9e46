"""Hamiltonian cycles and paths, path covers and longest paths of graphs.

Any graph is a hand (:mod:`~uno_csp.hamilton.hands`), so every method, backend and certificate for
hands answers these problems; readers, checker and answers speak of vertices alone. Public names are
loaded on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
