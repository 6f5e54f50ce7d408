"""Every training script can be imported, so that it has not fallen behind the package; and its folder mirrors one."""

from __future__ import annotations

import importlib
import subprocess
import sys
from operator import add, and_
from pathlib import Path

import numpy as np
import pytest

import assay

ROOT = Path(__file__).parent.parent
TRAINING = ROOT / "training"
SCRIPTS = sorted(TRAINING.rglob("*.py"))
OPTIONAL = {"torch", "sklearn", "spacy", "srsly", "thinc", "wordfreq"}  # what training needs and running does not
IMPORT = """
import importlib, sys
try:
    importlib.import_module(sys.argv[1])
except ModuleNotFoundError as error:
    print(error.name)
"""


@pytest.mark.parametrize("script", SCRIPTS, ids=[str(path.relative_to(TRAINING)) for path in SCRIPTS])
def test_every_script_can_be_imported(script):
    command = [sys.executable, "-c", IMPORT, script.stem]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if missing := done.stdout.strip():
        assert missing.partition(".")[0] in OPTIONAL
        pytest.skip(f"needs {missing}")


def test_folders_mirror_the_package():
    folders = {path.parent.relative_to(TRAINING) for path in SCRIPTS}
    folders.discard(Path("systems", "abstractive"))  # compressors that write words of their own
    folders.discard(Path("text", "encoder"))  # one network for what text/parse and systems/compress do
    homes = [ROOT / "src" / "assay" / folder for folder in folders]
    assert all(home.is_dir() or home.with_suffix(".py").is_file() for home in homes)


@pytest.fixture
def weights():
    """The script that trains weights of dependency types."""
    sys.path.insert(0, str(TRAINING / "metrics"))
    yield importlib.import_module("dependency_weights")
    sys.path.remove(str(TRAINING / "metrics"))


def test_the_trained_score_is_that_of_the_metric(weights):
    texts, reference = ["The man slept.", "An old man sleeps there."], "The old man slept there."
    spec = "depeval(measure=f, refs=max, weights=det:3;num:0.5)"
    metric = assay.score(assay.EvalSet.from_texts(texts, [reference] * 2), spec)
    rows = list(zip(weights._bags(texts), weights._bags([reference] * 2), strict=True))
    types = tuple(sorted({t[0] for a, b in rows for t in (*a, *b)}))
    match, total = (np.array([weights._by_type(f(a, b), types) for a, b in rows]) for f in (and_, add))
    judged = weights.Judged(types, match, total, np.zeros(2), np.arange(2))
    given = np.array([{"det": 3.0, "num": 0.5}.get(t, 1.0) for t in types])
    assert judged.scores(given) == pytest.approx(metric.values[0])


def test_weights_that_people_have_are_found(weights):
    """Judges who count subjects only: training finds it, and other outputs score higher; noise gains nothing."""
    rng = np.random.default_rng(0)
    total = rng.integers(2, 12, size=(600, 4)).astype(float)
    match = np.floor(total / 2 * rng.random(size=total.shape))
    types, segment = ("subj", "obj", "adj", "det"), np.arange(600)
    true = 2 * match[:, 0] / total[:, 0]
    seen = weights.Judged(types, match, total, true, segment).only(segment < 400)
    other = weights.Judged(types, match, total, true, segment).only(segment >= 400)
    trained = weights.train(seen, 0.003)
    assert trained[0] > 5 * trained[1:].max()
    assert other.correlation(trained) > other.correlation(np.ones(4)) + 0.1
    noise = weights.Judged(types, match, total, rng.normal(size=600), segment)
    gain, low, high = weights.gain_interval(noise, weights.train(noise, 100.0))
    assert gain == pytest.approx(0, abs=0.01)
    assert low < 0.01
    assert high > -0.01


@pytest.fixture
def language_model():
    """The scripts that train the language model in the package."""
    sys.path.insert(0, str(TRAINING / "text" / "lm"))
    yield importlib.import_module("evaluated"), importlib.import_module("train")
    sys.path.remove(str(TRAINING / "text" / "lm"))


def test_rare_words_hide_no_evaluated_sentence(language_model):
    evaluated, _ = language_model
    sentence = evaluated.spell("The Xylo Corp. paid $ 1,200 on Friday.")
    masked = evaluated.mask_rare(frozenset({sentence}), {"the", "corp", "paid", "on", "friday", "#"})
    assert evaluated.spell("the <unk> corp. paid $ ## on friday .") in masked


@pytest.mark.slow
def test_the_language_model_has_read_no_evaluated_sentence(language_model, shared_file):
    """Compared by five-word runs, not as the filter compares: no evaluated sentence has all of its runs in one line."""
    evaluated, train = language_model
    research = shared_file("broadcast-news.jsonl.gz").parent
    closed: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for words in (tuple(s.split()) for s in evaluated.evaluated_sentences(research) if s.count(" ") >= 11):
        closed.setdefault(words[:5], []).append(words)
    for line in train.read_training(research):
        words = tuple(evaluated.spell(line).split())
        for start in range(len(words) - 11):
            for sentence in closed.get(words[start : start + 5], ()):
                assert words[start : start + len(sentence)] != sentence, line
