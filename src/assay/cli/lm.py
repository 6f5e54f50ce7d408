"""Train a trigram language model, or compute the perplexity of lines of text.

assay lm train news.txt --out news.npz
assay lm score lines.txt                       (with the English model of Assay)
assay lm score lines.txt --model news.npz --per-line
assay lm convert news.npz news.arpa
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict

from ..errors import InputError
from . import _numbers as numbers
from ._lines import follow_lines
from ._options import add
from ._screen import write_data
from ._show import json_line, show

if TYPE_CHECKING:
    from ..text.lm.trigrams import LanguageModel

SUMMARY = "train a language model, or compute perplexity"
_ENDINGS = (".npz", ".arpa", ".arpa.gz")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("train", "score", "convert"), help="what to do")
    parser.add_argument("file", help="text with one sentence per line (also .gz, - for stdin); for convert: a model")
    parser.add_argument("to", nargs="?", help="for convert: file to write, .npz, .arpa or .arpa.gz")
    add(
        parser,
        *("out", "model"),
        out={"detail": "the trained model, as .npz, .arpa or .arpa.gz"},
        model={"shown": "the English model of Assay"},
    )
    parser.add_argument(
        "--order",
        type=numbers.whole_number(1, 3),
        default=3,
        metavar="N",
        help="for train: number of words in the longest n-grams (default: 3)",
    )
    add(parser, "min_count", min_count={"default": 1, "detail": "of a word, for train; rarer words become <unk>"})
    parser.add_argument(
        "--prune",
        type=numbers.rows,
        nargs="+",
        default=[0],
        metavar="N",
        help="for train: leave out n-grams that occur at most N times, one number per order (default: 0 0 0)",
    )
    add(
        parser,
        "tokenizer",
        tokenizer={"default": "words", "detail": "words (any language), en (as the parser) or space, for train"},
    )
    parser.add_argument("--cased", action="store_true", help="for train: do not lower-case words or unify numbers")
    parser.add_argument(
        "--bits",
        type=numbers.rows,
        default=32,
        choices=(8, 32),
        help="bits per stored number; 8 makes a file of a quarter of the size (default: 32)",
    )
    parser.add_argument(
        "--per-line", action="store_true", help="for score: log probability, words and unknown words of every line"
    )
    add(parser, "strip_tags", "json")


def run(args: argparse.Namespace) -> int:
    from ..text.lm.trigrams import load

    if args.action == "train":
        return _train(args)
    if args.action == "convert":
        if not args.to:
            raise InputError("convert needs two files: assay lm convert model.npz model.arpa")
        model = load(args.file)
        model.save(args.to, bits=args.bits)
        show([model.summary(args.to)], as_json=args.json)
        return 0
    model = load(args.model)
    if args.per_line:
        for line in _score_lines(model, args):
            write_data(line)
        return 0
    perplexity = model.perplexity(follow_lines(args.file, quiet=args.quiet, strip_tags=args.strip_tags))
    if not perplexity.sentences:
        raise InputError(f"{args.file} has no words to score")
    show([replace(perplexity, model=args.model or "")], as_json=args.json)
    return 0


def _train(args: argparse.Namespace) -> int:
    from ..text.lm.trigrams import train

    if not args.out:
        raise InputError("train needs --out FILE (.npz, .arpa or .arpa.gz)")
    if not args.out.endswith(_ENDINGS):
        raise InputError(f"a language model is written as .npz, .arpa or .arpa.gz, not {args.out}")
    model = train(
        follow_lines(args.file, quiet=args.quiet, strip_tags=args.strip_tags),
        order=args.order,
        least=args.min_count,
        prune=args.prune,
        tokenizer=args.tokenizer,
        normalize=not args.cased,
    )
    model.save(args.out, bits=args.bits)
    show([model.summary(args.out)], as_json=args.json)
    return 0


class LineRecord(TypedDict):
    """The log probability of a line (natural logarithm), its words, and how many of them the model does not know."""

    kind: Literal["line"]
    log_p: float
    words: int
    unknown: int
    text: str


def _score_lines(model: LanguageModel, args: argparse.Namespace) -> Iterator[str]:
    for line in follow_lines(args.file, quiet=args.quiet, strip_tags=args.strip_tags):
        tokens = model.tokens(line)
        ids = model.ids(tokens)
        total = float(model.log_prob(tokens).sum()) if tokens else math.nan
        unknown = int((ids == 0).sum())
        record: LineRecord = {
            "kind": "line",
            "log_p": total,
            "words": len(tokens),
            "unknown": unknown,
            "text": line,
        }
        yield json_line(record) if args.json else f"{total:.3f}\t{len(tokens)}\t{unknown}\t{line}\n"
