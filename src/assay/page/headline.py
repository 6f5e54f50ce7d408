"""The answer in words: which system is better, whether people would agree, and what is missing if it is open."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isnan

from ..comparison.compare import Comparison
from ..comparison.pair import PairComparison
from ..data._phrases import join_names, number, percent, plural
from ..meta import Noticeable
from .findings import Findings, Trial

_FEWEST_PAIRS = 20  # pairs of systems this far apart, below which their agreement says nothing
_HOPELESS = 100  # times the items there are: nobody will collect so many
_WORDS = ((0.95, "would very likely agree"), (0.8, "would probably agree"), (0.65, "might agree"))


@dataclass(frozen=True)
class Headline:
    """`answer` is the first line, `settled` whether it is one; `because` what it rests on."""

    answer: str
    settled: bool
    because: tuple[str, ...]


def headline(found: Findings) -> Headline:
    """From the comparison by the first metric and, where there are judgments, from what people said."""
    best = found.first
    if best is None:
        return Headline("There are no scores to compare systems by.", False, ())
    answer, settled, pair = _verdict(best)
    trial = found.trials[0] if found.trials else None
    people, because = _people(best, pair, settled, trial, by_people=not found.metrics)
    return Headline(f"{answer}{people}.", settled, (*_numbers(best, pair, settled), *because, *_trust(found, trial)))


def _verdict(best: Comparison) -> tuple[str, bool, PairComparison | None]:
    """The first half of the answer, whether it is settled, and the pair of systems it speaks of."""
    names = [r.system for r in best.ranking if r.group]
    if len(names) < 2:
        return f"There is one system, {best.ranking[0].system}, and nothing to compare it with", False, None
    if len(names) == 2:
        pair = best.against[0]
        if pair.significant:
            return f"{pair.better} is better than {pair.worse}", True, pair
        return f"Cannot tell {pair.better} from {pair.worse}{_needed(pair)}", False, pair
    first = best.groups[0]
    if len(first) == 1:
        return f"{first[0]} is the best of {len(names)} systems", True, best.neighbours[0]
    pair = next((p for p in best.neighbours if {p.better, p.worse} == set(names[:2])), best.neighbours[0])
    if len(first) == len(names):
        return f"Cannot tell the {len(names)} systems apart{_needed(pair)}", False, pair
    which = join_names(first) if len(first) <= 3 else f"the first {len(first)} of {len(names)} systems"
    return f"Cannot tell which of {which} is best{_needed(pair)}", False, pair


def _needed(pair: PairComparison) -> str:
    """What would settle it."""
    if not isfinite(pair.further) or pair.against_ranks:
        return ": there is no clear difference to find"
    if pair.further > _HOPELESS * pair.n:
        return f": {pair.better} and {pair.worse} are practically equal"
    if pair.further == 0:
        return f": about as many items again ({pair.n:,}) are needed"
    return f": about {pair.further:,.0f} more items are needed"


def cautions(found: Findings) -> list[str]:
    """What must be known before the answer is believed; the page says it beside the answer."""
    said = []
    if found.leaks is not None and found.leaks.systems:
        said.append(found.leaks.sentence())
    for trial in found.trials[:1]:
        wins = trial.places.sentinel_wins() if trial.places is not None else {}
        if blind := wins.get("correlation"):
            said.append(
                f"{join_names(blind)}, which cannot see quality, follows {trial.human.name} on single items as well as "
                "any metric here: these judgments do not show that the metrics see it."
            )
    return said


def _numbers(best: Comparison, pair: PairComparison | None, settled: bool) -> list[str]:
    """By which score the answer is given."""
    if pair is None:
        return [best.view().headline]
    if len(best.ranking) == 2:
        return [pair.view().headline]
    lead = best.view().headline
    if settled:
        return [lead, f"Next comes {pair.worse}: {number(pair.means[0])} against {number(pair.means[1])} on "
                      f"{plural(pair.n, 'item')}."]  # fmt: skip
    return [lead, pair.view().headline]


def _people(
    best: Comparison, pair: PairComparison | None, settled: bool, trial: Trial | None, *, by_people: bool
) -> tuple[str, list[str]]:
    """The second half of the answer: people's own verdict on these systems, or what they would probably say."""
    if by_people:
        return "; people said so", []
    if trial is None or trial.people is None or pair is None:
        return ("; whether a human would agree cannot be said without judgments" if settled else ""), []
    ranks = {r.system: r for r in trial.people.ranking if r.group}
    name = trial.human.name
    if pair.better not in ranks or pair.worse not in ranks:
        return _likely(pair, trial, settled)
    own = trial.people.groups
    if not settled:
        return "", [f"People ({name}): {trial.people.view().headline}"]
    if len(best.ranking) == 2:
        theirs = trial.people.against[0]
        if not theirs.significant:
            return "; people have not settled it", [f"People ({name}): {theirs.view().headline}"]
        if theirs.better == pair.better:
            return "; people say the same", [f"People ({name}): {theirs.view().headline}"]
        return "; but people say the opposite", [f"People ({name}): {theirs.view().headline}"]
    place = next(i for i, group in enumerate(own, start=1) if pair.better in group)
    if place == 1 and len(own[0]) == 1:
        return "; people say the same", [f"People ({name}): {trial.people.view().headline}"]
    if place == 1:
        others = join_names([s for s in own[0] if s != pair.better])
        return f"; people put it first too, with {others}", [f"People ({name}): {trial.people.view().headline}"]
    return f"; but people prefer {join_names(own[0])}", [f"People ({name}): {trial.people.view().headline}"]


def _likely(pair: PairComparison, trial: Trial, settled: bool) -> tuple[str, list[str]]:
    """People did not judge these systems: how often do they agree on pairs that the metric puts as far apart?"""
    seen = trial.of(pair.metric, "noticeable")
    if not settled or not isinstance(seen, Noticeable):
        return "", []
    far = [b for b in seen.bins if b.low >= abs(pair.difference)] or list(seen.bins[-1:])
    pairs, alike = sum(b.pairs for b in far), sum(b.agree for b in far)
    if pairs < _FEWEST_PAIRS or isnan(pair.difference):
        return "; whether a human would agree cannot be said from so few judged systems", []
    share = alike / pairs
    word = next((w for least, w in _WORDS if share >= least), "might well disagree")
    because = (
        f"Of {plural(pairs, 'judged pair')} of systems that {pair.metric} puts at least as far apart, people order "
        f"{percent(share)} alike."
    )
    return f"; a human {word}", [because]


def _trust(found: Findings, trial: Trial | None) -> list[str]:
    """How far to believe metric and judges, a sentence each."""
    said = []
    if trial is not None and trial.correlations:
        first = next(iter(found.metrics))
        own = [c for c in trial.correlations if c.metric == first and c.level in ("system", "pooled")]
        said += [own[0].sentence()] if own else []
    said += [panel.agreement.sentence() for panel in found.panels[:1]]
    return said
