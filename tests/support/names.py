"""Names that could be taken for something else where they are printed."""

import re

from tests.support.tables import table

NAMES: list[str] = table("formats", "names")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\u3164]")
"""Characters that move the cursor, end a line or turn its direction, or are not seen."""
