"""Annotators make content units and mark them in a real browser, by keyboard and by pointer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from study_browser import ServerProcess, begin, make_study, serve, where, work_through
from test_study_screens import find_problems

import assay
from assay.cli.main import main
from assay.data.content_units import read_pyramid
from assay.data.item import Item, Reference
from assay.pyramid.annotated import score_annotated
from assay.pyramid.unit_agreement import peer_agreement, pyramid_agreement
from assay.study.content import StudyContent
from assay.study.replay import replay_log

# Emoji are two units of a browser's strings and one character of Python's.
FERRY = Item(
    "zebra topic",
    (
        Reference("The ferry 🚢 sank. Oil leaked.", "quagga-a"),
        Reference('<b>A ferry</b> "went down". It rained.', "quagga-b"),
    ),
    {"okapi-1": "🚢🚢 The ferry sank & oil leaked.", "okapi-2": "It rained. Nobody knows why."},
    group="Accidents",
)
MODELS, PEER = ("a", "b"), "a"


def select(tab, key: str, first: int, last: int, *, onward: str = "ArrowRight") -> None:
    """Select words of a text by keys: the first and last by their number."""
    tab.locator(f".can-select[data-key={key}]").focus()
    tab.keyboard.press("Home")
    for _ in range(first):
        tab.keyboard.press(onward)
    for _ in range(last - first):
        tab.keyboard.press(f"Shift+{onward}")
    if first == last:
        tab.keyboard.press("Space")


def make_unit(tab, key: str, first: int, last: int, label: str) -> None:
    select(tab, key, first, last)
    tab.keyboard.press("n")
    tab.keyboard.type(label)
    tab.keyboard.press("Enter")


def give_to(tab, label: str) -> None:
    """Press the digit that stands before a unit when the selected words have been compared with it."""
    row = tab.locator("li[data-id]", has=tab.locator(".unit-label", has_text=label))
    row.locator("kbd").wait_for()
    tab.keyboard.press(row.locator("kbd").inner_text())


def wait_until_saved(tab) -> None:
    tab.wait_for_selector("#saved.is-saved")


def save(tab) -> None:
    before = where(tab)
    tab.keyboard.press("Control+Enter")
    tab.wait_for_function("task => document.querySelector('main#screen').dataset.task !== task", arg=before[0])


@pytest.fixture
def lines(said):
    """Lets the page complain of a server that is not there."""
    yield said
    for text in [text for text in said if "Failed to load resource" in text]:
        said.remove(text)


def labels(tab) -> list[str]:
    return tab.locator(".unit-list .unit-label").all_inner_texts()


def test_two_annotators_make_a_pyramid_mark_peers_and_are_compared(tab_of, tmp_path, capsys, lines):
    folder = make_study(tmp_path / "units", assay.EvalSet([FERRY]), "pyramid", invitations=["ann", "bob"])
    ann, bob = tab_of(), tab_of()
    server = ServerProcess(folder.path)
    links = [f"{server.address}/r/{n}-{folder.derive(f'rater:{n}')}" for n in (1, 2)]
    try:
        begin(ann, links[0])
        make_unit(ann, "a", 0, 3, "a ferry sank")
        make_unit(ann, "a", 4, 5, "oil leaked")
        wait_until_saved(ann)
        server.kill()  # -9, in the middle of a topic
        select(ann, "b", 0, 3)
        ann.wait_for_timeout(200)
        ann.locator(".unit-head", has_text="a ferry sank").click()  # a click gives the words to the unit
        ann.wait_for_selector(".trouble:visible")
        server = ServerProcess(folder.path, server.port)
        ann.evaluate("dispatchEvent(new Event('online'))")  # tries at once
        wait_until_saved(ann)
        ann.reload()  # what was acknowledged is in the log, whatever the page remembers
        ann.wait_for_selector("main[data-task]")
        assert labels(ann) == ["a ferry sank", "oil leaked"]
        assert ann.locator(".weight").all_inner_texts() == ["2", "1"]
        make_unit(ann, "b", 4, 5, "it rained")
        ann.keyboard.press("a")
        ann.keyboard.press("Space")  # the first aspect of the category
        wait_until_saved(ann)
        save(ann)
        begin(bob, links[1])
        make_unit(bob, "a", 0, 3, "a ship sank")
        select(bob, "b", 0, 3)
        give_to(bob, "a ship sank")
        make_unit(bob, "a", 4, 5, "oil")
        wait_until_saved(bob)
        save(bob)
    finally:
        server.kill()
    pyramids = {}
    for name in ("ann", "bob"):
        path = tmp_path / f"{name}.jsonl"
        assert main(["study", "export", str(folder.path), "--out", str(path), "--annotator", name]) == 0
        pyramids[name] = assay.read(path, allow_missing=True)
    made = read_pyramid(pyramids["ann"].entries[0])
    assert made.weights() == {"1": 2, "2": 1, "3": 1}
    assert made.unit("3").aspects == ("what",)
    words = [[made.models[c.text][s.start : s.end] for s in c.spans] for c in made.unit("1").contributors]
    assert words == [["The ferry 🚢 sank."], ['<b>A ferry</b> "went down".']]
    pyr = tmp_path / "ann.pyr"
    assert main(["study", "export", str(folder.path), "--out", str(pyr), "--annotator", "ann"]) == 0
    again, before = (
        {row.system: row.original for row in score_annotated(data).systems}
        for data in (assay.read(pyr, allow_missing=True), pyramids["ann"])
    )
    assert again == before == {"quagga-a": 0.5, "quagga-b": 0.5}
    check_comparison(folder, tab_of(bypass_csp=True), pyramid_agreement(pyramids["ann"], pyramids["bob"]).alpha_masi)
    mark_two_peers(tab_of, tmp_path, pyramids["ann"])
    capsys.readouterr()


def check_comparison(folder, tab, expected: float) -> None:
    """The admin sees both annotators, and their agreement as the command computes it."""
    with serve(folder) as served:
        tab.goto(served.admin)
        tab.get_by_role("link", name="Compare annotators").click()
        tab.wait_for_selector("html[data-admin=ready]", state="attached")
        assert f"{expected:.2f}" in tab.locator(".figures").inner_text()
        tab.locator(".unit-head").first.click()
        assert tab.locator("mark.of-current").count() >= 2
        assert tab.evaluate("window.ran") is None
        assert find_problems(tab) == []


def mark_two_peers(tab_of, tmp_path, data) -> None:
    """Both annotators mark both peers by ann's pyramid; the files open again with the same scores."""
    folder = make_study(tmp_path / "marks", data, "pyramid(exhaustive=true)", invitations=["ann", "bob"], seed=1)
    with serve(folder) as served:
        for name in ("ann", "bob"):
            tab = tab_of()
            begin(tab, served.link(name))
            work_through(tab, lambda tab, name=name: mark(tab, name))
            assert "okapi" not in tab.content()
        tab = tab_of()
        tab.goto(served.admin)
        tab.goto(f"{served.address}/admin/annotators")
        tab.wait_for_selector(".figures")
        figures = tab.locator(".figures").inner_text()
    out = tmp_path / "judged.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    judged = assay.read(out, allow_missing=True)
    assert f"{peer_agreement(judged).presence_alpha:.2f}" in figures
    stated = {(p.peer, p.annotator): p.unit_ids for p in read_pyramid(judged.entries[0]).peers}
    assert stated["okapi-1", "ann"] == ("1", "2")
    assert stated["okapi-1", "bob"] == ("1",)
    assert stated["okapi-2", "ann"] == stated["okapi-2", "bob"] == ("3",)
    for name in ("ann", "bob"):
        assert (
            main(["study", "export", str(folder.path), "--out", str(tmp_path / f"duc-{name}"), "--annotator", name])
            == 0
        )
        again = score_annotated(assay.read(tmp_path / f"duc-{name}", allow_missing=True)).systems
        scores = {row.system: row.modified for row in again if not row.model}
        own = {j.system: j.score for item in judged for j in item.judgments if j.rater == name}
        assert scores == pytest.approx(own)


