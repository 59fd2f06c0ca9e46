"""Write results as BenchExec XML for ``table-generator``, one file per combination."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from uno_csp.experiments.reports.file_names import FileNames, new_name
from uno_csp.experiments.reports.tables import MeasuredRun, by_combination

_CATEGORIES = {"answered": "correct", "wrong": "wrong", "unknown": "unknown"}
_ENDED = (("time limit", "TIMEOUT"), ("CPU limit", "TIMEOUT"), ("memory", "OUT OF MEMORY"))


def write_results(folder: Path, suite: str, runs: Sequence[MeasuredRun]) -> None:
    """Write the files; a run's status is its answer, or the reason for having none."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.xml"):
        old.unlink()
    names = FileNames()
    for combination, own in by_combination(runs).items():
        first = own[0].record
        root = Xml.Element(
            "result",
            {
                "benchmarkname": suite,
                "tool": "uno-csp",
                "displayName": combination,
                "toolmodule": "",
                "generator": "uno-csp",
                "timelimit": f"{own[0].limit_s:g}s",
                "date": str(first.get("started", "")),
                "version": str(first.get("packages", {}).get("uno-csp", "")),
            },
        )
        memory_mb = (first.get("limits") or {}).get("memory_mb")
        if memory_mb is not None:
            root.set("memlimit", _bytes(memory_mb))
        machines = [run.record.get("machine") or {} for run in own]
        distinct = dict.fromkeys(tuple(each.items()) for each in machines)
        root.extend(_machine_element(dict(each)) for each in distinct)
        taken: set[str] = set()
        for run in own:
            name = f"{run.group.question}/{run.record['instance']['name']}"
            root.append(_run_element(run, new_name(name, " ({})", taken)))
        Xml.indent(root)
        path = folder / f"{names.take(suite, combination)}.results.xml"
        Xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _machine_element(machine: Mapping[str, Any]) -> Xml.Element:
    element = Xml.Element("systeminfo", {})
    Xml.SubElement(element, "os", {"name": str(machine.get("system", "unknown"))})
    cores, model = (str(machine.get(name, "unknown")) for name in ("cores", "processor"))
    Xml.SubElement(element, "cpu", {"model": model, "cores": cores})
    Xml.SubElement(element, "ram", {"size": _bytes(machine.get("memory_mb", 0))})
    return element


def _bytes(memory_mb: float) -> str:
    return f"{round(memory_mb * (1 << 20))}B"


def _run_element(run: MeasuredRun, name: str) -> Xml.Element:
    record = run.record
    element = Xml.Element("run", {"name": name, "files": f"[{name}]"})
    status, category = _judged(run)
    columns = {
        "status": status,
        "category": category,
        "walltime": f"{record.get('wall_s', 0.0)}s",
        "cputime": f"{record.get('cpu_s', 0.0)}s",
        "memory": _bytes(record.get("peak_memory_mb", 0.0)),
    }
    for title, value in columns.items():
        Xml.SubElement(element, "column", {"title": title, "value": value})
    return element


def _judged(run: MeasuredRun) -> tuple[str, str]:
    """Return the status and the category of a run in BenchExec's own words."""
    reason = str(run.record.get("reason", ""))
    if run.solved:
        return str(run.record["status"]), _CATEGORIES["answered"]
    if run.record["category"] == "answered":
        return "TIMEOUT", "error"
    for words, status in _ENDED:
        if words in reason:
            return status, "error"
    category = _CATEGORIES.get(run.record["category"], "error")
    return (f"ERROR ({reason})" if category == "error" else reason or "unknown"), category
