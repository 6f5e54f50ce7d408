"""What holds of every response: headers, hosts, no names of systems, no failures."""

from __future__ import annotations

import httpx
import pytest
from study_client import RaterClient, csrf_token

import assay
from assay.study.settings import RatingScale

SCALES = (RatingScale(name="meaning", high=3),)


def test_every_response_has_the_security_headers(make_study, serve, three_systems):
    with serve(make_study(three_systems)) as served:
        rater = served.rater()
        for path in ("/study", "/api/session", "/api/none", "/static/api.js", "/none", "/api/admin/progress"):
            headers = rater.http.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert path.startswith("/static") or headers["cache-control"] == "no-store"
            assert "server" not in headers or "uvicorn" in headers["server"]


def test_cookies_are_secure_behind_tls(make_study, serve, three_systems):
    from assay.study.server.rater_routes import join_link

    with serve(make_study(three_systems), is_https=True) as served:
        headers = {"x-forwarded-proto": "https"}  # as a proxy on this machine says
        response = httpx.get(served.address + join_link(served.service), headers=headers)
        cookies = response.headers.get_list("set-cookie")
        assert len(cookies) == 2
        assert all("Secure" in cookie and "Path=/;" in f"{cookie};" for cookie in cookies)
        assert all(cookie.startswith("__Host-") for cookie in cookies)
        assert response.headers["strict-transport-security"] == "max-age=31536000"
        plain = httpx.get(served.address + join_link(served.service))
        assert "strict-transport-security" not in plain.headers


def test_other_hosts_are_refused(make_study, serve, three_systems):
    with serve(make_study(three_systems), allowed_hosts=["study.example.org"]) as served:
        assert httpx.get(served.address + "/health").status_code == 400
        assert httpx.get(served.address + "/health", headers={"host": "study.example.org"}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/static/%00", "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"]
)
def test_static_files_stay_in_their_folder(make_study, serve, three_systems, path):
    with serve(make_study(three_systems)) as served:
        response = httpx.get(served.address + path)
        assert response.status_code in (400, 404)


def test_a_request_that_is_too_large_is_refused(make_study, serve, three_systems):
    with serve(make_study(three_systems)) as served:
        rater = served.rater()
        assert rater.post("/api/events", {"events": ["x" * 5_100_000]}).status_code == 413


def test_pages_have_no_inline_script_and_escape_the_title(make_study, serve, three_systems):
    with serve(make_study(three_systems, title="<script>alert(1)</script>")) as served:
        for text in (served.rater().http.get("/study").text, served.admin().http.get("/admin").text):
            assert "<script>alert" not in text
            assert "&lt;script&gt;" in text
            assert "onclick" not in text
            assert "<script>" not in text


NAMES = ("zebra-system", "quagga.system")


@pytest.mark.parametrize(
    ("protocol", "answer"),
    [
        ("rate(reveal=true)", {"ratings": {"quality": 3}}),
        ("absolute", {"ratings": {"score": 2}}),
        ("rank", {"groups": {"a": 1, "b": 2}}),
        ("compare", {"choices": {"preference": "a"}}),
        ("factoids", {"units": {"a": [True]}}),
        ("factoids(together=true)", {"units": {"a": [True], "b": [False]}}),
        ("spans", {"spans": []}),
        ("shorten", {"text": "w"}),
        ("cut", {"units": ["u"]}),
    ],
)
def test_no_name_of_a_system_or_item_is_in_the_traffic(make_study, serve, protocol, answer):
    items = [
        assay.Item(
            f"secret-item-{n}",
            (assay.Reference("the reference"),),
            {name: f"output {n} {place}" for place, name in enumerate(NAMES)},
            ("a source of some words",),
            extra={"units": ["a unit"]},
        )
        for n in range(3)
    ]
    with serve(make_study(assay.EvalSet(items), protocol, repeats=0.5, distance=1)) as served:
        rater = served.rater()
        rater.keep(rater.http.get("/api/study"))
        rater.keep(rater.http.get("/schema/openapi.json"))
        rater.start()
        while rater.stage == "task":
            rater.answer(answer)
        rater.do("undone", task=rater.body["session"]["answered"]) if rater.body["session"]["can_undo"] else None
        traffic = "\n".join(rater.traffic)
    assert "output 1" in traffic or protocol in ("shorten", "cut")
    for name in (*NAMES, "secret-item", "occasion", "repeat"):
        assert name not in traffic


def test_a_full_disk_is_told_to_the_rater_and_nothing_counts(make_study, serve, three_systems):
    import sqlalchemy as sa

    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        engine = served.service.database.engine
        with engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()

        @sa.event.listens_for(engine, "connect")
        def limit(connection, _):
            connection.execute(f"PRAGMA max_page_count={pages}")

        engine.dispose()
        codes = set()
        for number in range(1, 31):
            response = rater.send(*[_long_answer(number)])
            codes.add(response.status_code)
            if response.status_code == 503:
                assert response.json()["code"] == "not_saved"
                assert "not saved" in response.json()["message"]
                break
        assert 503 in codes
        saved = len(served.service.state.rater(1).answered)
        sa.event.remove(engine, "connect", limit)
        engine.dispose()
        assert rater.refresh()["session"]["answered"] == saved
        assert rater.send(_long_answer(saved + 1)).status_code == 200


