"""The file of weights: written, read, and refused when a byte of it is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.text.parse.own import find_own
from assay.text.parse.weights import read_checksum, seal, unseal


@pytest.mark.parametrize("place", [3, 40, 5000, -1])
def test_damaged_weights_are_refused(tmp_path, place):
    content = bytearray(find_own("en").file.read_bytes())
    content[place] ^= 1
    (tmp_path / "en.safetensors").write_bytes(content)
    with pytest.raises(FormatError, match="install assay-eval-models again"):
        unseal(tmp_path / "en.safetensors")


@pytest.mark.parametrize("size", [0, 7, 9, 100, 100_000])
def test_half_a_file_of_weights_is_refused(tmp_path, size):
    (tmp_path / "en.safetensors").write_bytes(find_own("en").file.read_bytes()[:size])
    with pytest.raises(FormatError, match="install assay-eval-models again"):
        unseal(tmp_path / "en.safetensors")


def test_weights_come_back_as_they_were_written(tmp_path):
    arrays: dict[str, Any] = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([1, -2], np.int32),
        "c": np.zeros(3, np.uint8),
    }
    path = tmp_path / "some.safetensors"
    path.write_bytes(seal(arrays))
    found = unseal(path)
    assert {name: array.tolist() for name, array in found.items()} == {n: a.tolist() for n, a in arrays.items()}
    assert len(read_checksum(path)) == 64


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        unseal(tmp_path / "none.safetensors")
