"""TER, translation edit rate (Snover et al. 2006), as tercom and sacreBLEU 2.6 compute it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..errors import InputError
from ..matching.batch import Batch
from ..text import TextReading, Texts
from ._base import Floats, OwnReferences

_READING = TextReading("space")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_WESTERN = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"([{-~[-` -&(-+:-@/])", r" \1 "),
        (r"'s ", r" 's "),
        (r"'s$", r" 's"),
        (r"([^0-9])([\.,])", r"\1 \2 "),
        (r"([\.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)
_PUNCTUATION = re.compile(r"[\.,\?:;!\"\(\)]")
# Characters that are words of their own, and marks, of Chinese and Japanese: sacreBLEU's ranges, as they are there (its
# rules for kana never apply, since they look at the start of a text that has a space put before it).
_ASIAN_MARKS = re.compile(
    r"[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09]"
)
_ASIAN = re.compile(
    r"([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f]|"
    + _ASIAN_MARKS.pattern
    + ")"
)


@dataclass(frozen=True, kw_only=True)
class Ter(OwnReferences):
    """TER: edits, shifts among them, per word of the reference.

    (1) TER = 100 E / R. E is the fewest insertions, deletions, substitutions and shifts of a run of words, each of cost
    1, that turn the output into a reference; R is the mean length of the references. It may exceed 100. Lower is
    better. A system's score is 100 sum E / sum R.
    Several references: the one with the fewest edits. Against an empty reference an empty output has 0, any other 100.
    An item without references has no score (NaN).
    Shifts are searched as in tercom: greedily, runs of at most 10 words moved by at most 50, in a beam of 25 around the
    diagonal, 1000 candidates in all. Texts of more than `cap` words are compared without shifts, with a warning.
    case: true distinguishes upper and lower case. normalize: true splits off punctuation as tercom does. punctuation:
    false drops it. asian: true applies both to Chinese and Japanese (sacreBLEU's asian_support).
    With normalize=true sacreBLEU 2.6 tokenizes references twice and outputs once (its TER of "3's." against itself is
    66.7); here, as in tercom, both are tokenized once.

    >>> import assay
    >>> data = assay.EvalSet.from_texts(["on the mat the cat sat down"], ["the cat sat on the mat"])
    >>> round(assay.score(data, "ter").values.item(), 4)  # sacrebleu 2.6.0, TER(): 33.3333, a shift and a deletion
    33.3333
    """

    name: ClassVar[str] = "ter"
    family: ClassVar[str] = "translation"
    examples: ClassVar[tuple[str, ...]] = ("ter", "ter(normalize=true)")
    higher_is_better: ClassVar[bool] = False
    case: bool = False
    normalize: bool = False
    punctuation: bool = True
    asian: bool = False
    cap: int = 5000

    def __post_init__(self) -> None:
        if self.cap < 1:
            raise InputError(f"cap of ter must be 1 word or more; got {self.cap}")
        super().__post_init__()

    def values(self, batch: Batch) -> Floats:
        return self.corpus(self.statistics(batch))

    def statistics(self, batch: Batch) -> Floats:
        return self._edits(batch)[0]

    def corpus(self, sums: Floats) -> Floats:
        return 100 * error_rate(sums)  # Eq. 1

    def notes(self, batch: Batch) -> Mapping[str, int]:
        capped = self._edits(batch)[1]
        return {f"ter: texts of more than {self.cap} words were compared without shifts": capped} if capped else {}

    def _edits(self, batch: Batch) -> tuple[Floats, int]:
        def make() -> tuple[Floats, int]:
            outputs, references = (self._read(texts) for texts in (batch.outputs, batch.references))
            return _core.translation_edits(outputs, references, batch.layout(self.keep_own), self.cap)

        return batch.outputs.remember(self, make)

    def _read(self, texts: Texts) -> _core.Tokens:
        if not self.normalize and self.punctuation:
            return texts.tokens(TextReading("space", lower=not self.case))
        return Texts([self._normalize(s) for s in texts.strings], texts.lexicon).tokens(_READING)

    def _normalize(self, text: str) -> str:
        """Return what sacreBLEU's tercom tokenizer makes of a text.

        >>> Ter(normalize=True)._normalize("It's (about) 3.5%, isn't it?").split()
        ['it', "'s", '(', 'about', ')', '3.5', '%', ',', "isn't", 'it', '?']
        """
        text = text.rstrip() if self.case else text.rstrip().lower()
        if self.normalize and text:
            text = text.replace("\n-", "").replace("\n", " ")
            for entity, character in _ENTITIES:
                text = text.replace(entity, character)
            text = f" {text} "
            for pattern, to in _WESTERN:
                text = pattern.sub(to, text)
            if self.asian:
                text = _ASIAN.sub(r" \1 ", text)
        if self.punctuation:
            return text
        text = _PUNCTUATION.sub("", text)
        return _ASIAN_MARKS.sub("", text) if self.asian else text


def error_rate(rows: Floats) -> Floats:
    """Return edits per word of the reference. Against an empty reference an empty output has 0 and any other 1.

    >>> error_rate(np.array([[1.0, 4.0], [3.0, 0.0], [0.0, 0.0]])).tolist()
    [0.25, 1.0, 0.0]
    """
    edits, length = rows[:, 0], rows[:, 1]
    nonempty = length > 0
    rate: Floats = np.where(nonempty, edits / np.where(nonempty, length, 1), np.minimum(edits, 1))
    return rate
