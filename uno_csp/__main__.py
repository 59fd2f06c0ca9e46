"""``python -m uno_csp`` is ``uno-csp``."""

from uno_csp_command import main

main()
