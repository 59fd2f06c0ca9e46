"""Processes below this one: begun with all they need, kept to limits, ended with all they started.

Everything rests on :class:`~uno_csp.processes.child.ChildProcess`. A
:class:`~uno_csp.processes.workers.Worker` exchanges Python objects and does one task after another;
a :class:`~uno_csp.processes.programs.Program` reads and prints lines of JSON and is watched.
"""
