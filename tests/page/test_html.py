"""The page is whole, says what the findings say, and runs nothing that a text brings along."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import assay
from assay import EvalSet, Scores
from assay.page.html import Origin, draw_page
from assay.page.report import report

HOSTILE = '</script><script>window.bad=1</script><img src=x onerror="window.bad=1"><!--'


class Reader(HTMLParser):
    """Tags with their attributes, and the text of each script."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._inside: dict[str, str | None] | None = None
        self._text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self._inside, self._text = dict(attrs), []

    def handle_data(self, data):
        if self._inside is not None:
            self._text.append(data)

    def handle_endtag(self, tag):
        if tag == "script" and self._inside is not None:
            self.scripts.append((self._inside, "".join(self._text)))
            self._inside = None


@pytest.fixture(scope="module")
def hostile() -> str:
    data = EvalSet.from_texts({HOSTILE: ["a b " + HOSTILE] * 3, "B": ["a", "b", "c"]}, [[HOSTILE]] * 3, [HOSTILE] * 3)
    scores = Scores(np.array([[0.5, 0.25, 0.75], [0.0, 1.0, 0.5]]), data.systems, data.items, HOSTILE)
    return draw_page(report(data, {HOSTILE: scores}, resamples=20), Origin(HOSTILE, HOSTILE, HOSTILE, HOSTILE))


def test_nothing_is_loaded_and_no_text_becomes_a_tag(hostile):
    read = Reader(hostile)
    assert [tag for tag, _ in read.tags if tag in ("img", "iframe", "link", "object", "embed", "base")] == []
    for _, attributes in read.tags:
        assert not {"src", "srcset", "onerror", "onload", "action"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert len(read.scripts) == 6  # two of data, the page's own, three of the library
    assert "<!--" not in hostile


def test_only_the_pages_own_scripts_may_run(hostile):
    read = Reader(hostile)
    policy = next(a["content"] for tag, a in read.tags if tag == "meta" and "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    run = [text for attributes, text in read.scripts if "type" not in attributes]
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in run}
    assert hashes == set(rules["script-src"].split())


def test_data_blocks_are_json(hostile):
    blocks = [text for attributes, text in Reader(hostile).scripts if attributes.get("type") == "application/json"]
    charts, items = (json.loads(text) for text in blocks)
    assert items["systems"] == [HOSTILE, "B"]
    assert charts["charts"]


def test_the_same_findings_make_the_same_page(judged):
    scores = assay.score(judged, ["rouge1", "rouge2"])
    made = [draw_page(report(judged, scores, resamples=50)) for _ in range(2)]
    assert made[0] == made[1]


def test_every_section_is_there_with_judgments(judged):
    html = draw_page(report(judged, assay.score(judged, ["rouge1", "rouge2"]), resamples=50))
    assert re.findall(r'<section id="(\w+)"', html) == [
        "answer",
        "systems",
        "metrics",
        "raters",
        "edits",
        "items",
        "cautions",
        "again",
    ]


def test_without_judgments_the_page_says_so():
    data = EvalSet.from_texts({"A": ["a b"] * 8, "B": ["a c"] * 8}, [["a b"]] * 8)
    html = draw_page(report(data, {"rouge1": assay.score(data, "rouge1")}, resamples=50))
    assert "no human judgments" in html
    assert 'id="raters"' not in html


def test_every_chart_has_its_table(judged):
    html = draw_page(report(judged, assay.score(judged, ["rouge1", "bleu"]), resamples=50))
    blocks = html.split('<div class="block">')[1:]
    charted = [block for block in blocks if "data-chart" in block]
    assert len(charted) > 5
    assert all("<table>" in block for block in charted)
