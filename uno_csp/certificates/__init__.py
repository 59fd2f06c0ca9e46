"""Certificates: what shows a no, or an optimum, to one who believes nothing of this package.

:mod:`~uno_csp.certificates.verifier` stands alone: it is one file of Python's own library, which
can be copied next to a certificate and read in one sitting.
"""

from uno_csp.certificates.making import certify, require_free

__all__ = ["certify", "require_free"]
