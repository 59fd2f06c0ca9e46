"""Experiments: suites of runs under limits, their records, and reports on them."""
