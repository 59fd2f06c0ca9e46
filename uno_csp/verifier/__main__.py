"""Run the verifier: ``python -m uno_csp.verifier CERTIFICATE``."""

from uno_csp.verifier.kinds import main

main()
