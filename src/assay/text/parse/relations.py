"""Relations: labels of other annotation schemes brought to Universal Dependencies, or a clear error."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import InputError
from .sentence import Sentence, Word

_UNIVERSAL = """
acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat
goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
UNIVERSAL = frozenset(_UNIVERSAL.split())

# ClearNLP's English labels, which spaCy's English pipelines use, and those of UD version 1.
TO_UNIVERSAL = {
    "ROOT": "root",
    "": "dep",
    "acomp": "xcomp",  # below `be` the complement becomes the head
    "agent": "case",
    "attr": "xcomp",
    "auxpass": "aux:pass",
    "complm": "mark",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "foreign": "flat:foreign",
    "hmod": "compound",
    "hyph": "punct",
    "infmod": "acl",
    "intj": "discourse",
    "meta": "discourse",
    "mwe": "fixed",
    "name": "flat",
    "neg": "advmod",
    "nn": "compound",
    "npadvmod": "obl:unmarked",
    "nsubjpass": "nsubj:pass",
    "num": "nummod",
    "number": "compound",
    "oprd": "xcomp",
    "partmod": "acl",
    "pcomp": "advcl",
    "pobj": "obl",
    "poss": "nmod:poss",
    "possessive": "case",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prep": "case",
    "prt": "compound:prt",
    "quantmod": "advmod",
    "rcmod": "acl:relcl",
    "relcl": "acl:relcl",
    "remnant": "orphan",
}

_CLEARNLP = frozenset({"prep", "pobj", "attr", "acomp", "pcomp"})
_OBLIQUE = frozenset({"prep", "agent", "dative"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "SYM", "DET"})


def is_universal(label: str) -> bool:
    """Return whether a label is a UD relation, with or without a subtype.

    >>> is_universal("nsubj:pass"), is_universal("nsubjpass")
    (True, False)
    """
    return label.partition(":")[0] in UNIVERSAL


def check_relations(labels: Iterable[str], parser: str) -> None:
    """Raise if some labels are neither Universal Dependencies nor in the table."""
    unknown = sorted({label for label in labels if not is_universal(label) and label not in TO_UNIVERSAL})
    if unknown:
        names = ", ".join(unknown[:12]) + (f" and {len(unknown) - 12} more" if len(unknown) > 12 else "")
        raise InputError(
            f"parser {parser!r} uses relations that are not Universal Dependencies and have no counterpart there: "
            f"{names}; use a pipeline trained on a UD treebank, or convert its output and give it as conllu:FILE"
        )


def to_universal(sentence: Sentence) -> Sentence:
    """Return the sentence with UD relations, and with UD heads where ClearNLP's differ.

    Prepositions come to depend on their objects, and forms of `be` on their complements. Coordination keeps its chain.

    >>> on = Word("on", "on", "ADP", "IN", "", 0, "prep")
    >>> sat, mats = Word("sat", "sit", "VERB", "VBD", "", -1, "ROOT"), Word("mats", "mat", "NOUN", "NNS", "", 1, "pobj")
    >>> [(w.form, w.head, w.relation) for w in to_universal((sat, on, mats))]
    [('sat', -1, 'root'), ('on', 2, 'case'), ('mats', 0, 'obl')]
    """
    relations = [word.relation for word in sentence]
    if all(map(is_universal, relations)):
        return sentence
    heads = [word.head for word in sentence]
    if not _CLEARNLP.isdisjoint(relations):
        _turn_prepositions(sentence, heads, relations)
        _turn_copulas(sentence, heads, relations)
    renamed = [r if is_universal(r) else TO_UNIVERSAL[r] for r in relations]
    return tuple(
        word._replace(head=h, relation="root" if h < 0 else r)
        for word, h, r in zip(sentence, heads, renamed, strict=True)
    )


def _turn_prepositions(words: tuple[Word, ...], heads: list[int], relations: list[str]) -> None:
    for i, relation in enumerate(relations):
        if relation not in ("pobj", "pcomp") or heads[i] < 0:
            continue
        chain = [heads[i]]  # the preposition, and those it hangs on: out of
        while relations[chain[-1]] == "prep" and relations[heads[chain[-1]]] == "prep":
            chain.append(heads[chain[-1]])
        top, above = chain[-1], heads[chain[-1]]
        clause = relation == "pcomp" and words[i].pos in ("VERB", "AUX")
        nominal = above >= 0 and words[above].pos in _NOMINAL
        if relations[top] not in _OBLIQUE:  # a conjunct or the root hands its place on
            relations[i] = relations[top]
        elif clause:
            relations[i] = "acl" if nominal else "advcl"
        else:
            relations[i] = "nmod" if nominal else "obl:agent" if relations[top] == "agent" else "obl"
        heads[i] = above
        for preposition in chain:
            heads[preposition], relations[preposition] = i, "mark" if clause else "case"
            _move(heads, preposition, i)


def _turn_copulas(words: tuple[Word, ...], heads: list[int], relations: list[str]) -> None:
    for i, relation in enumerate(relations):
        over = heads[i]
        if relation not in ("attr", "acomp") or over < 0 or words[over].lemma not in ("be", "'s", "'re", "'m"):
            continue
        heads[i], relations[i] = heads[over], relations[over]
        heads[over], relations[over] = i, "cop"
        _move(heads, over, i)


def _move(heads: list[int], old: int, new: int) -> None:
    """Give the dependents of one word to another."""
    for k, head in enumerate(heads):
        if head == old and k != new:
            heads[k] = new
