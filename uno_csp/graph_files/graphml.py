"""Reader of GraphML, by the XML parser of Python."""

from collections.abc import Iterator
from xml.parsers import expat

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import Draft, ReadGraph, Reading, error_at, named
from uno_csp.graph_files.names import require_apart, require_visible

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_WITHIN = {
    "": ("graphml",),
    "graphml": ("key", "data", "desc", "graph"),
    "graph": ("node", "edge", "data", "desc"),
    "node": ("data", "desc", "port"),
    "edge": ("data", "desc"),
}
"""The elements that may stand in an element; what stands in others is not looked at."""


def read_graphml(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graphs of a GraphML file, which must be undirected and simple."""
    document = _Document(reading)
    try:
        document.parser.Parse(text, True)
    except expat.ExpatError as error:
        words = expat.ErrorString(error.code)
        raise error_at(
            error.lineno, f"column {error.offset + 1}: it is not GraphML: {words}"
        ) from None
    yield from document.graphs


class _Document:
    """Parser of a GraphML file, with the graphs read so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.graphs: list[ReadGraph] = []
        self.path = [""]
        self.skipped = 0
        self.draft = Draft(reading)
        self.edges: list[tuple[str, str, int]] = []
        self.stated: dict[str, str] = {}
        self.default: str | None = None
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype

    @property
    def line(self) -> int:
        """Number of the line that is read."""
        return self.parser.CurrentLineNumber

    def _doctype(self, *_declared: object) -> None:
        raise error_at(self.line, "a document type is not read; GraphML has a schema")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        allowed = _WITHIN.get(self.path[-1])
        if self.skipped or allowed is None:
            self.skipped += 1
            return
        space, _, name = tag.rpartition(" ")
        if name not in allowed or not space.startswith(_NAMESPACE if space else ""):
            raise self._element_error(name)
        self.path.append(name)
        if name == "graph":
            self._begin(attributes)
        elif name == "node":
            vertex = self._attribute(attributes, "id")
            require_visible(vertex, self.line)
            self.draft.declare(vertex, self.line)
        elif name == "edge":
            self._join(attributes)

    def _element_error(self, name: str) -> InstanceError:
        inside, shown = self.path[-1], named(name)
        if name == "graph" and inside != "graphml":
            return error_at(self.line, "a graph within a graph is not read")
        if not inside:
            return error_at(self.line, f"it is not GraphML: it begins with <{shown}>")
        return error_at(self.line, f"<{shown}> is not read in <{inside}>")

    def _attribute(self, attributes: dict[str, str], key: str) -> str:
        if key not in attributes:
            raise error_at(self.line, f"<{self.path[-1]}> has no {key}")
        return attributes[key]

    def _begin(self, attributes: dict[str, str]) -> None:
        self.draft, self.edges, self.stated = Draft(self.reading), [], attributes
        self.default = self._attribute(attributes, "edgedefault")
        if self.default not in ("directed", "undirected"):
            wrong = named(self.default)
            raise error_at(
                self.line, f"edgedefault: {wrong} is not allowed; expected directed or undirected"
            )

    def _join(self, attributes: dict[str, str]) -> None:
        ends = (self._attribute(attributes, "source"), self._attribute(attributes, "target"))
        if attributes.get("directed", str(self.default == "directed").lower()) != "false":
            self.draft.directed(self.line, "an edge with a direction")
        self.edges.append((*ends, self.line))

    def _end(self, _tag: str) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        if self.path.pop() == "graph":
            for one, other, line in self.edges:
                self.draft.join(one, other, line)
            for what, size in (("nodes", len(self.draft.place)), ("edges", self.draft.listed)):
                if self.stated.get(f"parse.{what}", str(size)) != str(size):
                    raise error_at(self.line, f"parse.{what} is not {size}, the number of {what}")
            require_apart(map(str, self.draft.place), strict=False)
            self.graphs.append(self.draft.finish("GraphML"))

    def _text(self, data: str) -> None:
        if not self.skipped and self.path[-1] in _WITHIN and not data.isspace():
            raise error_at(self.line, f"text in <{self.path[-1]}>: {named(data.strip())}")
