"""Files of tools that are not read: each is refused with the name of its tool, and none is taken for a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay import read
from assay.cli.main import main
from assay.errors import FormatError
from assay.formats._marks import refuse_marked

TEXTS = {"user_input": "Who?", "response": "She did.", "reference": "She."}
ARENA = {"question_id": 1, "model_a": "A", "model_b": "B", "winner": "model_a"}
STATE = {
    "instance": {"id": "1", "input": {"text": "a"}},
    "train_trial_index": 0,
    "result": {"completions": [{"text": "b"}]},
}
STATS = [{"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match"}, "mean": 1.0}]}]
EEE = {"sample_id": "1", "model_id": "m", "evaluation_name": "qa", "input": {"raw": "a"}, "output": {"raw": ["b"]}}
MLFLOW = {"columns": ["inputs", "outputs", "latency", "faithfulness/v1/score"], "data": [["a", "b", 0.1, 5]]}
TRACE = {
    "request": "a",
    "response": "b",
    "assessments": [{"name": "x", "source": {"source_type": "LLM_JUDGE"}, "value": 1}],
}
SMITH = {"id": "9", "inputs.question": "Who?", "outputs.answer": "She.", "feedback.correctness": "1", "latency": "0.2"}
DETAILS = {"doc": {"query": "a"}, "model_response": {"text": ["b"]}, "metric": {"em": 1.0}}
FILES = {
    "HELM": ("scenario_state.json", {"adapter_spec": {"model": "m"}, "request_states": [STATE]}),
    "HELM, scores": ("per_instance_stats.json", STATS),
    "every_eval_ever": ("samples.jsonl", [EEE, EEE]),
    "OpenAI evals": (
        "log.jsonl",
        [
            {"spec": {"eval_name": "x", "run_id": "r"}},
            {"run_id": "r", "event_id": 0, "sample_id": "s", "type": "match"},
        ],
    ),
    "ragas": ("scores.csv", [{**TEXTS, "faithfulness": 1.0, "answer_relevancy": 0.93}]),
    "ragas, older": (
        "scores.jsonl",
        [{"question": "Who?", "answer": "She.", "contexts": ["x"], "context_recall": 1.0}] * 2,
    ),
    "MLflow": ("eval_results_table.json", MLFLOW),
    "MLflow, traces": ("traces.jsonl", [TRACE, TRACE]),
    "Langfuse": (
        "scores.csv",
        [{"id": "1", "traceId": "t", "name": "x", "value": 1, "dataType": "NUMERIC", "source": "EVAL"}],
    ),
    "LangSmith": ("runs.csv", [SMITH]),
    "lighteval": ("details.jsonl", [DETAILS, DETAILS]),
    "lighteval, older": (
        "details.jsonl",
        [{"example": "a", "predictions": ["b"], "gold": ["c"], "metrics": {"em": 1.0}}] * 2,
    ),
    "MT-Bench": (
        "answers.jsonl",
        [
            {
                "question_id": 81,
                "answer_id": "x",
                "model_id": "m",
                "choices": [{"index": 0, "turns": ["a", "b"]}],
                "tstamp": 1.0,
            }
        ]
        * 2,
    ),
    "MT-Bench, grades": (
        "single.jsonl",
        [
            {
                "question_id": 81,
                "model": "m",
                "judge": ["gpt-4", "single"],
                "user_prompt": "x",
                "judgment": "y",
                "score": 9,
            }
        ]
        * 2,
    ),
    "preferences": ("arena.csv", [ARENA]),
    "preferences, numbered": ("human.jsonl", [{"question_id": 1, "model_1": "A", "model_2": "B", "winner": "tie"}] * 2),
    "preferences, AlpacaEval": ("annotations.json", [{"generator_1": "A", "generator_2": "B", "preference": 1.4}]),
    "verdicts": (
        "judged.csv",
        [{"id": 1, "output": "a b", "verdict": "pass"}, {"id": 2, "output": "c", "verdict": "fail"}],
    ),
    "verdicts, labels": (
        "judged.csv",
        [{"id": 1, "output": "a b", "label": "PASS"}, {"id": 2, "output": "c", "label": "FAIL"}],
    ),
}
WORDS = {"preferences": "preferences between pairs", "verdicts": "a table of verdicts"}


def write(path: Path, content: Any) -> Path:
    if path.suffix == ".csv":
        rows = [list(content[0]), *(row.values() for row in content)]
        path.write_text("".join(f"{','.join(map(str, row))}\n" for row in rows))
    elif path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in content))
    else:
        path.write_text(json.dumps(content, indent=1))
    return path


@pytest.mark.parametrize("case", FILES)
def test_each_is_refused_by_name(case, tmp_path, capsys):
    name, content = FILES[case]
    path = write(tmp_path / name, content)
    tool = case.partition(",")[0]
    with pytest.raises(FormatError, match=rf"this looks like .*{WORDS.get(tool, tool)}.*--columns"):
        read(path)
    assert main(["compare", str(path), str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_parquet_and_folders(tmp_path):
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame([{"doc": "a", "model_response": "b", "metric": 1.0}]).to_parquet(tmp_path / "details.parquet")
    with pytest.raises(FormatError, match="details of lighteval"):
        read(tmp_path / "details.parquet")
    (tmp_path / "run").mkdir()
    write(tmp_path / "run" / "scenario_state.json", {"request_states": []})
    with pytest.raises(FormatError, match="a run of HELM"):
        read(tmp_path / "run")


def test_the_user_decides_otherwise(tmp_path):
    path = write(tmp_path / "scores.csv", FILES["ragas"][1])
    data = read(path, columns={"source": "user_input", "output": "response", "reference": "reference"})
    assert next(iter(data)).outputs == {"scores": "She did."}
    assert len(read(write(tmp_path / "judged.csv", FILES["verdicts"][1]), format="csv")) == 2


@pytest.mark.parametrize(
    "rows",
    [
        [{**TEXTS, "reference": "see https://example.org/v1/score"}],
        [TEXTS],  # the names of ragas without its scores are only texts
        [{"question": "Is it?", "prediction": "yes", "label": "no"}],  # answers, and not verdicts
        [{"id": "1", "model": "A", "output": "a", "reference": "b", "source": "c"}],
        [{"id": "1", "rater": "Ann", "output": "a b", "reference": "c", "faithfulness": 3}],
    ],
)
def test_like_files_are_not_refused(rows, tmp_path):
    refuse_marked(write(tmp_path / "x.csv", rows))
    refuse_marked(write(tmp_path / "x.jsonl", rows * 2))
