"""Questions on the command line: a file, or the cards of a hand or of several."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click

from uno_csp.cards import Card
from uno_csp.cli.choices import Choice
from uno_csp.errors import InstanceError
from uno_csp.formats import parse, read_text
from uno_csp.formats.lookalikes import find_slip
from uno_csp.formats.questions import STDIN, parse_text
from uno_csp.formats.tables import rows_of
from uno_csp.formats.typed_cards import cards_of_words, the_only
from uno_csp.questions import Convention, Instance, Uno1, codes, question_types
from uno_csp.questions.codes import all_official
from uno_csp.questions.fields import card_lists, place_of

BETWEEN_HANDS = "/"
TYPED = tuple(name for name in question_types() if name != "open-game")
"""The questions that can be asked of typed cards; the real game needs more than cards."""

SHOWN_CHARS = 100_000
"""Of a longer text only some cards are shown anyway."""

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def question_options(command: CommandT) -> CommandT:
    """Add the options that say what is asked of typed cards."""
    after = click.option(
        "--after", metavar="CARD", help="Of typed cards: a card that lies on the discard pile."
    )
    kind = click.option(
        "--question",
        "kind",
        type=Choice(TYPED),
        help="What is asked of typed cards; uno-1 when left out. A slash separates hands.",
    )
    return kind(after(command))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and how many of its wild cards were given as wild draw-fours, for people."""

    instance: Instance
    draw_fours: int = 0


def asked(words: Sequence[str], kind: str | None = None, after: str | None = None) -> Asked:
    """Return the question in a file, or about typed cards.

    One word is a file unless it is a card: a file of that name is asked for as ``./R5``.

    Parameters
    ----------
    words
        The name of a file, or cards.
    kind, after
        The question that is asked of cards, and the card they are played on.

    Raises
    ------
    InstanceError
        When it cannot be read, or a word is no card.
    """
    if not "".join(words).strip():
        raise click.UsageError("a question is a file, or cards such as R5 R7 B7")
    file = next((word for word in words if _is_file(word, alone=len(words) == 1)), None)
    if file is None:
        return _typed(words, kind or Uno1.question, after)
    if len(words) > 1:
        raise click.UsageError(f"{file} is a file; one question is answered at a time")
    if kind is not None or after is not None:
        raise click.UsageError(f"--question and --after are for typed cards; {file} says both")
    text = read_text(file)
    question = parse_text(text, file)
    _note_slips(question)
    return Asked(question, _draw_fours_of(text))


def _draw_fours_of(text: str) -> int:
    """Return the number of wild draw-fours in a question's text; 0 for a large text."""
    if len(text) > SHOWN_CHARS:
        return 0
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return draw_fours(card for _, cards in rows_of(text) for card in cards)
    told = json.loads(text.removeprefix("\ufeff"))
    cards = chain(told.get("cards", ()), *told.get("hands", ()))
    return sum(card == "+4" for card in cards)


def draw_fours(cards: Iterable[Card]) -> int:
    """Return the number of cards that were read from the code of the wild draw-four."""
    return sum(card is codes.DRAW_FOUR for card in cards)


def _is_file(word: str, *, alone: bool) -> bool:
    """Return True if a word names a file; alone, also one that is not there."""
    if word == STDIN:
        return True
    if not word.strip() or word == BETWEEN_HANDS or codes.typed(word) is not None:
        return False
    return Path(word).exists() or (alone and bool({*"/\\.{"} & {*word}))


def _typed(words: Sequence[str], kind: str, after: str | None) -> Asked:
    given: dict[str, Any] = {}
    if after is not None:
        if "after" not in keys(kind):
            raise click.UsageError(f"--after means nothing for {kind}")
        given["after"] = card_on_pile(after)
    try:
        held = cards_or_hands(kind, words)
        fours = draw_fours(chain(held.get("cards", ()), *held.get("hands", ())))
        return Asked(parse({"question": kind, **given, **held}), fours)
    except InstanceError as error:
        if len(words) == 1 and codes.typed(words[0]) is None and " " not in words[0]:
            raise InstanceError(f"{error}; and there is no such file") from None
        raise


def keys(kind: str) -> set[str]:
    """Return the keys of a kind of question."""
    return {each.name for each in fields(question_types()[kind])}


def card_on_pile(text: str) -> Any:
    """Return the card that a person typed for the pile.

    Raises
    ------
    InstanceError
        When it is none, or there are several.
    """
    return the_only(cards_of_words(text.split(), "after"), "after")


def cards_or_hands(kind: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the key of a question that typed cards belong to, with them.

    Hands of official cards are played for an empty hand, as people do, and others by the theorem.

    Raises
    ------
    InstanceError
        When a word is no card.
    """
    if "hands" not in keys(kind):
        if BETWEEN_HANDS in words:
            several = ", ".join(name for name in TYPED if "hands" in keys(name))
            raise click.UsageError(
                f"{kind} has one hand; {BETWEEN_HANDS} separates those of {several}"
            )
        return {"cards": tuple(cards_of_words(words, "cards"))}
    parts = enumerate(parted(words))
    hands = tuple(tuple(cards_of_words(part, f"hands[{i}]")) for i, part in parts)
    if "convention" in keys(kind) and all_official(chain(*hands)):
        return {"hands": hands, "convention": str(Convention.EMPTY_HAND_WINS)}
    return {"hands": hands}


def parted(words: Sequence[str]) -> list[list[str]]:
    """Return the words of each hand."""
    hands: list[list[str]] = [[]]
    for word in words:
        if word == BETWEEN_HANDS:
            hands.append([])
        else:
            hands[-1].append(word)
    return hands


def _note_slips(question: Instance) -> None:
    """Say on standard error which values look alike and are two."""
    for place, cards in card_lists(question):
        slip = find_slip(cards)
        if slip is not None:
            index, words = slip
            where = place_of(type(question), place, index)
            click.echo(f"uno-csp: note: {where}: {words}", err=True)
