"""PyrEval's pyramids, as XML and as lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.data.content_units import read_pyramid
from assay.errors import FormatError
from assay.formats._io.unit_words import is_words_only, keep_words

TREE = (
    '<Pyramid><scu uid="0"><contributor label="the dam broke" /><contributor label="it &quot;gave&quot; way" /></scu>'
    '<scu uid="1"><contributor label="at dawn" /></scu></Pyramid>'
)
LINES = "SCU\t0\t2\tthe dam broke\nSCU\t0\t2\tit gave way\nSCU\t1\t1\tat dawn\n"


@pytest.mark.parametrize("content", [TREE, '<?xml version="1.0"?>\n' + TREE, LINES])
def test_weights_are_numbers_of_contributors(tmp_path, content):
    path = tmp_path / "flood.pyr"
    path.write_text(content, "utf-8")
    pyramid = read_pyramid(assay.read(path)["flood"])
    assert pyramid.weights() == {"0": 2, "1": 1}
    assert [unit.label for unit in pyramid.units] == ["the dam broke", "at dawn"]


def test_writing_back(tmp_path):
    path, again = tmp_path / "flood.pyr", tmp_path / "again.pyr"
    path.write_text(TREE, "utf-8")
    assay.write(assay.read(path), again, format="pyreval")
    assert again.read_text("utf-8").strip() == TREE


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LINES.replace("\t2\t", "\t3\t"), "unit '0' has weight 3 but 2 contributors"),
        (LINES.replace("SCU\t1\t1\t", "SCU\t1\t"), "a line is SCU, unit, weight and words"),
        (TREE.replace('uid="1"', 'uid="0"'), "unit '0' comes twice"),
        (TREE.replace('<contributor label="at dawn" />', ""), "unit '1' has no contributor"),
        ("<Pyramid></Pyramid>", "holds no content units"),
    ],
)
def test_bad_files(tmp_path, content, message):
    path = tmp_path / "flood.pyr"
    path.write_text(content, "utf-8")
    with pytest.raises(FormatError, match=message):
        assay.read(path)


def test_more_than_words_is_not_lost_in_silence(tmp_path):
    path = tmp_path / "flood.pyr"
    path.write_text(TREE, "utf-8")
    [item] = assay.read(path)
    with_peer = replace(item, outputs={"sys": "the dam broke"})
    with pytest.raises(FormatError, match="no place for texts, labels, places and peers of content units"):
        assay.write(assay.EvalSet([with_peer]), tmp_path / "again.pyr", format="pyreval")
    assert is_words_only(item)
    assert keep_words(with_peer) == item
