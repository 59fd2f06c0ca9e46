"""File names of a report, made of titles that may come from anywhere."""

import re
from itertools import count

LONGEST = 100  # maximum length of a name before its number, in characters


class FileNames:
    """File names that are all different, also where case does not count."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, *parts: str) -> str:
        """Return a name made of lower-case ASCII letters, digits and hyphens.

        >>> names = FileNames()
        >>> names.take("cactus", "My SAT+"), names.take("cactus", "my/sat")
        ('cactus-my-sat', 'cactus-my-sat-2')
        """
        plain = (
            re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")[:LONGEST] or "unnamed"
        )
        return new_name(plain, "-{}", self._taken)


def new_name(name: str, behind: str, taken: set[str]) -> str:
    """Return a name that is not taken, with a number behind it if it has to be; it is then taken.

    >>> new_name("a", " ({})", {"a", "a (2)"})
    'a (3)'
    """
    numbered = (name if number == 1 else name + behind.format(number) for number in count(1))
    found = next(each for each in numbered if each not in taken)
    taken.add(found)
    return found
