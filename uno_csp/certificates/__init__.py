"""Certificates: proofs of NO and of optima that can be verified without trusting this package.

:mod:`uno_csp.verifier` verifies them; it stands alone, and needs only the standard library.
"""

from uno_csp.certificates.folders import pack, require_free
from uno_csp.certificates.making import certify
from uno_csp.certificates.parts import Effort

__all__ = ["Effort", "certify", "pack", "require_free"]
