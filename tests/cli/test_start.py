"""Imports of the command line: no more than a command needs."""

import json

import pytest
from click.shell_completion import ShellComplete

from tests.support.running import printed
from uno_csp.cli import COMMANDS, cli

PROGRAM = """
import contextlib, io, json, sys
from uno_csp.cli import main
heavy, loaded = set(sys.argv[1].split()), []
for arguments in (
    ["--help"], ["--version"], ["completion", "bash"], ["list", "backends"], ["solve", "R5", "R7"]
):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(arguments)
    loaded.append(sorted(heavy & {*sys.modules}))
print(json.dumps(loaded))
"""

SOLVERS = (
    "numba numpy scipy networkx igraph rustworkx matplotlib ortools pulp highspy clingo pandas"
)
LIGHT = "pydantic rich jinja2 asyncio psutil uno_csp.encodings.hub_trail"


def test_a_command_loads_what_it_needs() -> None:
    *light, listed, solved = json.loads(printed(PROGRAM, f"{SOLVERS} {LIGHT}"))
    assert light == [[], [], []]
    assert not {*listed, *solved} & {*SOLVERS.split()}
    assert "pydantic" in solved


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_help_of_its_line_in_the_overview(name: str) -> None:
    with cli.make_context("uno-csp", [name], resilient_parsing=True) as context:
        command = cli.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(200) == COMMANDS[name]
        assert f"{name} " in cli.get_help(context)


def test_commands_and_options_are_completed() -> None:
    completion = ShellComplete(cli, {}, "uno-csp", "_UNO_CSP_COMPLETE")
    found = {item.value: item.help for item in completion.get_completions([], "s")}
    assert found == {name: COMMANDS[name] for name in ("sample", "serve", "solve")}
    assert "--version" in [item.value for item in completion.get_completions([], "--")]
    options = [item.value for item in completion.get_completions(["solve"], "--time")]
    assert options == ["--time-limit"]
    named = completion.get_completions(["solve", "x", "--backend"], "cp")
    assert [item.value for item in named] == ["cp-sat"]
