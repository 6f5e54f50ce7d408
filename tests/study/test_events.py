"""Times and kinds of events."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from assay.study.events import KINDS, RATER_KINDS, TASK_KINDS, read_time, utc_now, write_time


def test_times_are_utc_to_the_millisecond_and_come_back():
    berlin = datetime(2024, 5, 1, 14, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    assert write_time(berlin) == "2024-05-01T12:00:00.123Z"
    assert read_time(write_time(berlin)) == datetime(2024, 5, 1, 12, 0, 0, 123000, tzinfo=UTC)
    assert utc_now().tzinfo == UTC


def test_kinds_about_a_task_come_from_raters():
    assert TASK_KINDS < RATER_KINDS < KINDS
