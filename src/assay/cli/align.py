"""Align the words of two texts that say the same: which word goes with which, and why.

assay align "The mayor resigned on Monday." "On Monday the mayor stepped down."
assay align pairs.tsv                       (a line for each pair: text, tab, text)
assay align pairs.tsv --matrix
assay align aligned.tsv --score             (a third column holds links made by hand: 0-0 1-2)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import FormatError, InputError
from ._answer import Answer, decimals, json_line, show

if TYPE_CHECKING:
    from ..formats import TextPair
    from ..text.align.monolingual import WordAlignment

SUMMARY = "which words of two texts go with which, and why"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("texts", nargs="+", metavar="A B | FILE", help="two texts, or a file of pairs (.gz too; -)")
    parser.add_argument("--matrix", action="store_true", help="draw a matrix instead of two lines")
    parser.add_argument("--score", action="store_true", help="precision, recall and F1 against the links in the file")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    if len(args.texts) > 2:
        raise InputError(f"give two texts or one file of pairs; got {len(args.texts)} (are the texts in quotes?)")
    if args.score:
        show([_scored(args)], as_json=args.json)
        return 0
    for number, (pair, found) in enumerate(_aligned(args), 1):
        if args.json:
            sys.stdout.write(json_line({"line": pair.line, **_record(found)}))
        else:
            print(("" if number == 1 else "\n\n") + _drawn(found, matrix=args.matrix))
    return 0


def _pairs(args: argparse.Namespace) -> Iterator[TextPair]:
    from ..formats import ReadProgress, TextPair, text_pairs
    from ._progress import Progress

    if len(args.texts) == 2:
        yield TextPair(args.texts[0], args.texts[1], None, 1)
        return
    read = ReadProgress()
    with Progress(text_pairs(args.texts[0], progress=read), quiet=args.quiet, fraction=read.fraction) as pairs:
        yield from pairs


def _aligned(args: argparse.Namespace) -> Iterator[tuple[TextPair, WordAlignment]]:
    from ..text.align.monolingual import align

    for pair in _pairs(args):
        yield pair, align(pair.a, pair.b)


def _record(found: WordAlignment) -> dict[str, Any]:
    sides = {name: [[t.text, t.start, t.end] for t in side.tokens] for name, side in (("a", found.a), ("b", found.b))}
    return {**sides, "links": [{"a": k.a, "b": k.b, "kind": k.kind, "score": round(k.score, 4)} for k in found.links]}


def _drawn(found: WordAlignment, *, matrix: bool) -> str:
    from ..page.links import link_matrix, linked_lines
    from ..views._draw.terminal import draw_table as table
    from ..views._view import Column

    a, b = ([t.text for t in side.tokens] for side in (found.a, found.b))
    if matrix:
        return link_matrix(a, b, {(k.a, k.b): k.kind for k in found.links})
    groups = found.phrases()
    lines = linked_lines(a, b, [(g.a, g.b) for g in groups])
    if not groups:
        return f"{lines}\n\nNothing in these two texts goes together."
    best = [max(k.score for i in g.a for k in found.of_a[i]) for g in groups]
    columns = [
        Column("", [str(n) for n in range(1, len(groups) + 1)]),
        Column("first", [found.words_a(g) for g in groups], right=False),
        Column("second", [found.words_b(g) for g in groups], right=False),
        Column("why", ["+".join(g.kinds) for g in groups], right=False),
        Column("score", [f"{score:.2f}" for score in best]),
    ]
    return f"{lines}\n\n{table(columns)}"


def _scored(args: argparse.Namespace) -> Answer:
    from ..text.align.evaluate import exact_links, score_links
    from ..views._view import Column

    ours, plain, count = [], [], 0
    for pair, found in _aligned(args):
        if pair.links is None:
            raise FormatError("no links in a third column to compare with", path=args.texts[0], line=pair.line)
        for i, j in pair.links:
            if i >= len(found.a.tokens) or j >= len(found.b.tokens):
                sizes = f"{len(found.a.tokens)} and {len(found.b.tokens)} tokens"
                raise FormatError(f"link {i}-{j} in texts of {sizes}", path=args.texts[0], line=pair.line)
        count += 1
        ours.append(({(k.a, k.b) for k in found.links}, pair.links))
        plain.append((exact_links(found.a, found.b), pair.links))
    rows = {f"{name}, {part}": score_links(pairs[start::step])
            for part, start, step in (("all", 0, 1), ("odd lines", 0, 2), ("even lines", 1, 2))
            for name, pairs in (("aligner", ours), ("equal words", plain))}  # fmt: skip
    columns = [
        Column("", list(rows), right=False),
        *(Column(head, [decimals(getattr(row, head)) for row in rows.values()])
          for head in ("precision", "recall", "f1")),
        *(Column(head, [str(getattr(row, head)) for row in rows.values()]) for head in ("found", "gold", "right")),
    ]  # fmt: skip
    f1, base = (decimals(rows[f"{name}, all"].f1) for name in ("aligner", "equal words"))
    said = f"F1 {f1} on {count} pairs, {base} for equal words."
    records = [
        {"what": name, "precision": row.precision, "recall": row.recall, "f1": row.f1, "found": row.found,
         "gold": row.gold, "right": row.right}
        for name, row in rows.items()
    ]  # fmt: skip
    return Answer([said], columns, ["equal words: each word goes to the first equal one that is free."], records)
