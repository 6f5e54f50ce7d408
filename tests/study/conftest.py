"""A study that is served by a real uvicorn, in a thread of the test."""

from __future__ import annotations

import socket
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import assay

sys.path.insert(0, str(Path(__file__).parent))

from study_client import RaterClient

from assay.study.creation import create_study
from assay.study.protocols import PROTOCOLS
from assay.study.settings import StudyDesign

ROOT = Path(__file__).parent.parent.parent


class Served:
    """A running study: its address, its service, and new raters."""

    def __init__(self, address, service, server):
        self.address, self.service, self.server = address, service, server

    def rater(self, code: str | None = None) -> RaterClient:
        from assay.study.server.rater_routes import join_link, rater_link

        if code is None:
            return RaterClient(self.address, join_link(self.service))
        number = next(n for n, row in self.service.raters.items() if row["code"] == code)
        return RaterClient(self.address, rater_link(self.service, number))

    def admin(self) -> RaterClient:
        from assay.study.server.admin_routes import admin_link

        client = RaterClient.__new__(RaterClient)
        import httpx

        client.http = httpx.Client(base_url=self.address, follow_redirects=True, timeout=20)
        client.traffic = []
        client.keep(client.http.get(admin_link(self.service)))
        return client


@contextmanager
def serve_folder(folder, *, database=None, **options):
    import uvicorn

    from assay.study.server.app import make_app
    from assay.study.service import StudyService

    service = StudyService(folder, folder.database(database))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(make_app(service, **options), port=port, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield Served(f"http://127.0.0.1:{port}", service, server)
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def serve():
    return serve_folder


@pytest.fixture(scope="session")
def postgres():
    """The URL of a PostgreSQL that runs for the tests; they are skipped, with the reason, where none can be started."""
    from postgres_cluster import run_postgres

    cluster = run_postgres()
    try:
        url = cluster.__enter__()
    except (RuntimeError, OSError, LookupError) as error:
        pytest.skip(f"no PostgreSQL: {error}")
    yield url
    cluster.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    """None for the SQLite file of a study, and the URL of PostgreSQL."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def three_systems() -> assay.EvalSet:
    return assay.read(ROOT / "tests" / "three-systems.jsonl")


@pytest.fixture
def make_study(tmp_path):
    """make_study(data, "rate(reveal=true)", assignment="latin-square", title="T") makes a study in a new folder."""
    count = iter(range(100))

    def make(data, protocol="rate", *, dimensions=(), **options):
        names = set(StudyDesign.__struct_fields__) - {"checks"}  # of create_study they are the set
        checks = 2 if options.get("checks") is not None else 0
        design = StudyDesign(**{k: v for k, v in options.items() if k in names}, checks=checks)
        rest = {k: v for k, v in options.items() if k not in names}
        path = tmp_path / f"study{next(count)}"
        return create_study(path, data, PROTOCOLS.build(protocol), design=design, dimensions=dimensions, **rest)

    return make
