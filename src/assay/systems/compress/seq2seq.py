"""Compression by a stacked LSTM that labels words (Filippova et al. 2015, as in Toutanova et al. 2016, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ...errors import InputError
from ...text.tokens.offsets import Token, is_punctuation, split_lexical_tokens
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from ._rendering import is_clitic
from .edits.rewrite import refuse_reason
from .length._costs import room, token_costs
from .length._limit import note_excess, shorten
from .length.segments import SHORT, length_band, share_limit, split_segments
from .neural.label_search import FREE, KEEP, NEEDS, SAME, LabelSearch
from .neural.seq2seq_network import Seq2SeqNetwork
from .neural.sequence_model import model_path
from .neural.tagger import limit_threads
from .neural.word_units import ModelWord, join_words

_MAX_TOKENS = 100  # tokens that are labelled at once; training sentences have at most 60 words
_SLACK = 7  # chars: what one more word would take


@dataclass(frozen=True)
class Seq2Seq(Compressor):
    """A stack of LSTMs reads a sentence backwards, then labels its words one by one (Filippova et al. 2015).

    Without a length limit it keeps from `least` to `most` of the words of each sentence, as in Toutanova et al. (2016);
    `least=0, most=1` leaves the length to the model. `beam` is the number of labellings that are kept in mind, `model`
    the .json file of a trained network.
    """

    name: ClassVar[str] = "seq2seq"
    english_only: ClassVar[bool] = True
    least: float = 0.5
    most: float = 0.75
    beam: int = 8
    model: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most <= 1:
            raise InputError(f"least and most must be shares, 0 <= least <= most <= 1; got {self.least}, {self.most}")
        if self.beam < 1:
            raise InputError(f"beam must be a whole number above 0; got {self.beam}")

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        network = Seq2SeqNetwork.load(model_path(self.name, self.model))
        with limit_threads():
            return [self._one(source, network) for source in sources]

    def _one(self, source: Source, network: Seq2SeqNetwork) -> Compression:
        tokens, limit = split_lexical_tokens(source.text), source.limit
        fits = limit is not None and limit.holds(source.text)
        if not tokens or fits or (reason := refuse_reason(source.text, network.words)):
            notes = (f"left as it is: {reason}",) if tokens and not fits else ()
            whole = build_compression(source.text, tokens, range(len(tokens)), notes, tidied=False)
            return replace(whole, notes=(*notes, *note_excess(whole.text, limit, "the text as it is has")))
        segments = split_segments(source.text, tokens, _MAX_TOKENS)
        sentences = [_Sentence(network, tokens, *segment, limit.unit if limit else "words") for segment in segments]
        if limit is None:
            labels = [s.label(*length_band(s.cost, self.least, self.most), self.beam) for s in sentences]
            return build_compression(source.text, tokens, _join(labels))

        def within(most: int) -> list[int]:
            shares = share_limit([s.cost for s in sentences], room(tokens, Limit(most, limit.unit)), SHORT[limit.unit])
            slack = 0 if limit.unit == "words" else _SLACK
            rows = [s.label(max(0, n - slack), n, self.beam) for s, n in zip(sentences, shares, strict=True) if n]
            places = _join(rows)
            if all(is_punctuation(tokens[i].text) for i in places):  # a text is never empty
                return [min((len(t.text), i) for i, t in enumerate(tokens) if not is_punctuation(t.text))[1]]
            return places

        compression = shorten(source, tokens, within, limit)
        return replace(compression, notes=(*compression.notes, *note_excess(compression.text, limit)))


def _join(rows: Sequence[list[int]]) -> list[int]:
    return [place for row in rows for place in row]


class _Sentence:
    """The words of one sentence, what each costs, and the network's reading of them."""

    def __init__(self, network: Seq2SeqNetwork, tokens: Sequence[Token], start: int, end: int, unit: str) -> None:
        self.units = [
            ModelWord(form, first + start, last + start) for form, first, last in join_words(tokens[start:end])
        ]
        costs = token_costs(tokens[start:end], unit)
        self.costs = [int(costs[u.start - start : u.end - start].sum()) for u in self.units]
        ties = [FREE, *(_tie(tokens, unit) for unit in self.units[1:])]
        for i in range(len(self.units) - 1, 0, -1):  # what stays or goes with its word is paid for by it
            if ties[i] == SAME:
                self.costs[i - 1] += self.costs[i]
                self.costs[i] = 0
        reader = network.read(network.numbers([u.form for u in self.units]))
        self.search = LabelSearch(reader, self.costs, ties)

    @property
    def cost(self) -> int:
        """What the whole sentence costs."""
        return sum(self.costs)

    def label(self, low: int, high: int, beam: int) -> list[int]:
        """Return the tokens to keep."""
        high = min(high, self.cost)
        labels = self.search.best(min(low, high), high, beam)
        return [
            place
            for label, u in zip(labels, self.units, strict=True)
            if label == KEEP
            for place in range(u.start, u.end)
        ]


def _tie(tokens: Sequence[Token], unit: ModelWord) -> int:
    """Tie a word to the one before: 's and 're need it, n't and what is written without a space ($5, 5%) go with it."""
    before, first = tokens[unit.start - 1], tokens[unit.start]
    if is_clitic(first.text) and unit.form != "n't":
        return NEEDS if first.text not in ("'", "’") else FREE
    glued = before.end == first.start and not (is_punctuation(before.text) or is_punctuation(first.text))
    return SAME if glued or unit.form == "n't" else FREE
