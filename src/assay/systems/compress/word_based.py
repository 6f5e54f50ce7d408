"""Word-based compression by exact search (Hori and Furui 2004, as changed in Clarke and Lapata 2006, 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...text.lm.trigrams import LanguageModel, load
from ...text.tokens.offsets import Token, is_punctuation, split_tokens
from ..budget import Limit
from ._base import Compression, Compressor, Source, build_compression
from ._significance import document_counts, is_content, significance
from .length._costs import room, token_costs
from .length._limit import note_excess, shorten

_CORE = frozenset({"nsubj", "csubj", "obj", "iobj"})
_MAX_TOKENS = 120  # tokens that are searched at once; the search takes cubic time


@dataclass(frozen=True)
class WordBased(Compressor):
    """Significant words, subjects, objects and verbs in a likely sequence under a trigram model (Hori and Furui 2004).

    S(V) = sum of significance * I + sov * SOV + lm * L (eq. 1) over the kept words, the end of the sentence included,
    with I = f log(F_A / F_w) for nouns and verbs (eq. 2); SOV = the word's count in the document for verbs and heads of
    subjects and objects, else `default` (eq. 3); L = log p of the trigram. All lengths, or that of the limit, are
    searched. `parser=none` works without a parser, in any language: every word that is not among the 150 most frequent
    of the language model (`model`, a file) counts as a noun, and as a subject.
    """

    name: ClassVar[str] = "word-based"
    significance: float = 0.7132
    sov: float = 8.28
    default: float = 0.401
    lm: float = 1.0
    parser: str = "en"
    model: str = ""

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        model = load(self.model or None)
        return [
            self._one(source, tokens, own, model)
            for source, (tokens, own) in zip(sources, self.score_words(sources, model), strict=True)
        ]

    def score_words(
        self, sources: Sequence[Source], model: LanguageModel
    ) -> list[tuple[tuple[Token, ...], NDArray[np.float64]]]:
        """Return the tokens of each source, each with significance * I + sov * SOV."""
        rows = features(sources, model, self.parser)
        return [(tokens, self.significance * i + self.sov * np.where(s > 0, s, self.default)) for tokens, i, s in rows]

    def _one(
        self, source: Source, tokens: tuple[Token, ...], own: NDArray[np.float64], model: LanguageModel
    ) -> Compression:
        if not tokens:
            return build_compression(source.text, tokens, ())
        limit = source.limit
        notes = []
        if len(tokens) > _MAX_TOKENS:
            notes.append(f"the text has {len(tokens)} tokens and was searched in parts of at most {_MAX_TOKENS}")
        words = model.ids([t.text for t in tokens])
        if limit is None:
            tokens_kept = search(model, words, own, self.lm, tokens)
            return build_compression(source.text, tokens, tokens_kept, notes)

        def within(most: int) -> list[int]:
            return search(model, words, own, self.lm, tokens, Limit(most, limit.unit))

        compression = shorten(source, tokens, within, limit)
        return replace(compression, notes=(*notes, *note_excess(compression.text, limit)))


Row = tuple[tuple[Token, ...], NDArray[np.float64], NDArray[np.float64]]


def features(sources: Sequence[Source], model: LanguageModel, parser: str) -> list[Row]:
    """Compute, for each source, tokens, significance and SOV score: 0 where the default applies."""
    if parser == "none":
        split = [split_tokens(source.text) for source in sources]
        topics = [[is_content(t.text, model) for t in tokens] for tokens in split]
        core = topics
    else:
        from ...text.parse.flat import parse_texts

        parsed = parse_texts([source.text for source in sources], parser)
        split = [a.tokens for a in parsed]
        topics = [[w.pos in ("NOUN", "PROPN", "VERB") for w in a.words] for a in parsed]
        core = [[w.pos == "VERB" or w.relation.partition(":")[0] in _CORE for w in a.words] for a in parsed]
    rows = []
    for source, tokens, topic, head in zip(sources, split, topics, core, strict=True):
        counts = document_counts(source)
        weights = [significance(t.text, counts, model) if yes else 0.0 for t, yes in zip(tokens, topic, strict=True)]
        counts_seen = [
            float(max(1, counts[t.text.lower()])) if yes else 0.0 for t, yes in zip(tokens, head, strict=True)
        ]
        rows.append((tokens, np.array(weights), np.array(counts_seen)))
    return rows


def search(
    model: LanguageModel,
    words: NDArray[np.uint32],
    own: NDArray[np.float64],
    weight: float,
    tokens: Sequence[Token],
    limit: Limit | None = None,
) -> list[int]:
    """Find the best tokens to keep; with a limit, as many words as it allows. Long texts are searched in parts."""
    costs = token_costs(tokens, limit.unit if limit else "words")
    tokens_kept: list[int] = []
    left, total = (room(tokens, limit), int(costs.sum())) if limit else (0, 0)
    for start, end in parts(tokens, _MAX_TOKENS):
        own_costs = costs[start:end]
        most = -1
        if limit:
            most = min(int(own_costs.sum()), round(left * int(own_costs.sum()) / max(1, total)))
            left, total = left - most, total - int(own_costs.sum())
        args = (words[start:end], own[start:end], weight, own_costs)
        slack = 0 if limit is None or limit.unit == "words" else 7  # chars: what one more word would take
        selected, _ = model.grams.best_words(*args, max(0, most - slack), most)
        if not len(selected) and limit:
            selected, _ = model.grams.best_words(*args, 0, most)
        tokens_kept += [start + int(i) for i in selected]
    if any(not is_punctuation(tokens[i].text) for i in tokens_kept):
        return tokens_kept
    best = max((i for i, t in enumerate(tokens) if not is_punctuation(t.text)), key=lambda i: own[i], default=0)
    return [best]  # a text is never empty


def parts(tokens: Sequence[Token], longest: int) -> list[tuple[int, int]]:
    """Split tokens into spans of at most `longest`, after punctuation if there is some in the second half.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> parts(split_tokens("a b, c d e f"), 4)
    [(0, 3), (3, 7)]
    """
    spans, start = [], 0
    while len(tokens) - start > longest:
        window = range(start + longest // 2, start + longest)
        cut = max((i + 1 for i in window if is_punctuation(tokens[i].text)), default=start + longest)
        spans.append((start, cut))
        start = cut
    return [*spans, (start, len(tokens))] if tokens else []


def tune(
    system: WordBased, sources: Sequence[Source], objective: Callable[[Sequence[str]], float], *, steps: int = 200
) -> WordBased:
    """Find the best weights on a small sample by Powell's method; the weight of the language model stays 1.

    `objective` gives what is to be made large for the texts of the sources: relations F, token F1, any metric's mean.
    """
    from scipy.optimize import minimize

    if not sources:
        raise InputError("tuning needs a sample of sources; 50 will do")
    model = load(system.model or None)
    rows = features(sources, model, system.parser)
    ids = [model.ids([t.text for t in tokens]) for tokens, _, _ in rows]

    def texts(weights: NDArray[np.float64]) -> list[str]:
        i_weight, sov, default = np.exp(weights)
        outputs = []
        for source, (tokens, i, s), words in zip(sources, rows, ids, strict=True):
            own = i_weight * i + sov * np.where(s > 0, s, default)
            tokens_kept = search(model, words, own, 1.0, tokens, source.limit)
            outputs.append(build_compression(source.text, tokens, tokens_kept).text)
        return outputs

    start = np.log([system.significance / system.lm, system.sov / system.lm, system.default])
    optimum = minimize(
        lambda w: -objective(texts(w)), start, method="Powell", options={"maxfev": steps, "xtol": 0.02, "ftol": 1e-4}
    )
    i_weight, sov, default = (float(f"{v:.4g}") for v in np.exp(optimum.x))
    return replace(system, significance=i_weight, sov=sov, default=default, lm=1.0)
