"""What was done to one text to make another of it, read off a word alignment (Toutanova et al. 2016, 3.3).

Words count, marks do not, and case is ignored: a comma set or a capital at the new beginning is no rephrasing. The
paper does not say how it took either; with marks counted, deletion alone is found a little less often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..text.align.monolingual import WordAlignment
from ..text.align.word_features import CONTENT, MARK, word_class
from ..text.sentences import sentence_spans
from ..text.tokens.offsets import Token

KINDS = ("delete", "reorder", "rephrase", "unchanged", "empty")
OPERATIONS = ("delete", "substitute", "reorder", "fewer sentences", "merge", "sentence deletion", "split")


@dataclass(frozen=True)
class Edit:
    """How one output came from its source.

    `kind` is the first that fits: empty (no word is left), unchanged (the same words), delete (only deletions: the
    output's words stand in the source in this order), reorder (every word is from the source, in another order),
    rephrase (something is substituted or inserted). `operations` are all that were used: delete, substitute (a word
    of the output is another than the one it goes with, or goes with none), reorder (two groups of linked words changed
    places), and for sources of several sentences: fewer sentences, merge (a sentence of the output draws on two of the
    source, and there are fewer than the source has left), sentence deletion (no content word of a sentence is left),
    split (a sentence of the source went into two).
    """

    item: str
    system: str
    kind: str
    operations: frozenset[str]
    copied: int  # words of the output that are linked to an equal word
    paraphrased: int  # linked to another word
    inserted: int  # linked to none
    kept: int  # words of the source that are linked
    deleted: int  # that are not
    source_sentences: int
    output_sentences: int

    @property
    def words(self) -> int:
        """Words of the output."""
        return self.copied + self.paraphrased + self.inserted


def classify(found: WordAlignment, item: str = "", system: str = "") -> Edit:
    """The edit from the first text of an alignment to the second.

    >>> from assay.text.align.monolingual import align
    >>> edit = classify(align("The old mayor resigned on Monday. Nobody wept.", "The mayor stepped down Monday."))
    >>> edit.kind, sorted(edit.operations), edit.copied, edit.paraphrased, edit.deleted
    ('rephrase', ['delete', 'fewer sentences', 'sentence deletion', 'substitute'], 3, 2, 4)
    """
    source, output = _words(found.a.tokens), _words(found.b.tokens)
    mine, theirs = [_form(found.a.tokens[i]) for i in source], [_form(found.b.tokens[j]) for j in output]
    copied = sum(
        any(_form(found.a.tokens[k.a]) == _form(found.b.tokens[j]) for k in found.of_b.get(j, ())) for j in output
    )
    linked = sum(j in found.of_b for j in output)
    kept = sum(i in found.of_a for i in source)
    within = _in_order(theirs, mine)
    if within:  # an alignment may take another of two equal words; what was done is clear without it
        copied = linked = kept = len(theirs)
    moved = not within and _moved(found)
    joined = _sentences(found)
    operations = {
        "delete": kept < len(source),
        "substitute": copied < len(output),
        "reorder": moved,
        "fewer sentences": 0 < joined.output < joined.source,
        "merge": joined.merge and bool(output),
        "sentence deletion": joined.deletion and bool(output),
        "split": joined.split,
    }
    return Edit(
        item,
        system,
        _kind(mine, theirs, within, copied == len(output)),
        frozenset(name for name, done in operations.items() if done),
        copied,
        linked - copied,
        len(output) - linked,
        kept,
        len(source) - kept,
        joined.source,
        joined.output,
    )


def _kind(source: list[str], output: list[str], within: bool, all_copied: bool) -> str:
    if not output:
        return "empty"
    if source == output:
        return "unchanged"
    return "delete" if within else "reorder" if all_copied else "rephrase"


def _words(tokens: Sequence[Token]) -> list[int]:
    return [place for place, token in enumerate(tokens) if word_class(_form(token)) != MARK]


def _form(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def _in_order(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def _moved(found: WordAlignment) -> bool:
    """Whether two groups of linked words, of which neither is a mark, stand in another order."""
    starts = [(p.b[0], p.a[0]) for p in found.phrases() if word_class(_form(found.a.tokens[p.a[0]])) != MARK]
    places = [a for _, a in sorted(starts)]
    return any(later < earlier for earlier, later in pairwise(places))


@dataclass(frozen=True)
class _Joined:
    source: int
    output: int
    merge: bool
    deletion: bool
    split: bool


def _sentences(found: WordAlignment) -> _Joined:
    """Which sentences of the source each sentence of the output draws on."""
    source, output = (sentence_spans(side.text) for side in (found.a, found.b))
    drawn: set[tuple[int, int]] = set()
    for link in found.links:
        if word_class(_form(found.a.tokens[link.a])) == CONTENT and link.kind != "context":
            drawn.add((_at(source, found.a.tokens[link.a]), _at(output, found.b.tokens[link.b])))
    left = {s for s, _ in drawn}
    from_many = any(len({s for s, o in drawn if o == place}) > 1 for place in range(len(output)))
    to_many = any(len({o for s, o in drawn if s == place}) > 1 for place in range(len(source)))
    return _Joined(
        len(source),
        len(output),
        from_many and len(output) < len(left),
        len(source) > 1 and len(left) < len(source),
        to_many and len(output) > len(left),
    )


def _at(sentences: Sequence[tuple[int, int]], token: Token) -> int:
    return next((k for k, (_, end) in enumerate(sentences) if token.start < end), len(sentences) - 1)
