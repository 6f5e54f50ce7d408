"""Parquet: types as other programs write them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay
from assay.errors import FormatError


def test_what_is_written_is_read_again(tmp_path):
    data = assay.EvalSet.from_texts({"A": ["x", "a,b"], "B": ["", "é\n"]})
    assay.write(data, tmp_path / "x.parquet")
    assert assay.read(tmp_path / "x.parquet") == data


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_text_of_any_arrow_type(tmp_path, kind):
    columns = {"item": ["1", "2"], "system": ["A", "A"], "text": ["x", "y"]}
    table = pa.table({name: pa.array(values).cast(kind) for name, values in columns.items()})
    pq.write_table(table, tmp_path / "x.parquet")
    assert [item.outputs["A"] for item in assay.read(tmp_path / "x.parquet")] == ["x", "y"]


def test_numbers_where_texts_are_due_are_refused(tmp_path):
    pq.write_table(pa.table({"item": ["1"], "system": ["A"], "text": [3.5]}), tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="text"):
        assay.read(tmp_path / "x.parquet")


def test_a_file_cut_short_is_one_line(tmp_path):
    assay.write(assay.EvalSet.from_texts({"A": ["x"]}), tmp_path / "x.parquet")
    content = (tmp_path / "x.parquet").read_bytes()
    (tmp_path / "x.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(FormatError, match=r"x\.parquet") as raised:
        assay.read(tmp_path / "x.parquet")
    assert "\n" not in str(raised.value)
