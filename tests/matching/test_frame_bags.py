"""Units of frames: a frame matches a frame, and a word only itself."""

from __future__ import annotations

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.frame_bags import FrameUnit
from assay.text.parse.sentence import Parse, Word


def parse(*words: tuple[str, str]) -> Parse:
    return Parse((tuple(Word(lemma, lemma, pos, "", "", -1, "root") for lemma, pos in words),))


def test_frames_and_words(tmp_path):
    lexicon = tmp_path / "frames.tsv"
    lexicon.write_text("rain.v\tPrecipitation\nsnow.v\tPrecipitation\n")
    batch = Batch(EvalSet.from_texts(["o"], ["r"]))
    batch.outputs.remember(("parses", "en"), lambda: [parse(("it", "PRON"), ("rain", "VERB"), (".", "PUNCT"))])
    batch.references.remember(("parses", "en"), lambda: [parse(("it", "PRON"), ("snow", "VERB"))])
    matches = [batch.counts(FrameUnit(n, str(lexicon))).match.tolist() for n in (1, 2)]
    assert matches == [[2.0], [1.0]]
    assert not FrameUnit(1, str(lexicon)).takes_alternatives
