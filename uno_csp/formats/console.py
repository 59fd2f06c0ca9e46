"""Answers for people and for the conventions of solver competitions."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from uno_csp.cards import Card
from uno_csp.formats.answers import Answer, Status
from uno_csp.instances import Instance, describe

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_CARDS = 60
"""A longer sequence is cut in the human output; JSON has it whole."""

_STYLES = {
    "red": "bold white on red3",
    "yellow": "bold black on gold1",
    "green": "bold white on green4",
    "blue": "bold white on dodger_blue3",
    "wild": "bold white on grey19",
}
_HEADLINES = {
    Status.SATISFIABLE: ("YES", "bold green", "the whole hand can be discarded"),
    Status.UNSATISFIABLE: ("NO", "bold red", "the whole hand cannot be discarded"),
    Status.UNKNOWN: ("UNKNOWN", "bold yellow", "no answer was found"),
}


def human(instance: Instance, answer: Answer) -> "Text":
    """The answer as coloured text; without a terminal the colours fall away."""
    from rich.text import Text

    word, style, meaning = _HEADLINES[answer.status]
    text = Text.assemble((word, style), f"  {meaning} ({_count(instance.cards)})\n")
    if answer.reason:
        text.append(f"{answer.reason}\n")
    if answer.sequence:
        text.append_text(_cards(answer.sequence))
        text.append("\n")
    used = [part for part in (answer.encoding, answer.backend, answer.connectivity) if part]
    how = " + ".join(used) if used else "by " + ", ".join(answer.stats.get("reductions", ()))
    checked = "checked" if answer.checked else "no witness to check"
    text.append(f"{how}, {answer.wall_s:.2f} s, {checked}", "dim")
    return text


def competition(instance: Instance, answer: Answer) -> str:
    """``c``, ``s`` and ``v`` lines; ``v`` has the numbers of the cards, from 1, in order of play.

    Copies of a card are numbered in the order of the question.
    """
    lines = [f"c question {answer.question}, {_count(instance.cards)}"]
    if answer.encoding:
        lines.append(f"c encoding {answer.encoding} backend {answer.backend}")
        lines.append(f"c connectivity {answer.connectivity}")
    if answer.reason:
        lines.append(f"c {answer.reason}")
    lines.append(f"c wall_s {answer.wall_s:.3f}")
    lines.append(f"s {answer.status}")
    if answer.sequence is not None:
        numbers = [*_numbers(instance.cards, answer.sequence), 0]
        width = 15
        rows = (numbers[start : start + width] for start in range(0, len(numbers), width))
        lines.extend("v " + " ".join(map(str, row)) for row in rows)
    return "\n".join(lines)


def _numbers(hand: Iterable[Card], sequence: Iterable[Card]) -> list[int]:
    copies: defaultdict[Card, list[int]] = defaultdict(list)
    for number, card in enumerate(hand, start=1):
        copies[card].append(number)
    for numbers in copies.values():
        numbers.reverse()
    return [copies[card].pop() for card in sequence]


def _cards(sequence: tuple[Card, ...]) -> "Text":
    from rich.text import Text

    text = Text()
    for card in sequence[:SHOWN_CARDS]:
        face = describe(card)
        style = _STYLES.get("wild" if face == "wild" else str(card[0]), "reverse")
        text.append(f"[{face}]".replace(" ", "\N{NO-BREAK SPACE}"), style)
        text.append(" ")
    if len(sequence) > SHOWN_CARDS:
        text.append(f"... {len(sequence) - SHOWN_CARDS} more cards; --format json has them all")
    return text


def _count(cards: tuple[Card, ...]) -> str:
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"
