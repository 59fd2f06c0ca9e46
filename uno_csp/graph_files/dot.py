"""Reader of DOT, the language of Graphviz: vertices, edges in chains, and attributes."""

import re
from collections.abc import Iterator
from itertools import pairwise

from uno_csp.graph_files.drafts import Draft, ReadGraph, Reading, Token, error_at, named, tokens_of
from uno_csp.graph_files.names import require_apart, require_visible

_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|(?m:^\#[^\n]*)                    # between tokens
    |(?P<edge>--|->)
    |(?P<sign>[{}\[\]=;,:+])
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<word>[^\W\d]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))(?![\w.])""",
    re.VERBOSE | re.DOTALL,
)
_DEFAULTS = ("graph", "node", "edge")  # they begin statements of attributes
_END: Token = ("end", "the end of the text", 0)


def read_dot(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graphs of a DOT text, which have no subgraphs; attributes are not looked at."""
    tokens = _Tokens(text)
    while tokens.next != _END:
        yield _graph(tokens, Draft(reading))


class _Tokens:
    """The tokens of a text, of which the next one is known."""

    def __init__(self, text: str) -> None:
        self._rest = tokens_of(text, _TOKEN, "begins no part of DOT")
        self.next = next(self._rest, _END)

    def take(self, *expected: str) -> Token:
        """Return the next token; raise InstanceError unless it is one of those expected."""
        kind, word, line = found = self.next
        if expected and kind not in expected and word.casefold() not in expected:
            wanted = "a name" if "word" in expected else " or ".join(expected)
            raise error_at(line or None, f"expected {wanted}, not {named(word)}")
        self.next = next(self._rest, _END)
        return found

    def skip(self, *words: str) -> bool:
        """Take the next token if it is one of some words, and return True if it was."""
        found = self.next[0] != "string" and self.next[1].casefold() in words
        if found:
            self.take()
        return found


def _graph(tokens: _Tokens, draft: Draft) -> ReadGraph:
    tokens.skip("strict")
    _, word, line = tokens.take("graph", "digraph")
    joint = "->" if word.casefold() == "digraph" else "--"
    if joint == "->":
        draft.directed(line, "digraph")
    if tokens.next[1] != "{":
        _name(tokens)
    tokens.take("{")
    while not tokens.skip("}"):
        _read_statement(tokens, draft, joint)
    require_apart(map(str, draft.place), strict=False)
    return draft.finish("DOT")


def _read_statement(tokens: _Tokens, draft: Draft, joint: str) -> None:
    """Read a vertex, a chain of edges, an attribute, or defaults of attributes."""
    line = tokens.next[2]
    if not tokens.skip(*_DEFAULTS):
        ends = [_name(tokens)]
        if tokens.skip("="):
            _name(tokens)
            tokens.skip(";")
            return
        while tokens.next[0] == "edge":
            tokens.take(joint)
            ends.append(_name(tokens))
        for end in ends:
            require_visible(end, line)
            draft.add(end, line)
        for one, other in pairwise(ends):
            draft.join(one, other, line)
    while tokens.skip("["):
        while not tokens.skip("]"):
            _name(tokens)
            tokens.take("=")
            _name(tokens)
            tokens.skip(";", ",")
    if tokens.next[1] == ",":
        raise error_at(tokens.next[2], "a list of vertices with commas is not read")
    tokens.skip(";")


def _name(tokens: _Tokens) -> str:
    """Return the next name, a word or a string, whose parts ``+`` joins; a port is an error."""
    if tokens.next[1] in ("{", "subgraph"):
        raise error_at(tokens.next[2], "a subgraph is not read")
    kind, word, line = tokens.take("word", "string")
    if kind == "word":
        if tokens.next[1] == ":":
            raise error_at(line, f"{named(word)} has a port, which is not read")
        return word
    name = _text_of(word)
    while tokens.skip("+"):
        name += _text_of(tokens.take("string")[1])
    return name


def _text_of(string: str) -> str:
    return string[1:-1].replace('\\"', '"').replace("\\\n", "")
