"""The admin's interface: who may call it, and what it does."""

from __future__ import annotations

import httpx
import pytest
from study_client import RaterClient, csrf_token

from assay.study.server.admin_routes import admin_link
from assay.study.server.app import make_app
from assay.study.server.rater_routes import join_link, rater_link
from assay.study.settings import RatingScale
from assay.study.store import SESSIONS

SCALES = (RatingScale(name="meaning", high=3),)
ADMIN_ROUTES = [
    ("GET", "/admin", None),
    ("GET", "/api/admin/progress", None),
    ("GET", "/api/admin/agreement", None),
    ("GET", "/api/admin/items", None),
    ("GET", "/api/admin/export", None),
    ("GET", "/api/admin/edits/1/1", None),
    ("GET", "/admin/annotators", None),
    ("GET", "/api/admin/annotators", None),
    ("GET", "/api/admin/comparison?item=1&first=ann&second=bob", None),
    ("POST", "/api/admin/status", {"action": "pause"}),
    ("POST", "/api/admin/invite", {"codes": ["eve"]}),
    ("POST", "/api/admin/withdraw", {"rater": 1}),
    ("POST", "/api/admin/erase", {"rater": 1}),
    ("POST", "/api/admin/backup", {}),
    ("POST", "/api/admin/logout", {}),
    ("POST", "/api/admin/end-sessions", {}),
    ("POST", "/api/admin/renew", {"link": "room"}),
]
RATER_ROUTES = [
    ("GET", "/api/study", None),
    ("GET", "/api/session", None),
    ("GET", "/api/link", None),
    ("POST", "/api/logout", {}),
    ("POST", "/api/events", {"events": [{"key": "key-0001", "kind": "started"}]}),
]
WORKBENCH_ROUTES = ["/api/proposals?task=1&text=a&spans=[]", "/api/suggestions?task=1"]  # see test_unit_routes.py
PUBLIC_ROUTES = {"/", "/health", "/study", "/r/{token}", "/join/{token}", "/admin/login/{token}", "/schema"}


def call(http: httpx.Client, method, path, body):
    http.get("/")  # a token against forged requests
    return http.request(method, path, json=body, headers={"x-csrf-token": csrf_token(http)})


@pytest.fixture
def served(make_study, serve, three_systems):
    with serve(make_study(three_systems, dimensions=SCALES, invitations=["ann", "bob"])) as served:
        yield served


@pytest.mark.parametrize(("method", "path", "body"), ADMIN_ROUTES)
def test_only_the_admin_may(served, method, path, body):
    rater, stranger = served.rater("ann"), httpx.Client(base_url=served.address)
    before = served.service.state.last_id
    assert call(stranger, method, path, body).status_code == 401
    assert call(rater.http, method, path, body).status_code == 401
    assert served.service.state.last_id == before
    assert call(served.admin().http, method, path, body).status_code in (200, 404, 409)


@pytest.mark.parametrize(("method", "path", "body"), RATER_ROUTES)
def test_only_a_rater_may(served, method, path, body):
    stranger = httpx.Client(base_url=served.address)
    assert call(stranger, method, path, body).status_code == 401
    assert call(served.admin().http, method, path, body).status_code == 401
    assert call(served.rater("ann").http, method, path, body).status_code == 200


@pytest.mark.parametrize("path", WORKBENCH_ROUTES)
def test_only_a_rater_may_ask_for_units(served, path):
    stranger = httpx.Client(base_url=served.address)
    assert call(stranger, "GET", path, None).status_code == 401
    assert call(served.admin().http, "GET", path, None).status_code == 401
    assert call(served.rater("ann").http, "GET", path, None).status_code == 404  # the study is not about units


def test_every_route_has_its_role_tested(served):
    """A new route is not forgotten here."""
    routes = {route.path_format.replace(":str", "").replace(":int", "") for route in make_app(served.service).routes}
    paths = [path for _, path, _ in ADMIN_ROUTES + RATER_ROUTES] + WORKBENCH_ROUTES
    listed = {path.partition("?")[0].replace("/1/1", "/{rater}/{task}") for path in paths}
    rest = {path for path in routes - listed - PUBLIC_ROUTES if not path.startswith(("/static", "/schema"))}
    assert rest == set()


def rate_all(rater: RaterClient, value: int) -> None:
    rater.start()
    while rater.stage == "task":
        rater.answer({"ratings": {"meaning": 1 + (len(rater.screen["texts"][0]["text"]) + value) % 3}})


