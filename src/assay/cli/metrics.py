"""List the metrics, or explain one: formula, reference policy, 0/0 rule, signature.

assay metrics
assay metrics rouge2
assay metrics "SKIP-2+Recall+MULT-PROB"
"""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Iterator

SUMMARY = "list the metrics, or explain one"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", nargs="?", help="the metric to explain")
    parser.add_argument("--json", action="store_true", help="one JSON record per metric")


def run(args: argparse.Namespace) -> int:
    lines = _explain(args.metric, args.json) if args.metric else _list(args.json)
    for line in lines:
        print(line)
    return 0


def _list(as_json: bool) -> Iterator[str]:
    from ..metrics import METRICS, metric
    from ..views._draw.terminal import draw_table as table
    from ..views._view import Column

    built = {name: metric(name) for name, _ in METRICS.examples()}
    if as_json:
        for name, found in built.items():
            record = {"metric": name, "summary": found.summary(), "signature": found.signature()}
            yield json.dumps(record, ensure_ascii=False)
        return
    rows = [(name, found.summary()) for name, found in built.items()]
    columns = [Column("metric", [r[0] for r in rows], right=False), Column("", [r[1] for r in rows], right=False)]
    notes = [
        "Names with a number take others too (rouge5, rougeS9, bleu2). Parameters go in brackets: "
        "rouge2(measure=recall, stem=true). `assay metrics NAME` explains one.",
    ]
    yield table(columns, notes=notes)


def _explain(name: str, as_json: bool) -> Iterator[str]:
    from ..metrics import metric

    found = metric(name)
    text = inspect.cleandoc(type(found).__doc__ or "")
    prose = [_without_examples(t) for t in (text, *found.shared_docstrings())]
    if as_json:
        record = {"metric": name, "signature": found.signature(), "higher_is_better": found.higher_is_better}
        yield json.dumps({**record, "text": "\n\n".join(prose)}, ensure_ascii=False)
        return
    yield "\n\n".join(p for p in prose if p)
    yield f"\nneeds: {found.needs}; {'higher' if found.higher_is_better else 'lower'} is better"
    yield f"signature: {found.signature()}"


def _without_examples(text: str) -> str:
    """The docstring up to its doctests, which are for the Python reader."""
    kept: list[str] = []
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            break
        kept.append(paragraph)
    return "\n\n".join(kept)
