"""Look for the sentences that describe units in outputs, where nothing is known of contributors.

This is not autoPyramid, which looks for the words by which other texts state a unit: here the unit is a sentence that a
person wrote, as in the light pyramids of PyrXSum, and a text must use its words to be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..data.result import Result
from ..errors import InputError, ignore_undefined
from ..stats import pearson, spearman
from .content_units import UnitMarks
from .find_words import find_words, list_steps


@dataclass(frozen=True)
class SystemMatches:
    """The share of the units that a system's texts state by hand, and in which their sentences are found."""

    kind: ClassVar[str] = "system_matches"
    system: str
    texts: int
    marked: float
    matched: float


@dataclass(frozen=True)
class SentenceMatches(Result, question="unit_sentences", kind="sentence_matches"):
    """Unit sentences found in outputs next to the marks of people.

    precision and recall are of units found against units marked, over all texts; pearson and spearman of the coverage
    of systems, and text_pearson of the coverage of single texts.
    """

    method: str
    items: int
    texts: int
    units: int
    marked: int
    matched: int
    precision: float
    recall: float
    pearson: float
    spearman: float
    text_pearson: float
    systems: tuple[SystemMatches, ...]


class _Text(NamedTuple):
    system: str
    units: int
    marked: frozenset[int]
    matched: frozenset[int]


def match_sentences(table: Sequence[tuple[UnitMarks, dict[str, str]]], *, method: str = "partial") -> SentenceMatches:
    """Compare what sentences of units suggest with what people marked; a row is an item's marks and its outputs."""
    steps = list_steps(method)
    texts = [text for marks, outputs in table for text in _match_item(marks, outputs, steps)]
    if not texts:
        raise InputError("no output has marks of units: there is nothing to compare with")
    both = sum(len(text.marked & text.matched) for text in texts)
    marked, matched = (sum(len(getattr(text, name)) for text in texts) for name in ("marked", "matched"))
    systems = tuple(_average(name, texts) for name in dict.fromkeys(text.system for text in texts))
    by_hand, by_match = ([len(getattr(t, name)) / t.units for t in texts] for name in ("marked", "matched"))
    with ignore_undefined():
        means = [s.marked for s in systems], [s.matched for s in systems]
        r, rho = (measure(*means) if len(systems) > 2 else float("nan") for measure in (pearson, spearman))
        text_r = pearson(by_hand, by_match) if len(texts) > 2 else float("nan")
    return SentenceMatches(
        method=method,
        items=len(table),
        texts=len(texts),
        units=sum(len(marks.units) for marks, _ in table),
        marked=marked,
        matched=matched,
        precision=both / matched if matched else float("nan"),
        recall=both / marked if marked else float("nan"),
        pearson=r,
        spearman=rho,
        text_pearson=text_r,
        systems=tuple(sorted(systems, key=lambda system: -system.marked)),
    )


def _match_item(marks: UnitMarks, outputs: dict[str, str], steps: Sequence[str]) -> Iterable[_Text]:
    sentences = [unit.strip().rstrip(".") for unit in marks.units]
    for system, text in outputs.items():
        own = marks.present.get(system)
        if own is None or None in own or not sentences:
            continue
        matched = {k for k, words in enumerate(sentences) if any(find_words(text, [words], step) for step in steps)}
        stated = frozenset(k for k, mark in enumerate(own) if mark)
        yield _Text(system, len(sentences), stated, frozenset(matched))


def _average(system: str, texts: Sequence[_Text]) -> SystemMatches:
    own = [text for text in texts if text.system == system]
    marked, matched = (float(np.mean([len(getattr(t, n)) / t.units for t in own])) for n in ("marked", "matched"))
    return SystemMatches(system, len(own), marked, matched)
