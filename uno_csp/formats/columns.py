"""Names of the columns of a table of cards."""

COLOURS = ("color", "colour", "suit")  # of two attributes the colour comes first
SYMBOLS = ("number", "value", "rank", "symbol", "type", "face", "kind")
"""Names of a column of numbers and symbols."""

ATTRIBUTES = (*COLOURS, *SYMBOLS, "shape", "size", "pattern", "fill", "texture")
NUMBER_OR_COUNT = "n"  # a count beside symbols or cards, and a number otherwise
COUNTS = ("count", "quantity", "qty", "copies", NUMBER_OR_COUNT)
CARDS = ("card", "cards", "code")  # names of a column of card codes
TOTALS = ("total", "totals", "sum", "subtotal", "summe", "gesamt")
"""Words that begin a row of sums below a table."""
