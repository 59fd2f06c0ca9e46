"""The look of all figures: Matplotlib's own defaults, whatever the user's settings are."""

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from uno_csp.errors import BackendUnavailable


@contextmanager
def own_style(**changes: Any) -> Iterator[None]:
    """Draw in the default style with some changes, for the duration of a ``with`` block.

    Neither a ``matplotlibrc`` nor MPLBACKEND counts, which notebooks set for all their children.
    The same figure gives the same bytes, and a dollar sign in a name starts no formula.
    """
    _import()
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph ")  # names are in all scripts, the font is not
        mpl.rcdefaults()
        mpl.rcParams.update({"svg.hashsalt": "uno-csp", "text.parse_math": False} | changes)
        yield


def _import() -> None:
    """Import Matplotlib, which fails for an MPLBACKEND that this environment does not have.

    What it says of a home without a folder for its settings is not for who asked for a picture.
    """
    if sys.modules.get("matplotlib"):
        return
    backend = os.environ.pop("MPLBACKEND", None)
    unheard = logging.NullHandler()
    logging.getLogger("matplotlib").addHandler(unheard)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BackendUnavailable(
            "pictures need Matplotlib, which is not installed; pip install 'uno-csp[plots]'"
        ) from None
    finally:
        logging.getLogger("matplotlib").removeHandler(unheard)
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
