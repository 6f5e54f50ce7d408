"""Links, sessions and events over HTTP."""

from __future__ import annotations

import httpx
import pytest
from study_client import RaterClient, csrf_token, make_event

from assay.study.server.rater_routes import crowd_link, join_link, rater_link
from assay.study.settings import Crowd, RatingScale
from assay.study.store import SESSIONS

SCALES = (RatingScale(name="meaning", high=3),)


def test_a_link_is_exchanged_for_a_cookie_and_left(make_study, serve, three_systems):
    with serve(make_study(three_systems, invitations=["ann"])) as served:
        link = rater_link(served.service, 1)
        response = httpx.get(served.address + link)
        assert response.status_code == 303
        assert response.headers["location"] == "/study"
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert link.split("-")[1] not in cookie
        rater = served.rater("ann")
        assert rater.stage == "instructions"
        assert str(rater.http.get(link).url).endswith("/study")


@pytest.mark.parametrize(
    "path", ["/r/1-0000", "/r/2-x", "/r/", "/r/-", "/r/1", "/join/x", "/admin/login/x", "/r/1%2f-"]
)
def test_wrong_links_are_not_found(make_study, serve, three_systems, path):
    with serve(make_study(three_systems, invitations=["ann"])) as served:
        assert httpx.get(served.address + path).status_code == 404


def test_every_browser_in_a_room_is_a_rater_of_its_own(make_study, serve, three_systems):
    with serve(make_study(three_systems)) as served:
        one, two = served.rater(), served.rater()
        assert len(served.service.raters) == 2
        one.http.get(join_link(served.service))  # the same browser again
        assert len(served.service.raters) == 2
        one.start()
        assert two.refresh()["session"]["stage"] == "instructions"


def test_a_crowd_platform_sends_people_and_takes_them_back(make_study, serve, three_systems):
    crowd = Crowd(completion_code="C0DE", completion_url="https://app.example.org/done?cc={code}")
    one = three_systems.select(three_systems.items[:1])
    with serve(make_study(one, dimensions=SCALES, crowd=crowd)) as served:
        link = "/?PROLIFIC_PID=5f3c0a1b&STUDY_ID=1&SESSION_ID=2"
        rater = RaterClient(served.address, link)
        assert "PROLIFIC_PID" not in str(rater.http.get(link).url)
        rater.start()
        while rater.stage == "task":
            rater.answer({"ratings": {"meaning": 1}})
        assert "completion" not in rater.body["session"]
        rater.do("submitted")
        assert rater.body["session"]["completion"] == {"code": "C0DE", "url": "https://app.example.org/done?cc=C0DE"}
        again = RaterClient(served.address, link)  # another browser, the same person
        assert again.stage == "done"
        assert len(served.service.raters) == 1


def test_without_a_session_there_is_nothing(make_study, serve, three_systems):
    with serve(make_study(three_systems)) as served, httpx.Client(base_url=served.address) as http:
        for path in ("/api/session", "/api/study"):
            assert http.get(path).status_code == 401
            assert http.get(path).json()["code"] == "no_session"
        assert http.get("/study").headers["location"] == "/"
        assert "Open the link" in http.get("/").text
        assert http.get("/health").json() == {"status": "ok"}
        study = served.service.settings.id
        forged = {f"rater-{study}": "x" * 43, f"csrf-{study}": csrf_token(http)}
        headers = {"x-csrf-token": csrf_token(http)}
        body = {"events": [make_event("started")]}
        assert http.post("/api/events", json=body, headers=headers, cookies=forged).status_code == 401


def test_events_need_the_token_against_forged_requests(make_study, serve, three_systems):
    with serve(make_study(three_systems)) as served:
        rater = served.rater()
        body = {"events": [make_event("started")]}
        assert rater.http.post("/api/events", json=body).status_code == 403
        assert rater.http.post("/api/events", json=body, headers={"x-csrf-token": "x" * 128}).status_code == 403
        assert rater.refresh()["session"]["stage"] == "instructions"
        assert rater.send(*body["events"]).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"events": []},
        {"events": [{"key": "short", "kind": "started"}]},
        {"events": [{"key": "key with space", "kind": "started"}]},
        {"events": [{"kind": "started"}]},
        {"events": [make_event("started") | {"at": "yesterday"}]},
        {"events": [make_event("shown", task=0)]},
        {"events": [make_event("started") | {"rater": 2}]},
        {"events": [make_event("started")] * 101},
        [1],
    ],
)
def test_what_is_not_understood_is_refused(make_study, serve, three_systems, body):
    with serve(make_study(three_systems)) as served:
        response = served.rater().post("/api/events", body)
        assert response.status_code == 400
        assert response.json()["code"] == "bad_request"


def test_refused_events_say_why(make_study, serve, three_systems):
    with serve(make_study(three_systems, dimensions=SCALES)) as served:
        rater = served.rater()
        rater.start()
        response = rater.send(make_event("answered", {"answer": {"ratings": {"meaning": 7}}}, task=1))
        assert response.status_code == 409
        assert response.json()["acks"][0]["code"] == "invalid_answer"
        assert response.json()["session"]["task"] == 1


