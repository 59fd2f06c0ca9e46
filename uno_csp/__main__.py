"""``python -m uno_csp`` runs ``uno-csp``."""

from uno_csp_command import main

main()
