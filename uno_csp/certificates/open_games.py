"""Make certificates of real games: a strategy, one turn for each position that can arise."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uno_csp.certificates.drafts import Draft, certify_draft, to_json
from uno_csp.certificates.refutation import HasSolution, Unproved
from uno_csp.checker.open_game import restate
from uno_csp.open_game.positions import Game, Move, Position
from uno_csp.open_game.search import Unfinished, WinSearch
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.open_game import Goal, OpenGame, start_of
from uno_csp.questions.wording import counted
from uno_csp.verifier.real_games import ORDER, QUESTION, STRATEGY

MOST_TURNS = 1_000_000  # maximum number of turns of a strategy that is written
MOST_SEARCHED = 50_000_000  # maximum number of positions searched for a strategy
COLOUR_LETTERS = "rygb"


def certify_game(
    instance: OpenGame, answer: Answer, target: Path, deadline: Deadline
) -> dict[str, Any]:
    """Write a certificate of who can force what, and return what there is to say of it.

    Player 1's strategy certifies a YES, that of the others a NO. The search is run afresh.
    """
    if instance.goal is not Goal.WIN:
        return {"certified": False, "summary": "there are no certificates of the goal together"}
    wins = answer.status is Status.SATISFIABLE

    def make() -> Draft:
        lines = list(_turns(instance, wins, deadline))
        side = "player 1" if wins else "those who stop player 1"
        words = f"a strategy of {side}, of {counted(len(lines), 'turn')}"
        return Draft("strategy", {STRATEGY: "".join(f"{line}\n" for line in lines)}, words)

    made_by = {"method": answer.method, "backend": answer.backend}
    claim = {"status": str(answer.status), "objective": None, "made_by": made_by}
    report = {"instance": instance.to_dict(), "answer": answer.to_dict()}
    return certify_draft(target, make, claim, {QUESTION: to_json(restate(instance))}, report)


def _turns(instance: OpenGame, wins: bool, deadline: Deadline) -> Iterator[str]:
    """Yield the turns of a strategy in the order in which the verifier asks for them.

    Raises Unproved if there are too many, or the deadline has passed, and HasSolution if the side
    cannot force it.
    """
    game, start = start_of(instance)
    search = WinSearch(game, {0}, start, deadline)
    search.most = MOST_SEARCHED
    waiting, seen, count = [start], {start}, 0
    while waiting:
        position = waiting.pop()
        replies = {text_of(move): outcome for move, outcome in game.moves(position)}
        if (position.player == 0) == wins:
            count += 1
            if count > MOST_TURNS:
                raise Unproved(f"the strategy has more than {MOST_TURNS:,} turns")
            text = _chosen(search, game, position, wins, deadline)
            yield text
            replies = {text: replies[text]}
        for text in sorted(replies):
            outcome = replies[text]
            if isinstance(outcome, tuple) and outcome not in seen:
                seen.add(outcome)
                waiting.append(outcome)


def _chosen(
    search: WinSearch, game: Game, position: Position, wins: bool, deadline: Deadline
) -> str:
    """Return a turn that keeps what the side can force; one that is known to, if there is any."""
    moves = game.moves(position)
    moves.sort(key=lambda each: search.known_to_win(each[1]) is not wins)
    try:
        for move, outcome in moves:
            if search.wins(outcome) is wins:
                return text_of(move)
    except Unfinished:
        late = "the time is up" if deadline.expired else "the search has reached its limit"
        raise Unproved(f"no strategy was found: {late}") from None
    raise HasSolution("no turn keeps what is claimed")


def text_of(move: Move) -> str:
    """Return a turn as a line: the cards drawn, the card laid, the colour named.

    >>> text_of(Move(0, 5, None)), text_of(Move(1, 52, 3)), text_of(Move(2, None, None))
    ('0 r5', '1 *wild b', '2')
    """
    words = [str(move.drawn)]
    if move.kind is not None:
        words.append(ORDER[move.kind])
    if move.colour is not None:
        words.append(COLOUR_LETTERS[move.colour])
    return " ".join(words)
