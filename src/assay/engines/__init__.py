"""How work is spread: threads here."""

from .threads import ordered_map

__all__ = ["ordered_map"]
