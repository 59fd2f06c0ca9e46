"""Questions on the command line: a file, or the cards of a hand."""

from collections.abc import Sequence
from pathlib import Path

import click

from uno_csp.formats import parse_file
from uno_csp.formats.lookalikes import find_slip
from uno_csp.formats.questions import STDIN
from uno_csp.formats.typed_cards import cards_of_words
from uno_csp.questions import Instance, Uno1, codes
from uno_csp.questions.fields import card_lists, place_of


def asked(words: Sequence[str]) -> Instance:
    """The question in a file, or whether the hand of some cards can be discarded.

    One word is a file unless it is a card: a file of that name is asked for as ``./R5``.

    Raises
    ------
    InstanceError
        When it cannot be read, or a word is no card.
    """
    if not "".join(words).strip():
        raise click.UsageError("a question is a file, or cards such as R5 R7 B7")
    files = [word for word in words if word == STDIN or (word and Path(word).exists())]
    if len(words) == 1 and (files or not _are_cards(words[0])):
        question = parse_file(words[0])
        _note_slips(question)
        return question
    if files:
        raise click.UsageError(f"{files[0]} is a file; one question is answered at a time")
    return Uno1(tuple(cards_of_words(words, "cards")))


def _are_cards(word: str) -> bool:
    """Whether it begins with a card, or has several parts and nothing of a path or of JSON."""
    first, *more = word.replace(",", " ").split() or [""]
    return codes.typed(first) is not None or (bool(more) and not {*"/\\.{["} & {*word})


def _note_slips(question: Instance) -> None:
    """Say on standard error which values look alike and are two."""
    for place, cards in card_lists(question):
        slip = find_slip(cards)
        if slip is not None:
            index, words = slip
            where = place_of(type(question), place, index)
            click.echo(f"uno-csp: note: {where}: {words}", err=True)
