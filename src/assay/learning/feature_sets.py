"""Sets of features that go by a name: those of S3 (Peyrard et al. 2017, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_ROUGE = "measure=recall, stem=true, refs=sum"
BEST = (
    f"rouge1({_ROUGE})",
    f"rouge2({_ROUGE})",
    "rougeWE1",
    "rougeWE2",
    "js1",
    "js2",
)
FULL = (
    *BEST,
    f"rougeL({_ROUGE})",
    "avgsim",
    *(f"{name}{n}" for name in ("tfidf", "coverage", "sourcekl", "sourcejs", "red") for n in (1, 2)),
)
SETS = {"best": BEST, "full": FULL}


def expand_sets(names: Iterable[str], *, sources: bool, references: bool = True) -> list[str]:
    """Return the names with sets spelled out, each once.

    Of a set, what needs sources is left out where there are none; a metric that is named itself never is.

    >>> expand_sets(["best", "bleu"], sources=False)[-2:]
    ['js2', 'bleu']
    """
    return list(dict.fromkeys(_each(names, sources, references)))


def _each(names: Iterable[str], sources: bool, references: bool) -> Iterator[str]:
    from ..metrics import metric

    for name in names:
        if name.lower() not in SETS:
            yield name
            continue
        for member in SETS[name.lower()]:
            needs = metric(member).needs
            if (needs != "sources" or sources) and (needs != "references" or references):
                yield member