def test_the_study_is_described_without_its_systems(make_study, serve, three_systems):
    with serve(make_study(three_systems, "rate(reveal=true)", dimensions=SCALES, instructions="*Read*")) as served:
        study = served.rater().http.get("/api/study").json()
        assert study["protocol"] == "rate"
        assert study["settings"]["reveal"] is True
        assert study["dimensions"][0]["points"] == [1, 2, 3]
        assert study["instructions"] == "<p><em>Read</em></p>\n"


def test_too_many_requests_are_refused_for_a_while(make_study, serve, three_systems):
    limits = {"links": (0.01, 3), "failures": (0.01, 2), "events": (0.01, 5)}
    with serve(make_study(three_systems, invitations=["ann", "bob"]), **limits) as served:
        rater = served.rater("ann")
        codes = [rater.http.get("/api/session").status_code for _ in range(8)]
        assert codes[-1] == 429
        codes = [httpx.get(f"{served.address}/r/1-{n}").status_code for n in range(4)]
        assert codes == [404, 404, 429, 429]
        ann, bob = (served.address + rater_link(served.service, number) for number in (1, 2))
        assert [httpx.get(ann).status_code for _ in range(4)] == [303, 303, 429, 429]  # the third was above
        assert httpx.get(bob).status_code == 303  # another link from the same address


def test_a_hundred_people_in_a_room_and_guesses_lock_nobody_out(make_study, serve, three_systems):
    with serve(make_study(three_systems, invitations=["ann"])) as served, httpx.Client() as guesser:
        codes = [guesser.get(f"{served.address}/r/1-{n}").status_code for n in range(300)]
        assert codes[-1] == 429
        with httpx.Client(base_url=served.address) as http:
            for _ in range(100):
                http.cookies.clear()
                assert http.get(join_link(served.service)).status_code == 303
        assert served.rater("ann").stage == "instructions"
        assert served.admin().http.get("/api/admin/progress").status_code == 200


def test_who_has_to_wait_sees_a_page_that_tries_again(make_study, serve, three_systems):
    with serve(make_study(three_systems), room=(0.2, 1)) as served:
        link, headers = served.address + join_link(served.service), {"accept": "text/html"}
        assert httpx.get(link, headers=headers).status_code == 303
        response = httpx.get(link, headers=headers)
        assert response.status_code == 429
        seconds = response.headers["retry-after"]
        assert f'<meta http-equiv="refresh" content="{seconds}">' in response.text
        assert "tries again by itself" in response.text


def test_a_platforms_id_leads_in_once(make_study, serve, three_systems):
    """Whoever knows the id of somebody must not undo their answers."""
    folder = make_study(three_systems, dimensions=SCALES, crowd=Crowd(completion_code="C0DE"))
    with serve(folder) as served, httpx.Client(base_url=served.address, follow_redirects=True) as other:
        link = "/?PROLIFIC_PID=person7"
        rater = RaterClient(served.address, link)
        rater.start()
        rater.answer({"ratings": {"meaning": 1}})
        assert rater.http.get(link).status_code == 200  # the same browser
        response = other.get(link, headers={"accept": "text/html"})
        assert response.status_code == 403
        assert "open_elsewhere" in response.text
        assert other.get("/api/session").status_code == 401
        own = rater.http.get("/api/link").json()
        assert own["browsers"] == 1
        second = RaterClient(served.address, own["link"])  # with the link
        assert second.body["session"]["answered"] == 1
        assert rater.http.get("/api/link").json()["browsers"] == 2
        assert second.post("/api/logout", {"everywhere": True}).status_code == 200
        assert rater.http.get("/api/session").status_code == 401
        third = RaterClient(served.address, link)  # after the first was closed
        assert third.body["session"]["answered"] == 1
        assert third.post("/api/logout", {}).status_code == 200
        assert third.http.get("/api/session").status_code == 401
        assert served.service.database.rows(SESSIONS) == []


def test_signed_links_are_for_one_person_each(make_study, serve, three_systems):
    folder = make_study(three_systems, crowd=Crowd(completion_code="C0DE", signed=True))
    with serve(folder) as served:
        ann, bob = (crowd_link(served.service, name) for name in ("ann&co", "bob"))
        signature = bob.partition("signature=")[2]
        for path in (
            "/?PROLIFIC_PID=bob",
            f"/?PROLIFIC_PID=eve&signature={signature}",
            "/?PROLIFIC_PID=bob&signature=",
        ):
            assert httpx.get(served.address + path).status_code == 404
        assert served.service.raters == {}
        for _ in range(2):
            assert RaterClient(served.address, ann).stage == "instructions"
        assert [row["external"] for row in served.service.raters.values()] == ["ann&co"]


def test_two_studies_on_one_host_keep_their_sessions(make_study, serve, three_systems):
    """A browser sends cookies to a host whatever the port: the second link must not end the first session."""
    with serve(make_study(three_systems)) as first, serve(make_study(three_systems)) as second:
        one = RaterClient(first.address, join_link(first.service))
        one.http.get(second.address + join_link(second.service))
        one.start()
        assert one.stage == "task"
        one.http.base_url = second.address
        assert one.refresh()["session"]["stage"] == "instructions"
