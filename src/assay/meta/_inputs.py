"""What a question about several metrics says of its input: who was left out, and what each name stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..data.copies import SystemCopy
from ..data.scores import Scores
from ..errors import InputError


def refuse_no_metric(metrics: Mapping[str, Scores]) -> None:
    """Raise an error if there is no metric."""
    if not metrics:
        raise InputError("no metric was given")


def people_left_out(
    scores: Iterable[Scores], systems: Sequence[str] | None, without: Collection[str] | None
) -> tuple[str, ...]:
    """Return the people among the systems that `align_scores` leaves out with the same options."""
    people = dict.fromkeys(name for one in scores for name in one.people)
    if without is None:
        return () if systems is not None else tuple(people)
    return tuple(name for name in people if name in without)


def leaked_left_out(
    scores: Iterable[Scores], systems: Sequence[str] | None, without: Collection[str] | None
) -> tuple[str, ...]:
    """Return the systems that repeat references and that `align_scores` leaves out with the same options."""
    leaked = dict.fromkeys(name for one in scores for name in one.leaked)
    if without is None:
        return () if systems is not None else tuple(leaked)
    return tuple(name for name in leaked if name in without)


def copies_left_out(
    scores: Iterable[Scores], systems: Sequence[str] | None, without: Collection[str] | None
) -> tuple[SystemCopy, ...]:
    """Return the systems with the same texts as another one that `align_scores` leaves out with the same options."""
    copies = {copy.system: copy for one in scores for copy in one.copies}
    if without is None:
        return () if systems is not None else tuple(copies.values())
    return tuple(copy for name, copy in copies.items() if name in without)


def signatures_of(metrics: Mapping[str, Scores]) -> dict[str, str]:
    """Return the signature of each metric, by the name it has in tables."""
    return {name: scores.signature or name for name, scores in metrics.items()}
