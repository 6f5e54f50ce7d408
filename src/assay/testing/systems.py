"""What must hold of every compressor and fuser."""

from __future__ import annotations

from ..systems.budget import Budget
from ..systems.compress import Compression, Compressor, Source
from ..systems.fuse import Cluster, Fuser
from ..systems.system import System
from .component import check_class, check_signature, list_variants, require

TEXTS = (
    "The White House said on Monday that it would not rule out a meeting between the two presidents in New York.",
    "After a long absence, the shop on Main Street (once a bank) is returning to the area next year, owners said.",
    "Yes",
    "",
    "...",
    "No verb here",
    "Prices rose 3.5% to $40m; wages didn't.",
)
BUDGETS = (Budget(words=4), Budget(ratio=0.43), Budget(chars=40))
CLUSTERS = (
    ("The cat sat.", "The old cat sat on the mat."),
    ("Prices rose 3.5% on Monday.", "On Monday prices rose.", "Wages didn't."),
    ("Yes",),
    ("",),
)


def check_system(cls: type[System]) -> None:
    """Check a compressor or fuser; raises BrokenContract with what does not hold.

    It is a documented frozen dataclass; its signature gives it again; there is one text for each source, in order, and
    none that is empty unless the source is; a length limit holds, or a note says that it cannot; the same texts give
    the same results, alone too.

    >>> from assay.systems.fuse.baselines import Longer
    >>> check_system(Longer)
    """
    check_class(cls, System)
    for system in list_variants(cls):
        check_signature(system)
        if isinstance(system, Compressor):
            check_texts(system)
            check_budgets(system)
            check_repetition(system)
        elif isinstance(system, Fuser):
            check_fusions(system)
        else:
            require(False, cls, "must be a Compressor or a Fuser")


def check_texts(system: Compressor) -> list[Compression]:
    """Check that each text has one that is not empty, on one line, made of tokens of the source."""
    results = system.compress([Source(text) for text in TEXTS])
    require([r.source for r in results] == list(TEXTS), system, "must give one result for each text, in order")
    for result in results:
        source = result.source
        require(bool(result.text) == bool(source), system, f"{source!r} became {result.text!r}")
        require("\n" not in result.text, system, f"{source!r} became two lines")
        spans = all(source[token.start : token.end] == token.text for token in result.tokens)
        require(spans, system, f"tokens of {source!r} are not where they say")
    return results


def check_budgets(system: Compressor) -> None:
    """Check that every kind of limit holds, or that a note says it cannot."""
    for budget in BUDGETS if system.has_length else ():
        for result in system.compress([Source(text, budget) for text in TEXTS]):
            limit = budget.limit(result.source)
            holds = limit is None or limit.holds(result.text)
            noted = any("longer than the limit" in note for note in result.notes)
            require(holds or noted, system, f"{result.text!r} exceeds {budget}, and no note says so")
            require(result.text or not result.source, system, f"nothing is left of {result.source!r}")


def check_repetition(system: Compressor) -> None:
    """Check that a text has the same result again, and without the others."""
    sources = [Source(text, Budget(words=5) if system.has_length else Budget()) for text in TEXTS]
    together = system.compress(sources)
    require(system.compress(sources) == together, system, "gives another result the second time")
    require(system.compress(sources[1:2]) == together[1:2], system, "a text alone has another result than among others")


def check_fusions(system: Fuser) -> None:
    """Check that each cluster has one text, empty only where the cluster is, and the same again and alone."""
    clusters = [Cluster(sentences) for sentences in CLUSTERS]
    together = system.fuse(clusters)
    require(
        [r.sentences for r in together] == list(CLUSTERS), system, "must give one result for each cluster, in order"
    )
    for result in together:
        require(bool(result.text) == any(result.sentences), system, f"{result.sentences} became {result.text!r}")
    require(system.fuse(clusters) == together, system, "gives another result the second time")
    require(system.fuse(clusters[:1]) == together[:1], system, "a cluster alone has another result than among others")
