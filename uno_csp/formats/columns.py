"""Names of the columns of a table of cards."""

COLOURS = ("color", "colour", "suit")
"""Names of a colour column; of two attributes the colour comes first, as in all other input."""

SYMBOLS = ("number", "value", "rank", "symbol", "type", "face", "kind")
"""Names of a column of numbers and symbols."""

ATTRIBUTES = (*COLOURS, *SYMBOLS, "shape", "size", "pattern", "fill", "texture")
NUMBER_OR_COUNT = "n"
"""Name of a count column beside a column of symbols or cards, and of the numbers otherwise."""

COUNTS = ("count", "quantity", "qty", "copies", NUMBER_OR_COUNT)
CARDS = ("card", "cards", "code")  # names of a column of card codes
TOTALS = ("total", "totals", "sum", "subtotal", "summe", "gesamt")
"""Words that begin a row of sums below a table."""
