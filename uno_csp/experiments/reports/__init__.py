"""Reports on the records of a suite: tables, plots, Markdown, CSV, HTML, BenchExec."""

from uno_csp.experiments.reports.contradictions import contradictions
from uno_csp.experiments.reports.writing import write_report

__all__ = ["contradictions", "write_report"]
