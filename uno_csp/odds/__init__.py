"""The luck of a hand of the official deck: its missing cards, compared with other hands."""

from uno_csp.odds.forms import fewest_sequences, missing
from uno_csp.odds.table import Odds, odds_of

__all__ = ["Odds", "fewest_sequences", "missing", "odds_of"]
