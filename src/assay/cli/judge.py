"""Use language models as judges, and find out what they can be used for.

assay judge run set.jsonl --config judge.toml --out judged.jsonl    (models judge the outputs)
assay judge table set.jsonl -d coherence       (people, LLM judges and metrics under the same statistics)
assay judge draw set.jsonl -d coherence --draw 40 --out drawn.jsonl    (which items people should judge next)

assay judge COMMAND --help explains each.
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add

SUMMARY = "let LLMs judge, and compare them with people"
SUBCOMMANDS = {
    "draw": "_judge_draw",
    "run": "_judge_run",
    "table": "_judge_table",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", choices=list(SUBCOMMANDS), help="what to do; each has its own --help")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    raise InputError(f"give the command first: assay judge {args.command} ...")
