"""Make texts shorter by deleting words: one line out for each line in.

assay compress news.txt --ratio 0.43
assay compress news.txt --words 10 --keep "ACME|#[0-9]+"
assay compress set.jsonl --system "ilp(lambda=0)" --out with-ilp.parquet
assay compress sources.csv --words 8 > short.txt
tail -f log | assay compress - --chars 80 --system lead
assay compress --list

A .txt and standard input are lines of text. Any other file is an evaluation set, and the text of an item is its source:
a table has a column item (or id) and a column source (or text), JSON Lines has "source" (or "text").
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._answer import show
from ._systems import input_chunks, input_format, listed, run_system, shorter_arguments

if TYPE_CHECKING:
    from ..data.evalset import Item
    from ..systems.apply import SystemOutput
    from ..systems.compress import Compression, Compressor

SUMMARY = "make texts shorter, to an exact length if asked"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", help="lines of text (.txt), or a set: .jsonl, .csv, .tsv, .parquet (.gz too); - for stdin"
    )
    parser.add_argument(
        "--ratio", type=numbers.ratio, metavar="R", help="the share of each text's words to keep, as 0.43"
    )
    parser.add_argument(
        "--model", metavar="FILE", help="the system's tagger or language model, if not the one in Assay"
    )
    shorter_arguments(parser, "JSON Lines: text, kept spans, rates and notes of each")


def run(args: argparse.Namespace) -> int:
    from ..systems._budget import Budget
    from ..systems._system import check_patterns
    from ..systems.compress import COMPRESSORS, DEFAULT

    if args.list:
        said = "Systems that shorten a text by deleting words:"
        show([listed("system", said, COMPRESSORS.classes, DEFAULT)], as_json=args.json)
        return 0
    if not args.file:
        raise InputError("nothing to compress: give a file, or - for standard input")
    chosen = _with_model(COMPRESSORS.build(args.system or DEFAULT), args.model)
    Budget(args.ratio, args.words, args.chars)  # what cannot be asked is said before anything is read
    check_patterns(chosen, [*args.keep, *args.drop], COMPRESSORS)
    form = input_format(args)

    def record(output: SystemOutput) -> dict[str, Any]:
        made = _compression(output)
        return {"system": chosen.signature(), "source": made.source, "text": made.text, **_details(made)}

    return run_system(args, chosen, input_chunks(args, form), form, record, _extra)


def _compression(output: SystemOutput) -> Compression:
    from ..systems.compress import Compression

    assert isinstance(output.result, Compression)  # of a compressor
    return output.result


def _details(made: Compression) -> dict[str, Any]:
    return {
        "kept": [list(span) for span in made.spans],
        "words": made.words,
        "word_rate": made.word_rate,
        "token_rate": made.token_rate,
        "char_rate": made.char_rate,
        "notes": list(made.notes),
    }


def _extra(item: Item, output: SystemOutput, name: str) -> Mapping[str, Any]:
    """What an item of JSON Lines keeps: where the kept words stand, and the notes."""
    details = _details(_compression(output))
    earlier = item.extra.get("compressions")
    said = {key: details[key] for key in ("kept", "notes")}
    return {"compressions": {**(earlier if isinstance(earlier, dict) else {}), name: said}}


def _with_model(chosen: Compressor, model: str | None) -> Compressor:
    if not model:
        return chosen
    known = {f.name for f in fields(chosen)}
    for name in ("tagger", "model"):
        if name in known:
            return replace(chosen, **{name: model})
    raise InputError(f"{chosen.name} has no model to choose")
