"""What every screen of a study keeps to: no scrolling, keys alone, contrast, small and dark, other languages."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from pathlib import Path

import pytest
from study_browser import SCALES, begin, make_set, make_study, serve, texts_of, wait_for_change, where

import assay
from assay.data.item import Judgment
from assay.study.settings import Crowd, RatingScale
from assay.study.text_length import count_characters, count_words

CASES = Path(__file__).parent.parent / "study" / "length-cases.json"
UNITS = ("the first word", "the last word")
SLIDERS = (RatingScale(name="adequacy", low=0, high=100, slider=True), RatingScale(name="fluency", high=5))
SCREENS = {
    "rate": {"dimensions": SCALES},
    "rate(reveal=true, reference=true)": {"dimensions": SLIDERS},
    "rank": {},
    "compare": {},
    "absolute": {},
    "shorten": {},
    "shorten(mode=delete)": {},
    "cut": {},
    "factoids": {},
    "factoids(together=true)": {},
    "spans": {},
    "esa": {},
    "pyramid": {},
}


def find_problems(tab) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    results = Axe().run(tab)
    serious = [v for v in results.response["violations"] if v["impact"] in ("serious", "critical")]
    return [f"{v['id']}: {node['html'][:120]}" for v in serious for node in v["nodes"]]


@pytest.mark.parametrize("protocol", SCREENS)
def test_a_screen_needs_no_scrolling_has_nothing_chosen_and_passes_axe(protocol, tab_of, tmp_path):
    folder = make_study(
        tmp_path / "study", make_set(2, units=list(UNITS)), protocol, invitations=["a"], **SCREENS[protocol]
    )
    tab = tab_of(bypass_csp=True)  # axe is a script of its own
    with serve(folder) as served:
        begin(tab, served.link("a"))
        assert not tab.locator("input:checked").count()
        assert (
            tab.locator("#submit").get_attribute("aria-disabled") == "true" or not tab.locator("#submit").is_visible()
        )
        height, width = tab.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert (height, width) == (800, 1280)
        for source in tab.locator("section.source .text").all():
            box = source.bounding_box()
            assert box["y"] > 0
            assert box["y"] + box["height"] < 740
        assert find_problems(tab) == []
        tab.set_viewport_size({"width": 400, "height": 800})
        tab.emulate_media(color_scheme="dark")
        assert tab.evaluate("document.documentElement.scrollWidth") == 400
        assert find_problems(tab) == []


def test_keys_alone_are_enough_and_the_sheet_lists_them(tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(2), dimensions=SCALES, invitations=["a"], allow_skip=True)
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("a"))
        tab.keyboard.press("?")
        assert "Take back the last answer" in tab.locator("dialog").inner_text()
        tab.keyboard.press("1")  # keys of the screen rest while it is open
        tab.keyboard.press("Escape")
        assert not tab.locator("input:checked").count()
        seen = []
        for _ in range(20):  # Tab leads to everything and does not get stuck
            tab.keyboard.press("Tab")
            seen.append(tab.evaluate("document.activeElement.id || document.activeElement.name || ''"))
        assert {"submit", "skip", "leave", "scale0", "scale1"} <= set(seen)
        tab.locator("input[name=scale0]").first.focus()
        tab.keyboard.press("ArrowDown")  # walks through the points, and does not lead on
        tab.keyboard.press("Tab")
        tab.keyboard.press("ArrowDown")
        assert where(tab) == ("1", "1")
        tab.keyboard.press("Enter")
        wait_for_change(tab, ("1", "1"))
        tab.keyboard.press("s")
        tab.keyboard.type("no idea")
        tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        wait_for_change(tab, ("2", "1"))
        tab.keyboard.press("u")
        tab.wait_for_selector("main[data-task='2']")
        assert not tab.locator("input:checked").count()
        tab.wait_for_selector("#undo:enabled")  # and once more, by what the server remembers
        tab.keyboard.press("u")
        tab.wait_for_selector("main[data-task='1']")


def test_active_time_stops_when_nobody_is_there(tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(1), dimensions=SCALES, invitations=["a"])
    tab = tab_of()
    with serve(folder) as served:
        tab.goto(served.link("a"), wait_until="networkidle")  # else the server may end while the page loads
        times = tab.evaluate(
            """async () => {
              const { ActiveClock } = await import('/static/activity.js');
              let now = 0;
              const clock = new ActiveClock(60, () => now);
              const move = (ms) => { now += ms; document.dispatchEvent(new Event('pointermove')); };
              move(10_000); move(20_000);
              const busy = clock.seconds();
              now += 500_000;  // away: 60 seconds of it count
              const away = clock.seconds();
              move(0); move(5_000);
              return [busy, away, clock.seconds()];
            }"""
        )
    assert times == [30, 90, 95]


def test_a_text_has_the_same_length_in_browser_and_server(tab_of, tmp_path):
    generator = random.Random(17)
    ranges = [(0, 0x250), (0x300, 0x370), (0x590, 0x700), (0x900, 0xE00), (0x1100, 0x1200), (0x1E00, 0x2100)]
    ranges += [(0xAC00, 0xD7A4), (0xF900, 0xFB50), (0x1D100, 0x1D200), (0x1F300, 0x1FA00), (0x20, 0x22)]
    texts = [text for text, *_ in json.loads(CASES.read_text())]
    for _ in range(3000):
        characters = [chr(generator.randrange(*generator.choice(ranges))) for _ in range(generator.randrange(12))]
        texts.append("".join(c for c in characters if unicodedata.category(c) != "Cn"))
    folder = make_study(tmp_path / "study", make_set(1), dimensions=SCALES, invitations=["a"])
    tab = tab_of()
    with serve(folder) as served:
        tab.goto(served.link("a"), wait_until="networkidle")
        counts = tab.evaluate(
            """async (texts) => {
              const { countCharacters, countWords } = await import('/static/text_length.js');
              return texts.map((text) => [countCharacters(text), countWords(text)]);
            }""",
            texts,
        )
    assert counts == [[count_characters(text), count_words(text)] for text in texts]
    assert [counts[n] for n in range(len(json.loads(CASES.read_text())))] == [
        c[1:] for c in json.loads(CASES.read_text())
    ]


def known(data: assay.EvalSet, score: float) -> assay.EvalSet:
    """Return a set with one known answer for every output."""
    from dataclasses import replace

    return assay.EvalSet(
        [
            replace(i, id=f"k{i.id}", judgments=tuple(Judgment(s, "gold", "meaning", score) for s in i.outputs))
            for i in data
        ]
    )


def test_people_of_a_crowd_consent_practise_and_get_their_code_in_german(tab_of, tmp_path):
    folder = make_study(
        tmp_path / "study",
        make_set(1),
        dimensions=[RatingScale(name="meaning", high=3)],
        qualification=known(make_set(1), 2),
        consent="We keep **nothing** else.",
        instructions="# Read\n\nRate the *meaning*. <b>raw</b>",
        language="de",
        crowd=Crowd(completion_code="C0DE42", completion_url="https://crowd.example/done?cc={code}"),
    )
    tab = tab_of(bypass_csp=True)
    with serve(folder) as served:
        tab.goto(f"{served.address}/?PROLIFIC_PID=person-7")
        tab.wait_for_selector("main[data-stage=consent]")
        assert "person-7" not in tab.url
        assert tab.locator("html").get_attribute("lang") == "de"
        assert tab.locator("strong").inner_text() == "nothing"
        assert find_problems(tab) == []
        tab.get_by_role("button", name="Ich stimme zu").click()
        tab.wait_for_selector("main[data-stage=instructions]")
        assert not tab.locator("main b").count()
        tab.keyboard.press("Enter")
        for score, stage in (("1", "practice_again"), ("2", "practice_passed")):
            for number in range(3):
                tab.wait_for_selector(f"main[data-task='{number + 1}']")
                assert "Übung" in tab.locator(".count").inner_text()
                tab.keyboard.press(score)
            tab.wait_for_selector(f"main[data-stage={stage}]")
            assert tab.locator("ol.feedback li").count() == (3 if stage == "practice_again" else 0)
            if stage == "practice_again":
                assert "meaning: bekannte Antwort 2, Ihre 1" in tab.locator("ol.feedback").inner_text()
                assert find_problems(tab) == []
            tab.keyboard.press("Enter")
        for number in range(3):
            tab.wait_for_selector(f"main[data-task='{number + 4}']")
            tab.keyboard.press("3")
        tab.wait_for_selector("main[data-stage=finish]")
        assert tab.locator("#undo").is_enabled()
        tab.keyboard.press("Enter")
        tab.wait_for_selector("main[data-stage=done]")
        assert tab.locator("#code").inner_text() == "C0DE42"
        assert find_problems(tab) == []
        assert tab.locator("#return").get_attribute("href") == "https://crowd.example/done?cc=C0DE42"


def test_texts_from_right_to_left_stand_in_an_interface_from_left_to_right(tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(3), dimensions=SCALES, invitations=["a"], text_language="ar")
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("a"))
        assert tab.locator("#output .text").first.get_attribute("dir") == "rtl"
        assert tab.locator("#output .text").first.get_attribute("lang") == "ar"
        assert tab.locator("html").get_attribute("dir") == "ltr"


def test_a_link_that_is_not_valid_says_so_on_a_page(tab_of, said, tmp_path):
    folder = make_study(tmp_path / "study", make_set(1), dimensions=SCALES, language="de")
    tab = tab_of()
    with serve(folder) as served:
        tab.goto(f"{served.address}/r/1-00")
        tab.get_by_text("Dieser Link ist nicht gültig").wait_for()
        tab.goto(f"{served.address}/study")
        tab.get_by_text("Öffnen Sie den Link").wait_for()
    said[:] = [text for text in said if "404" not in text]
    assert not re.search("traceback", tab.content(), re.IGNORECASE)


def test_the_admin_sees_progress_and_pauses_while_raters_work(tab_of, tmp_path):
    folder = make_checked_study(tmp_path)
    admin, rater = tab_of(bypass_csp=True), tab_of()
    with serve(folder) as served:
        for code in ("ann", "bob"):
            begin(rater, served.link(code))
            while where(rater)[1] != "finish":
                before = where(rater)
                (text,) = texts_of(rater, "#output")
                right = "3" if text.startswith("The café") else str(1 + len(text) % 3)
                rater.keyboard.press(right if code == "ann" else "1")
                wait_for_change(rater, before)
            if code == "ann":
                rater.keyboard.press("Enter")
                rater.wait_for_selector("main[data-stage=done]")
        admin.goto(served.admin)
        admin.wait_for_selector("html[data-admin=ready]", state="attached")
        assert find_problems(admin) == []
        assert "1 / 2" in admin.locator(".figures").inner_text()
        assert "Krippendorff" in admin.locator("#agreement").inner_text()
        assert admin.locator("#items tbody tr").count() == 2
        assert "bob" in admin.locator(".is-failing").inner_text()
        admin.get_by_role("button", name="Pause").click()
        admin.get_by_text("The study is paused.").wait_for()
        rater.reload()
        rater.wait_for_selector("main[data-stage=paused]")
        admin.get_by_role("button", name="Reopen").click()
        rater.wait_for_selector("main[data-stage=finish]", timeout=20_000)  # it looks again by itself
        admin.get_by_role("button", name="Add places").click()
        admin.locator("dialog textarea").fill("3")
        admin.get_by_role("dialog").get_by_role("button", name="Add places").click()
        admin.get_by_text("Places were added.").wait_for()
        admin.get_by_text("1 / 5").wait_for()
        with admin.expect_download() as download:
            admin.get_by_role("link", name="Download judgments").click()
        path = tmp_path / "judged.jsonl"
        download.value.save_as(path)
        assert {j.rater for item in assay.read(path, allow_missing=True) for j in item.judgments} == {"ann", "bob"}


def make_checked_study(tmp_path):
    from assay.study.creation import create_study
    from assay.study.protocols import PROTOCOLS
    from assay.study.settings import StudyDesign

    return create_study(
        tmp_path / "study",
        make_set(2),
        PROTOCOLS.build("rate"),
        design=StudyDesign(raters=2, checks=1),
        dimensions=[RatingScale(name="meaning", high=3)],
        checks=known(make_set(1), 3),
        invitations=["ann", "bob"],
    )


def test_the_admin_replays_how_a_text_was_written(tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(1), "shorten(at_most=0.9)", invitations=["ann"])
    admin, rater = tab_of(bypass_csp=True), tab_of()
    with serve(folder) as served:
        begin(rater, served.link("ann"))
        rater.keyboard.press("Control+End")
        for _ in range(20):
            rater.keyboard.press("Backspace")
        rater.reload()  # the draft is still there
        rater.wait_for_selector("#editor")
        draft = rater.locator("#editor").input_value()
        assert draft == make_set(1)["item 0/x"].sources[0][:-20]
        rater.keyboard.press("Control+Enter")
        rater.wait_for_selector("main[data-stage=finish]")
        admin.goto(served.admin)
        admin.get_by_role("button", name="Replay").click()
        admin.get_by_text("Edit 20 of 20").wait_for()
        assert admin.locator(".replay").text_content() == draft
        slider = admin.locator("#replay input[type=range]")
        slider.fill("5")
        assert admin.locator(".replay").text_content() == make_set(1)["item 0/x"].sources[0][:-5]
        assert find_problems(admin) == []
        admin.locator("#play").click()
        admin.get_by_text(re.compile("Edit ([7-9]|1[0-9]|20) of 20")).wait_for()  # it plays on while we look


def test_what_is_hidden_is_not_in_the_browser(tab_of, said, tmp_path):
    """A hidden text comes after it was asked for; a page that was left never comes again."""
    data = make_set(1)
    outputs = [json.dumps(text)[1:-1] for text in data["item 0/x"].outputs.values()]
    tab, traffic = tab_of(), []
    tab.on("response", lambda response: traffic.append(response) if "/api/" in response.url else None)
    folder = make_study(
        tmp_path / "hidden", data, "rate(reveal=true, source=false)", dimensions=SCALES, invitations=["a"]
    )
    with serve(folder) as served:
        begin(tab, served.link("a"))
        tab.wait_for_load_state("networkidle")
        assert not any(text in body_of(one) for one in traffic for text in outputs)
        tab.keyboard.press("Space")
        tab.wait_for_selector("#output")
        assert sum(text in body_of(traffic[-1]) for text in outputs) >= 1
    folder = make_study(tmp_path / "pages", data, "absolute", invitations=["a"])
    with serve(folder) as served:
        traffic.clear()
        begin(tab, served.link("a"))
        tab.wait_for_load_state("networkidle")
        reference = "The café <script>window.ran"
        assert reference in tab.locator(".reference .text").text_content()
        assert not any(text in body_of(one) for one in traffic for text in outputs)
        tab.keyboard.press("Space")
        tab.wait_for_selector("#output")
        traffic.clear()
        tab.reload()
        tab.wait_for_selector("#output")
        assert not any(
            '"references"' in json.dumps(one.json().get("screen")) for one in traffic if "session" in one.url
        )
    said[:] = [text for text in said if "403" not in text]  # the token of the study before, which is replaced


def body_of(response) -> str:
    """Return a body as JSON that has only ASCII, as the texts that are looked for have."""
    return json.dumps(response.json())


FIVE = (RatingScale(name="meaning"), RatingScale(name="grammar"))


@pytest.mark.parametrize("width", [1400, 390])
def test_five_points_stand_in_one_line_and_signing_out_is_in_sight(width, tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(2), dimensions=FIVE, invitations=["a"])
    tab = tab_of(viewport={"width": width, "height": 844})
    with serve(folder) as served:
        begin(tab, served.link("a"))
        for scale in tab.locator("fieldset.scale").all():
            tops = {round(choice.bounding_box()["y"]) for choice in scale.locator(".choice").all()}
            assert len(tops) == 1
        box = tab.locator("#sign-out").bounding_box()
        assert box["width"] > 40
        assert tab.locator("#sign-out").inner_text() == "Sign out"
        assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_agreement_is_not_given_by_a_key_and_the_button_names_none(tab_of, tmp_path):
    folder = make_study(tmp_path / "study", make_set(1), dimensions=SCALES, consent="Read this.", invitations=["a"])
    tab = tab_of()
    with serve(folder) as served:
        tab.goto(served.link("a"))
        tab.wait_for_selector("main[data-stage=consent]")
        agree = tab.get_by_role("button", name="I agree")
        assert agree.inner_text() == "I agree"
        assert agree.get_attribute("aria-keyshortcuts") is None
        tab.keyboard.press("Enter")
        tab.wait_for_timeout(300)
        assert where(tab)[1] == "consent"
        agree.focus()
        tab.keyboard.press("Enter")  # the button itself, by the keyboard
        tab.wait_for_selector("main[data-stage=instructions]")


def test_the_panel_of_units_leaves_the_models_in_sight_on_a_phone(tab_of, tmp_path):
    words = " ".join(f"word{n}" for n in range(220))
    item = assay.Item("1", (assay.Reference(words, "A"), assay.Reference(words, "B")), {"s": "text"}, ("source",))
    folder = make_study(tmp_path / "study", assay.EvalSet([item]), "pyramid", invitations=["a"])
    tab = tab_of(viewport={"width": 390, "height": 844})
    with serve(folder) as served:
        begin(tab, served.link("a"))
        covered = tab.evaluate(
            """() => { const side = document.querySelector(".bench-side").getBoundingClientRect();
              const top = document.querySelector("header").getBoundingClientRect().bottom;
              const bottom = document.querySelector("footer").getBoundingClientRect().top;
              return (Math.min(side.bottom, bottom) - Math.max(side.top, top)) / (bottom - top) }"""
        )
        assert covered < 0.4


def test_nothing_is_said_to_be_saving_after_a_refusal(tab_of, said, tmp_path):
    folder = make_study(tmp_path / "study", make_set(2), dimensions=SCALES, invitations=["a"])
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("a"))
        tab.wait_for_function("() => Object.keys(localStorage).every((name) => !name.startsWith('assay-event:'))")
        served.service.run(lambda: served.service.change_status("closed")).result()
        tab.keyboard.press("3")
        tab.keyboard.press("3")
        tab.wait_for_selector("main[data-stage=closed]")
        assert tab.locator("#saved").inner_text() == ""
    said.clear()  # that a request was refused
