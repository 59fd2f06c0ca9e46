"""Backends whose solvers are Python packages."""

from functools import cache
from importlib.metadata import version
from importlib.util import find_spec

from uno_csp.modeling import Backend


@cache
def has_package(name: str) -> bool:
    """Return True if a package is installed; kept, since a look takes longer than planning."""
    return find_spec(name) is not None


class PackageBackend(Backend):
    """A backend that needs a package: the name of its module and for pip, and what pip takes."""

    package: str
    wanted = ""

    def available(self) -> bool:
        """Return True if the package is installed."""
        return has_package(self.package)

    def install_hint(self) -> str:
        """Return the pip command."""
        return f"pip install {self.wanted or self.package}"

    def version(self) -> str:
        """Return the version of the package."""
        return f"{self.package} {version(self.package)}"
