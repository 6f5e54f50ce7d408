"""Engines: how work is spread over threads."""

from .threads import ordered_map

__all__ = ["ordered_map"]
