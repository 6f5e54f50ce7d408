"""assay paraphrase as a person meets it."""

from __future__ import annotations

import json

import pytest

from assay import read
from assay.cli.main import main

WORDS = [("antwort", "answer"), ("antwort", "reply"), ("haus", "house"), ("baum", "tree")]


@pytest.fixture
def file(tmp_path):
    lines = []
    for k in range(24):
        (f, e), (g, d) = WORDS[k % 4], WORDS[(k + 1) % 4]
        output = f"{e} {d}".replace("reply", "answer")
        item = {"id": str(k), "source": f"{f} {g}", "references": [f"{e} {d}"], "outputs": {"A": output, "B": "x"}}
        lines.append(json.dumps(item))
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def run(capsys, *arguments) -> tuple[int, str, str]:
    code = main(["paraphrase", *map(str, arguments)])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_sets_are_printed_with_counts_and_probabilities(file, capsys):
    code, out, err = run(capsys, file)
    assert (code, err) == (0, "")
    assert out.startswith("1 set of equivalent words and phrases, 2 in all, from 24 lines.")
    assert out.splitlines()[2].split() == ["source", "equivalents", "count", "p(e|f)", "p(f|e)"]
    assert "paraphrases = paraphrases(longest=4, least=2" in out
    _, record = map(json.loads, run(capsys, file, "--json")[1].splitlines())
    assert record["source"] == "antwort"
    assert {e["text"] for e in record["equivalents"]} == {"answer", "reply"}


def test_out_holds_the_variants(file, tmp_path, capsys):
    out = tmp_path / "more.jsonl"
    assert run(capsys, file, "--out", out)[0] == 0
    before, after = read(file), read(out)
    assert after.items == before.items
    added = [r for item in after for r in item.references if (r.id or "").startswith("paraphrase: ")]
    assert {r.id for r in added} == {"paraphrase: answer > reply", "paraphrase: reply > answer"}
    assert run(capsys, file, "--how", "best", "--for", "A", "--out", out)[0] == 0
    assert read(out).systems == ("A",)


def test_out_holds_the_lattice_and_its_file_scores_alike(file, tmp_path, capsys):
    out = tmp_path / "lattice.jsonl"
    assert run(capsys, file, "--how", "lattice", "--out", out)[0] == 0
    made = [r for item in read(out) for r in item.references if r.alternatives]
    assert {a.text for r in made for a in r.alternatives} == {"answer", "reply"}
    assert main(["score", str(out), "-m", "rouge1", "--json"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    assert record["score"] == 1.0
    assert record["metric"].endswith(" + alternatives")
    code, _, err = run(capsys, file, "--how", "lattice", "--explain", "-m", "ter")
    assert (code, err.count("\n")) == (2, 1)
    assert "ter cannot read references with alternatives" in err


@pytest.mark.parametrize("how", ["one", "lattice", "best"])
def test_explain_names_the_replacement(file, capsys, how):
    code, out, _ = run(capsys, file, "--how", how, "--explain", "-m", "rouge1(refs=max)")
    assert code == 0
    assert "reply > answer" in out
    assert f"+ paraphrases(how={how}" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 100
    text = run(capsys, file, "--how", how, "--explain", "-m", "rouge1(refs=max)", "--json")[1]
    causes = [r for r in map(json.loads, text.splitlines()) if "replacement" in r]
    assert [c["replacement"] for c in causes] == ["reply > answer"]
    assert causes[0]["change"] > 0
    assert causes[0]["system"] == "A"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--explain"], "give both --explain and -m"),
        (["-m", "bleu"], "give both --explain and -m"),
        (["--how", "best", "--out", "x.jsonl"], "name it"),
        (["--threshold", "7"], "--threshold must be 0 or more and at most 1; got 7"),
        (["--explain", "-m", "blue"], "unknown metric 'blue'"),
    ],
)
def test_bad_input_is_one_line(file, capsys, arguments, message):
    code, _, err = run(capsys, file, *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_sources_are_needed(tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({"id": "1", "references": ["a"], "outputs": {"A": "a"}}), "utf-8")
    code, _, err = run(capsys, path)
    assert code == 2
    assert "has no source" in err


def test_plain_rouge_is_warned_about(file, capsys):
    """ROUGE sums over references by default; references with one replacement each lower it."""
    code, _, err = run(capsys, file, "--explain", "-m", "rouge1")
    assert code == 0
    assert "rouge1 pools references by sum" in err
    assert "use rouge1(refs=max)" in err
    assert "pools" not in run(capsys, file, "--explain", "-m", "rouge1(refs=max)")[2]
