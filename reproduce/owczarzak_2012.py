"""Owczarzak et al. (2012), section 4: CLASSY trained with and without the topics of an inconsistent assessor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from common import Figure, data, main

from assay import EvalSet, meta
from assay.data.evalset import Item
from assay.learning import build_training_set, evaluate_scorer, select_scorer, worst_raters
from assay.scoring.score import score

TITLE = (
    "Owczarzak et al. 2012: training CLASSY without an inconsistent assessor (section 4, on TAC 2008 in three parts)"
)
FEATURES = ("rouge1(measure=recall, stem=true)", "rouge2(measure=recall, stem=true)", "bleu", "js1", "js2", "red1")
BASELINE = "rouge2(measure=recall, stem=true)"
ASSESSORS = "ABCD"
NOTES = (
    "The paper fits to TAC 2009, selects on 2010 and predicts 2011. These data may not be redistributed, so its Table "
    "5 cannot be computed here. The procedure can be tried on TAC 2008: every third topic of TAC 2008 makes one part "
    "(16 topics each), every set of "
    f"six features ({', '.join(f.partition('(')[0] for f in FEATURES)}) is fitted by robust regression, non-negative "
    "least squares and canonical correlation to the first, the best on the second (Pearson's r of system means) is "
    "fitted again to the second and predicts the third. Automatic systems only (NoModels).",
    "The file does not say who judged a topic. For the last figures, the topics are assigned to four simulated "
    "assessors. Random noise of two standard deviations is added to every judgment of one of them, in the two parts "
    "used for learning; the third part is unchanged. This assessor is then identified by Krippendorff's alpha on the "
    "pairs of identical summaries, as in section 2, and their topics are left out. Means over 8 draws of the noise.",
)
TARGETS = ("pyramid", "responsiveness")
DRAWS = 8


def figures() -> list[Figure]:
    """The three parts as they are, then with an assessor who is not to be trusted."""
    tac = data("tac2008.jsonl.gz")
    parts = [_without_people(tac, k) for k in range(3)]
    return [figure for target in TARGETS for figure in (*_as_it_is(parts, target), *_noisy(parts, target))]


def _without_people(tac: EvalSet, part: int) -> EvalSet:
    """Every third topic, with the assessors dealt out in order."""
    people = set(tac.people)
    items = []
    for k, item in enumerate(list(tac)[part::3]):
        outputs = {s: t for s, t in item.outputs.items() if s not in people}
        judgments = tuple(j._replace(rater=ASSESSORS[k % 4]) for j in item.judgments if j.system not in people)
        items.append(replace(item, outputs=outputs, judgments=judgments))
    return EvalSet(items)


def _as_it_is(parts: Sequence[EvalSet], target: str) -> Iterator[Figure]:
    fit, select = (build_training_set(p, dimension=target, features=FEATURES) for p in parts[:2])
    found = select_scorer(fit, select)
    test = evaluate_scorer(found, parts[2]).test
    chosen = f"{found.learner.partition('(')[0]} on {', '.join(n.partition('(')[0] for n in found.features)}"
    yield Figure(f"{target}: chosen by the second part, r of systems", None, found.value, None, chosen)
    for c in test:
        yield Figure(f"{target}: third part, r ({c.level} level)", None, c.value, None, f"[{c.low:.3f}, {c.high:.3f}]")
        alone = meta.correlate(score(parts[2], BASELINE), parts[2].human(target), level=c.level)
        note = f"[{alone.low:.3f}, {alone.high:.3f}]"
        yield Figure(f"{target}: third part, ROUGE-2 alone, r ({c.level} level)", None, alone.value, None, note)


def _noisy(parts: Sequence[EvalSet], target: str) -> Iterator[Figure]:
    results: dict[str, list[float]] = {"all": [], "without": []}
    named = 0
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        bad = ASSESSORS[draw % 4]
        noisy = [_disturbed(p, target, bad, rng) for p in parts[:2]]
        fit, select = (build_training_set(p, dimension=target, features=FEATURES) for p in noisy)
        names, topics = worst_raters(noisy, target, 1)
        named += names == (bad,)
        for key, without in (("all", ()), ("without", topics)):
            found = select_scorer(fit, select, without=without)
            results[key].append(evaluate_scorer(found, parts[2], resamples=10).test[0].value)
    yield Figure(f"{target}: draws in which alpha finds the noisy assessor", None, float(named), None, f"of {DRAWS}")
    for key, said in (("all", "a noisy assessor kept"), ("without", "the least consistent assessor left out")):
        spread = f"standard deviation {np.std(results[key], ddof=1):.4f}"
        yield Figure(f"{target}: third part, {said}, r of systems", None, float(np.mean(results[key])), None, spread)


def _disturbed(part: EvalSet, target: str, assessor: str, rng: np.random.Generator) -> EvalSet:
    spread = float(np.nanstd(part.human(target).values))

    def one(item: Item) -> Item:
        judgments = tuple(
            j._replace(score=j.score + 2 * spread * float(rng.normal()))
            if j.rater == assessor and j.dimension == target
            else j
            for j in item.judgments
        )
        return replace(item, judgments=judgments)

    return EvalSet([one(item) for item in part])


if __name__ == "__main__":
    main("owczarzak_2012", TITLE, NOTES, figures)
