"""Notes on a question that is right as it stands, but may mean another one."""

from collections.abc import Iterator

from uno_csp.formats.card_values import find_hidden_wild, find_slip
from uno_csp.formats.questions import misspelt
from uno_csp.questions import Instance
from uno_csp.questions.fields import card_lists, place_of


def notes_on(question: Instance) -> Iterator[str]:
    """Yield a note for cards of values that read like official ones, or look like other cards.

    In a text they are errors; JSON and Python take every value as it is. The cards of an open game
    are official ones, which it requires.

    >>> from uno_csp import Uno1
    >>> next(notes_on(Uno1((("pink", 5), ("Pink", 7)))))
    'cards[1]: value 1, "Pink", looks like "pink"'
    """
    if not question.by_attributes:
        return
    for place, code in misspelt(question):
        yield f"{place} is a card of values; not {code}"
    for name, cards in card_lists(question):
        slip = find_slip(cards) or find_hidden_wild(cards)
        if slip is not None:
            index, message = slip
            yield f"{place_of(type(question), name, index)}: {message}"
