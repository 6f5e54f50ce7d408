"""What DucView's files have no place for, kept where DucView leaves it alone.

Lines before the first model summary name the category, the annotator of the pyramid, and topic and models where the
headers cannot; the comment on units outside the pyramid names the peer and its annotator, and says whether all units of
the text were marked. Files without them are read by their names and headers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_LINE = re.compile(r"^(category|annotator|topic|model [0-9]+): (.+)\n", re.MULTILINE)
_EXHAUSTIVE = {True: "all units of the text were marked", False: "not all units of the text were marked"}


class PeerFacts(NamedTuple):
    """What the comment on units outside the pyramid says; None where it does not say it."""

    peer: str | None = None
    annotator: str | None = None
    exhaustive: bool | None = None
    comment: str = ""


def read_topic_facts(lines: str) -> dict[str, str]:
    """Return what the lines before the first model say.

    >>> read_topic_facts("category: Attacks\\n#4\\nmodel 2: ref.1\\n")
    {'category': 'Attacks', 'model 2': 'ref.1'}
    """
    return dict(_LINE.findall(lines))


def add_topic_facts(lines: str, facts: Mapping[str, str | None]) -> str:
    """Return the lines before the first model with these facts in place of those of the same name.

    >>> add_topic_facts("category: Attacks\\n#4\\n", {"category": "Health", "annotator": None})
    'category: Health\\n#4\\n'
    """
    rest = _LINE.sub(lambda match: "" if match[1] in facts else match[0], lines)
    return "".join(f"{name}: {value}\n" for name, value in facts.items() if value) + rest


def read_peer_facts(comment: str) -> PeerFacts:
    """Take the facts out of a comment; what is left is somebody's own.

    >>> read_peer_facts("annotator: ann\\nall units of the text were marked\\nhard to read")
    PeerFacts(peer=None, annotator='ann', exhaustive=True, comment='hard to read')
    """
    lines = comment.split("\n")
    names: dict[str, str] = {}
    for name in ("peer", "annotator"):
        if lines and lines[0].startswith(f"{name}: "):
            names[name] = lines.pop(0).removeprefix(f"{name}: ")
    exhaustive = next((answer for answer, words in _EXHAUSTIVE.items() if lines[:1] == [words]), None)
    rest = "\n".join(lines if exhaustive is None else lines[1:])
    return PeerFacts(names.get("peer"), names.get("annotator"), exhaustive, rest)


def write_peer_facts(facts: PeerFacts) -> str:
    """Return the comment with its facts, a line each, before it."""
    lines = [f"peer: {facts.peer}"] if facts.peer is not None else []
    lines += [f"annotator: {facts.annotator}"] if facts.annotator is not None else []
    lines += [_EXHAUSTIVE[facts.exhaustive]] if facts.exhaustive is not None else []
    return "\n".join([*lines, *([facts.comment] if facts.comment else [])])
