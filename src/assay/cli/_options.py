"""Every option that more than one command has, defined once: one name, one meaning, one help text."""

from __future__ import annotations

import argparse
from typing import Any

from ..cores import usable_cores
from ..data.view import FORMS
from . import _numbers as numbers

# Default metrics of every command that scores: against references; without references, the length ratio.
METRICS = ("rouge1", "rouge2", "rougeL", "bleu")
METRICS_WITHOUT_REFERENCES = ("rate",)

_REPEAT: dict[str, Any] = {"action": "append", "default": []}


class PrintedForm(argparse.Action):
    """Set how tables are printed; the error for another word names the option that may be meant."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{**settings, "dest": "table_format"})

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Set the format of tables."""
        from ..formats import names

        if values not in FORMS:
            hint = "; records are printed with --json" if values == "json" else ""
            if hasattr(namespace, "format") and values in names():
                hint += f"; a file of this format is read with --input-format {values}"
            parser.error(f"--format is how tables are printed: {', '.join(FORMS)}; got {values!r}{hint}")
        namespace.table_format = values


# Name -> flags, and what argparse is told. The help says what the option does; `add` appends the default.
OPTIONS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "file": (
        ("file",),
        {
            "nargs": "?",
            "help": "evaluation set: .jsonl, .json, .csv, .tsv, .parquet, .xlsx (also .gz), a folder, or - for stdin; "
            "with --refs, outputs (lines, or any format); with --input, references",
        },
    ),
    "more": (
        ("more",),
        {"nargs": "*", "metavar": "file", "help": "further systems, a file for each; items meet by their ids"},
    ),
    "input": (
        ("-i", "--input"),
        {
            "nargs": "+",
            "default": [],
            "metavar": "FILE",
            "help": "outputs, a file for each system: lines, or any format",
        },
    ),
    "outputs": (
        ("--outputs",),
        {**_REPEAT, "metavar": "NAME=FILE", "help": "outputs of one system: lines, or any format"},
    ),
    "refs": (
        ("--refs",),
        {
            "nargs": "+",
            "default": [],
            "metavar": "FILE",
            "help": "references: text files with one per line, or files with ids and references",
        },
    ),
    "source": (("--source",), {"metavar": "FILE", "help": "sources: one per line, or a file with ids and sources"}),
    "input_format": (
        ("--input-format",),
        {"dest": "format", "metavar": "NAME", "help": "format of the input", "shown": "from the file name"},
    ),
    "columns": (
        ("--columns",),
        {
            "metavar": "ROLE=COLUMN,...",
            "help": "columns of the input, as output=prediction,reference=ref0+ref1; score=none: no ratings; @FILE: as "
            "saved by assay check --save FILE",
            "shown": "by their names",
        },
    ),
    "cluster": (
        ("--cluster",),
        {
            "dest": "cluster_column",
            "metavar": "COLUMN",
            "help": "column that names what was drawn together (document, topic, passage), or none; short for "
            "--columns cluster=COLUMN",
            "shown": "by its name",
        },
    ),
    "run": (
        ("--run",),
        {
            "dest": "run_column",
            "metavar": "COLUMN",
            "help": "column that says which repeat of the same input a row is (epoch, seed), or none; short for "
            "--columns run=COLUMN",
            "shown": "by its name",
        },
    ),
    "allow_missing": (
        ("--allow-missing",),
        {"action": "store_true", "help": "accept missing outputs; their scores are empty"},
    ),
    "strict": (
        ("--strict",),
        {
            "action": "store_true",
            "help": "refuse files with faults that are otherwise mended and noted: parts of a content unit that "
            "overlap, or whose words are nowhere",
        },
    ),
    "strip_tags": (
        ("--strip-tags",),
        {
            "action": "store_true",
            "help": "take markup out of the texts: sentence marks such as <t>, HTML tags, entities such as &amp;",
        },
    ),
    "metric": (("-m", "--metric"), {**_REPEAT, "metavar": "METRIC", "help": "metric to use"}),
    "scores": (
        ("--scores",),
        {
            **_REPEAT,
            "metavar": "FILE",
            "help": "item scores, written by `assay score --per-item --out FILE`; or a table with item, system and a "
            "column for each metric, .seg.score, output of comet-score",
        },
    ),
    "engine": (
        ("--engine",),
        {
            "metavar": "NAME",
            "help": "where the work is done (threads, dask, dask://host:port or dask+tls://host:port)",
        },
    ),
    "threads": (
        ("--threads",),
        {
            "type": numbers.threads,
            "default": usable_cores(),
            "metavar": "N",
            "help": "number of threads",
            "shown": "number of cores",
        },
    ),
    "dimension": (
        ("-d", "--dimension"),
        {**_REPEAT, "metavar": "NAME", "help": "judged dimension to use", "shown": "all"},
    ),
    "lower_is_better": (
        ("--lower-is-better",),
        {**_REPEAT, "metavar": "NAME", "help": "dimension of which low numbers are better", "shown": ""},
    ),
    "higher_is_better": (
        ("--higher-is-better",),
        {**_REPEAT, "metavar": "NAME", "help": "dimension of which high numbers are better", "shown": ""},
    ),
    "ranking": (
        ("--ranking",),
        {**_REPEAT, "metavar": "NAME", "help": "dimension that ranks the outputs for an item, 1 the best", "shown": ""},
    ),
    "llm": (
        ("--llm",),
        {
            **_REPEAT,
            "metavar": "NAME,NAME",
            "help": "raters that are LLMs and not people; * matches any characters",
            "shown": "as the file states",
        },
    ),
    "kind": (
        ("--kind",),
        {"choices": ("human", "llm", "metric"), "default": "human", "help": "assessors to ask"},
    ),
    "labelled": (
        ("--labelled",),
        {
            "choices": ("random",),
            "help": "how the items that people judged were chosen: random, by chance alone",
            "shown": "as `assay judge draw` wrote",
        },
    ),
    "judgments": (
        ("--judgments",),
        {"metavar": "FILE", "help": "file of judgments next to the input, of any format; items meet by their ids"},
    ),
    "these_raters": (
        ("--these-raters",),
        {"action": "store_true", "help": "test for the raters of the study only, not for others"},
    ),
    "difference": (
        ("--difference",),
        {
            "type": numbers.real_number(0, above=True),
            "metavar": "X",
            "help": "difference between two systems that should be found",
        },
    ),
    "raters": (
        ("--raters",),
        {"metavar": "NAME,NAME", "help": "use only these raters; * matches any characters", "shown": "all"},
    ),
    "people": (
        ("--people",),
        {"choices": ("exclude", "include"), "default": "exclude", "help": "texts by people among the systems"},
    ),
    "by": (
        ("--by",),
        {
            "choices": ("group",),
            "help": "answer also for each group of items: category, genre or topic",
        },
    ),
    "margin": (
        ("--margin",),
        {"type": numbers.real_number(0), "metavar": "X", "help": "difference that matters, in the unit of the scores"},
    ),
    "leaked": (
        ("--leaked",),
        {
            "choices": ("exclude", "include"),
            "default": "exclude",
            "help": "systems that repeat a reference on half of their items",
        },
    ),
    "copies": (
        ("--copies",),
        {
            "choices": ("exclude", "include"),
            "default": "exclude",
            "help": "systems with the same texts as another one",
        },
    ),
    "level": (("--level",), {"help": "level of the correlation"}),
    "baseline": (("--baseline",), {"metavar": "NAME", "help": "test the others against this one"}),
    "resamples": (
        ("--resamples",),
        {"type": numbers.resamples, "default": 1000, "metavar": "N", "help": "number of bootstrap samples"},
    ),
    "seed": (("--seed",), {"type": numbers.seed, "default": 0, "metavar": "N", "help": "random seed"}),
    "rows": (("--rows",), {"type": numbers.rows, "default": 20, "metavar": "N", "help": "rows to print"}),
    "out": (("--out",), {"metavar": "FILE", "help": "file to write"}),
    "escape_formulas": (
        ("--no-escape-formulas",),
        {
            "dest": "escape_formulas",
            "action": "store_false",
            "help": "in CSV, write texts that start with = + - @ unchanged instead of with an apostrophe in front",
        },
    ),
    "min_count": (
        ("--min-count",),
        {"type": numbers.words, "metavar": "N", "help": "least number of occurrences"},
    ),
    "language": (("--language",), {"metavar": "CODE", "help": "language of the words, as de"}),
    "tokenizer": (("--tokenizer",), {"metavar": "NAME", "help": "tokenizer"}),
    "ratio": (("--ratio",), {"type": numbers.ratio, "metavar": "R", "help": "share of the words to keep, as 0.43"}),
    "words": (("--words",), {"type": numbers.words, "metavar": "N", "help": "most words in each output"}),
    "chars": (("--chars",), {"type": numbers.words, "metavar": "N", "help": "most characters in each output"}),
    "system": (("--system",), {"metavar": "SYSTEM", "help": "system to run, with its parameters (--list shows them)"}),
    "model": (("--model",), {"metavar": "FILE", "help": "model file to use"}),
    "keep": (("--keep",), {**_REPEAT, "metavar": "REGEX", "help": "always keep what matches"}),
    "drop": (("--drop",), {**_REPEAT, "metavar": "REGEX", "help": "always drop what matches"}),
    "name": (("--name",), {"metavar": "NAME", "help": "name of the system in the output", "shown": "as in --list"}),
    "list": (("--list",), {"action": "store_true", "help": "list what there is"}),
    "json": (("--json",), {"action": "store_true", "help": "print JSON Lines: one record per line, unrounded"}),
    "format": (
        ("--format",),
        {
            "action": PrintedForm,
            "metavar": "FORMAT",
            "help": "format of the printed tables: text, markdown or latex",
            "shown": "text",
        },
    ),
    "quiet": (("--quiet",), {"action": "store_true", "help": "print no progress bar and no notes"}),
}

