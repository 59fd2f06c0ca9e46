"""How lucky a hand of the official deck is: what it lacks, beside what other hands lack."""

from uno_csp.odds.forms import fewest_sequences, missing
from uno_csp.odds.table import Odds, odds_of

__all__ = ["Odds", "fewest_sequences", "missing", "odds_of"]
