"""Certificates: proofs of NO and of optima that can be verified without trusting this package.

:mod:`~uno_csp.certificates.verifier` is one self-contained file that needs only the standard
library; it can be copied next to a certificate and read in one sitting.
:mod:`~uno_csp.certificates.full_verifier` needs only that file beside it, and verifies every kind.
"""

from uno_csp.certificates.effort import Effort
from uno_csp.certificates.folders import pack, require_free
from uno_csp.certificates.making import certify

__all__ = ["Effort", "certify", "pack", "require_free"]
