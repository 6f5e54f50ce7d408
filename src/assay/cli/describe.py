"""Describe a corpus of compressions: compression rates, lengths of dropped spans, and how far writers agree.

assay describe corpus.jsonl
assay describe broadcast-news.jsonl --tokenizer space --by-group
assay describe outputs.jsonl --systems --json
"""

from __future__ import annotations

import argparse

from ._input import read_input
from ._options import add, add_input
from ._show import show

SUMMARY = "describe a corpus of compressions: rates, dropped spans, agreement"


def arguments(parser: argparse.ArgumentParser) -> None:
    from ..text.tokens.tokenizers import TOKENIZERS

    add_input(parser)
    add(
        parser,
        "tokenizer",
        tokenizer={"default": "13a", "choices": tuple(TOKENIZERS), "detail": ", ".join(TOKENIZERS)},
    )
    parser.add_argument("--lower", action="store_true", help="ignore case")
    parser.add_argument("--by-group", action="store_true", help="describe each group of items too")
    parser.add_argument("--systems", action="store_true", help="describe the outputs of the systems too")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from ..corpus.describe import describe

    data = read_input(args)
    options = {"by_group": args.by_group, "systems": args.systems, "lower": args.lower}
    show([describe(data, tokenizer=args.tokenizer, **options)], as_json=args.json)
    return 0
