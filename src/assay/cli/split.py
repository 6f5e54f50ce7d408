"""Split compounds: one line out for each line in, a bar at each boundary.

assay split words.txt --language de                  (Prüfungs|programm; what is not a compound stays as it is)
echo Donaudampfschiff | assay split - --language de
assay split article.txt --language sv --running      (inside sentences; everything else stays)
assay split words.txt --language de --json --n 3     (parts, lemmas, tags, scores; the three best splits)
assay split gold.jsonl --language da --evaluate      (precision, recall and F against gold splits)
assay split build --language et                      (builds a lexicon from installed packages)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from ..errors import InputError
from ..printable import escape_hidden
from . import _numbers as numbers
from ._lines import follow_lines
from ._options import add
from ._show import json_line, show

if TYPE_CHECKING:
    from ..text.compounds.splitter import CompoundSplit, CompoundSplitter

SUMMARY = "split compounds into their parts, and refuse what is not a compound"
SUBCOMMANDS = {"build": "_split_build"}
BATCH = 2000  # lines


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="words, one per line (also .gz), or - for stdin; with --evaluate, gold")
    add(parser, "language")
    parser.add_argument("--running", action="store_true", help="lines are sentences: split the words inside them")
    parser.add_argument(
        "--parts", type=numbers.whole_number(2, 20), metavar="N", help="most parts of a word (default: 8)"
    )
    parser.add_argument("--force", action="store_true", help="split every word that can be split: all are compounds")
    parser.add_argument("--no-guess", action="store_true", help="allow only parts that the lexicon has")
    parser.add_argument(
        "--rank-by",
        choices=("model", "longest"),
        default="model",
        help="which split is best: by the model, or the longest first part as in the paper (default: model)",
    )
    parser.add_argument(
        "--n",
        type=numbers.whole_number(1, 50),
        default=1,
        metavar="N",
        help="splits of each word, with --json (default: 1)",
    )
    parser.add_argument("--lexicon", metavar="FILE", help="lexicon to use, written by `assay split build`")
    parser.add_argument("--evaluate", action="store_true", help="score the splitter against gold splits")
    parser.add_argument(
        "--guesser", action="store_true", help="with --evaluate: remove a part of every compound from the lexicon first"
    )
    add(parser, "seed", "resamples", "json", resamples={"detail": "for --evaluate"}, seed={"detail": "for --evaluate"})


def run(args: argparse.Namespace) -> int:
    if not args.file:
        raise InputError("nothing to split: give a file of words, or - for standard input")
    if not args.language:
        from ..text.compounds.language import list_languages

        raise InputError(f"--language is missing: give one of {', '.join(list_languages())}")
    if args.n > 1 and not args.json:
        raise InputError("--n prints several splits of a word, for which --json is needed")
    splitter = _load(args)
    if args.evaluate:
        _evaluate(args, splitter)
        return 0
    lines = follow_lines(args.file, quiet=args.quiet)
    write_lines = _records(args, splitter, lines) if args.json else _mark_lines(args, splitter, lines)
    for batch in write_lines:
        sys.stdout.write(batch)
        sys.stdout.flush()
    return 0


def _load(args: argparse.Namespace) -> CompoundSplitter:
    from ..systems.compounds.build import ensure_lexicon
    from ..text.compounds.splitter import load_splitter

    if not args.lexicon:
        ensure_lexicon(args.language, progress=lambda text: _tell(text, args.quiet))
    return load_splitter(
        args.language,
        lexicon=args.lexicon,
        parts=args.parts or 0,
        force=args.force,
        guess=not args.no_guess,
        ranking=args.rank_by,
    )


def _tell(text: str, quiet: bool) -> None:
    if not quiet:
        print(escape_hidden(text), file=sys.stderr, flush=True)


def _batches(lines: Iterable[str], interactive: bool) -> Iterator[list[str]]:
    lines = iter(lines)
    while batch := list(islice(lines, 1 if interactive else BATCH)):
        yield batch


def _is_typed(args: argparse.Namespace) -> bool:
    return bool(args.file == "-" and sys.stdin.isatty())


def _mark_lines(args: argparse.Namespace, splitter: CompoundSplitter, lines: Iterable[str]) -> Iterator[str]:
    from ..text.compounds.running import mark_texts

    for batch in _batches(lines, _is_typed(args)):
        marked = mark_texts(splitter, batch) if args.running else splitter.mark(batch)
        yield "".join(f"{escape_hidden(line)}\n" for line in marked)


def _records(args: argparse.Namespace, splitter: CompoundSplitter, lines: Iterable[str]) -> Iterator[str]:
    from ..text.compounds.running import WORDS

    number = 0
    for batch in _batches(lines, _is_typed(args)):
        words = [WORDS.findall(line) if args.running else [line] for line in batch]
        splits = iter(splitter.best([word for line in words for word in line], args.n))
        texts: list[str] = []
        for line in words:
            number += 1
            for _ in line:
                texts += [json_line(split_record(number, rank, s)) for rank, s in enumerate(next(splits), 1)]
        yield "".join(texts)


class PartRecord(TypedDict):
    """One part of a compound: its letters, where they stand, what follows before the boundary, lemma and tag."""

    text: str
    start: int
    end: int
    link: str
    ending: str
    lemma: str
    tag: str
    known: bool


class SplitRecord(TypedDict):
    """How a word is split: its parts, the probability of this split, and where it comes from."""

    kind: Literal["split"]
    line: int
    rank: int
    word: str
    split: str
    parts: list[PartRecord]
    score: float
    source: str


def split_record(line: int, rank: int, split: CompoundSplit) -> SplitRecord:
    """Return what --json says of one split: parts with spans, linking elements, lemmas and tags; score and source."""
    return {
        "kind": "split",
        "line": line,
        "rank": rank,
        "word": split.word,
        "split": split.mark(),
        "parts": [cast(PartRecord, vars(part)) for part in split.parts],
        "score": split.score,
        "source": split.source,
    }


def _evaluate(args: argparse.Namespace, splitter: CompoundSplitter) -> None:
    from ..systems.compounds.evaluate import evaluate, evaluate_guesser
    from ..systems.compounds.gold import parse_gold

    gold = parse_gold(follow_lines(args.file, quiet=args.quiet), path=args.file)
    score = evaluate_guesser if args.guesser else evaluate
    show([score(splitter, gold, resamples=args.resamples, seed=args.seed)], as_json=args.json)
