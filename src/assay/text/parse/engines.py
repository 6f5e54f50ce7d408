"""Engines: the parsers that a model's name may stand for, each with the same few methods."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

from ...errors import InputError
from ...extras import find_model, import_extra
from .blocks import blocks
from .relations import check_relations, to_universal
from .sentence import Sentence, Word

Block = tuple[Sentence, ...]
SHIPPED = "en"  # the pipeline of the package of models

OTHERS = (
    "give the name or folder of an installed spaCy pipeline, stanza:LANGUAGE, or conllu:FILE with the output of your "
    "own parser"
)
_NOT_NEEDED = ["ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat", "coref"]
GROUP = 32  # blocks given to a pipeline together: more gain nothing, and each group may go to another process
_making = Lock()
_WHOLE_FILES = 2**26  # bytes of a model that are hashed whole; of a bigger one, the ends of each file


class Scored(NamedTuple):
    """One of several parses of a block, with the logarithm of its probability."""

    score: float
    block: Block


class Engine(Protocol):
    """A parser. `version` tells one from another in the cache, and is cheap: nothing is loaded for it."""

    model: str
    cached: bool
    beam: bool
    shared: bool  # whether several processes may parse with one model in memory

    @property
    def loaded(self) -> bool:
        """Whether it can parse at once: its model is in memory."""

    @property
    def version(self) -> str:
        """What changes when the model does."""

    def blocks(self, text: str) -> list[str]:
        """Return the parts of a text that are parsed, and remembered, on their own."""

    def parse(self, parts: Sequence[str]) -> list[Block]:
        """Return the sentences of each block."""

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        """Return up to `n` parses of each block, best first; only where `beam` is true."""


def engine(model: str) -> Engine:
    """Return the parser that a name stands for; nothing heavy is loaded before it parses.

    en: the English pipeline that comes with Assay; stanza:LANGUAGE; conllu:FILE; else an installed spaCy pipeline or
    the folder of one.
    """
    with _making:  # two threads must not load the same model twice
        return _engine(model)


@lru_cache(maxsize=8)
def _engine(model: str) -> Engine:
    kind, colon, rest = model.partition(":")
    if colon and kind == "stanza":
        from .stanza import StanzaEngine

        return StanzaEngine(model, rest)
    if colon and kind == "conllu":
        from .conllu import ConlluEngine

        return ConlluEngine(model, Path(rest))
    if model == SHIPPED:
        return SpacyEngine(model, find_model(f"parser/{model}", f"parser {model!r}", extra="parse"), beam=True)
    return SpacyEngine(model, _folder(model))


def _folder(model: str) -> Path:
    if os.path.isdir(model):
        return _pipeline(Path(model), model)
    name = model.replace("-", "_")
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    if spec is not None and spec.origin and name != "spacy":
        return _pipeline(Path(spec.origin).parent, model)
    raise InputError(f"no parser {model!r} is installed; the one that comes with Assay is en (English): else {OTHERS}")


def _pipeline(folder: Path, model: str) -> Path:
    """Return the folder that holds config.cfg: a package keeps it in a folder with its version in the name."""
    for path in (folder, *sorted(folder.glob("*-*"))):
        if (path / "config.cfg").is_file():
            return path
    raise InputError(f"{model} is no spaCy pipeline: there is no config.cfg in {folder}; {OTHERS}")


class SpacyEngine:
    """A spaCy pipeline: the shipped one, an installed one, or a folder."""

    cached = True
    shared = True

    def __init__(self, model: str, folder: Path, *, beam: bool = False) -> None:
        self.model, self.folder = model, folder
        self.beam = beam  # pipelines that are not ours may hold parsers of other kinds
        self._lock = Lock()  # a pipeline keeps what it works on in itself

    @cached_property
    def version(self) -> str:
        return f"{hash_folder(self.folder)}-spacy{release('spacy')}"

    @property
    def loaded(self) -> bool:
        return "nlp" in vars(self)

    @cached_property
    def nlp(self) -> Any:
        """The pipeline, loaded."""
        spacy = import_extra("spacy", "parse", f"parser {self.model!r}")
        from thinc.api import use_ops

        try:
            with use_ops("numpy", use_blis=False):  # numpy's own BLAS is twice as fast as thinc's
                nlp = spacy.load(self.folder, exclude=_NOT_NEEDED)
        except (OSError, ValueError, ImportError) as error:
            reason = " ".join(str(error).split())[:300]
            raise InputError(f"the spaCy pipeline {self.model!r} cannot be loaded: {reason}") from None
        if not nlp.has_pipe("parser"):
            parts = ", ".join(nlp.pipe_names) or "a tokenizer"
            raise InputError(f"the spaCy pipeline {self.model!r} has no dependency parser, only {parts}; {OTHERS}")
        parser: Any = nlp.get_pipe("parser")
        check_relations(parser.labels, self.model)
        return nlp

    def blocks(self, text: str) -> list[str]:
        return blocks(text)

    def parse(self, parts: Sequence[str]) -> list[Block]:
        """Parse group by group: the last bits of a score depend on what a line is parsed with."""
        groups = (parts[i : i + GROUP] for i in range(0, len(parts), GROUP))
        with self._lock, one_thread():
            return [doc_sentences(doc) for group in groups for doc in self.nlp.pipe(group)]

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        from .beam import nbest_sentences

        with self._lock, one_thread():
            return [[Scored(*option) for option in options] for options in nbest_sentences(self.nlp, parts, n)]


def one_thread() -> AbstractContextManager[object]:
    """Keep numpy's BLAS to one thread: for such small matrices a second doubles the work and saves no time."""
    try:
        limits: AbstractContextManager[object] = _blas(len(sys.modules)).limit(limits=1, user_api="blas")
    except ImportError:
        return nullcontext()
    return limits


@lru_cache(maxsize=1)
def _blas(modules: int) -> Any:
    """Return what sets the threads of every BLAS in memory: looked for again when there are other modules."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def doc_sentences(doc: Any) -> Block:
    """Return a spaCy document as plain tuples, with UD relations."""
    return tuple(span_words(span) for span in doc.sents)


def span_words(span: Any) -> Sentence:
    """Return one sentence of a spaCy document."""
    start: int = span.start
    words = []
    for token in span:
        head = token.head.i
        words.append(
            Word(
                token.text,
                token.lemma_ or token.lower_,
                token.pos_,
                token.tag_,
                str(token.morph),
                -1 if head == token.i else head - start,
                "root" if head == token.i else token.dep_,
            )
        )
    return to_universal(tuple(words))


def release(package: str) -> str:
    """Return the version of an installed package, "none" without it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def hash_folder(folder: Path) -> str:
    """Return a hash of every file of a model; of big models only the sizes and the two ends of each file are read."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    whole = sum(path.stat().st_size for path in files) <= _WHOLE_FILES
    digest = blake2b(digest_size=8)
    for path in files:
        digest.update(f"\0{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes() if whole else _ends(path))
    return digest.hexdigest()


def _ends(path: Path) -> bytes:
    size = 2**20
    with path.open("rb") as file:
        first = file.read(size)
        file.seek(max(0, path.stat().st_size - size))
        return first + file.read(size)
