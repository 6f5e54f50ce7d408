"""Frames: nouns and verbs by the FrameNet frame they evoke, from a lexicon that the user has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .. import _core
from ..errors import FormatError, InputError
from ..text import Texts
from ..text.parse.sentence import Word

WORDS = ("stem", "lemma", "form")
_POS = {"NOUN": "n", "VERB": "v"}


class FrameLexicon:
    """Lemma and part of speech to frame, as "rain.v" to Precipitation."""

    def __init__(self, name: str, frames: dict[str, str]) -> None:
        self.name, self._frames = name, frames

    def __len__(self) -> int:
        return len(self._frames)

    def frame(self, word: Word) -> str | None:
        """Return the frame of a noun or verb, where the lexicon has one."""
        pos = _POS.get(word.pos)
        return self._frames.get(f"{word.lemma.lower()}.{pos}") if pos else None


def frame_lexicon(source: str) -> FrameLexicon:
    """Return a lexicon from a file: lines "rain.v<TAB>Precipitation", or FrameNet's luIndex.xml. Nothing is shipped.

    Where a lemma has several frames the first in the file is taken: put the usual one first.
    """
    return _lexicon(os.path.abspath(source))


@lru_cache(maxsize=4)
def _lexicon(source: str) -> FrameLexicon:
    path = Path(source)
    if not path.is_file():
        raise InputError(f"no frame lexicon at {path}; give lines rain.v<TAB>Precipitation, or FrameNet's luIndex.xml")
    frames: dict[str, str] = {}
    for unit, frame in _xml(path) if path.suffix == ".xml" else _lines(path):
        frames.setdefault(unit.lower(), frame)
    if not frames:
        raise FormatError("holds no lexical units", path=path)
    return FrameLexicon(path.name, frames)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 ({error.reason})", path=path) from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        unit, tab, frame = line.partition("\t")
        unit, frame = unit.strip(), frame.strip()
        lemma, dot, pos = unit.rpartition(".")
        if not (tab and dot and lemma and pos and frame):
            raise FormatError(f"rain.v<TAB>Precipitation was expected, found {line[:40]!r}", path=path, line=number)
        yield unit, frame


def _xml(path: Path) -> Iterator[tuple[str, str]]:
    """Read FrameNet's index of lexical units: elements lu with the attributes name and frameName."""
    try:
        for _, element in ElementTree.iterparse(path):
            name, frame = element.get("name"), element.get("frameName")
            if element.tag.rpartition("}")[2] == "lu" and name and frame:
                yield name.strip(), frame
            element.clear()
    except ElementTree.ParseError as error:
        raise FormatError(f"is not XML ({error})", path=path) from None


def frame_tokens(texts: Texts, lexicon: FrameLexicon, *, parser: str, word: str) -> _core.Tokens:
    """Return the words of each text, a noun or verb that has a frame replaced by it; punctuation is left out."""

    def make() -> _core.Tokens:
        vocab, ids, ends = texts.lexicon.vocab, [], [0]
        for parse in texts.parses(parser):
            for w in (w for sentence in parse.sentences for w in sentence if w.pos != "PUNCT"):
                frame = lexicon.frame(w)
                # No word holds a tab: a frame is never taken for a word.
                ids.append(vocab.intern(_format_word(w, word) if frame is None else f"\tframe {frame}"))
            ends.append(len(ids))
        return _core.bags(np.array(ids, np.int64), np.array(ends, np.int64), max(1, len(vocab)))

    return texts.remember(("frames", id(lexicon), parser, word), make)


def _format_word(w: Word, word: str) -> str:
    if word == "lemma":
        return w.lemma.lower()
    form = w.form.lower()
    return _core.porter(form) if word == "stem" and len(form) > 3 else form
