"""Answers as text for people, and in the output format of solver competitions."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import islice

from rich.text import Text

from uno_csp.formats.faces import face
from uno_csp.formats.strategy_text import tell_duel, tell_game
from uno_csp.questions import Instance, Uncooperative
from uno_csp.questions.answers import Answer, Play, Status
from uno_csp.questions.cards import Card, with_copies_left
from uno_csp.questions.codes import count_draw_fours, counted_cards
from uno_csp.questions.wording import counted, describe

SHOWN_CARDS = 60  # maximum number of cards shown of a sequence in the human output; JSON has all
_STYLES = {
    Status.SATISFIABLE: "bold green",
    Status.OPTIMAL: "bold green",
    Status.UNSATISFIABLE: "bold red",
    Status.UNKNOWN: "bold yellow",
}


def human(instance: Instance, answer: Answer) -> Text:
    """Return the answer as coloured text; the last wild cards are the question's draw-fours."""
    fours = count_draw_fours(instance.cards)
    size = counted_cards(instance.cards)
    text = Text.assemble(
        (answer.status.word, _STYLES[answer.status]),
        f"  {answer.meaning or instance.meaning(answer)} ({size})\n",
    )
    if answer.reason:
        text.append(f"{answer.reason}\n")
    if answer.sequence:
        text.append_text(coloured(answer.sequence, answer.added or (), fours))
        text.append("\n")
    if answer.plays:
        text.append_text(_plays(instance, answer.plays, fours))
        text.append("\n")
    if answer.strategy is not None:
        text.append_text(_strategy(instance, answer))
    text.append(f"{answer.how}, {'; '.join(_show(answer))}", "dim")
    return text


def _show(answer: Answer) -> Iterator[str]:
    certificate = answer.certificate or {"certified": False}
    if answer.checked:
        yield "checked"
    elif not certificate["certified"]:
        yield "no witness to check"
    if "path" in certificate and certificate["certified"]:
        yield f"{certificate['summary']} ({certificate['path']})"
    elif "summary" in certificate:
        missing = "no certificate is needed" if certificate["certified"] else "not certified"
        yield f"{missing}: {certificate['summary']}"


def competition(instance: Instance, answer: Answer) -> str:
    """Return the ``c``, ``o``, ``s`` and ``v`` lines of an answer.

    The ``v`` lines hold the card numbers in order of play. Cards are numbered from 1 in the order
    of the question, hand after hand, then the added cards; copies are played by ascending number.
    """
    lines = [f"c question {answer.question}, {counted(len(instance.cards), 'card')}"]
    if answer.method:
        lines.append(f"c method {answer.method}")
        if answer.backend:
            lines[-1] += f" backend {answer.backend}"
            lines.append(f"c connectivity {answer.connectivity}")
    if answer.reason:
        lines.append(f"c {answer.reason}")
    added = answer.added or ()
    for number, card in enumerate(added, start=len(instance.cards) + 1):
        lines.append(f"c added {number} is {describe(card)}")
    if answer.strategy is not None and "open" in answer.strategy:
        lines.append(f"c open with {describe(tuple(answer.strategy['open']))}")
    lines.append(f"c wall_s {answer.wall_s:.3f}")
    if answer.objective is not None:
        lines.append(f"o {answer.objective}")
    if answer.bound is not None and answer.status is Status.UNKNOWN:
        lines.append(f"c bound {answer.bound}")
    lines.append(f"s {'OPTIMUM FOUND' if answer.status is Status.OPTIMAL else answer.status}")
    numbers = _order_of_play(instance, answer)
    width = 15
    rows = (numbers[start : start + width] for start in range(0, len(numbers), width))
    lines.extend("v " + " ".join(map(str, row)) for row in rows)
    return "\n".join(lines)


def _order_of_play(instance: Instance, answer: Answer) -> list[int]:
    """Return the card numbers in order of play, closed by 0; empty if no card is played."""
    if answer.plays is not None:
        played = [(play.player, play.card) for play in answer.plays]
        held = [(player, card) for player, hand in enumerate(instance.hands, 1) for card in hand]
    elif answer.sequence is not None:
        played = [(1, card) for card in answer.sequence]
        held = [(1, card) for card in (*instance.cards, *(answer.added or ()))]
    else:
        return []
    copies: defaultdict[tuple[int, Card], deque[int]] = defaultdict(deque)
    for number, each in enumerate(held, start=1):
        copies[each].append(number)
    return [*(copies[each].popleft() for each in played), 0]


def coloured(sequence: Sequence[Card], added: Sequence[Card] = (), draw_fours: int = 0) -> Text:
    """Return the sequence as text; added cards (the last copies) carry a plus sign."""
    text = Text()
    for card, left in islice(with_copies_left(sequence, added), SHOWN_CARDS):
        text.append("+" if left < 0 else "")
        text.append(*face(card, draws_four=0 <= left < draw_fours))
        text.append(" ")
    return _cut(text, len(sequence))


def _plays(instance: Instance, plays: Sequence[Play], draw_fours: int) -> Text:
    text = Text()
    turn = 1
    cards = with_copies_left([play.card for play in plays])
    for play, (card, left) in zip(plays[:SHOWN_CARDS], cards, strict=False):
        while turn != play.player:
            text.append(f"{turn}:skipped ", "dim")
            turn = turn % len(instance.hands) + 1
        text.append(f"{play.player}:")
        text.append(*face(card, draws_four=left < draw_fours))
        text.append(" ")
        turn = play.player % len(instance.hands) + 1
    return _cut(text, len(plays))


def _strategy(instance: Instance, answer: Answer) -> Text:
    strategy = answer.strategy or {}
    if isinstance(instance, Uncooperative):
        return tell_duel(instance, strategy, wins=answer.status is Status.SATISFIABLE)
    text = tell_game(strategy) if "plays" in strategy else Text()
    if strategy.get("kind") == "positions":
        count = len(strategy["positions"])
        text.append(f"a strategy of {counted(count, 'position')} is in --format json\n")
    return text


def _cut(text: Text, length: int) -> Text:
    if length > SHOWN_CARDS:
        text.append(f"... {length - SHOWN_CARDS} more cards; --format json has them all")
    text.rstrip()
    return text
