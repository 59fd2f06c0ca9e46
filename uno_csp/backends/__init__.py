"""Solvers, one file per family, behind the interface of :mod:`uno_csp.modeling.solvers`.

A backend solves models and knows nothing about cards. It declares which global constraints it
supports natively and lowers all other constraint kinds itself. Importing this package, or a module
in it, loads no solver: that happens when a session is opened.

A module has objects of :class:`~uno_csp.modeling.Backend`, and may define ``resolve(name)`` for
names that are not known in advance.
"""
