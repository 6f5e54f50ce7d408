"""`assay judge run`: as a user runs it, against a server that fails, after kill -9, and like a study."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from assay import read
from assay.cli.main import main

LLM = Path(__file__).parents[1] / "llm"
sys.path.insert(0, str(LLM))
KEY = "sk-0123456789abcdef"


@pytest.fixture
def server():
    from fault_server import FaultServer

    with FaultServer() as running:
        yield running


def write_set(folder: Path, items: int = 3) -> None:
    lines = [
        {
            "id": str(i),
            "source": f"source {i}",
            "outputs": {s: f"output {i} of {s}" for s in "AB"},
            "judgments": [{"system": s, "rater": "ann", "dimension": "coherence", "score": 3} for s in "AB"],
        }
        for i in range(items)
    ]
    (folder / "set.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_config(folder: Path, url: str, more: str = "", judge: str = "") -> None:
    quick = "backoff = 0.01\npatience = 0.5\nretries = 1"
    named = f'[[judge]]\nmodel = "test-model"\nurl = "{url}"\n{quick}\n{judge}'
    (folder / "judge.toml").write_text(f"{more}\n{named}\n[dimensions.coherence]\n")


@pytest.fixture
def files(tmp_path, monkeypatch, server):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_KEY", KEY)
    write_set(tmp_path)
    write_config(tmp_path, server.url, judge='key = "MY_KEY"')
    return tmp_path


RUN = ["judge", "run", "set.jsonl", "--config", "judge.toml", "--out", "judged.jsonl"]


def test_a_run_and_the_same_again(files, server, capsys):
    assert main(RUN) == 0
    out = capsys.readouterr().out
    assert "test-model gave a usable answer to all 6 questions about coherence (6 outputs)." in out
    data = read("judged.jsonl")
    assert data.human("coherence", rater="test-model").values.tolist() == [[4.0] * 3] * 2
    first = Path("judged.jsonl").read_bytes()
    assert main(RUN) == 0
    assert "6 answers of an earlier run, not paid again" in capsys.readouterr().out
    assert len(server.requests) == 6
    assert Path("judged.jsonl").read_bytes() == first
    card = json.loads(Path("judged.card.json").read_text())
    assert card["dataset"]["sha256"]
    assert card["judges"][0]["from_answers_file"] == 6


def test_the_key_is_in_no_file_and_in_no_line(files, server, capsys):
    from fault_server import completion, error

    server.script = lambda number, body: error(500, f"{KEY} broke") if number == 0 else completion(f"{KEY}: 4")
    assert main([*RUN, "--json"]) == 0
    printed = capsys.readouterr()
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in printed.out + printed.err
    for path in files.rglob("*"):
        assert KEY.encode() not in path.read_bytes(), path


def test_another_prompt_uses_none_of_the_answers(files, server, capsys):
    main(RUN)
    (files / "mine.md").write_text("Is this coherent?\n{output}")
    with (files / "judge.toml").open("a") as file:
        file.write('prompt = "mine.md"\n')
    assert main(RUN) == 0
    assert len(server.requests) == 12
    assert "holds 6 answers to other requests (another prompt, model, endpoint or text): not used" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_dry_run_sends_nothing_and_needs_no_key(files, server, capsys, monkeypatch):
    monkeypatch.delenv("MY_KEY")
    assert main([*RUN[:-2], "--dry-run", "--sample", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 requests to test-model about coherence would use at most")
    assert "<text>\noutput" in out
    assert not server.requests
    assert sorted(path.name for path in files.iterdir()) == ["judge.toml", "set.jsonl"]


def test_built_in_dimensions_by_name(files, server):
    assert main([*RUN, "-d", "fluency", "-d", "preference", "--sample", "4"]) == 0
    assert Counter(row["dimension"] for item in read("judged.jsonl") for row in item.extra.get("failures", [])) == {
        "preference": 4  # "4" is neither A nor B
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "set.jsonl"], "is the same file as the input set.jsonl"),
        (["--out", "judge.toml"], "judge.toml"),
        (["--answers", "set.jsonl"], "set.jsonl would be written over another file of this run"),
        (["--answers", "notes.txt"], "notes.txt: is not a file of answers of a judge"),
        (["-d", "coherense"], "unknown dimension 'coherense'; did you mean 'coherence'?"),
        (["--config", "no.toml"], "no.toml: there is no such file"),
        (["--like", "nowhere"], "nowhere: holds no study"),
    ],
)
def test_bad_arguments(files, server, capsys, arguments, message):
    (files / "notes.txt").write_text("mine\n")
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    assert main([*RUN, *arguments]) == 2
    assert message in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before
    assert not server.requests


def test_a_wrong_key_writes_no_set(files, server, capsys):
    from fault_server import error

    server.script = lambda number, body: error(401, f"Incorrect API key provided: {KEY[:8]}***")
    assert main(RUN) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "is the key in MY_KEY right?" in err
    assert not (files / "judged.jsonl").exists()


def test_a_stopped_run_writes_what_it_has_and_goes_on(files, server, capsys):
    from fault_server import error

    server.script = lambda number, body: "4" if number < 2 else error(429, "slow down", headers={"Retry-After": "3600"})
    assert main(RUN) == 0
    assert "test-model was stopped: rate limit" in capsys.readouterr().out
    server.script = lambda number, body: "4"
    assert main(RUN) == 0
    assert "all 6 questions" in capsys.readouterr().out


def start_server(log: Path, pause: float) -> tuple[subprocess.Popen, str]:
    process = subprocess.Popen(
        [sys.executable, str(LLM / "fault_server.py"), "0", str(log), str(pause)], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


def test_kill_9_in_the_middle_and_go_on(tmp_path, monkeypatch):
    """No answer that was received is asked for again; at most the requests in flight are, and the card counts them."""
    monkeypatch.chdir(tmp_path)
    write_set(tmp_path, items=15)
    log = tmp_path / "server.log"
    process, url = start_server(log, 0.05)
    try:
        write_config(tmp_path, url, judge="concurrency = 3")
        killed = subprocess.Popen([sys.executable, "-c", f"from assay.cli.main import main; main({RUN!r})"])
        answers = tmp_path / "judged.answers.jsonl"
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and (not answers.exists() or answers.read_text().count("answered") < 8):
            time.sleep(0.02)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        received = answers.read_text().count('"event":"answered"')
        assert 8 <= received < 30
        assert not (tmp_path / "judged.jsonl").exists()
        assert main([*RUN, "--quiet"]) == 0
    finally:
        process.kill()
        process.wait()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    asked = Counter(text for event, text in lines if event == "asked")
    twice = sum(n - 1 for n in asked.values())
    assert len(asked) == 30
    assert max(asked.values()) <= 2
    assert twice <= 3
    card = json.loads((tmp_path / "judged.card.json").read_text())["judges"][0]
    assert card["from_answers_file"] == received
    assert twice <= card["sent_again_after_a_crash"] <= 3  # one may have been written down and not yet sent
    assert len([j for item in read("judged.jsonl") for j in item.judgments if j.kind == "llm"]) == 30


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_run_that_is_interrupted_keeps_the_answers(number, code, word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_set(tmp_path, items=15)
    process, url = start_server(tmp_path / "server.log", 0.1)
    try:
        write_config(tmp_path, url, judge="concurrency = 2")
        command = [sys.executable, "-m", "assay", *RUN]
        running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        answers = tmp_path / "judged.answers.jsonl"
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and (not answers.exists() or answers.read_text().count("answered") < 4):
            time.sleep(0.02)
        running.send_signal(number)
        _, err = running.communicate(timeout=20)
        assert running.returncode == code
        where = "the answers so far are in judged.answers.jsonl, and the same command goes on from there"
        assert err == f"assay: {word}; {where}\n"
        assert not (tmp_path / "judged.jsonl").exists()
        assert main([*RUN, "--quiet"]) == 0
    finally:
        process.kill()
        process.wait()
    assert "all 30 questions" in capsys.readouterr().out
    card = json.loads((tmp_path / "judged.card.json").read_text())["judges"][0]
    assert card["from_answers_file"] >= 4
    assert card["sent_again_after_a_crash"] <= 2


def test_like_a_study(files, server, capsys):
    assert main(["study", "new", "set.jsonl", "--dimensions", "tone", "--scale", "1-3; 3=kind", "--out", "study"]) == 0
    (files / "study" / "instructions.md").write_text("Be strict about tone.")
    server.script = lambda number, body: "3"
    assert main([*RUN, "--like", "study"]) == 0
    prompt = server.requests[0]["messages"][0]["content"]
    assert "Be strict about tone." in prompt
    assert "The scale goes from 1 to 3; 3 is best.\n3: kind" in prompt
    data = read("judged.jsonl")
    assert data.human("tone", rater="test-model").values.tolist() == [[3.0] * 3] * 2
    assert json.loads(Path("judged.card.json").read_text())["dataset"]["like"] == "study"


def test_like_a_study_of_pairs(files, server):
    assert main(["study", "new", "set.jsonl", "--protocol", "compare", "--out", "study"]) == 0
    server.script = lambda number, body: "A"
    assert main([*RUN, "--like", "study"]) == 0
    orders = [row["order"] for row in read("judged.jsonl")["0"].extra["judgments"] if row["rater"] == "test-model"]
    assert orders == [["A", "B"], ["A", "B"], ["B", "A"], ["B", "A"]]


def test_a_study_that_a_judge_cannot_take_part_in(files, server, capsys):
    assert main(["study", "new", "set.jsonl", "--protocol", "rank", "--out", "study"]) == 0
    assert main([*RUN, "--like", "study"]) == 2
    assert "a judge cannot take part in a study of rank; it can in rate, absolute, compare, factoids" in (
        capsys.readouterr().err
    )


def test_the_page_shows_the_configuration_that_it_runs():
    docs = Path(__file__).parents[2] / "docs"
    assert f"```toml\n{(docs / 'judge.toml').read_text()}```" in (docs / "llm-judges.md").read_text("utf-8")
