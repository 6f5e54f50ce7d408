"""List the metrics by family, or explain one: formula, pooling of references, what 0/0 is, signature.

assay metrics
assay metrics rouge
assay metrics grid
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
    from ..data.component_list import ComponentHelp, ListedMetric
    from ..data.result import Result

SUMMARY = "list the metrics, or explain one"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", help="metric to explain, or family to list; all (default: list the families)"
    )
    add(parser, "json")


def run(args: argparse.Namespace) -> int:
    show([_answer(args.name)], as_json=args.json)
    return 0


def _answer(name: str | None) -> Result:
    """Return the families, the metrics of one, all metrics, or the explanation of one."""
    from ..data.component_list import ComponentList, MetricFamilies
    from ..metrics import FAMILIES

    if name is None:
        return MetricFamilies(_list_metrics())
    family = name.strip().lower()
    if family not in (*FAMILIES, "all"):
        return _explain_metric(name)
    metrics = tuple(m for m in _list_metrics() if family in ("all", m.family))
    return ComponentList("metric", metrics, _sentence(FAMILIES.get(family, "")))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _list_metrics() -> tuple[ListedMetric, ...]:
    """List the metrics by family; names of Toutanova et al. (2016) are in the grid, whichever metric they stand for.

    Of those in other packages the names are listed; nothing of them is imported.
    """
    from ..data.component_list import ListedMetric
    from ..metrics import GRID, METRICS, metric

    metrics = {name: metric(name) for name, _ in METRICS.own_examples()}
    listed = [
        ListedMetric(name, m.summary(), m.signature(), family="grid" if name in GRID else m.family)
        for name, m in metrics.items()
    ]
    listed += [
        ListedMetric(p.name, f"from {p.package} {p.version}", f"{p.name}(package={p.origin})", family="installed")
        for p in METRICS.plugins
    ]
    return tuple(sorted(listed, key=_place))


def _place(entry: ListedMetric) -> tuple[int, int, str]:
    """Return where a metric stands in the list: by family, there by name, the grid as in the paper."""
    from ..metrics import FAMILIES, GRID

    return list(FAMILIES).index(entry.family), GRID.index(entry.name) if entry.name in GRID else 0, entry.name.lower()


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
