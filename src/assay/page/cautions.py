"""The section about what could be wrong: leaks, blind metrics that win, odd data."""

from __future__ import annotations

from ..data._phrases import plural
from ..views._format import format_decimals as decimals
from ..views._format import format_percent as percent
from ..views._view import Column, View
from .findings import Findings, Trial
from .parts import Choice, Section, block


def cautions(found: Findings) -> Section:
    """Leaks, sentinels and what was odd about the data."""
    blocks: list[View | Choice] = []
    if found.leaks is not None:
        blocks.append(_leak(found))
    blind = tuple((t.human.name, (_sentinels(t),)) for t in found.trials if t.places is not None)
    blocks += [Choice("Judged", blind)] if blind else []
    blocks.append(found.check.view())
    if found.notes:
        notes = (Column("note", found.notes, right=False),)
        said = f"{plural(len(found.notes), 'number')} could not be computed; they are dashes in the tables."
        blocks.append(block("Numbers that do not exist", (said,), columns=notes, folded="Which, and why"))
    return Section("cautions", "Cautions", "What could be wrong with all this?", tuple(blocks))


def _leak(found: Findings) -> View:
    leaks = found.leaks
    assert leaks is not None
    shown = [leak for leak in leaks.found if leak.system in leaks.systems][:50]
    columns = (
        Column("system", [leak.system for leak in shown], right=False),
        Column("item", [leak.item for leak in shown], right=False),
        Column("reference", [str(leak.reference + 1) for leak in shown]),
        Column("overlap", [decimals(leak.overlap, 2) for leak in shown]),
    )
    return block("Outputs among their own references", (leaks.sentence(),), None, columns if shown else ())


def _sentinels(t: Trial) -> View:
    places = t.places
    assert places is not None
    columns = (
        Column("metric", [p.metric for p in places.places], right=False),
        Column("rank", [str(p.rank) if p.rank > 0 else "–" for p in places.places]),
        Column("r within items", [decimals(p.correlation) for p in places.places]),
        Column("system pairs right", [percent(p.accuracy) for p in places.places]),
        Column("soft", [decimals(p.soft) for p in places.places]),
        Column("acc_eq", [decimals(p.acc_eq) for p in places.places]),
        Column("PDP", [decimals(p.pdp) for p in places.places]),
    )
    notes = (
        "In brackets: blind metrics that look at length, variety of words or copying alone. They must not win; where "
        f"one does, that measure does not show quality on this data. {places.resamples:,} permutations, seed "
        f"{places.seed}.",
    )
    return block("Does a blind metric win?", (places.sentence(),), None, columns, notes)
