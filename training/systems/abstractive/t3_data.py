"""Pairs of the MSR training texts for the tree grammar: as running text, split by source, parsed and aligned."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from assay.systems.compress.tree._decision_features import Case
from assay.systems.compress.tree.constituents import ConstituentTree, constituents
from assay.text.align.monolingual import WordAlignment, align_all
from assay.text.parse.flat import ParsedText, parse_texts
from assay.text.tokens.offsets import Token

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
FILE = "msr-compression/train-text.jsonl.gz"
PARTS = 10
HELD_BACK, TUNING = 0, 1  # which of the ten parts
CHUNK = 200
_JOINS_LEFT = re.compile(r"""^(?:[.,;:!?%)\]}]+|n't|'(?:s|re|ve|ll|d|m)?|\.\.\.)$""", re.IGNORECASE)
_JOINS_RIGHT = frozenset("([{$#")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


class MsrItem(NamedTuple):
    """A source and what people made of it."""

    source: str
    references: tuple[str, ...]

    @property
    def part(self) -> int:
        """Which tenth it belongs to: by its letters and digits, so that the same text is never in two."""
        plain = "".join(c for c in self.source.lower() if c.isalnum())
        return int.from_bytes(blake2b(plain.encode(), digest_size=8).digest()) % PARTS


def read_items(path: Path | None = None) -> list[MsrItem]:
    """Sources of one sentence; a source with _ in its id was cut to its first one, and its texts are not pairs."""
    with gzip.open(path or DATA / FILE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        MsrItem(untokenize(row["source"]), tuple(map(untokenize, row["compressions"])))
        for row in rows
        if "_" not in str(row["id"])
    ]


def untokenize(text: str) -> str:
    """Write tokens between spaces as running text.

    >>> untokenize("`` I do n't know , '' he said ( 5 % ) .")
    '"I don\\'t know," he said (5%).'
    """
    out, glue, quoted = [], True, False
    for token in text.split():
        token = _BRACKETS.get(token, token)
        if token in ("``", "''", '"'):
            quoted = not quoted
            out.append(('"' if glue else ' "') if quoted else '"')
            glue = quoted
            continue
        out.append(token if glue or _JOINS_LEFT.match(token) else f" {token}")
        glue = token in _JOINS_RIGHT
    return "".join(out)


class Reference(NamedTuple):
    """What one person wrote: the words and how they are linked with those of the source."""

    text: str
    analysis: ParsedText
    links: frozenset[tuple[int, int]]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.analysis.tokens)

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(word.pos for word in self.analysis.words)

    @property
    def tree(self) -> ConstituentTree:
        return constituents(self.analysis)


class Example(NamedTuple):
    """A source with its tree, and its references."""

    analysis: ParsedText
    case: Case
    references: tuple[Reference, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.analysis.tokens)

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(word.pos for word in self.analysis.words)


def parse_items(items: Sequence[MsrItem]) -> Iterator[Example]:
    for first in range(0, len(items), CHUNK):
        yield from _parse(items[first : first + CHUNK])


def _parse(items: Sequence[MsrItem]) -> Iterator[Example]:
    sources = parse_texts([item.source for item in items])
    targets = iter(parse_texts([text for item in items for text in item.references]))
    alignments = align_all((item.source, text) for item in items for text in item.references)
    for item, source in zip(items, sources, strict=True):
        references = []
        for text in item.references:
            target, alignment = next(targets), next(alignments)
            links = frozenset(links_of(alignment, source.tokens, target.tokens))
            references.append(Reference(text, target, links))
        yield Example(source, Case.of(constituents(source), source), tuple(references))


def links_of(alignment: WordAlignment, a: Sequence[Token], b: Sequence[Token]) -> Iterable[tuple[int, int]]:
    """Links between the aligner's words as links between the parser's, which share characters with them."""
    left, right = _shared(alignment.a.tokens, a), _shared(alignment.b.tokens, b)
    return ((i, j) for link in alignment.links for i in left[link.a] for j in right[link.b])


def _shared(words: Sequence[Token], tokens: Sequence[Token]) -> list[list[int]]:
    return [[k for k, t in enumerate(tokens) if t.start < w.end and w.start < t.end] for w in words]
