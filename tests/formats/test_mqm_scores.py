"""Mean MQM scores of segments, as Google releases them."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, NoOutputs
from assay.formats import format_of, read, read_judged


@pytest.mark.parametrize("mark", [" ", "\t"])
def test_scores_of_segments(tmp_path, mark):
    path = tmp_path / "mqm_invented_ende.avg_seg_scores.tsv"
    rows = [("system", "mqm_avg_score", "seg_id"), ("A.1", "-1.5", "1"), ("A.1", "None", "2"), ("B.2", "0.0", "1")]
    path.write_text("".join(f"{mark.join(row)}\n" for row in rows))
    assert format_of(path) == "mqm-scores"
    data = read_judged(path)
    judged = [(item.id, j.system, j.rater, j.dimension, j.score) for item in data for j in item.judgments]
    assert judged == [("1", "A.1", "mean", "mqm", -1.5), ("1", "B.2", "mean", "mqm", 0.0)]
    assert not data.scales
    with pytest.raises(NoOutputs, match="holds judgments"):
        read(path)


def test_weights_that_are_positive_are_best_if_low(tmp_path):
    (tmp_path / "a.tsv").write_text("system seg_id mqm_avg_score\nA 1 5.0\nB 1 0\n")
    data = read_judged(tmp_path / "a.tsv")
    assert data.scales["mqm"].best == "low"
    assert [j.score for j in next(iter(data)).judgments] == [5.0, 0.0]


def test_a_line_too_long(tmp_path):
    (tmp_path / "a.tsv").write_text("system mqm_avg_score seg_id\nA 1 5.0 7\n")
    with pytest.raises(FormatError, match=r"a.tsv:2: a line is system mqm_avg_score seg_id; got 4 fields"):
        read_judged(tmp_path / "a.tsv")
