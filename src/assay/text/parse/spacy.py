"""SpaCy: parses by a spaCy pipeline, if spaCy is installed."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from ...errors import InputError
from .blocks import blocks
from .engines import GROUP, OTHERS, Block, Scored, release
from .relations import check_relations, to_universal
from .sentence import Sentence, Word

_NOT_NEEDED = ["ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat", "coref"]
_WHOLE_FILES = 2**26  # bytes of a model that are hashed whole; of a bigger one, the ends of each file


def find_pipeline(model: str) -> Path:
    """Return the folder of a pipeline that is named, or given as a folder."""
    if os.path.isdir(model):
        return _pipeline(Path(model), model)
    name = model.replace("-", "_")
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    if spec is not None and spec.origin and name != "spacy":
        return _pipeline(Path(spec.origin).parent, model)
    own = "those that come with Assay are en and accurate (English)"
    raise InputError(f"no parser {model!r} is installed; {own}: else {OTHERS}")


def _pipeline(folder: Path, model: str) -> Path:
    """Return the folder that holds config.cfg: a package keeps it in a folder with its version in the name."""
    for path in (folder, *sorted(folder.glob("*-*"))):
        if (path / "config.cfg").is_file():
            return path
    raise InputError(f"{model} is not a spaCy pipeline: there is no config.cfg in {folder}; {OTHERS}")


class SpacyEngine:
    """A spaCy pipeline: an installed one, or a folder."""

    cached = True
    beam = False  # pipelines that are not ours may hold parsers of other kinds
    shared = True

    def __init__(self, model: str, folder: Path) -> None:
        self.model, self.folder = model, folder
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
        try:
            import spacy
            from thinc.api import use_ops
        except ImportError:
            raise InputError(f"parser {self.model!r} needs spaCy: pip install spacy") from None

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

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        """Parse group by group: the last bits of a score depend on what a line is parsed with."""
        groups = (parts[i : i + GROUP] for i in range(0, len(parts), GROUP))
        with self._lock, one_thread():
            return [doc_sentences(doc) for group in groups for doc in self.nlp.pipe(group)]

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        raise NotImplementedError


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
