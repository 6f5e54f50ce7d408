"""`assay pyramid` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli.main import main


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_scores_and_kappas(tmp_path, capsys):
    path = tmp_path / "units.csv"
    path.write_text("unit,Ref,Long,Hum\na,1,1,1\nb,1,0,1\nc,0,1,0\nd,0,1,0\n", "utf-8")
    code, out, _ = run(capsys, "pyramid", "score", path, "--gold", "Ref", "--pyramid", "Ref,Hum")
    assert code == 0
    assert out.startswith("Hum has the highest F against Ref: 1.000")
    assert "Ref and Hum agree most on what to keep: kappa 1.000." in out
    records = [
        json.loads(line) for line in run(capsys, "pyramid", "score", path, "--gold", "Ref", "--json")[1].splitlines()
    ]
    assert records[2]["precision"] == 1 / 3
    assert records[2]["recall"] == 0.5
    assert "unknown column 'Reff'; did you mean 'Ref'" in run(capsys, "pyramid", "score", path, "--gold", "Reff")[2]


def test_several_annotators(tmp_path, capsys):
    path = tmp_path / "units.csv"
    path.write_text("annotator,unit,X,Y\nann,a,1,0\nann,b,1,1\nbob,a,1,0\nbob,b,0,1\n", "utf-8")
    code, out, _ = run(capsys, "pyramid", "score", path)
    assert code == 0
    assert "mean of 2 annotators" in out
    assert "Do the annotators agree?" in out
    records = [json.loads(line) for line in run(capsys, "pyramid", "score", path, "--json")[1].splitlines()]
    [agreement] = [r for r in records if r["kind"] == "annotator_agreement"]
    assert (agreement["marks"], agreement["same"]) == (4, 0.75)


def test_annotated_sets(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "example", "content-units")[0] == 0
    code, out, _ = run(capsys, "pyramid", "score", "content-units.jsonl")
    assert code == 0
    assert out.startswith("1 has the highest modified Pyramid score: 0.903")
    assert "ann and bob agree well" in out
    assert run(capsys, "pyramid", "auto", "content-units.jsonl", "--match", "lemma")[0] == 0
    assert run(capsys, "pyramid", "analyze", "content-units.jsonl", "--top", "3")[0] == 0
    code, out, _ = run(capsys, "pyramid", "compare", "content-units.jsonl", "content-units.jsonl")
    assert "alpha 1.000" in out


def test_topics_of_different_annotators_are_scored_and_reported(tmp_path, capsys, monkeypatch):
    """No peer was marked twice, so nothing is said of agreement; before, score and report ended with an error."""
    monkeypatch.chdir(tmp_path)
    run(capsys, "example", "content-units")
    lines = []
    for k, line in enumerate(Path("content-units.jsonl").read_text("utf-8").splitlines()):
        item = json.loads(line)
        own = [peer for peer in item["peers"] if peer["annotator"] == "ann"]
        lines.append(json.dumps({**item, "peers": [{**peer, "annotator": f"ann{k}"} for peer in own]}))
    Path("apart.jsonl").write_text("\n".join(lines), "utf-8")
    code, out, err = run(capsys, "pyramid", "score", "apart.jsonl")
    assert (code, err) == (0, "")
    assert "by 3 annotators" in out
    assert "Do the annotators agree?" not in out
    code, out, _ = run(capsys, "report", "apart.jsonl", "--out", "page.html")
    assert code == 0
    assert "Pyramid scores" in Path("page.html").read_text("utf-8")


def test_conversion_and_its_errors(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(capsys, "example", "content-units")
    code, _, err = run(capsys, "pyramid", "convert", "content-units.jsonl", "topics")
    assert code == 0, err
    assert (tmp_path / "topics" / "ferry.ann.1.pan").is_file()
    code, _, err = run(capsys, "pyramid", "score", "content-units.jsonl", "extra.jsonl")
    assert (code, err.strip()) == (2, "assay: pyramid score takes one file")
    code, _, err = run(capsys, "pyramid", "compare", "content-units.jsonl")
    assert (code, err.strip()) == (2, "assay: pyramid compare takes two files")


def test_questions_about_raters_are_answered_for_annotators_of_units(tmp_path, capsys, monkeypatch):
    """Duplicates by annotator, and scores and correlations without one of them."""
    monkeypatch.chdir(tmp_path)
    run(capsys, "example", "content-units")
    code, out, err = run(
        capsys, "agree", "content-units.jsonl", "--leave-out", "1", "-m", "rouge2", "--resamples", "50"
    )
    assert code == 0
    assert "36 modified Pyramid scores of content units are judgments in the dimension pyramid" in err
    assert "Most consistent: ann (1.000); least consistent: bob (-0.572)." in " ".join(out.split())
    assert "Without bob, system means on pyramid correlate" in out
    code, out, _ = run(capsys, "meta", "content-units.jsonl", "-m", "rouge2", "--resamples", "50", "--json")
    records = map(json.loads, out.splitlines())
    [record] = [record for record in records if record["kind"] == "correlation" and record["level"] == "system"]
    assert record["value"] == pytest.approx(0.961, abs=5e-4)


def test_light_pyramids(capsys):
    samples = Path(__file__).parent.parent / "formats/samples/lite-pyramid"
    for name, best in (
        ("folder", "bart has 0.250 of the units"),
        ("realsumm.csv", "bart has the highest coverage: 0.750 of the units"),
    ):
        code, out, err = run(capsys, "pyramid", "score", samples / name)
        assert code == 0, err
        assert out.startswith(best)


def test_number_of_models_aspects_of_a_file_and_plain_marks(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(capsys, "example", "content-units")
    code, out, _ = run(capsys, "pyramid", "score", "content-units.jsonl", "--models", "--resamples", "20")
    assert code == 0
    assert "With one model instead of 4, the scores of 6 systems correlate" in out
    (tmp_path / "scheme.toml").write_text('Accidents = ["why", "what"]\n', "utf-8")
    options = ("--aspects", "scheme.toml", "--json")
    records = [
        json.loads(r) for r in run(capsys, "pyramid", "analyze", "content-units.jsonl", *options)[1].splitlines()
    ]
    aspects = [r["aspect"] for r in records if r["kind"] == "aspect_count" and r["category"] == "Accidents"]
    assert aspects[:2] == ["why", "what"]
    item = {"id": "1", "outputs": {"A": "It rained."}, "units": ["It rained."], "present": {"A": [1]}}
    (tmp_path / "marks.jsonl").write_text(json.dumps(item) + "\n", "utf-8")
    code, out, _ = run(capsys, "pyramid", "auto", "marks.jsonl")
    assert code == 0
    assert "Matching the sentences of units finds 100% of the units that people marked" in " ".join(out.split())


def test_automatic_annotation_and_what_changes_without_an_annotator(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(capsys, "example", "content-units")
    code, out, _ = run(capsys, "pyramid", "auto", "content-units.jsonl", "-m", "rouge2")
    assert code == 0
    assert "of texts that are not copies" in out
    assert "Without ann, system means on pyramid correlate" in out
    assert "r of rouge2" in out
