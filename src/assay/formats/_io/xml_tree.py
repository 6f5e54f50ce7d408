"""XML from files no one vouches for: elements with their line numbers; no entities, nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ...errors import FormatError
from .text_file import StrPath, read_blocks, refuse_too_large

_LIMIT = 64 << 20  # bytes of a file: an annotated topic has some hundred thousand
_DEEPEST = 50
_ENCODING = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([^"']+)""")
_DECLARATION = re.compile(rb"<\?xml[^>]*\?>")


@dataclass
class Element:
    """An element, with what stands in it."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list[Element]:
        """Return the children of this name."""
        return [child for child in self.children if child.name == name]

    def one(self, name: str, path: StrPath) -> Element:
        """Return the only child of this name."""
        children = self.all(name)
        if len(children) != 1:
            raise FormatError(f"<{self.name}> needs one <{name}>; it has {len(children)}", path=path, line=self.line)
        return children[0]

    def attribute(self, name: str, path: StrPath) -> str:
        """Return an attribute that must be there."""
        if name not in self.attributes:
            raise FormatError(f"<{self.name}> has no {name}", path=path, line=self.line)
        return self.attributes[name]


def read_xml(path: StrPath, note: Callable[[str, int], None] | None = None) -> list[Element]:
    """Return the root of each document in a file; some files hold two, one after the other.

    With `note`, a file that says it is UTF-8, or nothing, and is not, is read as windows-1252, and `note` is told.
    """
    data = _read_bytes(path)
    if note is not None:
        data = _to_utf8(data, note)
    starts = [match.start() for match in _DECLARATION.finditer(data)] or [0]
    starts[0] = 0
    ends = [*starts[1:], len(data)]
    first_lines = [data.count(b"\n", 0, start) for start in starts]
    return [_parse(data[s:e], path, first) for s, e, first in zip(starts, ends, first_lines, strict=True)]


def _to_utf8(data: bytes, note: Callable[[str, int], None]) -> bytes:
    stated = _ENCODING.search(data[:200])
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or (stated and stated[1].lower() not in (b"utf-8", b"utf8")):
        return data  # the parser reads what is stated
    try:
        data.decode()
    except UnicodeDecodeError as error:
        words = f"byte 0x{data[error.start]:02x} is not UTF-8: the file was read as windows-1252"
        note(words, data.count(b"\n", 0, error.start) + 1)
        return data.decode("cp1252", "replace").encode()
    return data


def escape_attribute(text: str) -> str:
    """Write a text as the value of an attribute; line ends and tabs survive as character references."""
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, escaped)
    return text.replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;")


def escape_text(text: str) -> str:
    """Write a text as the content of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def refuse_unwritable(text: str, what: str, path: StrPath) -> None:
    """Refuse a text with characters that XML cannot hold."""
    for character in text:
        code = ord(character)
        if (code < 32 and character not in "\t\n\r") or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF):
            raise FormatError(f"{what} holds U+{code:04X}, which XML cannot; remove it", path=path)


def _read_bytes(path: StrPath) -> bytes:
    parts, size = [], 0
    for block in read_blocks(path):
        size += len(block)
        refuse_too_large(size, path)
        if size > _LIMIT:
            raise FormatError(f"is larger than {_LIMIT >> 20} MB, too large for an annotated topic", path=path)
        parts.append(block)
    data = b"".join(parts)
    if not data.strip():
        raise FormatError("is empty", path=path)
    return data


class _Builder:
    """Build elements from the events of the parser."""

    def __init__(self, path: StrPath, first_line: int) -> None:
        self.path, self.first_line = path, first_line
        self.open: list[Element] = []
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add_text
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.StartDoctypeDeclHandler = self.refuse_outside
        self.parser.ExternalEntityRefHandler = self.refuse_reference

    @property
    def line(self) -> int:
        return self.first_line + self.parser.CurrentLineNumber

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= _DEEPEST:
            raise FormatError("nested too deeply", path=self.path, line=self.line)
        element = Element(name, attributes, self.line)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, name: str) -> None:
        self.open.pop()

    def add_text(self, text: str) -> None:
        if self.open:
            self.open[-1].text += text

    def refuse_entity(self, name: str, *_: object) -> None:
        raise FormatError(f"declares the entity {name!r}: entities are not read", path=self.path, line=self.line)

    def refuse_outside(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        if system or public:
            words = f"refers to a DTD outside the file ({system or public}): remove the reference"
            raise FormatError(words, path=self.path, line=self.line)

    def refuse_reference(self, *_: object) -> int:
        raise FormatError("refers to an entity outside the file: entities are not read", path=self.path, line=self.line)


def _parse(data: bytes, path: StrPath, first_line: int) -> Element:
    builder = _Builder(path, first_line)
    try:
        builder.parser.Parse(data.lstrip(b"\xef\xbb\xbf \t\r\n"), True)
    except expat.ExpatError as error:
        raise FormatError(
            f"is not whole XML ({expat.ErrorString(error.code)})", path=path, line=first_line + error.lineno
        ) from error
    assert builder.root is not None  # expat refuses a document without elements
    return builder.root


def walk(element: Element) -> Iterator[Element]:
    """Yield an element and all below it, in order."""
    yield element
    for child in element.children:
        yield from walk(child)
