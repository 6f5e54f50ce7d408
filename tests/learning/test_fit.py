"""Training a scorer: what it scores, what its folder holds, and what is refused."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from learning_made import FEATURES, quick

import assay
from assay import EvalSet, score
from assay.data.scores import Scores
from assay.errors import FormatError, InputError
from assay.learning import fingerprint
from assay.learning.feature_sets import BEST
from assay.metrics import save_scorer
from assay.metrics._scorer_files import load


@pytest.mark.filterwarnings("ignore:.*outside its range in training")
def test_what_is_learned_scores_new_outputs(make_set, tmp_path):
    lesson = quick(make_set())
    assert lesson.correlations[0].value > 0.8
    new = make_set(seed=5)
    fresh = score(new, lesson.scorer)
    saved = save_scorer(lesson.scorer, tmp_path / "scorer")
    again = score(new, str(tmp_path / "scorer"))
    assert (fresh.values == again.values).all()
    assert again.signature == f"{tmp_path / 'scorer'}(checksum={saved.checksum[:12]})"
    assert (score(new, again.signature).values == again.values).all()  # what you would type to get it again
    assert assay.correlate(again, new.human("content"), level="item", interval=None).value > 0.8


@pytest.mark.parametrize("model", ["svr", "rank"])
def test_scores_are_the_models_own(make_set, tmp_path, model):
    data = make_set()
    lesson = quick(data, learner=model)
    save_scorer(lesson.scorer, tmp_path / "scorer")
    x = np.stack([v.values * (1 if v.higher_is_better else -1) for v in score(data, FEATURES).values()], axis=-1)
    wanted = lesson.scorer.fitted.predict(x.reshape(-1, 3)).reshape(x.shape[:2])
    assert np.allclose(score(data, str(tmp_path / "scorer")).values, wanted, atol=1e-12)


@pytest.mark.filterwarnings("ignore:.*outside its range in training")
def test_scoring_needs_no_scikit_learn(make_set, tmp_path, monkeypatch):
    save_scorer(quick(make_set(), learner="svr").scorer, tmp_path / "scorer")
    for name in [n for n in sys.modules if n.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    assert not np.isnan(score(make_set(seed=3), str(tmp_path / "scorer")).values).any()
    with pytest.raises(InputError, match=r"needs sklearn, which is not installed: pip install '.*\[learn\]'"):
        quick(make_set(), learner="svr")


def test_the_record_says_how_it_was_made(make_set, tmp_path):
    data = make_set(people=True)
    lesson = quick(data, people="include")
    save_scorer(lesson.scorer, tmp_path / "scorer")
    said = json.loads((tmp_path / "scorer" / "scorer.json").read_text("utf-8"))
    assert said["made"]["data"] == fingerprint(data) != fingerprint(make_set(people=True, seed=1))
    assert said["made"]["jackknifed"] is True
    assert "jackknifed" in said["made"]["people"]
    assert said["made"]["cross_validated"]["correlations"][0]["value"] == lesson.correlations[0].value
    assert [f["signature"] for f in said["features"]] == [assay.metric(f).signature() for f in FEATURES]
    assert "jackknifed" in load(tmp_path / "scorer").summary()


@pytest.mark.filterwarnings("ignore:.*outside its range in training")
def test_a_stored_scorer_prepares_its_features(make_set, tmp_path):
    save_scorer(quick(make_set(), features=["nist", "rouge1"]).scorer, tmp_path / "scorer")
    assert not np.isnan(score(make_set(seed=2), str(tmp_path / "scorer")).values).any()


def test_outside_scores_are_features_and_must_be_given_again(make_set, tmp_path):
    data = make_set()
    judge = Scores(data.human("content").values + 0.01, data.systems, data.items, name="gpt")
    lesson = quick(data, scores=[judge], features=["rouge1"])
    assert lesson.correlations[0].value > 0.95
    saved = save_scorer(lesson.scorer, tmp_path / "scorer")
    assert saved.outside == ("gpt",)
    with pytest.raises(InputError, match=r"trained with scores by 'gpt'.*--scores FILE"):
        score(data, str(tmp_path / "scorer"))
    few = judge.select(items=data.items[:3])
    with pytest.warns(assay.AssayWarning, match="have no score"):
        values = score(data, saved.with_scores([few])).values
    assert np.isnan(values).tolist() == [[False] * 3 + [True] * 3] * 5


@pytest.fixture
def scorer_folder(make_set, tmp_path):
    save_scorer(quick(make_set()).scorer, tmp_path / "scorer")
    return tmp_path / "scorer"


def edit_scorer(folder, change):
    path = folder / "scorer.json"
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record), "utf-8")


def test_a_scorer_of_a_newer_version_is_refused(scorer_folder):
    edit_scorer(scorer_folder, lambda record: record.update(version=2))
    with pytest.raises(FormatError, match=r"written by a newer Assay \(format 2; this one reads up to 1\)"):
        load(scorer_folder)


def test_a_scorer_that_was_edited_is_refused(scorer_folder):
    edit_scorer(scorer_folder, lambda record: record["made"].update(dimension="overall"))
    with pytest.raises(FormatError, match="was changed after it was written"):
        load(scorer_folder)


def test_other_arrays_are_refused(scorer_folder):
    np.savez(scorer_folder / "arrays.npz", weights=np.zeros(3))
    with pytest.raises(FormatError, match=re.escape("arrays.npz is not the one")):
        load(scorer_folder)


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "cannot be read"), ("[]", "not an Assay scorer"), ('{"format": "x"}', "not an Assay scorer")],
)
def test_what_is_no_scorer_is_refused(scorer_folder, content, said):
    (scorer_folder / "scorer.json").write_text(content, "utf-8")
    with pytest.raises(FormatError, match=said):
        load(scorer_folder)


def test_another_checksum_and_no_scorer_at_all(scorer_folder, tmp_path):
    with pytest.raises(FormatError, match="is another scorer: its checksum is"):
        load(f"{scorer_folder}(checksum=0000)")
    with pytest.raises(FormatError, match="there is no scorer here"):
        assay.metric(str(tmp_path / "nothing"))
    with pytest.raises(FormatError, match="the folder is not empty"):
        save_scorer(load(scorer_folder), scorer_folder)


def test_the_default_is_monotone_and_needs_no_scikit_learn(make_set, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    trained = assay.learn(make_set(), dimension="content", resamples=5)
    assert trained.learner == "ridge(penalty=1, monotone=true)"
    assert (trained.scorer.fitted.predictor.weights >= 0).all()
    assert trained.monotonicity.holds
    assert [(r.level, r.method, r.folds) for r in trained.unseen_systems] == [
        ("item", "pearson", 5),
        ("item", "spearman", 5),
        ("system", "pearson", 5),
    ]


def test_the_default_features_have_a_direction():
    assert all(assay.metric(name).directed for name in BEST)
    assert not any(assay.metric(name).directed for name in ("length", "rate"))


def test_a_feature_without_a_direction_is_refused_by_a_monotone_learner(make_set):
    features = ["rouge1", "length(unit=chars)"]
    with pytest.raises(InputError, match=r"has no direction .* use the learner 'ridge\(monotone=false\)'"):
        quick(make_set(), features=features)
    assert len(quick(make_set(), features=features, learner="ridge(monotone=false)").features) == 2


def test_judgments_that_no_feature_rises_with(make_set):
    data = make_set()
    turned = EvalSet([replace(i, judgments=tuple(j._replace(score=-j.score) for j in i.judgments)) for i in data])
    with pytest.raises(InputError, match=r"no feature rises with 'content'.*is a lower judgment the better one"):
        quick(turned)


def test_the_range_of_the_features_is_stored(make_set, tmp_path):
    trained = quick(make_set())
    scorer_folder = save_scorer(trained.scorer, tmp_path / "scorer")
    assert (scorer_folder.fitted.low == trained.scorer.fitted.low).all()
    assert (scorer_folder.fitted.high == trained.scorer.fitted.high).all()
