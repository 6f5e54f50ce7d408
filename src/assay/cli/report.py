"""One page to send to a colleague: the answer in words, then everything it rests on.

assay report judged.jsonl
assay report judged.jsonl -m rouge2 -m bleu --human adequacy --out report.html
assay report set.jsonl --scores scores.parquet --title "Our five systems"
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..printable import escape_hidden
from ..views._format import shorten_names
from . import _numbers as numbers
from ._input import read_input
from ._options import add, add_input
from ._scores import collect_scores
from ._screen import write_control

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..page.findings import Subsets
    from ..page.html import Origin

SUMMARY = "write one HTML page with the answer and what it rests on"
_DEFAULT = ("rouge2", "rouge1", "rougeL", "bleu")
_WITHOUT_REFERENCES = ("rate",)
_ERASE = "\r\033[K"  # what stands in this line of the terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add(parser, "metric", "scores", "threads")
    parser.add_argument("--out", default="report.html", metavar="FILE", help="the page to write (report.html)")
    parser.add_argument("--human", action="append", default=[], metavar="D", help="a judged dimension (default: all)")
    parser.add_argument("--title", metavar="T", help="the page's title (the file's name)")
    parser.add_argument(
        "--resamples", type=numbers.resamples, metavar="N", help="bootstrap samples and draws (1000; fewer if huge)"
    )
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="of everything drawn at random (0)")
    parser.add_argument(
        "--limit",
        type=numbers.real_number(0, 10_000, above=True),
        default=11.0,
        metavar="MB",
        help="of packed texts; items that agree best go first (11)",
    )
    parser.add_argument("--json", action="store_true", help="the answer as one line of JSON")


def run(args: argparse.Namespace) -> int:
    from ..files import whole_file
    from ..page.findings import find
    from ..page.headline import headline
    from ..page.html import page
    from ._answer import json_line

    data = read_input(args)
    found = collect_scores(args, data, _defaults(data))
    names = shorten_names(list(found))
    scores = dict(zip(names, found.values(), strict=True))
    findings = find(
        data, scores, human=args.human or None, subsets=_subsets(data, dict(zip(names, found, strict=True)), args.seed),
        resamples=args.resamples, seed=args.seed, tell=_teller(args),
    )  # fmt: skip
    html = page(findings, _origin(args), limit=int(args.limit * 1e6))
    with whole_file(args.out) as file:
        file.write(html.encode())
    said = headline(findings)
    if args.json:
        sys.stdout.write(json_line({"answer": said.answer, "settled": said.settled, "because": list(said.because),
                                    "page": args.out, "bytes": len(html.encode())}))  # fmt: skip
    else:
        print(escape_hidden(said.answer, breaks=True))
        print(f"\n{args.out} ({_megabytes(len(html.encode()))}) has the whole of it: open it in a browser.")
    return 0


def _defaults(data: EvalSet) -> tuple[str, ...]:
    """What to score by if nothing is named: against references, else sources, else people alone."""
    if any(item.references for item in data):
        return _DEFAULT
    if any(item.sources for item in data):
        return _WITHOUT_REFERENCES
    return ()


def _subsets(data: EvalSet, typed: Mapping[str, str], seed: int) -> Callable[[str], Subsets | None]:
    """Scores against fewer references, made once per metric."""
    from ._meta_stability import reference_tables

    made: dict[str, Subsets | None] = {}

    def subsets(name: str) -> Subsets | None:
        if name not in made:
            made[name] = reference_tables(data, typed[name], seed)
        return made[name]

    return subsets


def _teller(args: argparse.Namespace) -> Callable[[str], None]:
    """Says on a terminal what is being done; a line that is written over."""
    if args.quiet or args.json or not sys.stderr.isatty():
        return lambda step: None

    def tell(step: str) -> None:
        write_control(f"{_ERASE}{escape_hidden(step, breaks=True)} ...{'' if step != 'leaks' else _ERASE}", sys.stderr)
        sys.stderr.flush()

    return tell


def _origin(args: argparse.Namespace) -> Origin:
    from pathlib import Path

    from .. import __version__
    from ..page.html import Origin

    return Origin(
        title=args.title or (Path(args.file).name if args.file and args.file != "-" else "Evaluation"),
        command=_command(args),
        source=_checksum(args.file),
        version=__version__,
    )


def _command(args: argparse.Namespace) -> str:
    """What to type to get this page again, with every option that is not the default."""
    words = ["assay", "report", *([args.file] if args.file else [])]
    for option in ("outputs", "metric", "scores", "human"):
        for value in getattr(args, option):
            words += [f"--{option}" if option != "metric" else "-m", value]
    words += ["--refs", *args.refs] if args.refs else []
    for option in ("source", "format", "title"):
        value = getattr(args, option)
        words += [f"--{option}", value] if value else []
    words += ["--allow-missing"] if args.allow_missing else []
    defaults = {"resamples": None, "seed": 0, "limit": 11.0, "out": "report.html"}
    for option, usual in defaults.items():
        if getattr(args, option) != usual:
            words += [f"--{option}", str(getattr(args, option))]
    return shlex.join(words)


def _checksum(file: str | None) -> str:
    """The file as it was, to tell whether it is the same one."""
    from pathlib import Path

    from ..files import sha256_of

    if not file or not Path(file).is_file():
        return ""
    return f"{Path(file).name}: SHA-256 {sha256_of(file)}."


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
