"""The advice on validating a metric is a sentence with the numbers of the table."""

from __future__ import annotations

from assay.planning.validation import ValidationDesign, ValidationPlan
from assay.views.validation import view_validation_plan


def test_advice():
    design = ValidationDesign(per_output=2, reliability=0.7, observed=0.5, outputs=300, judgments=600)
    view = view_validation_plan(ValidationPlan("meaning", "pilot", 0.6, 0.1, 0.95, 0.8, 50, (design,)))
    assert view.headline == (
        "600 judgments tell a correlation of 0.60 with meaning to within 0.10: 2 ratings of each of 300 outputs."
    )
    assert "50 outputs judged twice by the same rater tell one of 0.80 to within 0.10" in view.sentences[1]
