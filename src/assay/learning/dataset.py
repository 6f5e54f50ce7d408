"""What a scorer is fitted to: the features and human scores of a set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import __version__
from ..data.assessor import match_raters
from ..data.evalset import EvalSet
from ..data.scores import Floats, Scores
from ..errors import InputError, UnknownName
from ..metrics import Metric, metric
from ..metrics.learned import Feature
from ..raters.input import refuse_positions
from ..scoring.stream import prepare_metrics, score_stream
from .examples import Examples, examples
from .feature_sets import expand_sets

PEOPLE = ("exclude", "include")
TOPICS = ("item", "group")


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The features and targets of one set: `metrics` in the order of `inputs`, None for an outside column.

    `features` and `targets` hold the systems that are learned from; `topics` names the topic of each item.
    """

    data: EvalSet
    metrics: tuple[Metric | None, ...]
    inputs: tuple[Feature, ...]
    features: tuple[Scores, ...]
    targets: tuple[Scores, ...]
    topics: tuple[str, ...]
    raters: tuple[str, ...]
    people: str

    @property
    def dimension(self) -> str:
        """The judged dimension to predict."""
        return self.targets[0].name

    @property
    def whole_set(self) -> bool:
        """Whether some feature depends on the texts of other topics."""
        return any(m is not None and m.whole_set for m in self.metrics)

    def examples(self, without: Collection[str] = ()) -> Examples:
        """Return the rows to learn from, less those of some topics."""
        rows = self._rows(self.features)
        if not without:
            return rows
        stays = np.array([name not in without for name in rows.topics])[rows.topic]
        remaining = len(np.unique(rows.topic[stays]))
        if remaining < 3:
            raise InputError(
                f"without the topics left out, {remaining} of {len(rows.topics)} remain: too few to learn from"
            )
        return rows.rows(stays)

    def unseen(self, topic: str) -> Examples:
        """Return the same rows with features that have not read the texts of a topic (idf and the like)."""
        rest = (item for item, name in zip(self.data, self.topics, strict=True) if name != topic)
        others = EvalSet(rest, allow_missing=True, people=self.data.people)
        at = [i for i, m in enumerate(self.metrics) if m is not None and m.whole_set]
        tables = score_tables(
            self.data, prepare_metrics([m for i in at if (m := self.metrics[i]) is not None], [others])
        )
        features = list(self.features)
        systems = self.targets[0].systems
        for i, table in zip(at, tables, strict=True):
            whole = replace(features[i], values=table, systems=self.data.systems, corpus=None)
            features[i] = whole.select(systems)
        return self._rows(features)

    def _rows(self, features: Sequence[Scores]) -> Examples:
        return examples(features, self.targets, topics=self.topics)

    def record(self) -> dict[str, Any]:
        """Return what a scorer keeps of it."""
        included = self.people == "include" and bool(self.data.people)
        return {
            "assay": __version__,
            "target": self.dimension,
            "also": [t.name for t in self.targets[1:]],
            "data": fingerprint(self.data),
            "treatment": self.data.treatment,
            "items": len(self.data),
            "systems": len(self.targets[0].systems),
            "raters": list(self.raters),
            "people": _people(self.metrics) if included else "left out",
            "jackknifed": included and _own(self.metrics) == {"skip"},
        }


def build_training_set(
    data: EvalSet,
    *,
    dimension: str,
    features: Sequence[str] = ("best",),
    scores: Sequence[Scores] = (),
    also: Sequence[str] = (),
    raters: Sequence[str] | None = None,
    people: str = "exclude",
    leaked: str = "exclude",
    topic: str = "item",
    threads: int = 1,
) -> TrainingSet:
    """Score the features of a set and collect the human scores; see `learn` for the parameters."""
    for name, value, choices in (("people", people, PEOPLE), ("leaked", leaked, PEOPLE), ("topic", topic, TOPICS)):
        if value not in choices:
            raise UnknownName(name, value, choices, hint=f"({' or '.join(choices)})")
    targets = [human_scores(data, name, raters) for name in (dimension, *also)]
    dropped = {*(data.people if people == "exclude" else ()), *(data.leaked if leaked == "exclude" else ())}
    systems = [s for s in data.systems if s not in dropped]
    if not systems:
        raise InputError("all outputs are texts by people; --people include uses them")
    has_sources = any(item.sources for item in data)
    names = expand_sets(features, sources=has_sources)
    built = prepare_metrics([metric(name) for name in names], [data])
    _refuse_twice([*(m.signature() for m in built), *(s.name for s in scores)])
    tables = score_tables(data, built, threads=threads)
    own = [
        Scores(table, data.systems, data.items, name, m.signature(), m.higher_is_better, **_facets(data))
        for name, m, table in zip(names, built, tables, strict=True)
    ]
    outside = [_place_scores(s, data) for s in scores]
    return TrainingSet(
        data=data,
        metrics=(*built, *(None for _ in outside)),
        inputs=(
            *(Feature(m.signature(), m.higher_is_better) for m in built),
            *(Feature(s.name, s.higher_is_better, outside=True) for s in outside),
        ),
        features=tuple(s.select(systems) for s in (*own, *outside)),
        targets=tuple(t.select(systems) for t in targets),
        topics=_topics(data, topic),
        raters=tuple(match_raters(raters, data.raters)) if raters else (),
        people=people,
    )


