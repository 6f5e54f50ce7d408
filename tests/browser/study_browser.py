"""Raters with known answers in a real browser: a study on a port, tabs that open it, and what they do there."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import assay
from assay.data.item import Item, Reference
from assay.study.creation import create_study
from assay.study.protocols import PROTOCOLS
from assay.study.settings import RatingScale, StudyDesign

MAIN = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
SYSTEMS = ("zebra-system", "quagga-system", "okapi-system")  # names that occur in no text and in no word of the page
SCALES = (RatingScale(name="meaning", high=3, labels={"1": "lost", "3": "kept"}), RatingScale(name="grammar", high=3))


def make_set(items: int = 3, **more) -> assay.EvalSet:
    """Sources with outputs that are all different; one is hostile, one has emoji and combining marks, one is Arabic."""
    sources = [
        'The café <script>window.ran = 1</script> on the corner closed on Monday, the owner said, "for good".',
        "Two climbers 🧗🏽\u200d♀️ who had been missing since Sunday were found alive by a re\u0301scue crew.",
        "أعلن المجلس البلدي يوم الثلاثاء إغلاق الجسر القديم أمام السيارات ابتداء من الربيع المقبل",
        "Engineers said on Friday that the dam, which was built in 1931, is safe in spite of the heavy rain.",
    ]
    entries = []
    for n, source in enumerate(sources[:items]):
        words = source.split()
        outputs = {name: " ".join(words[: len(words) - 1 - place]) for place, name in enumerate(SYSTEMS)}
        reference = (Reference(" ".join(words[:4])),)
        entries.append(Item(f"item {n}/x", reference, outputs, (source,), extra=more))
    return assay.EvalSet(entries)


def make_study(path: Path, data: assay.EvalSet, protocol: str = "rate", *, dimensions=(), **options):
    """Make a study in a folder; options are those of a design or of create_study."""
    design = {k: v for k, v in options.items() if k in StudyDesign.__struct_fields__}
    rest = {k: v for k, v in options.items() if k not in design}
    parts = {"design": StudyDesign(**design), "dimensions": dimensions}
    return create_study(path, data, PROTOCOLS.build(protocol), **parts, **rest)


class Served:
    """A study on a port of this machine."""

    def __init__(self, address: str, service) -> None:
        self.address, self.service = address, service

    def link(self, code: str) -> str:
        from assay.study.server.rater_routes import rater_link

        number = next(n for n, row in self.service.raters.items() if row["code"] == code)
        return self.address + rater_link(self.service, number)

    @property
    def admin(self) -> str:
        from assay.study.server.admin_routes import admin_link

        return self.address + admin_link(self.service)


@contextmanager
def serve(folder, port: int = 0):
    """Serve a study in a thread."""
    import uvicorn

    from assay.study.server.app import make_app
    from assay.study.service import StudyService

    service = StudyService(folder, folder.database())
    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(
        uvicorn.Config(make_app(service), log_level="error", access_log=False, timeout_keep_alive=60)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", service)
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


class ServerProcess:
    """`assay study serve` as a user runs it, to be killed."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        command = [sys.executable, "-c", MAIN, "study", "serve", str(folder), "--port", str(port), "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]
        self.port = int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def begin(tab, link: str) -> None:
    """Open a link and go to the first task."""
    tab.goto(link)
    tab.wait_for_selector("html[data-study=ready]", state="attached")
    if tab.locator("main[data-stage=instructions]").count():
        tab.keyboard.press("Enter")
    tab.wait_for_selector("main[data-task]")


def where(tab) -> tuple[str, str]:
    """Return what is shown: task and page, or the stage."""
    main = tab.locator("main#screen")
    return main.get_attribute("data-task") or "", main.get_attribute("data-stage") or main.get_attribute("data-page")


def wait_for_change(tab, before: tuple[str, str]) -> None:
    tab.wait_for_function(
        "([task, rest]) => { const d = document.querySelector('main#screen')?.dataset;"
        " return d && d.stage !== 'waiting' && ((d.task ?? '') !== task || (d.stage ?? d.page) !== rest) }",
        arg=list(before),
    )


def work_through(tab, answer) -> None:
    """Answer every task by a function that acts on the tab and ends it, then submit."""
    while True:
        before = where(tab)
        if before[1] == "finish":
            break
        answer(tab)
        wait_for_change(tab, before)
    tab.keyboard.press("Enter")
    tab.wait_for_selector("main[data-stage=done]")


def texts_of(tab, selector: str) -> list[str]:
    return tab.locator(f"{selector} .text").all_text_contents()
