"""Find sentences of abstracts that were made from two sentences of their document, to train or test fusion with.

assay fuse pairs folder/                         (NAME.doc and NAME.abstract, plain text)
assay fuse pairs set.jsonl --out pairs.tsv       (sources and references, or a summary)
assay fuse pairs set.jsonl --out pairs.jsonl     (an evaluation set, as assay fuse reads it)
assay fuse pairs set.jsonl --aligned 0.9 --each 0.3
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import InputError
from . import _numbers as numbers
from ._options import add
from ._screen import bar_stream
from ._show import show

if TYPE_CHECKING:
    from ..corpus import FusionPair
    from ..formats import Document

SUMMARY = "find sentences that were made from two"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="folder of NAME.doc and NAME.abstract, or an evaluation set with sources")
    parser.add_argument(
        "--aligned",
        type=numbers.share,
        default=0.8,
        metavar="S",
        help="share of a sentence's words that is aligned to the two document sentences (default: 0.8)",
    )
    parser.add_argument(
        "--each",
        type=numbers.share,
        default=0.2,
        metavar="S",
        help="share that is aligned to each of the two (default: 0.2)",
    )
    parser.add_argument(
        "--own",
        type=numbers.rows,
        default=3,
        metavar="N",
        help="content words that each of the two has and the other has not; 0 for the shares alone (default: 3)",
    )
    out = "an evaluation set if the name ends in .jsonl, else lines of first, second and fused sentence with tabs"
    add(parser, *("strip_tags", "out", "rows", "json"), out={"detail": out}, rows={"default": 15})


def run(args: argparse.Namespace) -> int:
    from ..corpus import find_fusion_pairs
    from ..formats import documents

    result = find_fusion_pairs(
        _follow(documents(args.path, strip_tags=args.strip_tags)), aligned=args.aligned, each=args.each, own=args.own
    )
    if not result.sentences:
        raise InputError(f"{args.path} has no document with an abstract")
    if args.out:
        _write(result.pairs, args.out)
    show([result], as_json=args.json, rows=args.rows)
    return 0


def _follow(documents: Iterable[Document]) -> Iterable[Document]:
    """Count documents on a terminal: how many there are is not known beforehand."""
    if not sys.stderr.isatty():
        return documents
    from tqdm import tqdm

    counted: Iterable[Document] = tqdm(documents, delay=1, unit=" documents", leave=False, file=bar_stream())
    return counted


def _write(pairs: Sequence[FusionPair], path: str) -> None:
    from ..data.evalset import EvalSet
    from ..data.item import Item, Reference
    from ..files import write_whole
    from ..formats import format_of, write

    if format_of(path, look=False) == "jsonl" and pairs:
        items = [
            Item(str(number), (Reference(pair.fused),), {}, (pair.first, pair.second), pair.document or None)
            for number, pair in enumerate(pairs, 1)
        ]
        write(EvalSet(items), path)
        return
    rows = ("\t".join(" ".join(cell.split()) for cell in (pair.first, pair.second, pair.fused)) for pair in pairs)
    write_whole(path, "".join(row + "\n" for row in rows))
