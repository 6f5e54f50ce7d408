"""Answers of questions to one made set, printed, drawn and written: what tests/*/test_answers.py compare.

    python tests/answers.py     writes tests/answers/*.txt anew, after a change that was meant

The set has twelve systems, one of them far behind, one that repeats a reference and one that copies another; three
people and a model who judge `quality` (high is better) and `errors` (low is better); items in three groups.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import assay
from assay import comparison, corpus, meta, raters
from assay.comparison.assisted import compare_assisted
from assay.corpus.check import check_data
from assay.data.grouped import GroupedResults, GroupResult
from assay.data.result import Result
from assay.data.scale import Scale
from assay.meta.outliers import measure_outliers
from assay.planning.check import check_plan
from assay.planning.components import estimate_components
from assay.planning.plan import plan_study
from assay.planning.plan_file import StudyPlanFile, choose_design, make_plan_file
from assay.planning.simulate import simulate_study
from assay.planning.validation import plan_validation
from assay.pyramid import (
    analyze_units,
    auto_pyramid,
    count_models,
    duplicate_marks,
    peer_agreement,
    read_pyramids,
    score_annotated,
    score_texts,
    tabulate_units,
)
from assay.raters.label_draw import draw_labels
from assay.scoring.collector import Collector
from assay.scoring.stream import score_stream
from assay.scoring.tables import describe_metrics, tabulate_items, tabulate_systems

FOLDER = Path(__file__).parent / "answers"
EXAMPLES = Path(assay.__file__).parent / "examples"
SYSTEMS = tuple("ABCDEFGHIJKL")
ITEMS = 24
DRAWS = {"resamples": 50, "seed": 3}
_MAX_POINTS = 12  # of the data of a chart
_MAX_RECORDS = 40


@cache
def made_set() -> assay.EvalSet:
    """Make the set; system k drops more words the later it is in the alphabet, and people see it with some noise."""
    draw = random.Random(5)
    words = [
        f"{a}{b}" for a in ("bri", "cou", "har", "lan", "mor", "ste", "tow", "vil") for b in ("ck", "ne", "ll", "st")
    ]
    items = []
    for number in range(ITEMS):
        text = [draw.choice(words) for _ in range(14)]
        outputs = {}
        for k, system in enumerate(SYSTEMS):
            loss = 0.75 if system == "L" else 0.08 + 0.03 * k
            outputs[system] = " ".join(draw.choice(words) if draw.random() < loss else word for word in text)
        outputs["B"] = outputs["A"]
        outputs["K"] = " ".join(text)
        judgments = []
        for k, system in enumerate(SYSTEMS):
            good = 1.5 if system == "L" else 5.5 - 0.25 * k - 0.04 * (number % 5)
            for rater, shift in (("ann", 0.0), ("ben", 0.3), ("cy", -0.2)):
                if rater == "cy" and number % 4 == 3:
                    continue
                seen = good + shift + draw.gauss(0, 0.7)
                judgments.append(assay.Judgment(system, rater, "quality", float(min(7, max(1, round(seen))))))
                if rater != "cy":
                    judgments.append(assay.Judgment(system, rater, "errors", float(max(0, round(8 - seen)))))
            seen = good + draw.gauss(0, 1.0)
            judgments.append(assay.Judgment(system, "gpt", "quality", float(min(7, max(1, round(seen)))), 1, "llm"))
        source = " ".join([*text, *(draw.choice(words) for _ in range(4))])
        references = (assay.Reference(" ".join(text), "r0"), assay.Reference(" ".join(text[:-2]), "r1"))
        group = ("news", "talks", "mail")[number % 3]
        items.append(
            assay.Item(str(number), references, outputs, sources=(source,), group=group, judgments=tuple(judgments))
        )
    return assay.EvalSet(items).with_scales({"errors": Scale(best="low"), "quality": Scale(best="high", range=(1, 7))})


@cache
def scores() -> dict[str, assay.Scores]:
    """Score the set by a metric that is better where it is higher, and one where it is lower."""
    return assay.score(made_set(), ["rouge2", "rouge1(measure=recall)", "ter"])


def people(dimension: str = "quality") -> assay.Scores:
    return made_set().human(dimension)


@cache
def units_set() -> assay.EvalSet:
    return assay.read(EXAMPLES / "content-units.jsonl")


@cache
def example_set() -> assay.EvalSet:
    return assay.read(EXAMPLES / "compressions.jsonl")


@cache
def components() -> Any:
    return estimate_components(made_set(), "quality", draws=20, seed=1)


def rankings() -> Any:
    return made_set().with_scales({"errors": Scale(best="low", kind="ranking")}).rankings("errors")


@cache
def factoids() -> Any:
    return tabulate_units(read_pyramids(units_set()))


def reference_names() -> list[str]:
    return list(dict.fromkeys(name for pyramid in read_pyramids(units_set()) for name in pyramid.models))


def by_group() -> Result:
    groups = [
        GroupResult(name, len(ids), comparison.compare(scores()["rouge2"].select(items=ids), **DRAWS))
        for name, ids in made_set().groups.items()
    ]
    return GroupedResults(
        comparison.compare(scores()["rouge2"], **DRAWS), ITEMS, (*groups, GroupResult("x", 1, None, "few"))
    )


def gate(fail_if: str, margin: float = 0.0) -> Result:
    own = scores()["rouge2"]
    compared = comparison.compare(own, baseline="D", **DRAWS)
    shifted = comparison.compare(comparison.add_margin(own, "D", margin), baseline="D", **DRAWS) if margin else None
    return comparison.check_gate(compared, fail_if, margin=margin, shifted=shifted)


def texts() -> Iterable[tuple[str, str, str, list[str]]]:
    for item in made_set():
        for system, text in item.outputs.items():
            yield item.id, system, text, [reference.text for reference in item.references]


def plan_file() -> StudyPlanFile:
    plan = plan_study(components(), difference=0.4)
    return make_plan_file(plan, choose_design(plan))


def table(per_item: bool) -> Result:
    metrics = [assay.metric("rouge2"), assay.metric("ter")]
    collector = Collector(metrics, example_set().systems)
    blocks = list(collector.follow(score_stream([example_set()], metrics)))
    if per_item:
        return tabulate_items(blocks, describe_metrics(metrics, ["rouge2", "ter"], collector.treatment))
    return tabulate_systems(collector, ["rouge2", "ter"])


ANSWERS: Mapping[str, Mapping[str, Callable[[], Result]]] = {
    "comparison": {
        "compare-rouge2": lambda: comparison.compare(scores()["rouge2"], **DRAWS),
        "compare-ter": lambda: comparison.compare(scores()["ter"], **DRAWS),
        "compare-errors": lambda: comparison.compare(people("errors"), **DRAWS),
        "compare-ter-baseline": lambda: comparison.compare(scores()["ter"], baseline="D", **DRAWS),
        "compare-wilcoxon": lambda: comparison.compare(
            scores()["rouge2"], test="wilcoxon", systems=["A", "D", "L"], **DRAWS
        ),
        "compare-two": lambda: comparison.compare(scores()["rouge2"], systems=["C", "L"], **DRAWS),
        "compare-one": lambda: comparison.compare(scores()["rouge2"], systems=["C", "A", "B"], **DRAWS),
        "compare-quality": lambda: comparison.compare(people(), **DRAWS),
        "compare-errors-baseline": lambda: comparison.compare(people("errors"), baseline="F", **DRAWS),
        "compare-rankings": lambda: comparison.compare_rankings(rankings(), **DRAWS),
        "compare-rankings-baseline": lambda: comparison.compare_rankings(rankings(), "C", **DRAWS),
        "compare-groups": by_group,
        "gate-worse": lambda: gate("worse"),
        "gate-margin": lambda: gate("worse", 0.1),
        "compare-assisted": lambda: compare_assisted(made_set(), "quality", "gpt", systems=["A", "F", "L"], **DRAWS),
    },
    "scoring": {"system-scores": lambda: table(False), "item-scores": lambda: table(True)},
    "corpus": {
        "check": lambda: check_data(made_set()),
        "description": lambda: assay.describe(example_set(), by_group=True, systems=True),
        "edits": lambda: corpus.edits(example_set()).summary(),
        "edit-effects": lambda: corpus.edit_effects(
            corpus.edits(example_set()), [example_set().human("meaning"), example_set().human("grammar")]
        ),
    },
    "meta": {
        "correlate": lambda: meta.correlate(scores(), people(), sentinels=meta.sentinel_scores(made_set()), **DRAWS),
        "correlate-items": lambda: meta.correlate(scores(), people("errors"), level="item", method="kendall", **DRAWS),
        "correlate-within-systems": lambda: meta.correlate(scores(), people(), level="per-system", **DRAWS),
        "correlate-pooled": lambda: meta.correlate(scores()["ter"], people("errors"), level="pooled", **DRAWS),
        "correlate-four": lambda: meta.correlate(scores(), people(), systems=["A", "C", "E", "G"], **DRAWS),
        "dominate": lambda: meta.dominate(scores(), people()),
        "decisions": lambda: meta.decision_agreements(scores(), people(), **DRAWS),
        "noticeable": lambda: meta.noticeable_differences(scores(), people()),
        "accuracy": lambda: meta.rank_metrics(scores(), people(), sentinels=meta.sentinel_scores(made_set()), **DRAWS),
        "stability-lower": lambda: meta.stabilities({"ter": scores()["ter"]}, people("errors"), draws=20, seed=1),
        "outliers-lower": lambda: measure_outliers(scores(), people("errors")),
        "accuracy-systems": lambda: meta.rank_metrics(scores(), people("errors"), level="system", **DRAWS),
        "differences": lambda: meta.pool_differences(scores(), people(), **DRAWS),
        "leaks": lambda: meta.find_leaks(texts()),
        "stability": lambda: meta.stabilities(scores(), people(), draws=30, seed=3),
        "outliers": lambda: measure_outliers(scores(), people()),
    },
    "raters": {
        "agreement": lambda: raters.agreement(made_set(), "quality", simulations=50, seed=2),
        "agreement-table": lambda: raters.agreement_table(made_set(), simulations=50, seed=2),
        "panel": lambda: raters.rater_panel(made_set(), "quality"),
        "severity": lambda: raters.severity(made_set(), "errors"),
        "judge-table-errors": lambda: raters.judge_table(made_set(), "errors", metrics=[scores()["ter"]], **DRAWS),
        "agreement-example": lambda: raters.agreement(example_set(), "grammar", simulations=30, seed=1),
        "ranked-raters": lambda: raters.rank_raters(made_set().ratings("quality")),
        "drop-worst": lambda: raters.drop_raters(made_set(), "quality", worst=1, metrics=list(scores().values())),
        "drop-each": lambda: raters.drop_each_rater(made_set(), "quality", metrics=list(scores().values())),
        "consistency": lambda: raters.consistency(example_set(), "meaning"),
        "experts": lambda: raters.experts(
            made_set(), "quality", experts=["ann"], resamples=200, simulations=50, seed=2
        ),
        "judge-table": lambda: raters.judge_table(made_set(), "quality", metrics=list(scores().values()), **DRAWS),
        "alt-test": lambda: raters.alt_test(made_set(), "quality", judge="gpt", epsilon=0.15, seed=1),
        "sample-size": lambda: raters.sample_size(made_set(), "quality"),
        "ranking-agreement": lambda: raters.ranking_agreement(rankings(), **DRAWS),
        "label-draw": lambda: draw_labels(made_set(), "quality", 6, by="uniform", labelled="random", seed=4),
        "drop-editors": lambda: raters.drop_editors(example_set(), share=0.25),
    },
    "planning": {
        "components": components,
        "plan-difference": lambda: plan_study(components(), difference=0.4, systems=3, price=0.1, seconds=20),
        "plan-budget": lambda: plan_study(components(), budget=600),
        "plan-balanced": lambda: plan_study(components(), difference=0.6, power=0.9, assignment="latin-square"),
        "validation": lambda: plan_validation(components(), correlation=0.6),
        "plan-check": lambda: check_plan(made_set(), plan_file()),
        "simulation": lambda: simulate_study(components(), difference=0.5, items=20, raters=3, simulations=20, seed=1),
    },
    "pyramid": {
        "pyramid": lambda: score_annotated(units_set()),
        "guided": lambda: analyze_units(units_set()),
        "units-agreement": lambda: peer_agreement(units_set()),
        "duplicates": lambda: duplicate_marks(units_set()),
        "model-counts": lambda: count_models(factoids(), reference_names(), draws=50, seed=1),
        "unit-scores": lambda: score_texts(factoids(), gold=reference_names()[0], references=reference_names()[1:]),
        "auto": lambda: auto_pyramid(units_set()),
    },
}


def answer(name: str) -> Result:
    """Return the result of one name, without the warnings, which are tested where they are given."""
    make = next(answers[name] for answers in ANSWERS.values() if name in answers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make()


def printed(name: str) -> str:
    """Return what a reader sees: the text, then the table and the specification of each chart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = answer(name)
        parts = [str(result)]
        for chart in result.view().charts:
            parts += [f"chart: {chart.description}", str(chart), json.dumps(_shorten(chart.spec), sort_keys=True)]
    return "\n\n".join(parts).rstrip() + "\n"


