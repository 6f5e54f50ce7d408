"""Engines: how work is spread over threads."""

from .threads import ordered_map, usable_cores

__all__ = ["ordered_map", "usable_cores"]
