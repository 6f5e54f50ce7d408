"""Events: everything that happens in a study, in an append-only log.

| kind | by | task | payload |
|---|---|---|---|
| consented | rater | | |
| started | rater | | from the server: list, and tasks: item, systems in their order, occasion, role |
| shown | rater | yes | page |
| revealed | rater | yes | |
| paged | rater | yes | page: the page that is shown from now on; there is no way back |
| edited | rater | yes | deltas: [milliseconds since shown, start, characters deleted, text inserted], in code points |
| answered | rater | yes | answer (by protocol), active: seconds; or skip: the reason |
| undone | rater | yes | takes back the answer to this task, which is the last one answered |
| submitted | rater | | ends the study for this rater |
| withdrawn | rater, admin | | nothing of this rater is exported, the place is free; if a rater left, erased follows |
| expired, resumed | server | | the place was freed after a time without events; the rater came back |
| erased | rater, admin | | payload and identity of this rater were removed |
| paused, reopened, closed, extended | admin | | extended: places, the number of places added |

Of pyramid, deltas of edited are [milliseconds since shown, id, unit or mark, or null where it was removed].
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

RATER_KINDS = frozenset(
    ["consented", "started", "shown", "revealed", "paged", "edited", "answered", "undone", "submitted", "withdrawn"]
)
TASK_KINDS = frozenset(["shown", "revealed", "paged", "edited", "answered", "undone"])
SERVER_KINDS = frozenset(["expired", "resumed", "erased"])
STUDY_KINDS = frozenset(["paused", "reopened", "closed", "extended"])
KINDS = RATER_KINDS | SERVER_KINDS | STUDY_KINDS
Key = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
# What the log keeps of a client's own times.
ClientTime = Annotated[
    str, msgspec.Meta(max_length=40, pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$")
]


class StudyEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event. `at` is the server's time, which counts; `client_at` is what the browser said."""

    id: int
    key: str
    kind: str
    at: str
    version: int
    rater: int | None = None
    task: int | None = None
    client_at: str | None = None
    payload: dict[str, Any] = {}


class ClientEvent(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """An event as a browser sends it. `key` is chosen by the browser: the same key is written once."""

    key: Key
    kind: str
    task: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    at: ClientTime | None = None
    payload: dict[str, Any] = {}


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def write_time(time: datetime) -> str:
    """Write a time as RFC 3339 in UTC, to the millisecond.

    >>> write_time(datetime(2024, 5, 1, 12, tzinfo=UTC))
    '2024-05-01T12:00:00.000Z'
    """
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    """Read a time as RFC 3339.

    >>> read_time("2024-05-01T12:00:00.000Z").hour
    12
    """
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
