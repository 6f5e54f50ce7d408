"""What happens to answers when the network, the session or the server goes away: nothing is lost, nothing is twice."""

from __future__ import annotations

import pytest
from study_browser import SCALES, ServerProcess, begin, make_set, make_study, serve, texts_of, wait_for_change, where

from assay.study.content import StudyContent
from assay.study.settings import Crowd


@pytest.fixture
def folder(tmp_path):
    return make_study(tmp_path / "study", make_set(4), dimensions=SCALES, invitations=["ann"])


@pytest.fixture
def lines(said):
    """Lets the page complain of a network that is not there."""
    yield said
    for text in [text for text in said if "Failed to load resource" in text]:
        said.remove(text)


def answers_of(folder) -> list[tuple[int, dict]]:
    """Return what the log holds: the answers in order, those taken back left out."""
    content = StudyContent(folder)
    rater = content.derive_state(folder.database()).rater(1)
    return [(task, rater.records[task].answer["ratings"]) for task in rater.answered]


def count_events(folder, kind: str) -> int:
    return sum(event.kind == kind for event in folder.database().events())


def count_unsent(tab) -> int:
    return tab.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('assay-event:')).length")


def wait_until_sent(tab) -> None:
    tab.wait_for_function("() => Object.keys(localStorage).every((name) => !name.startsWith('assay-event:'))")


def rate(tab, first: str, second: str) -> None:
    before = where(tab)
    tab.keyboard.press(first)
    tab.keyboard.press(second)
    wait_for_change(tab, before)


