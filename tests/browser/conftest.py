"""Debian's Chromium, headless, driven by Playwright; `make browser` installs it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.page.html import Origin, draw_page

sys.path.insert(0, str(Path(__file__).parent))  # for study_browser

ENDS = ("html[data-items=ready]", "html[data-charts=ready]")


def missing(why: str) -> None:
    """Where tests must run, a missing browser is an error; elsewhere they are skipped."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why}: run `make browser`")
    pytest.skip(f"{why}: run `make browser`")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("needs Chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("needs playwright")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])  # tests may run as root
        yield browser
        browser.close()


@pytest.fixture
def said() -> list[str]:
    """What the page complained of: errors, warnings, and requests to anywhere."""
    return []


@pytest.fixture
def opened(chromium, said) -> Iterator[Callable[..., Any]]:
    """opened(path, dark=..., width=...) gives the page when all is drawn; a page that complains fails the test."""
    contexts = []

    def asked(request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            said.append(request.url)

    def open_page(path: Path, *, dark: bool = False, width: int = 1280, height: int = 900, wait: bool = True, **more):
        size = {"width": width, "height": height}
        context = chromium.new_context(color_scheme="dark" if dark else "light", viewport=size, **more)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("request", asked)
        tab.goto(path.as_uri())
        for end in ENDS if wait else ():
            tab.wait_for_selector(end, state="attached", timeout=60_000)
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


@pytest.fixture(scope="session")
def report(judged, tmp_path_factory) -> Path:
    """A page of the judged example."""
    return written(judged, ["rouge1", "rouge2", "bleu"], tmp_path_factory.mktemp("report"))


def written(data: assay.EvalSet, metrics: list[str], folder: Path) -> Path:
    made = folder / "report.html"
    found = assay.report(data, assay.score(data, metrics), resamples=100)
    made.write_text(draw_page(found, Origin("example", "assay report example.jsonl")), "utf-8")
    return made


@pytest.fixture(scope="session")
def write() -> Callable[..., Path]:
    return written


@pytest.fixture
def tab_of(chromium, said):
    """tab_of() opens a tab of its own browser context; a page that complains fails the test."""
    contexts = []

    def open_tab(**options):
        # Without motion: what appears slowly has too little contrast meanwhile.
        still = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        context = chromium.new_context(**{**still, **options})
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(15_000)
        tab.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: said.append(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()
    # The server of a test may end before its page does, which then asks in vain.
    assert [line for line in said if "ERR_CONNECTION_REFUSED" not in line] == []
