from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.systems.compress.neural.sequence_model import check_shapes, read_model


def write(folder, about, **arrays):
    (folder / "m.json").write_text(json.dumps(about), encoding="utf-8")
    np.savez(folder / "m.npz", **arrays)
    return folder / "m.json"


def test_tables_are_scaled(tmp_path):
    table, scale = np.array([[127, -1]], np.int8), np.array([0.5], np.float16)
    path = write(tmp_path, {"words": ["a"]}, a=np.ones(2, np.float16), t=table, **{"t.scale": scale})
    model = read_model(path, ["a"], ["t"])
    assert model.words == ("a",)
    assert model.arrays["t"].tolist() == [[63.5, -0.5]]
    assert model.arrays["a"].dtype == np.float32
    check_shapes(model, {"a": (2,)}, path)
    with pytest.raises(FormatError, match=r"its array a has the shape \(2,\), not \(3,\)"):
        check_shapes(model, {"a": (3,)}, path)


def test_bad_files(tmp_path):
    with pytest.raises(InputError, match="no model at"):
        read_model(tmp_path / "none.json", [], [])
    with pytest.raises(FormatError, match="its list of words does not hold words"):
        read_model(write(tmp_path, {"words": [1]}), [], [])
    with pytest.raises(FormatError, match="is not a model that Assay can read"):
        read_model(write(tmp_path, {}), [], [])
    with pytest.raises(FormatError, match="lacks the array 'a'"):
        read_model(write(tmp_path, {"words": []}), ["a"], [])
    wrong = {"t": np.zeros((2, 2), np.int8), "t.scale": np.zeros(3, np.float16)}
    with pytest.raises(FormatError, match="its table t has"):
        read_model(write(tmp_path, {"words": []}, **wrong), [], ["t"])
    (tmp_path / "m.npz").write_bytes(b"no zip")
    with pytest.raises(FormatError, match=r"m\.npz"):
        read_model(tmp_path / "m.json", [], [])
