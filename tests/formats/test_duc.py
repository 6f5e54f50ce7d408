"""Folders of DUC and TAC: invented ones with what real ones have, and DUC 2007 if it is there."""

from __future__ import annotations

import re
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.content_units import read_pyramid
from assay.errors import FormatError, NoOutputs
from assay.formats._ducview.read import read_ducview
from assay.pyramid import read_pyramids, score_topic

TOPIC = "D0901-A.M.100.K"
STAIR = """Topic
|       Selector
|       |       Assessor
|       |       |       Summarizer (baseline=1; human=A..B; system=2..9)
|       |       |       |       Content Responsiveness Score (1 = very poor...5 = very good)
|       |       |       |       |
"""
MODELS = {"A": "The mill burned.\nNobody was hurt.", "B": "A mill burned\nat night."}
PEERS = {"03": "The mill burned on Monday.", "4": "Rain fell — all day.", **MODELS}


def pan(models: dict[str, str], peer: str, marked: str) -> str:
    """A .pan with one unit, stated by the first words of each model."""
    text = ""
    parts = []
    for name, model in models.items():
        text += f"-----\n D0901-A.M.100.K.{name}\n-----\n"
        parts.append((len(text), model[:8]))
        text += f"{model}\n\n"
    lines = "".join(f"<line>{line}</line>" for line in text.split("\n")[:-1])
    contributors = "".join(
        f'<contributor label="{words}"><part label="{words}" start="{at}" end="{at + 8}"/></contributor>'
        for at, words in parts
    )
    own = f'<contributor label="{marked}"><part label="{marked}" start="0" end="{len(marked)}"/></contributor>'
    return (
        f'<?xml version="1.0"?><peerAnnotation><pyramid><text>{lines}</text><scu uid="1" label="a mill">{contributors}'
        f"</scu></pyramid><annotation><text>{''.join(f'<line>{line}</line>' for line in peer.splitlines())}</text>"
        f'<peerscu uid="1" label="(2) a mill">{own if marked else ""}</peerscu></annotation></peerAnnotation>'
    )


@pytest.fixture
def folder(tmp_path) -> Path:
    """Texts, Basic Elements, one annotated peer in another line division, tables of judgments and annotators."""
    files = {f"ROUGE/models/{TOPIC}.{name}": text for name, text in MODELS.items()}
    files |= {f"ROUGE/peers/{TOPIC}.{name}": text for name, text in PEERS.items()}
    files |= {f"BE/BEmodels/{TOPIC}.A": "mill|the|det\nburned|mill|subj", f"BE/BEmodels/{TOPIC}.B": "mills|a|det"}
    files |= {
        f"BE/BEpeers/{TOPIC}.03": "mills|the|det\nburn|mill|obj\nday|NIL|NIL",
        f"BE/BEpeers/{TOPIC}.4": "rain|a|b",
    }
    files |= {f"pans/{TOPIC}.3.pan": pan(MODELS, "The mill\nburned on Monday.", "The mill")}
    files |= {"content.table": STAIR + "D0901-A\tK\tQ\t3\t4\nD0901-A\tK\tQ\tA\t5\n"}
    files |= {"annotator-table.txt": "Topic\tPyramid-creator\tPeer-annotator\n\nD0901-A\t101\t109\n", "README": "x"}
    for name, text in files.items():
        path = tmp_path / "eval" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("cp1252"))
    return tmp_path / "eval"


