"""How long planned studies take to simulate: 1,000 of 10 systems, 100 items and 3 raters, with the test of compare."""

from __future__ import annotations

from collections.abc import Iterator

from assay.planning.components import read_study
from assay.planning.simulate import simulate_study
from measure import Row, Scale, Target, cpu, main

NOTES = (
    "CPU seconds for 1,000 simulations of 100 items x 3 raters x 10 systems on the points of the scale, all "
    "45 pairs tested with Holm's correction; components of SummEval's coherence. rankings: each rater ranks the "
    "ten outputs of an item. random: each item goes to 2 of 12 raters (200 simulations).",
)


def rows(scale: Scale) -> Iterator[Row]:
    """Seconds, lower is better."""
    components = read_study("summeval-expert", "coherence")
    runs = 100 if scale.quick else 1000
    design = {"difference": 0.5, "items": 100, "systems": 10}
    for what, options in {
        "1,000 studies": {"raters": 3, "simulations": runs},
        "1,000 studies, rankings": {"raters": 3, "simulations": runs, "judgment": "ranking"},
        "200 studies, random": {"raters": 12, "per_output": 2, "assignment": "random", "simulations": runs // 5},
    }.items():
        seconds = cpu(lambda options=options: simulate_study(components, **design, **options))  # type: ignore[misc,arg-type]
        yield Row(what, seconds, "s", target=Target(10, most=True) if what == "1,000 studies" else None)


if __name__ == "__main__":
    main("planning", rows, NOTES)
