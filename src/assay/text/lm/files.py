"""Files of language models: Assay's own .npz, and ARPA, which every toolkit reads and writes."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...arrays import explain_errors, read_arrays
from ...errors import FormatError
from ...files import whole_file

if TYPE_CHECKING:
    from .trigrams import LanguageModel

_FORMAT = "assay-ngram-1"
_LN10 = math.log(10)
_SPECIAL = ("<unk>", "<s>", "</s>")
_ARPA_COUNT = re.compile(r"ngram +([1-9])=(\d{1,12})")
_NEEDED = ("header", "words", "prob1", "back1", "many2", "many3", "step2", "step3", "prob2", "back2", "prob3")
_OPTIONAL = ("counts", "prob2_table", "back2_table", "prob3_table")


def write_npz(model: LanguageModel, path: str, bits: int) -> None:
    """Write the arrays of a model, compressed; the words of n-grams as differences, which compress best."""
    grams = model.grams
    begin2, begin3 = np.asarray(grams.begin2), np.asarray(grams.begin3)
    header = {"format": _FORMAT, "order": grams.order, "bits": bits, "about": dict(model.about)}
    arrays: dict[str, NDArray[Any]] = {
        "header": _bytes(json.dumps(header)),
        "words": _bytes("\n".join(model.vocabulary)),
        "prob1": np.asarray(grams.prob1),
        "back1": np.asarray(grams.back1),
        "many2": np.diff(begin2).astype(np.uint32),
        "many3": np.diff(begin3).astype(np.uint32),
        "step2": _steps(np.asarray(grams.word2), begin2),
        "step3": _steps(np.asarray(grams.word3), begin3),
    }
    if model.counts is not None:
        arrays["counts"] = model.counts.astype(np.uint32)
    for name, values in (("prob2", grams.prob2), ("back2", grams.back2), ("prob3", grams.prob3)):
        arrays |= _encode_bins(name, np.asarray(values)) if bits == 8 else {name: np.asarray(values)}
    _write_zip(path, arrays)


def _write_zip(path: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Write arrays as numpy.savez_compressed does, with a fixed date: the same model gives the same bytes."""
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, values in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, values, allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, buffer.getvalue())


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _steps(words: NDArray[np.uint32], begin: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Return each word less the one before it in the same context, as whole numbers modulo 2**32."""
    steps = np.diff(words, prepend=np.uint32(0))
    starts = begin[:-1][np.diff(begin) > 0]
    steps[starts] = words[starts]
    return steps.astype(np.uint32)


def _words(steps: NDArray[np.uint32], many: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    begin = np.concatenate([[0], np.cumsum(many, dtype=np.uint64)]).astype(np.uint64)
    sums = np.cumsum(steps, dtype=np.uint64)
    before = np.concatenate([np.zeros(1, np.uint64), sums])[begin[:-1]]
    return (sums - np.repeat(before, many)).astype(np.uint32), begin


def _encode_bins(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Encode values in one byte each: one of 255 equally filled bins; 0 for an exact 0, of contexts nothing follows."""
    codes = np.zeros(len(values), np.uint8)
    table = np.zeros(256, np.float32)
    rest = np.flatnonzero(values)
    order = rest[np.argsort(values[rest], kind="stable")]
    for code, part in enumerate(np.array_split(order, 255), 1):
        if len(part):
            codes[part] = code
            table[code] = values[part].mean(dtype=np.float64)
    return {name: codes, f"{name}_table": table}


def read_npz(path: str) -> LanguageModel:
    """Read a model that `write_npz` wrote."""
    from .trigrams import LanguageModel

    wrong = "not a language model of Assay; `assay lm train` makes one"
    arrays = read_arrays(path, path=path, needed=_NEEDED, optional=_OPTIONAL, wrong=wrong)
    with explain_errors(wrong, path):
        header = json.loads(arrays["header"].tobytes())
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            raise FormatError(f"not a file in the format {_FORMAT}", path=path)
        for name, size in (("many2", "prob1"), ("many3", "step2")):
            if arrays[name].shape != arrays[size].shape:
                raise FormatError(f"its {name} and {size} differ in size; train the model again", path=path)
        for name in ("prob2", "back2", "prob3"):
            if f"{name}_table" in arrays:
                arrays[name] = arrays[f"{name}_table"][arrays[name]]
        word2, begin2 = _words(arrays["step2"], arrays["many2"])
        word3, begin3 = _words(arrays["step3"], arrays["many3"])
        grams = _core.NGrams(
            header["order"],
            arrays["prob1"],
            arrays["back1"],
            begin2,
            word2,
            arrays["prob2"],
            arrays["back2"],
            begin3,
            word3,
            arrays["prob3"],
        )
        vocabulary = tuple(arrays["words"].tobytes().decode().split("\n"))
        _check_words(vocabulary, len(arrays["prob1"]), path)
        counts = arrays.get("counts")
        if counts is not None and (counts.shape != arrays["prob1"].shape or counts.dtype.kind != "u"):
            raise FormatError("words and their counts differ in number; train the model again", path=path)
        return LanguageModel(grams, vocabulary, counts, _about(header["about"], path))


def _check_words(vocabulary: tuple[str, ...], number: int, path: str) -> None:
    if len(vocabulary) != number:
        raise FormatError("words and probabilities differ in number; train the model again", path=path)
    if vocabulary[:3] != _SPECIAL or len(set(vocabulary)) != number:
        raise FormatError(f"its words must be distinct and begin with {' '.join(_SPECIAL)}", path=path)


def _about(about: Any, path: str) -> dict[str, Any]:
    """Return how the model was made, as far as it decides how texts are cut."""
    from .trigrams import TOKENIZERS

    if (
        not isinstance(about, dict)
        or about.get("tokenizer", "words") not in TOKENIZERS
        or not isinstance(about.get("normalized", True), bool)
    ):
        raise FormatError("does not say how its texts were cut into words; train the model again", path=path)
    return about


def write_arpa(model: LanguageModel, path: str) -> None:
    """Write the ARPA format: common logarithms, n-grams by order."""
    with whole_file(path) as file:
        file.writelines(line.encode() for line in _arpa_lines(model))


def _arpa_lines(model: LanguageModel) -> Iterator[str]:
    grams, words = model.grams, model.vocabulary
    begin2, begin3 = np.asarray(grams.begin2).tolist(), np.asarray(grams.begin3).tolist()
    word2, word3 = np.asarray(grams.word2).tolist(), np.asarray(grams.word3).tolist()
    prob1, back1 = _common(grams.prob1), _common(grams.back1)
    yield "\\data\\\n"
    for n, many in enumerate((len(words), len(word2), len(word3))[: grams.order], 1):
        yield f"ngram {n}={many}\n"
    yield "\n\\1-grams:\n"
    for w, word in enumerate(words):
        yield _arpa_line(prob1[w], word, back1[w] if grams.order > 1 else None)
    if grams.order > 1:
        prob2, back2 = _common(grams.prob2), _common(grams.back2)
        yield "\n\\2-grams:\n"
        for a, word in enumerate(words):
            for i in range(begin2[a], begin2[a + 1]):
                yield _arpa_line(prob2[i], f"{word} {words[word2[i]]}", back2[i] if grams.order > 2 else None)
    if grams.order > 2:
        prob3 = _common(grams.prob3)
        yield "\n\\3-grams:\n"
        for a, word in enumerate(words):
            for i in range(begin2[a], begin2[a + 1]):
                start = f"{word} {words[word2[i]]}"
                for k in range(begin3[i], begin3[i + 1]):
                    yield _arpa_line(prob3[k], f"{start} {words[word3[k]]}", None)
    yield "\n\\end\\\n"


def _common(values: Any) -> list[float]:
    return (np.asarray(values, dtype=np.float64) / _LN10).tolist()  # type: ignore[no-any-return]


def _arpa_line(prob: float, words: str, back: float | None) -> str:
    return f"{prob:.7g}\t{words}\n" if back is None else f"{prob:.7g}\t{words}\t{back:.7g}\n"


def _open(path: str) -> IO[str]:
    return gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")


def read_arpa(path: str) -> LanguageModel:
    """Read an ARPA file of up to three words, as lmplz, SRILM or IRSTLM write it.

    Words are taken as they stand there if any has a capital or a digit; otherwise texts are brought to lower case and
    numbers to ##, as in Assay's own models.
    """
    from .trigrams import LanguageModel

    with explain_errors("this is not an ARPA file in UTF-8", path):
        with _open(path) as file:
            sections = _arpa_sections(file, path)
        grams, vocabulary = _arpa_model(sections, path)
    own = any(c.isupper() or c.isdigit() for name in vocabulary[3:] for c in name)
    about = {"order": grams.order, "normalized": not own, "tokenizer": "words"}
    return LanguageModel(grams, tuple(vocabulary), None, about)


def _arpa_model(sections: dict[int, list[tuple[str, float, float]]], path: str) -> tuple[_core.NGrams, list[str]]:
    order = max(sections)
    if sorted(sections) != list(range(1, order + 1)):
        raise FormatError(f"has {order}-grams, but not all that are shorter", path=path)
    names = [gram for gram, _, _ in sections[1]]
    vocabulary = [*_SPECIAL, *(name for name in names if name not in _SPECIAL and name != "<UNK>")]
    numbers = {name: i for i, name in enumerate(vocabulary)} | {"<UNK>": 0}
    prob1 = np.full(len(vocabulary), -99 * _LN10, np.float32)
    back1 = np.zeros(len(vocabulary), np.float32)
    for name, prob, back in sections[1]:
        prob1[numbers[name]], back1[numbers[name]] = prob * _LN10, back * _LN10
    keys2, prob2, back2 = _arpa_grams(sections.get(2, []), numbers, 2, path)
    keys3, prob3, _ = _arpa_grams(sections.get(3, []), numbers, 3, path)
    bits = np.uint64(21)
    begin2 = np.searchsorted(keys2 >> bits, np.arange(len(vocabulary) + 1, dtype=np.uint64)).astype(np.uint64)
    begin3 = np.searchsorted(keys3 >> bits, np.append(keys2, np.uint64(2**63))).astype(np.uint64)
    low = np.uint64(2**21 - 1)
    if len(keys3) and not np.isin(keys3 >> bits, keys2, assume_unique=False).all():
        raise FormatError("a 3-gram begins with two words that are not a 2-gram", path=path)
    if len(vocabulary) != len(set(vocabulary)):
        raise FormatError("has a 1-gram twice", path=path)
    return _core.NGrams(
        order,
        prob1,
        back1,
        begin2,
        (keys2 & low).astype(np.uint32),
        prob2,
        back2,
        begin3,
        (keys3 & low).astype(np.uint32),
        prob3,
    ), vocabulary


def _arpa_sections(file: Any, path: str) -> dict[int, list[tuple[str, float, float]]]:
    sections: dict[int, list[tuple[str, float, float]]] = {}
    promised: dict[int, int] = {}
    order = 0
    for number, line in enumerate(file, 1):
        text = line.strip()
        if order == 0 and (count := _ARPA_COUNT.fullmatch(text)):
            promised[int(count[1])] = int(count[2])
        if not text or (order == 0 and not text.startswith("\\")):
            continue
        if text.startswith("\\"):
            if text == "\\end\\":
                break
            if text.endswith("-grams:"):
                order = int(text[1:-7]) if text[1:-7].isdigit() else 0
                if order > 3:
                    raise FormatError(f"{order}-grams: models of up to three words are read", path=path, line=number)
                sections[order] = []
            continue
        parts = text.split()
        if not order + 1 <= len(parts) <= order + 2:
            raise FormatError(
                f"expected a probability, {order} words and a back-off; got {text[:60]!r}", path=path, line=number
            )
        try:
            prob, back = float(parts[0]), float(parts[order + 1]) if len(parts) > order + 1 else 0.0
        except ValueError:
            raise FormatError(f"{text[:60]!r} does not begin with a number", path=path, line=number) from None
        if not (math.isfinite(back) and -1e6 < prob < 1e-3):
            raise FormatError(f"{text[:60]!r} has no logarithm of a probability", path=path, line=number)
        sections[order].append((" ".join(parts[1 : order + 1]), prob, back))
    else:
        raise FormatError("the file ends before \\end\\: it is cut off, or no ARPA file", path=path)
    if 1 not in sections:
        raise FormatError("there are no 1-grams: this is not an ARPA file", path=path)
    for n, lines in sections.items():
        if promised.get(n, len(lines)) != len(lines):
            raise FormatError(f"promises {promised[n]} {n}-grams, but has {len(lines)}: it is damaged", path=path)
    return sections


def _arpa_grams(
    lines: list[tuple[str, float, float]], numbers: dict[str, int], n: int, path: str
) -> tuple[NDArray[np.uint64], NDArray[np.float32], NDArray[np.float32]]:
    keys = np.zeros(len(lines), np.uint64)
    for i, (gram, _, _) in enumerate(lines):
        key = 0
        for word in gram.split(" "):
            if word not in numbers:
                raise FormatError(f"the {n}-gram {gram!r} has a word that is not a 1-gram", path=path)
            key = key << 21 | numbers[word]
        keys[i] = key
    order = np.argsort(keys)
    prob = np.array([p for _, p, _ in lines], dtype=np.float64)[order] * _LN10
    back = np.array([b for _, _, b in lines], dtype=np.float64)[order] * _LN10
    return keys[order], prob.astype(np.float32), back.astype(np.float32)
