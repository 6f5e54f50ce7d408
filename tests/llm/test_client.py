"""The client: every way in which an endpoint fails has a name, and the key goes nowhere but into the header."""

from __future__ import annotations

import json
import sys

import pytest
from fault_server import Fault, completion, error

from assay.errors import InputError, MissingExtra
from assay.llm.client import Endpoint
from assay.llm.config import JudgeSettings

KEY = "sk-0123456789abcdef"


@pytest.fixture
def send(server):
    def send_once(reply, *, timeout: float = 2.0, key: str | None = KEY):
        server.script = lambda number, body: reply
        judge = JudgeSettings(model="test-model", url=server.url, key="MY_KEY", timeout=timeout)
        endpoint = Endpoint(judge, key)
        try:
            return endpoint.send({"model": "test-model", "messages": []})
        finally:
            endpoint.close()

    return send_once


def test_an_answer(send, server):
    exchange = send("4")
    assert exchange.failure is None
    assert exchange.response == completion("4")
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_no_header_is_sent(send, server):
    send("4", key=None)
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("reply", "failure", "unpaid"),
    [
        (error(429, "slow down"), "rate limit", True),
        (error(500, "oops"), "server error", True),
        (Fault(503, raw=b"<html>busy</html>"), "server error", True),
        (Fault(drop=True), "no connection", False),
        (Fault(body=completion("4"), missing=50), "no connection", False),
        (Fault(body=completion("4"), hang=0.4), "timeout", False),
        (Fault(body=completion("4"), drip=0.02), "timeout", False),
        (error(400, "temperature is not supported"), "request refused", True),
        (Fault(raw=b"x" * (9 << 20)), "no connection", False),
    ],
)
def test_failures(send, reply, failure, unpaid):
    exchange = send(reply, timeout=0.2 if failure == "timeout" else 5)
    assert (exchange.failure, exchange.unpaid) == (failure, unpaid)


def test_how_long_to_wait(send):
    assert send(error(429, "", headers={"Retry-After": "7"})).wait == 7
    assert send(error(429, "", headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})).wait is None
    assert send(error(503, "", headers={"Retry-After": "-1"})).wait is None


@pytest.mark.parametrize("raw", [b"", b"{", b'{"choices": [', b"<html>", b"[" * 100_000, b"\xff\xfe"])
def test_a_response_that_is_no_json_is_kept(send, raw):
    exchange = send(Fault(raw=raw))
    assert exchange.failure is None
    assert "text" in exchange.response


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), r"answered 401 .*is the key in MY_KEY right\?"),
        (error(403, "no"), "answered 403"),
        (error(404, "no such model"), "check url and model"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "there is no credit left"),
        (error(402, "pay"), "there is no credit left"),
        (Fault(302, {}, headers={"Location": "http://127.0.0.1:1/steal"}), "answered 302"),
    ],
)
def test_what_no_request_can_survive(send, server, reply, message):
    with pytest.raises(InputError, match=message) as raised:
        send(reply)
    assert KEY not in str(raised.value)
    assert len(server.requests) == 1  # no redirect was followed


def test_a_key_that_is_echoed_is_masked(send):
    assert KEY not in json.dumps(send(completion(f"your key is {KEY}")).response)
    assert KEY not in send(error(500, f"key {KEY} crashed us")).words


def test_nobody_listens():
    judge = JudgeSettings(model="m", url="http://127.0.0.1:9/v1", timeout=1)
    assert Endpoint(judge, None).send({}).failure == "no connection"


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"an LLM judge needs httpx, .*: pip install '.*\[judges\]'"):
        Endpoint(JudgeSettings(model="m", url="http://127.0.0.1:9/v1"), None)
