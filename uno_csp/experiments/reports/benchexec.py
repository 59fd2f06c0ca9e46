"""Write results as BenchExec XML for ``table-generator``, one file per combination."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as Xml

from uno_csp.experiments.reports.file_names import FileNames
from uno_csp.experiments.reports.tables import MeasuredRun, by_combination

_CATEGORIES = {"answered": "correct", "wrong": "wrong", "unknown": "unknown"}


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
        for run in own:
            root.append(_run_element(run))
        Xml.indent(root)
        path = folder / f"{names.take(suite, combination)}.results.xml"
        Xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _run_element(run: MeasuredRun) -> Xml.Element:
    record = run.record
    name = f"{run.group.question}/{record['instance']['name']}"
    element = Xml.Element("run", {"name": name, "files": f"[{name}]"})
    category = _CATEGORIES.get(record["category"], "error")
    status = str(record.get("status") if run.solved else record.get("reason", ""))
    columns = {
        "status": status,
        "category": category,
        "walltime": f"{record.get('wall_s', 0.0)}s",
        "cputime": f"{record.get('cpu_s', 0.0)}s",
        "memory": f"{round(record.get('peak_memory_mb', 0.0) * (1 << 20))}B",
    }
    for title, value in columns.items():
        Xml.SubElement(element, "column", {"title": title, "value": value})
    return element
