"""One endpoint: send a request, and say what came back. The key goes into the header and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from .. import extras
from ..errors import InputError
from .config import JudgeSettings

TIMEOUT, RATE_LIMIT, SERVER_ERROR = "timeout", "rate limit", "server error"
CONNECTION, REFUSED_REQUEST = "no connection", "request refused"
RETRIED = frozenset([TIMEOUT, RATE_LIMIT, SERVER_ERROR, CONNECTION])
MAX_RESPONSE = 8 << 20  # bytes of a response
MASK = "[key]"
_QUOTED = 200  # characters of an endpoint's own words in a message


class Exchange(NamedTuple):
    """What came back: the response, or the category of failure with the endpoint's words and how long to wait."""

    seconds: float
    response: Any = None
    failure: str | None = None
    words: str = ""
    wait: float | None = None
    unpaid: bool = False  # whether the endpoint said that it did no work


class Endpoint:
    """A client of one endpoint for several threads."""

    def __init__(self, judge: JudgeSettings, key: str | None) -> None:
        httpx = extras.import_extra("httpx", "judges", "an LLM judge")
        self._judge, self._key, self._httpx = judge, key, httpx
        headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        limits = httpx.Limits(max_connections=judge.concurrency, max_keepalive_connections=judge.concurrency)
        # A redirect could carry the key to somebody else.
        self._client = httpx.Client(headers=headers, follow_redirects=False, timeout=judge.timeout, limits=limits)

    def send(self, body: Mapping[str, Any]) -> Exchange:
        """Send one request; raise InputError where no request of this run can succeed."""
        start = monotonic()
        try:
            status, headers, raw = self._post(msgspec.json.encode(body), start)
        except self._httpx.TimeoutException:
            return Exchange(monotonic() - start, failure=TIMEOUT)
        except (self._httpx.ConnectError, self._httpx.UnsupportedProtocol) as error:
            return Exchange(monotonic() - start, failure=CONNECTION, words=self.scrub(str(error)), unpaid=True)
        except (self._httpx.HTTPError, self._httpx.InvalidURL, OSError) as error:
            return Exchange(monotonic() - start, failure=CONNECTION, words=self.scrub(str(error)))
        return self._read(status, headers, self.scrub(raw.decode("utf-8", "replace")), monotonic() - start)

    def _post(self, content: bytes, start: float) -> tuple[int, Mapping[str, str], bytes]:
        with self._client.stream("POST", self._judge.endpoint, content=content) as response:
            parts, size = [], 0
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if monotonic() - start > self._judge.timeout:  # one that sends a byte now and then
                    raise self._httpx.ReadTimeout("the whole response took too long")
                if size > MAX_RESPONSE:
                    raise self._httpx.DecodingError(f"the response is larger than {MAX_RESPONSE} bytes")
            return response.status_code, response.headers, b"".join(parts)

    def _read(self, status: int, headers: Mapping[str, str], text: str, seconds: float) -> Exchange:
        if status == 200:
            return Exchange(seconds, response=_parse(text))
        words, code = _error_words(text)
        if status == 429 and code != "insufficient_quota":
            return Exchange(
                seconds, failure=RATE_LIMIT, words=words, wait=_seconds(headers.get("retry-after")), unpaid=True
            )
        if status >= 500 or status in (408, 409):
            wait = _seconds(headers.get("retry-after"))
            return Exchange(seconds, failure=SERVER_ERROR, words=f"{status} {words}", wait=wait, unpaid=True)
        where = f"judge {self._judge.rater!r}: {self._judge.url} answered {status}"
        if status in (401, 403):
            key = f"; is the key in {self._judge.key} right?" if self._judge.key else "; it wants a key: set key = ..."
            raise InputError(f"{where} ({words}){key}")
        if status in (402, 429):
            raise InputError(f"{where} ({words}): there is no credit left")
        if status in (301, 302, 303, 307, 308, 404, 405):
            raise InputError(f"{where} ({words}); check url and model: requests go to {self._judge.endpoint}")
        return Exchange(seconds, failure=REFUSED_REQUEST, words=f"{status} {words}", unpaid=True)

    def scrub(self, text: str) -> str:
        """Return a text without the key: endpoints like to repeat it in their errors."""
        return text.replace(self._key, MASK) if self._key else text

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _parse(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return {"text": text[:100_000]}  # kept, as it was paid for; it holds no choices, so it is not a judgment


def _error_words(text: str) -> tuple[str, str]:
    """Return the message and the code of an error as OpenAI and those who follow it write them."""
    try:
        error = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        error = None
    if isinstance(error, dict):
        error = error.get("error", error)
    message = error.get("message", error.get("detail")) if isinstance(error, dict) else error
    code = error.get("code") if isinstance(error, dict) else ""
    words = message if isinstance(message, str) else text
    return " ".join(words.split())[:_QUOTED] or "no reason given", str(code)


def _seconds(header: str | None) -> float | None:
    try:
        seconds = float(header) if header is not None else None
    except ValueError:  # a date: the ordinary backoff will do
        return None
    return seconds if seconds is not None and 0 <= seconds < 1e6 else None
