"""What must hold of every learner: a model that combines features."""

from __future__ import annotations

import numpy as np

from ..learning.models import Model
from .component import check_class, check_signature, list_variants, require

ROWS, TOPICS = 90, 6


def check_learner(cls: type[Model]) -> None:
    """Check a learner; raises BrokenContract with what does not hold.

    It is a documented frozen dataclass; its signature gives it again; fitted to features that determine the target it
    predicts finite numbers that correlate with it (r of .5 or more); the same rows give the same predictions.

    >>> from assay.learning.models import Ridge
    >>> check_learner(Ridge)
    """
    check_class(cls, Model)
    for model in list_variants(cls):
        check_signature(model)
        check_fit(model)


def check_fit(model: Model) -> None:
    """Check that a model learns what can be learned, the same each time."""
    rng = np.random.default_rng(0)
    x, topic = rng.normal(size=(ROWS, 3)), np.repeat(np.arange(TOPICS), ROWS // TOPICS)
    y = x @ np.array([[1.0], [0.5], [0.2]]) + 0.1 * rng.normal(size=(ROWS, 1))
    new = rng.normal(size=(40, 3))
    predictions = np.asarray(model.fit(x, y, topic).predict(new))
    require(predictions.shape == (40,), model, f"40 rows have predictions of shape {predictions.shape}")
    require(np.isfinite(predictions).all(), model, "a prediction is not finite")
    r = float(np.corrcoef(predictions, new @ np.array([1.0, 0.5, 0.2]))[0, 1])
    require(r >= 0.5, model, f"predictions correlate at {r:.2f} with a target that the features determine")
    again = np.asarray(model.fit(x, y, topic).predict(new))
    require(np.array_equal(again, predictions), model, "fitted a second time it predicts something else")
