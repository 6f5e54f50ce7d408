"""References with replacements: one at a time (Owczarzak et al. 2006, 3.5), all at once, or nearest to an output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data.evalset import EvalSet, Item, Reference, TextAlternative
from ...data.item import PARAPHRASE
from ...data.scores import CorpusStatistics, Floats, Scores
from ...errors import InputError, UnknownName
from ._closed_class import WordSpan, split_words
from .equivalence_sets import Paraphrases, Phrase, Replacement

HOW = ("one", "lattice", "best")


@dataclass(frozen=True)
class Variant:
    """A reference text with replacements in it."""

    text: str
    replacements: tuple[Replacement, ...]


def expand(
    data: EvalSet, paraphrases: Paraphrases, *, how: str = "one", system: str | None = None, most: int = 100
) -> EvalSet:
    """Add paraphrased references to a set; its `treatment`, which the signature of a score names, says how.

    how=one: after each reference its variants with one replacement, each occurrence and each equivalent in turn, the
    `most` probable ones at most. how=lattice: each reference gets its replacements as `alternatives`, all of which may
    be used at once; they are never listed, and a unit matches if some path holds it (see `assay.matching.lattice`).
    It is for metrics of surface units, and others refuse it. how=best: each reference gives way to the variant nearest
    to the output (Kauchak and Barzilay 2006), so it is made for one `system`, and the set returned holds that one
    alone; see `scored`. An added reference has the id "paraphrase: old > new".

    >>> data = EvalSet.from_texts({"A": ["the reply"]}, ["The answer came"])
    >>> from assay.systems.paraphrase import EquivalenceSet, Member
    >>> reply = EquivalenceSet("réponse", 4, (Member("answer", 2, .5, 1.), Member("reply", 2, .5, 1.)))
    >>> paraphrases = Paraphrases((reply,), "by hand", 0)
    >>> [reference.text for reference in expand(data, paraphrases)["1"].references]
    ['The answer came', 'The reply came']
    >>> expand(data, paraphrases, how="lattice")["1"].references[0].alternatives
    (TextAlternative(start=4, end=10, text='reply'),)
    >>> [reference.text for reference in expand(data, paraphrases, how="best", system="A")["1"].references]
    ['The reply came']
    """
    if how not in HOW:
        raise UnknownName("way to expand references", how, HOW, hint=f"(there are {', '.join(HOW)})")
    if data.people:
        raise InputError(
            f"{data.people[0]!r} is a person with a reference here, and variants of it would be scored against "
            "their own text: leave people's outputs out first"
        )
    if most < 1:
        raise InputError(f"most must be 1 or more; got {most}")
    if how == "one":
        items = [replace(item, references=tuple(_one(item, paraphrases, most))) for item in data]
    elif how == "lattice":
        items = [replace(item, references=tuple(_lattice(r, paraphrases) for r in item.references)) for item in data]
    else:
        items = list(_best(data, paraphrases, _the_system(data, system)))
    limit = f", most={most}" if how == "one" else ""
    treatment = f"paraphrases(how={how}{limit}, {paraphrases.signature})"
    return EvalSet(items, allow_missing=data.allow_missing, treatment=treatment)


def score_expanded(
    data: EvalSet, paraphrases: Paraphrases, score: Callable[[EvalSet], Scores], *, how: str = "one", most: int = 100
) -> Scores:
    """Score against the expanded references; `score` is a function such as `lambda data: assay.score(data, "bleu")`.

    For how=best every system is scored against references of its own, and the rows are put together.
    """
    if how != "best":
        return score(expand(data, paraphrases, how=how, most=most))
    parts = [score(expand(data, paraphrases, how=how, system=system)) for system in data.systems]
    corpora = [part.corpus for part in parts if part.corpus is not None]
    corpus = np.concatenate(corpora) if len(corpora) == len(parts) else None
    values = _stack_rows([part.values[0] for part in parts], parts, data)
    statistics = _stack_statistics(parts, data)
    systems, items = data.systems, data.items
    return replace(parts[0], values=values, systems=systems, items=items, corpus=corpus, statistics=statistics)


def _stack_statistics(parts: Sequence[Scores], data: EvalSet) -> CorpusStatistics | None:
    known = [part.statistics for part in parts if part.statistics is not None]
    if len(known) < len(parts):
        return None
    return CorpusStatistics(_stack_rows([statistics.rows[0] for statistics in known], parts, data), known[0].finish)


def _stack_rows(rows: Sequence[Floats], parts: Sequence[Scores], data: EvalSet) -> Floats:
    """Put one row per system together, NaN where a system has no output."""
    place = {item: i for i, item in enumerate(data.items)}
    stacked = np.full((len(rows), len(data), *rows[0].shape[1:]), np.nan)
    for target, row, part in zip(stacked, rows, parts, strict=True):
        target[[place[item] for item in part.items]] = row
    return stacked


def variants(text: str, paraphrases: Paraphrases, *, most: int = 100) -> list[Variant]:
    """Make one replacement at a time, in the order of the text; if there are more, the `most` probable."""
    words = split_words(text)
    every = [(at, replacement) for at in _places(words, paraphrases) for replacement in at[2]]
    if len(every) > most:
        best = sorted(range(len(every)), key=lambda k: (-every[k][1].probability, k))[:most]
        every = [every[k] for k in sorted(best)]
    texts = {_put(text, words, [(a, b, r)]): r for (a, b, _), r in reversed(every)}
    return [Variant(new, (r,)) for new, r in reversed(texts.items()) if new != text]


def alternatives(text: str, paraphrases: Paraphrases) -> list[tuple[TextAlternative, Replacement]]:
    """List everything that can be replaced in the text, in order: what, where and why."""
    words = split_words(text)
    return [
        (TextAlternative(words[a].start, words[b - 1].end, _new(text, words[a].start, r)), r)
        for a, b, replacements in _places(words, paraphrases)
        for r in replacements
    ]


def nearest(text: str, output: str, paraphrases: Paraphrases) -> Variant:
    """Make every replacement that brings the text nearer to the output.

    A phrase is replaced, from left to right and the longest first, if the output holds the new one more often than the
    text does, and the old one less often.
    """
    words = split_words(text)
    places = list(_places(words, paraphrases))
    if not places:
        return Variant(text, ())
    have = Counter(_texts(words[a:b]) for a, b, _ in places)
    want = Counter(_texts(theirs[a:b]) for theirs in [split_words(output)] for a, b, _ in _places(theirs, paraphrases))
    replacements_used: list[tuple[int, int, Replacement]] = []
    end = 0
    for a, b, replacements in places:
        for r in replacements if a >= end else ():
            old, new = tuple(r.old.split()), tuple(r.new.split())
            if want[new] > have[new] and want[old] < have[old]:
                have[new] += 1
                have[old] -= 1
                replacements_used.append((a, b, r))
                end = b
                break
    return Variant(_put(text, words, replacements_used), tuple(r for _, _, r in replacements_used))


def _one(item: Item, paraphrases: Paraphrases, most: int) -> Iterator[Reference]:
    for reference in item.references:
        yield reference
        for variant in variants(reference.text, paraphrases, most=most):
            yield Reference(variant.text, _id(variant))


def _lattice(reference: Reference, paraphrases: Paraphrases) -> Reference:
    more = (alternative for alternative, _ in alternatives(reference.text, paraphrases))
    return reference._replace(alternatives=tuple(dict.fromkeys((*reference.alternatives, *more))))


def _best(data: EvalSet, paraphrases: Paraphrases, system: str) -> Iterator[Item]:
    for item in data:
        if system not in item.outputs:
            continue
        texts = [nearest(reference.text, item.outputs[system], paraphrases) for reference in item.references]
        references = tuple(
            Reference(v.text, _id(v)) if v.replacements else r for v, r in zip(texts, item.references, strict=True)
        )
        judgments = tuple(j._replace(system=system) for j in item.judgments if system in item.judged_systems(j))
        yield replace(item, references=references, outputs={system: item.outputs[system]}, judgments=judgments)


def _id(variant: Variant) -> str:
    return PARAPHRASE + "; ".join(f"{r.old} > {r.new}" for r in variant.replacements)


def _the_system(data: EvalSet, system: str | None) -> str:
    if system is None and len(data.systems) == 1:
        return data.systems[0]
    if system is None:
        raise InputError("how=best makes references for one system's outputs: name it, as system='A'")
    if system not in data.systems:
        raise UnknownName("system", system, data.systems)
    return system


def _places(words: Sequence[WordSpan], paraphrases: Paraphrases) -> Iterator[tuple[int, int, tuple[Replacement, ...]]]:
    """Find where something can be replaced, from left to right, the longest first."""
    texts = _texts(words)
    for a, first in enumerate(texts):
        for n in paraphrases.lengths(first):
            if a + n <= len(texts) and (replacements := paraphrases.at(texts[a : a + n])):
                yield a, a + n, replacements


def _texts(words: Sequence[WordSpan]) -> Phrase:
    return tuple([word.text for word in words])


def _put(text: str, words: Sequence[WordSpan], replacements_used: Sequence[tuple[int, int, Replacement]]) -> str:
    """Put the replacements into the text; a capital stays one."""
    pieces, at = [], 0
    for a, b, r in replacements_used:
        start, end = words[a].start, words[b - 1].end
        pieces += [text[at:start], _new(text, start, r)]
        at = end
    return "".join([*pieces, text[at:]])


def _new(text: str, start: int, r: Replacement) -> str:
    return r.new[0].upper() + r.new[1:] if text[start].isupper() else r.new
