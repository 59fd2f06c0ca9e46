"""Solvers, one file per family, behind the interface of :mod:`uno_csp.modeling.solvers`.

A backend takes a model without knowing what it is about. It says which global constraints it
speaks natively; all other constraint kinds it lowers itself. Importing this package, or a module
in it, loads no solver: that happens when a session is opened.

A module offers its backends as ``BACKENDS``, and may offer ``resolve(name)`` for names that are
not known in advance.
"""
