"""The number of examples that a property is tried on; see ``scripts/test --random``."""

import os
from typing import Any

import pytest
from hypothesis import settings

FACTOR = int(os.environ.get("UNO_CSP_EXAMPLES", "0"))
"""Factor on the usual number of examples, drawn anew; 0 for the usual ones, the same each time."""

settings.register_profile("usual", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, derandomize=False, print_blob=True)
settings.load_profile("random" if FACTOR else "usual")


def examples(count: int) -> settings:
    """Settings for a property that is usually tried on so many examples."""
    return settings(max_examples=count * max(FACTOR, 1))


def some_slow(blocks: int) -> list[Any]:
    """Numbers of blocks of random cases, of which a quick run takes the first."""
    return [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, blocks))]
