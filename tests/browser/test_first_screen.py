"""The first screen of five reports: each looks as if it were made for its set, at two widths, light and dark.

ASSAY_SCREENSHOTS=DIR keeps the pictures, to be looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Judgment, Reference

WORDS = (
    *("the", "old", "harbour", "bridge", "was", "closed", "on", "monday", "after", "two", "ships"),
    *("had", "met", "in", "heavy", "fog", "near", "its", "northern", "end"),
)


def make_set(systems: int, items: int, *, judged: bool) -> EvalSet:
    """Systems of rising quality: each keeps more of the words of the reference."""
    rng = np.random.default_rng(0)
    names = [f"system-{s:03d}" for s in range(systems)]
    rows = []
    for k in range(items):
        keep = {name: rng.random(len(WORDS)) < 0.3 + 0.6 * s / max(systems, 2) for s, name in enumerate(names)}
        outputs = {
            name: " ".join(w for w, kept in zip(WORDS, mask, strict=True) if kept) for name, mask in keep.items()
        }
        judgments = tuple(
            Judgment(name, "ann", "meaning", float(np.clip(round(1 + 3 * s / systems + rng.normal() / 2), 1, 5)))
            for s, name in enumerate(names)
        )
        text = Reference(f"{' '.join(WORDS)} {k}")
        rows.append(Item(f"item-{k}", (text,), outputs, judgments=judgments if judged else ()))
    return EvalSet(rows)


SETS = {
    "judged": (7, 40, True),
    "no judgments": (4, 40, False),
    "one system": (1, 40, True),
    "one item": (4, 1, True),
    "100 systems": (100, 12, True),
}
HEADLINES = {
    "judged": "People ",
    "no judgments": "system-003 is ",
    "one system": "system-000 is the only system",
    "one item": "There is only one item",
    "100 systems": "People rate system-094 first of 100 systems",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    paths = {}
    for name, (systems, items, judged) in SETS.items():
        data = make_set(systems, items, judged=judged)
        paths[name] = folder / f"{name.replace(' ', '-')}.html"
        assay.report(data, assay.score(data, ["rouge1", "rouge2", "bleu"]), out=paths[name], resamples=50)
    return paths


def keep_picture(tab, name: str) -> bytes:
    picture: bytes = tab.screenshot()
    if folder := os.environ.get("ASSAY_SCREENSHOTS"):
        Path(folder, f"{name.replace(' ', '-')}.png").write_bytes(picture)
    return picture


@pytest.mark.parametrize("name", SETS)
def test_headline_chart_and_table_are_on_the_first_screen(opened, pages, name):
    tab = opened(pages[name], width=1400, height=900)
    assert tab.locator("h1").inner_text().startswith(HEADLINES[name])
    assert len(keep_picture(tab, f"{name}-1400-light")) > 10_000
    table = tab.locator(".first table:visible").first.bounding_box()
    assert table["y"] < 500
    if name != "one item":
        figure = tab.locator(".first figure:visible svg.marks").bounding_box()
        assert figure["y"] + figure["height"] < 900
    assert tab.locator(".first b").count() == 0 if name == "one system" else tab.locator(".first b").count() > 0


@pytest.mark.parametrize("name", SETS)
def test_on_a_telephone_wide_tables_say_that_they_scroll(opened, pages, name):
    tab = opened(pages[name], width=400, height=900, dark=True)
    keep_picture(tab, f"{name}-400-dark")
    tab.wait_for_function("document.documentElement.scrollWidth <= 400")
    boxes = tab.evaluate(
        "() => [...document.querySelectorAll('main .scroll')]"
        ".filter((b) => b.checkVisibility({ contentVisibilityAuto: true })).map((b) =>"
        " [b.scrollWidth > b.clientWidth + 2, !b.previousElementSibling.hidden])"
    )
    assert all(wide == hint for wide, hint in boxes)
    if name == "judged":
        assert any(wide for wide, _ in boxes)


def test_a_click_sorts(opened, pages):
    tab = opened(pages["judged"])
    table = tab.locator(".first table").last
    head = table.locator("thead th", has_text="rouge2")
    head.locator("button").click()
    column = 1 + table.locator("thead th").all_inner_texts().index("rouge2 ↓".replace(" ↓", ""))
    values = [float(t) for t in table.locator(f"tbody td:nth-child({column})").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").press("Enter")
    values = [float(t) for t in table.locator(f"tbody td:nth-child({column})").all_inner_texts()]
    assert values == sorted(values)
    table.locator("thead th").first.locator("button").click()
    names = table.locator("tbody th").all_inner_texts()
    assert names == sorted(names)


def test_one_correlation_for_each_metric(opened, pages):
    """The same number wherever a sentence or a table speaks of a metric's correlation with people."""
    import re

    tab = opened(pages["judged"])
    tab.evaluate("() => document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    text = tab.locator("main").inner_text()
    for metric in ("rouge1", "rouge2", "bleu"):
        values = set(
            re.findall(rf"{metric} (?:correlates|has the highest correlation) with [^:]*: r = (-?[\d.]+)", text)
        )
        rows = tab.locator("#metrics tr", has=tab.locator(f"th:text-is('{metric}')")).filter(has_text=" to ")
        values |= {rows.nth(0).locator("td").first.inner_text().strip()}
        assert len({round(float(value), 3) for value in values}) == 1, (metric, values)


def test_a_picture_is_saved_from_the_page(opened, pages):
    tab = opened(pages["judged"])
    plot = tab.locator(".first figure:visible").first
    plot.locator("summary").click()
    for kind in ("SVG", "PNG"):
        with tab.expect_download() as download:
            plot.locator("a", has_text=f"Save as {kind}").click()
        assert download.value.suggested_filename.endswith(f".{kind.lower()}")
