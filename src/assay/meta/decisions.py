"""Would people have said the same? Decisions on pairs of systems: Owczarzak et al. (2012, accuracy), section 4."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..data._phrases import percent, plural
from ..data.alignment import align_scores, common_cells
from ..data.result import Shown
from ..data.scores import Scores
from ..errors import InputError
from ._pair_decisions import FEWEST, Decisions, PairAgreement


@dataclass(frozen=True)
class Agreement(Shown):
    """What a metric and people decide about pairs of systems: of automatic ones, and of a person and a system."""

    metric: str
    human: str
    reference: str | None
    automatic: PairAgreement
    people: PairAgreement | None
    test: str
    alpha: float

    @property
    def value(self) -> float:
        """Agreement about significant differences between automatic systems."""
        return self.automatic.sig.value

    @property
    def low(self) -> float:
        """Lower end of its interval."""
        return self.automatic.sig.low

    @property
    def high(self) -> float:
        """Upper end of its interval."""
        return self.automatic.sig.high

    @property
    def n(self) -> int:
        """Pairs of automatic systems."""
        return self.automatic.pairs

    def sentence(self) -> str:
        """The answer in words."""
        a = self.automatic
        if not a.pairs:
            return (
                f"{self.metric} and {self.human} cannot be compared on decisions: no two systems have {FEWEST} judged "
                "items in common."
            )
        if not a.differences.n:
            return (
                f"{self.human} finds no significant difference in any of {plural(a.pairs, 'pair')} of systems, so "
                f"there is little to agree on; {self.metric} orders {percent(a.all.value)} of them alike."
            )
        wrong = percent(a.contradictions) if a.contradictions else "none"
        said = (
            f"{self.metric} decides as {self.human} does on {percent(a.sig.value)} of {plural(a.pairs, 'pair')} of "
            f"systems when both are tested for significance (it contradicts people on {wrong}), and orders "
            f"{percent(a.all.value)} of the pairs alike"
        )
        if self.reference not in (None, self.metric) and a.sig.verdict:
            how = "the same as" if a.sig.verdict == "same" else f"significantly {a.sig.verdict} than"
            said += f"; that is {how} {self.reference}"
        return said + "."


def agree(
    metric: Scores,
    human: Scores,
    *,
    people: Collection[str] | None = None,
    reference: Scores | None = None,
    test: str = "wilcoxon",
    alpha: float = 0.05,
    systems: Sequence[str] | None = None,
    without: Collection[str] = (),
) -> Agreement:
    """Decide every pair of systems by people and by the metric, with a paired test over the items, and count.

    `people` are the systems that are persons (those that the scores name as such, unless given): pairs of a person
    and a system are counted apart, pairs of two persons not at all. Decisions use the items that people
    and the metric both scored, at least 6 of them; they are not corrected for the number of pairs, as in the paper. A
    direction is that of the ranks (of the mean, for t); which mean is higher is asked apart. Given a reference metric,
    each share is tested against the reference's by the z-test approximation of the binomial (section 5).

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(6, 40)) + np.arange(6)[:, None]
    >>> ids = tuple(map(str, range(40)))
    >>> human = Scores(h, tuple("ABCDEF"), ids, "pyramid")
    >>> metric = Scores(h + rng.normal(size=h.shape), tuple("ABCDEF"), ids, "rouge2")
    >>> found = agree(metric, human)
    >>> found.value, found.n
    (0.9333333333333333, 15)
    """
    given = [metric, human] if reference is None else [metric, human, reference]
    people = {name for s in given for name in s.people} if people is None else people
    ours, theirs, *third = align_scores(*given, systems=systems, without=without)
    if len(ours.systems) < 2:
        raise InputError(f"at least two systems are needed to decide between, got {len(ours.systems)}")
    m, h = common_cells(ours, theirs)
    mine = Decisions(m, h, ours.systems, set(people), test, alpha)
    other = None
    if third:
        r, hr = common_cells(third[0], theirs)
        other = Decisions(r, hr, ours.systems, set(people), test, alpha)
    with_people = any(s in set(people) for s in ours.systems)
    return Agreement(
        metric=metric.name,
        human=human.name,
        reference=None if reference is None else reference.name,
        automatic=mine.agreement("automatic", other),
        people=mine.agreement("people", other) if with_people else None,
        test=test,
        alpha=alpha,
    )
