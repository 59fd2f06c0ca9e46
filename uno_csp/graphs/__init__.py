"""Hands as graphs and graphs as hands: UNO graphs, their recognition, the paper's reductions.

Graphs are those of networkx, which is loaded when a module of this package is.
"""
