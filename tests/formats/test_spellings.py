"""One set in some two thousand spellings: none is misread, and a refusal offers what reads it right."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from spellings.cases import KNOWN, judge_all, list_failures
from spellings.noise import NUMBER_HEADERS, TEXT_HEADERS, list_headers

MAX_REFUSED = 0.2


def test_no_spelling_is_misread():
    """But those in spellings/known.txt, which can only become fewer; the folder, run as a program, says why."""
    verdicts = judge_all()
    assert len(verdicts) >= 900
    known = set(KNOWN.read_text("utf-8").splitlines())
    assert {name: verdicts[name] for name in list_failures(verdicts) if name not in known} == {}
    assert known <= verdicts.keys()
    counts = Counter(verdict.word for verdict in verdicts.values())
    assert counts["refused"] + counts["stuck"] <= MAX_REFUSED * len(verdicts)


def test_columns_that_are_neither_judgments_nor_outputs_have_real_names():
    assert len({header for header, _ in list_headers(NUMBER_HEADERS) + list_headers(TEXT_HEADERS)}) >= 200
