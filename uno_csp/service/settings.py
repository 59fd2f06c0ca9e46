"""Settings of a server, fixed when it starts."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings and limits of one server.

    Parameters
    ----------
    data
        Folder of the certificates, and of the job store if that is a file.
    token
        Bearer token that clients must send; None admits everybody.
    workers
        Maximum number of jobs solved at a time.
    queue
        Maximum number of queued jobs; further ones are refused.
    body_bytes, cards
        Maximum size of a request body, and number of cards of a question with its supply.
    wall_s, longest_wall_s
        Default and maximum time limit of a job.
    certificate_bytes
        Maximum size of a certificate that is kept.
    memory_mb
        Memory limit of a job, over all its processes.
    cores
        CPU seconds a job may use for each second of its time limit.
    wait_s
        Seconds that ``solve`` waits for an answer before it returns the job.
    requests_per_minute
        Maximum number of requests of one client in any 60 seconds.
    results
        Folder of a report on experiments, served at ``/results``; None if there is none.
    guide
        Folder of the built documentation, served at ``/guide``; None if there is none.
    names
        Host names of the server, besides ``localhost`` and bare addresses; with a token every
        name is accepted.
    eager
        Start the worker processes with the server, not with the first request.
    backends
        Solver programs that jobs may name besides the listed backends, as ``dimacs:PROGRAM``.
    behind_proxy
        Take the address of the client from the headers of a proxy on this machine.
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
    guide: Path | None = None
    names: tuple[str, ...] = ()
    eager: bool = False
    backends: tuple[str, ...] = ()
    behind_proxy: bool = False

    def certificate(self, job: str) -> Path:
        """Return the path of a job's certificate, a zip file."""
        return self.data / "certificates" / f"{job}.zip"
