"""From a parse to dependency triples, relation(head, dependent), under the names of four papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .. import _core
from ..errors import InputError, UnknownName
from ..text.parse.sentence import Parse, Sentence, Word

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
        """Format it as the papers do."""
        return f"{self.relation}({', '.join(part for part in (self.head, self.dependent) if part)})"


_MARKERS = frozenset({"case", "cc", "conj", "fixed", "mark", "aux", "cop", "compound"})


class SentenceReader:
    """A sentence with what a scheme asks of it: words as they are counted, function words, markers."""

    def __init__(self, sentence: Sentence, word: str) -> None:
        self.sentence = sentence
        self.words = list(map(WORD_FORMS[word], sentence))
        self._children: dict[int, list[tuple[str, int]]] = {}
        for i, w in enumerate(sentence):
            relation = base_relation(w.relation)
            if relation in _MARKERS:
                self._children.setdefault(w.head, []).append((relation, i))

    def children(self, place: int, *relations: str) -> list[int]:
        """Return the dependents of a word in one of these relations, subtypes included; markers and conjuncts only."""
        if place not in self._children:
            return []
        return [i for relation, i in self._children[place] if relation in relations]

    def triple(self, relation: str, head: int, dependent: int) -> Triple:
        """Return a relation between two words."""
        words, of = self.words, self.sentence
        return Triple(relation, words[head], words[dependent], False, of[head].pos, of[dependent].pos)

    def join_fixed(self, place: int) -> str:
        """Return a function word with the rest of a fixed expression: because_of."""
        return "_".join([self.words[place], *(self.words[i] for i in self.children(place, "fixed"))])

    def preposition(self, place: int) -> str:
        """Return the prepositions of a word, or an empty text; the possessive 's is none."""
        cases = self.children(place, "case")
        return "_".join([self.join_fixed(i) for i in cases if self.sentence[i].tag != "POS"]) if cases else ""

    def conjunction(self, place: int) -> str:
        """Return what joins a conjunct to the others: its own conjunction or that of a later one."""
        later = [i for i in self.children(self.sentence[place].head, "conj") if i >= place]
        return next((self.join_fixed(c) for i in later for c in self.children(i, "cc")), "")


@lru_cache(maxsize=4096)
def base_relation(relation: str) -> str:
    """Return a Universal Dependencies relation without its subtype.

    >>> base_relation("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def scheme_name(relation: str, table: Mapping[str, str]) -> str:
    """Return the table's name for a relation, or for the one it is a subtype of; empty if it is not counted."""
    name = table.get(relation)
    if name is None:
        name = table.get(base_relation(relation))
    if name is not None:
        return name
    raise InputError(
        f"relation {relation!r} is not one of Universal Dependencies: the dependency metrics need a parser that "
        "uses UD (the default does), or CoNLL-U with UD relations"
    )


def features(word: Word) -> Mapping[str, str]:
    """Return the morphology as a mapping.

    >>> features(Word("resigned", "resign", "VERB", "VBD", "Tense=Past|VerbForm=Fin", -1, "root"))
    {'Tense': 'Past', 'VerbForm': 'Fin'}
    """
    return read_features(word.features)


@lru_cache(maxsize=4096)
def read_features(text: str) -> Mapping[str, str]:
    """Return the same of the column itself."""
    pairs = (part.partition("=") for part in text.split("|") if "=" in part)
    return {name: value for name, _, value in pairs}


def _lemma(word: Word) -> str:
    return (word.form if word.lemma in ("", "_") else word.lemma).lower()


def _form(word: Word) -> str:
    return word.form.lower()


@lru_cache(maxsize=2**17)
def _porter(form: str) -> str:
    return _core.porter(form)


def _stem(word: Word) -> str:
    return _porter(word.form.lower())


WORD_FORMS: dict[str, Callable[[Word], str]] = {"lemma": _lemma, "stem": _stem, "form": _form}


def triples(parse: Parse, *, scheme: str = "lfg", word: str = "lemma", active: bool = False) -> list[Triple]:
    """Return the triples of a text, sentence by sentence.

    scheme: lfg (Owczarzak et al. 2007), stanford (collapsed dependencies, PARSE-2 of Toutanova et al. 2016), rasp
    (grammatical relations, Clarke and Lapata 2006), be (Basic Elements, Hovy et al. 2005), be-heads (their heads).
    word: lemma, stem or form. active: passive clauses as active ones (lfg only).

    >>> john = Word("John", "John", "PROPN", "NNP", "Number=Sing", 1, "nsubj")
    >>> resigned = Word("resigned", "resign", "VERB", "VBD", "Tense=Past|VerbForm=Fin", -1, "root")
    >>> print(*triples(Parse(((john, resigned),))), sep="; ")
    subj(resign, john); num(john, sg); pers(john, 3); tense(resign, past)
    """
    if scheme not in SCHEMES:
        raise UnknownName("scheme of triples", scheme, SCHEMES, hint=f"(there are {', '.join(SCHEMES)})")
    if word not in WORDS:
        raise UnknownName("word", word, WORDS, hint=f"(there are {', '.join(WORDS)})")
    if active and scheme != "lfg":
        raise InputError(f"active clauses for passive ones are made by scheme lfg only; got {scheme}")
    read = _scheme(scheme, active)
    all_triples: list[Triple] = []
    for sentence in parse.sentences:
        all_triples += read(SentenceReader(sentence, word))
    return all_triples


def _scheme(name: str, active: bool) -> Callable[[SentenceReader], Iterable[Triple]]:
    from . import collapsed, lfg

    if name == "lfg":
        return lambda reader: lfg.triples(reader, active=active)
    if name == "be-heads":
        return collapsed.heads
    return lambda reader: collapsed.triples(reader, collapsed.STYLES[name])


def format_triples(triples: Iterable[Triple]) -> str:
    """Return triples for people: one a line, in alphabetical order, so that equal sets print alike."""
    return "\n".join(sorted(map(str, triples)))
