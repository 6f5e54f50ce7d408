"""Sections of the page: edits where sources are short, and judges where an LLM judged."""

from __future__ import annotations

import pytest

import assay
from assay.page.report import report
from assay.page.sections import edits_section, raters_section


def made(source: str | None) -> assay.EvalSet:
    outputs = {"A": ["The cat slept."] * 4, "B": ["It slept, the cat."] * 4}
    return assay.EvalSet.from_texts(outputs, [["The cat slept."]] * 4, sources=[] if source is None else [source] * 4)


def test_what_each_system_did():
    data = made("The old cat slept.")
    section = edits_section(report(data, {"rouge1": assay.score(data, "rouge1")}, resamples=20))
    assert section is not None
    table = section.parts[0].tables[0]
    rows = {row[0]: row[2:5] for row in table.rows()}
    assert rows == {"all": ("50.0%", "0.0%", "50.0%"), "A": ("100.0%", "0.0%", "0.0%"), "B": ("0.0%", "0.0%", "100.0%")}


@pytest.mark.parametrize("source", [None, "word " * 200])
def test_no_sources_or_documents(source):
    data = made(source)
    assert edits_section(report(data, {"rouge1": assay.score(data, "rouge1")}, resamples=20)) is None


def test_judges_stand_beside_people_where_an_llm_judged():
    entries = []
    for number in range(12):
        judgments = [
            assay.Judgment(
                system, rater, "meaning", float((number + k) % 4 + 1), kind="llm" if rater == "gpt" else None
            )
            for k, system in enumerate("ABC")
            for rater in ("ann", "bob", "gpt")
        ]
        entries.append(assay.Item(str(number), outputs=dict.fromkeys("ABC", "a b"), judgments=tuple(judgments)))
    result = report(assay.EvalSet(entries), {}, resamples=20)
    assert result.panels[0].agreement.raters == ("ann", "bob")
    section = raters_section(result)
    assert section is not None
    titles = [view.title for _, views in section.parts[1].options for view in views]
    assert "Can a model judge instead of people?" in titles
