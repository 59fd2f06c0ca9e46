"""The public names, which are loaded on first use, and where they are defined."""

from .booklet import booklet as booklet
from .making import Puzzle as Puzzle
from .making import puzzle as puzzle
from .reasoning import Difficulty as Difficulty
from .reasoning import Hint as Hint
from .reasoning import Level as Level
from .reasoning import Reasoner as Reasoner
