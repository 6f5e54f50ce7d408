"""Several files as one set: a file for each system, joined by id or by position, and what does not belong together."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from assay import EvalSet, read
from assay.errors import AlignmentError, FormatError, InputError, UnknownName
from assay.formats import holds_lines, stream_joined

SOURCES = ["It rained all day.", "The cat sat on the mat.", "He went home early."]
REFERENCES = ["Rain all day.", "A cat sat on a mat.", "He left early."]
OLD = ["It rained.", "The cat sat.", "He went home."]
NEW = ["Rain all the day.", "A cat sat on the mat.", "He left home early."]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("old.csv", [row(n, OLD) for n in range(3)])
    write("new.csv", [row(n, NEW) for n in (2, 0, 1)])
    write("m1.jsonl", [{"id": f"q{n}", "model": "gpt", "output": OLD[n], "latency_ms": 3} for n in range(3)])
    write("m2.jsonl", [{"id": f"q{n}", "model": "gpt", "output": NEW[n], "latency_ms": 9} for n in range(3)])
    Path("ref.txt").write_text("".join(f"{text}\n" for text in REFERENCES))


def row(n: int, outputs: list[str], **changes: str) -> dict[str, str]:
    cells = {"id": f"q{n}", "source": SOURCES[n], "reference": REFERENCES[n], "prediction": outputs[n]}
    return {**cells, **changes}


def write(name: str, rows: list[dict]) -> str:
    if name.endswith(".csv"):
        lines = [",".join(rows[0]), *(",".join(map(str, cells.values())) for cells in rows)]
    else:
        lines = [json.dumps(cells) for cells in rows]
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return name


def outputs(data: EvalSet, system: str) -> list[str]:
    return [item.outputs[system] for item in data]


def test_two_tables_are_joined_by_id_in_the_order_of_the_first():
    data = read(["old.csv", "new.csv"])
    assert data.systems == ("old", "new")
    assert data.items == ("q0", "q1", "q2")
    assert outputs(data, "old") == OLD
    assert outputs(data, "new") == NEW
    assert [[r.text for r in item.references] for item in data] == [[text] for text in REFERENCES]
    assert [item.sources for item in data] == [(text,) for text in SOURCES]


def test_the_scores_are_those_of_one_table_with_both_systems():
    from assay import score

    joined = score(read(["old.csv", "new.csv"]), "rouge1")
    whole = score(EvalSet.from_texts({"old": OLD, "new": NEW}, REFERENCES), "rouge1")
    assert joined.values.tolist() == whole.values.tolist()


def test_a_system_is_called_as_its_file_says_and_by_the_file_if_two_say_the_same():
    assert read(["m1.jsonl", "m2.jsonl"]).systems == ("m1", "m2")
    assert read(["m1.jsonl", "old.csv"]).systems == ("gpt", "old")
    for folder in ("a", "b"):
        Path(folder).mkdir()
        write(f"{folder}/preds.csv", [row(n, OLD) for n in range(3)])
    assert read(["a/preds.csv", "b/preds.csv"]).systems == ("a/preds", "b/preds")
    assert stream_joined({"x": "m1.jsonl", "y": "m2.jsonl"}).read().systems == ("x", "y")


def test_sets_of_several_systems_are_joined_too():
    first = EvalSet.from_texts({"A": OLD, "B": NEW}, REFERENCES)
    second = EvalSet.from_texts({"C": OLD}, REFERENCES)
    assert read([first, second]).systems == ("A", "B", "C")
    assert read([first, first]).systems == ("run1/A", "run1/B", "run2/A", "run2/B")
    with pytest.raises(InputError, match="holds 2 systems"):
        stream_joined({"x": first, "y": second}).read()


def test_references_are_lines_or_a_table():
    expected = [[text] for text in REFERENCES]
    write("refs.csv", [{"id": f"q{n}", "gold": REFERENCES[n]} for n in (1, 0, 2)])
    write("text.jsonl", [{"id": f"q{n}", "text": REFERENCES[n]} for n in (1, 0, 2)])
    for references in ("ref.txt", "refs.csv", "text.jsonl", "old.csv"):
        data = read(["m1.jsonl", "m2.jsonl"], references=references)
        assert [[r.text for r in item.references] for item in data] == expected, references
    data = read(["m1.jsonl"], references=["ref.txt", "ref.txt"])
    assert [len(item.references) for item in data] == [2, 2, 2]


def test_a_table_with_a_row_for_each_reference():
    rows = [{"item": f"q{n}", "text": REFERENCES[n], "id": writer} for n in range(3) for writer in ("Ann", "Ben")]
    data = read(["m1.jsonl", "m2.jsonl"], references=write("refs.csv", rows))
    assert [[r.id for r in item.references] for item in data] == [["Ann", "Ben"]] * 3


def test_sources_come_from_a_file_too():
    data = read(["m1.jsonl"], sources="old.csv", references="ref.txt")
    assert [item.sources for item in data] == [(text,) for text in SOURCES]


def test_ids_that_differ_are_an_error_with_three_examples():
    write("ids.csv", [{**row(n, NEW), "id": f"z{n}"} for n in range(3)])
    with pytest.raises(AlignmentError, match=r"old.csv lacks 3 of the 6 items: 'z0', 'z1', 'z2' in ids.csv"):
        read(["old.csv", "ids.csv"])
    write("part.csv", [row(n, NEW) for n in (0, 2)])
    with pytest.raises(AlignmentError, match=r"part.csv lacks 1 of the 3 items: 'q1' in old.csv"):
        read(["old.csv", "part.csv"])
    data = read(["old.csv", "part.csv"], allow_missing=True)
    assert [len(item.outputs) for item in data] == [2, 1, 2]


@pytest.mark.parametrize("role", ["source", "reference"])
def test_texts_that_differ_are_an_error_with_examples(role):
    write("other.csv", [row(n, NEW, **({role: "Another."} if n else {})) for n in range(3)])
    with pytest.raises(AlignmentError, match=rf"have other {role}s for 2 of 3 items \('q1': .* and 'Another.'; 'q2'"):
        read(["old.csv", "other.csv"])


def test_references_given_twice_must_be_the_same():
    assert read(["old.csv"], references="ref.txt")["q0"].references[0].text == REFERENCES[0]
    Path("ref.txt").write_text("Other.\nA cat sat on a mat.\nHe left early.\n")
    with pytest.raises(AlignmentError, match="other references for 1 of 3 items"):
        read(["old.csv"], references="ref.txt")


def test_files_without_ids_are_joined_by_position_if_the_others_agree():
    write("bare.csv", [{"prediction": text} for text in NEW])
    assert outputs(read(["m1.jsonl", "bare.csv"]), "bare") == NEW
    write("turned.jsonl", [{"id": f"q{n}", "output": NEW[n]} for n in (1, 0, 2)])
    with pytest.raises(AlignmentError, match=r"different ids at 2 of 3 places \(1: 'q0' and 'q1'"):
        read(["m1.jsonl", "turned.jsonl", "bare.csv"])
    write("short.csv", [{"prediction": text} for text in NEW[:2]])
    with pytest.raises(AlignmentError, match="differ in their number of items"):
        read(["m1.jsonl", "short.csv"])


def test_judgments_and_other_keys_are_kept():
    judged = [
        {"id": "1", "outputs": {"A": "a b"}, "note": n, "scales": {d: {"best": "high"}}}
        for n, d in ((1, "x"), (2, "y"))
    ]
    for name, item, dimension in (("a.jsonl", judged[0], "x"), ("b.jsonl", judged[1], "y")):
        rating = {"system": "A", "rater": "r", "dimension": dimension, "score": 2}
        write(name, [{**item, "judgments": [rating]}])
    first = next(iter(read(["a.jsonl", "b.jsonl"])))
    assert [(j.system, j.dimension) for j in first.judgments] == [("a", "x"), ("b", "y")]
    assert first.extra["note"] == {"a.jsonl": 1, "b.jsonl": 2}
    assert first.extra["scales"] == {"x": {"best": "high"}, "y": {"best": "high"}}
    write("c.jsonl", [{**judged[0], "scales": {"x": {"best": "low"}}}])
    with pytest.raises(AlignmentError, match="another scale of 'x'"):
        read(["a.jsonl", "c.jsonl"])
    assert (
        read(
            ["old.csv", "new.csv"],
            judgments=write("j.csv", [{"id": "q1", "system": "new", "rater": "r", "fluency": 3}]),
        )["q1"]
        .judgments[0]
        .system
        == "new"
    )


def test_a_file_of_text_with_a_table_or_json_is_read_as_such():
    Path("hyp.txt").write_text(Path("m1.jsonl").read_text())
    Path("old.txt").write_text(Path("old.csv").read_text())
    assert not holds_lines("hyp.txt")
    assert not holds_lines("old.txt")
    assert not holds_lines("old.csv")
    assert holds_lines("ref.txt")
    texts = [[list(item.outputs.values()) for item in read(name)] for name in ("hyp.txt", "m1.jsonl")]
    assert texts[0] == texts[1]
    assert len(read("hyp.txt", format="lines")) == len(Path("m1.jsonl").read_text().splitlines())


def test_what_cannot_be_a_part_is_refused():
    with pytest.raises(FormatError, match=r"holds no references; name their column as --columns reference=\.\.\."):
        read(["m1.jsonl"], references=write("no.csv", [{"id": f"q{n}", "year": n} for n in range(3)]))
    with pytest.raises(UnknownName, match="option of several files 'items'"):
        read(["m1.jsonl", "m2.jsonl"], items="x.csv")
    with pytest.raises(InputError, match="a list of texts does not say what they are"):
        read(["no-such-file.csv", "nor-this.csv"])


def test_data_frames_are_joined():
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = read([pandas.read_csv("old.csv"), pandas.read_csv("new.csv")])
    assert data.systems == ("run1", "run2")
    assert outputs(data, "run2") == NEW
