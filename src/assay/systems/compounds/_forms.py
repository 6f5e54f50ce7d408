"""What a source of words says of one form."""

from __future__ import annotations

from typing import NamedTuple


class Form(NamedTuple):
    """A form with its lemma, parts of speech and frequency, as far as they are known.

    `dictionary`: not only a corpus has it; `stem`: it occurs only before another part.
    """

    text: str
    lemma: str = ""
    tags: str = ""
    zipf: float = 0.0
    dictionary: bool = False
    stem: bool = False
