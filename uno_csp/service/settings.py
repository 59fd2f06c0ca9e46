"""What a server allows, set once when it starts."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of one server.

    Parameters
    ----------
    data
        The folder of the job store, if that is a file, and of certificates.
    token
        What clients must show as ``Authorization: Bearer``; None lets everybody in.
    workers
        Jobs that are solved at a time.
    queue
        Jobs that may wait; beyond, new ones are turned away.
    body_bytes, cards
        The largest request body, and the most cards of a question with its supply.
    wall_s, longest_wall_s
        The time limit of a job that names none, and the longest one may name.
    certificate_bytes
        The largest certificate that is kept.
    memory_mb
        What a job may use, with all its processes.
    cores
        CPU seconds a job may use for each second of its time limit.
    wait_s
        How long ``solve`` waits before it hands back a job.
    requests_per_minute
        Of one client, in any 60 seconds.
    results
        The folder of a report on experiments, to be shown beside the page; None: there is none.
    names
        Host names the server is reached by, besides ``localhost`` and bare addresses; with a token
        every name will do.
    eager
        Start the programs that do the work with the server, not with the first request.
    backends
        Solver programs that jobs may name besides the listed backends, as ``dimacs:PROGRAM``.
    behind_proxy
        Believe a proxy on this machine which client a request comes from.
    """

    data: Path
    token: str | None = None
    workers: int = 2
    queue: int = 1000
    body_bytes: int = 8 << 20
    cards: int = 50_000
    certificate_bytes: int = 64 << 20
    wall_s: float = 60.0
    longest_wall_s: float = 3600.0
    memory_mb: float = 4000.0
    cores: float = 4.0
    wait_s: float = 5.0
    requests_per_minute: float = 6000.0
    results: Path | None = None
    names: tuple[str, ...] = ()
    eager: bool = False
    backends: tuple[str, ...] = ()
    behind_proxy: bool = False

    def certificate(self, job: str) -> Path:
        """Where the certificate of a job is kept, a zip file."""
        return self.data / "certificates" / f"{job}.zip"