def test_everything_of_a_folder_is_one_set(folder):
    (folder / "more.table").write_text(STAIR + "D0902-A\tK\tQ\t3\t1\n")
    with pytest.warns(UserWarning, match=r"judgments of topics without texts \(1\)"):
        data = assay.read(folder)
    [item] = data
    assert (item.id, item.group, item.cluster) == ("D0901-A", "A", "D0901")
    assert data.systems == ("3", "4", "A", "B")
    assert set(data.people) == {"A", "B"}
    assert item.outputs["4"] == "Rain fell — all day."
    assert [(j.system, j.rater, j.dimension, j.score) for j in item.judgments] == [
        ("3", "Q", "responsiveness", 4.0),
        ("A", "Q", "responsiveness", 5.0),
    ]
    pyramid = read_pyramid(item)
    assert (pyramid.annotator, [peer.annotator for peer in pyramid.peers]) == ("101", ["109"])
    [span] = pyramid.peers[0].units[0].contributors[0].spans
    assert item.outputs["3"][span.start : span.end] == "The mill"  # the text that was scored, in other lines
    assert data.reading.notes[0].startswith("2 texts of models, 4 texts of peers, 4 texts as Basic Elements, 1 pyramid")
    assert any("0x97 is not UTF-8: the file was read as windows-1252" in note for note in data.reading.notes)


def test_a_person_is_scored_against_the_other_models(folder):
    scores = assay.score(assay.read(folder), "rouge1(measure=recall, refs=jackknife)")
    assert scores.row("A").item() == pytest.approx(2 / 5)  # mill burned, of B's five words


@pytest.mark.filterwarnings("ignore:.*have no score")
def test_basic_elements_of_files(folder):
    """By hand: HM of 3: mill+the and burn+mill (burned is stemmed) of A's two, none of B's one."""
    data = assay.read(folder)
    assert assay.score(data, "be(parser=files)").row("3").item() == 0.66667  # rounded as ROUGE-1.5.5 does
    assert assay.score(data, "be(parser=files, refs=jackknife)").row("3").item() == pytest.approx((2 / 2 + 0 / 1) / 2)
    assert assay.score(data, "be(parser=files, measure=precision)").row("3").item() == pytest.approx(2 / 4)
    assert assay.score(data, "be(parser=files, word=form)").row("3").item() == 0.0
    assert assay.score(data, "be(parser=files, unit=h)").row("3").item() == pytest.approx(3 / 3)
    assert np.isnan(assay.score(data, "be(parser=files)").row("A").item())


def test_texts_without_basic_elements_are_said(folder):
    with pytest.warns(UserWarning, match=r"2 outputs have no score \(NaN\), as .*file of Basic Elements"):
        assay.score(assay.read(folder), "be(parser=files)")


def test_strict_refuses_what_is_mended(folder):
    with pytest.raises(FormatError, match="not UTF-8"):
        assay.read(folder, strict=True)


@pytest.mark.filterwarnings("ignore:.*have no score")
def test_an_annotation_of_another_text_keeps_it(folder):
    (folder / "ROUGE/peers" / f"{TOPIC}.03").write_text("Something else.")
    data = assay.read(folder)
    [item] = data
    assert item.outputs["3"] == "Something else."
    pyramid = read_pyramid(item)
    assert pyramid.peer_texts["3"] == "The mill\nburned on Monday."
    assert assay.score(data, "pyramid(modified=true)").row("3").item() == 1.0
    assert any("'3' was annotated in another text" in note for note in data.reading.notes)


def test_the_copy_with_the_peers_counts(folder):
    other = pan(MODELS, "x", "").replace("a mill", "one mill").split("<annotation>")[0].replace("<peerAnnotation>", "")
    (folder / "pans" / "D0901-A.pyr").write_text(other)
    data = assay.read(folder)
    assert read_pyramid(data["D0901-A"]).units[0].label == "a mill"
    assert any("1 units differ from D0901-A.pyr" in note for note in data.reading.notes)


def test_judgments_alone(folder):
    table = folder / "content.table"
    with pytest.raises(NoOutputs, match="holds judgments"):
        assay.read(table)
    outputs = folder / "ROUGE"
    (folder / "judged.table").write_text(STAIR + "D0901-A\tK\tQ\t3\t4\n")
    data = assay.read(outputs, judgments=folder / "judged.table")
    assert data.dimensions == ("responsiveness",)


# Other years


