"""Count what a file of another tool holds that is not read, and say so once."""

from __future__ import annotations

import warnings
from collections import Counter

from ...errors import SkippedWarning


class Skipped:
    """What was not read, by kind."""

    def __init__(self, path: object) -> None:
        self._path, self._counts = path, Counter[str]()

    def add(self, what: str) -> None:
        """Count one more."""
        self._counts[what] += 1

    def warn(self) -> None:
        """Warn once about all of it."""
        if self._counts:
            each = "; ".join(f"{what} ({count:,})" for what, count in self._counts.most_common())
            warnings.warn(f"{self._path}: not read: {each}", SkippedWarning, stacklevel=3)
