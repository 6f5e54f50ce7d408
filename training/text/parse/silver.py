"""Bring AMALGUM's automatic trees to the conventions of the gold treebanks (UD English 2.17)."""
# ruff: noqa: SIM905  (word lists read better as text)

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator

from treebanks import Sentence, Word

RELABEL = {
    "nmod:tmod": "nmod:unmarked",
    "nmod:npmod": "nmod:unmarked",
    "obl:tmod": "obl:unmarked",
    "obl:npmod": "obl:unmarked",
}
UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
MAX_WORDS = 70
TITLE_KEEPS = ("compound", "amod", "nmod:poss")
TITLES = frozenset(
    "baron bishop cardinal colonel commander count countess dame duchess duke earl emperor empress father lieutenant "
    "lord major pope princess professor queen saint sergeant sultan".split()
)


class Lookup:
    """The most frequent value of a key in gold data, with how often and how surely it was seen."""

    def __init__(self) -> None:
        self.counts: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)

    def add(self, key: Hashable, value: str) -> None:
        self.counts[key][value] += 1

    def get(self, key: Hashable, *, seen: int = 1, share: float = 0.0) -> str | None:
        """The value, or None when the key was seen less than `seen` times or its best value has a lower share."""
        if key not in self.counts:
            return None
        counter = self.counts[key]
        value, n = counter.most_common(1)[0]
        total = counter.total()
        return value if total >= seen and n >= share * total else None


def subject_class(words: list[Word], i: int) -> str:
    """Number and person of the subject that a finite verb agrees with, as far as its form and tag tell."""
    clause = words[i].head if words[i].dep in ("aux", "aux:pass", "cop") else i
    for j, word in enumerate(words):
        if word.head == clause and word.dep.startswith("nsubj") and j != clause:
            if any(other.head == j and other.dep == "conj" for other in words):
                return "plural"
            return word.form.lower() if word.tag in ("PRP", "DT", "WDT", "WP", "EX") else word.tag
    if words[clause].dep == "conj" and words[clause].head != clause:
        return subject_class(words, words[clause].head)
    return "none"


def context(words: list[Word], i: int) -> tuple[str, ...]:
    """What the features of a word depend on besides its form and tag: its subject, its marks, or its own label."""
    word = words[i]
    if word.tag in ("VBD", "VBP"):
        return (subject_class(words, i),)
    if word.tag in ("VB", "VBN", "VBG"):
        marks = {other.dep for j, other in enumerate(words) if other.head == i and j < i}
        return word.dep, *sorted(marks & {"mark", "aux", "aux:pass", "nsubj", "nsubj:pass"})
    return (word.dep,)


class Conventions:
    """What the gold treebanks say of words, and how to make a silver sentence agree with it."""

    def __init__(self, gold: Iterable[Sentence]) -> None:
        self.tag, self.pos, self.feats, self.lemma = Lookup(), Lookup(), Lookup(), Lookup()
        titles: Counter[str] = Counter()
        for sentence in gold:
            for i, word in enumerate(sentence.words):
                form = word.form.lower()
                self.tag.add(form, word.tag)
                self.pos.add((form, word.tag), word.pos)
                self.lemma.add((word.form, word.tag, word.pos), word.lemma)
                titles[form] += word.dep == "nmod:desc"
                for key in self.feature_keys(sentence.words, i):
                    self.feats.add(key, word.feats)
        self.titles = TITLES | {form for form, n in titles.items() if n >= 2}

    def feature_keys(self, words: list[Word], i: int) -> Iterator[Hashable]:
        """Keys from the most to the least specific."""
        word, around = words[i], context(words, i)
        yield word.form.lower(), word.tag, word.pos, around
        yield word.tag, word.pos, around
        yield word.form.lower(), word.tag
        yield word.tag, word.pos
        yield word.tag

    def features(self, words: list[Word], i: int) -> str:
        """The features that gold words of this form, tag and subject bear."""
        for seen, key in zip((2, 3, 2, 1, 1), self.feature_keys(words, i), strict=True):
            if (found := self.feats.get(key, seen=seen)) is not None:
                return found
        return "_"

    def convert(self, sentence: Sentence) -> Sentence | None:
        """The sentence in gold conventions, or None when it should not be learned from."""
        words = sentence.words
        if len(words) > MAX_WORDS or any(w.pos not in UPOS or w.dep in ("dep", "goeswith", "root:pass") for w in words):
            return None
        for word in words:
            form = word.form.lower()
            word.tag = self.tag.get(form, seen=20, share=0.98) or word.tag
            word.pos = self.pos.get((form, word.tag), seen=5, share=0.97) or word.pos
            word.dep = RELABEL.get(word.dep, word.dep)
            if word.tag == "WRB" and word.dep == "mark":
                word.dep = "advmod"
            word.lemma = self.lemma.get((word.form, word.tag, word.pos), share=0.9) or ""
        for i in range(len(words)):
            self.demote_title(words, i)
        for i, word in enumerate(words):
            word.feats = self.features(words, i)
        return sentence

    def demote_title(self, words: list[Word], i: int) -> None:
        """President -flat-> Bush becomes President <-nmod:desc- Bush."""
        title = words[i]
        if title.form.lower() not in self.titles or not title.tag.startswith("NNP") or i + 1 == len(words):
            return
        name = words[i + 1]
        if name.head != i or name.dep != "flat" or not name.tag.startswith("NNP"):
            return
        for j, word in enumerate(words):
            if word.head == i and j not in (i, i + 1) and not (j < i and word.dep in TITLE_KEEPS):
                word.head = i + 1
        name.head, name.dep = (title.head, title.dep) if title.head != i else (i + 1, "ROOT")
        title.head, title.dep = i + 1, "nmod:desc"
