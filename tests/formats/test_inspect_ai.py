"""Logs of inspect_ai, as JSON and as zip files, damaged ones too."""

from __future__ import annotations

import gzip
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from assay import read
from assay.errors import AssayError, FormatError, SkippedWarning
from assay.formats import format_of
from assay.formats._io import zip_members

SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.SkippedWarning")
SAMPLE = SAMPLES / "inspect-ai/log.json"
NAMING = SAMPLES / "inspect-ai/naming"  # written by inspect_ai, see the README of the samples
LOG = json.loads(SAMPLE.read_text())


def pack(path: Path, log: dict, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a log as inspect_ai does: a header, and a member for each sample and epoch."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": {}}))
        for sample in log["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({k: v for k, v in log.items() if k != "samples"}))
    return path


def pack_zstandard(path: Path, log: dict) -> Path:
    """Write a log packed as inspect_ai does it now; Python 3.11 cannot, so the bytes are put together here."""
    zstandard = pytest.importorskip("zstandard")
    plain = pack(path.with_suffix(".plain"), log, zipfile.ZIP_STORED)
    out, directory = bytearray(), bytearray()
    with zipfile.ZipFile(plain) as archive:
        names = archive.namelist()
        for name in names:
            data, raw = archive.read(name), name.encode()
            packed = zstandard.ZstdCompressor().compress(data)
            sizes = (zlib.crc32(data), len(packed), len(data), len(raw), 0)
            directory += struct.pack("<4s6H3I5H2I", b"PK\1\2", 63, 63, 0, 93, 0, 33, *sizes, 0, 0, 0, 0, len(out)) + raw
            out += struct.pack("<4s5H3I2H", b"PK\3\4", 63, 0, 93, 0, 33, *sizes) + raw + packed
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, len(names), len(names), len(directory), len(out), 0)
    path.write_bytes(out + directory + end)
    return path


def test_a_log():
    assert format_of(SAMPLE) == "inspect-ai"
    with pytest.warns(SkippedWarning, match="values of label that are not numbers"):
        data = read(SAMPLE)
    assert data.items == ("1", "2", "1@2", "2@2")
    assert [item.run for item in data] == ["1", "1", "2", "2"]
    assert data.systems == ("openai/small",)
    assert data["2"].sources == ("Capital of Italy?",)
    assert [r.text for r in data["2"].references] == ["Rome", "Roma"]
    assert data.assessors == (("model_graded_qa", "llm"), ("match", "metric"), ("style", "metric"))
    graded = [j.score for item in ("1", "1@2") for j in data[item].judgments if j.rater == "model_graded_qa"]
    assert graded == [1.0, 0.5]
    assert not [j for j in data["2@2"].judgments if j.rater == "model_graded_qa"]  # NaN: it was not scored
    assert data.dimensions == ()  # no person judged
    assert data.use_assessors("metric").dimensions == ("match", "style.tone", "style.length")


