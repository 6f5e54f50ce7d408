"""Write docs/report.png and docs/report-items.png: the report of the example set, in Chromium (`make browser`).

python docs/screenshots.py
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from assay.cli.main import main

DOCS = Path(__file__).parent
EXAMPLE = DOCS.parent / "src" / "assay" / "examples" / "compressions.jsonl"


def write() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "report.html"
        main(["report", str(EXAMPLE), "--out", str(page), "--quiet"])
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, part, dark in (("report.png", "answer", False), ("report-items.png", "items", True)):
            size = {"width": 1280, "height": 800}
            tab = browser.new_page(viewport=size, color_scheme="dark" if dark else "light", reduced_motion="reduce")
            tab.goto(page.as_uri())
            tab.wait_for_selector("html[data-items=ready]", state="attached")
            tab.wait_for_selector("html[data-charts=ready]", state="attached")
            tab.evaluate("part => part === 'answer' || document.getElementById(part).scrollIntoView()", part)
            tab.screenshot(path=DOCS / name)
        browser.close()


if __name__ == "__main__":
    write()
