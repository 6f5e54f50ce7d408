"""Write one HTML page to send to a colleague: the answer in words, then everything it rests on.

assay report judged.jsonl
assay report judged.jsonl -m rouge2 -m bleu --dimension adequacy --out report.html
assay report set.jsonl --scores scores.parquet --title "Our five systems"
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..printable import escape_hidden
from ..views import shorten_names
from . import _numbers as numbers
from ._input import SCALE_OPTIONS, read_input
from ._options import METRICS, METRICS_WITHOUT_REFERENCES, add, add_dimension, add_input
from ._scores import collect_scores
from ._screen import write_control
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..page.html import Origin
    from ..page.report import Subsets

SUMMARY = "write one HTML page with the answer and what it rests on"
_OUT = "report.html"
_TEXT_LIMIT = 11.0  # megabytes
_ERASE = "\r\033[K"  # what stands in this line of the terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, judged=True)
    add(
        parser,
        *("metric", "scores", "threads", "out"),
        metric={"shown": f"{', '.join(METRICS)}; {', '.join(METRICS_WITHOUT_REFERENCES)} without references"},
        out={"default": _OUT},
    )
    add_dimension(parser)
    parser.add_argument("--title", metavar="TEXT", help="title of the page (default: the file name)")
    parser.add_argument(
        "--figures", metavar="DIR", help="folder for every chart of the page as SVG and PNG; needs the extra figures"
    )
    add(
        parser,
        *("resamples", "seed"),
        resamples={"default": None, "shown": "1000, fewer for very large sets"},
    )
    parser.add_argument(
        "--text-limit",
        type=numbers.real_number(0, 10_000, above=True),
        default=_TEXT_LIMIT,
        metavar="MB",
        help="most megabytes of texts on the page; items where metric and people agree are left out first "
        f"(default: {_TEXT_LIMIT:g})",
    )
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from ..data.written_file import WrittenFile
    from ..files import whole_file
    from ..page.html import draw_page
    from ..page.report import report
    from ..scoring.references import score_own_references

    data = read_input(args, units=True)
    typed = collect_scores(args, data.skip_repeats(), _defaults(data))
    names = shorten_names(list(typed))
    full_names = dict(zip(names, typed, strict=True))
    result = report(
        data,
        dict(zip(names, typed.values(), strict=True)),
        dimensions=args.dimension or None,
        subsets=_subsets(data, full_names, args.seed),
        own_references=lambda name: score_own_references(data, full_names[name]),
        resamples=args.resamples,
        seed=args.seed,
        tell=_teller(args),
    )
    page = draw_page(result, _origin(args), limit=int(args.text_limit * 1e6)).encode()
    figures: list[Path] = []
    if args.figures:
        from ..page.sections import list_charts
        from ..views import write_figures

        figures = write_figures(list_charts(result), Path(args.figures))
    with whole_file(args.out) as file:
        file.write(page)
    written = [WrittenFile("report", args.out, len(page))]
    if figures:
        written.insert(0, WrittenFile("figures", args.figures, sum(path.stat().st_size for path in figures)))
    show([result, *written], as_json=args.json)
    return 0


def _defaults(data: EvalSet) -> tuple[str, ...]:
    """Return the metrics to use where none is named: by references, else by sources, else none but people."""
    if any(item.references for item in data):
        return METRICS
    if any(item.sources for item in data):
        return METRICS_WITHOUT_REFERENCES
    return ()


def _subsets(data: EvalSet, typed: Mapping[str, str], seed: int) -> Callable[[str], Subsets | None]:
    """Return a function that scores a metric against fewer references, once."""
    from ..scoring.references import reference_tables

    tables: dict[str, Subsets | None] = {}

    def subsets(name: str) -> Subsets | None:
        if name not in tables:
            tables[name] = reference_tables(data, typed[name], seed=seed)
        return tables[name]

    return subsets


def _teller(args: argparse.Namespace) -> Callable[[str], None]:
    """Return a function that prints the current step on a terminal, over the one before."""
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
    """Return the command that makes this page again, with every option that is not the default."""
    words = ["assay", "report", *([args.file] if args.file else [])]
    for option in ("outputs", "metric", "scores", "dimension", *SCALE_OPTIONS):
        for value in getattr(args, option):
            words += [f"--{option.replace('_', '-')}" if option != "metric" else "-m", value]
    words += ["--refs", *args.refs] if args.refs else []
    for option, value in (("source", args.source), ("input-format", args.format), ("title", args.title)):
        words += [f"--{option}", value] if value else []
    words += ["--allow-missing"] if args.allow_missing else []
    defaults = {"resamples": None, "seed": 0, "text_limit": _TEXT_LIMIT, "out": _OUT, "figures": None}
    for option, usual in defaults.items():
        if getattr(args, option) != usual:
            words += [f"--{option.replace('_', '-')}", str(getattr(args, option))]
    return shlex.join(words)


def _checksum(file: str | None) -> str:
    """Return the name and checksum of the file, to check if it is the same one."""
    from pathlib import Path

    from ..files import sha256_of

    if not file or not Path(file).is_file():
        return ""
    return f"{Path(file).name}: SHA-256 {sha256_of(file)}."
