"""Align the words of two texts that say the same: which word goes with which, and why.

assay align "The mayor resigned on Monday." "On Monday the mayor stepped down."
assay align pairs.tsv                       (a line for each pair: text, tab, text)
assay align pairs.tsv --matrix
assay align aligned.tsv --score             (a third column holds links made by hand: 0-0 1-2)
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from ..errors import FormatError, InputError
from ._options import add
from ._show import show_stream

if TYPE_CHECKING:
    from ..data.result import Result
    from ..formats import TextPair

SUMMARY = "show which words of two texts go with which, and why"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts", nargs="+", metavar="A B | FILE", help="two texts, or a file of pairs (also .gz, or - for stdin)"
    )
    parser.add_argument("--matrix", action="store_true", help="draw a matrix instead of two lines")
    parser.add_argument("--score", action="store_true", help="score the aligner by the links in the file")
    add(parser, "strip_tags", "json")


def run(args: argparse.Namespace) -> int:
    if len(args.texts) > 2:
        raise InputError(f"give two texts or one file of pairs; got {len(args.texts)} (are the texts in quotes?)")
    show_stream(_results(args), as_json=args.json)
    return 0


def _results(args: argparse.Namespace) -> Iterator[Result]:
    from ..text.align.monolingual import align
    from ..text.align.results import PairAlignment, score_aligner

    if args.score:
        yield score_aligner((align(pair.a, pair.b), _gold_links(pair, args)) for pair in _pairs(args))
        return
    for pair in _pairs(args):
        yield PairAlignment(pair.line, align(pair.a, pair.b), matrix=args.matrix)


def _pairs(args: argparse.Namespace) -> Iterator[TextPair]:
    from ..formats import ReadProgress, TextPair, strip_pair, text_pairs
    from ._progress import Progress

    if len(args.texts) == 2:
        pair = TextPair(args.texts[0], args.texts[1], None, 1)
        yield strip_pair(pair) if args.strip_tags else pair
        return
    read = ReadProgress()
    all_pairs = text_pairs(args.texts[0], progress=read, strip_tags=args.strip_tags)
    with Progress(all_pairs, quiet=args.quiet, fraction=read.fraction) as pairs:
        yield from pairs


def _gold_links(pair: TextPair, args: argparse.Namespace) -> Set[tuple[int, int]]:
    """Return the links made by hand, if they fit the texts."""
    if pair.links is None:
        raise FormatError("no links in a third column to compare with", path=args.texts[0], line=pair.line)
    lengths = len(pair.a.split()), len(pair.b.split())
    for i, j in pair.links:
        if i >= lengths[0] or j >= lengths[1]:
            sizes = f"{lengths[0]} and {lengths[1]} words"
            raise FormatError(f"link {i}-{j} in texts of {sizes}", path=args.texts[0], line=pair.line)
    return pair.links