def test_answers_wait_in_the_browser_and_are_sent_once(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        rate(tab, "1", "2")
        tab.wait_for_selector(".saved.is-saved")
        tab.context.set_offline(True)
        rate(tab, "2", "3")  # the next task was there already
        tab.wait_for_selector(".trouble:visible")
        assert "1 answer" in tab.locator(".saved").inner_text()
        assert not tab.locator(".saved.is-saved").count()
        tab.keyboard.press("3")
        tab.keyboard.press("1")
        tab.wait_for_selector("main[data-stage=waiting]")  # there is no task to go on with
        assert len(answers_of(folder)) == 1
        assert count_unsent(tab) >= 3
        tab.context.set_offline(False)
        tab.wait_for_selector("main[data-task='4']")
        tab.wait_for_selector(".trouble", state="hidden")
        tab.wait_for_selector(".saved.is-saved")
        expected = [("1", "2"), ("2", "3"), ("3", "1")]
        assert answers_of(folder) == [
            (task, {"meaning": float(a), "grammar": float(b)}) for task, (a, b) in enumerate(expected, 1)
        ]
        wait_until_sent(tab)


def test_a_request_whose_answer_is_lost_is_sent_again_and_counts_once(folder, tab_of, lines):
    tab = tab_of()
    lost = []

    def lose(route):
        if "answered" in route.request.post_data and not lost:
            route.fetch()  # the server gets it; the browser never hears of it
            lost.append(route.request.post_data)
            route.abort()
        else:
            route.continue_()

    with serve(folder) as served:
        begin(tab, served.link("ann"))
        tab.route("**/api/events", lose)
        rate(tab, "1", "2")
        tab.wait_for_selector(".saved.is-saved")
        assert len(lost) == 1
        rate(tab, "3", "3")
        tab.get_by_text("2 of 12").wait_for()
        tab.wait_for_selector(".saved.is-saved")
    assert count_events(folder, "answered") == 2
    assert [ratings["meaning"] for _, ratings in answers_of(folder)] == [1, 3]


def test_a_reload_in_the_middle_leads_back_and_sends_what_waited(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        rate(tab, "1", "1")
        tab.wait_for_selector(".saved.is-saved")
        tab.route("**/api/events", lambda route: route.abort())
        rate(tab, "2", "2")
        tab.wait_for_selector(".trouble:visible")
        tab.unroute("**/api/events")
        tab.on("dialog", lambda dialog: dialog.accept())  # the page warns: an answer is not sent yet
        tab.reload()
        tab.wait_for_selector("main[data-task='3']")
        assert [ratings["grammar"] for _, ratings in answers_of(folder)] == [1, 2]
        wait_until_sent(tab)
        assert not tab.locator("input:checked").count()


def test_an_ended_session_keeps_answers_until_the_link_is_opened_again(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        before = where(tab)
        tab.context.clear_cookies(name=f"rater-{served.service.settings.id}")
        tab.keyboard.press("2")
        tab.keyboard.press("3")
        wait_for_change(tab, before)
        tab.wait_for_selector(".trouble:visible")
        assert "Open your link again" in tab.locator(".trouble").inner_text()
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.goto(served.address)
        assert "1 answer" in tab.locator(".kept").inner_text()
        tab.goto(served.link("ann"))
        tab.wait_for_selector("main[data-task='2']")
    assert answers_of(folder) == [(1, {"meaning": 2.0, "grammar": 3.0})]


def test_answers_of_one_rater_are_never_sent_as_anothers(tmp_path, tab_of, lines):
    folder = make_study(tmp_path / "study", make_set(2), dimensions=SCALES, invitations=["ann", "bob"])
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        tab.route("**/api/events", lambda route: route.abort())
        tab.keyboard.press("1")
        tab.keyboard.press("1")
        tab.wait_for_selector(".trouble:visible")
        tab.unroute("**/api/events")
        tab.on("dialog", lambda dialog: dialog.accept())
        begin(tab, served.link("bob"))
        assert answers_of(folder) == []
        assert count_unsent(tab) >= 1
        tab.goto(served.link("ann"))
        tab.wait_for_selector("main[data-task='2']")
        state = StudyContent(folder).derive_state(folder.database())
        assert (len(state.rater(1).answered), len(state.rater(2).answered)) == (1, 0)


def test_a_server_that_cannot_write_says_so(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        refusal = {"status": 503, "json": {"code": "not_saved", "message": "the disk is full"}}
        tab.route("**/api/events", lambda route: route.fulfill(**refusal))
        rate(tab, "2", "3")
        tab.wait_for_selector(".trouble:visible")
        assert tab.locator(".trouble").inner_text().startswith("Not saved")
        assert not tab.locator(".saved.is-saved").count()
        tab.unroute("**/api/events")
        tab.wait_for_selector(".saved.is-saved")
    assert len(answers_of(folder)) == 1


def test_a_server_killed_in_the_middle_loses_no_answer(folder, tab_of, lines):
    tab = tab_of()
    server = ServerProcess(folder.path)
    with_service = make_link(folder, server.address)
    try:
        begin(tab, with_service)
        given = []
        for number in range(6):
            if number in (2, 4):
                server.kill()
            (text,) = texts_of(tab, "#output")
            keys = str(1 + number % 3), str(1 + len(text) % 3)
            given.append(dict(zip(("meaning", "grammar"), map(float, keys), strict=True)))
            before = where(tab)
            tab.keyboard.press(keys[0])
            tab.keyboard.press(keys[1])
            if number in (2, 4):
                tab.wait_for_selector(".trouble:visible")
                server = ServerProcess(folder.path, server.port)
            wait_for_change(tab, before)
            tab.wait_for_selector(".trouble", state="hidden")
        wait_until_sent(tab)
    finally:
        server.kill()
    assert [ratings for _, ratings in answers_of(folder)] == given
    assert count_events(folder, "answered") == 6


def make_link(folder, address: str) -> str:
    return f"{address}/r/1-{folder.derive('rater:1')}"


def test_undo_takes_back_an_answer_that_was_not_sent_yet(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        tab.context.set_offline(True)
        rate(tab, "1", "1")
        tab.keyboard.press("u")
        tab.wait_for_selector("main[data-task='1']")
        assert tab.locator("input:checked").count() == 2  # what was answered, to be changed
        tab.keyboard.press("3")
        tab.context.set_offline(False)
        tab.keyboard.press("Enter")
        tab.wait_for_selector("main[data-task='2']")
        tab.wait_for_selector(".saved.is-saved")
        wait_until_sent(tab)
    assert answers_of(folder) == [(1, {"meaning": 3.0, "grammar": 1.0})]
    assert count_events(folder, "undone") == 1


def test_a_window_that_is_behind_says_so_and_catches_up(folder, tab_of, lines):
    first = tab_of()
    with serve(folder) as served:
        begin(first, served.link("ann"))
        second = first.context.new_page()
        begin(second, served.link("ann"))
        rate(first, "1", "1")
        first.wait_for_selector(".saved.is-saved")
        second.keyboard.press("3")
        second.keyboard.press("3")
        second.wait_for_selector(".notice:visible")
        assert "another window" in second.locator(".notice").inner_text()
        second.wait_for_selector("main[data-task='2']")
        rate(second, "2", "2")
        wait_until_sent(second)
    assert [ratings["meaning"] for _, ratings in answers_of(folder)] == [1, 2]


def test_an_answer_to_a_closed_study_is_not_called_saved(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        wait_until_sent(tab)  # that the task was shown, which a closed study would refuse before the answer
        served.service.run(lambda: served.service.change_status("closed")).result()
        tab.keyboard.press("3")
        tab.keyboard.press("3")
        tab.wait_for_selector("main[data-stage=closed]")
        assert "not saved" in tab.locator(".notice").inner_text()
        assert not tab.locator(".saved.is-saved").count()
        assert count_unsent(tab) == 0
    assert answers_of(folder) == []


def test_who_lost_the_place_sees_an_end_and_sends_nothing(tmp_path, tab_of, lines):
    crowd = Crowd(completion_code="DONE", screened_code="OUT7")
    folder = make_study(tmp_path / "study", make_set(), dimensions=SCALES, raters=1, crowd=crowd)
    first, second = tab_of(viewport={"width": 390, "height": 844}), tab_of()
    sent = []
    first.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    with serve(folder) as served:
        begin(first, f"{served.address}/?PROLIFIC_PID=one")
        rate(first, "1", "2")
        wait_until_sent(first)
        served.service.run(lambda: served.service.append("expired", rater=1)).result()
        begin(second, f"{served.address}/?PROLIFIC_PID=two")
        wait_until_sent(second)
        sent.clear()
        first.keyboard.press("1")
        first.keyboard.press("2")
        first.wait_for_selector("main[data-stage=place_taken]")
        assert first.locator("#code").inner_text() == "OUT7"
        assert first.locator("main h1").inner_text() == "Your place was given away"
        first.wait_for_timeout(1500)
        assert len(sent) <= 1
        for _ in range(2):
            first.reload()
            first.wait_for_selector("main[data-stage=place_taken]")
        first.wait_for_timeout(1500)
        assert len(sent) <= 1


def test_who_leaves_takes_everything_along(folder, tab_of, lines):
    tab = tab_of()
    with serve(folder) as served:
        begin(tab, served.link("ann"))
        rate(tab, "1", "2")
        tab.locator("#leave").click()
        tab.get_by_role("button", name="Leave, and delete my answers").click()
        tab.wait_for_selector("main[data-stage=withdrawn]")
        assert "deleted" in tab.locator("main").inner_text()
        tab.reload()
        tab.wait_for_selector("main[data-stage=withdrawn]")
        assert tab.evaluate("Object.keys(localStorage).length") == 0
    content = b"".join(path.read_bytes() for path in folder.path.glob("study.db*"))
    assert b"ann" not in content
    assert b"ratings" not in content.replace(b"fixed", b"")


def test_signing_out_shows_the_own_link_and_lets_another_browser_in(tmp_path, tab_of, lines):
    crowd = Crowd(completion_code="DONE")
    folder = make_study(tmp_path / "study", make_set(), dimensions=SCALES, crowd=crowd)
    first, second = tab_of(viewport={"width": 390, "height": 844}), tab_of()
    with serve(folder) as served:
        link = f"{served.address}/?PROLIFIC_PID=one"
        begin(first, link)
        rate(first, "1", "2")
        second.goto(link)
        second.wait_for_selector("#message")
        assert "another browser" in second.locator("#message").inner_text()
        first.locator("#sign-out").click()
        own = first.locator("#own-link").inner_text()
        first.locator("dialog .primary").click()
        first.wait_for_selector("main[data-stage=signed_out]")
        begin(second, link)
        assert where(second) == ("2", "1")
        first.goto(own)
        first.wait_for_selector("main[data-task='2']")
        wait_until_sent(first)
        wait_until_sent(second)
    assert answers_of(folder) == [(1, {"meaning": 1.0, "grammar": 2.0})]
