"""The model of `edit`: for each word, how likely it stays, and what people put in its place or before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError
from ....extras import RESEARCH, find_model
from ....text.parse.sentence import Parse
from ..neural._tagger_input import Features, Vocabulary, segments, units
from ..neural._tagger_network import ARRAYS, Floats, Network
from ..neural.tagger import Tagger, limit_threads
from ._tags import list_tags

NAME = "abstractive/edit.json"
_TAGS = ("tags.weight", "tags.bias")
_FLOOR = 0.05  # tags below this probability are not reported


# Small words of other languages that English news has too, in names.
_FOREIGN_WORDS = """
    el la los las de del que un una con por para le les des du une et est dans pour qui der das und ist von mit den dem
    im auf il di che och det av en ein eine van het een se si su al como lo e o da em um na
"""
_FOREIGN = frozenset(_FOREIGN_WORDS.split())


class TagChoice(NamedTuple):
    """A tag of a word (its place in the text) and its probability, given that the word stays."""

    word: int
    tag: str
    p: float


class EditAnswer(NamedTuple):
    """What the model says of one text: p(keep) of every word, and the likely tags that change something."""

    keep: NDArray[np.float64]
    tags: tuple[TagChoice, ...]


@dataclass(frozen=True, eq=False)
class EditTagModel:
    """The tagger's network with a second layer of answers; `pairs` are what may replace what."""

    vocabulary: Vocabulary
    network: Network
    weight: Floats  # hidden x tags
    bias: Floats
    tags: tuple[str, ...]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def load(cls, name: str = "") -> EditTagModel:
        """Load the model of the package of models, or the .json file of a trained one; each is loaded once."""
        path = Path(name) if name else find_model(NAME, "edit", package=RESEARCH)
        return _load(str(path.resolve()))

    @cached_property
    def known(self) -> frozenset[str]:
        """The English words that the model has learned something about."""
        return frozenset(self.vocabulary.words) - _FOREIGN

    def answer(self, parses: Sequence[Parse]) -> list[EditAnswer]:
        """Read each parse, its sentences one after another; give all at once."""
        sentences: list[Features] = []
        counts: list[list[int]] = []
        owners: list[int] = []
        for number, parse in enumerate(parses):
            for segment in segments(parse):
                sentence_units = units(segment)
                sentences.append(self.vocabulary.features(sentence_units))
                counts.append([unit.words for unit in sentence_units])
                owners.append(number)
        with limit_threads():
            answers = self.network.answer(sentences, self._head)
        keep: list[list[NDArray[np.float64]]] = [[] for _ in parses]
        tags: list[list[TagChoice]] = [[] for _ in parses]
        starts = [0] * len(parses)
        for number, rows, words in zip(owners, answers, counts, strict=True):
            keep[number].append(np.repeat(rows[:, 0].astype(np.float64), words))
            first = starts[number] + np.cumsum([0, *words])[:-1]
            for unit, tag in np.argwhere(rows[:, 2:] >= _FLOOR).tolist():
                tags[number].append(TagChoice(int(first[unit]), self.tags[tag + 1], float(rows[unit, tag + 2])))
            starts[number] += sum(words)
        return [
            EditAnswer(np.concatenate(part) if part else np.zeros(0), tuple(choices))
            for part, choices in zip(keep, tags, strict=True)
        ]

    def _head(self, hidden: Floats) -> Floats:
        """Return p(keep) and then the probability of each tag, in one row a unit."""
        keep = self.network.keep_head(hidden)
        logits = hidden @ self.weight + self.bias
        logits -= logits.max(1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(1, keepdims=True)
        return np.concatenate([keep[:, None], logits], axis=1)


@lru_cache(maxsize=4)
def _load(name: str) -> EditTagModel:
    path = Path(name)
    if not path.is_file():
        raise InputError(f"no model at {path}; give the .json file of one")
    base = Tagger.load("headline")  # the table of words is the one of the taggers, which stay as they are
    with explain_errors("is not a model of edit that Assay can read", path):
        about = json.loads(path.read_text(encoding="utf-8"))
        file = path.with_suffix(".npz")
        arrays = read_arrays(file, path=file, needed=(*ARRAYS, *_TAGS))
        arrays["word"] = base.network.tables[0]
        tags = tuple(list_tags(_strings(about["phrases"])))
        pairs = frozenset((str(old), str(new)) for old, new in about["pairs"])
        vocabulary = Vocabulary(list(base.vocabulary.words), _strings(about["tags"]), _strings(about["relations"]))
        network = Network.of(arrays)
        weight, bias = (np.ascontiguousarray(arrays[key], np.float32) for key in _TAGS)
        if weight.shape != (network.middle.shape[1], len(tags)) or bias.shape != (len(tags),):
            raise FormatError(f"has {len(tags)} tags, but weights of the shape {weight.shape} for them", path=path)
        for table, size in ((1, len(vocabulary.tags)), (2, len(vocabulary.relations))):
            if size > len(network.tables[table]):
                raise FormatError(f"lists {size} names for a table of {len(network.tables[table])} rows", path=path)
        return EditTagModel(vocabulary, network, weight, bias, tags, pairs)


def _strings(values: object) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("a list of words was expected")
    return values
