"""Hands as graphs and graphs as hands: UNO graphs, their recognition, the paper's reductions.

Graphs are networkx graphs; networkx is imported only by the modules of this package.
"""
