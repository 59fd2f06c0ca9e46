"""Puzzles: one play, the level by an independent search, and hints that lead to the end."""

import json
import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import uno_csp
from tests.support.running import Capture, Patch, answered, refused, run
from tests.support.tables import table
from uno_csp import CheckFailed, FillIn, InstanceError, NotAccepted, Uno1
from uno_csp.families import puzzle_hands
from uno_csp.processes.deadline import TimeUp
from uno_csp.puzzles import Difficulty, Level, Reasoner, making, puzzle
from uno_csp.questions.cards import Card, matches
from uno_csp.questions.codes import DECK
from uno_csp.questions.wording import describe


def plays(after: Card, cards: tuple[Card, ...]) -> set[tuple[Card, ...]]:
    """All plays of a hand, card by card."""
    if not cards:
        return {()}
    return {
        (card, *rest)
        for at, card in enumerate(cards)
        if matches(after, card)
        for rest in plays(card, cards[:at] + cards[at + 1 :])
    }


def flawed(last: Card, left: Sequence[Card]) -> bool:
    """Return True if a person sees that there is no way on, by the three documented rules."""
    near = [
        [b for j, b in enumerate((*left, last)) if i != j and matches(a, b)]
        for i, a in enumerate(left)
    ]
    if any(not each for each in near) or sum(len(each) == 1 for each in near) > 1:
        return True
    reached, waiting = set[int](), [last]
    while waiting:
        one = waiting.pop()
        for j, other in enumerate(left):
            if j not in reached and matches(one, other):
                reached.add(j)
                waiting.append(other)
    return len(reached) < len(left)


@cache
def depth(last: Card, left: tuple[Card, ...]) -> int | None:
    """The number of cards until a flaw shows; None if there is a play."""
    if not left:
        return None
    if flawed(last, left):
        return 0
    depths = [
        depth(card, left[:at] + left[at + 1 :])
        for at, card in enumerate(left)
        if matches(last, card)
    ]
    if any(each is None for each in depths):
        return None
    return 1 + max((each or 0 for each in depths), default=0)


@pytest.mark.parametrize("seed", range(3))
def test_a_puzzle_has_one_play_and_its_level(seed: int) -> None:
    made = puzzle(random.Random(seed).randint(4, 8), seed=seed)
    hand = made.question
    assert hand.after is not None
    assert plays(hand.after, hand.cards) == {made.solution}
    assert not set(made.question.cards) - set(DECK)
    deepest, wrong = 0, set[tuple[int, Card]]()
    last, left = hand.after, list(hand.cards)
    for step, right in enumerate(made.solution):
        for card in set(left) - {right}:
            if matches(last, card):
                rest = left.copy()
                rest.remove(card)
                found = depth(card, tuple(rest))
                assert found is not None
                deepest = max(deepest, found)
                wrong.add((step, card))
        left.remove(right)
        last = right
    assert made.difficulty.depth == deepest
    assert made.difficulty.wrong == len(wrong)
    assert made.level is (Level.EASY if not deepest else Level.MEDIUM)
    assert puzzle(len(hand.cards), seed=seed) == made  # and the same again


@pytest.mark.parametrize("seed", range(3))
def test_only_one_choice_of_the_missing_cards_will_do(seed: int) -> None:
    missing = seed % 3 + 1
    made = puzzle(random.Random(seed).randint(4, 7), missing=missing, seed=seed)
    question = made.question
    assert isinstance(question, FillIn)
    assert question.supply is not None
    assert question.after is not None
    fitting = {
        tuple(sorted(map(str, some)))
        for size in range(missing + 1)
        for some in combinations(question.supply, size)
        if plays(question.after, (*question.cards, *some))
    }
    assert fitting == {tuple(sorted(map(str, made.missing)))}
    assert len(made.missing) == missing
    assert plays(question.after, made.whole.cards) == {made.solution}
    answer = uno_csp.solve(question)
    assert (answer.objective, answer.checked) == (missing, True)


@pytest.mark.parametrize("level", list(Level))
def test_hints_lead_to_the_end(level: Level) -> None:
    made = puzzle(9, level=level, seed=0)
    assert made.level is level
    reasoner = Reasoner(made.whole)
    played: list[Card] = []
    while len(played) < 9:
        hint = reasoner.hint(played)
        assert hint.card == made.solution[len(played)]
        assert hint.reason
        played.append(hint.card)
    assert reasoner.hint(played).card is None
    assert reasoner.hint(played).reason == "all cards are played"


def test_a_wrong_card_is_taken_back() -> None:
    hand = Uno1((("red", 1), ("red", 2), ("blue", 2), ("blue", 3)), after=("red", 9))
    reasoner = Reasoner(hand)
    assert [hand.cards[at] for at in reasoner.solution] == list(hand.cards)
    hint = reasoner.hint([("red", 2)])
    assert hint.card is None
    assert hint.reason.startswith("take back red 2: ")
    first = reasoner.hint([])
    assert first.card == ("red", 1)
    assert first.reason.startswith("after red 2, ")
    second = reasoner.hint([("red", 1)])
    assert second.reason == "only red 2 matches red 1"
    with pytest.raises(InstanceError, match=r"played\[1\]: blue 3 cannot be played here"):
        reasoner.hint([("red", 1), ("blue", 3)])


def fewest_matches_win(after: Card, cards: Sequence[Card]) -> bool:
    """Return True if always playing a card with the fewest matches can end well."""
    options = [card for card in cards if matches(after, card)]
    left = {card: sum(matches(card, other) for other in cards) for card in options}
    rests = [(card, list(cards)) for card in left if left[card] == min(left.values())]
    for card, rest in rests:
        rest.remove(card)
    return not cards or any(fewest_matches_win(*each) for each in rests)


