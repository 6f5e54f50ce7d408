"""From outcomes to judgments: each under its rater and kind, with what is known of it; failures beside them."""

from __future__ import annotations

import pytest
from fault_server import completion
from judging import make_judge, make_session, small_set

from assay import EvalSet, Item, read
from assay.data.item import Judgment
from assay.data.scale import Scale
from assay.errors import InputError
from assay.formats import write
from assay.llm.assemble import add_results, check_data, read_outcome, state_scale
from assay.llm.budget import Amount
from assay.llm.journal import StoredAnswer
from assay.llm.runner import Outcome

URL = "http://localhost/v1"


def judge_all(reply, dimensions=("coherence",), **settings) -> EvalSet:
    """The set after every question was answered with `reply(question)`; None is a question that was not answered."""
    session = make_session(URL, dimensions, **settings)
    judged = []
    for question in session.all_questions():
        text = reply(question)
        answer = None if text is None else StoredAnswer(completion(text), 0.5, "now")
        outcome = Outcome(question, answer, None if answer else "timeout", cost=Amount(1, 102, 0.25))
        judged.append(read_outcome(outcome, session.assignment.rubrics[question.dimension], session.config))
    return add_results(session.data, judged, session.config, session.assignment.rubrics)


def test_ratings_stand_beside_those_of_people(tmp_path):
    data = judge_all(lambda q: "4" if q.systems == ("A",) else "5")
    assert [(a.name, a.kind) for a in data.assessors] == [("ann", "human"), ("test-model", "llm")]
    assert data.use_assessors("llm").human("coherence").values.tolist() == [[4.0] * 3, [5.0] * 3]
    assert data.human("coherence").values.tolist() == [[3.0] * 3] * 2
    assert data.scale("coherence").range == (1, 5)
    write(data, tmp_path / "judged.jsonl")
    again = read(tmp_path / "judged.jsonl")
    assert again.assessors == data.assessors
    row = again["0"].extra["judgments"][2]
    assert row == {
        "system": "A",
        "rater": "test-model",
        "dimension": "coherence",
        "score": 4.0,
        "kind": "llm",
        "seconds": 0.5,
        "tokens": 102,
        "cost": 0.25,
    }


def test_failures_are_kept_with_their_reason():
    replies = {"0": "4", "1": "nine", "2": None}
    data = judge_all(lambda q: replies[q.item])
    assert "failures" not in data["0"].extra
    first = {"rater": "test-model", "systems": ["A"], "dimension": "coherence", "reason": "unparsable reply"}
    assert data["1"].extra["failures"][0] == first
    assert data["2"].extra["failures"][0] == {**first, "reason": "timeout"}
    assert len(data["1"].judgments) == 2  # ann's


def test_repeats_are_occasions():
    data = judge_all(lambda q: str(q.repeat), repeats=3)
    own = [j for j in data["0"].judgments if j.rater == "test-model" and j.system == "A"]
    assert [(j.occasion, j.score) for j in own] == [(1, 1.0), (2, 2.0), (3, 3.0)]


def test_pairs_are_ranks_with_their_order():
    data = judge_all(lambda q: "A", ("preference",))
    rows = [row for row in data["0"].extra["judgments"] if row["rater"] == "test-model"]
    assert [(row["system"], row["score"], row["order"], row.get("occasion", 1)) for row in rows] == [
        ("A", 1.0, ["A", "B"], 1),
        ("B", 2.0, ["A", "B"], 1),
        ("B", 1.0, ["B", "A"], 2),
        ("A", 2.0, ["B", "A"], 2),
    ]
    assert data.use_assessors("llm").scale("preference") == Scale("low", kind="pairs")
    ties = judge_all(lambda q: "tie", ("preference",))
    assert {j.score for j in ties["0"].judgments if j.dimension == "preference"} == {1.0}


def test_units_are_the_share_that_is_there():
    data = judge_all(lambda q: "yes" if q.unit == 0 else "no", ("units",))
    row = next(row for row in data["0"].extra["judgments"] if row["dimension"] == "units")
    assert (row["score"], row["units"], row["seconds"]) == (0.5, [True, False], 1.0)
    partly = judge_all(lambda q: "yes" if q.unit == 0 else "perhaps", ("units",))
    assert not [j for j in partly["0"].judgments if j.dimension == "units"]
    assert partly["0"].extra["failures"][0]["unit"] == 1


def test_a_panel_has_a_score_where_all_its_judges_have():
    judges = tuple(make_judge(URL, name=name) for name in ("x", "y", "z"))
    scores = {0: "1", 1: "2", 2: "5"}
    data = judge_all(
        lambda q: None if q.item == "2" and q.judge == 1 else scores[q.judge], judges=judges, panel=("mean", "median")
    )
    by_rater = {j.rater: j.score for j in data["0"].judgments if j.system == "A"}
    assert by_rater["mean of x, y, z"] == pytest.approx(8 / 3)
    assert by_rater["median of x, y, z"] == 2.0
    assert {kind for _, kind in data.assessors} == {"human", "llm"}
    assert not [j for j in data["2"].judgments if " of " in j.rater]


def test_what_is_known_of_earlier_judgments_stays():
    row = {"system": "A", "rater": "ann", "dimension": "coherence", "score": 3, "seconds": 9}
    judgments = (Judgment("A", "ann", "coherence", 3.0),)
    item = Item("0", sources=("s",), outputs={"A": "a"}, judgments=judgments, extra={"judgments": [row]})
    data = judge_all(lambda q: "4", data=EvalSet([item]))
    assert data["0"].extra["judgments"][0] == row
    assert len(data["0"].extra["judgments"]) == 2


def test_what_could_not_stand_in_the_set_is_refused_before_anything_is_paid():
    session = make_session(URL)
    rubrics = session.assignment.rubrics

    def refuse(item: Item, message: str) -> None:
        with pytest.raises(InputError, match=message):
            check_data(EvalSet([item]), session.config, rubrics)

    def judged(rater: str, score: float, **extra) -> Item:
        judgments = (Judgment("A", rater, "coherence", score),)
        return Item("0", outputs={"A": "a"}, judgments=judgments, extra=extra)

    refuse(judged("test-model", 3.0), "'test-model' has judged 'coherence' already; give the judge another name")
    refuse(judged("ann", 80.0), r"'coherence' was judged from 80 to 80; the rubric has 1 to 5: set range = \[80, 80\]")
    refuse(judged("ann", 3.0, scales={"coherence": {"range": [1, 7]}}), "the set has 'coherence' from 1 to 7")
    refuse(judged("ann", 3.0, scales={"coherence": {"best": "low"}}), "low is best in 'coherence' by the set")
    refuse(
        judged("ann", 1.0, scales={"coherence": {"kind": "ranking"}}),
        "'coherence' is of kind ranking in the set; the rubric makes it one of rating",
    )
    check_data(small_set(), session.config, rubrics)
    assert state_scale(rubrics["coherence"]).best == "high"
