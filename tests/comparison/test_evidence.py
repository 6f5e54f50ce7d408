"""Corpus scores of real systems: scores and p-values as sacreBLEU 2.6 computes them."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

import assay
from assay.comparison.compare import is_better
from assay.comparison.evidence import _deviations

PEERS = {"bleu": ("BLEU", BLEU), "chrf": ("chrF2", CHRF), "ter": ("TER", TER)}
PAIRS = [
    ("wmt17-de-en", "KIT.4951", "RWTH-nmt-ensemble.4920"),
    ("wmt17-de-en", "SYSTRAN.4846", "online-A.0"),
    ("wmt17-de-en", "C-3MA.4958", "TALP-UPC.4830"),
    ("wmt17-cs-en", "online-A.0", "PJATK.4760"),
    ("wmt17-cs-en", "online-B.0", "uedin-nmt.4955"),
]


@pytest.mark.parametrize("metric", PEERS)
@pytest.mark.parametrize(("name", "first", "second"), PAIRS)
def test_scores_and_unadjusted_p_are_sacrebleus(shared, name, first, second, metric):
    data = assay.EvalSet(list(shared(f"{name}.jsonl.gz"))[:300], allow_missing=True)
    pair = is_better(assay.score(data, metric), first, second, test="bootstrap")
    label, peer = PEERS[metric]
    outputs = [(system, [item.outputs[system] for item in data]) for system in (first, second)]
    references = [[item.references[0].text for item in data]]
    _, table = PairedTest(outputs, {label: peer()}, references, test_type="bs", n_samples=1000)()
    theirs = table[label]
    scores = dict(zip((pair.better, pair.worse), pair.scores, strict=True))
    assert [scores[first], scores[second]] == pytest.approx([theirs[0].score, theirs[1].score], abs=1e-6)
    p = theirs[1].p_value
    assert pair.sacrebleu == pytest.approx(p, abs=4 * np.sqrt(max(p * (1 - p), 1e-3) * 2 / 1000))


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_deviations_equal_a_loop_over_pairs(missing):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 50)).round(1)
    values[rng.random(values.shape) < missing] = np.nan
    expected = np.full((6, 6), np.nan)
    for i in range(6):
        for k in range(6):
            d = values[i] - values[k]
            expected[i, k] = d[~np.isnan(d)].std(ddof=1)
    np.testing.assert_array_equal(_deviations(values), expected)
    assert np.isnan(_deviations(values[:, :1])).all()
