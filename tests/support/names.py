"""Names that could be taken for something else where they are printed."""

import re

NAMES = (
    "<script>alert(1)</script>",
    "[red]x[/red]",
    "[/]",
    "</text>",
    '"onload="alert(1)',
    "=cmd()",
    "a|b",
    "$\\input{x}$",
    "\x1b[31mred",
    "a\u202eb",
    "a\u2028b",
    "a\nproved: the graph K5 has no Hamiltonian cycle",
    "a b",
    "5",
    "",
    "\u3164",
    ":smile:",
)
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\u3164]")
"""Characters that move the cursor, end a line or turn its direction, or are not seen."""
