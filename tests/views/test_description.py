"""What is said of a corpus."""

from __future__ import annotations

from assay import EvalSet, describe

DATA = EvalSet.from_texts([""], [["the dog ran", "the big dog ran"]], ["the big dog ran away"])


def test_rates_spans_and_agreement():
    view = describe(DATA).view()
    assert view.headline == "1 item. Sources have 5.0 tokens on average (median 5, range 5 to 5), 5 in total."
    assert view.sentences[1].startswith("References have 70.0% of the tokens")
    rates, spans, pairs = (table.rows() for table in view.tables)
    assert [row[0] for row in rates] == ["reference 1", "reference 2", "mean"]
    assert spans[0][1:4] == ("2", "1.00", "100.0%")
    assert pairs[0][0] == "reference 1, reference 2"


def test_records_name_writers_and_their_mean():
    records = describe(DATA).records()
    assert [record["kind"] for record in records] == ["corpus", *["shortening"] * 3, "deletion_agreement"]
    assert [record["role"] for record in records[1:4]] == ["writer", "writer", "mean"]
    assert records[1]["spans"] == {"1": 2}
