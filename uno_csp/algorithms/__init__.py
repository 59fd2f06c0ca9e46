"""Algorithms that answer special cases without a solver.

An algorithm is selected by name like an encoding, and needs no backend. A module provides it as
``ALGORITHM``.

A *strategy* is data: a mapping whose ``kind`` is

``matching``
    ``open`` is the card player 1 opens with (absent for player 2) and ``pairs`` are (card of player
    1, card of player 2): answer every card with its partner.
``positions``
    ``positions`` lists ``player``, ``last``, ``hands`` (of all players, cards in any order) and the
    card to ``play`` there, for every position that can arise against the strategy.
``opening``
    Only the card to ``open`` with, because there are too many positions.
"""