def write_all(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.filterwarnings("ignore:.*have no score")
def test_a_folder_of_tac(tmp_path):
    """Annotated peers without an ending, models in two divisions into lines, empty Basic Elements, tables without
    headers, and a pyramid of both update sets."""
    files = {f"ROUGE/models/{TOPIC}.{name}": text for name, text in MODELS.items()}
    files |= {f"manual/models/{TOPIC}.{name}": text.replace("\n", " ") for name, text in MODELS.items()}
    files |= {f"ROUGE/peers/{TOPIC}.3": PEERS["03"], f"ROUGE/peers/{TOPIC}.4": ""}
    files |= {f"BE/BEmodels/{TOPIC}.A": "mill|the|det", f"BE/BEmodels/{TOPIC}.B": "mill|a|det"}
    files |= {f"BE/BEpeers/{TOPIC}.3": "mill|a|det"}
    files |= {f"BE/BEpeers/{TOPIC}.4": ""}
    files |= {f"manual/peers/{TOPIC}.3": pan(MODELS, PEERS["03"], "The mill")}
    both = pan(MODELS, "x", "").split("<annotation>")[0].replace("<peerAnnotation>", "")
    files |= {
        "manual/pyramids/D0901-A.pyr": both,
        "manual/pyramids/D0901-AB.pyr": both.replace("D0901-A.M.100.K.B", "D0901-B.M.100.K.B"),
    }
    files |= {"manual/manual.peer": "D0901-A  3  1.0  1  0  C  0.9  4  5\nD0901-A  4  0  0  0  C  0  1  2\n"}
    files |= {"manual/manual.model": "D0901-A  A  1  C  1.0  5  5\n", "manual/manual.peer.avg": "3 1.0 1 0 0.9 4 5\n"}
    data = assay.read(write_all(tmp_path, files), allow_missing=True)
    [item] = data
    assert (item.id, data.systems) == ("D0901-A", ("3", "4", "A"))
    assert item.outputs["4"] == ""
    assert {r.id: r.text for r in item.references} == MODELS  # the division that was scored
    judged = {(j.system, j.dimension): (j.rater, j.score) for j in item.judgments}
    assert judged["3", "overall responsiveness"] == ("C", 5.0)
    assert judged["A", "linguistic quality"] == ("C", 5.0)
    pyramid = read_pyramid(item)
    assert (pyramid.annotator, [(peer.peer, peer.annotator) for peer in pyramid.peers]) == ("C", [("3", "C")])
    assert assay.score(data, "pyramid(modified=true)").row("3").item() == 1.0
    assert assay.score(data, "be(parser=files)").row("4").item() == 0.0
    assert [note for note in data.reading.notes if "left out" in note] == [
        "D0901-AB: this pyramid has neither peers nor texts: it is left out"
    ]


def test_a_pyramid_of_some_of_the_models_scores_the_other_people_as_peers(tmp_path):
    """As in DUC 2005: no .pyr, an annotator's number before the topic, a person among the annotated."""
    more = {**MODELS, "C": "The mill burned down."}
    files = {f"ROUGE/models/{TOPIC}.{name}": text for name, text in more.items()}
    files |= {f"ROUGE/peers/{TOPIC}.3": PEERS["03"]}
    for annotator, peer, text, marked in (
        ("11", "3", PEERS["03"], "The mill"),
        ("12", "C", more["C"], "The mill"),
        ("12", "3", PEERS["03"], ""),
    ):
        files[f"pans/{annotator}.{TOPIC.lower()}.{peer}.pan"] = pan(MODELS, text, marked)
    data = assay.read(write_all(tmp_path, files), allow_missing=True)
    [item] = data
    assert [r.id for r in item.references] == ["A", "B", "C"]
    pyramid = read_pyramid(item)
    assert tuple(pyramid.models) == ("A", "B")
    texts = {(t.text, t.annotator): t for t in score_topic(pyramid)}
    assert texts["C", "12"].modified == texts["3", "11"].modified == 1.0
    assert texts["3", "12"].modified == 0.0
    assay.write(data, tmp_path / "set.jsonl")
    assert read_pyramid(assay.read(tmp_path / "set.jsonl", allow_missing=True)[TOPIC[:7]]) == pyramid
    with pytest.raises(FormatError, match="references without content units would be lost"):
        assay.write(data, tmp_path / "out", format="ducview")


# DUC 2007


@pytest.fixture(scope="session")
def duc2007(shared_file, tmp_path_factory) -> Path:
    """The data, unpacked into a temporary folder."""
    folder = tmp_path_factory.mktemp("duc")
    with tarfile.open(shared_file("duc2007.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    return folder / "duc2007"


def read_evals(path: Path) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
    """Measure, item, system, and recall, precision and F of each Eval line, one for each set of references."""
    pattern = re.compile(r"(\S+) ROUGE-(\S+) Eval (\S+?)\.M\.\S+ R:(\S+) P:(\S+) F:(\S+)")
    for match in filter(None, map(pattern.match, path.read_text().splitlines())):
        yield match[2], match[3], match[1], tuple(float(value) for value in match.groups()[3:])


@pytest.mark.slow
def test_every_file_of_duc_2007_is_read(duc2007):
    files = [*duc2007.rglob("*.pan"), *duc2007.rglob("*.pyr")]
    assert len(files) == 1019 + 53
    for file in files:
        read_ducview(file)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*not read")  # judgments of the peers that were not annotated
@pytest.mark.parametrize("task", ["mainPyramidEval", "updateEval"])
def test_modified_scores_are_those_of_nist(duc2007, task):
    [table] = (duc2007 / task).rglob("2007_modified_scores.txt")
    rows = [line.split() for line in table.read_text().splitlines() if line.strip()]
    known = {(row[0], row[1]): (float(row[2]), int(row[3]), int(row[4])) for row in rows}
    data = assay.read(duc2007 / task, allow_missing=True)
    texts = {(t.item, t.text): t for pyramid in read_pyramids(data) for t in score_topic(pyramid)}
    scores = assay.score(data, "pyramid(modified=true)")
    for (item, system), (score, units, repeats) in known.items():
        text = texts[item, system]
        assert (text.counts.units, text.counts.repeats) == (units, repeats)
        assert text.modified == pytest.approx(score, abs=5.1e-5)  # four digits are printed
        assert scores.row(system)[scores.items.index(item)] == text.modified
    assert len(known) == {"mainPyramidEval": 299, "updateEval": 720}[task]


@pytest.mark.slow
def test_rouge_and_basic_elements_are_those_of_nist(duc2007):
    """Each jackknifed score is the mean of the printed scores of its sets, to the digits they are printed with."""
    folder = duc2007 / "updateEval"
    calls = {f"{n}": f"rouge{n}" for n in (1, 2, 3, 4)} | {"L": "rougeLsum", "W-1.2": "rougeW", "SU4": "rougeSU4"}
    calls = {name: f"{call}(tokenizer=rouge155, stem=true, refs=jackknife" for name, call in calls.items()}
    calls["BE-HM"] = "be(parser=files, refs=jackknife"
    printed = defaultdict(list)
    for name in ("ROUGE/rougejk.m.out", "BE/simplejk.m.hm.out"):
        for measure, item, system, values in read_evals(folder / name):
            printed[measure, item, system].append(values)
    assert len(printed) == 8 * 840
    data = assay.read(folder, allow_missing=True)
    for place, part in enumerate(("recall", "precision", "f")):
        scores = assay.score(data, [f"{call}, measure={part})" for call in calls.values()])
        for (measure, call), (name, item, system) in ((c, key) for c in calls.items() for key in printed):
            if name == measure:
                s = scores[f"{call}, measure={part})"]
                want = np.mean([values[place] for values in printed[name, item, system]])
                assert s.row(system)[s.items.index(item)] == pytest.approx(want, abs=5.1e-6)


@pytest.mark.slow
def test_update_sets_are_groups_of_ten_topics(duc2007):
    data = assay.read(duc2007 / "updateEval", allow_missing=True)
    assert {item.group for item in data} == {"A", "B", "C"}
    assert len({item.cluster for item in data}) == 10
