"""The report as a result: printed, saved, and as records."""

from __future__ import annotations

import assay


def test_it_prints_the_answer_and_saves_the_page(judged, tmp_path):
    report = assay.report(judged, assay.score(judged, ["rouge1", "rouge2"]), resamples=50)
    headline = report.view().headline
    assert " ".join(str(report).split()).startswith(headline)
    report.save(tmp_path / "report.html")
    assert f"<h1>{headline}</h1>" in (tmp_path / "report.html").read_text("utf-8")


def test_records_are_those_of_every_result(judged):
    report = assay.report(judged, {"rouge1": assay.score(judged, "rouge1")}, resamples=50)
    kinds = [record["kind"] for record in report.records()]
    assert list(dict.fromkeys(kinds))[:4] == ["verdict", "opinion", "data_check", "comparison"]
    assert {"correlation", "agreement", "leaks"} <= set(kinds)


def test_out_writes_the_page(judged, tmp_path):
    report = assay.report(judged, assay.score(judged, "rouge1"), out=tmp_path / "r.html", resamples=50)
    assert f"<h1>{report.view().headline}</h1>" in (tmp_path / "r.html").read_text("utf-8")


def test_only_the_named_dimensions(judged):
    report = assay.report(judged, {}, dimensions=["meaning"], resamples=50)
    assert [trial.human.name for trial in report.trials] == ["meaning"]
