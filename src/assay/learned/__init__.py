"""Metrics that are trained: S3 (Peyrard et al. 2017), CLASSY (Rankel et al. 2012) and their kin."""

from .examples import Examples, examples
from .fitting import CrossValidation, Fitted, cross_validate, fit
from .models import MODELS, Model, model
from .scorer import Feature, Learned, scorer
from .storage import is_scorer, load, save
from .subsets import Chosen, choose

__all__ = [
    "MODELS", "Chosen", "CrossValidation", "Examples", "Feature", "Fitted", "Learned", "Model", "choose",
    "cross_validate", "examples", "fit", "is_scorer", "load", "model", "save", "scorer",
]  # fmt: skip
