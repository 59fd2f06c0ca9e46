"""Certificates by groups of cooperative play that is too large for its rules step by step."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from tests.support.brute_force_games import cooperative
from tests.support.certifying import changed
from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.tables import table
from uno_csp import Cooperative, certify, solve
from uno_csp.certificates.groups import find_groups
from uno_csp.formats import question_to_dict
from uno_csp.questions.cards import Card
from uno_csp.verifier.cards import Question
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import Refused


def deal(*more: Card, cards: int = 52, values: int = 25, **given: Any) -> Cooperative:
    """Two random hands, and some more cards of player 1."""
    rng = random.Random(cards)
    first, second = (
        tuple((rng.randrange(values), rng.randrange(values)) for _ in range(cards))
        for _ in range(2)
    )
    return Cooperative(((*first, *more), second), **given)


@pytest.mark.parametrize(("more", "given"), table("certificates", "cards that nothing matches"))
def test_a_card_that_nothing_matches_is_a_certified_no(
    more: list[list[Any]], given: dict[str, Any], tmp_path: Path
) -> None:
    asked = deal(*map(tuple, more), **given)
    answer = solve(asked, time_limit_s=200)
    certificate = certify(asked, answer, tmp_path).certificate or {}
    assert (certificate["certified"], certificate["kind"]) == (True, "groups"), certificate
    assert "player 1 can" in verify(tmp_path)[0]


def test_small_games_are_refuted_step_by_step(tmp_path: Path) -> None:
    asked = Cooperative((((1, 1), (2, 2)), ((1, 3), (4, 4))))
    certificate = certify(asked, solve(asked), tmp_path).certificate or {}
    assert certificate["kind"] == "refutation"


@examples(300)
@given(questions("cooperative"))
def test_what_falls_into_groups_cannot_be_played(asked: Cooperative) -> None:
    question = Question(question_to_dict(asked))
    assume(not question.partly and len(asked.hands) > 1)
    if find_groups(question, question.wilds + 1) is not None:
        assert not cooperative(asked.hands, asked.at_least, asked.after)


def test_groups_that_player_1_need_not_enter_do_not_count(tmp_path: Path) -> None:
    dealt = deal((97, 98))
    first, second = dealt.hands
    asked = Cooperative((first, (*second, (95, 96))))
    certify(asked, solve(asked), tmp_path)
    groups = json.loads((tmp_path / "reason.json").read_text())["groups"]
    alone = [len(first) - 1]
    others = [group for group in groups if group != alone]
    for number, (removed, forged, needs) in enumerate(
        (
            (alone, others, [1, 0]),
            ([], [[*others[0], *alone], *others[1:]], [1, 0]),
            ([], groups, [1] * len(groups)),
        )
    ):
        reason = {"removed": removed, "groups": forged, "needs": needs}
        changed(tmp_path, "reason.json", lambda _, new=reason: json.dumps(new))  # type: ignore[misc]
        said = "bad needs" if number == 2 else "a need of"
        with pytest.raises(Refused, match=said):
            verify(tmp_path)
