"""``uno-csp generate``: instances of a family, as JSON."""

from typing import Any

import click

from uno_csp.cli.output import print_json
from uno_csp.formats import question_to_dict
from uno_csp.questions import FillIn, Longest, Uno1


class _Families(click.Group):
    """Group with a command per family, built from the family's parameters on first use."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of the families."""
        from uno_csp.families import families

        return list(families())

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return the command of a family; raise UnknownName if there is none."""
        from uno_csp.families import find_family

        family = find_family(name)
        options: list[click.Parameter] = [_option(each) for each in family.parameters.values()]
        if family.seeded:
            options.append(_count("--seed", 0, "Random seed of the instance."))
            options.append(_count("--count", None, "Number of instances, with consecutive seeds."))
        options.append(_count("--shuffle", None, "Seed to permute cards, values, attributes."))
        kinds = click.Choice([each.question for each in (Uno1, FillIn, Longest)])
        text = "Kind of question to ask about a hand; uno-1 if left out."
        options.append(click.Option(["--question"], type=kinds, help=text))
        return click.Command(
            name,
            params=options,
            callback=lambda **given: _generate(name, **given),
            help=_plain((family.make.__doc__ or "").split("Raises\n")[0].strip()),
            short_help=_plain(family.summary),
        )


def _option(parameter: Any) -> click.Option:
    kind: Any = click.Choice(parameter.choices) if parameter.choices else parameter.kind
    flag = f"--{parameter.name.replace('_', '-')}"
    names = [f"{flag}/--no-{flag[2:]}"] if kind is bool else [flag]
    return click.Option(
        [*names, parameter.name],
        type=kind,
        default=parameter.default,
        metavar="N" if kind is int else "X" if kind is float else None,
        help=_plain(f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}."),
    )


def _plain(text: str) -> str:
    """Return a docstring without the marks of code."""
    return text.replace("``", "")


def _count(flag: str, default: int | None, text: str) -> click.Option:
    smallest = 1 if flag == "--count" else 0
    return click.Option(
        [flag], type=click.IntRange(min=smallest), default=default, metavar="N", help=text
    )


def _generate(
    name: str,
    *,
    question: str | None,
    shuffle: int | None,
    seed: int | None = None,
    count: int | None = None,
    **parameters: Any,
) -> None:
    from uno_csp.families import generate
    from uno_csp.families.graph6_files import with_graphs_read

    chosen = with_graphs_read(parameters)
    for offset in range(count or 1):
        drawn = None if seed is None else seed + offset
        instance = generate(name, seed=drawn, question=question, shuffle=shuffle, **chosen)
        print_json(question_to_dict(instance))


generate_command = _Families(
    "generate",
    help="""Make an instance of a family as a question in JSON, with the proved answer if known.

    Example: uno-csp generate random --colours 20 --numbers 20 --cards 60 --seed 7. Each family has
    its own options; see: uno-csp generate FAMILY --help.
    """,
)
