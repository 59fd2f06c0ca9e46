"""The number of examples that a property is tried on; see ``scripts/test --random``."""

import os

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("UNO_CSP_EXAMPLES", "0"))
"""Factor on the usual number of examples, drawn anew; 0 for the usual ones, the same each time."""

settings.register_profile(
    "any",
    deadline=None,
    derandomize=not FACTOR,
    print_blob=bool(FACTOR),
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine draws slowly
)
settings.load_profile("any")


def examples(count: int) -> settings:
    """Settings for a property that is usually tried on a number of examples."""
    return settings(max_examples=count * max(FACTOR, 1))
