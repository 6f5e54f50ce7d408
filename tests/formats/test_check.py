"""How a file is read, and what it can answer."""

from __future__ import annotations

import pandas as pd
import pytest

import assay
from assay.errors import AssayError
from assay.formats import parse_columns, save_reading

TABLE = "id,model,hyp,gold,fluency,cost\n1,A,a b,a c,4,7.25\n1,B,a,a c,3,8.5\n2,A,c d,c,2,9.1\n2,B,c,c,5,1.3\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def test_check_says_what_each_column_is_and_what_can_be_asked(table):
    reading = assay.check(str(table))
    roles = {column.column: column.role for column in reading.columns}
    assert roles == {
        "id": "id",
        "model": "system",
        "hyp": "output",
        "gold": "reference",
        "fluency": "judgment",
        "cost": "metadata",
    }
    assert (reading.format, reading.items, reading.systems) == ("csv", 2, ("A", "B"))
    commands = [entry.command.split()[1] for entry in reading.questions]
    assert commands == ["score", "compare", "compare", "meta", "report"]
    assert f"assay compare {table} -d fluency" in [entry.command for entry in reading.questions]


def test_check_takes_what_read_takes(table):
    frame = pd.read_csv(table)
    assert assay.check(frame).of("output")[0].column == "hyp"
    assert assay.check(assay.read(table)).of("output")[0].column == "hyp"
    assert assay.check(str(table), columns={"score": []}).of("judgment") == ()


def test_judgments_alone_are_checked_too(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("id,system,rater,fluency\n1,A,ann,3\n1,A,bob,4\n1,B,ann,2\n1,B,bob,5\n")
    reading = assay.check(str(path))
    assert [entry.command.split()[1] for entry in reading.questions] == ["compare", "agree", "plan"]


def test_what_was_saved_reads_the_next_file_the_same(table, tmp_path):
    saved = tmp_path / "reading.toml"
    save_reading(assay.check(str(table)), saved)
    columns = parse_columns(f"@{saved}")
    assert columns == {
        "output": ["hyp"],
        "reference": ["gold"],
        "id": ["id"],
        "system": ["model"],
        "score": ["fluency"],
    }
    assert assay.read(table, columns=columns) == assay.read(table)
    assert assay.read(table, columns=f"@{saved}") == assay.read(table)


def test_a_name_that_breaks_toml_is_saved_too(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id,"pred ""x"" \\ é\u2028",ref\n1,a,b\n')
    saved = tmp_path / "s.toml"
    save_reading(assay.check(str(path), columns={"output": 'pred "x" \\ é\u2028'}), saved)
    assert parse_columns(f"@{saved}")["output"] == ['pred "x" \\ é\u2028']


@pytest.mark.parametrize("content", ["[columns]\noutput = 3\n", "x = 1\n", "[columns\n", "\xff"])
def test_a_broken_file_of_columns_is_one_error(tmp_path, content):
    path = tmp_path / "s.toml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(AssayError, match="assay check --save FILE"):
        parse_columns(f"@{path}")
