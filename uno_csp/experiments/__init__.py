"""Experiments: suites of runs under resource limits, their records, and reports."""

from uno_csp.experiments.flat_records import read

__all__ = ["read"]
