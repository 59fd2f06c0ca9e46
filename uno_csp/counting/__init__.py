"""The number of plays of a hand, plays one by one, and plays drawn at random.

Four methods count that share nothing: :mod:`~uno_csp.counting.table`, dynamic programming over the
multisets of cards left; :mod:`~uno_csp.counting.eulerian`, Eulerian trails on the colours;
:mod:`~uno_csp.counting.frontier`, fragments of plays on the classes met so far; and
:mod:`~uno_csp.counting.models`, a model counter on a formula. Public names are loaded on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
