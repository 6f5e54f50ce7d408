"""`assay pyramid` as a person meets it."""

from __future__ import annotations

import json

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
    assert out.startswith("Hum shares most content with Ref: F 1.000")
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
