"""Lists of components, and the help of one."""

from __future__ import annotations

from assay.data.component_list import ComponentHelp, ComponentList, ListedMetric, ListedSystem, MetricFamilies


def test_the_default_system_is_marked_and_parameters_are_listed():
    systems = (
        ListedSystem("lead", "The first words.", "lead(ratio=0.5)", default=True),
        ListedSystem("random", "Words " * 40, "random(seed=0)"),
    )
    view = ComponentList("compressor", systems).view()
    (first, second) = view.tables[0].rows()
    assert first == ("lead (default)", "The first words.")
    assert second[1].endswith(" …")
    assert view.notes == ["With all parameters and their defaults:", "lead(ratio=0.5)", "random(seed=0)"]


def test_a_list_of_metrics_says_how_to_ask_for_one():
    view = ComponentList("metric", (ListedMetric("rouge1", "unigrams", "rouge1()"),)).view()
    assert "assay metrics NAME" in view.notes[0]


def test_families_are_a_line_each_and_long_ones_are_counted():
    metrics = [ListedMetric(name, "", name, family="words") for name in ("wer", "wer(x=1)", "ssa")]
    metrics += [ListedMetric(f"g{n}", "", "", family="grid") for n in range(20)]
    view = MetricFamilies(tuple(metrics)).view()
    assert view.tables[0].rows() == [("words", "wer, ssa"), ("grid", "20 metrics: g0, g1, ...")]


def test_the_help_of_a_metric_keeps_its_lines():
    text = str(ComponentHelp("m", "m(n=1)", "references", False, "First line,\nsecond line."))
    assert text == "First line,\nsecond line.\n\nneeds: references; lower is better\nsignature: m(n=1)"
