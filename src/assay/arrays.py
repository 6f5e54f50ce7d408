"""Arrays from .npz files that may be damaged or made to do harm: checked names, sizes, checksums and numbers."""

from __future__ import annotations

import io
import math
import os
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import AssayError, FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_BYTES = 1 << 32  # bytes of all arrays together


def read_arrays(
    file: str | os.PathLike[str] | bytes,
    *,
    path: object,
    needed: Collection[str],
    optional: Collection[str] | None = (),
    largest: int = MAX_BYTES,
    finite: bool = True,
    wrong: str = "cannot be read as a file of arrays",
) -> dict[str, NDArray[Any]]:
    """Read the arrays of an .npz file or of its bytes: numbers only, all finite, those needed and no others.

    With optional=None arrays may have any names; with finite=False numbers may be missing (NaN) or infinite.
    Every array is read to its end, so that the file's own checksums are met. `path` is what an error names, `wrong`
    how it begins.
    """
    with explain_errors(wrong, path):
        content = file if isinstance(file, bytes) else Path(file).read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _check_names([entry.filename for entry in entries], needed, optional, path)
            size = sum(entry.file_size for entry in entries)
            if size > largest:
                raise FormatError(f"its arrays take {size:,} bytes; at most {largest:,} are read", path=path)
            arrays = {
                entry.filename[:-4]: _array(archive.read(entry), entry.filename, path, finite) for entry in entries
            }
    return arrays


def _check_names(names: list[str], needed: Collection[str], optional: Collection[str] | None, path: object) -> None:
    known = {f"{name}.npy" for name in (*needed, *(optional or ()))}
    for name in names:
        if not name.endswith(".npy") if optional is None else name not in known:
            raise FormatError(f"holds {name!r}, which does not belong there", path=path)
        if names.count(name) > 1:
            raise FormatError(f"holds {name!r} twice", path=path)
    for name in needed:
        if f"{name}.npy" not in names:
            raise FormatError(f"lacks the array {name!r}", path=path)


def _array(content: bytes, name: str, path: object, finite: bool) -> NDArray[Any]:
    import numpy as np

    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read:
        raise FormatError(f"{name} is stored in version {version} of numpy's format, which is not read", path=path)
    shape, _, dtype = read[version](stream)
    if dtype.hasobject or dtype.kind not in "biuf":
        raise FormatError(f"{name} holds {dtype}, not numbers", path=path)
    # Before anything is allocated: the header may promise more than there is.
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise FormatError(f"{name} has the shape {shape}, which its {len(content):,} bytes do not fill", path=path)
    stream.seek(0)
    values: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    if finite and dtype.kind == "f" and not np.isfinite(values).all():
        raise FormatError(f"{name} holds NaN or infinite numbers", path=path)
    return values


@contextmanager
def explain_errors(what: str, path: object) -> Iterator[None]:
    """Raise any failure as a FormatError: zipfile, zlib, json and numpy raise many kinds on bytes they do not know."""
    try:
        yield
    except AssayError:
        raise
    except OSError as error:
        raise FormatError(f"{what} ({error.strerror or error})", path=path) from error
    except Exception as error:
        message = " ".join(str(error).split())[:200]
        raise FormatError(f"{what} ({message or type(error).__name__})", path=path) from error
