"""The stand-alone verifier: the rules, and what certificates prove by them.

It shares no code with the rest of the package, which checks its own answers by it, and needs only
the standard library, so that it also works as one file (``uno-csp verify --export uno-verify``).
"""
