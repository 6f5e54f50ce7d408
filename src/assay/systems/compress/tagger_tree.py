"""The one to use: a tagger's probabilities under the laws of the tree, to an exact budget, with what must stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownName
from .._budget import Limit
from ._analysis import Analysis, analyse
from ._base import Compression, Compressor, Source, build_compression
from ._costs import room, token_costs
from ._forest import LAWS, Forest, forest
from ._length import shorten, too_long
from ._protected import kinds, must_keep, wanted

Floats = NDArray[np.float64]
_CAREFUL = 0.6  # the share of a text from which the conservative tagger is asked
_DEAR = 1.0  # what a word that should stay is worth more, in logits, where a budget has no room for all of them
_EDGE = 1e-6


@dataclass(frozen=True)
class TaggerTree(Compressor):
    """A neural tagger's choice of words that leaves the tree whole, keeps what must stay and meets the budget exactly.

    Makes the sum of logit p(keep) - logit threshold over the kept words largest; with a budget, the sum of logit
    p(keep) of as many words as are asked. `tagger`: headline (keeps two words in five), conservative (three in four),
    or the file of one; auto takes conservative for budgets of 60% of the text and more. `keep`: what must stay (all,
    none, or of negation, numbers, names, code, quotes, joined by +). `laws`: what must stay together (all, none, or of
    tree, function, negation, arguments, joined).
    """

    name: ClassVar[str] = "tagger-tree"
    honours_patterns: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    tagger: str = "auto"
    keep: str = "all"
    laws: str = "all"
    threshold: float = 0.0  # 0: the tagger's own
    parser: str = "en"

    def __post_init__(self) -> None:
        kinds(self.keep)
        self.chosen_laws()

    def chosen_laws(self) -> frozenset[str]:
        """The laws that `laws` names."""
        if self.laws in ("all", "none"):
            return frozenset(LAWS if self.laws == "all" else ())
        found = frozenset(part.strip() for part in self.laws.split("+"))
        for law in found - set(LAWS):
            raise UnknownName("law", law, LAWS, hint=f"(all, none, or of {', '.join(LAWS)} with +)")
        return found

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        from ._tagger import Tagger

        found = analyse([source.text for source in sources], self.parser)
        names = [self._tagger(source) for source in sources]
        marginals: list[Floats] = [np.zeros(0)] * len(sources)
        for name in sorted(set(names)):
            mine = [i for i, other in enumerate(names) if other == name]
            values = Tagger.load(name).marginals([found[i].parse for i in mine])
            for i, value in zip(mine, values, strict=True):
                marginals[i] = value
        return [
            self.choose(source, a, p, self.threshold or Tagger.load(name).threshold)
            for source, a, p, name in zip(sources, found, marginals, names, strict=True)
        ]

    def _tagger(self, source: Source) -> str:
        if self.tagger != "auto":
            return self.tagger
        limit = source.limit
        careful = limit is not None and limit.most >= _CAREFUL * limit.size(source.text)
        return "conservative" if careful else "headline"

    def choose(self, source: Source, a: Analysis, p: Floats, threshold: float) -> Compression:
        """The compression of a parsed text whose words have these probabilities."""
        if all(a.punctuation):
            return build_compression(source.text, a.tokens, ())
        choice = Choice(source, a, p, threshold, kinds(self.keep), self.chosen_laws())
        limit = source.limit
        if limit is None:
            return choice.free()
        made = shorten(source, a.tokens, lambda most: choice.within(Limit(most, limit.unit)), limit)
        return replace(made, notes=(*choice.lost(made), *too_long(made.text, limit)))


class Choice:
    """What of one text may, must and should be kept."""

    def __init__(
        self, source: Source, a: Analysis, p: Floats, threshold: float, keep: frozenset[str], laws: frozenset[str]
    ) -> None:
        self.source, self.a = source, a
        self.forest: Forest = forest(a, laws)
        odds = np.clip(p, _EDGE, 1 - _EDGE)
        self.logit = np.log(odds / (1 - odds))
        self.bias = float(np.log(threshold / (1 - threshold)))
        self.marks = [i for i, mark in enumerate(a.punctuation) if mark and p[i] >= threshold]
        self.between = [i for i, mark in enumerate(a.punctuation) if mark and 0 < i < len(p) - 1]
        told = wanted(source, a.tokens)
        self.told = {i for i, yes in told.items() if yes}
        self.dropped = {i for i, yes in told.items() if not yes}
        self.kept = must_keep(a, keep) - self.dropped

    def free(self) -> Compression:
        """What is above the threshold, and what must stay."""
        values = self.forest.spread(self.logit - self.bias)
        forced = self.forest.forced(self.kept | self.told, self.dropped)
        words = self._costs("words")
        kept, _ = self.forest.best(values, words, forced, 0, -1)
        if not kept:  # nothing is above the threshold: the best there is
            kept, _ = self.forest.best(values, words, forced, 1, int(words.sum()))
        return build_compression(self.source.text, self.a.tokens, [*kept, *self._marks(kept)])

    def within(self, limit: Limit) -> list[int]:
        """As many of the likeliest words as a limit allows; where not all that must stay fit, they only weigh more."""
        costs = self._costs(limit.unit)
        most = room(self.a.tokens, limit)
        least = most if limit.unit == "words" else max(1, most - 7)
        values = self.forest.spread(self.logit)
        forced = self.forest.forced(self.kept | self.told, self.dropped)
        kept, met = self.forest.best(values, costs, forced, least, most)
        if not met and self.kept:
            dear = np.zeros(len(self.logit))
            dear[sorted(self.kept)] = _DEAR
            forced = self.forest.forced(self.told, self.dropped)
            kept, _ = self.forest.best(values + self.forest.spread(dear), costs, forced, least, most)
        return sorted([*kept, *self._marks(kept)])

    def _costs(self, unit: str) -> NDArray[np.int64]:
        return self.forest.spread(token_costs(self.a.tokens, unit).astype(np.float64)).astype(np.int64)

    def _marks(self, kept: list[int]) -> list[int]:
        """Punctuation that the tagger keeps, that stands between kept neighbours, or that must stay."""
        chosen = set(kept)
        between = [i for i in self.between if i - 1 in chosen and i + 1 in chosen]
        return [*self.marks, *between, *self._seams(kept), *(i for i in self.kept | self.told if self.a.punctuation[i])]

    def _seams(self, kept: list[int]) -> Iterator[int]:
        """A comma or the like where one clause that stands alone follows another."""
        tops = self.forest.tops
        for left, right in pairwise(kept):
            if tops[left] != tops[right]:
                yield from [i for i in range(left + 1, right) if self.a.tokens[i].text in (",", ";", ":", "—", "--")][
                    -1:
                ]

    def lost(self, made: Compression) -> tuple[str, ...]:
        """The note on words that should have stayed but had no room."""
        gone = sorted(i for i in self.kept - set(made.kept) if not self.a.punctuation[i])
        if not gone:
            return ()
        words = " ".join(self.a.tokens[i].text for i in gone[:8]) + (" ..." if len(gone) > 8 else "")
        return (f"the budget left no room for {len(gone)} words that should stay: {words}",)