@pytest.mark.parametrize("cards", [9, 10, 12])
def test_a_hard_puzzle_is_harder_than_a_medium_one(cards: int) -> None:
    medium, hard = (puzzle(cards, level=level, seed=0) for level in ("medium", "hard"))
    assert 1 <= medium.difficulty.depth <= 3 < hard.difficulty.depth
    assert medium.difficulty.lured == 0 < hard.difficulty.lured
    for made in (medium, hard):
        assert made.question.after is not None
        assert plays(made.question.after, made.question.cards) == {made.solution}
    assert hard.question.after is not None
    assert not fewest_matches_win(hard.question.after, hard.question.cards)


def test_the_largest_of_each_level_are_made() -> None:
    for level, cards in (("easy", 10), ("medium", 13)):
        made = puzzle(cards, level=level, seed=1)
        assert uno_csp.count(made.question).objective == 1
        assert len(made.solution) == cards
    assert len(puzzle(7, level="easy", missing=3, seed=1).solution) == 10


def test_a_level_is_none_between_medium_and_hard() -> None:
    assert [Difficulty(0, 0, depth, lured).level for depth in (0, 3, 4) for lured in (0, 1)] == [
        Level.EASY,
        Level.EASY,
        Level.MEDIUM,
        None,
        None,
        Level.HARD,
    ]


@pytest.mark.parametrize(("level", "cards"), [("easy", 7), ("medium", 9), ("hard", 11)])
def test_the_puzzle_of_a_day_stays_the_same(level: str, cards: int) -> None:
    made = puzzle(cards, level=level, seed=20261201)
    codes = " ".join(map(describe, made.question.cards))
    assert [describe(made.question.after or ()), codes] == table("puzzles", "of a day")[level]


@pytest.mark.parametrize(("arguments", "message"), table("puzzles", "wrong arguments"))
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        puzzle(**arguments)


def test_what_cannot_be_made_is_said(monkeypatch: Patch) -> None:
    monkeypatch.setattr(puzzle_hands, "WIDTHS", (1,))
    with pytest.raises(NotAccepted, match="no puzzle of 12 cards at level hard was found"):
        puzzle(12, level="hard")
    with pytest.raises(InstanceError, match="a card on the pile"):
        Reasoner(Uno1((("red", 1),)))
    with pytest.raises(NotAccepted, match="up to 30 cards"):
        Reasoner(Uno1((("red", 1),) * 31, after=("red", 1)))
    with pytest.raises(NotAccepted, match="no solution"):
        _ = Reasoner(Uno1((("red", 1),), after=("blue", 2))).solution
    with pytest.raises(NotAccepted, match="no solution"):
        Reasoner(Uno1((("red", 1),), after=("blue", 2))).hint([])
    alike = Uno1(tuple(("red", number % 3) for number in range(30)), after=("red", 1))
    with pytest.raises(TimeUp):
        Reasoner(alike, time_limit_s=0.001).hint([])


def test_two_ways_to_find_the_answer_are_compared(monkeypatch: Patch) -> None:
    def none(asked: Any) -> Any:
        return [] if isinstance(asked, FillIn) else uno_csp.plays(asked)

    for missing, found, said in (
        (0, lambda _: iter([()]), "the count and the list of plays differ"),
        (1, none, "the missing cards are not the only ones that fit"),
    ):
        monkeypatch.setattr(making, "plays", found)
        with pytest.raises(CheckFailed, match=said):
            puzzle(5, missing=missing, seed=1)


def test_a_booklet_has_puzzles_and_solutions(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "booklet"
    assert (
        answered(0, f"puzzle --cards 6 --count 3 --seed 5 --to {folder}")
        == f"3 puzzles in {folder}\n"
    )
    made = json.loads((folder / "puzzles.json").read_text())
    assert [each["seed"] for each in made] == [5, 6, 7]
    page = (folder / "booklet.html").read_text()
    assert page.count('class="puzzle"') == 3
    assert page.count("<li>") == 3
    assert uno_csp.count(json.dumps(made[0]["question"])).objective == 1
    asked = ("puzzle", "--cards", "6", "--missing", "2", "--count", "2", "--to", str(folder))
    assert run(*asked) == 0
    page = (folder / "booklet.html").read_text()
    assert page.count("2 cards are missing. They are among these:") == 2
    (tmp_path / "file").write_text("")
    assert "file" in refused("puzzle", "--cards", "5", "--to", str(tmp_path / "file"))
    capsys.readouterr()
    assert json.loads(answered(0, f"puzzle --cards 5 --to {folder} --format json")) == {
        "puzzles": 1,
        "folder": str(folder),
    }
    (folder / "puzzles.json").write_text("mine")
    assert "puzzles.json is there, and not of an older booklet" in refused(
        f"puzzle --cards 5 --to {folder}"
    )
    assert (folder / "puzzles.json").read_text() == "mine"


def test_the_command_shows_a_puzzle() -> None:
    lines = answered(0, "puzzle --cards 6 --seed 1 --solution").splitlines()
    assert lines[0].startswith("seed 1, ")
    assert lines[1].startswith("after ")
    assert sorted(lines[2].replace("]", "[").split("[")) == sorted(
        lines[4].replace("]", "[").split("[")
    )
    assert (
        json.loads(answered(0, "puzzle --cards 6 --seed 1 --format json"))["question"]["question"]
        == "uno-1"
    )
    lines = answered(0, "puzzle --cards 6 --missing 1 --seed 1").splitlines()
    assert lines[3] == "1 card is missing, among these"
    assert lines[4].count("[") == 6
