"""How fast scorers are trained and used: cross-validation by topic, prediction beside scikit-learn's, the generator."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import assay
from assay.errors import AssayWarning
from assay.learning import build_training_set
from assay.learning.cross_validation import cross_validate, fit
from assay.learning.examples import Examples
from assay.learning.models import model
from assay.meta.probe import probe
from measure import Row, Scale, Target, compare, cpu, main

NOTES = (
    "TAC 2008, Pyramid, people included: 2,976 summaries of 48 topics, the six features of S3best, one core, CPU time.",
    "predict: scores of the 2,976 summaries from the arrays of a plain regression, and by SVR.predict of scikit-learn.",
    "probe: a search on one SummEval item with rouge2 as fitness, 100 extracts per generation, at most 50 generations.",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Seconds, lower is better; nothing where the research data is absent."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not (folder / "tac2008.jsonl.gz").exists():
        print(f"learning: needs tac2008.jsonl.gz in {folder}", file=sys.stderr)
        return
    tac = assay.read(folder / "tac2008.jsonl.gz")
    warnings.simplefilter("ignore", AssayWarning)
    build_training_set(tac, dimension="pyramid", people="include")  # loads word vectors and scikit-learn's peers
    features = cpu(lambda: build_training_set(tac, dimension="pyramid", people="include"))
    yield Row("features of S3best", features, "s")
    given = build_training_set(tac, dimension="pyramid", people="include").examples()
    if scale.quick:
        given = given.rows(given.topic < 8)
    fit(given.rows(given.topic < 3), model("svr"))
    for name, bound in (("svr", 60), ("ridge", None), ("rank", None)):
        seconds = cpu(lambda name=name: cross_validate(given, model(name)))  # type: ignore[misc]
        target = Target(bound, most=True) if bound and not scale.quick else None
        yield Row(f"leave one topic out, {name}", seconds, "s", target=target)
    yield _predict(given)
    if (folder / "summeval.jsonl.gz").exists():
        data = assay.read(folder / "summeval.jsonl.gz")
        yield Row("probe, one item", cpu(lambda: probe(data, "rouge2", ["rouge1"], items=1)), "s")


def _predict(given: Examples) -> Row:
    from sklearn.svm import SVR

    x = (given.x - given.x.mean(axis=0)) / given.x.std(axis=0)
    y = given.y[:, 0] / given.y[:, 0].std()
    theirs = SVR(gamma=1 / 6).fit(x, y)
    ours = model("svr(epsilon=.1, within=false)").fit(x, y[:, None], given.topic)
    assert np.abs(ours.predict(x) - theirs.predict(x)).max() < 1e-10
    found = compare(lambda: cpu(lambda: ours.predict(x)), lambda _: cpu(lambda: theirs.predict(x)), 5)
    return Row("predict", found.ours, "s", "scikit-learn", found.theirs, found.ratio)


if __name__ == "__main__":
    main("learning", rows, NOTES)
