"""Child processes: started with all they need, kept within limits, ended with all they started.

A :class:`~uno_csp.processes.pool.Pool` keeps :class:`~uno_csp.processes.pool.Worker` processes for
a next task; they talk over a :mod:`~uno_csp.processes.channel`, and
:func:`~uno_csp.processes.supervision.supervise` runs tasks by a policy, such as that of one task
with limits, or of a race. All time limits are a :class:`~uno_csp.processes.deadline.Deadline`, and
what stops a run is a :class:`threading.Event`.
"""
