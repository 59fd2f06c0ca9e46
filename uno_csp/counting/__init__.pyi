"""The public names, which are loaded on first use, and where they are defined."""

from .answering import METHODS as METHODS
from .answering import CountAnswer as CountAnswer
from .answering import count as count
from .answering import plays as plays
from .answering import sample as sample
