"""Must-keep: tokens that a compression should not lose, by default and by the user's own patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .base import Source
from .tokens import Token


def wanted(source: Source, tokens: Sequence[Token]) -> dict[int, bool]:
    """What a source's own patterns say of its tokens: True to keep, False to drop; keeping wins."""
    found: dict[int, bool] = {}
    for patterns, keep in ((source.drop, False), (source.keep, True)):
        for pattern in patterns:
            for match in re.finditer(pattern, source.text):
                found |= {i: keep for i, t in enumerate(tokens) if t.start < match.end() and match.start() < t.end}
    return found
