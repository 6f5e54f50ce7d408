"""Direct assessments from Mechanical Turk."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import read
from assay.errors import AssayError, SkippedWarning
from assay.formats import format_of

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "mturk-da/ratings.tsv"


def test_ratings():
    assert format_of(SAMPLE) == "mturk-da"
    with pytest.warns(SkippedWarning, match=r"controls of type BADREF \(1\); controls of type REF \(1\)"):
        data = read(SAMPLES / "outputs.jsonl", judgments=SAMPLE)
    judgments = {(item.id, *j[:3], j.occasion): j.score for item in data for j in item.judgments}
    assert judgments == {
        ("1", "online-A", "W1", "da", 1): 78.0,
        ("1", "online-A", "W1", "da", 2): 70.0,
        ("2", "online-B", "W2", "da", 1): 55.0,
    }


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("\t78\t", "\t2026-03-02\t", r"a\.tsv:2: the score is '2026-03-02', a date"),
        ("SYSTEM", "OTHER", r"a\.tsv:2: the type is SYSTEM, REPEAT, REF, BADREF; got 'OTHER'"),
        ("\t9.5", "", r"a\.tsv:2: 11 fields where there are 12 columns"),
    ],
)
def test_bad_tables(tmp_path, old, new, match):
    (tmp_path / "a.tsv").write_text(SAMPLE.read_text().replace(old, new, 1))
    with pytest.raises(AssayError, match=match):
        read(SAMPLES / "outputs.jsonl", judgments=tmp_path / "a.tsv")
