"""Stanza: parses by a stanza pipeline, if stanza and the models of the language are installed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from ...errors import InputError
from .blocks import blocks
from .engines import Block, Scored, release
from .relations import check_relations, to_universal
from .sentence import Sentence, Word


class StanzaEngine:
    """The pipeline of one language, as stanza finds it on this machine."""

    cached = True
    beam = False
    shared = False  # torch spreads over the cores by itself, and its threads do not survive a fork

    def __init__(self, model: str, language: str) -> None:
        if not language:
            raise InputError("stanza:LANGUAGE names no language; for instance stanza:de")
        self.model, self.language = model, language
        self._lock = Lock()

    @property
    def loaded(self) -> bool:
        return "pipeline" in vars(self)

    @cached_property
    def version(self) -> str:
        return f"stanza{release('stanza')}"

    @cached_property
    def pipeline(self) -> Any:
        """The pipeline, loaded; nothing is downloaded."""
        try:
            import stanza
        except ImportError:
            raise InputError(f"parser {self.model!r} needs stanza: pip install stanza") from None
        try:
            return stanza.Pipeline(
                self.language, processors="tokenize,pos,lemma,depparse", download_method=None, verbose=False
            )
        except Exception as error:  # stanza raises its own kinds, by version
            raise InputError(
                f"stanza cannot load its {self.language!r} models ({' '.join(str(error).split())[:200]}); "
                f"install them with: python -c \"import stanza; stanza.download('{self.language}')\""
            ) from None

    def blocks(self, text: str) -> list[str]:
        return blocks(text)

    def parse(self, parts: Sequence[str], threads: int = 1) -> list[Block]:
        return [tuple(self._words(sentence) for sentence in doc.sentences) for doc in self._documents(parts)]

    def _documents(self, parts: Sequence[str]) -> list[Any]:
        with self._lock:
            return list(self.pipeline.bulk_process(list(parts)))

    def _words(self, sentence: Any) -> Sentence:
        check_relations((w.deprel for w in sentence.words), self.model)
        return to_universal(
            tuple(
                Word(w.text, w.lemma or w.text.lower(), w.upos or "", w.xpos or "", w.feats or "", w.head - 1, w.deprel)
                for w in sentence.words
            )
        )

    def nbest(self, parts: Sequence[str], n: int) -> list[list[Scored]]:
        raise NotImplementedError
