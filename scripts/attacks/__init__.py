"""The parts of ``scripts/attack``; each draws cases from a seed and raises :class:`Fell` on one."""
