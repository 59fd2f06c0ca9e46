"""Small changes of Python functions, one node of the syntax tree at a time."""

import ast
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAIRS = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.BitAnd, ast.BitOr),
    (ast.Break, ast.Continue),
)
SWAPS: dict[type[ast.AST], type[Any]] = {
    **dict([*PAIRS, *(pair[::-1] for pair in PAIRS)]),
    ast.LShift: ast.RShift,
    ast.Mod: ast.Mult,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEFT_ALONE = ("annotation", "returns", "decorator_list", "format_spec")


@dataclass(frozen=True)
class Change:
    """A change of one node of a function's syntax tree."""

    path: Path
    function: str
    index: int
    """Place of the node in the order of ``ast.walk``."""
    lines: tuple[int, int]
    """First and last line; a test that reaches one of them may see the change."""
    text: str

    @property
    def key(self) -> str:
        """Name that stays when lines are moved."""
        return f"{self.path} {self.function}: {self.text}"


def changed(node: ast.AST) -> ast.AST | None:  # noqa: C901, PLR0912  # one case for each kind
    """Return what stands in a node's place after its change; None if it is not changed."""
    match node:
        case ast.Compare(left, [op, *ops], right) if type(op) in SWAPS:
            return ast.Compare(left, [SWAPS[type(op)](), *ops], right)
        case ast.BinOp(left, op, right) if type(op) in SWAPS and not _is_text(left, right):
            return ast.BinOp(left, SWAPS[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in SWAPS and not _is_text(value):
            return ast.AugAssign(target, SWAPS[type(op)](), value)
        case ast.BoolOp(op, values):
            return ast.BoolOp(SWAPS[type(op)](), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            return operand
        case ast.Constant(bool() as value):
            return ast.Constant(not value)
        case ast.Constant(int() as value):
            return ast.Constant(value + 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in CALLS:
            return ast.Call(ast.Name(CALLS[name]), arguments, keywords)
        case ast.If(test, body, orelse):
            return ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, this, other):
            return ast.IfExp(ast.UnaryOp(ast.Not(), test), this, other)
        case ast.comprehension(target, values, [_, *conditions], is_async):
            return ast.comprehension(target, values, conditions, is_async)
        case ast.Expr(ast.Call()) | ast.Raise():
            return ast.Pass()
        case ast.Break() | ast.Continue():
            return SWAPS[type(node)]()  # type: ignore[no-any-return]
    return None


def _is_text(*nodes: ast.AST) -> bool:
    texts = (isinstance(node, ast.Constant) and isinstance(node.value, str) for node in nodes)
    return any(texts) or any(isinstance(node, ast.JoinedStr) for node in nodes)


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST | None) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def mutant(source: str, index: int) -> str:
    """Return a module's text with one node changed."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[index]
    return ast.unparse(ast.fix_missing_locations(_Replacing(node, changed(node)).visit(tree)))


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _inner(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.AST, ast.stmt]]:
    """Yield the nodes below a node that may be changed, each with its statement."""
    for field, value in ast.iter_fields(node):
        if field in LEFT_ALONE:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and getattr(child, "arg", "") != "strict":  # of zip
                own = child if isinstance(child, ast.stmt) else statement
                yield child, own
                yield from _inner(child, own)


def _short(node: ast.AST) -> str:
    match node:
        case ast.If(test):
            return f"if {ast.unparse(test)}"
        case ast.comprehension():
            return ast.unparse(ast.ListComp(ast.Name("_"), [node]))
        case _:
            return ast.unparse(node)


def _lines(node: ast.AST, statement: ast.stmt, function: ast.FunctionDef) -> tuple[int, int]:
    if statement is function:  # a default is evaluated before any test
        return function.body[0].lineno, function.end_lineno or function.lineno
    last = node.test if isinstance(node, ast.If) else node
    return statement.lineno, getattr(last, "end_lineno", None) or statement.lineno


def changes_of(root: Path, path: Path) -> Iterator[list[Change]]:
    """Yield the changes of each function of a file that has any."""
    tree = ast.parse(path.read_text())
    places = {node: place for place, node in enumerate(ast.walk(tree))}
    for name, function in _functions(tree):
        own, seen = [], Counter[str]()
        for node, statement in _inner(function, function):
            new = changed(node)
            if new is not None:
                text = f"`{_short(node)}` to `{_short(new)}`".replace("\n", " ").replace("|", "\\|")
                seen[text] += 1
                text += f", number {seen[text]}" if seen[text] > 1 else ""
                lines = _lines(node, statement, function)
                own.append(Change(path.relative_to(root), name, places[node], lines, text))
        if own:
            yield own


def drawn(root: Path, files: str, name: str) -> Sequence[Change]:
    """Return the changes of some files, in an order that a name fixes."""
    rng = random.Random(name)
    functions = [own for path in sorted(root.glob(files)) for own in changes_of(root, path)]
    rng.shuffle(functions)
    for own in functions:
        rng.shuffle(own)
    rounds = range(max(map(len, functions)))
    return [own[turn] for turn in rounds for own in functions if turn < len(own)]
