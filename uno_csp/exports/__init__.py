"""Export questions as files for other solvers, and decode and check their output."""

from uno_csp.exports.output_formats import OUTPUT_NAMES
from uno_csp.exports.outputs import STDOUT
from uno_csp.exports.reading import decode
from uno_csp.exports.writing import FORMATS, Exported, export

__all__ = ["FORMATS", "OUTPUT_NAMES", "STDOUT", "Exported", "decode", "export"]
