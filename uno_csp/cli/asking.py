"""Questions on the command line: a file, or the cards of one or several hands."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from uno_csp.cli.choices import AFTER, NameChoice, option
from uno_csp.cli.output import complain
from uno_csp.errors import InstanceError
from uno_csp.formats import parse, read_text
from uno_csp.formats.notes import notes_on
from uno_csp.formats.questions import parse_text, reads_as_table
from uno_csp.formats.text import STDIN
from uno_csp.formats.typed_cards import BETWEEN_HANDS, card_of_words, cards_of_words, split_hands
from uno_csp.questions import Convention, Instance, Uno1, question_types
from uno_csp.questions.codes import all_official, canonical, counted_cards

TYPED = tuple(name for name in question_types() if name != "open-game")
"""Kinds of question that typed cards can ask; the real game needs more than cards."""

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def question_options(command: CommandT) -> CommandT:
    """Add the options ``--question`` and ``--after``, which apply to typed cards."""
    kind = option(
        "--question kind",
        "For typed cards: the kind of question; uno-1 if left out. A slash separates hands.",
        NameChoice(TYPED),
    )
    found: CommandT = kind(AFTER(command))
    return found


def asked(words: Sequence[str], kind: str | None = None, after: str | None = None) -> Instance:
    """Return the question of a file or of typed cards; a file named like a card is ``./R5``."""
    if not "".join(words).strip():
        raise click.UsageError("a question is a file, or cards such as R5 R7 B7")
    file = next((word for word in words if _is_file(word, alone=len(words) == 1)), None)
    if file is None:
        return _read_typed(words, kind or Uno1.question, after)
    if len(words) > 1:
        raise click.UsageError(f"{file} is a file; one question is answered at a time")
    if kind is not None or after is not None:
        raise click.UsageError(f"--question and --after are for typed cards; {file} is a file")
    text = read_text(file)
    question = parse_text(text, file)
    if reads_as_table(text, file):
        complain(f"{file}: read as a table: {counted_cards(question.cards)}")
    for note in islice(notes_on(question), 1):
        complain(f"note: {note}")
    return question


def _is_file(word: str, *, alone: bool) -> bool:
    """Return True if a word names an existing file or, as the only word, looks like a path."""
    if word == STDIN:
        return True
    if not word.strip() or all(map(canonical, filter(None, word.split(BETWEEN_HANDS)))):
        return False
    return Path(word).exists() or (alone and bool({*"/\\.{"} & {*word.replace(" / ", "")}))


def _read_typed(words: Sequence[str], kind: str, after: str | None) -> Instance:
    given: dict[str, Any] = {}
    if after is not None:
        if "after" not in keys(kind):
            raise click.UsageError(f"--after does not apply to {kind}")
        given["after"] = card_on_pile(after)
    try:
        held = cards_or_hands(kind, words)
    except InstanceError as error:
        if len(words) == 1 and " " not in words[0]:
            raise InstanceError(f"{error}; and there is no such file") from None
        raise
    return parse({"question": kind, **given, **held})


def keys(kind: str) -> set[str]:
    """Return the keys of a kind of question."""
    return {each.name for each in fields(question_types()[kind])}


def card_on_pile(text: str) -> Any:
    """Return the card that a person typed for the pile; raise InstanceError if it is not one."""
    return card_of_words(text.split(), "after")


def cards_or_hands(kind: str, words: Sequence[str]) -> dict[str, Any]:
    """Return typed cards as ``cards`` or ``hands``, official ones with the game's convention."""
    if "hands" not in keys(kind):
        if any(BETWEEN_HANDS in word for word in words):
            several = ", ".join(name for name in TYPED if "hands" in keys(name))
            raise click.UsageError(
                f"{kind} has one hand; {BETWEEN_HANDS} separates the hands of {several}"
            )
        return {"cards": cards_of_words(words, "cards")}
    parts = enumerate(split_hands(words))
    hands = tuple(cards_of_words(part, f"hands[{i}]") for i, part in parts)
    if "convention" in keys(kind) and all_official(chain(*hands)):
        return {"hands": hands, "convention": str(Convention.EMPTY_HAND_WINS)}
    return {"hands": hands}
