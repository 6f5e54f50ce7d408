"""Write docs/study-*.png: a screen of every protocol of `assay study`, in Chromium (`make browser`).

python docs/study_screenshots.py
python docs/study_screenshots.py rank spans
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
EXAMPLE = DOCS.parent / "src" / "assay" / "examples" / "compressions.jsonl"
TOPICS = EXAMPLE.with_name("content-units.jsonl")
ASSAY = [sys.executable, "-c", "import sys; from assay.cli.main import main; sys.exit(main())"]
UNITS = ["The city council voted.", "The vote was on Tuesday.", "There were four hours of debate."]
UNITS += ["The harbour bridge will close to cars.", "It will close next spring."]
SIZE = {"width": 1040, "height": 560}


def press(*keys: str) -> Callable[[Any], None]:
    def act(tab: Any) -> None:
        for key in keys:
            tab.keyboard.press(key)

    return act


def shorten(tab: Any) -> None:
    tab.keyboard.press("Control+End")
    for _ in range(26):
        tab.keyboard.press("Backspace")


def cut(tab: Any) -> None:
    for unit in UNITS[:3]:
        tab.keyboard.type(unit)
        tab.keyboard.press("Enter")


def delete(tab: Any) -> None:
    for place in (5, 6, 7, 8, 9, 10, 11, 12):
        tab.locator(".word").nth(place).click()


def reveal(tab: Any) -> None:
    tab.wait_for_selector("#reveal")


def rate_two_pages(tab: Any) -> None:
    tab.keyboard.press("Space")
    tab.wait_for_selector("#output")


def make_units(tab: Any) -> None:
    """Make units of the first sentences; a sentence of the second model is selected."""
    for label in ("", "", ""):
        tab.keyboard.press(".")
        tab.keyboard.press("n")
        tab.keyboard.type(label)
        tab.keyboard.press("Enter")
    tab.keyboard.press(".")
    tab.wait_for_selector(".unit-head kbd")


def mark_units(tab: Any) -> None:
    """Accept what was suggested first, and select what is left."""
    tab.wait_for_selector(".suggestions li")
    tab.keyboard.press("y")
    tab.keyboard.press("y")
    tab.wait_for_timeout(300)


# Name of the picture, what the study is made with, what the rater does before it is taken, dark or not.
SCALE = ["--scale", "1-3; 1=lost; 2=in part; 3=kept", "--scale", "grammar=1-3; 1=broken; 2=with errors; 3=fluent"]
SCREENS: list[tuple[str, list[str], Callable[[Any], None], bool]] = [
    ("rate", ["--protocol", "rate", "--dimensions", "meaning,grammar", *SCALE], press("3"), False),
    ("reveal", ["--protocol", "rate(reveal=true)", "--scale", "1-5"], reveal, False),
    (
        "slider",
        ["--protocol", "rate", "--dimensions", "adequacy,fluency", "--scale", "0-100; slider"],
        press("7", "5"),
        True,
    ),
    ("rank", ["--protocol", "rank"], press("2", "1"), False),
    ("compare", ["--protocol", "compare"], press(), True),
    ("absolute", ["--protocol", "absolute"], rate_two_pages, False),
    ("shorten", ["--protocol", "shorten"], shorten, False),
    ("delete", ["--protocol", "shorten(mode=delete)"], delete, True),
    ("cut", ["--protocol", "cut"], cut, False),
    ("factoids", ["--protocol", "factoids"], press("y", "n", "y"), False),
    ("together", ["--protocol", "factoids(together=true)"], press("y", "y", "n", "y"), True),
    (
        "spans",
        ["--protocol", "spans"],
        press(*["ArrowRight"] * 3, "Shift+ArrowRight", "Enter", "2", "2", "ArrowRight", "Enter"),
        False,
    ),
    ("units", ["--protocol", "pyramid"], make_units, False),
    ("marks", ["--protocol", "pyramid"], mark_units, True),
]
SETS = {"units": "models.jsonl", "marks": "topics.jsonl"}  # of the others: set.jsonl


def write_set(path: Path) -> None:
    """Write three items of the example, with content units for the first protocol that needs them."""
    items = [json.loads(line) for line in EXAMPLE.read_text("utf-8").splitlines()[:3]]
    for item in items:
        item["units"] = UNITS
        item["outputs"] = dict(list(item["outputs"].items())[:3])
        item.pop("judgments", None)
    path.write_text("".join(json.dumps(items[0] | {"id": f"{n}"}) + "\n" for n, _ in enumerate(items)), "utf-8")
    topic = json.loads(TOPICS.read_text("utf-8").splitlines()[0])
    path.with_name("topics.jsonl").write_text(json.dumps(topic) + "\n", "utf-8")
    bare = {key: value for key, value in topic.items() if key not in ("units", "peers")}
    path.with_name("models.jsonl").write_text(json.dumps(bare) + "\n", "utf-8")


def write(*names: str) -> None:
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as driver:
        folder = Path(temporary)
        write_set(folder / "set.jsonl")
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-lcd-text"],
        )
        for screen, options, act, dark in SCREENS:
            if names and screen not in names:
                continue
            study = folder / screen
            texts = folder / SETS.get(screen, "set.jsonl")
            new = [*ASSAY, "study", "new", str(texts), *options, "--title", "Harbour study"]
            subprocess.run([*new, "--out", str(study)], check=True, stdout=subprocess.DEVNULL)
            take(browser, study, screen, act, dark)
        browser.close()


def take(browser: Any, study: Path, screen: str, act: Callable[[Any], None], dark: bool) -> None:
    """Serve a study, do what its rater does, and take the picture."""
    serve = [*ASSAY, "study", "serve", str(study), "--port", "0", "--json"]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    context = browser.new_context(
        viewport=SIZE, device_scale_factor=0.75, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    try:
        assert server.stdout is not None
        links = json.loads(server.stdout.readline())
        tab = context.new_page()
        tab.goto(links["join"])
        tab.wait_for_selector("main[data-stage=instructions]")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("main[data-task]")
        act(tab)
        tab.wait_for_timeout(300)
        tab.screenshot(path=DOCS / f"study-{screen}.png")
        if screen == "shorten":
            take_admin(tab, context, links["admin"])
    finally:
        context.close()
        server.kill()
        server.wait()


def take_admin(tab: Any, context: Any, link: str) -> None:
    """Take a picture of the admin page, with what one editor did so far."""
    for _ in range(20):
        tab.keyboard.press("Backspace")
    tab.keyboard.press("Control+Enter")
    tab.wait_for_selector("main[data-task='2']")
    admin = context.new_page()
    admin.goto(link)
    admin.wait_for_selector("html[data-admin=ready]", state="attached")
    admin.screenshot(path=DOCS / "study-admin.png")


if __name__ == "__main__":
    write(*sys.argv[1:])