def score_tables(data: EvalSet, metrics: Sequence[Metric], *, threads: int = 1) -> list[Floats]:
    """Return systems x items of each metric, as it is (prepared or not)."""
    if not metrics:
        return []
    blocks = list(score_stream([data], metrics, threads=threads))
    return [np.concatenate([b.table(i) for b in blocks], axis=1) for i in range(len(metrics))]


def human_scores(data: EvalSet, dimension: str, raters: Sequence[str] | None = None) -> Scores:
    """Return the mean over all raters, or over those of these names or patterns (expert*); higher is better in it."""
    if not data.dimensions:
        raise InputError("the set has no human judgments, and a scorer is fitted to them")
    data.check_dimension(dimension)
    whole = data.human(dimension)
    if whole.undirected:
        raise InputError(
            f"is a low or a high {dimension} better? A scorer is fitted to it; give --lower-is-better {dimension} or "
            f'--higher-is-better {dimension}, or state "scales" in the file'
        )
    if not raters:
        return _turn_upwards(whole)
    refuse_positions(data.ratings(dimension))
    values = np.stack([data.human(dimension, rater=r).values for r in match_raters(raters, data.raters)])
    counts = (~np.isnan(values)).sum(axis=0)
    means = np.divide(np.nansum(values, axis=0), counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    signature = f"human({dimension}, raters={'+'.join(raters)})"
    return _turn_upwards(replace(whole, values=means, signature=signature))


def _turn_upwards(scores: Scores) -> Scores:
    """Negate scores of which low ones are better: a scorer gives high scores to good outputs."""
    if scores.higher_is_better:
        return scores
    return replace(scores, values=-scores.values, higher_is_better=True, signature=f"-{scores.signature}")


def _place_scores(scores: Scores, data: EvalSet) -> Scores:
    """Return the scores in the rows and columns of the set, by id; NaN where they have none."""
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    padded = np.pad(scores.values, ((0, 1), (0, 1)), constant_values=np.nan)
    values = padded[np.ix_([row.get(s, -1) for s in data.systems], [column.get(i, -1) for i in data.items])]
    return Scores(
        values, data.systems, data.items, scores.name, scores.signature, scores.higher_is_better, **_facets(data)
    )


def _facets(data: EvalSet) -> dict[str, Any]:
    return {"people": data.people, "clusters": data.clusters, "runs": data.runs}


def _topics(data: EvalSet, topic: str) -> tuple[str, ...]:
    if topic == "item":
        return data.items
    for item in data:
        if item.group is None:
            raise InputError(f"{item.place} has no group, and --topic group leaves out a group at a time")
    return tuple(str(item.group) for item in data)


def _refuse_twice(names: Iterable[str]) -> None:
    known: set[str] = set()
    for name in names:
        if name in known:
            raise InputError(f"feature {name!r} was given twice")
        known.add(name)


def _own(metrics: Iterable[Metric | None]) -> set[str]:
    """Return how the metrics treat people's own references: skip, keep."""
    return {str(own) for m in metrics if m is not None and (own := getattr(m, "own", None)) is not None}


def _people(metrics: Iterable[Metric | None]) -> str:
    treatments = _own(metrics)
    if treatments == {"skip"}:
        return "jackknifed: people's own texts were scored against the other references"
    return "people's own texts were scored against references that include themselves" if treatments else "included"


def fingerprint(data: EvalSet) -> str:
    """Return the SHA-256 of ids, texts and judgments in order: the same for sets that give the same scorer.

    >>> fingerprint(EvalSet.from_texts(["a"], ["b"]))[:12]
    '5193c54475f5'
    """
    sha = hashlib.sha256()
    for item in data:
        references = [(r.text, r.id, *filter(None, [r.alternatives])) for r in item.references]
        judgments = [(*(j[:4] if j.occasion == 1 else j[:5]), *filter(None, [j.kind])) for j in item.judgments]
        content = [item.id, item.group, item.sources, references, list(item.outputs.items()), judgments]
        sha.update(json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
    return sha.hexdigest()
