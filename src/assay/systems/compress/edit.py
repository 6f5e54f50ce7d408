"""Edit: rewrite what has a short form, then delete words; every edit is known and has a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ...errors import InputError
from ...text.parse.flat import ParsedText, parse_texts
from ..budget import Budget
from ._base import Compression, Compressor, Source
from .edits._replacements import Replacements, TextReplacement, find_replacements
from .edits.model import EditAnswer, EditTagModel
from .edits.rewrite import Rewrite, leave_text, refuse_reason
from .edits.short_forms import DEFAULT_KINDS, parse_form_kinds
from .tagger_tree import TaggerTree


@dataclass(frozen=True)
class EditTagger(Compressor):
    """Short forms and phrases that a neural tagger puts in, then deletions as tagger-tree makes them.

    `forms`: kinds of short forms (all, none, or some of phrase, nominalization, numeral, date, abbreviation,
    contraction, joined by +). `least`: probability from which on a phrase or form that the tagger learned is put in
    (1: never); with --faithful only those that say the same. `keep` and `constraints` are those of tagger-tree,
    `threshold` the probability from which on a word stays without a length limit.
    """

    name: ClassVar[str] = "edit"
    honours_patterns: ClassVar[bool] = True
    is_faithful: ClassVar[bool] = True
    english_only: ClassVar[bool] = True
    rewrites: ClassVar[bool] = True
    forms: str = DEFAULT_KINDS
    least: float = 0.3
    keep: str = "all"
    constraints: str = "all"
    threshold: float = 0.45
    model: str = ""  # the one of the package of models
    parser: str = "en"

    def __post_init__(self) -> None:
        parse_form_kinds(self.forms)
        self._deleter()
        for name, value in (("least", self.least), ("threshold", self.threshold)):
            if not 0 < value <= 1:
                raise InputError(f"{name} must be above 0 and at most 1; got {value:g}")

    def _deleter(self) -> TaggerTree:
        return TaggerTree(
            keep=self.keep, constraints=self.constraints, threshold=self.threshold, parser=self.parser, adjacency=1.0
        )

    def compress(self, sources: Sequence[Source]) -> list[Compression]:
        model = EditTagModel.load(self.model)
        outputs: list[Compression | None] = [self._leave(source, model) for source in sources]
        open_places = [i for i, output in enumerate(outputs) if output is None]
        parsed = parse_texts([sources[i].text for i in open_places], self.parser)
        answers = model.answer([a.parse for a in parsed])
        plans = [
            Replacements(a.text, a.tokens, self._choose(sources[i], a, answer, model))
            for i, a, answer in zip(open_places, parsed, answers, strict=True)
        ]
        changed = [k for k, plan in enumerate(plans) if plan.items]
        again = parse_texts([plans[k].text for k in changed], self.parser)
        answers_again = model.answer([a.parse for a in again])
        read = list(zip(parsed, answers, strict=True))
        for k, a, answer in zip(changed, again, answers_again, strict=True):
            read[k] = (a, answer)
        for i, plan, (a, answer) in zip(open_places, plans, read, strict=True):
            source = _shorter_source(sources[i], plan.text)
            shorter = self._deleter().choose(source, a, answer.keep, "conservative")
            outputs[i] = plan.compose(shorter)
        return [output for output in outputs if output is not None]

    def _leave(self, source: Source, model: EditTagModel) -> Rewrite | None:
        """Return a text that is left as it is: one without words, in another language, or short enough."""
        if not source.text.strip():
            return leave_text(source)
        if reason := refuse_reason(source.text, model.known):
            return leave_text(source, "" if reason == "it has no words" else reason)
        limit = source.limit
        fits = limit is not None and limit.holds(source.text) and not source.drop
        return leave_text(source) if fits else None

    def _choose(self, source: Source, a: ParsedText, answer: EditAnswer, model: EditTagModel) -> list[TextReplacement]:
        kinds = parse_form_kinds(self.forms)
        return find_replacements(source, a, kinds, [tag for tag in answer.tags if tag.p >= self.least], model.pairs)


def _shorter_source(source: Source, text: str) -> Source:
    """Return the source with its short forms; its limit is that of the source as it was."""
    limit = source.limit
    if limit is None or source.budget.ratio is None:
        return replace(source, text=text)
    return replace(source, text=text, budget=Budget(words=limit.most))