def test_progress_and_agreement_are_live(served):
    admin, ann = served.admin(), served.rater("ann")
    assert admin.http.get("/api/admin/agreement").json() == {"dimensions": []}
    rate_all(ann, 0)
    rate_all(served.rater("bob"), 0)
    ann.do("submitted")
    progress = admin.http.get("/api/admin/progress").json()
    assert (progress["complete"], progress["rating"], progress["answers"]) == (1, 1, 60)
    rows = {row["code"]: row for row in progress["raters"]}
    assert rows["ann"]["stage"] == "complete"
    assert rows["bob"]["answered"] == 30
    assert rows["ann"]["link"].startswith("/r/1-")
    items = admin.http.get("/api/admin/items").json()["items"]
    assert [row["answers"] for row in items] == [6] * 10  # three systems, two raters
    assert all(0 <= row["seconds"] <= row["longest"] for row in items)
    row = admin.http.get("/api/admin/agreement").json()["dimensions"][0]
    assert (row["dimension"], row["measure"], row["value"], row["raters"]) == ("meaning", "alpha", 1.0, 2)


def test_status_is_changed(served):
    admin, ann = served.admin(), served.rater("ann")
    ann.start()
    for action, stage in (("pause", "paused"), ("reopen", "task"), ("close", "closed")):
        assert admin.post("/api/admin/status", {"action": action}).status_code == 200
        assert ann.refresh()["session"]["stage"] == stage
    refused = admin.post("/api/admin/status", {"action": "extend", "places": 2})
    assert refused.status_code == 409  # the number of raters is open


def test_raters_are_invited_withdrawn_and_erased(served):
    admin, ann = served.admin(), served.rater("ann")
    rate_all(ann, 0)
    invited = admin.post("/api/admin/invite", {"codes": ["eve", "ann"]}).json()["raters"]
    assert [row["number"] for row in invited] == [3, 1]
    assert RaterClient(served.address, invited[0]["link"]).stage == "instructions"
    backup = admin.post("/api/admin/backup", {}).json()
    assert backup["bytes"] > 0
    assert admin.post("/api/admin/withdraw", {"rater": 2}).status_code == 200
    assert admin.post("/api/admin/erase", {"rater": 1}).json()["backups"] == [backup["name"]]
    assert admin.post("/api/admin/erase", {"rater": 9}).status_code == 404
    assert ann.http.get("/api/session").status_code == 401
    assert ann.http.get(ann.http.base_url.join("/r/1-x")).status_code == 404
    stages = {row["number"]: row["stage"] for row in admin.http.get("/api/admin/progress").json()["raters"]}
    assert stages == {1: "erased", 2: "withdrawn", 3: "invited"}
    assert admin.http.get("/api/admin/export").status_code == 409  # nothing is left


def test_the_export_is_downloaded(served):
    admin, ann = served.admin(), served.rater("ann")
    rate_all(ann, 0)
    response = admin.http.get("/api/admin/export", params={"anonymize": "true"})
    assert response.headers["content-disposition"].startswith("attachment")
    assert '"rater":"rater' in response.text
    assert "ann" not in response.text.replace("annotator", "")


def test_edits_are_replayed(make_study, serve, three_systems):
    with serve(make_study(three_systems, "shorten", invitations=["ann"])) as served:
        ann, admin = served.rater("ann"), served.admin()
        ann.start()
        source = ann.screen["source"][0]
        ann.do("edited", {"deltas": [[5, 0, len(source) - 4, ""]]}, task=1)
        ann.answer({"text": source[-4:]})
        edits = admin.http.get("/api/admin/edits/1/1").json()
        assert edits == {"start": source, "deltas": [[5, 0, len(source) - 4, ""]], "final": source[-4:].strip()}
        assert admin.http.get("/api/admin/edits/1/99").status_code == 404
        assert admin.http.get("/api/admin/edits/7/1").status_code == 404


def test_all_sessions_end_at_once_and_links_stay(served):
    admin, rater = served.admin(), served.rater("ann")
    rater.start()
    assert admin.post("/api/admin/end-sessions", {}).status_code == 200
    assert admin.http.get("/api/admin/progress").status_code == 401
    assert rater.http.get("/api/session").status_code == 401
    assert served.rater("ann").stage == "task"


def test_an_admin_who_signs_out_is_no_admin(served):
    admin = served.admin()
    assert admin.post("/api/admin/logout", {}).status_code == 200
    assert admin.http.get("/api/admin/progress").status_code == 401
    assert served.service.database.rows(SESSIONS) == []


def test_a_renewed_link_ends_the_old_one_and_its_sessions(served):
    admin, rater, other = served.admin(), served.rater("ann"), served.rater("bob")
    old = {
        "rater": rater_link(served.service, 1),
        "room": join_link(served.service),
        "admin": admin_link(served.service),
    }
    for what in ("rater", "room", "admin"):
        response = admin.post("/api/admin/renew", {"link": what, "rater": 1 if what == "rater" else None})
        new = response.json()["link"]
        assert new != old[what]
        assert httpx.get(served.address + old[what]).status_code == 404
        assert httpx.get(served.address + new).status_code == 303
    assert rater.http.get("/api/session").status_code == 401
    assert other.http.get("/api/session").status_code == 200
    assert admin.http.get("/api/admin/progress").status_code == 401
    assert served.rater("ann").stage == "instructions"
    assert (served.service.folder.path / "links.json").stat().st_mode & 0o77 == 0
