"""Sets with known truth: every design, planted effects, nothing planted, copies, leaks, random raters, preferences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay import EvalSet, Item, Judgment, Reference, Scores
from assay.data.scale import Scale

DESIGNS = ("paired", "clustered", "disjoint", "partial", "pass-fail", "preferences", "llm", "copies", "leak", "tiny")
WORDS = tuple(f"w{k}" for k in range(22))


@dataclass(frozen=True)
class Case:
    """A set with the scores of two metrics, and what is true of it: the best system and by how many standard errors."""

    number: int
    design: str
    data: EvalSet
    metrics: dict[str, Scores]
    best: str | None
    errors: float
    null: bool  # all systems are equal


def make_case(number: int) -> Case:
    """Make the set of a number; the same number is the same set."""
    rng = np.random.default_rng([37, number])
    design = DESIGNS[number % len(DESIGNS)]
    planted = bool(number // len(DESIGNS) % 2)
    tiny = design == "tiny"
    systems = int(rng.integers(1, 4)) if tiny else 2 if design == "preferences" else int(rng.choice([2, 3, 5, 8, 10]))
    items = int(rng.integers(1, 8)) if tiny else int(rng.integers(20, 60))
    names = [f"s{k}" for k in range(systems)]
    errors = float(rng.choice([3, 8])) if planted and not tiny and systems > 1 else 0.0
    quality = np.zeros((systems, items)) + rng.normal(0, 0.5, items)
    noise = rng.normal(0, 1, (systems, items))
    clusters = [f"c{k // 4}" for k in range(items)] if design == "clustered" else None
    if clusters:
        noise += rng.normal(0, 1, (systems, items // 4 + 1))[:, [k // 4 for k in range(items)]]
    spread = np.sqrt(2 / max(len(set(clusters or range(items))), 1)) * (1.3 if clusters else 1.0)
    quality += noise
    quality[0] += errors * spread
    present = np.ones((systems, items), dtype=bool)
    if design == "disjoint" and systems > 1:
        present = np.arange(items)[None] % systems == np.arange(systems)[:, None]
    if design == "partial":
        present = rng.random((systems, items)) < 0.7
        present[:, :2] = True
    kind = "llm" if design == "llm" else "human"
    data = _make_set(rng, design, names, quality, present, clusters, kind)
    metrics = {}
    for name, agreement in (("m", 0.8), ("weak", 0.1)):
        values = agreement * quality + (1 - agreement) * rng.normal(0, 1, quality.shape)
        values = (values > 0.3).astype(float) if design == "pass-fail" else values
        values = np.where(present, values, np.nan)
        named = tuple(clusters) if clusters else None
        metrics[name] = Scores(values, tuple(names), data.items, name, clusters=named)
    at_level = errors if design not in ("disjoint", "copies", "leak", "pass-fail") else 0.0
    return Case(number, design, data, metrics, names[0] if at_level else None, at_level, not errors)


def _make_set(rng, design, names, quality, present, clusters, kind) -> EvalSet:
    entries = []
    for k in range(quality.shape[1]):
        texts = {
            name: " ".join(rng.choice(WORDS, 8 + int(rng.integers(0, 6))))
            for i, name in enumerate(names)
            if present[i, k]
        }
        reference = " ".join(rng.choice(WORDS, 10))
        if design == "copies" and len(names) > 2:
            texts[names[1]] = texts[names[0]]
        if design == "leak":
            texts[names[-1]] = reference
        judgments = []
        if design == "preferences":
            for rater in ("r0", "r1", "r2"):
                better = quality[0, k] + rng.normal() > quality[1, k] + rng.normal()
                judgments += [Judgment(names[0], rater, "preference", 1.0 if better else 2.0)]
                judgments += [Judgment(names[1], rater, "preference", 2.0 if better else 1.0)]
        else:
            judgments = [
                Judgment(name, rater, "quality", float(_rate(design, quality[i, k], rng, rater)), kind=kind)
                for i, name in enumerate(names)
                if present[i, k]
                for rater in ("r0", "r1", "r2")
            ]
        entries.append(
            Item(
                str(k),
                references=(Reference(reference),),
                outputs=texts,
                judgments=tuple(judgments),
                cluster=clusters[k] if clusters else None,
            )
        )
    data = EvalSet(entries, allow_missing=True, judged_by=kind)
    return data.with_scales({"preference": Scale(best="low", kind="pairs")}) if design == "preferences" else data


def _rate(design, quality, rng, rater):
    if design == "pass-fail":
        return quality + rng.normal(0, 0.3) > 0.3
    return quality + rng.normal(0, 3.0 if rater == "r2" else 0.4)
