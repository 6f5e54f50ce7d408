"""Print the first sentences of many commands on the research data: what a reader judges one by one.

    python tools/headlines.py                      (all, as a Markdown list)
    python tools/headlines.py --only wmt17         (sets whose name has this in it)
    python tools/headlines.py --out FILE

Headlines have names of systems and numbers, and no text of the data. Resamples are 200, so that it takes minutes.
"""

from __future__ import annotations

import argparse
import atexit
import io
import os
import shutil
import sys
import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from assay.cli.main import main

ROOT = Path(__file__).parent.parent
WMT = (
    "compare {} -m bleu",
    "compare {} -m chrf",
    "compare {} -d adequacy",
    "meta {} -d adequacy -m bleu -m chrf -m ter",
    "meta {} -d adequacy -m bleu -m chrf --level item",
    "meta {} -d adequacy -m bleu -m chrf --question decisions",
    "meta {} -d adequacy -m bleu -m chrf --question noticeable",
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "wmt17-cs-en.jsonl.gz": WMT,
    "wmt17-de-en.jsonl.gz": (*WMT, "meta {} -d adequacy -m bleu -m chrf --question accuracy"),
    "tac2008.jsonl.gz": (
        "compare {} -m rouge2",
        "compare {} -m rouge2 --people exclude",
        "compare {} -d pyramid",
        "compare {} -d responsiveness",
        "meta {} -d pyramid -m rouge1 -m rouge2",
        "meta {} -d responsiveness -m rouge1 -m rouge2",
        "meta {} -d responsiveness -m rouge1 -m rouge2 --level item",
        "meta {} -d responsiveness -m rouge2 --method kendall",
        "meta {} -d pyramid -m rouge1 -m rouge2 --question outliers",
        "meta {} -d responsiveness -m rouge1 -m rouge2 --question decisions",
        "agree {} -d responsiveness",
    ),
    "summeval.jsonl.gz": (
        "compare {} -m rouge2",
        "compare {} -d coherence",
        "compare {} -d consistency",
        "compare {} -d fluency",
        "meta {} -d coherence -m rouge1 -m rouge2 -m rougeL",
        "meta {} -d consistency -m rouge1 -m rouge2 -m rougeL",
        "meta {} -d fluency -m rouge1 -m rouge2",
        "meta {} -d relevance -m rouge1 -m rouge2 --level item",
        "meta {} -d coherence -m rouge1 -m rouge2 --question accuracy",
        "agree {} -d coherence",
        "agree {} -d consistency",
        "agree {} -d fluency --raters expert*",
        "agree {} -d relevance --raters turker*",
        "agree {} -d coherence --measure nominal",
        "judge table {} --judgments {judges} --raters expert* -d coherence",
        "judge table {} --judgments {judges} --raters expert* -d consistency",
        "judge table {} --judgments {judges} --raters expert* -d fluency",
        "judge table {} --judgments {judges} --raters expert* -d relevance",
        "judge table {} --judgments {judges} --raters turker* -d coherence",
    ),
    "msr-compression/RawData/valid.tsv": (
        "compare {} -m rouge2",
        "compare {} -d meaning",
        "compare {} -d grammar",
        "meta {} -d meaning -m rouge2 -m rougeL",
        "meta {} -d grammar -m rouge2 -m rougeL",
        "agree {} -d meaning",
        "agree {} -d grammar --measure nominal",
    ),
    "simplicity-da.jsonl.gz": (
        "compare {} --allow-missing -d simplicity",
        "compare {} --allow-missing -d simplicity --these-raters",
        "compare {} --allow-missing -d simplicity --baseline ACCESS",
        "compare {} --allow-missing -d simplicity --test t",
        "agree {} -d simplicity",
    ),
    "pyrxsum-content-units.jsonl.gz": ("compare {} -m rouge1", "compare {} -m rouge2", "pyramid score {}"),
    "broadcast-news.jsonl.gz": ("compare {} -m rouge2", "compare {} -m rouge1"),
    "duc2007/mainPyramidEval/allpans": ("pyramid score {}",),
    "duc2007/mainPyramidEval": ("compare {} -m rouge2", "compare {} -m rouge2 --people exclude"),
    "duc2007/updateEval": (
        "compare {} -d responsiveness --people exclude",
        "meta {} -d responsiveness -m rouge1 -m rouge2",
    ),
}
SEEDED = ("compare", "meta", "agree", "judge")


def list_headlines(only: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each command, with the sentences that it prints first."""
    data = folder
    for name, rows in COMMANDS.items():
        folder = data
        if only not in name:
            continue
        if name.startswith("duc2007"):
            folder = unpack_duc(folder)
        if not (folder / name).exists():
            continue
        for row in rows:
            shown = row.replace("{judges}", "summeval-llm-judges.jsonl.gz").replace("{}", name)
            words = [str(folder / w) if (folder / w).exists() else w for w in shown.split()]
            draws = ["--resamples", "200"] if words[0] in SEEDED else []
            yield shown, read_headline([*words, *draws, "--quiet"])


@cache
def unpack_duc(folder: Path) -> Path:
    """Unpack DUC 2007 for as long as this runs, and return the folder that holds it."""
    unpacked = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, unpacked)
    packed = folder / "duc2007.tar.xz"
    if packed.exists():
        with tarfile.open(packed) as archive:
            archive.extractall(unpacked, filter="data")
    return unpacked


def read_headline(words: list[str]) -> str:
    """Run a command, and return the sentences that stand above its first table."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = main(words)
    if code:
        return f"(error) {err.getvalue().strip().splitlines()[-1]}"
    blocks = [block for block in out.getvalue().strip().split("\n\n") if "──" not in block]
    first = next((block for block in blocks if block.rstrip().endswith((".", "?"))), blocks[0] if blocks else "")
    return " ".join(first.split())


def write_headlines(args: argparse.Namespace) -> None:
    """Print or write the list."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    out = open(args.out, "w", encoding="utf-8") if args.out else sys.stdout  # noqa: SIM115
    with out:
        for number, (command, headline) in enumerate(list_headlines(args.only, folder), 1):
            print(f"{number}. `assay {command}`: {headline}", file=out, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of the name of a set")
    parser.add_argument("--out", help="file to write")
    write_headlines(parser.parse_args())
