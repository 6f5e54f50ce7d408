"""From a parse to dependency triples, relation(head, dependent), under the names of four papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .. import _core
from ..errors import InputError, UnknownName
from ..text.parse import Parse, Sentence, Word

WORDS = {"lemma": "dictionary form", "stem": "Porter stem of the form", "form": "the form, in small letters"}
SCHEMES = ("lfg", "stanford", "rasp", "be", "be-heads")


class Triple(NamedTuple):
    """relation(head, dependent); `atomic` if it says a feature of the head, as num(john, sg)."""

    relation: str
    head: str
    dependent: str
    atomic: bool = False
    head_pos: str = ""
    dependent_pos: str = ""

    def __str__(self) -> str:
        """As the papers print it."""
        return f"{self.relation}({', '.join(part for part in (self.head, self.dependent) if part)})"


class Reader:
    """A sentence with what a scheme asks of it: words as they are counted, children, markers."""

    def __init__(self, sentence: Sentence, word: str) -> None:
        self.sentence = sentence
        self.words = [WORD_FORMS[word](w) for w in sentence]
        self._children: dict[int, list[int]] = {}
        for i, w in enumerate(sentence):
            self._children.setdefault(w.head, []).append(i)

    def children(self, place: int, *relations: str) -> list[int]:
        """The dependents of a word that stand in one of these relations, subtypes included."""
        found = self._children.get(place, ())
        return [i for i in found if base(self.sentence[i].relation) in relations]

    def triple(self, relation: str, head: int, dependent: int) -> Triple:
        """A relation between two words."""
        words, of = self.words, self.sentence
        return Triple(relation, words[head], words[dependent], False, of[head].pos, of[dependent].pos)

    def joined(self, place: int) -> str:
        """A function word with the rest of a fixed expression: because_of."""
        return "_".join([self.words[place], *(self.words[i] for i in self.children(place, "fixed"))])

    def preposition(self, place: int) -> str:
        """The prepositions of a word, or an empty text; the possessive 's is none."""
        cases = [i for i in self.children(place, "case") if self.sentence[i].tag != "POS"]
        return "_".join(self.joined(i) for i in cases)

    def conjunction(self, place: int) -> str:
        """What joins a conjunct to the others: its own conjunction or that of a later one."""
        later = [i for i in self.children(self.sentence[place].head, "conj") if i >= place]
        return next((self.joined(c) for i in later for c in self.children(i, "cc")), "")


def base(relation: str) -> str:
    """A Universal Dependencies relation without its subtype.

    >>> base("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def named(relation: str, table: Mapping[str, str]) -> str:
    """The table's name for a relation, or for the one it is a subtype of; empty if it is not counted."""
    for name in (relation, base(relation)):
        if name in table:
            return table[name]
    raise InputError(
        f"relation {relation!r} is not one of Universal Dependencies: the dependency metrics need a parser that "
        "speaks UD (the default does), or CoNLL-U with UD relations"
    )


def features(word: Word) -> dict[str, str]:
    """The morphology as a mapping.

    >>> features(Word("resigned", "resign", "VERB", "VBD", "Tense=Past|VerbForm=Fin", -1, "root"))
    {'Tense': 'Past', 'VerbForm': 'Fin'}
    """
    pairs = (part.partition("=") for part in word.features.split("|") if "=" in part)
    return {name: value for name, _, value in pairs}


def _lemma(word: Word) -> str:
    return (word.form if word.lemma in ("", "_") else word.lemma).lower()


def _form(word: Word) -> str:
    return word.form.lower()


@cache
def _porter(form: str) -> str:
    return _core.porter(form)


def _stem(word: Word) -> str:
    return _porter(word.form.lower())


WORD_FORMS: dict[str, Callable[[Word], str]] = {"lemma": _lemma, "stem": _stem, "form": _form}


def triples(parse: Parse, *, scheme: str = "lfg", word: str = "lemma") -> list[Triple]:
    """The triples of a text, sentence by sentence.

    scheme: lfg (Owczarzak et al. 2007), stanford (collapsed dependencies, PARSE-2 of Toutanova et al. 2016), rasp
    (grammatical relations, Clarke and Lapata 2006), be (Basic Elements, Hovy et al. 2005), be-heads (their heads).
    word: lemma, stem or form.

    >>> john = Word("John", "John", "PROPN", "NNP", "Number=Sing", 1, "nsubj")
    >>> resigned = Word("resigned", "resign", "VERB", "VBD", "Tense=Past|VerbForm=Fin", -1, "root")
    >>> print(*triples(Parse(((john, resigned),))), sep="; ")
    subj(resign, john); num(john, sg); pers(john, 3); tense(resign, past)
    """
    if scheme not in SCHEMES:
        raise UnknownName("scheme of triples", scheme, SCHEMES, hint=f"(there are {', '.join(SCHEMES)})")
    if word not in WORDS:
        raise UnknownName("word", word, WORDS, hint=f"(there are {', '.join(WORDS)})")
    read = _scheme(scheme)
    return [triple for sentence in parse.sentences for triple in read(Reader(sentence, word))]


def _scheme(name: str) -> Callable[[Reader], Iterator[Triple]]:
    from . import collapsed, lfg

    if name == "lfg":
        return lfg.triples
    if name == "be-heads":
        return collapsed.heads
    return lambda reader: collapsed.triples(reader, collapsed.STYLES[name])


def printed(found: Iterable[Triple]) -> str:
    """Triples for people: one a line, in alphabetical order, so that equal sets print alike."""
    return "\n".join(sorted(map(str, found)))
