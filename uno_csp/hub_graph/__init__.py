"""The hub graph of a hand, its kernel, and the sequences that trails on it stand for.

A question about one hand is a question about trails on a small graph (see ``hub-trail``). Here the
graph is drawn, what is easy about it is settled exactly, and trails are read as sequences.
"""

from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.graph import HubGraph, draw, undrawable
from uno_csp.hub_graph.kernel import Chosen, Core, Kernel, condense, prepare, whole
from uno_csp.hub_graph.tables import ABSENT, ANCHORED, BLOCK, ODD, Row

__all__ = [
    "ABSENT",
    "ANCHORED",
    "BLOCK",
    "ODD",
    "Choice",
    "Chosen",
    "Core",
    "HubGraph",
    "Kernel",
    "Row",
    "condense",
    "draw",
    "prepare",
    "read_witness",
    "undrawable",
    "whole",
]
