"""The parts of ``scripts/attack``: each generates random cases and raises ``Fell`` on a failure."""
