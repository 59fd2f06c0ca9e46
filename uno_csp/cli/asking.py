"""Questions on the command line: a file, or the cards of a hand."""

from collections.abc import Sequence
from pathlib import Path

import click

from uno_csp.formats import parse_file
from uno_csp.formats.questions import STDIN
from uno_csp.formats.typed_cards import cards_of_line, cards_of_words
from uno_csp.questions import Instance, Uno1, codes


def asked(words: Sequence[str]) -> Instance:
    """The question in a file, or whether the hand of some cards can be discarded.

    One word is a file, unless it is a card code and there is no such file.

    Raises
    ------
    InstanceError
        When it cannot be read, or a word is no card.
    """
    files = [word for word in words if word == STDIN or Path(word).exists()]
    if len(words) == 1:
        first, *_ = words[0].replace(",", " ").split() or [""]
        if files or codes.typed(first) is None:
            return parse_file(words[0])
        return Uno1(tuple(cards_of_line(words[0])))
    if files:
        raise click.UsageError(f"{files[0]} is a file; one question is answered at a time")
    return Uno1(tuple(cards_of_words(words, "cards")))
