"""Universal Dependencies in the terms of Lexical-Functional Grammar (Cahill et al. 2004; Owczarzak et al. 2007)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..text.parse.sentence import Word
from .dependency import SentenceReader, Triple, base_relation, features, read_features, scheme_name

# Grammatical relations: the "predicate-only" dependencies of the papers.
RELATIONS = {
    "nsubj": "subj",
    "csubj": "subj",
    "expl": "subj",
    "obj": "obj",
    "iobj": "obj2",
    "obl": "adj",  # UD does not tell obliques from adjuncts
    "obl:agent": "obl_ag",
    "advmod": "adj",
    "advcl": "adj",
    "advcl:relcl": "relmod",
    "amod": "adj",
    "nmod": "adj",
    "nmod:poss": "poss",
    "acl": "adj",
    "acl:relcl": "relmod",
    "appos": "app",
    "nummod": "quant",
    "det": "det",
    "det:predet": "quant",
    "compound": "adj",
    "flat": "adj",
    "ccomp": "comp",
    "xcomp": "xcomp",
    "conj": "coord",
    "list": "coord",
    "dislocated": "topic",
    "discourse": "adj",
    "vocative": "adj",
    "parataxis": "adj",
    "orphan": "adj",
    "dep": "adj",
    "clf": "adj",
    # No relation of their own: they say something of another word, below, or nothing.
    "compound:prt": "",
    "aux": "",
    "cop": "",
    "case": "",
    "mark": "",
    "cc": "",
    "fixed": "",
    "goeswith": "",
    "reparandum": "",
    "punct": "",
    "root": "",
}

# Atomic features: UD feature, its values, our name.
NUMBER = {"Sing": "sg", "Plur": "pl", "Ptan": "pl", "Coll": "pl"}
TENSE = {"Past": "past", "Pres": "pres", "Fut": "fut", "Imp": "past", "Pqp": "past"}
DEGREE = {"Pos": "positive", "Cmp": "comparative", "Sup": "superlative"}
ATOMIC = {
    "num": "number of a noun or pronoun: sg, pl",
    "pers": "its person: 1, 2, 3",
    "pron_form": "the pronoun as it is written",
    "tense": "of a finite verb, or of the finite auxiliary or copula of its clause: past, pres",
    "modal": "the modal of a clause",
    "passive": "+",
    "participle": "past, pres",
    "inf": "+ for an infinitive with to",
    "part": "the particle of a verb",
    "comp_form": "the word that introduces a clause: that, if, whether, because",
    "coord_form": "the conjunction of a coordination",
    "degree": "of an adjective or adverb: positive, comparative, superlative",
}
WITH_FEATURES = frozenset({"NOUN", "PROPN", "PRON", "VERB", "ADJ", "ADV"})
JOINED = ("comp_form", "coord_form")  # their value takes up the words that are fixed to it: as_if
QUANTIFIERS = ("Tot", "Ind", "Neg")  # all, some, no


def triples(reader: SentenceReader, *, active: bool = False) -> list[Triple]:
    """Return relations and features of one sentence.

    active: the relations of a passive clause as those of the active one it stands for: its subject becomes the object,
    its agent the subject. The features of its verb stay: passive(pass, +), participle(pass, past).
    """
    result: list[Triple] = []
    for place, word in enumerate(reader.sentence):
        relation = scheme_name(word.relation, RELATIONS)
        if relation or word.head < 0:
            _relate(reader, place, relation, result, active=active)
        if word.pos in WITH_FEATURES:
            result += _own_features(reader.words[place], word.pos, word.features, word.form)
        if functions := reader.children(place, "aux", "cop", "compound", "mark", "cc"):
            result += _function_word_features(reader, place, functions)
    return result


def _relate(reader: SentenceReader, place: int, relation: str, result: list[Triple], *, active: bool = False) -> None:
    word = reader.sentence[place]
    preposition = reader.preposition(place)
    if active and word.head >= 0:
        if word.relation in ("nsubj:pass", "csubj:pass"):
            relation = "obj"
        elif _is_agent(word, reader.sentence[word.head], preposition):
            relation, preposition = "subj", ""
    if preposition:
        result.append(Triple("obj", preposition, reader.words[place], False, "ADP", word.pos))
    if word.head < 0:
        return
    head = reader.sentence[word.head]
    kind = features(word).get("PronType")
    if relation == "det" and kind in QUANTIFIERS:
        relation = "quant"
    elif _is_agent(word, head, preposition):
        relation = "obl_ag"
    if preposition and relation != "coord":  # the preposition stands between: adj(resign, in), obj(in, june)
        result.append(Triple(relation, reader.words[word.head], preposition, False, head.pos, "ADP"))
        return
    result.append(reader.triple(relation, word.head, place))
    if kind == "Rel" and head.relation in ("acl:relcl", "advcl:relcl"):
        result.append(reader.triple("topicrel", word.head, place))


def _is_agent(word: Word, head: Word, preposition: str) -> bool:
    """Check if a word is the agent of a passive: by parliament."""
    oblique = base_relation(word.relation) == "obl"
    return oblique and preposition == "by" and features(head).get("Voice") == "Pass"


def _own_features(word: str, pos: str, morphology: str, form: str) -> Iterator[Triple]:
    for name, value in own_features(pos, morphology):
        yield Triple(name, word, form.lower() if value is None else value, True, pos)


@lru_cache(maxsize=4096)
def own_features(pos: str, morphology: str) -> tuple[tuple[str, str | None], ...]:
    """Return number and person of nominals, tense and form of verbs, degree of adjectives; None: as it is written."""
    has = read_features(morphology)
    pairs: list[tuple[str, str | None]] = []
    if pos in ("NOUN", "PROPN", "PRON"):
        if has.get("Number") in NUMBER:
            pairs.append(("num", NUMBER[has["Number"]]))
        pairs.append(("pers", has.get("Person", "3")))
        if pos == "PRON":
            pairs.append(("pron_form", None))
    elif pos == "VERB":
        if has.get("VerbForm") == "Fin" and has.get("Tense") in TENSE:
            pairs.append(("tense", TENSE[has["Tense"]]))
        if has.get("VerbForm") in ("Part", "Ger"):
            pairs.append(("participle", TENSE.get(has.get("Tense", "Pres"), "pres")))
        if has.get("Voice") == "Pass":
            pairs.append(("passive", "+"))
    elif pos in ("ADJ", "ADV") and has.get("Degree") in DEGREE:
        pairs.append(("degree", DEGREE[has["Degree"]]))
    return tuple(pairs)


def _function_word_features(reader: SentenceReader, place: int, functions: list[int]) -> Iterator[Triple]:
    """Return what auxiliaries, particles, subordinators and conjunctions say of the word they belong to."""
    head = reader.sentence[place]
    for i in functions:
        name, value = function_feature(reader.sentence[i])
        if not name:
            continue
        if value is None:
            value = reader.join_fixed(i) if name in JOINED else reader.words[i]
        conjunct = base_relation(head.relation) == "conj" and head.head >= 0
        owner = head.head if name == "coord_form" and conjunct else place
        yield Triple(name, reader.words[owner], value, True, reader.sentence[owner].pos)


def function_feature(word: Word) -> tuple[str, str | None]:
    """Return what a function word says of the word it belongs to, "" for nothing; the value None is the word."""
    kind, has = base_relation(word.relation), features(word)
    if kind in ("aux", "cop"):
        if word.tag == "MD":
            return "modal", None
        if has.get("VerbForm") == "Fin" and has.get("Tense") in TENSE:
            return "tense", TENSE[has["Tense"]]
    elif word.relation == "compound:prt":
        return "part", None
    elif word.relation == "mark":
        return ("inf", "+") if word.pos == "PART" and word.form.lower() == "to" else ("comp_form", None)
    elif kind == "cc":
        return "coord_form", None
    return "", None
