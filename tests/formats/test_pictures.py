"""What is drawn in pictures of hands; what they look like is for eyes."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.support import ROOT
from tests.support.drawing import hands
from tests.support.examples import examples
from tests.support.running import Patch
from uno_csp import Answer, BackendUnavailable, Status, Uno1, generate, parse, solve
from uno_csp.formats.pictures import MANY_CARDS, _draw_figure, draw
from uno_csp.formats.pictures.steps import steps_of, visits, walks
from uno_csp.formats.pictures.style import own_style
from uno_csp.questions import Instance
from uno_csp.questions.cards import hubs


def texts(axes: Any) -> list[str]:
    return [each.get_text() for each in axes.texts]


def drawn(instance: Instance) -> Any:
    return _draw_figure(instance, solve(instance))


def test_every_card_is_a_step_once() -> None:
    asked = {"question": "cooperative", "hands": [["R5", "R5"], ["R1", "B7", "R1"], ["G2", "R9"]]}
    game = parse(asked)
    steps = steps_of(game, solve(game))
    held = [(card, f"player {i}") for i, hand in enumerate(game.hands, 1) for card in hand]
    assert sorted((step.card, step.owner) for step in steps) == sorted(held)
    numbers = [step.number for step in steps if step.number]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 2 <= len(numbers) < len(steps)


@examples(25)
@given(hands(wild="universal", max_cards=8))
def test_a_trail_goes_from_hub_to_hub_along_the_cards_played(instance: Uno1) -> None:
    steps = steps_of(instance, solve(instance))
    for walk in walks(steps):
        visited = visits(walk, instance.at_least)
        ends = [{*hubs(step.card, instance.at_least)} for step in walk]
        assert all(
            any({first, second} <= own for own in ends) for first, second in pairwise(visited)
        )
        assert {hub for own in ends for hub in own} >= {*visited}
        at = iter([*visited, *visited[-1:]])
        here = next(at)
        for own in ends:  # no card is off the trail when it is played
            while here not in own:
                here = next(at)


def test_a_small_hand_has_the_numbers_of_its_steps_and_a_row_for_wild_cards() -> None:
    lattice, graph = drawn(parse("R5 R7 B7 BS GS G+2 W W")).axes
    assert sorted(texts(lattice)) == sorted(map(str, range(1, 9)))
    assert "wild" in [tick.get_text() for tick in lattice.get_yticklabels()]
    assert len(lattice.patches) == 7
    dotted = [line for line in graph.lines if line.get_linestyle() == ":"]
    assert len(dotted) == len(walks(steps_of(*answered("R5 R7 B7 BS GS G+2 W W")))) - 1


def answered(cards: str) -> tuple[Instance, Answer]:
    hand = parse(cards)
    return hand, solve(hand)


def test_players_and_added_cards_are_told_apart_by_shape() -> None:
    apart = parse({"question": "fill-in", "cards": ["R5", "R9", "B7", "G2"]})
    legend = drawn(apart).axes[0].get_legend()
    assert [each.get_text() for each in legend.get_texts()] == ["hand", "added"]
    game = parse({"question": "cooperative", "hands": [["R5"], ["R1"], ["G2"]]})
    handles = drawn(game).axes[0].get_legend().get_lines()
    assert len({handle.get_marker() for handle in handles}) == 3
    assert len({handle.get_markerfacecolor() for handle in handles}) == 1


@pytest.mark.parametrize("status", [Status.SATISFIABLE, Status.UNKNOWN])
def test_large_hands_are_densities(status: Status) -> None:
    hand = generate("planted", colours=40, numbers=40, cards=MANY_CARDS + 1)
    answer = solve(hand) if status is Status.SATISFIABLE else Answer("uno-1", status)
    first, second, *_ = _draw_figure(hand, answer).axes
    (mesh,) = first.collections
    assert np.nansum(np.asarray(mesh.get_array())) == MANY_CARDS + 1
    assert len(second.collections) == (status is Status.SATISFIABLE)
    assert not [*first.lines, *second.lines]


def test_large_hands_of_other_cards_are_counted_on_their_hubs() -> None:
    hand = generate("dimensions", dimension=3, values=14, cards=MANY_CARDS + 1)
    (axes,) = _draw_figure(hand, Answer("uno-1", Status.UNKNOWN)).axes
    assert [np.sum(np.asarray(line.get_ydata())) for line in axes.lines] == [MANY_CARDS + 1] * 3


PICTURE = """
import uno_csp
from uno_csp.formats.pictures import draw
hand = uno_csp.parse("R5 R7 B7")
draw(hand, uno_csp.solve(hand), "hand.svg")
"""


def test_settings_of_the_user_do_not_count(tmp_path: Path) -> None:
    hand = parse("R5 R7 B7")
    draw(hand, solve(hand), str(tmp_path / "here.svg"))
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\nbackend: TkAgg\nfont.size: 30\n")
    own = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PICTURE]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **own}, check=True)
    assert (tmp_path / "hand.svg").read_bytes() == (tmp_path / "here.svg").read_bytes()


def test_without_matplotlib_a_picture_names_its_extra(monkeypatch: Patch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BackendUnavailable, match=r"uno-csp\[plots\]"), own_style():
        pass
