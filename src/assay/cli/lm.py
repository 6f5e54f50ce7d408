"""Train a trigram language model, or ask one how likely lines of text are.

assay lm train news.txt --out news.npz
assay lm score lines.txt                       (the English model in Assay)
assay lm score lines.txt -m news.npz --per-line
assay lm convert news.npz news.arpa
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, json_line, show
from ._lines import text_lines
from ._screen import write_data

if TYPE_CHECKING:
    from ..text.lm.trigrams import LanguageModel, Perplexity

SUMMARY = "train a language model, or ask one for perplexity"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("train", "score", "convert"), help="what to do")
    parser.add_argument(
        "file", help="lines of text, each a sentence (.gz too, - for standard input); a model to convert"
    )
    parser.add_argument("to", nargs="?", help="the file that convert writes: .npz, .arpa or .arpa.gz")
    parser.add_argument("--out", metavar="FILE", help="the model that train writes: .npz, .arpa or .arpa.gz")
    parser.add_argument(
        "-m", "--model", metavar="FILE", help="the model that score asks (.npz, .arpa; the one in Assay)"
    )
    parser.add_argument(
        "--order", type=numbers.whole_number(1, 3), default=3, metavar="N", help="words in the longest n-gram (3)"
    )
    parser.add_argument(
        "--least", type=numbers.words, default=1, metavar="N", help="rarer words become <unk> (1: none)"
    )
    parser.add_argument(
        "--prune",
        type=numbers.rows,
        nargs="+",
        default=[0],
        metavar="N",
        help="leave out n-grams seen at most so often, by order (0 0 0)",
    )
    parser.add_argument(
        "--tokens",
        default="words",
        metavar="T",
        help="words (any language), en (as the parser cuts), space (tokenized)",
    )
    parser.add_argument("--cased", action="store_true", help="keep case and numbers as they are")
    parser.add_argument(
        "--bits", type=numbers.rows, default=32, choices=(8, 32), help="8: a quarter of the size, nearly the same (32)"
    )
    parser.add_argument("--per-line", action="store_true", help="a line per line of text: log p, words, unknown words")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..text.lm.trigrams import load

    if args.what == "train":
        return _train(args)
    if args.what == "convert":
        if not args.to:
            raise InputError("convert needs two files: assay lm convert model.npz model.arpa")
        load(args.file).save(args.to, bits=args.bits)
        return 0
    model = load(args.model)
    if args.per_line:
        for line in _lines(model, args):
            write_data(line)
        return 0
    found = model.perplexity(text_lines(args.file, quiet=args.quiet))
    show([_answer(found, args)], as_json=args.json)
    return 0


def _train(args: argparse.Namespace) -> int:
    from ..text.lm.trigrams import train

    if not args.out:
        raise InputError("train needs --out FILE (.npz, .arpa or .arpa.gz)")
    if not args.out.endswith((".npz", ".arpa", ".arpa.gz")):
        raise InputError(f"a language model is written as .npz, .arpa or .arpa.gz, not {args.out}")
    model = train(
        text_lines(args.file, quiet=args.quiet), order=args.order, least=args.least, prune=args.prune,
        tokenizer=args.tokens, normalize=not args.cased,
    )  # fmt: skip
    model.save(args.out, bits=args.bits)
    grams = [len(model.vocabulary), len(model.grams.word2), len(model.grams.word3)][: model.order]
    record: dict[str, Any] = {"model": args.out, "grams": grams, "bytes": os.path.getsize(args.out), **model.about}
    listed = ", ".join(f"{n:,} {k}-grams" for k, n in enumerate(grams, 1))
    said = f"{args.out}: {listed} from {record['sentences']:,} sentences with {record['words']:,} words."
    show([Answer([said], records=[record])], as_json=args.json)
    return 0


def _answer(found: Perplexity, args: argparse.Namespace) -> Answer:
    name = args.model or "the English model in Assay"
    if not found.sentences:
        raise InputError(f"{args.file} has no words to score")
    share = found.unknown / found.words
    said = [
        f"Perplexity {found.value:.1f} under {name}: {found.sentences:,} sentences, {found.words:,} words, "
        f"{found.unknown:,} of them unknown ({share:.1%}); {found.without_unknown:.1f} without those."
    ]
    return Answer(said, records=[{"model": args.model or "en", **found._asdict()}])


def _lines(model: LanguageModel, args: argparse.Namespace) -> Iterator[str]:
    for line in text_lines(args.file, quiet=args.quiet):
        tokens = model.tokens(line)
        ids = model.ids(tokens)
        total = float(model.log_prob(tokens).sum()) if tokens else math.nan
        unknown = int((ids == 0).sum())
        record = {"log_p": total, "words": len(tokens), "unknown": unknown, "text": line}
        yield json_line(record) if args.json else f"{total:.3f}\t{len(tokens)}\t{unknown}\t{line}\n"
