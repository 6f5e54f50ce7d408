"""One threshold for many texts: the mean rate is met, each text obeys the laws, memory does not grow."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.evalset import EvalSet, Item
from assay.errors import InputError
from assay.systems.apply import apply
from assay.systems.compress import COMPRESSORS, Source, compress
from assay.systems.compress._base import Threshold
from assay.systems.compress.length.average import RateCurve, share_threshold
from assay.systems.system import LanguageGate

TEXTS = [
    "The mayor of the small town said on Monday that the old bridge near the harbour would be closed for two years.",
    "Ann Miller, who had lived in Rome since 1999, sold her house and moved to a village in the north of Wales.",
    "A spokesman for the company did not comment on the report, which was published late on Friday in London.",
    "After a long debate the council voted to build a new school, although several members were against the plan.",
    "Dogs bark.",
    "...",
    "",
]


def mean_rate(results) -> float:
    return float(np.mean([c.token_rate for c in results if any(ch.isalpha() for ch in c.source)]))


@pytest.mark.parametrize("faithful", [True, False])
@pytest.mark.parametrize("ratio", [0.3, 0.43, 0.6, 0.71, 0.9])
def test_the_mean_is_met(ratio, faithful):
    texts = [*TEXTS[:4], *TEXTS[5:]]
    results = compress(texts, average_ratio=ratio, faithful=faithful)
    assert ratio - 0.25 < mean_rate(results) <= ratio + 1e-9  # four texts: one step of one text is a large one
    for text, c in zip(texts, results, strict=True):
        assert list(c.kept_tokens) == sorted(set(c.kept_tokens))
        assert [t.text for t in c.tokens] == [text[t.start : t.end] for t in c.tokens]
    assert results[-1].text == ""


def test_lengths_differ_where_texts_do():
    rates = [c.token_rate for c in compress(TEXTS[:5], average_ratio=0.6)]
    assert max(rates) - min(rates) > 0.1
    assert rates[4] == 1.0  # there is nothing to delete


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_trace_is_what_the_charges_give(level):
    system = COMPRESSORS.build("tagger-tree")
    for text in TEXTS[:4]:
        [levels] = system.trace([Source(text, threshold=Threshold(0.7))])
        steps = levels[level]
        ends = [charge for charge, _ in steps[1:]] + [steps[-1][0] + 2]
        for (start, rate), end in zip(steps, ends, strict=True):
            charge = (max(start, end - 2) + end) / 2
            [c] = system.compress([Source(text, threshold=Threshold(0.7, charge, level))])
            assert c.token_rate == pytest.approx(rate)


def test_the_curve_takes_the_first_level_that_is_short_enough():
    curve = RateCurve()
    curve.add([[(-64.0, 1.0), (0.0, 0.8)], [(-64.0, 1.0), (1.0, 0.5)], [(-64.0, 1.0), (1.0, 0.1)]])
    assert curve.find(0.9) == Threshold(0.9, 0.0, 0, 0.8)
    assert curve.find(0.6) == Threshold(0.6, 1.0, 1, 0.5)
    assert curve.find(0.05) == Threshold(0.05, 1.0, 2, 0.1)
    size = curve.steps.nbytes
    for _ in range(50):
        curve.add([[(-64.0, 1.0), (0.3, 0.5)]])
    assert curve.steps.nbytes == size


def test_no_text_with_words():
    assert [c.text for c in compress(["", "..."], average_ratio=0.5)] == ["", "..."]


def test_what_is_removed_is_noted():
    results = compress(TEXTS[:3], average_ratio=0.3)
    assert any("the length limit removed" in note for c in results for note in c.notes)


def test_a_threshold_is_shared():
    system = COMPRESSORS.build("tagger-tree")
    sources = share_threshold(system, [Source(t) for t in TEXTS], 0.6, LanguageGate(system))
    assert len({source.threshold for source in sources}) == 1


def test_a_set_gets_the_same_texts():
    data = EvalSet([Item(str(i), sources=(t,)) for i, t in enumerate(TEXTS[:5])])
    outputs = [item.outputs["tagger-tree"] for item in apply("tagger-tree", data, average_ratio=0.6)]
    assert outputs == [c.text for c in compress(TEXTS[:5], average_ratio=0.6)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average_ratio": 0}, "above 0 and at most 1"),
        ({"average_ratio": 1.5}, "above 0 and at most 1"),
        ({"average_ratio": 0.5, "words": 3}, "give no ratio, words or chars"),
        ({"average_ratio": 0.5, "system": "lead"}, "lead has no threshold"),
    ],
)
def test_errors(options, message):
    with pytest.raises(InputError, match=message):
        compress(TEXTS, **options)
