"""Example requests for the OpenAPI document; a test sends each of them to the server."""

from collections.abc import Mapping
from typing import Any

_HAND = {"question": "uno-1", "cards": ["R5", "R7", "B7"]}
_GAME = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"}


def _example(summary: str, **value: Any) -> dict[str, Any]:
    return {"summary": summary, "value": value}


_QUESTIONS = {
    "uno-1": _example("Can the whole hand be discarded?", instance=_HAND),
    "longest": _example(
        "How many cards can be discarded at most, within ten seconds?",
        instance={"question": "longest", "cards": ["R5", "R7", "B2"]},
        time_limit_s=10,
    ),
    "fill-in": _example(
        "Which cards are missing, if some may be bought?",
        instance={
            "question": "fill-in",
            "cards": ["R5", "B7"],
            "supply": ["R7", "B5", "G1"],
            "costs": [2, 1, 1],
        },
    ),
    "cooperative": _example(
        "Can all players together empty player 1's hand?",
        instance={"question": "cooperative", "hands": [["R5", "R7"], ["B7"]]},
    ),
    "uncooperative": _example(
        "Who wins against everybody?",
        instance={"question": "uncooperative", "hands": [["R5", "R7"], ["B7"]]},
    ),
    "open-game": _example("Who wins the real game with open cards?", instance=_GAME),
    "cards of any kind": _example(
        "Cards with three attributes, and a certificate if the answer is no",
        instance={"question": "uno-1", "cards": [[1, "a", "x"], [2, "b", "y"]]},
        proof=True,
    ),
}

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "solve": _QUESTIONS,
    "create_job": _QUESTIONS,
    "solve_many": {
        "two": _example(
            "Two questions", instances=[_HAND, {"question": "fill-in", "cards": ["R5", "B7"]}]
        )
    },
    "parse_question": {"cards": _example("One card per line", text="red 5\nred 7\nblue 7")},
    "check_answer": {
        "answer": _example(
            "A sequence",
            instance=_HAND,
            answer={"question": "uno-1", "status": "SATISFIABLE", "sequence": ["R5", "R7", "B7"]},
        )
    },
    "export_question": {"dimacs": _example("For a SAT solver", instance=_HAND, to="dimacs")},
    "generate_question": {
        "random": _example("A random hand", family="random", parameters={"cards": 6}, seed=1)
    },
    "analyse_game": {
        "after a turn": _example(
            "After player 1 has played a card", instance=_GAME, plays=[{"draws": 0, "lays": "R5"}]
        )
    },
    "solve_graph": {
        "square": _example("A cycle through four vertices", text="a b\nb c\nc d\nd a\n"),
        "star": _example("The fewest paths", text="x a\nx b\nx c\n", goal="paths"),
    },
    "count_plays": {"hand": _example("All orders of a hand", instance=_HAND)},
    "hint_puzzle": {"start": _example("The first hint", instance={**_HAND, "after": "R1"})},
    "make_puzzle": {"easy": _example("An easy puzzle", cards=7, level="easy", seed=1)},
    "choose_move": {
        "first": _example("The first move of a small game", instance=_GAME, plays=[], deals=1000)
    },
    "review_game": {
        "turn": _example("What the first turn gave away", instance=_GAME, plays=[{"lays": "R7"}])
    },
    "advise_player": {
        "seat": _example(
            "One other hand of two cards", hand=["R5", "B3"], after="R1", others=[2], deals=1000
        )
    },
}
"""Examples by operation id and name."""
