"""The judge card: enough to run the same again, and no key."""

from __future__ import annotations

import json
from itertools import count

from fault_server import completion
from judging import make_session

import assay
from assay.llm.card import hash_prompt, make_card, repeat_label, write_card
from assay.llm.journal import Journal
from assay.llm.judge import run_session


def card_of(server, tmp_path, **settings) -> dict:
    session = make_session(server.url, **settings)
    ticks = count()
    times = iter(f"2026-01-01T00:00:{n:02}Z" for n in range(60))
    with Journal(tmp_path / "answers.jsonl") as journal:
        keys = {"test-model": "sk-0123456789"}
        timer = lambda: float(next(ticks))  # noqa: E731
        _, run = run_session(session, journal, keys, timer=timer, clock=lambda: next(times))
    card = make_card(session, run, dataset="set.jsonl", sha256="abc", like=None)
    write_card(card, tmp_path / "card.json")
    return json.loads((tmp_path / "card.json").read_text())


def test_the_card(server, tmp_path):
    server.script = lambda number, body: completion("nine" if number == 0 else "4", model="test-model-2026-01-01")
    settings = {"key": "MY_KEY", "leave_out": ("seed",), "temperature": 0.5}
    card = card_of(server, tmp_path, judge=settings, repeats=2)
    assert card["package"] == f"assay {assay.__version__}"
    assert card["dataset"] == {"path": "set.jsonl", "sha256": "abc", "outputs": 6}
    assert card["began"] < card["ended"]
    dimension = card["dimensions"]["coherence"]
    assert "{output}" in dimension["prompt"]
    assert dimension["sha256"] == hash_prompt(dimension["prompt"])
    assert dimension["scale"]["range"] == [1, 5]
    (judge,) = card["judges"]
    assert judge["model"] == "test-model"
    assert judge["answered_as"] == {"test-model-2026-01-01": 12}
    assert judge["decoding"]["coherence"] == {"temperature": 0.5, "max_tokens": 16}
    assert judge["left_out"] == ["seed"]
    assert judge["repeats_vary"] == "self-consistency"
    assert judge["key_from"] == "MY_KEY"
    assert judge["failures"] == {"unparsable reply": 1}
    assert judge["judgments"][0]["judged"] == 11
    assert "sk-0" not in json.dumps(card)


def test_repeats_are_called_what_they_are(server):
    def label(**settings):
        session = make_session(server.url, **settings)
        return repeat_label(session.config.judge[0], session.config)

    assert label() is None
    assert label(repeats=2) == "determinism"
    assert label(repeats=2, judge={"temperature": 1.0}) == "self-consistency"
    assert label(repeats=2, judge={"leave_out": ("temperature",)}) == "self-consistency"
