"""Owczarzak et al. (2012), section 4, in kind: CLASSY's readability version on DUC 2007, topics left out one at a "
"time."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
from common import Figure, duc2007, main

from assay import EvalSet, meta
from assay.data.item import Judgment
from assay.data.scores import Scores
from assay.errors import FallbackWarning
from assay.formats._ducview.tables import QUESTIONS
from assay.learning import build_training_set, select_scorer
from assay.scoring.score import score

TITLE = "Owczarzak et al. 2012 in kind: CLASSY's readability version (DUC 2007, 299 peers of the main task)"
FEATURES = (
    "length",
    "sentencelength",
    "repeats3",
    "unended",
    "red1",
    "rouge2(tokenizer=rouge155, stem=true, measure=recall)",
)
READABILITY = "readability"
NOTES = (
    "CLASSY's readability version predicts NIST's judgments of linguistic quality; its features are not published, "
    "so these "
    f"stand for them: {', '.join(f.partition('(')[0] for f in FEATURES)}. Readability is the mean of NIST's five "
    f"questions "
    f"({', '.join(QUESTIONS.values())}).",
    "Topics are left out one at a time: every set of features is fitted by robust regression, non-negative least "
    "squares "
    "and canonical correlation to the topics of one half (every second topic, without the one left out), the best "
    "on the "
    "other half (Pearson's r of system means) is fitted again to that half and predicts the topic. The 13 systems "
    "have 23 "
    "topics each. The paper's Table 5 (TAC 2011, without the least consistent assessors) needs TAC 2009 to 2011, "
    "and here "
    "no text was judged twice, so that there is no consistency to choose by.",
)


def figures() -> list[Figure]:
    """The predictions of all topics together, next to what single features reach."""
    data = _with_readability(duc2007("mainPyramidEval"))
    halves = [EvalSet(list(data)[k::2], people=data.people) for k in (0, 1)]
    training = [build_training_set(half, dimension=READABILITY, features=FEATURES) for half in halves]
    chosen: Counter[str] = Counter()
    human = data.human(READABILITY)
    predicted = np.full(human.values.shape, np.nan)
    for k, half in enumerate(halves):
        for item in half:
            found = select_scorer(training[k], training[1 - k], without=(item.id,))
            chosen.update(name.partition("(")[0] for name in found.features)
            with warnings.catch_warnings():  # a topic with features outside the range of the others
                warnings.simplefilter("ignore", FallbackWarning)
                own = score(EvalSet([item]), found.scorer)
            column = human.items.index(item.id)
            for row, system in enumerate(human.systems):
                predicted[row, column] = own.row(system)[0]
    scorer = Scores(predicted, human.systems, human.items, "CLASSY")
    rows = []
    for level in ("system", "item"):
        names = {"learned": scorer, **{f.partition("(")[0]: score(data, f) for f in FEATURES}}
        for name, scores in names.items():
            c = meta.correlate(scores, human, level=level)
            rows.append(Figure(f"{level} level: {name}, r", None, c.value, None, f"[{c.low:.3f}, {c.high:.3f}]"))
    rows += [
        Figure(f"topics of {len(human.items)} for which {name} was chosen", None, float(n))
        for name, n in chosen.most_common()
    ]
    return rows


def _with_readability(data: EvalSet) -> EvalSet:
    """Return the annotated systems with the mean of the five questions as a judgment."""
    people = set(data.people)
    items = []
    for item in data:
        scores: dict[str, list[float]] = {}
        for judgment in item.judgments:
            if judgment.dimension in QUESTIONS.values() and judgment.system not in people:
                scores.setdefault(judgment.system, []).append(judgment.score)
        judgments = tuple(Judgment(s, "assessor", READABILITY, float(np.mean(own))) for s, own in scores.items())
        outputs = {system: text for system, text in item.outputs.items() if system not in people}
        items.append(replace(item, outputs=outputs, judgments=judgments))
    return EvalSet(items)


if __name__ == "__main__":
    main("owczarzak_2012_readability", TITLE, NOTES, figures)
