"""`assay study serve` as a process: links, a taken port, a second server, and the end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from study_client import RaterClient

from assay.cli.main import main
from assay.errors import InputError
from assay.study.server.run import default_hosts, serve
from assay.study.settings import Crowd

ASSAY = [sys.executable, "-c", "import sys; from assay.cli.main import main; sys.exit(main())"]


@contextmanager
def run_process(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_study_is_served_until_it_is_interrupted(make_study, three_systems):
    folder = make_study(three_systems, invitations=["ann"], title="My study")
    command = [*ASSAY, "study", "serve", str(folder.path), "--port", "0", "--json"]
    with run_process(command) as process:
        first, link = json.loads(process.stdout.readline()), json.loads(process.stdout.readline())
        assert first["title"] == "My study"
        assert link["code"] == "ann"
        rater = RaterClient(first["address"], link["link"])
        rater.start()
        assert rater.stage == "task"
        assert httpx.get(first["admin"], follow_redirects=True).status_code in (200, 401)
        assert httpx.get(first["address"] + "/health", headers={"host": "evil.example"}).status_code == 400
        second = subprocess.run(
            [*ASSAY, "study", "serve", str(folder.path)], capture_output=True, text=True, check=False
        )
        assert (second.returncode, "another process" in second.stderr) == (2, True)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
    message = "assay: terminated; the study is no longer served, and what was judged is kept"
    assert (process.returncode, log.splitlines()[-1]) == (143, message)
    with folder.lock("the next server"):
        pass
    assert "GET /r/... 303" in log
    assert link["link"].rpartition("-")[2] not in log


def test_a_taken_port_is_said(make_study, three_systems):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="cannot be opened"):
            serve(make_study(three_systems), port=taken.getsockname()[1])


def test_hosts_are_those_it_is_reached_by():
    assert default_hosts("127.0.0.1", "") == ["127.0.0.1", "localhost"]
    assert default_hosts("0.0.0.0", "https://a.org/x") == ["0.0.0.0", "localhost", "a.org"]
    assert default_hosts("0.0.0.0", "") == []


def test_links_are_printed_renewed_and_signed(make_study, three_systems, tmp_path, capsys):
    folder = make_study(three_systems, invitations=["ann", "bob"], crowd=Crowd(completion_code="C", signed=True))
    (tmp_path / "ids.txt").write_text("5f3c\n\na&b\n")
    ids = ["--address", "https://x.org/", "--ids", str(tmp_path / "ids.txt")]

    def links(*words):
        assert main(["study", "links", str(folder.path), *words, "--json"]) == 0
        first, *rest = map(json.loads, capsys.readouterr().out.splitlines())
        return first, {row["code"]: row["link"] for row in rest}

    first, before = links(*ids)
    assert (first["renewed"], set(before)) == (0, {"ann", "bob", "5f3c", "a&b"})
    assert before["a&b"].startswith("https://x.org/?PROLIFIC_PID=a%26b&signature=")
    second, after = links("--renew", "bob", *ids)
    assert (second["renewed"], second["admin"]) == (1, first["admin"])
    assert {code for code in before if before[code] != after[code]} == {"bob"}
    third, _ = links("--renew", "all")
    assert (third["renewed"], third["admin"] == first["admin"]) == (4, False)
    assert main(["study", "links", str(folder.path), "--renew", "eve"]) == 2
    assert "no rater 'eve'" in capsys.readouterr().err
    with folder.lock("a server"):
        assert main(["study", "links", str(folder.path)]) == 2
