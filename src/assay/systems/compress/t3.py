"""Compression by a synchronous tree substitution grammar: constituents are deleted, rephrased and moved (T3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os.path import splitext
from pathlib import Path
from typing import ClassVar

from ...errors import InputError, UnknownName
from ...extras import RESEARCH, find_model
from ...text.lm.trigrams import LanguageModel, load
from ...text.parse.flat import ParsedText, parse_texts
from ...text.tokens.offsets import is_punctuation
from ..budget import Limit, count_words
from ._base import Compression, Compressor, Source
from ._rendering import is_clitic
from .edits.rewrite import build_rewrite, leave_text, refuse_reason
from .length._limit import cut_to_limit
from .tree._decision_features import Case
from .tree._derived_text import write_pieces
from .tree.chart import LocalScores, TextChart, WordScores
from .tree.constituents import constituents
from .tree.model import LANGUAGE, LANGUAGE_SCALE, WORD, GrammarText, TreeGrammar, load_grammar
from .tree_transducer import TreeTransducer, token_sizes

RULES = ("all", "delete")
_NEAREST = 3  # lengths next to the limit among which the score decides
_PER_LENGTH = 5  # there are many lengths, and a fifth of the width is enough for each


@dataclass(frozen=True)
class T3(Compressor):
    """Tree-to-tree grammar (Cohn and Lapata 2008): constituents are deleted, rephrased and moved by learned rules.

    rules: all, or delete: the deletion-only transducer, which is also called `transducer`. model: msr, which comes with
    assay-eval-research, or the path of one made by training/systems/abstractive/t3.py. width: texts kept for each
    constituent. rewrite: added to the score of each rule that replaces or moves words, to see more of them. language: a
    trigram model (`assay lm train`); empty: the one that comes with Assay.
    """

    name: ClassVar[str] = "t3"
    english_only: ClassVar[bool] = True
    rewrites: ClassVar[bool] = True
    rules: str = "all"
    model: str = "msr"
    width: int = 20
    rewrite: float = 0.0
    parser: str = "en"
    language: str = ""

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise UnknownName("rules of t3", self.rules, RULES, hint=f"(there are {', '.join(RULES)})")
        if self.width < 1:
            raise InputError(f"width of t3 must be a whole number above 0; got {self.width}")

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        if self.rules == "delete":
            return TreeTransducer(parser=self.parser, language=self.language).compress(sources)
        own = Path(f"{splitext(self.model)[0]}.npz")
        path = find_model("abstractive/t3.npz", "t3", package=RESEARCH) if self.model == "msr" else own
        grammar, language = load_grammar(path.with_suffix("")), load(self.language or None)
        analyses = parse_texts([source.text for source in sources], self.parser)
        return [self._one(grammar, language, s, a) for s, a in zip(sources, analyses, strict=True)]

    def _one(self, grammar: TreeGrammar, language: LanguageModel, source: Source, analysis: ParsedText) -> Compression:
        if reason := refuse_reason(source.text, language.word_ids):
            return leave_text(source, reason if source.text.strip() else "")
        tokens = [token.text for token in analysis.tokens]
        text = GrammarText(grammar, Case.of(constituents(analysis), analysis), tokens)
        local = _without_negation(text.scores(grammar.weights, rewrite=self.rewrite), grammar)
        lm, bonus = (float(grammar.weights[grammar.features[name]]) for name in (LANGUAGE, WORD))
        words = WordScores(language, lm / LANGUAGE_SCALE, bonus)
        if source.limit is None:
            best = TextChart(text.tree, tokens, local, words, self.width).best(None)
            outputs = (write_pieces(derivation.pieces, analysis) for derivation in best)
            return build_rewrite(source, next((output for output in outputs if count_words(output)), ""))
        if output := self._fit(text, local, words, analysis, source.limit):
            return build_rewrite(source, output)
        cut = cut_to_limit(source, analysis.tokens, range(len(tokens)), source.limit)
        return build_rewrite(source, cut.text)

    def _fit(self, text: GrammarText, local: LocalScores, words: WordScores, analysis: ParsedText, limit: Limit) -> str:
        """Return the best text of the three longest lengths within the limit; nothing if there is none."""
        sizes = token_sizes(analysis.tokens, limit)
        chart = TextChart(
            text.tree,
            text.tokens,
            local,
            words,
            max(1, self.width // _PER_LENGTH),
            longest=min(limit.most, sum(sizes)),  # no new words to fill a length
            sizes=sizes,
            size=lambda word: _new_size(word, limit),
        )
        fitting: list[tuple[float, str]] = []
        lengths: set[int] = set()
        for size in sorted(chart.top, reverse=True):
            for derivation in chart.of_size(size, None):
                output = write_pieces(derivation.pieces, analysis)
                if count_words(output) and limit.holds(output):
                    lengths.add(size)
                    fitting.append((derivation.score, output))
            if len(lengths) == _NEAREST:
                break
        return max(fitting, key=lambda pair: pair[0])[1] if fitting else ""


def _without_negation(local: LocalScores, grammar: TreeGrammar) -> LocalScores:
    """Leave out the rules that would turn what is said into its opposite."""
    rules = {
        place: [fit for fit in fitting if not grammar.index.rules[fit[0].rule].changes_negation]
        for place, fitting in local.rules.items()
    }
    return replace(local, rules=rules)


def _new_size(word: str, limit: Limit) -> int:
    """Return what a new word adds to the length of a text."""
    if limit.unit == "chars":
        return len(word) + 1
    return 0 if is_punctuation(word) or is_clitic(word) else 1