def mark(tab, name: str) -> None:
    """Mark what the peer states: ann all of it, bob without the oil; then say that nothing is left."""
    tab.wait_for_selector(".suggestions li")  # the words of a model are in both peers
    text = tab.locator(".bench-peer .text").inner_text()
    if "ferry" in text:
        select(tab, PEER, 0, 3)
        give_to(tab, "a ferry sank")
        if name == "ann":
            select(tab, PEER, 4, 6)
            give_to(tab, "oil leaked")
    else:
        tab.keyboard.press("y")
        select(tab, PEER, 2, 4)
        tab.keyboard.press("0")
    tab.keyboard.press("Control+Enter")
    if tab.locator("#reason.insist").count():
        assert "words are not marked" in tab.locator("#reason").inner_text()
        tab.keyboard.press("r")
        tab.keyboard.press("Control+Enter")


def test_steps_survive_a_reload_windows_catch_up_and_others_units_are_taken_over(tab_of, tmp_path):
    units = [
        {"id": str(n), "label": label, "contributors": [{"text": "quagga-a", "spans": [span]}]}
        for n, (label, span) in enumerate([("a ferry sank", [0, 17]), ("oil", [18, 28])], 1)
    ]
    item = replace(FERRY, extra={"units": units[:1], "pyramids": {"ann": units[:1], "zebra": units[1:]}})
    folder = make_study(tmp_path / "s", assay.EvalSet([item]), "pyramid(stage=models)", invitations=["cat"])
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("cat"))
        tab.keyboard.press("t")  # what another annotator made
        assert labels(tab) == ["a ferry sank", "oil"]
        tab.keyboard.press("l")
        tab.keyboard.type("oil leaked")
        place = tab.locator(".can-select[data-key=b]").bounding_box()
        tab.mouse.move(place["x"] + 2, place["y"] + 14)  # a drag ends the writing of a label, and selects
        tab.mouse.down()
        tab.mouse.move(place["x"] + 60, place["y"] + 14, steps=3)
        tab.mouse.up()
        assert tab.locator(".chooser .quote").inner_text().startswith("“<b>A")
        tab.keyboard.press("Escape")
        assert "oil leaked" in labels(tab)
        wait_until_saved(tab)
        tab.reload()
        tab.wait_for_selector("main[data-task]")
        tab.keyboard.press("u")
        assert labels(tab) == ["a ferry sank", "oil"]
        second = tab.context.new_page()  # the same annotator in another window
        second.goto(f"{served.address}/study")
        second.wait_for_selector("main[data-task]")
        make_unit(second, "b", 4, 5, "it rained")
        wait_until_saved(second)
        tab.evaluate("dispatchEvent(new Event('focus'))")
        tab.wait_for_selector(".unit-list > li:nth-child(3)")
        assert "zebra" not in tab.content()


