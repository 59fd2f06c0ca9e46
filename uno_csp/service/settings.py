"""Settings of a server, fixed when it starts."""

from dataclasses import dataclass
from pathlib import Path

LONGEST_WALL_S = 3600.0  # longest time limit that a request may name


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings and limits of one server."""

    data: Path  # folder of the certificates, and of the job store if that is a file
    token: str | None = None  # bearer token that clients must send; None admits everybody
    workers: int = 2  # maximum number of jobs solved at a time
    queue: int = 1000  # maximum number of queued jobs; further ones are refused
    # maximum size of a request body, and number of cards of a question with its supply
    body_bytes: int = 8 << 20
    cards: int = 50_000
    certificate_bytes: int = 64 << 20  # maximum size of a certificate that is kept
    wall_s: float = 60.0  # default time limit of a job
    memory_mb: float = 4000.0  # memory limit of a job, over all its processes
    cores: float = 4.0  # CPU seconds a job may use for each second of its time limit
    wait_s: float = 5.0  # seconds that `solve` waits for an answer before it returns the job
    # maximum number of requests of one client in any 60 seconds
    requests_per_minute: float = 6000.0
    # folder of a report on experiments, served at `/results`; None if there is none
    results: Path | None = None
    # folder of the built documentation, served at `/guide`; None if there is none
    guide: Path | None = None
    # host names of the server, besides `localhost` and bare addresses; with a token every name is
    # accepted
    names: tuple[str, ...] = ()
    eager: bool = False  # start the worker processes with the server, not with the first request
    # solver programs that jobs may name besides the listed backends, as `dimacs:PROGRAM`
    backends: tuple[str, ...] = ()
    # take the address of the client from the headers of a proxy on this machine
    behind_proxy: bool = False
    keep_days: float | None = None  # days after which a finished job is deleted; None keeps it

    def certificate(self, job: str) -> Path:
        """Return the path of a job's certificate, a zip file."""
        return self.data / "certificates" / f"{job}.zip"
