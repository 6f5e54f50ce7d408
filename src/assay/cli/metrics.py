"""List the metrics, or explain one: formula, pooling of references, what 0/0 is, signature.

assay metrics
assay metrics rouge2
assay metrics "SKIP-2+Recall+MULT-PROB"
"""

from __future__ import annotations

import argparse
import inspect
from typing import TYPE_CHECKING

from ._options import add
from ._show import show

if TYPE_CHECKING:
    from ..data.component_list import ComponentHelp, ComponentList

SUMMARY = "list the metrics, or explain one"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="metric to explain (default: list all metrics)")
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    show([_explain_metric(args.name) if args.name else _list_metrics()], as_json=args.json)
    return 0


def _list_metrics() -> ComponentList:
    from ..data.component_list import ComponentList, ListedComponent
    from ..metrics import METRICS, metric

    metrics = {name: metric(name) for name, _ in METRICS.examples()}
    return ComponentList(
        "metric",
        tuple(ListedComponent("metric", name, m.summary(), m.signature()) for name, m in metrics.items()),
    )


def _explain_metric(name: str) -> ComponentHelp:
    from ..data.component_list import ComponentHelp
    from ..metrics import metric

    named = metric(name)
    docstrings = (inspect.cleandoc(type(named).__doc__ or ""), *named.shared_docstrings())
    text = "\n\n".join(filter(None, map(_drop_examples, docstrings)))
    return ComponentHelp(name, named.signature(), named.needs, named.higher_is_better, text)


def _drop_examples(text: str) -> str:
    """Return the docstring up to its doctests, which are for Python users."""
    paragraphs: list[str] = []
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            break
        paragraphs.append(paragraph)
    if paragraphs and paragraphs[-1].endswith(":"):  # it announces the doctest
        paragraphs.pop()
    return "\n\n".join(paragraphs)
