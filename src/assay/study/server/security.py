"""Who may do what: session cookies, tokens in links, rate limits and response headers."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.exceptions import NotAuthorizedException, NotFoundException, TooManyRequestsException
from litestar.response.base import ASGIResponse

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from ..service import StudyService

RATER_COOKIE, ADMIN_COOKIE, CSRF_COOKIE, CSRF_HEADER = "rater", "admin", "csrf", "x-csrf-token"
RATER_HOURS, ADMIN_HOURS = 24 * 14, 12
CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
ACCESS_LOG = logging.getLogger("assay.study.access")
_TOKEN_PATHS = re.compile(r"^(/r/|/join/|/admin/login/).*")


def hash_token(token: str) -> str:
    """Return what is stored of a cookie's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def cookie_name(service: StudyService, kind: str) -> str:
    """Return the name of a cookie of a study: each has its own, so that studies on one host keep their sessions."""
    prefix = "__Host-" if service.is_https else ""  # browsers take these from this host alone, and Secure only
    return f"{prefix}{kind}-{service.settings.id}"


def make_session(name: str, *, is_secure: bool, hours: float) -> tuple[Cookie, str]:
    """Return a session cookie with a new random token, and what is stored of it."""
    token = secrets.token_urlsafe(32)
    cookie = Cookie(
        key=name,
        value=token,
        path="/",
        max_age=int(hours * 3600),
        secure=is_secure,
        httponly=True,
        samesite="lax",  # not strict: people come from a crowd platform or from their mail
    )
    return cookie, hash_token(token)


def is_token(token: str, right: str) -> bool:
    """Compare a token in constant time."""
    return hmac.compare_digest(token.encode(), right.encode())


def session_hash(connection: ASGIConnection[Any, Any, Any, Any], kind: str) -> str:
    """Return what is stored of the session that a request says it belongs to."""
    service: StudyService = connection.app.state.service
    return hash_token(connection.cookies.get(cookie_name(service, kind), ""))


def refuse_link(connection: ASGIConnection[Any, Any, Any, Any]) -> NoReturn:
    """Refuse a link that is not right. Who tries many has to wait, and no one else: right links are not counted."""
    connection.app.state.failure_limit.check(connection.client.host if connection.client else "unknown")
    raise NotFoundException("this link is not valid")


def rater_of(connection: ASGIConnection[Any, Any, Any, Any]) -> int:
    """Return the rater of the session that a request belongs to, or refuse it."""
    service: StudyService = connection.app.state.service
    session = service.session_rater(session_hash(connection, RATER_COOKIE))
    if session is None or session[0] is None:
        raise NotAuthorizedException("no session: open your link again")
    return session[0]


def require_admin(connection: ASGIConnection[Any, Any, Any, Any], _: Any = None) -> None:
    """Refuse a request that is not the admin's."""
    service: StudyService = connection.app.state.service
    session = service.session_rater(session_hash(connection, ADMIN_COOKIE))
    if session is None or session[0] is not None:
        raise NotAuthorizedException("no admin session: open the admin link again")


class RateLimit:
    """At most n requests at once from one caller, refilled at a steady rate."""

    def __init__(self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def check(self, caller: str) -> None:
        """Count a request, or refuse it with the time to wait."""
        if (wait := self.take(caller)) is not None:
            raise TooManyRequestsException("too many requests; wait a moment", headers={"retry-after": str(wait)})

    def take(self, caller: str) -> int | None:
        """Count a request; return the seconds to wait where it is one too many, else None."""
        now = self._clock()
        left, since = self._buckets.get(caller, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        if left < 1:
            return max(1, round((1 - left) / self.rate))
        if len(self._buckets) > 10_000:  # callers that are full again need no memory
            full = [k for k, (n, t) in self._buckets.items() if n + (now - t) * self.rate >= self.burst]
            for key in full:
                del self._buckets[key]
        self._buckets[caller] = (left - 1, now)
        return None


class HostCheck:
    """Middleware that answers under the allowed names only, on any port; Litestar's own compares the port as well."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app, self.hosts = app, frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "\0" in scope.get("path", ""):  # no file and no route has it in its name, and systems refuse to look for it
            body = b'{"code":"not_found","message":"not found"}'
            await ASGIResponse(body=body, status_code=404, media_type="application/json")(scope, receive, send)
            return
        header = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if not self.hosts or host_name(header) in self.hosts:
            await self.app(scope, receive, send)
            return
        body = b'{"code":"wrong_host","message":"this server is not reached under this name"}'
        await ASGIResponse(body=body, status_code=400, media_type="application/json")(scope, receive, send)


def host_name(header: str) -> str:
    """Return the name in a Host header, without the port.

    >>> host_name("Study.example.org:8000"), host_name("[::1]:8000")
    ('study.example.org', '::1')
    """
    name = header.partition("]")[0] if header.startswith("[") else header.partition(":")[0]
    return name.strip("[]").lower()


async def add_headers(message: Message, scope: Scope) -> None:
    """Put the security headers on every response; nothing but static files may be cached."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers[name] = value
    if not scope["path"].startswith("/static/"):
        headers["cache-control"] = "no-store"
    if scope.get("scheme") == "https":
        headers["strict-transport-security"] = "max-age=31536000"
    ACCESS_LOG.info("%s %s %s", scope.get("method", ""), mask_path(scope["path"]), message["status"])


def mask_path(path: str) -> str:
    """Return a path for the log: without tokens, without line breaks; the query is never there.

    >>> mask_path("/r/12-5f0c"), mask_path("/api/events")
    ('/r/...', '/api/events')
    """
    return re.sub(r"[^\x21-\x7e]", "?", _TOKEN_PATHS.sub(r"\1...", path))[:200]