def written(name: str) -> str:
    """Return the first records, a line each, with four digits of every number: further ones differ between machines."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        records = answer(name).records()
    return "".join(json.dumps(_round(record), sort_keys=True) + "\n" for record in records[:_MAX_RECORDS])


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.4g}") if abs(value) > 1e-9 else value if value != value else 0.0
    if isinstance(value, Mapping):
        return {key: _round(part) for key, part in value.items()}
    return [_round(part) for part in value] if isinstance(value, list | tuple) else value


def _shorten(spec: Any) -> Any:
    """Return a specification with the first points of its data."""
    if isinstance(spec, Mapping):
        return {
            k: _round(v[:_MAX_POINTS]) if k == "values" and isinstance(v, list) else _shorten(v)
            for k, v in spec.items()
        }
    return [_shorten(part) for part in spec] if isinstance(spec, list) else _round(spec)


def names(room: str | None = None) -> list[str]:
    return [name for key, answers in ANSWERS.items() if room in (None, key) for name in answers]


def read(name: str, kind: str) -> str:
    return (FOLDER / f"{name}.{kind}").read_text("utf-8")


def main() -> None:
    for name in sys.argv[1:] or names():
        (FOLDER / f"{name}.txt").write_text(printed(name), "utf-8")
        (FOLDER / f"{name}.jsonl").write_text(written(name), "utf-8")


if __name__ == "__main__":
    main()
