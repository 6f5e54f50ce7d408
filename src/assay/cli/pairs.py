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
from itertools import count
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._options import add
from ._screen import bar_stream
from ._show import json_line, show

if TYPE_CHECKING:
    from ..corpus import Fusion, FusionCounts
    from ..formats import Document

SUMMARY = "find sentences of abstracts made of two document sentences"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="folder of NAME.doc and NAME.abstract files, or an evaluation set with sources")
    parser.add_argument(
        "--aligned",
        type=numbers.share,
        default=0.8,
        metavar="SHARE",
        help="least share of words aligned to the two sentences (default: 0.8)",
    )
    parser.add_argument(
        "--each",
        type=numbers.share,
        default=0.2,
        metavar="SHARE",
        help="least share of words from each of the two sentences (default: 0.2)",
    )
    add(
        parser,
        *("out", "rows", "json"),
        out={"detail": "an evaluation set (.jsonl), or lines of first, second and fused sentence with tabs between"},
        rows={"default": 5},
    )


def run(args: argparse.Namespace) -> int:
    from ..corpus import FusionCounts, FusionSearch

    counts = FusionCounts()
    examples: list[Fusion] = []
    with _open_output(args.out) as write:
        for fusion in _find_fusions(args, counts):
            write(fusion)
            if args.json:
                sys.stdout.write(json_line({"kind": fusion.kind, **vars(fusion)}))
            elif len(examples) < args.rows:
                examples.append(fusion)
    if not counts.sentences:
        raise InputError(f"{args.path} holds no document with an abstract")
    show([FusionSearch(**vars(counts), examples=tuple(examples))], as_json=args.json)
    return 0


@contextmanager
def _open_output(path: str | None) -> Iterator[Callable[[Fusion], object]]:
    """Give a function that writes a fusion to the file: as an item, or as a line with tabs."""
    from ..files import whole_file
    from ..formats import format_of

    if path is None:
        yield lambda fusion: None
        return
    as_set = format_of(path, look=False) == "jsonl"
    places = count(1)
    with whole_file(path) as file:
        yield lambda fusion: file.write(_item(fusion, next(places)) if as_set else _row(fusion))


def _item(fusion: Fusion, number: int) -> bytes:
    from ..data.evalset import Item, Reference
    from ..formats import item_to_json

    item = Item(str(number), (Reference(fusion.fused),), {}, (fusion.first, fusion.second), fusion.document or None)
    return json.dumps(item_to_json(item), ensure_ascii=False).encode() + b"\n"


def _row(fusion: Fusion) -> bytes:
    cells = (fusion.first, fusion.second, fusion.fused)
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()


def _find_fusions(args: argparse.Namespace, counts: FusionCounts) -> Iterator[Fusion]:
    from ..corpus import fusions
    from ..formats import documents

    for document in _show_progress(documents(args.path)):
        for place, abstract in enumerate(document.abstracts, 1):
            name = document.name if len(document.abstracts) == 1 else f"{document.name}#{place}"
            yield from fusions(document.text, abstract, name=name, aligned=args.aligned, each=args.each, counts=counts)


def _show_progress(things: Iterator[Document]) -> Iterable[Document]:
    """Count them on a terminal: how many documents there are is not known beforehand."""
    if not sys.stderr.isatty():
        return things
    from tqdm import tqdm

    counted: Iterable[Document] = tqdm(things, delay=1, unit=" documents", leave=False, file=bar_stream())
    return counted
