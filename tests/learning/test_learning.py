"""Learning from sets: features, judgments, topics, people, storage, and scoring with what was learned."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

import assay
from assay import EvalSet, learning, score
from assay.data.scores import Scores
from assay.errors import FormatError, InputError, UnknownName
from assay.learning import build_training_set, compare_best_feature, fingerprint, learn, select_scorer, worst_raters
from assay.learning.feature_sets import BEST, FULL, expand_sets
from assay.metrics._scorer_files import load, save

FEATURES = ["rouge1", "rouge2", "ter"]


def quick(data, **options):
    return learn(data, **{"dimension": "content", "features": FEATURES, "learner": "ridge", "resamples": 20, **options})


def test_what_is_learned_scores_new_outputs(make_set, tmp_path):
    lesson = quick(make_set())
    assert lesson.correlations[0].value > 0.8
    new = make_set(seed=5)
    fresh = score(new, lesson.scorer)
    kept = save(lesson.scorer, tmp_path / "scorer")
    again = score(new, str(tmp_path / "scorer"))
    assert (fresh.values == again.values).all()
    assert again.signature == f"{tmp_path / 'scorer'}(checksum={kept.checksum[:12]})"
    assert (score(new, again.signature).values == again.values).all()  # what you would type to get it again
    assert assay.correlate(again, new.human("content"), level="item", interval=None).value > 0.8


@pytest.mark.parametrize("model", ["svr", "rank"])
def test_scores_are_the_models_own(make_set, tmp_path, model):
    data = make_set()
    lesson = quick(data, learner=model)
    save(lesson.scorer, tmp_path / "scorer")
    x = np.stack([v.values * (1 if v.higher_is_better else -1) for v in score(data, FEATURES).values()], axis=-1)
    wanted = lesson.scorer.fitted.predict(x.reshape(-1, 3)).reshape(x.shape[:2])
    assert np.allclose(score(data, str(tmp_path / "scorer")).values, wanted, atol=1e-12)


def test_scoring_needs_no_scikit_learn(make_set, tmp_path, monkeypatch):
    save(quick(make_set(), learner="svr").scorer, tmp_path / "scorer")
    for name in [n for n in sys.modules if n.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    assert not np.isnan(score(make_set(seed=3), str(tmp_path / "scorer")).values).any()
    with pytest.raises(InputError, match=r"needs sklearn, which is not installed: pip install 'assay\[learn\]'"):
        quick(make_set(), learner="svr")


def test_the_record_says_how_it_was_made(make_set, tmp_path):
    data = make_set(people=True)
    lesson = quick(data, people="include")
    save(lesson.scorer, tmp_path / "scorer")
    said = json.loads((tmp_path / "scorer" / "scorer.json").read_text("utf-8"))
    assert said["made"]["data"] == fingerprint(data) != fingerprint(make_set(people=True, seed=1))
    assert said["made"]["jackknifed"] is True
    assert "jackknifed" in said["made"]["people"]
    assert said["made"]["cross_validated"]["correlations"][0]["value"] == lesson.correlations[0].value
    assert [f["signature"] for f in said["features"]] == [assay.metric(f).signature() for f in FEATURES]
    assert "jackknifed" in load(tmp_path / "scorer").summary()


def test_people_scored_against_themselves_are_told_apart(make_set):
    data = make_set(people=True)
    kept = quick(data, people="include", features=["rouge1(own=keep)", "rouge2"])
    assert kept.scorer.record["jackknifed"] is False
    assert "include themselves" in kept.scorer.record["people"]
    left = quick(data)
    assert left.scorer.record["people"] == "left out"
    assert left.predicted.systems == ("s0", "s1", "s2", "s3", "s4")


def test_metrics_that_read_the_whole_set_do_not_read_the_topic_left_out(make_set):
    """nist weighs words by all references: in a fold, by those of the other topics."""
    data = make_set()
    given = build_training_set(data, dimension="content", features=["nist", "rouge1"])
    unseen = given.unseen("i2")
    others = EvalSet([item for item in data if item.id != "i2"])
    wanted = score(data, "nist", background=others).values
    assert (unseen.x[:, 0] == wanted[unseen.cell]).all()
    assert not np.allclose(unseen.x[:, 0], given.examples().x[:, 0])
    assert (unseen.x[:, 1] == given.examples().x[:, 1]).all()
    assert quick(data, features=["nist", "rouge1"]).correlations[0].value > 0.7


def test_a_stored_scorer_prepares_its_features(make_set, tmp_path):
    save(quick(make_set(), features=["nist", "rouge1"]).scorer, tmp_path / "scorer")
    assert not np.isnan(score(make_set(seed=2), str(tmp_path / "scorer")).values).any()


def test_outside_scores_are_features_and_must_be_given_again(make_set, tmp_path):
    data = make_set()
    judge = Scores(data.human("content").values + 0.01, data.systems, data.items, name="gpt")
    lesson = quick(data, scores=[judge], features=["rouge1"])
    assert lesson.correlations[0].value > 0.95
    kept = save(lesson.scorer, tmp_path / "scorer")
    assert kept.outside == ("gpt",)
    with pytest.raises(InputError, match=r"trained with scores by 'gpt'.*--scores FILE"):
        score(data, str(tmp_path / "scorer"))
    few = judge.select(items=data.items[:3])
    with pytest.warns(assay.AssayWarning, match="have no score"):
        values = score(data, kept.with_scores([few])).values
    assert np.isnan(values).tolist() == [[False] * 3 + [True] * 3] * 5


def test_groups_are_left_out_together(make_set):
    data = make_set(items=8, group=2)
    assert quick(data, topic="group").scorer.record["cross_validated"]["folds"] == 4
    with pytest.raises(InputError, match="has no group"):
        quick(make_set(), topic="group")


def test_raters_by_pattern(make_set):
    data = make_set(raters=("expert1", "expert2", "turker1"))
    lesson = quick(data, raters=["expert*"])
    both = np.mean([data.human("content", rater=f"expert{i}").values for i in (1, 2)], axis=0)
    assert np.allclose(lesson.human.values, both)
    assert lesson.scorer.record["raters"] == ["expert1", "expert2"]
    with pytest.raises(UnknownName, match="unknown rater 'judge"):
        quick(data, raters=["judge*"])


def test_the_test_against_the_best_feature(make_set):
    lesson = quick(make_set(items=12))
    found = compare_best_feature(lesson, resamples=50)
    alone = {
        n: assay.correlate(s, lesson.human, level="item", interval=None).value for n, s in lesson.feature_scores.items()
    }
    assert found.value == pytest.approx(max(alone.values()))
    assert found.feature == max(alone, key=alone.get)
    assert found.difference == pytest.approx(lesson.correlations[0].value - found.value)


def test_sets_of_features():
    assert expand_sets(["best"], sources=True) == list(BEST)
    assert "coverage1" in expand_sets(["full"], sources=True)
    assert "coverage1" not in expand_sets(["full"], sources=False)
    assert set(BEST) < set(FULL)
    for name in FULL:
        assert assay.metric(assay.metric(name).signature()) == assay.metric(name)


def test_select_and_test(make_set):
    sets = [make_set(seed=s, items=8, raters=("a", "b")) for s in (1, 2, 3)]
    fit, select = (build_training_set(d, dimension="content", features=FEATURES) for d in sets[:2])
    found = select_scorer(fit, select, level="item")
    assert found.fits == 21
    assert found.topics == (8, 8)
    test = learning.evaluate_scorer(found, sets[2], resamples=20).test
    assert [(c.level, c.value > 0.7) for c in test] == [("item", True), ("system", True)]
    assert found.scorer.record["chosen"]["fitted_to"] == fingerprint(sets[0])
    fewer = select_scorer(fit, select, level="item", without={"i0", "i3"})
    assert (fewer.topics, fewer.left_out) == ((6, 6), ("i0", "i3"))
    with pytest.raises(InputError, match="1 of 8 remain"):
        select_scorer(fit, select, without={f"i{k}" for k in range(7)})


def test_topics_of_the_worst_assessors(make_set):
    one, other = make_set(items=4, raters=("ann",)), make_set(items=4, raters=("zoe",), seed=2)
    items = [*one.entries, *(_renamed(item) for item in other.entries)]
    data = EvalSet([_twice(item, noisy=item.id.startswith("z")) for item in items])
    names, topics = worst_raters([data], "content", 1)
    assert names == ("zoe",)
    assert topics == {"z-i0", "z-i1", "z-i2", "z-i3"}
    with pytest.raises(InputError, match="leaving out 2 of 2 raters"):
        worst_raters([data], "content", 2)


def _renamed(item):
    from dataclasses import replace

    return replace(item, id=f"z-{item.id}")


def _twice(item, *, noisy):
    """Every output once more under another name, as runs that produced the same; a noisy assessor says otherwise."""
    from dataclasses import replace

    more = [j._replace(system=f"{j.system}x", score=j.score + (7.0 * (hash_of(j) % 2) if noisy else 0.0))
            for j in item.judgments]  # fmt: skip
    outputs = {**item.outputs, **{f"{s}x": t for s, t in item.outputs.items()}}
    return replace(item, outputs=outputs, judgments=(*item.judgments, *more))


def hash_of(judgment):
    return int(judgment.system[1:])


@pytest.fixture
def kept(make_set, tmp_path):
    save(quick(make_set()).scorer, tmp_path / "scorer")
    return tmp_path / "scorer"


def changed(folder, change):
    path = folder / "scorer.json"
    said = json.loads(path.read_text("utf-8"))
    change(said)
    path.write_text(json.dumps(said), "utf-8")


def test_a_scorer_of_a_newer_version_is_refused(kept):
    changed(kept, lambda said: said.update(version=2))
    with pytest.raises(FormatError, match=r"written by a newer Assay \(format 2; this one reads up to 1\)"):
        load(kept)


def test_a_scorer_that_was_edited_is_refused(kept):
    changed(kept, lambda said: said["made"].update(dimension="overall"))
    with pytest.raises(FormatError, match="was changed after it was written"):
        load(kept)


def test_other_arrays_are_refused(kept):
    np.savez(kept / "arrays.npz", weights=np.zeros(3))
    with pytest.raises(FormatError, match=re.escape("arrays.npz is not the one")):
        load(kept)


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "cannot be read"), ("[]", "not an Assay scorer"), ('{"format": "x"}', "not an Assay scorer")],
)
def test_what_is_no_scorer_is_refused(kept, content, said):
    (kept / "scorer.json").write_text(content, "utf-8")
    with pytest.raises(FormatError, match=said):
        load(kept)


def test_another_checksum_and_no_scorer_at_all(kept, tmp_path):
    with pytest.raises(FormatError, match="is another scorer: its checksum is"):
        load(f"{kept}(checksum=0000)")
    with pytest.raises(FormatError, match="there is no scorer here"):
        assay.metric(str(tmp_path / "nothing"))
    with pytest.raises(FormatError, match="the folder is not empty"):
        save(load(kept), kept)


def test_bad_input(make_set):
    with pytest.raises(InputError, match="2 topics are too few"):
        quick(make_set(items=2))
    with pytest.raises(InputError, match="was given twice"):
        quick(make_set(), features=["rouge1", "ROUGE-1"])
    with pytest.raises(UnknownName, match="unknown dimension 'pyramid'"):
        quick(make_set(), dimension="pyramid")
    with pytest.raises(InputError, match="no human judgments"):
        quick(EvalSet.from_texts(["a"], ["b"]))
    bare = EvalSet([_without_sources(item) for item in make_set()])
    with pytest.raises(InputError, match="feature 'rate' has no score"):
        quick(bare, features=["rate", "rouge1"])


def _without_sources(item):
    from dataclasses import replace

    return replace(item, sources=())
