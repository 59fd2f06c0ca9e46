"""Exports and generated instances: short work, each in a process of its own under limits."""

import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from uno_csp.errors import NotAccepted, UnknownName
from uno_csp.families import find_family
from uno_csp.formats import question_to_dict
from uno_csp.instances import Instance
from uno_csp.pipeline.exporting import FORMATS
from uno_csp.pipeline.supervision import Limits, Program
from uno_csp.service.bodies import ExportRequest, GenerateRequest
from uno_csp.service.executor import COMMAND
from uno_csp.service.problems import Problem, status_of_name
from uno_csp.service.settings import Settings
from uno_csp.service.worker import ERROR, RESULT

WALL_S = 60.0
CHUNK = 1 << 16
TOGETHER = 4
"""So many errands are run at a time; more are turned away."""


class Errands:
    """Runs them for one server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free = threading.BoundedSemaphore(TOGETHER)

    def export(self, instance: Instance, request: ExportRequest) -> Iterator[bytes]:
        """The file, piece by piece; it is whole before the first piece is handed out.

        Raises
        ------
        UnknownName, NotAccepted
            When there is no such format, or it is a binary one.
        Problem
            When it cannot be written.
        """
        if request.to not in FORMATS:
            raise UnknownName("format", request.to, FORMATS)
        options = {
            "encoding": request.encoding, "connectivity": request.connectivity,
            "bound": request.bound, "varnames": request.varnames,
        }  # fmt: skip
        folder = tempfile.TemporaryDirectory(prefix="uno-csp-")
        path = Path(folder.name, "exported")
        task = {"do": "export", "instance": question_to_dict(instance), "to": request.to}
        try:
            self._run({**task, "path": str(path), "options": options})
        except BaseException:
            folder.cleanup()
            raise

        def pieces() -> Iterator[bytes]:
            """The file as it is read; it is gone afterwards."""
            with folder, path.open("rb") as stream:
                while piece := stream.read(CHUNK):
                    yield piece

        return pieces()

    def generate(self, request: GenerateRequest) -> dict[str, Any]:
        """A question of a family.

        Raises
        ------
        UnknownName, InstanceError, NotAccepted
            When there is no such family, or a parameter is wrong.
        Problem
            When it takes too long.
        """
        family = find_family(request.family)
        cards = request.parameters.get("cards", request.parameters.get("vertices", 0))
        if isinstance(cards, int) and cards > self._settings.cards:
            raise NotAccepted(f"no more than {self._settings.cards} cards are made here")
        options = {"seed": request.seed, "shuffle": request.shuffle, "question": request.question}
        task = {"do": "generate", "family": family.name, "parameters": request.parameters}
        return dict(self._run({**task, "options": options}))

    def _run(self, task: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._free.acquire(blocking=False):
            raise Problem(429, "too much at a time", headers={"Retry-After": "1"})
        try:
            program = Program(COMMAND)
            try:
                ended = program.run(task, Limits(WALL_S, None, self._settings.memory_mb))
            finally:
                program.end()
        finally:
            self._free.release()
        message = ended.message or {}
        if RESULT in message:
            found: Mapping[str, Any] = message[RESULT]
            return found
        if ERROR in message:
            raise Problem(status_of_name(message[ERROR]["kind"]), message[ERROR]["detail"])
        detail = ended.reached or f"the process ended with {ended.exit_code}"
        raise Problem(422 if ended.reached else 502, detail)
