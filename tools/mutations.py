"""List the small faults that can be planted in a Python file, and draw some: what tools/mutants.py tries.

A mutation replaces a span of the source, so that the rest of the file, line numbers included, stays as it is. Types
are left alone, and so are docstrings, which no test reads.
"""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

MAX_PER_FUNCTION = 2
ERROR_SHARE = 0.1  # error and help texts are long, many, and seldom wrong

_COMPARISONS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "in": ("not in",),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/"}
_ORDERS = {"min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "nanmin": "nanmax", "nanmax": "nanmin"}
_ORDERS |= {"minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any", "reversed": "list"}
_SYMMETRIC = {"min", "max", "minimum", "maximum", "isclose", "array_equal", "gcd", "hypot", "multiply", "add"}
_OPPOSITES = {"higher": "lower", "highest": "lowest", "best": "worst", "better": "worse", "more": "fewer"}
_OPPOSITES |= {"most": "least", "above": "below", "before": "after", "first": "last", "all": "none", "every": "no"}
_OPPOSITES |= {"largest": "smallest", "longer": "shorter", "left": "right", "with": "without", "significant": "small"}
_OPPOSITES |= {value: key for key, value in _OPPOSITES.items() if value != "no"}
_SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A span of bytes of one file and what replaces it."""

    path: Path
    function: str
    kind: str
    start: int
    end: int
    text: str
    line: int
    is_error: bool = False

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]

    def describe(self, source: bytes) -> tuple[str, str]:
        """Return the changed lines before and after, each on one line."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        last = len(source) if last < 0 else last
        before = source[first:last]
        after = source[first : self.start] + self.text.encode() + source[self.end : last]
        return " ".join(before.decode().split()), " ".join(after.decode().split())


class _Finder(ast.NodeVisitor):
    """Collects the mutations of one file."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.path, self.source = path, source
        self.mutations: list[Mutation] = []
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._functions: list[str] = []
        self._in_error = False

    def _span(self, node: ast.expr) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _add(self, kind: str, start: int, end: int, text: str) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        function = ".".join(self._functions)
        self.mutations.append(Mutation(self.path, function, kind, start, end, text, line, self._in_error))

    def _replace(self, kind: str, node: ast.expr, text: str) -> None:
        self._add(kind, *self._span(node), text)

    # What is left alone: types, docstrings, what only a type checker executes.

    def visit_Module(self, node: ast.Module) -> None:
        self._visit_body(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._functions.append(node.name)
        self._visit_body(node.body)
        self._functions.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list):
            return
        self._functions.append(node.name)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._visit_body(node.body)
        self._functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if ast.unparse(node.value) != "Literal":
            self.generic_visit(node)

    def _visit_body(self, body: Sequence[ast.stmt]) -> None:
        for place, statement in enumerate(body):
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not (place == 0 and is_text):
                self.visit(statement)

    # What is changed.

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if "TYPE_CHECKING" in test or "__name__" in test:
            return
        leaves = isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
        if leaves and not node.orelse and ":=" not in test:
            self._replace("guard", node.test, "False")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if ":=" not in ast.unparse(node.test):
            self._replace("guard", node.test, "True")
            self._replace("guard", node.test, "False")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        if ":=" not in ast.unparse(node):
            for place in (0, -1):
                self._replace("guard", node, f"({self._text(node.values[place])})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace("comparison", node, f"bool({self._text(node.operand)})")
        elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self._replace("order", node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            self._replace_operator("comparison", left, right, _COMPARISONS)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set)
        plain = not any(
            isinstance(side, texts) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
            for side in (node.left, node.right)
        )
        if plain:
            choices = {sign: (other,) for sign, other in _ARITHMETIC.items()}
            self._replace_operator("arithmetic", node.left, node.right, choices)
            if isinstance(node.op, ast.Mult | ast.Div | ast.Add | ast.Sub):
                self._replace("arithmetic", node, f"({self._text(node.left)})")
        self.generic_visit(node)

    def _replace_operator(
        self, kind: str, left: ast.expr, right: ast.expr, choices: dict[str, tuple[str, ...]]
    ) -> None:
        start, end = self._span(left)[1], self._span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[start:end])
        operator = re.search(rb"[<>=!+\-*/]+|\b(?:is\s+not|not\s+in|is|in)\b", gap)
        for other in choices.get(" ".join(operator[0].decode().split()), ()) if operator else ():
            self._add(kind, start + operator.start(), start + operator.end(), other)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace("constant", node, str(not value))
        elif isinstance(value, int):
            self._replace("constant", node, str(value + 1))
        elif isinstance(value, float):
            self._replace("constant", node, repr(value * 1.25 if value else 0.25))
        elif isinstance(value, str):
            self._replace_words(value, *self._span(node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.Constant):
                self._replace_words(str(part.value), *self._span(node))
            else:
                self.visit(part)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """Leave what is in braces alone: Python 3.11 gives it no place of its own."""

    def _replace_words(self, value: str, start: int, end: int) -> None:
        """Turn a word of a sentence into its opposite, or drop it."""
        place = self.source.find(value.encode(), start, end)
        if not _SENTENCE.search(value) or place < 0 or self.source.count(value.encode(), start, end) > 1:
            return
        for word in re.finditer(r"[A-Za-z]{2,}", value):
            other = _OPPOSITES.get(word[0], "")
            before = place + len(value[: word.start()].encode())
            self._add("words", before, before + len(word[0]), other)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._visit_error(node)

    def _visit_error(self, node: ast.AST) -> None:
        before, self._in_error = self._in_error, True
        self.generic_visit(node)
        self._in_error = before

    def visit_keyword(self, node: ast.keyword) -> None:
        # zip(strict=) only says which error it would be if something else were wrong.
        if node.arg in ("help", "description", "epilog", "metavar", "strict"):
            self._visit_error(node)
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in ("cast", "TypeVar", "NewType"):
            return
        if name in _ORDERS:
            start, end = self._span(node.func)
            self._add("order", end - len(name), end, _ORDERS[name])
        if name in ("sorted", "sort"):
            self._reverse(node)
        first = node.args[:2]
        if len(first) == 2 and not any(isinstance(a, ast.Starred) for a in first) and name not in _SYMMETRIC:
            texts = [self._text(argument) for argument in first]
            if texts[0] != texts[1]:
                start, end = self._span(first[0])[0], self._span(first[1])[1]
                between = self.source[self._span(first[0])[1] : self._span(first[1])[0]].decode()
                self._add("arguments", start, end, texts[1] + between + texts[0])
        if name.endswith(("Error", "Warning", "warn", "error")):
            self._visit_error(node)
        else:
            self.generic_visit(node)

    def _reverse(self, node: ast.Call) -> None:
        """Sort the other way round."""
        reverse = next((keyword.value for keyword in node.keywords if keyword.arg == "reverse"), None)
        if reverse is not None:
            self._replace("order", reverse, f"not ({self._text(reverse)})")
        else:
            end = self._span(node)[1] - 1
            comma = self.source[:end].rstrip()[-1:] in (b",", b"(")
            self._add("order", end, end, "reverse=True" if comma else ", reverse=True")


def list_mutations(path: Path, source: bytes) -> list[Mutation]:
    """List every mutation of a file; a few are not Python any more (see `is_other_program`)."""
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    return list(dict.fromkeys(finder.mutations))


def is_other_program(mutation: Mutation, source: bytes) -> bool:
    """Check if the mutated file is still Python, and not the same program."""
    try:
        return ast.dump(ast.parse(mutation.apply(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


def count_code_lines(source: bytes) -> Counter[str]:
    """Count lines with code by the function that holds them; "" is the module itself.

    >>> count_code_lines(b'X = 1\\ndef double(x):\\n    "Double."\\n\\n    # Why.\\n    return 2 * x\\n')
    Counter({'double': 2, '': 1})
    """
    tree = ast.parse(source)
    names: dict[int, str] = defaultdict(str)
    skipped: set[int] = set()
    for name, node in _list_scopes(tree, ""):
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            names[line] = name
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            skipped.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines = {
        line
        for token in tokenize.tokenize(io.BytesIO(source).readline)
        if token.type not in layout | {tokenize.ENCODING}
        for line in range(token.start[0], token.end[0] + 1)
    }
    return Counter(names[line] for line in sorted(lines - skipped))


def _list_scopes(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.stmt]]:
    """List classes and functions from the outside in, so that the innermost wins."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}.{child.name}" if prefix else child.name
            yield name, child
            yield from _list_scopes(child, name)
        else:
            yield from _list_scopes(child, prefix)


def draw_mutations(sources: dict[Path, bytes], count: int, seed: int) -> list[Mutation]:
    """Draw functions in proportion to their code lines, at most twice each, and a kind and a place in each."""
    rng = random.Random(seed)
    choices: dict[tuple[Path, str], list[Mutation]] = defaultdict(list)
    weights: dict[tuple[Path, str], int] = {}
    for path, source in sorted(sources.items()):
        for mutation in list_mutations(path, source):
            choices[path, mutation.function].append(mutation)
        weights |= {(path, name): n for name, n in count_code_lines(source).items() if (path, name) in choices}
    drawn: list[Mutation] = []
    errors, times = int(ERROR_SHARE * count), Counter[tuple[Path, str]]()
    while weights and len(drawn) < count:
        place = rng.choices(list(weights), list(weights.values()))[0]
        rest = [m for m in choices[place] if errors > 0 or not m.is_error]
        if not rest or times[place] == MAX_PER_FUNCTION:
            del weights[place]
            continue
        kind = rng.choice(sorted({m.kind for m in rest}))
        mutation = rng.choice([m for m in rest if m.kind == kind])
        choices[place].remove(mutation)
        if is_other_program(mutation, sources[mutation.path]):
            drawn.append(mutation)
            errors -= mutation.is_error
            times[place] += 1
    return drawn
