"""Questions that fall into pieces: how the time is shared."""

import pytest

from uno_csp import Answer, Longest, Status
from uno_csp.pipeline.pieces import answer_pieces
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Instance
from uno_csp.reductions.splitting import split


def test_each_piece_has_a_share_of_the_time_by_its_number_of_cards() -> None:
    large = tuple((0, number, number) for number in range(30))
    small = tuple((group, 100 + number, 100 + number) for group in (1, 2) for number in range(5))
    found = split(Longest((*large, *small)))
    assert found is not None
    shares: list[tuple[int, float]] = []

    def run(piece: Instance, share: Deadline, _listener: ProgressListener | None) -> Answer:
        shares.append((len(piece.cards), share.left_s))
        return Answer(piece.question, Status.UNKNOWN)

    answer_pieces(found, run, Deadline.after(4000.0), None, None)
    sizes = [size for size, _ in shares]
    assert sizes == sorted((len(piece.cards) for piece in found.pieces), reverse=True)
    for number, (size, share_s) in enumerate(shares):
        assert share_s == pytest.approx(4000.0 * size / sum(sizes[number:]), abs=60.0)
