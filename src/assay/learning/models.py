"""The models that combine features: each is a frozen dataclass with its parameters as fields, and one `fit`.

They see features that are scaled (mean 0, deviation 1) and targets that are centred by topic and scaled, and know the
topic of each row; what they return predicts with NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from ..component import Component, Folder
from ..data.scores import Floats
from ..errors import InputError, UnknownName
from ..metrics import Linear, Predictor
from .examples import Integers, center_by_topic
from .pairwise import ranking_weights
from .regression import canonical, irls, non_negative, ridge


@dataclass(frozen=True)
class Model(Component):
    """A way to combine features."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if number and value != field.default and field.name != "seed" and not (value > 0 and np.isfinite(value)):
                raise InputError(f"{field.name} of {self.name} must be above 0; got {value:g}")

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        """Fit to rows of features and targets (one column each); return what predicts the first target."""
        raise NotImplementedError


@dataclass(frozen=True)
class Svr(Model):
    """Support vector regression with a Gaussian kernel, as Peyrard et al. (2017) use scikit-learn's.

    They name no parameters: C and gamma are scikit-learn's defaults on features and targets of deviation 1 (gamma=0
    stands for 1 / features, which is what its "scale" then is); errors below half a deviation count nothing, which is
    four times as fast as its epsilon of .1. within=true gives every topic a constant of its own, as the targets have
    none either: the kernel is centred within topics, and only the summaries of one topic are compared. The plain
    regression of the paper is svr(epsilon=.1, within=false).
    """

    name: ClassVar[str] = "svr"
    c: float = 1.0
    epsilon: float = 0.5
    gamma: float = 0.0
    within: bool = True

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        from .kernel import support_vectors

        gamma = self.gamma or 1 / x.shape[1]
        return support_vectors(x, y[:, 0], topic if self.within else None, c=self.c, epsilon=self.epsilon, gamma=gamma)


@dataclass(frozen=True)
class Ridge(Model):
    """Linear least squares with a penalty on large weights, on differences from the topic's mean.

    monotone=true keeps every weight at 0 or above: an output that is better by one feature and no worse by the others
    never gets a lower score, on other data either. monotone=false lets features count against an output.
    """

    name: ClassVar[str] = "ridge"
    penalty: float = 1.0
    monotone: bool = True

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        inner = center_by_topic(x, topic)
        return Linear(ridge(inner, y[:, 0], penalty=self.penalty, monotone=self.monotone))


@dataclass(frozen=True)
class Rank(Model):
    """Ranking SVM (Joachims 2002): the better of two summaries of a topic should get the higher score.

    min |w|^2 / 2 + C sum over pairs of max(0, 1 - w (x_better - x_worse))^2. Its scores are brought to the target's
    scale by a line. Of more than `pairs` pairs, `pairs` are drawn.
    """

    name: ClassVar[str] = "rank"
    c: float = 1.0
    pairs: int = 1_000_000
    seed: int = 0

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        weights = ranking_weights(x, y[:, 0], topic, c=self.c, most=self.pairs, seed=self.seed)
        return on_scale(weights, x, y[:, 0], topic)


@dataclass(frozen=True)
class Robust(Model):
    """Robust linear regression: outlying judgments weigh less (bisquare, or Huber's weights).

    Iteratively reweighted least squares on the median absolute residual; tune=0 stands for 4.685 (bisquare) or 1.345
    (huber), which lose 5% against least squares where the errors are normal.
    """

    name: ClassVar[str] = "robust"
    weight: str = "bisquare"
    tune: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weight not in ("bisquare", "huber"):
            raise UnknownName("weight of robust", self.weight, ("bisquare", "huber"), hint="(bisquare or huber)")

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        return Linear(*irls(x, y[:, 0], weight=self.weight, tune=self.tune))


@dataclass(frozen=True)
class NonNegative(Model):
    """Least squares in which no feature counts against a summary."""

    name: ClassVar[str] = "nnls"

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        return Linear(*non_negative(x, y[:, 0]))


@dataclass(frozen=True)
class Canonical(Model):
    """Canonical correlation: the combination of features most correlated with some combination of the targets.

    With one target its scores are those of least squares. They are brought to the first target's scale by a line.
    """

    name: ClassVar[str] = "cca"

    def fit(self, x: Floats, y: Floats, topic: Integers) -> Predictor:
        return on_scale(canonical(x, y), x, y[:, 0], np.zeros_like(topic))


def on_scale(weights: Floats, x: Floats, y: Floats, topic: Integers) -> Linear:
    """Return the weights times the slope of the least-squares line from their scores to the target, within topics."""
    scores, wanted = center_by_topic(x @ weights, topic), center_by_topic(y, topic)
    square = float(scores @ scores)
    slope = float(scores @ wanted) / square if square > 0 else 0.0
    return Linear(slope * weights, float(y.mean() - slope * (x @ weights).mean()))


MODELS = Folder(__name__, Model, kind="learner", example="ridge(penalty=1)", group="assay.learners")


def model(text: str | Model) -> Model:
    """Build the model that a text stands for: `svr`, `ridge(penalty=10)`.

    >>> model("robust(weight=huber)")
    Robust(weight='huber', tune=0.0)
    >>> model("gpt")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown learner 'gpt' (known: cca, nnls, rank, ridge, robust, svr)
    """
    return MODELS.build(text)
