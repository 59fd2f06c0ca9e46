"""Experiments: suites of runs under limits, their records, and reports on them."""

from uno_csp.experiments.flat_records import read

__all__ = ["read"]
