"""Metrics: one file per close family. The folder is the list; nothing is registered."""

from .base import Metric, OverlapMetric
from .spec import families, listed, metric

__all__ = ["Metric", "OverlapMetric", "families", "listed", "metric"]
