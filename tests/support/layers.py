"""The layers of the package: a room imports only rooms of lower layers."""

from pathlib import Path

from tests.support import ROOT

LAYERS = (
    {"errors", "graph_tools", "verifier"},
    {"processes", "registry"},
    {"open_game"},
    {"questions"},
    {"modeling", "hub_graph", "formats", "checker", "graphs"},
    {"encodings", "algorithms", "backends", "reductions", "families", "graph_files"},
    {"methods", "certificates"},
    {"portfolio"},
    {"pipeline", "exports"},
    {"experiments", "counting", "hamilton", "odds", "benchmarks", "catalogue", "models"},
    {"puzzles", "agents"},
    {"service"},
    {"cli"},
)

SERVICE = (
    {"job", "logs", "problems", "settings"},
    {"journal"},
    {"stores"},
    {"reading"},
    {"messages"},  # what goes in and out
    {"handlers"},
    {"jobs"},
    {"api"},
)
"""The layers inside ``service``, by folders, and by modules that lie lower than their folder."""


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "encodings" if parts[0] == "encodings" else parts[1]
