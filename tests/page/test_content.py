"""The section on content units: there where texts were annotated, with both charts and the letters of categories."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import assay
from assay.page.content import find_content
from assay.page.report import report
from assay.page.sections import make_sections
from assay.pyramid.annotated import add_judgments

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics


def test_the_section_of_an_annotated_set():
    data = read_topics("ann", "bob")
    result = report(data, {"rouge1": assay.score(data, "rouge1")}, resamples=20)
    [section] = [section for section in make_sections(result) if section.id == "content"]
    titles = [part.title for part in section.parts]
    assert titles == [
        "Pyramid scores",
        "Which facts do the models share, and who states them?",
        "Which categories are easier?",
        "Do the annotators agree?",
        "Identical texts marked twice",
    ]
    assert [chart.description.partition(":")[0] for chart in section.parts[1].charts] == [
        "Content units by weight",
        "What systems state of each aspect",
    ]
    assert "ANOVA" in [column.head for table in section.parts[2].tables for column in table.columns]
    kinds = {record["kind"] for record in result.records()}
    assert {"annotated_scores", "guided", "peer_agreement", "duplicate_marks"} <= kinds


def test_systems_are_ranked_by_responsiveness_where_it_was_judged():
    items = [
        replace(item, judgments=tuple(assay.Judgment(s, "r", "responsiveness", float(s)) for s in item.outputs))
        for item in read_topics()
    ]
    content = find_content(assay.EvalSet(items), dimension="responsiveness")
    assert content.analysis.systems[:2] == ("6", "5")


def test_sets_without_units_and_without_annotated_systems():
    assert find_content(assay.EvalSet.from_texts({"A": ["a"]}, ["b"])) is None
    models = [
        replace(item, outputs={}, extra={key: value for key, value in item.extra.items() if key != "peers"})
        for item in read_topics()
    ]
    content = find_content(assay.EvalSet(models))
    assert content.analysis is None
    assert all(system.model for system in content.scores.systems)


def test_scores_as_judgments_of_few_topics_have_a_report():
    """Three judged items are too few to test metrics on pairs of systems; the rest of the page is there."""
    data = add_judgments(read_topics("ann", "bob"))
    result = report(data, {"rouge1": assay.score(data, "rouge1")}, resamples=20)
    [trial] = result.trials
    assert trial.dominance is None
    assert trial.correlations is not None
    assert {"metrics", "raters", "content"} <= {section.id for section in make_sections(result)}
