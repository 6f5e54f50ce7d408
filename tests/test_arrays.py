"""Files of arrays that are damaged or forged are refused in one line."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from assay.arrays import read_arrays
from assay.errors import FormatError


def pack(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def rename(content: bytes, name: str, times: int = 1) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w") as new:
        for _ in range(times):
            new.writestr(name, old.read(old.namelist()[0]))
    return file.getvalue()


def test_arrays_come_back(tmp_path):
    weights = np.arange(6.0).reshape(2, 3)
    path = tmp_path / "x.npz"
    path.write_bytes(pack(weights=weights, bias=np.array([1, 2])))
    arrays = read_arrays(path, path=path, needed=["weights"], optional=["bias"])
    assert arrays["weights"].tolist() == weights.tolist()
    assert arrays["bias"].tolist() == [1, 2]


ONE = pack(a=np.ones(4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as a file of arrays"),
        (ONE[:-30], "cannot be read as a file of arrays"),
        (ONE.replace(b"\x00\x00\x80?", b"\x00\x00\x00@")[:100] + ONE[100:200] + b"x" + ONE[201:], "x.npz"),
        (pack(a=np.ones(4), b=np.ones(1)), "holds 'b.npy', which does not belong there"),
        (pack(c=np.ones(1)), "holds 'c.npy'"),
        (rename(ONE, "a.npy", times=2), "holds 'a.npy' twice"),
        (rename(ONE, "../../a.npy"), "does not belong there"),
        (pack(a=np.array([np.nan])), "a.npy holds NaN or infinite numbers"),
        (pack(a=np.array(["text"])), "not numbers"),
        (pack(a=np.ones((1 << 12, 1 << 8))), "at most 1,000 are read"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_damaged_or_forged_is_refused(content, message):
    with pytest.raises(FormatError, match=message) as raised:
        read_arrays(content, path="x.npz", needed=["a"], largest=1000)
    assert "\n" not in str(raised.value)


def test_an_array_that_is_lacking_is_named():
    with pytest.raises(FormatError, match=r"x\.npz: lacks the array 'b'"):
        read_arrays(ONE, path="x.npz", needed=["a", "b"])


def test_objects_are_never_unpickled():
    file = io.BytesIO()
    np.savez(file, a=np.array([{"x": 1}], dtype=object))
    with pytest.raises(FormatError, match="not numbers"):
        read_arrays(file.getvalue(), path="x.npz", needed=["a"])
