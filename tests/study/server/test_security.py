"""Cookies, tokens, limits and what the log may hold."""

from __future__ import annotations

import pytest
from litestar.exceptions import TooManyRequestsException

from assay.study.server.security import RateLimit, hash_token, is_token, make_session, mask_path


def test_a_session_cookie_cannot_be_read_by_scripts():
    cookie, stored = make_session("rater", is_secure=True, hours=1)
    header = cookie.to_header()
    for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/", "Max-Age=3600"):
        assert part in header
    assert cookie.value is not None
    assert stored == hash_token(cookie.value) != cookie.value
    assert make_session("rater", is_secure=False, hours=1)[1] != stored


def test_tokens_are_compared_whole():
    assert is_token("abc", "abc")
    assert not is_token("abc", "abd")
    assert not is_token("", "abc")
    assert not is_token("\u00e4", "abc")


def test_a_limit_refills():
    now = [0.0]
    limit = RateLimit(2.0, 3, clock=lambda: now[0])
    for _ in range(3):
        limit.check("a")
    with pytest.raises(TooManyRequestsException) as error:
        limit.check("a")
    assert error.value.headers == {"retry-after": "1"}
    limit.check("b")
    now[0] = 1.0
    limit.check("a")
    limit.check("a")
    with pytest.raises(TooManyRequestsException):
        limit.check("a")


@pytest.mark.parametrize("path", ["/r/1-abcdef", "/join/abcdef", "/admin/login/abcdef"])
def test_tokens_are_not_logged(path):
    assert "abcdef" not in mask_path(path)


def test_a_log_line_is_one_line():
    assert "\n" not in mask_path("/a\nINFO forged")
