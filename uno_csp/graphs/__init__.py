"""Hands as graphs and graphs as hands: UNO graphs, and the paper's reductions; graph6."""