def test_hostile_texts_are_selected_by_code_points(tab_of, tmp_path):
    models = (
        "𝔊𝔞 a\u0301b <img src=x onerror=window.ran=1>\u0007 end",
        "أعلن المجلس البلدي إغلاق الجسر",
        "",
    )
    references = tuple(Reference(text, name) for text, name in zip(models, "ABC", strict=True))
    folder = make_study(tmp_path / "s", assay.EvalSet([Item("1", references, {})]), "pyramid", invitations=["ann"])
    tab = tab_of(bypass_csp=True)
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        assert "This text is empty" in tab.locator(".bench-texts").inner_text()
        select(tab, "a", 0, 1)
        tab.keyboard.press("+")  # a second part, which stands apart
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Space")
        tab.keyboard.press("n")
        tab.keyboard.press("Enter")
        select(tab, "b", 1, 2, onward="ArrowLeft")
        tab.keyboard.press("n")
        tab.keyboard.type("مجلس")
        tab.keyboard.press("Enter")
        tab.locator(".can-select[data-key=a]").dblclick(
            position={"x": 8, "y": 12}
        )  # the pointer: one word, overlapping
        tab.keyboard.press("n")
        tab.keyboard.press("Enter")
        assert tab.locator("mark.twice").count()
        tab.keyboard.press("u")
        assert tab.locator(".unit-list > li").count() == 2
        tab.keyboard.press("Shift+U")
        assert tab.locator(".unit-list > li").count() == 3
        tab.keyboard.press("Control+Enter")
        tab.wait_for_selector("main[data-stage=finish]")
        tab.keyboard.press("u")  # the answer comes back with everything in it
        tab.wait_for_selector(".unit-list > li:nth-child(3)")
        assert find_problems(tab) == []
        save(tab)
        assert tab.evaluate("window.ran") is None
    out = tmp_path / "made.jsonl"
    assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
    pyramid = read_pyramid(assay.read(out, allow_missing=True).entries[0])
    words = [[pyramid.models[c.text][s.start : s.end] for s in c.spans] for u in pyramid.units for c in u.contributors]
    assert words == [["𝔊𝔞 a\u0301b", "src=x"], ["المجلس البلدي"], ["𝔊𝔞"]]
    log = replay_log(StudyContent(folder), folder.database())
    assert log.is_sound
    assert not log.unlike
