"""Certificates: what shows a no, or an optimum, to one who believes nothing of this package.

:mod:`~uno_csp.certificates.verifier` stands alone: it is one file of Python's own library, which
can be copied next to a certificate and read in one sitting. So does, beside it,
:mod:`~uno_csp.certificates.full_verifier`, which knows of more.
"""

from uno_csp.certificates.making import certify, pack, require_free, write_lrat

__all__ = ["certify", "pack", "require_free", "write_lrat"]
