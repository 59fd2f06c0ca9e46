"""The names of the package, which load pydantic, and where they are defined."""

from .cooperative import Cooperative
from .fill_in import FillIn
from .instance import Expected, HandsOfPlayers, Instance, OneHand, Sense, require_question
from .longest import Longest
from .open_game import OpenGame
from .question_types import HandQuestion, question_types
from .uncooperative import Convention, Uncooperative
from .uno1 import Uno1

__all__ = [
    "Convention",
    "Cooperative",
    "Expected",
    "FillIn",
    "HandQuestion",
    "HandsOfPlayers",
    "Instance",
    "Longest",
    "OneHand",
    "OpenGame",
    "Sense",
    "Uncooperative",
    "Uno1",
    "question_types",
    "require_question",
]
