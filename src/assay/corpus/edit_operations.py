"""Classify how one text was edited into another, from a word alignment (Toutanova et al. 2016, 3.3).

Punctuation and case are ignored: a new comma or a capital letter at the new beginning is not a rephrasing. The paper
does not say how it treats either; if punctuation counts, pure deletion is a little less frequent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from ..text.align.monolingual import WordAlignment
from ..text.align.word_features import CONTENT, MARK, word_class
from ..text.sentences import sentence_spans
from ..text.tokens.offsets import Token

TYPES = ("delete", "reorder", "rephrase", "unchanged", "empty")
OPERATIONS = ("delete", "substitute", "reorder", "fewer sentences", "merge", "sentence deletion", "split")


@dataclass(frozen=True)
class Edit:
    """How one output was made from its source.

    `type` is the first that applies: empty (no word is left), unchanged (the same words), delete (only deletions: the
    output's words are in the source in the same order), reorder (every word is from the source, in another order),
    rephrase (something is substituted or inserted). `operations` are all that were used: delete, substitute (a word of
    the output is linked to a different word, or to none), reorder (two groups of linked words changed places), and for
    sources of several sentences: fewer sentences, merge (a sentence of the output draws on two of the source, and there
    are fewer than remain of the source), sentence deletion (no content word of a sentence is left), split (a sentence
    of the source became two).
    """

    kind: ClassVar[str] = "edit"
    item: str
    system: str
    type: str
    operations: tuple[str, ...]
    copied: int  # words of the output that are linked to an equal word
    paraphrased: int  # words of the output that are linked to a different word
    inserted: int  # words of the output that are not linked
    linked: int  # words of the source that are linked
    deleted: int  # words of the source that are not
    source_sentences: int
    output_sentences: int

    @property
    def words(self) -> int:
        """Number of words of the output."""
        return self.copied + self.paraphrased + self.inserted


def classify_edit(alignment: WordAlignment, item: str = "", system: str = "") -> Edit:
    """Classify the edit from the first text of an alignment to the second.

    >>> from assay.text.align.monolingual import align
    >>> edit = classify_edit(align("The old mayor resigned on Monday. Nobody wept.", "The mayor stepped down Monday."))
    >>> edit.type, edit.operations, edit.copied, edit.paraphrased, edit.deleted
    ('rephrase', ('delete', 'substitute', 'fewer sentences', 'sentence deletion'), 3, 2, 4)
    """
    source, output = _word_places(alignment.a.tokens), _word_places(alignment.b.tokens)
    source_words = [_form(alignment.a.tokens[i]) for i in source]
    output_words = [_form(alignment.b.tokens[j]) for j in output]
    copied = sum(_is_copied(alignment, j) for j in output)
    linked_output = sum(j in alignment.of_b for j in output)
    linked_source = sum(i in alignment.of_a for i in source)
    in_order = _is_subsequence(output_words, source_words)
    if in_order:  # of two equal words an alignment may link the other one; the edit is clear without it
        copied = linked_output = linked_source = len(output_words)
    sentences = _compare_sentences(alignment)
    used = {
        "delete": linked_source < len(source),
        "substitute": copied < len(output),
        "reorder": not in_order and _is_reordered(alignment),
        "fewer sentences": 0 < sentences.output < sentences.source,
        "merge": sentences.merge and bool(output),
        "sentence deletion": sentences.deletion and bool(output),
        "split": sentences.split,
    }
    return Edit(
        item=item,
        system=system,
        type=_edit_type(source_words, output_words, in_order, copied == len(output)),
        operations=tuple(name for name in OPERATIONS if used[name]),
        copied=copied,
        paraphrased=linked_output - copied,
        inserted=len(output) - linked_output,
        linked=linked_source,
        deleted=len(source) - linked_source,
        source_sentences=sentences.source,
        output_sentences=sentences.output,
    )


def _edit_type(source: list[str], output: list[str], in_order: bool, all_copied: bool) -> str:
    if not output:
        return "empty"
    if source == output:
        return "unchanged"
    return "delete" if in_order else "reorder" if all_copied else "rephrase"


def _word_places(tokens: Sequence[Token]) -> list[int]:
    return [place for place, token in enumerate(tokens) if word_class(_form(token)) != MARK]


def _form(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def _is_copied(alignment: WordAlignment, place: int) -> bool:
    """Check if a word of the output is linked to an equal word."""
    form = _form(alignment.b.tokens[place])
    return any(_form(alignment.a.tokens[link.a]) == form for link in alignment.of_b.get(place, ()))


def _is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def _is_reordered(alignment: WordAlignment) -> bool:
    """Check if two groups of linked words, neither of them punctuation, are in another order."""
    phrases = [p for p in alignment.phrases() if word_class(_form(alignment.a.tokens[p.a[0]])) != MARK]
    places = [a for _, a in sorted((p.b[0], p.a[0]) for p in phrases)]
    return any(later < earlier for earlier, later in pairwise(places))


@dataclass(frozen=True)
class _Sentences:
    source: int
    output: int
    merge: bool
    deletion: bool
    split: bool


def _compare_sentences(alignment: WordAlignment) -> _Sentences:
    """Find which sentences of the source each sentence of the output draws on."""
    source, output = (sentence_spans(side.text) for side in (alignment.a, alignment.b))
    links: set[tuple[int, int]] = set()
    for link in alignment.links:
        if word_class(_form(alignment.a.tokens[link.a])) == CONTENT and link.kind != "context":
            links.add(
                (_sentence_at(source, alignment.a.tokens[link.a]), _sentence_at(output, alignment.b.tokens[link.b]))
            )
    remaining = {s for s, _ in links}
    from_many = any(len({s for s, o in links if o == place}) > 1 for place in range(len(output)))
    to_many = any(len({o for s, o in links if s == place}) > 1 for place in range(len(source)))
    return _Sentences(
        len(source),
        len(output),
        from_many and len(output) < len(remaining),
        len(source) > 1 and len(remaining) < len(source),
        to_many and len(output) > len(remaining),
    )


def _sentence_at(sentences: Sequence[tuple[int, int]], token: Token) -> int:
    return next((k for k, (_, end) in enumerate(sentences) if token.start < end), len(sentences) - 1)
