"""Matching: batches of texts and the counts of what outputs and references share; the core is called here alone."""

from .batch import Batch, Counts, Request

__all__ = ["Batch", "Counts", "Request"]
