"""List the example sets that come with Assay, or write one into this folder.

assay example
assay example compressions
assay example compressions --out example.jsonl
"""

from __future__ import annotations

import argparse
import os
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError, UnknownName
from ._options import add
from ._show import show

if TYPE_CHECKING:
    from ..data.example_sets import ExampleSet
    from ..data.result import Result

SUMMARY = "list or write the example sets"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="example set to write (default: list them)")
    add(parser, "out", "json", out={"shown": "the set's own name, in this folder"})


def run(args: argparse.Namespace) -> int:
    if args.name is None and args.out:
        raise InputError("--out needs the name of an example set; `assay example` lists them")
    show([_list_sets() if args.name is None else _write_set(_find_set(args.name), args.out)], as_json=args.json)
    return 0


def _list_sets() -> Result:
    from ..data.example_sets import ExampleSets

    return ExampleSets(_read_contents())


def _read_contents() -> tuple[ExampleSet, ...]:
    import json

    from ..data.example_sets import ExampleSet

    return tuple(ExampleSet(**entry) for entry in json.loads((_folder() / "contents.json").read_text("utf-8")))


def _find_set(name: str) -> ExampleSet:
    sets = {example.name: example for example in _read_contents()}
    if name not in sets:
        raise UnknownName("example set", name, sets, hint=f"(there are {', '.join(sets)})")
    return sets[name]


def _write_set(example: ExampleSet, out: str | None) -> Result:
    """Write the set, unless something else is in its place."""
    from ..data.written_file import WrittenFile
    from ..files import whole_folder, write_whole

    origin, target = _folder() / example.file, out or example.file
    if origin.is_dir():
        contents = dict(_read_folder(origin))
        with whole_folder(target) as folder:
            for name, content in contents.items():
                (folder / name).parent.mkdir(exist_ok=True)
                write_whole(folder / name, content)
        return WrittenFile("example", target, sum(map(len, contents.values())))
    content = origin.read_bytes()
    if os.path.isfile(target) and Path(target).read_bytes() != content:
        raise InputError(f"{target} is there and holds something else: give another name with --out")
    write_whole(target, content)
    return WrittenFile("example", target, len(content))


def _read_folder(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    """List the files of a folder and of the folders in it: path and content."""
    files: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{prefix}{entry.name}"
        files += _read_folder(entry, f"{path}/") if entry.is_dir() else [(path, entry.read_bytes())]
    return files


def _folder() -> Traversable:
    from importlib.resources import files

    return files("assay") / "examples"
