"""Questions as files for other solvers, and what these said, read back and checked."""

from uno_csp.exports.reading import decode
from uno_csp.exports.writing import FORMATS, STDOUT, Exported, export

__all__ = ["FORMATS", "STDOUT", "Exported", "decode", "export"]