# What replaced the names of earlier versions, for the error that refuses them.
REPLACED = {
    "--human": "--dimension",
    "--target": "--dimension",
    "--references": "--refs",
    "--reference": "--baseline",
    "--size": "--population",
    "--limit": "--text-limit in report and --words in probe",
    "--select": "--validation",
    "--drop-assessors": "--drop-raters",
    "--assessors-by": "--drop-by",
    "--least": "--min-count",
    "--tokens": "--tokenizer",
    "--drop-share": "--leave-out-share",
    "--cache": "the environment variable ASSAY_CACHE",
}


def add(parser: argparse.ArgumentParser, *names: str, **changes: dict[str, Any]) -> None:
    """Add shared options to a command.

    `changes` are for what depends on the command: a default, `shown` (how the default reads), `detail` (what the
    command does with it, after the shared help), `once` (the command takes one). The meaning stays the same.
    """
    for name in names:
        flags, settings = OPTIONS[name]
        settings = {**settings, **changes.get(name, {})}
        default = settings.pop("shown", None)
        if detail := settings.pop("detail", ""):
            settings["help"] = f"{settings['help']}: {detail}"
        if not settings.pop("once", False) and settings.get("action") == "append":
            settings["help"] += "; repeat for more"
        settings["help"] = with_default(settings["help"], settings if default is None else {"default": default})
        parser.add_argument(*flags, **settings)


def add_dimension(parser: argparse.ArgumentParser, **changes: Any) -> None:
    """Add the options that name judged dimensions, and state their scales and who judged."""
    add(parser, "dimension", "lower_is_better", "higher_is_better", "ranking", "llm", "kind", dimension=changes)


def add_input(parser: argparse.ArgumentParser, *, judged: bool = False) -> None:
    """Add the options that name an evaluation set; `judged` for commands that use its judgments."""
    add(parser, "file", "more", "input", "outputs", "refs", "source", "input_format", "columns", "cluster", "run")
    add(parser, "allow_missing", "strict", "strip_tags")
    if judged:
        add(parser, "judgments")


def with_default(text: str, settings: dict[str, Any]) -> str:
    """Return a help text that ends with the default, if there is one to speak of.

    >>> with_default("random seed", {"default": 0}), with_default("file to write", {})
    ('random seed (default: 0)', 'file to write')
    """
    default = settings.get("default")
    if settings.get("action") in ("store_true", "store_false") or default in (None, [], ""):
        return text
    return f"{text} (default: {', '.join(default) if isinstance(default, (list, tuple)) else default})"