def _long_answer(task):
    from study_client import make_event

    return make_event("answered", {"answer": {"ratings": {"meaning": 1}}}, task=task) | {"key": f"{task:064d}"}


def test_a_megabyte_of_text_and_hostile_markup_are_shown_as_they_are(make_study, serve):
    hostile = "<img src=x onerror=alert(1)>\u202e\x00"
    items = [assay.Item("1", outputs={"A": hostile, "B": "x" * 1_000_000}, sources=("s",))]
    with serve(make_study(assay.EvalSet(items))) as served:
        rater = served.rater()
        rater.start()
        texts = []
        while rater.stage == "task":
            texts.append(rater.screen["texts"][0]["text"])
            rater.answer({"ratings": {"quality": 1}})
        assert sorted(texts) == sorted([hostile, "x" * 1_000_000])


def test_the_log_has_no_query_no_token_and_no_name(make_study, serve, three_systems, caplog):
    from assay.study.settings import Crowd

    folder = make_study(three_systems, dimensions=SCALES, crowd=Crowd(completion_code="X"), invitations=["ann-name"])
    with caplog.at_level("DEBUG"), serve(folder) as served:
        RaterClient(served.address, "/?PROLIFIC_PID=person123")
        rater = served.rater("ann-name")
        rater.start()
        rater.answer({"ratings": {"meaning": 1}})
        token = folder.derive("rater:1")
    log = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("assay"))
    assert "POST /api/events 200" in log
    for text in ("person123", "PROLIFIC_PID", token, "ann-name"):
        assert text not in log


def send_random_requests(operation, http):
    from hypothesis import HealthCheck, Phase, given, settings

    headers, cookies = {"x-csrf-token": csrf_token(http)}, dict(http.cookies)

    @settings(max_examples=6, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def draw(case):
        response = case.call(headers=headers, cookies=cookies)
        assert response.status_code < 500, (case, response.text)

    draw()


def test_no_input_makes_the_server_fail(make_study, serve, three_systems):
    """Schemathesis draws requests from the OpenAPI description; none may be answered with a failure."""
    import schemathesis

    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"], instructions="Read.")
    with serve(folder, events=(1e6, 10**6), links=(1e6, 10**6)) as served:
        description = httpx.get(served.address + "/schema/openapi.json").json()
        schema = schemathesis.openapi.from_dict(description)
        schema.config.base_url = served.address
        rater, admin = served.rater("ann"), served.admin()
        rater.start()
        operations = [result.ok() for result in schema.get_all_operations()]
        assert len(operations) >= 10
        for operation in operations:
            http = (admin if operation.path.startswith("/api/admin") else rater).http
            send_random_requests(operation, http)
        assert httpx.get(served.address + "/health").json() == {"status": "ok"}


def test_what_no_reader_takes_is_refused(make_study, serve, three_systems):
    with serve(make_study(three_systems, invitations=["ann"])) as served:
        rater = served.rater("ann")
        for path in ("/static/%00", "/%00", "/r/%00", "/api/%00session"):
            assert httpx.get(served.address + path).status_code == 404, path
        headers = {"x-csrf-token": csrf_token(rater.http), "content-type": "application/json"}
        for depth in (1_000, 100_000):
            deep = "[" * depth + "]" * depth
            for body in (deep, f'{{"events": [{{"key": "key-0001", "kind": "started", "payload": {{"a": {deep}}}}}]}}'):
                response = rater.http.post("/api/events", content=body, headers=headers)
                assert response.status_code == 400, (depth, response.text)


@pytest.mark.parametrize("count", [40, pytest.param(4000, marks=pytest.mark.slow)])
def test_random_bytes_do_not_make_the_server_fail(make_study, serve, three_systems, count):
    from random import Random

    random = Random(39)
    folder = make_study(three_systems, "shorten", invitations=["ann"])
    with serve(folder, events=(1e6, 10**6), links=(1e6, 10**6)) as served:
        rater, admin = served.rater("ann"), served.admin()
        rater.start()
        whole = b'{"events":[{"key":"key-00001","kind":"edited","task":1,"payload":{"deltas":[[1,0,1,"\\ud800"]]}}]}'
        for n in range(count):
            who, path = random.choice([(rater, "/api/events"), (rater, "/api/logout2"), (admin, "/api/admin/invite")])
            body = bytearray(whole if n % 2 else random.randbytes(random.randrange(200)))
            for _ in range(random.randrange(4)):
                if body:
                    body[random.randrange(len(body))] = random.randrange(256)
            headers = {"x-csrf-token": csrf_token(who.http), "content-type": "application/json"}
            response = who.http.post(path, content=bytes(body), headers=headers)
            assert response.status_code < 500, (path, bytes(body), response.text)
        assert httpx.get(served.address + "/health").status_code == 200


@pytest.mark.slow
def test_a_hundred_thousand_items_are_served(make_study, serve):
    items = [assay.Item(str(n), outputs={"A": "a", "B": "b"}, sources=("s",)) for n in range(100_000)]
    folder = make_study(assay.EvalSet(items), assignment="random", per_output=1, per_rater=20)
    with serve(folder) as served:
        rater = served.rater()
        rater.start()
        rater.answer({"ratings": {"quality": 3}})
        assert rater.body["session"]["total"] == 20
