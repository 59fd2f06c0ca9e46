"""Special cases that need no solver, each an algorithm of its own.

An algorithm is asked for by name like an encoding, and needs no backend. A module offers one as
``ALGORITHM``.

A *strategy* is data: a mapping whose ``kind`` is

``matching``
    ``open`` is the card player 1 opens with (absent for player 2) and ``pairs`` are (card of player
    1, card of player 2): answer every card with its partner.
``positions``
    ``positions`` lists ``player``, ``last``, ``hands`` (what everybody holds, in any order) and the
    card to ``play`` there; every position that can come up against the strategy is in it.
``opening``
    Only the card to ``open`` with; all positions would be too many.
"""
