"""What a disk may hold after a crash, worked out from the operations that a program made."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

UNNAMED = " (deleted)"
Content = dict[str, bytes] | bytes | None  # a folder's files by name, a file's bytes, or nothing there


@dataclass
class Node:
    """A file (bytes written, bytes on disk) or a folder (names in it, names on disk)."""

    folder: bool = False
    size: int = 0
    safe: int = 0
    names: dict[str, Node] = field(default_factory=dict)
    safe_names: dict[str, Node] = field(default_factory=dict)
    content: bytes = b""


class Disk:
    """A file system that keeps only what was brought to disk with fsync: the content of a file by fsync of the file,
    its name by fsync of its folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.top = _read(root)
        self.created: list[Node] = []
        self.unnamed: dict[str, Node] = {}  # files without a name, by what the system calls them

    def replay(self, record: str) -> Iterator[None]:
        """Make the recorded operations one after another; stops after each."""
        for line in record.splitlines():
            operation, path, more = line.split("\t")
            getattr(self, f"_{operation}")(path, more)
            yield

    def written(self, record: str) -> list[bytes]:
        """What was written to each new file in the end, as they stand there now; b"" for one that is gone."""
        end = deepcopy(self)
        for _ in end.replay(record):
            pass
        _fill(end.top, end.root)
        return [node.content for node in end.created]

    def after_crash(self, path: Path, *, names_first: bool) -> Content:
        """What stands at a path: the worst case for content if names reach the disk first, else the worst for names."""
        node = self.top
        for part in path.relative_to(self.root).parts:
            names = node.names if names_first else node.safe_names
            if part not in names:
                return None
            node = names[part]
        return _content(node, names_first)

    def _parent(self, path: str) -> tuple[Node, str]:
        *parents, name = Path(path).relative_to(self.root).parts
        node = self.top
        for part in parents:
            node = node.names[part]
        return node, name

    def _node(self, path: str) -> Node:
        if Path(path) == self.root:
            return self.top
        if path.endswith(UNNAMED):
            return self.unnamed[path]
        parent, name = self._parent(path)
        return parent.names[name]

    def _create(self, path: str, _: str) -> None:
        if path.endswith(UNNAMED):
            self.unnamed[path] = Node()
            self.created.append(self.unnamed[path])
            return
        parent, name = self._parent(path)
        if name not in parent.names:
            parent.names[name] = Node()
            self.created.append(parent.names[name])

    def _mkdir(self, path: str, _: str) -> None:
        parent, name = self._parent(path)
        parent.names[name] = Node(folder=True)

    def _write(self, path: str, size: str) -> None:
        self._node(path).size += int(size)

    def _fsync(self, path: str, _: str) -> None:
        node = self._node(path)
        node.safe, node.safe_names = node.size, dict(node.names)

    def _rename(self, path: str, to: str) -> None:
        (parent, name), (other, new) = self._parent(path), self._parent(to)
        other.names[new] = parent.names.pop(name)

    def _link(self, path: str, to: str) -> None:
        parent, name = self._parent(to)
        parent.names[name] = self.unnamed[path]


def snapshot(path: Path) -> Content:
    """What stands at a path now."""
    if path.is_dir():
        return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    return path.read_bytes() if path.exists() else None


def _read(path: Path) -> Node:
    if not path.is_dir():
        content = path.read_bytes()
        return Node(size=len(content), safe=len(content), content=content)
    names = {p.name: _read(p) for p in path.iterdir()}
    return Node(folder=True, names=dict(names), safe_names=dict(names))


def _fill(node: Node, path: Path) -> None:
    if not node.folder and path.is_file():
        node.content = path.read_bytes()
    for name, child in node.names.items():
        _fill(child, path / name)


def _content(node: Node, names_first: bool) -> Content:
    if not node.folder:
        return node.content[: node.safe]
    found: dict[str, bytes] = {}
    for name, child in (node.names if names_first else node.safe_names).items():
        inner = _content(child, names_first)
        if isinstance(inner, dict):
            found |= {f"{name}/{key}": value for key, value in inner.items()}
        elif inner is not None:
            found[name] = inner
    return found
