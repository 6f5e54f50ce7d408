"""Find sentences of abstracts that were made of two sentences of their document, to learn or test fusion with.

assay pairs folder/                              (NAME.doc and NAME.abstract, plain text)
assay pairs set.jsonl --out pairs.tsv            (sources and references, or a summary)
assay pairs set.jsonl --out pairs.jsonl          (an evaluation set, as assay fuse reads it)
assay pairs set.jsonl --aligned 0.9 --each 0.3
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, json_line, show
from ._screen import bar_stream

if TYPE_CHECKING:
    from ..corpus import Fusion, Mining
    from ..formats import Document

SUMMARY = "sentences of abstracts made of two document sentences"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="a folder of NAME.doc and NAME.abstract, or an evaluation set with sources")
    parser.add_argument("--aligned", type=numbers.share, default=0.8, metavar="S", help="share of words aligned (.8)")
    parser.add_argument("--each", type=numbers.share, default=0.2, metavar="S", help="share from either sentence (.2)")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write them: a set of two sources and a reference each if the name ends in .jsonl (.gz too), else lines "
        "of first, second and fused sentence, tabs between",
    )
    parser.add_argument("--rows", type=numbers.rows, default=5, metavar="N", help="examples to print (5)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..corpus import Mining

    seen = Mining()
    shown: list[Fusion] = []
    with _opened(args.out) as write:
        for found in _found(args, seen):
            write(found)
            if args.json:
                sys.stdout.write(json_line(asdict(found)))
            elif len(shown) < args.rows:
                shown.append(found)
    if not seen.sentences:
        raise InputError(f"{args.path} holds no document with an abstract")
    if not args.json:
        show([_answer(seen, shown)], as_json=False)
    return 0


@contextmanager
def _opened(path: str | None) -> Iterator[Callable[[Fusion], object]]:
    """What writes a fusion to the file: as an item, or as a line with tabs."""
    from ..files import whole_file
    from ..formats import format_of

    if path is None:
        yield lambda found: None
        return
    as_set = format_of(path, look=False) == "jsonl"
    numbers = count(1)
    with whole_file(path) as file:
        yield lambda found: file.write(_item(found, next(numbers)) if as_set else _row(found))


def _item(found: Fusion, number: int) -> bytes:
    from ..data.evalset import Item, Reference
    from ..formats import item_to_json

    item = Item(str(number), (Reference(found.fused),), {}, (found.first, found.second), found.document or None)
    return json.dumps(item_to_json(item), ensure_ascii=False).encode() + b"\n"


def _row(found: Fusion) -> bytes:
    cells = (found.first, found.second, found.fused)
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()


def _found(args: argparse.Namespace, seen: Mining) -> Iterator[Fusion]:
    from ..corpus import fusions
    from ..formats import documents

    for document in _followed(documents(args.path)):
        for place, abstract in enumerate(document.abstracts, 1):
            name = document.name if len(document.abstracts) == 1 else f"{document.name}#{place}"
            yield from fusions(document.text, abstract, name=name, aligned=args.aligned, each=args.each, seen=seen)


def _followed(things: Iterator[Document]) -> Iterable[Document]:
    """With a count on a terminal: how many documents there are is not known beforehand."""
    if not sys.stderr.isatty():
        return things
    from tqdm import tqdm

    shown: Iterable[Document] = tqdm(things, delay=1, unit=" documents", leave=False, file=bar_stream())
    return shown


def _answer(seen: Mining, shown: list[Fusion]) -> Answer:
    from ..views._view import Column

    said = [
        f"{seen.found} of {seen.sentences} sentences ({seen.found / seen.sentences:.1%}) in {seen.documents} abstracts "
        "were made of two sentences of their document."
    ]
    counts = {
        "made of one document sentence": seen.one,
        "of two: found": seen.found,
        "of two, but nearly all from one": seen.uneven,
        "of more, or in other words": seen.other,
    }
    columns = [
        Column("sentences of abstracts", list(counts), right=False),
        Column("", [str(count) for count in counts.values()]),
        Column("share", [f"{count / seen.sentences:.1%}" for count in counts.values()]),
    ]
    notes = [f"{f.fused}  <  {f.first}  +  {f.second}" for f in shown]
    return Answer(said, columns, notes)
