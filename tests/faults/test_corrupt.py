"""Files of our own that were damaged, cut off or made to do harm: one-line errors, or as if they were not there."""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import sqlite3
import sys
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.arrays import read_arrays
from assay.cli.main import main
from assay.errors import AssayError, AssayWarning, FormatError
from assay.extras import find_model
from assay.metrics import _scorer_files as storage
from assay.systems.compress.neural import tagger as tagger
from assay.systems.compress.tree import _cart as cart
from assay.systems.compress.tree import transducer as transducer
from assay.text.cache import Cache
from assay.text.lm import trigrams as ngram
from assay.text.parse.parser import parse

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set

MODELS = find_model("compress", "the tests")


def damaged(content: bytes, number: int, seed: int) -> Iterator[bytes]:
    """Copies with one bit flipped, and some cut off, at places drawn with a seed; the first and last bytes always."""
    rng = random.Random(seed)
    places = [0, 1, len(content) - 1, *(rng.randrange(len(content)) for _ in range(number))]
    for place in places:
        yield content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]
    for size in [0, 1, len(content) - 1, *(rng.randrange(len(content)) for _ in range(number // 10))]:
        yield content[:size]


def only_our_errors(load) -> object:
    """What it loads, or None where it says in one line why not."""
    try:
        return load()
    except AssayError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return None


# The cache


def fill(folder: Path) -> tuple[Path, dict[str, bytes]]:
    values = {f"text {i}": f"value {i} ".encode() * 20 for i in range(200)}
    cache = Cache(folder)
    cache.put("m", "1", values.items())
    cache.close()
    return cache.path, values


def test_a_flipped_bit_in_the_cache_is_a_miss(tmp_path):
    path, values = fill(tmp_path / "whole")
    whole, hits = path.read_bytes(), 0
    for number, content in enumerate(damaged(whole, 400, 1)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / path.name).write_bytes(content)
        cache = Cache(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AssayWarning)
            got = cache.get("m", "1", list(values))
            cache.models()
            cache.put("m", "1", [("new", b"new")])
        assert all(values[text] == value for text, value in got.items())
        cache.close()
        hits += len(got)
        shutil.rmtree(folder)
    assert hits > 200 * 200  # most damage is to one entry: the others are still found


def test_a_value_under_another_key_is_a_miss(tmp_path):
    """The checksum knows whose it is."""
    path, values = fill(tmp_path)
    with sqlite3.connect(path) as database:
        [(first,), (second,)] = database.execute("select value from entries order by id limit 2")
        database.execute("update entries set value = ? where value = ?", (first, second))
    database.close()
    assert len(Cache(tmp_path).get("m", "1", list(values))) == len(values) - 1


def test_wrong_parses_never_come_from_a_damaged_cache(tmp_path):
    """Each entry holds something else: the texts are parsed again."""
    strings = ["Cats sleep.", "The dog that barked ran away."]
    right = parse(strings, cache=Cache(tmp_path))
    path = next(tmp_path.glob("*.sqlite"))
    rng = random.Random(3)
    for _ in range(30):
        with sqlite3.connect(path) as database:
            for row, value in database.execute("select id, value from entries").fetchall():
                place = rng.randrange(len(value))
                broken = value[:place] + bytes([value[place] ^ 1 << rng.randrange(8)]) + value[place + 1 :]
                database.execute("update entries set value = ? where id = ?", (broken, row))
        database.close()
        assert parse(strings, cache=Cache(tmp_path)) == right


# Scorers


@pytest.fixture(scope="module")
def scorer(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("scorer")
    assay.write(made_set(), folder / "judged.jsonl")
    arguments = ("--dimension", "content", "--features", "rouge1", "rouge2", "--learner", "svr", "--resamples", "5")
    assert main(["learn", str(folder / "judged.jsonl"), *arguments, "--out", str(folder / "s"), "--quiet"]) == 0
    return folder / "s"


def test_flipped_bits_in_a_scorer(scorer, tmp_path):
    whole, refused = storage.load(scorer), 0
    for name in (storage.JSON, storage.ARRAYS):
        for number, content in enumerate(damaged((scorer / name).read_bytes(), 150, 2)):
            folder = tmp_path / f"{name}{number}"
            shutil.copytree(scorer, folder)
            (folder / name).write_bytes(content)
            loaded = only_our_errors(lambda folder=folder: storage.load(folder))
            # Equal where only white space was hit.
            assert loaded is None or loaded.checksum == whole.checksum  # type: ignore[attr-defined]
            refused += loaded is None
            shutil.rmtree(folder)
    assert refused > 300


def forge(scorer: Path, folder: Path, said: dict | None = None, arrays: dict | None = None, raw: bytes = b"") -> Path:
    """A scorer with other contents and checksums that fit them, as somebody could make who means harm."""
    shutil.copytree(scorer, folder)
    written = json.loads((scorer / storage.JSON).read_text())
    with np.load(scorer / storage.ARRAYS) as file:
        held = dict(file)
    held = {k: v for k, v in (held | (arrays or {})).items() if v is not None}
    packed = io.BytesIO()
    np.savez(packed, **held)
    content = raw or packed.getvalue()
    (folder / storage.ARRAYS).write_bytes(content)
    written |= {"arrays": hashlib.sha256(content).hexdigest()}
    written = {k: v for k, v in (written | (said or {})).items() if v is not None and k != "checksum"}
    written["checksum"] = storage._checksum(written)
    (folder / storage.JSON).write_text(json.dumps(written))
    return folder


class Pickled:
    """Would make a file if it were ever unpickled."""

    def __reduce__(self):
        return (open, ("pickle-was-run", "w"))


def npz_with(header: bytes) -> bytes:
    """An .npz whose only array has this header and no content."""
    length = len(header).to_bytes(2, "little")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("center.npy", b"\x93NUMPY\x01\x00" + length + header)
    return packed.getvalue()


FORGED = {
    "wrong width": {"arrays": {"center": np.zeros(5)}},
    "wrong dimensions": {"arrays": {"center": np.zeros((2, 2))}},
    "no dimension": {"arrays": {"center": np.array(1.0)}},
    "NaN": {"arrays": {"dual": np.array([np.nan])}},
    "NaN weights": {"arrays": {"vectors": np.full((3, 2), np.nan), "dual": np.zeros(3)}},
    "infinite": {"arrays": {"spread": np.array([np.inf, 1.0])}},
    "no spread": {"arrays": {"spread": np.zeros(2)}},
    "target": {"arrays": {"target": np.zeros(3)}},
    "words for numbers": {"arrays": {"center": np.array(["a", "b"])}},
    "complex": {"arrays": {"center": np.array([1j, 2j])}},
    "pickle": {"arrays": {"center": np.array([Pickled(), Pickled()], dtype=object)}},
    "missing array": {"arrays": {"center": None}},
    "missing gamma": {"arrays": {"gamma": None}},
    "foreign array": {"arrays": {"../../evil": np.zeros(1)}},
    "no zip": {"raw": b"not a zip"},
    "a promise of 2**60": {
        "raw": npz_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,), }\n")
    },
    "a header that is code": {"raw": npz_with(b"{'descr': exit(7), 'fortran_order': False, 'shape': (1,), }\n")},
    "negative shape": {"raw": npz_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }\n")},
    "deep header": {"raw": npz_with(b"(" * 9000 + b")" * 9000)},
    "features no list": {"said": {"features": {"a": 1}}},
    "features of numbers": {"said": {"features": [1, 2]}},
    "a feature of a number": {"said": {"features": [{"signature": 1}, {"signature": "rouge1"}]}},
    "no features": {"said": {"features": []}},
    "unknown key": {"said": {"features": [{"signature": "rouge1", "more": 1}] * 2}},
    "unknown metric": {"said": {"features": [{"signature": "nosuch"}] * 2}},
    "a path for a metric": {"said": {"features": [{"signature": "../../etc"}] * 2}},
    "predictor": {"said": {"predictor": "tree"}},
    "predictor no text": {"said": {"predictor": ["rbf"]}},
    "made no record": {"said": {"made": [1]}},
    "version": {"said": {"version": "1"}},
    "version 0": {"said": {"version": 0}},
    "version true": {"said": {"version": True}},
    "newer": {"said": {"version": 2}},
    "format": {"said": {"format": "other"}},
    "missing predictor": {"said": {"predictor": None}},
    "missing made": {"said": {"made": None}},
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_scorer_is_refused_in_one_line(scorer, tmp_path, name, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = forge(scorer, tmp_path / "forged", **FORGED[name])
    assert main(["score", str(scorer.parent / "judged.jsonl"), "-m", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "forged" in error
    assert not (tmp_path / "pickle-was-run").exists()


def test_a_forger_who_changes_nothing_is_believed(scorer, tmp_path):
    """So that the cases above are refused for what is in them."""
    assert storage.load(forge(scorer, tmp_path / "forged")).features == storage.load(scorer).features


def test_a_pipe_in_place_of_a_scorer_is_not_read(scorer, tmp_path):
    import os

    shutil.copytree(scorer, tmp_path / "s")
    (tmp_path / "s" / storage.ARRAYS).unlink()
    os.mkfifo(tmp_path / "s" / storage.ARRAYS)
    with pytest.raises(FormatError, match="not a plain file"):
        storage.load(tmp_path / "s")


def test_a_bomb_is_not_unpacked(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", b"\0" * 10_000_000)
    with pytest.raises(FormatError, match=r"take 10,000,000 bytes; at most 1,000"):
        read_arrays(packed.getvalue(), path="x", needed=("a",), largest=1000)


# Language models, taggers, trees


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        model = ngram.train(["the cat sat on the mat", "the dog sat", "a cat and a dog ran"] * 3)
    model.save(folder / "lm.npz")
    model.save(folder / "small.npz", bits=8)
    model.save(folder / "lm.arpa")
    model.save(folder / "lm.arpa.gz")
    for name in ("transducer", "decision-tree"):
        for suffix in (".npz", ".json"):
            shutil.copy(MODELS / f"{name}{suffix}", folder)
    return folder


@pytest.mark.parametrize("name", ["lm.npz", "small.npz", "lm.arpa", "lm.arpa.gz"])
def test_a_damaged_language_model_gives_an_error_or_probabilities(models, tmp_path, name):
    refused = 0
    for number, content in enumerate(damaged((models / name).read_bytes(), 400, 4)):
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(content)
        model = only_our_errors(lambda path=path: ngram.load(path))
        refused += model is None
        if model is not None:
            values = model.log_prob(["the", "cat", "sat", "nowhere"])  # type: ignore[attr-defined]
            assert np.isfinite(values).all()
            assert model.frequency("cat") >= 1  # type: ignore[attr-defined]
            if name.endswith(".npz"):  # whose content has a checksum
                assert np.array_equal(values, ngram.load(models / name).log_prob(["the", "cat", "sat", "nowhere"]))
        path.unlink()
    assert refused > 60


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nan\tthe\t0", "no logarithm of a probability"),
        ("0.5\tthe\t0", "no logarithm of a probability"),
        ("-1\tthe\tinf", "no logarithm of a probability"),
        ("-1\tthe\t0\n-1\tthe\t0", "promises 12 1-grams, but has 13"),
    ],
)
def test_an_arpa_file_without_sense(models, tmp_path, line, message):
    lines = (models / "lm.arpa").read_text().splitlines()
    place = next(i for i, text in enumerate(lines) if text.split("\t")[1:2] == ["the"])
    number = int(next(text for text in lines if text.startswith("ngram 1=")).split("=")[1])
    (tmp_path / "x.arpa").write_text("\n".join([*lines[:place], line, *lines[place + 1 :]]))
    with pytest.raises(FormatError, match=message.replace("12", str(number)).replace("13", str(number + 1))):
        ngram.load(tmp_path / "x.arpa")


def make_tagger(folder: Path, *, about: dict | None = None, arrays: dict | None = None) -> Path:
    """A tagger as small as one can be, with some things other than they should be."""
    rng = np.random.default_rng(0)
    rows = {"tag": 3, "relation": 3, "distance": 22, "depth": 10, "size": 16}
    held = {name: rng.normal(size=(number, 2)) for name, number in rows.items()}
    for layer, width in (("first", 24), ("second", 12)):
        shapes = {"enter": (width, 24), "bias": (24,), "again": (2, 3, 12)}
        held |= {f"{layer}.{part}": rng.normal(size=shape) for part, shape in shapes.items()}
    held |= {"middle.weight": rng.normal(size=(12, 4)), "middle.bias": np.zeros(4)}
    held |= {"last.weight": np.ones(4), "last.bias": np.array(0.0)}
    held = {k: v for k, v in (held | (arrays or {})).items() if v is not None}
    np.savez(folder / "t.npz", **{name: values.astype(np.float16) for name, values in held.items()})
    np.savez(folder / "w.npz", values=np.ones((3, 2), np.int8), scale=np.ones(3, np.float16))
    (folder / "w.txt").write_text("<unk>\nthe\ncat")
    said = {"name": "t", "words": "w", "threshold": 0.5, "tags": ["", "NN"], "relations": ["", "root"], **(about or {})}
    (folder / "t.json").write_text(json.dumps({k: v for k, v in said.items() if v is not None}))
    return folder / "t.json"


def test_a_small_tagger_works(tmp_path):
    made = tagger.Tagger.load(make_tagger(tmp_path))
    [values] = made.marginals(parse(["The cat sleeps."]))
    assert len(values) == 4
    assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"about": {"words": "../w"}},
        {"about": {"words": "/etc/passwd"}},
        {"about": {"words": 3}},
        {"about": {"words": None}},
        {"about": {"threshold": float("nan")}},
        {"about": {"threshold": "much"}},
        {"about": {"threshold": 7}},
        {"about": {"tags": 3}},
        {"about": {"tags": ["a"] * 9}},
        {"about": {"relations": [1, 2]}},
        {"arrays": {"tag": np.ones((3, 7))}},
        {"arrays": {"size": np.ones((3, 2))}},
        {"arrays": {"size": np.ones(16)}},
        {"arrays": {"first.again": np.ones((2, 3))}},
        {"arrays": {"first.again": np.ones(())}},
        {"arrays": {"last.bias": np.ones(4)}},
        {"arrays": {"middle.weight": np.full((12, 4), np.nan)}},
        {"arrays": {"middle.weight": np.full((12, 4), np.inf)}},
        {"arrays": {"middle.bias": None}},
    ],
    ids=str,
)
def test_a_tagger_that_does_not_fit_is_refused_in_one_line(tmp_path, wrong, capsys):
    file = make_tagger(tmp_path, **wrong)
    (tmp_path / "text.txt").write_text("The cat sleeps.\n")
    assert main(["compress", str(tmp_path / "text.txt"), "--model", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_flipped_bits_in_a_tagger(tmp_path):
    make_tagger(tmp_path)
    refused = 0
    for name in ("t.npz", "w.npz", "t.json", "w.txt"):
        whole = (tmp_path / name).read_bytes()
        for content in damaged(whole, 120, 5):
            (tmp_path / name).write_bytes(content)
            tagger._load.cache_clear()
            refused += only_our_errors(lambda: tagger.Tagger.load(tmp_path / "t.json")) is None
        (tmp_path / name).write_bytes(whole)
    tagger._load.cache_clear()
    assert refused > 200


@pytest.mark.parametrize("name", ["transducer", "decision-tree"])
def test_flipped_bits_in_a_tree_model(models, tmp_path, name):
    load = {"transducer": transducer.load_weights, "decision-tree": cart.load_cart}[name]
    for suffix in (".npz", ".json"):
        for other in (".npz", ".json"):
            shutil.copy(models / f"{name}{other}", tmp_path)
        whole = (tmp_path / f"{name}{suffix}").read_bytes()
        for content in damaged(whole, 40, 6):
            (tmp_path / f"{name}{suffix}").write_bytes(content)
            load.cache_clear()  # type: ignore[attr-defined]
            only_our_errors(lambda: load(tmp_path / name))
    load.cache_clear()  # type: ignore[attr-defined]


def test_a_tree_that_goes_in_circles_is_refused(models, tmp_path):
    with np.load(models / "decision-tree.npz") as file:
        held = dict(file)
    held["yes"] = np.zeros_like(held["yes"])
    np.savez(tmp_path / "c.npz", **held)
    shutil.copy(models / "decision-tree.json", tmp_path / "c.json")
    with pytest.raises(FormatError, match="do not make a decision tree"):
        cart.load_cart(tmp_path / "c")
