"""Is an output its own reference? Such outputs are found by their text, and what they do to a correlation is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..data._phrases import join_names, number, percent, plural
from ..data.result import Shown
from ..data.scores import Scores
from ..errors import InputError
from ..matching.multisets import overlap_f1
from .correlate import Correlation, correlate

MOST = 0.5  # share of a system's outputs from which it is the system, not chance, that meets the references
NEAR = 0.95  # word overlap (F) above which two texts are the same text but for a slip


class Leak(NamedTuple):
    """An output that stands among its own references: which one (from 0), and their word overlap (1 = same text)."""

    item: str
    system: str
    reference: int
    overlap: float


@dataclass(frozen=True)
class Leaks(Shown):
    """The outputs that are their own references, and the correlation with and without them as references."""

    found: tuple[Leak, ...]
    outputs: int
    by_system: Mapping[str, int]
    near: float
    kept: Correlation | None = None
    skipped: Correlation | None = None
    left_out: Correlation | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with at least half of their outputs among their references; others meet one by chance."""
        counts = Counter(leak.system for leak in self.found)
        return tuple(s for s, n in self.by_system.items() if counts[s] >= MOST * n)

    @property
    def value(self) -> float:
        """The share of outputs that are among their own references."""
        return len(self.found) / self.outputs if self.outputs else float("nan")

    @property
    def n(self) -> int:
        """Outputs looked at."""
        return self.outputs

    def sentence(self) -> str:
        """The answer in words."""
        if not self.found:
            return f"No output stands among its own references ({plural(self.outputs, 'output')} looked at)."
        if not self.systems:
            return (
                f"{plural(len(self.found), 'output')} of {self.outputs:,} ({percent(self.value)}) equal a reference, "
                "but no system does so on half of its items: short texts meet by chance."
            )
        number_of = sum(leak.system in self.systems for leak in self.found)
        said = (
            f"{plural(number_of, 'output')} of {join_names(self.systems)} ({percent(number_of / self.outputs)} of all) "
            + ("is among its own references." if number_of == 1 else "are among their own references.")
        )
        if self.kept is not None and self.skipped is not None:
            said += (
                f" Scored against themselves they raise {self.kept.metric}'s {self.kept.level}-level "
                f"{self.kept.method} with {self.kept.human} to {number(self.kept.value)}; scored against the others it "
                f"is {number(self.skipped.value)}"
            )
            said += "" if self.left_out is None else f", and without these systems {number(self.left_out.value)}"
            said += "."
        return said


def leaks(texts: Iterable[tuple[str, str, str, Sequence[str]]], *, near: float = NEAR) -> Leaks:
    """Find outputs that are one of their references, from rows of (item, system, output, references).

    The same text is the same after lower-casing and folding white space; nearly the same has a word overlap above
    `near`: 2 * words in common / words of both, each word counted as often as it stands. Empty outputs never match.

    >>> rows = [("1", "A", "The cat  sat.", ["A dog ran.", "the cat sat."]), ("1", "B", "a cat", ["A dog ran."])]
    >>> leaks(rows).found
    (Leak(item='1', system='A', reference=1, overlap=1.0),)
    """
    if not 0 < near <= 1:
        raise InputError(f"near must be above 0 and at most 1, got {near}")
    found, by_system = [], Counter[str]()
    bags: dict[str, Counter[str]] = {}
    for item, system, output, references in texts:
        by_system[system] += 1
        best = max(
            ((_overlap(_bag(output, bags), _bag(text, bags), near), -k) for k, text in enumerate(references)),
            default=(0.0, 0),
        )
        if best[0] > near or best[0] == 1.0:
            found.append(Leak(item, system, -best[1], best[0]))
    return Leaks(tuple(found), by_system.total(), dict(by_system), near)


def leak_effect(
    leaks: Leaks,
    kept: Scores,
    skipped: Scores,
    human: Scores,
    *,
    level: str = "item",
    method: str = "pearson",
    systems: Collection[str] | None = None,
) -> Leaks:
    """Add what the leak does: the correlation with scores that keep own references, that skip them, and without them.

    `kept` scores each output against all references, `skipped` against those that are not its own text.
    """

    def of(scores: Scores, without: Collection[str] = ()) -> Correlation:
        chosen = None if systems is None else [s for s in scores.systems if s in systems]
        return correlate(scores, human, level=level, method=method, interval=None, systems=chosen, without=without)

    others = [s for s in kept.systems if s not in leaks.systems and (systems is None or s in systems)]
    alone = of(skipped, leaks.systems) if leaks.systems and len(others) >= 3 else None
    return replace(leaks, kept=of(kept), skipped=of(skipped), left_out=alone)


def _bag(text: str, bags: dict[str, Counter[str]]) -> Counter[str]:
    """The words of a text, lower-cased; references are met again for every system, so bags are kept."""
    bag = bags.get(text)
    if bag is None:
        bag = bags[text] = Counter(text.lower().split())
    return bag


def _overlap(a: Counter[str], b: Counter[str], near: float) -> float:
    """F of the words in common; 0 where the lengths alone rule out a value above `near`."""
    na, nb = a.total(), b.total()
    if not na or not nb or (na != nb and 2 * min(na, nb) <= near * (na + nb)):
        return 0.0
    return overlap_f1(a, b)
