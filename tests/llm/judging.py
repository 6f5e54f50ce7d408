"""A small set, a configuration for a test server, and a session made of both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay import EvalSet, Item
from assay.data.item import Judgment
from assay.llm.config import DimensionSettings, JudgeConfig, JudgeSettings
from assay.llm.question import list_units
from assay.llm.rubric import load_rubrics
from assay.llm.session import JudgeAssignment, JudgeSession

QUICK = {"timeout": 2.0, "backoff": 0.005, "patience": 0.3, "retries": 2, "concurrency": 2}


def small_set(items: int = 3, systems: str = "AB") -> EvalSet:
    """Items with outputs that name themselves, judged by a person."""
    return EvalSet(
        [
            Item(
                str(i),
                sources=(f"source {i}",),
                outputs={s: f"output {i} of {s}" for s in systems},
                judgments=tuple(Judgment(s, "ann", "coherence", 3.0) for s in systems),
                extra={"units": ["first", "second"]},
            )
            for i in range(items)
        ]
    )


def make_judge(url: str, **settings: Any) -> JudgeSettings:
    return JudgeSettings(**{"model": "test-model", "url": url, **QUICK, **settings})


def make_session(
    url: str, dimensions: tuple[str, ...] = ("coherence",), data: EvalSet | None = None, **settings: Any
) -> JudgeSession:
    """A session of one judge; `judge` is a dict of its settings, `judges` are several."""
    data = data or small_set()
    judges = settings.pop("judges", None) or (make_judge(url, **settings.pop("judge", {})),)
    config = JudgeConfig(judge=judges, **settings)
    rubrics = load_rubrics({name: DimensionSettings() for name in dimensions}, Path())
    both = config.orders == "both"
    units = {name: list_units(data, rubric.kind, both_orders=both) for name, rubric in rubrics.items()}
    return JudgeSession(data, config, JudgeAssignment(rubrics, units), Path())
