"""The form of a record: what reports read of it, and of which types that is.

A record may have more, as those of other versions do; what is checked here is used as it stands.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic import ValidationError as PydanticError

from uno_csp.errors import InstanceError
from uno_csp.experiments.runs import ANSWERED
from uno_csp.experiments.suites import KnownQuestion
from uno_csp.questions.arguments import place_of, refusal

_Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]
_Status = Literal["SATISFIABLE", "UNSATISFIABLE", "OPTIMAL", "UNKNOWN"]
_PROVED = ("UNSATISFIABLE", "OPTIMAL")  # statuses that need a certificate


def _source(text: str) -> str:
    """Return a text that is JSON of an object, as the source of an instance."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("parameters", {}), dict):
        raise InstanceError("it is no JSON of the source of an instance")
    return text


class _Part(BaseModel):
    model_config = ConfigDict(strict=True)


class _Instance(_Part):
    id: str
    name: str
    family: str
    origin: str
    question: KnownQuestion
    source: Annotated[str, AfterValidator(_source)]


class _Asked(_Part):
    seed: int


class _Limits(_Part):
    wall_s: _Number | None = None
    cpu_s: _Number | None = None
    memory_mb: _Number | None = None


class _Expected(_Part):
    status: _Status = "UNKNOWN"


class _Sizes(_Part):
    variables: _Count = 0
    clauses: _Count = 0
    linear_constraints: _Count = 0
    parities: _Count = 0
    rounds: _Count = 0
    cuts: _Count = 0


class _Machine(_Part):
    system: str = ""
    processor: str = ""
    cores: _Count = 0
    memory_mb: _Count = 0


class _Certificate(_Part):
    certified: bool
    kind: str | None = None  # a certificate of this kind has all that follows
    bytes: _Count | None = None
    made_s: _Number | None = None
    checked_s: _Number | None = None


class _Record(_Part):
    run: str
    suite: str
    combination: str
    instance: _Instance
    asked: _Asked
    limits: _Limits
    category: str
    cards: _Count = 0
    status: _Status | None = None
    objective: int | None = None
    bound: int | None = None
    reason: str = ""
    expected: _Expected | None = None
    wall_s: _Number = 0.0
    cpu_s: _Number = 0.0
    peak_memory_mb: _Number = 0.0
    stats: _Sizes | None = None
    certificate: _Certificate | None = None
    machine: _Machine | None = None
    packages: dict[str, str] = {}
    python: str | None = None
    commit: str | None = None
    backend_version: str | None = None


def fault(found: Any) -> str:
    """Return what keeps something from being a record, with its place; empty if nothing does."""
    try:
        record = _Record.model_validate(found)
    except PydanticError as error:
        first = error.errors(include_url=False)[0]
        place = place_of(first["loc"])
        return f"{place}: {refusal(first)}" if place else refusal(first)
    if record.category == ANSWERED and (record.status is None or "wall_s" not in found):
        return "an answered run has a status and wall_s"
    certificate = record.certificate
    if certificate and certificate.certified and record.status in _PROVED:
        missing = [name for name, value in certificate if value is None]
        return f"certificate.{missing[0]}: missing" if missing else ""
    return ""
