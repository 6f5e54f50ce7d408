"""Studies of the papers, ready to be run again: protocol, scales, design and instructions.

They are named as the paper, with a part where it ran several studies: `daume-marcu-2004:rank`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..data.evalset import EvalSet
from ..data.item import Item
from ..errors import InputError, UnknownName
from .settings import RatingScale
from .text_length import count_words

CountSentences = Callable[[str], int]


@dataclass(frozen=True)
class ReadyStudy:
    """A study of a paper. `options` are those of `assay study new` that it sets; others can be given with it.

    `systems` is how many outputs each item had there, `least_words` which sources were long enough: for one sentence,
    and for more.
    """

    name: str
    section: str
    protocol: str
    instructions: str
    dimensions: tuple[RatingScale, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    systems: int | None = None
    least_words: tuple[int, int] | None = None

    def select_items(self, data: EvalSet, count_sentences: CountSentences) -> EvalSet:
        """Return the items with sources that are long enough; an error where there is none."""
        if self.systems is not None and len(data.systems) != self.systems:
            raise InputError(
                f"{self.name} had {self.systems} outputs for each item, but the set has {len(data.systems)} systems; "
                "give one with as many, or leave out --like and name protocol and design"
            )
        if self.least_words is None:
            return data
        items = [item for item in data if self._is_long_enough(item, count_sentences)]
        if not items:
            one, more = self.least_words
            raise InputError(
                f"{self.name} takes sources of {one} words or more (of several sentences {more}); none is long enough"
            )
        return EvalSet(items, allow_missing=True)

    def _is_long_enough(self, item: Item, count_sentences: CountSentences) -> bool:
        assert self.least_words is not None
        text = "\n".join(item.sources)
        return count_words(text) >= self.least_words[count_sentences(text) > 1]


_SHORTEN = """# Shorten the text

Rewrite the text so that it is at least a quarter shorter (in characters) and

- is still grammatical and fluent, and
- keeps the meaning of the original.

You may delete, rephrase and reorder. The program counts for you.
"""
_RATE = """# Rate shortened texts

You see a text and a shorter version of it. Give the version two ratings.

**Meaning**: 1 if its meaning has nothing to do with the text, 3 if it keeps the most important meaning.

**Grammar**: 1 if it has major errors or is not fluent, 3 if it is fluent.

Rate them apart from each other: a fluent sentence can say something else.
"""
_COMPRESSION = """# Rate compressed sentences

Sentence compression makes a sentence shorter by deleting words. It should keep the most important information and
stay grammatical.

First read the original sentence. Then press the button to see its compression, and give it one rating from 1 (poor) to
5 (good) for both: how much of the important information it keeps, and how grammatical it is.

All compressions were made automatically by a computer.
"""
_FUSE = """# Write one sentence of two

You see two sentences of a document. Write one sentence that contains the important information of both, in about half
the length of the two together.
"""
_RANK = """# Rank summaries of two sentences

You see two sentences of a document and several one-sentence summaries of them. Rank the summaries, 1 the best, by how
faithful they are to the two sentences and by how grammatical they are. Give the same rank to summaries that are equally
good.
"""
_ABSOLUTE = """# Score summaries

On the first page you read a reference summary; take your time, because you cannot go back. On the second page you see
another summary. Score it from 1 (best) to 5 (worst). Deduct points for

- information of the reference that is missing,
- information that is not in the reference, and
- errors of grammar.
"""
_CUT = """# Cut sentences into factoids

Cut the two sentences into factoids: short statements, each with one piece of information ("Dataquest is in San Jose").
Together they say everything that the sentences say.
"""
_FACTOIDS = """# Mark factoids in summaries

For each summary and each factoid, mark whether the summary contains the factoid in a form that is grammatical enough
for this test: given any reasonable question about the factoid, and only the summary, could one answer the question
correctly?
"""
_RESPONSIVENESS = """# Rate the responsiveness of summaries

Rate how well the summary answers the information need of the topic, in content and in readability: 1 very poor, 2 poor,
3 barely acceptable, 4 good, 5 very good. Read the topic's documents or reference first.
"""

_THREE = {
    "meaning": {"1": "other meaning", "2": "some of the meaning", "3": "most important meaning"},
    "grammar": {"1": "major errors", "2": "minor errors", "3": "fluent"},
}
READY = (
    ReadyStudy(
        "toutanova-2016:shorten",
        "Toutanova et al. 2016, 3.1",
        "shorten(at_most=0.75)",
        _SHORTEN,
        options={"assignment": "random", "per_output": 5},
        least_words=(15, 25),
    ),
    ReadyStudy(
        "toutanova-2016:rate",
        "Toutanova et al. 2016, 3.1",
        "rate",
        _RATE,
        tuple(RatingScale(name=name, high=3, labels=labels) for name, labels in _THREE.items()),
        {"assignment": "random", "per_output": 3},
    ),
    ReadyStudy(
        "clarke-lapata-2006",
        "Clarke and Lapata 2006, 5",
        "rate(reveal=true)",
        _COMPRESSION,
        (RatingScale(name="quality", labels={"1": "poor", "5": "good"}),),
        {"assignment": "latin-square", "places": 60},
        systems=3,
    ),
    ReadyStudy(
        "daume-marcu-2004:fuse",
        "Daumé III and Marcu 2004, 3.2",
        "shorten(at_most=0.6, at_least=0.4, unit=words)",
        _FUSE,
        options={"places": 8},
    ),
    ReadyStudy(
        "daume-marcu-2004:rank",
        "Daumé III and Marcu 2004, 4.1",
        "rank",
        _RANK,
        options={"places": 3, "with_references": True},
    ),
    ReadyStudy(
        "daume-marcu-2004:absolute",
        "Daumé III and Marcu 2004, 4.2",
        "absolute",
        _ABSOLUTE,
        options={"places": 3, "assignment": "latin-square"},
        systems=3,
    ),
    ReadyStudy("daume-marcu-2004:cut", "Daumé III and Marcu 2004, 4.3", "cut", _CUT, options={"places": 1}),
    ReadyStudy(
        "daume-marcu-2004:factoids",
        "Daumé III and Marcu 2004, 4.3",
        "factoids(together=true, source=true)",
        _FACTOIDS,
        options={"places": 1},
    ),
    ReadyStudy(
        "peyrard-2017",
        "Peyrard et al. 2017, 4.4",
        "rate(reference=true, source=false)",
        _RESPONSIVENESS,
        (RatingScale(name="responsiveness", labels={"1": "very poor", "3": "barely acceptable", "5": "very good"}),),
        {"places": 2},
    ),
)


def find_ready(name: str) -> ReadyStudy:
    """Return the study of a paper; of several the part must be named.

    >>> find_ready("clarke-lapata-2006").options
    {'assignment': 'latin-square', 'places': 60}
    """
    names = [ready.name for ready in READY]
    if name in names:
        return READY[names.index(name)]
    parts = [other for other in names if other.startswith(f"{name}:")]
    if parts:
        raise InputError(f"{name} has {len(parts)} studies; give one of them: --like {' or '.join(parts)}")
    raise UnknownName("ready study", name, names, hint=f"(known: {', '.join(names)})")
