"""Scorers on disk: a folder with scorer.json, which says what it is, and arrays.npz, which predicts. No pickles."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import MAX_BYTES, explain_errors, read_arrays
from ..data.scores import Floats
from ..errors import AssayError, FormatError, InputError
from ..files import whole_folder, write_whole
from . import METRICS
from ._predictors import Fitted, from_arrays
from .learned import Feature, Learned, scorer

FORMAT = "assay scorer"
VERSION = 1
JSON, ARRAYS = "scorer.json", "arrays.npz"
_TYPED = re.compile(r"(?P<path>.*?)(?:\(checksum=(?P<checksum>[0-9a-f]+)\))?", re.DOTALL)


def save_scorer(learned: Learned, folder: str | os.PathLike[str]) -> Learned:
    """Write a scorer into a new folder, and return it under that name."""
    packed = io.BytesIO()
    np.savez(packed, **_arrays(learned.fitted))  # type: ignore[arg-type]
    written: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "features": [asdict(feature) for feature in learned.features],
        "predictor": learned.fitted.predictor.kind,
        "made": dict(learned.record),
        "arrays": hashlib.sha256(packed.getvalue()).hexdigest(),
    }
    written["checksum"] = _checksum(written)
    with whole_folder(folder) as part:
        write_whole(part / ARRAYS, packed.getvalue())
        write_whole(part / JSON, json.dumps(written, indent=1, ensure_ascii=False) + "\n")
    return load(folder)


def is_scorer(text: str) -> bool:
    """Return whether a text names a folder that holds a scorer."""
    return (Path(_split(text)[0]) / JSON).is_file()


def load(text: str | os.PathLike[str]) -> Learned:
    """Return the scorer in a folder, as `assay learn --out` wrote it; `folder(checksum=1a2b)` insists on that very one.

    A folder that holds none, was written by a newer Assay or changed by hand is an error.
    """
    path, wanted = _split(os.fspath(text))
    record = _json(Path(path))
    checksum = str(record["checksum"])
    if not checksum.startswith(wanted):
        raise FormatError(f"is another scorer: its checksum is {checksum[:12]}, not {wanted}", path=path)
    arrays = _read_arrays(Path(path), str(record["arrays"]))
    with explain_errors("does not hold a whole scorer", path):
        features = [_feature(feature, path) for feature in record["features"]]
        fitted = _read_fitted(record["predictor"], arrays, len(features), path)
    metrics = [None if f.outside else _metric(f, path) for f in features]
    return scorer(features, fitted, metrics, record["made"], path=path, checksum=checksum)


def _feature(record: Any, path: str) -> Feature:
    feature = Feature(**record)
    kinds = (feature.signature, str), (feature.higher_is_better, bool), (feature.outside, bool)
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise FormatError(f"has something that is not a feature: {record!r}", path=path)
    return feature


def _read_fitted(kind: Any, arrays: dict[str, Floats], features: int, path: str) -> Fitted:
    try:
        predictor = from_arrays(kind, arrays)
    except InputError as error:
        raise FormatError(f"does not hold a whole scorer ({error})", path=path) from error
    center, spread, target = arrays["center"], arrays["spread"], arrays["target"]
    if center.shape != (features,) or spread.shape != (features,) or predictor.width != features or not features:
        raise FormatError(f"has {features} features and arrays for {predictor.width}", path=path)
    if target.shape != (2,) or not (spread > 0).all():
        raise FormatError("does not hold a whole scorer (its scales must be above 0)", path=path)
    low, high = arrays.get("low"), arrays.get("high")
    if any(limit is not None and limit.shape != (features,) for limit in (low, high)):
        raise FormatError(f"has {features} features and other numbers of their ranges", path=path)
    return Fitted(center, spread, predictor, float(target[0]), float(target[1]), low, high)


def _metric(feature: Feature, path: str) -> Any:
    try:
        built = METRICS.build_named(feature.signature)
    except AssayError as error:
        raise FormatError(f"its feature {feature.signature!r} is not known here: {error}", path=path) from error
    if built.signature() != feature.signature:
        raise FormatError(
            f"its feature {feature.signature!r} is {built.signature()!r} in this Assay; train it again", path=path
        )
    return built


def _split(text: str) -> tuple[str, str]:
    match = _TYPED.fullmatch(text.strip())
    assert match is not None
    return match["path"], match["checksum"] or ""


def _json(folder: Path) -> dict[str, Any]:
    try:
        record = json.loads(_content(folder / JSON).decode())
    except FileNotFoundError:
        raise FormatError(f"there is no scorer here ({JSON}); `assay learn --out` makes one", path=folder) from None
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"{JSON} cannot be read ({error})", path=folder) from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise FormatError(f"{JSON} is not an Assay scorer", path=folder)
    version = record.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FormatError(f"{JSON} names the version {version!r}; there are 1 to {VERSION}", path=folder)
    if version > VERSION:
        raise FormatError(
            f"was written by a newer Assay (format {version}; this one reads up to {VERSION}): update Assay",
            path=folder,
        )
    if record.get("checksum") != _checksum({k: v for k, v in record.items() if k != "checksum"}):
        raise FormatError(
            f"{JSON} was changed after it was written (its checksum does not fit): train the scorer again", path=folder
        )
    kinds = {"features": list, "predictor": str, "made": dict, "arrays": str}
    for name, kind in kinds.items():
        if not isinstance(record.get(name), kind):
            raise FormatError(f"{JSON} does not hold a whole scorer (look at {name!r})", path=folder)
    return record


def _checksum(record: dict[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _arrays(fitted: Fitted) -> dict[str, Floats]:
    own = {"center": fitted.center, "spread": fitted.spread, "target": np.array([fitted.shift, fitted.scale])}
    ranges = {} if fitted.low is None or fitted.high is None else {"low": fitted.low, "high": fitted.high}
    return {**own, **ranges, **fitted.predictor.arrays()}


def _read_arrays(folder: Path, wanted: str) -> dict[str, Floats]:
    try:
        packed = _content(folder / ARRAYS)
    except OSError as error:
        raise FormatError(f"{ARRAYS} cannot be read ({error.strerror})", path=folder) from error
    if hashlib.sha256(packed).hexdigest() != wanted:
        raise FormatError(
            f"{ARRAYS} is not the one {JSON} was written with (another checksum): train the scorer again", path=folder
        )
    own = ("center", "spread", "target", "intercept")
    optional = ("weights", "vectors", "dual", "gamma", "low", "high")
    arrays = read_arrays(packed, path=folder / ARRAYS, needed=own, optional=optional)
    return {name: values.astype(np.float64) for name, values in arrays.items()}


def _content(path: Path) -> bytes:
    """Return the bytes of a plain file of a sensible size: a pipe or device in its place is not read."""
    if not path.is_file() and path.exists():
        raise FormatError("is not a plain file", path=path)
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"has {path.stat().st_size:,} bytes; at most {MAX_BYTES:,} are read", path=path)
    return path.read_bytes()