def unpack(folder: Path) -> Path:
    """Write the logs that inspect_ai wrote as JSON, which are gzipped in the samples."""
    folder.mkdir()
    for file in NAMING.glob("*.json.gz"):
        (folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
    return folder


@pytest.mark.parametrize("form", ["eval", "json"])
def test_logs_that_inspect_wrote(tmp_path, form):
    """A folder of logs by two models in two epochs; the accuracy is the one that inspect_ai wrote itself."""
    folder = unpack(tmp_path / "json")
    if form == "eval":
        pytest.importorskip("zstandard")
    own = {}
    for file in folder.iterdir():
        log = json.loads(file.read_text())
        own[log["eval"]["model"]] = {
            s["name"]: next(iter(s["metrics"].values()))["value"] for s in log["results"]["scores"]
        }
    data = read(folder if form == "json" else NAMING)
    assert data.systems == ("mockllm/small", "mockllm/large")
    assert set(data.items) == {f"{name}{run}" for name in ("wren", "oak", "trout") for run in ("", "@2")}
    assert data["wren@2"].outputs == {"mockllm/small": "The wren", "mockllm/large": "wren"}
    assert data["oak"].sources == ("Name a tree.",)
    assert data.clusters is not None
    for scorer in ("includes", "exact"):
        scores = data.use_assessors("metric").human(scorer)
        assert dict(zip(scores.systems, scores.means().tolist(), strict=True)) == {
            model: pytest.approx(values[scorer]) for model, values in own.items()
        }


def test_answers_in_choices_alone(tmp_path):
    log = json.loads(SAMPLE.read_text())
    for sample in log["samples"]:
        text = sample["output"].pop("completion", None)
        if text is not None:
            sample["output"]["choices"] = [
                {"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}
            ]
    (tmp_path / "log.json").write_text(json.dumps(log))
    assert read(tmp_path / "log.json") == read(SAMPLE)


def test_a_second_log_of_a_model_is_a_further_run(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(LOG))
    assert [item.run for item in read(tmp_path) if item.id.startswith("1")] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("make", [pack, pack_zstandard])
def test_a_zip_file(tmp_path, make):
    path = make(tmp_path / "log.eval", LOG)
    assert format_of(path) == "inspect-ai"
    assert read(path) == read(SAMPLE)


def test_a_folder_of_logs(tmp_path):
    (tmp_path / "logs").mkdir()
    pack(tmp_path / "logs" / "a.eval", LOG)
    other = {**LOG, "eval": {**LOG["eval"], "model": "openai/large"}}
    pack(tmp_path / "logs" / "b.eval", other)
    data = read(tmp_path / "logs")
    assert data.systems == ("openai/small", "openai/large")
    assert len(data) == 4
    pack(tmp_path / "logs" / "c.eval", {**LOG, "eval": {"task": "rivers", "model": "m"}})
    with pytest.raises(FormatError, match=r"holds logs of several tasks \(capitals, rivers\)"):
        read(tmp_path / "logs")


def test_a_run_that_did_not_end(tmp_path):
    path = pack(tmp_path / "a.eval", {**LOG, "status": "cancelled"})
    with pytest.warns(SkippedWarning, match="the run has status 'cancelled': its samples may be incomplete"):
        read(path)


@pytest.mark.parametrize("make", [pack, pack_zstandard])
def test_a_truncated_zip_file(tmp_path, make):
    data = make(tmp_path / "a.eval", LOG).read_bytes()
    for size in (0, 10, len(data) // 2, len(data) - 5):
        (tmp_path / "cut.eval").write_bytes(data[:size])
        with pytest.raises(AssayError, match=r"cut\.eval: the zip data is cut off or broken"):
            read(tmp_path / "cut.eval")


def test_flipped_bytes_are_noticed_or_harmless(tmp_path):
    good = pack(tmp_path / "a.eval", LOG).read_bytes()
    texts = {text for item in read(tmp_path / "a.eval") for text in item.outputs.values()}
    for at in range(0, len(good), 37):
        broken = bytearray(good)
        broken[at] ^= 0x55
        (tmp_path / "b.eval").write_bytes(broken)
        try:
            data = read(tmp_path / "b.eval", allow_missing=True)
        except AssayError:
            continue
        for item in data:  # a sample may be lost with its name; none is another than it was
            assert texts.issuperset(item.outputs.values())


def test_a_zip_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_members, "MEMBER_LIMIT", 1 << 16)
    bomb = {**LOG, "samples": [{**LOG["samples"][0], "metadata": {"x": " " * (1 << 20)}}]}
    with pytest.raises(FormatError, match="is larger than 0 MiB when unpacked"):
        read(pack(tmp_path / "a.eval", bomb))
    monkeypatch.setattr(zip_members, "MAX_MEMBERS", 3)
    with pytest.raises(FormatError, match="the zip file has 6 members; at most 3 are read"):
        read(pack(tmp_path / "a.eval", LOG))


def test_a_member_that_lies_about_its_size(tmp_path):
    path = pack(tmp_path / "a.eval", LOG, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("samples/1_epoch_1.json")
    at = data.index(b"PK\1\2")
    while data[at + 46 : at + 46 + len(info.filename)] != info.filename.encode():
        at = data.index(b"PK\1\2", at + 1)
    data[at + 24 : at + 28] = struct.pack("<I", 10)  # it says 10 bytes
    path.write_bytes(data)
    with pytest.raises(FormatError, match="cut off or broken"):
        read(path)


def test_names_in_the_zip_file_lead_nowhere(tmp_path):
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(pack(path, LOG), "a") as archive:
        archive.writestr("samples/../../evil_epoch_1.json", json.dumps({**LOG["samples"][0], "id": "evil"}))
    assert "evil" in read(path).items  # a member is read, and nothing is written anywhere
    assert {p.name for p in tmp_path.rglob("*")} == {"a.eval"}


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ({"header.json": "{"}, "header.json: not a whole JSON document"),
        ({"other.txt": "x"}, "holds no header.json"),
        ({"header.json": '{"eval": 3}'}, "eval must be a JSON object; got a number"),
        ({"header.json": '{"eval": {"model": ""}}'}, "eval.model must be a name; got a text"),
        ({"header.json": '{"eval": {"model": "m"}}'}, "there are no items in it"),
    ],
)
def test_bad_members(tmp_path, content, match):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    with pytest.raises(FormatError, match=match):
        read(tmp_path / "a.eval")
