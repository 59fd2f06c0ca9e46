"""``uno-csp check``."""

from dataclasses import asdict, replace

import click

from uno_csp import checker
from uno_csp.cli.choices import style_of
from uno_csp.cli.output import print_json, print_text
from uno_csp.errors import InstanceError
from uno_csp.formats import Answer, parse_answer, parse_file, read_text
from uno_csp.questions import Instance
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import counted, printable


@click.command(name="check")
@click.argument("file")
@click.argument("answer")
@style_of("verdict")
def check_command(file: str, answer: str, style: str) -> int:
    """Check ANSWER (a JSON answer file) against the question in FILE, independently of the solvers.

    Exit code: 0 valid or nothing to check, 1 not valid, 2 unreadable.
    """
    instance = parse_file(file)
    try:
        claim = parse_answer(read_text(answer))
    except InstanceError as error:
        raise InstanceError(f"{answer}: {str(error).removeprefix(f'{answer}: ')}") from None
    if not claim.question:  # it was not read when the time was over
        claim = replace(claim, question=instance.question)
    violations = checker.check(instance, claim) or _contradictions(instance, claim)
    unchecked = checker.parts_unchecked(claim)
    if style == "json":
        parts = {"checked": checker.part_checked(claim), "unchecked": unchecked}
        found = [*map(asdict, violations)]
        print_json({"valid": not violations, **parts, "violations": found})
    elif violations:
        print_text("\n".join(printable(f"not valid: {each}") for each in violations))
    else:
        rest = f"\nnot checked: {', '.join(unchecked)}" if unchecked else ""
        print_text(f"{_verdict(instance, claim)}{rest}")
    return 1 if violations else 0


def _contradictions(instance: Instance, claim: Answer) -> list[checker.Violation]:
    """Return how an answer contradicts the proved answer in the file of the question."""
    if instance.expected is None:
        return []
    parts = instance.sense, claim.status, claim.objective, claim.bound
    found = instance.expected.contradicted_by(*parts)
    return [checker.Violation("expected", 0, found)] if found else []


def _verdict(instance: Instance, claim: Answer) -> str:
    verdict = _part_verdict(instance, claim)
    if claim.status is Status.OPTIMAL and checker.part_checked(claim) != checker.NOTHING:
        return f"{verdict}; whether there is a better one is not checked"
    return verdict


def _part_verdict(instance: Instance, claim: Answer) -> str:
    if claim.plays is not None:
        return f"valid: player 1's hand is empty first, after {counted(len(claim.plays), 'play')}"
    if claim.sequence is not None:
        added = f", {len(claim.added)} of them added," if claim.added else ""
        played = len(claim.sequence)
        if not instance.whole:
            whole = counted(len(instance.cards), "card")
            return f"valid: the sequence plays {played} of {whole}"
        return f"valid: the sequence of {counted(played, 'card')}{added} plays the whole hand"
    if claim.strategy is not None and claim.strategy.get("kind") == "line":
        return f"valid: after {counted(len(claim.strategy['plays']), 'turn')} player 1 is out"
    if claim.strategy is not None and claim.strategy.get("kind") != "opening":
        return "valid: the strategy wins against every reply"
    return f"nothing to check: {claim.status} carries no witness"
