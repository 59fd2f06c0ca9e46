"""``python -m uno_csp`` is ``uno-csp``."""

from uno_csp.cli import main

main()
