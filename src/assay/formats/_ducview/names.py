"""What the names of files say at DUC and TAC: annotator, topic, update set and summarizer.

A name is [ANNOTATOR.]TOPIC[-SET].M.LENGTH.[GRANULARITY.]SELECTOR.SUMMARIZER, as in 101.D0601.M.250.A.14.pan.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOPIC = r"D[0-9]{2,5}[A-Z]?(?:-[A-Z])?"
_NAME = re.compile(rf"(?:([0-9]{{1,5}})\.)?({_TOPIC})\.[A-Z]\.[0-9]+\.(?:[A-Z]\.)+([A-Z0-9]+)", re.IGNORECASE)
_SET = re.compile(r"(D[0-9]{2,5}[A-Z]?)-([A-Z])")


class NameParts(NamedTuple):
    """The parts of a name; the letter before the summarizer is the topic's selector, and says nothing of the text."""

    annotator: str | None
    topic: str
    peer: str


def parse_name(name: str) -> NameParts | None:
    """Return the parts of a name without its ending; None if it is not made of them.

    >>> parse_name("101.D0601.M.250.A.03")
    NameParts(annotator='101', topic='D0601', peer='3')
    >>> parse_name("D0703-B.M.100.A.F").topic
    'D0703-B'
    """
    match = _NAME.fullmatch(name)
    return NameParts(match[1], plain_topic(match[2]), plain_number(match[3])) if match else None


def plain_number(name: str) -> str:
    """Return a number without zeros before it, so that 03 and 3 are one system; other names as they are.

    >>> plain_number("03"), plain_number("A"), plain_number("0")
    ('3', 'A', '0')
    """
    return (name.lstrip("0") or "0") if re.fullmatch("[0-9]+", name) else name


def is_topic(name: str) -> bool:
    """Check if this is the name of a topic, or of its update set."""
    return re.fullmatch(_TOPIC, name, re.IGNORECASE) is not None


def plain_topic(name: str) -> str:
    """Return the name of a topic in capitals, as some files have d0601; other names as they are.

    >>> plain_topic("d0601"), plain_topic("D0703-b"), plain_topic("ferry")
    ('D0601', 'D0703-B', 'ferry')
    """
    return name.upper() if is_topic(name) else name


def split_set(topic: str) -> tuple[str, str] | None:
    """Return the topic and the letter of its update set; None if the name has no set.

    >>> split_set("D0703A-B"), split_set("D0703")
    (('D0703A', 'B'), None)
    """
    match = _SET.fullmatch(topic)
    return (match[1], match[2]) if match else None
