"""Frame-N (Peyrard et al. 2017): ROUGE over FrameNet frames in place of nouns and verbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import InputError
from ..matching.frame_bags import FrameUnit
from ..units.surface import Ngram
from ._base import OverlapMetric, ParserParameters


@dataclass(frozen=True, kw_only=True)
class FrameN(OverlapMetric, ParserParameters):
    """Frame-N: n-gram overlap with nouns and verbs as their frames.

    Every noun and verb that the lexicon lists is replaced by its FrameNet frame, in output and references; then
    n-grams are compared as in ROUGE-N (Peyrard et al. 2017, section 3.1). The paper disambiguates frames in context;
    here a lemma has one frame, the first that the lexicon lists. Other words are kept, punctuation is left out.
    lexicon: a file with lines rain.v<TAB>Precipitation, or FrameNet's luIndex.xml. None comes with Assay.
    With a lexicon in which cars and trucks are vehicles, all three words match:

    >>> import assay, pathlib, tempfile
    >>> data = assay.EvalSet.from_texts(["The truck stopped."], ["The car stopped."])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "frames.tsv")
    ...     _ = file.write_text("car.n\\tVehicle\\ntruck.n\\tVehicle\\n")
    ...     assay.score(data, f"frame1(lexicon={file})").values.item()
    1.0
    """

    name: ClassVar[str] = "frame{n}"
    family: ClassVar[str] = "meaning"
    examples: ClassVar[tuple[str, ...]] = ("frame1(lexicon=FILE)", "frame2(lexicon=FILE)")
    n: int = 1
    lexicon: str = ""
    measure: str = "recall"
    refs: str = "sum"
    word: str = "stem"

    def __post_init__(self) -> None:
        if not self.lexicon:
            raise InputError(f"{self.title} needs a lexicon of frames: {self.title}(lexicon=FILE)")
        Ngram(self.n)
        super().__post_init__()

    def make_unit(self) -> FrameUnit:
        return FrameUnit(self.n, self.lexicon, self.parser, self.word)
