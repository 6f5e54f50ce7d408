"""Dependencies with prepositions or conjunctions in their labels: Stanford's, RASP's and those of Basic Elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .dependency import SentenceReader, Triple, base_relation, features, scheme_name


@dataclass(frozen=True)
class Style:
    """A table of names (empty: not counted) and where the marker goes: behind the name, or in its place."""

    names: Mapping[str, str]
    marked: frozenset[str]
    replaces: bool = False


_FUNCTION_WORDS = {"punct": "", "root": "", "goeswith": "", "reparandum": "", "fixed": ""}
_MODIFIERS = "advmod amod nmod nummod compound flat appos discourse vocative dep orphan clf".split()  # noqa: SIM905

# Stanford's collapsed dependencies in the UD dress that Toutanova et al. (2016) show, nmod:poss(household, your):
# UD's own names; CoreNLP of that time keeps the edges of prepositions and conjunctions, and leaves out punctuation.
_UD = (
    "nsubj csubj expl obj iobj obl advmod advcl amod nmod acl appos nummod det compound flat ccomp xcomp conj list "
    "dislocated discourse vocative parataxis orphan dep aux cop case mark cc clf"
)
STANFORD = Style({**{name: name for name in _UD.split()}, **_FUNCTION_WORDS, "fixed": "mwe"}, frozenset())

# Of the 15 relations of RASP (Briscoe and Carroll 2002), over which Clarke and Lapata (2006) count, all but xsubj,
# which UD does not tell from csubj.
RASP = Style(
    {
        **dict.fromkeys(_MODIFIERS, "ncmod"),
        "nsubj": "ncsubj",
        "expl": "ncsubj",
        "csubj": "csubj",
        "obj": "dobj",
        "iobj": "obj2",
        "obl": "iobj",
        "obl:unmarked": "ncmod",
        "obl:agent": "arg_mod",
        "advcl": "cmod",
        "acl": "xmod",
        "acl:relcl": "cmod",
        "det": "detmod",
        "ccomp": "ccomp",
        "xcomp": "xcomp",
        "conj": "conj",
        "list": "conj",
        "parataxis": "cmod",
        "dislocated": "ncmod",
        "aux": "aux",
        "cop": "aux",
        **dict.fromkeys(("case", "mark", "cc"), ""),
        **_FUNCTION_WORDS,
    },
    frozenset({"nmod", "obl", "acl", "advcl", "conj", "xcomp", "ccomp"}),
)

# Basic Elements (Hovy et al. 2005), e.g. indicted|libyans|obj, bombing|lockerbie|nn, indicted|bombing|for.
BE = Style(
    {
        **dict.fromkeys(_MODIFIERS, "mod"),
        **dict.fromkeys(("nsubj", "csubj", "expl"), "subj"),
        "nsubj:pass": "obj",
        "csubj:pass": "obj",
        "obj": "obj",
        "iobj": "obj2",
        "obl": "mod",
        "nmod:poss": "gen",
        "compound": "nn",
        "compound:prt": "part",
        "flat": "nn",
        "nummod": "num",
        "appos": "appo",
        "det": "det",
        "advcl": "mod",
        "acl": "mod",
        "acl:relcl": "rel",
        "ccomp": "comp",
        "xcomp": "comp",
        "parataxis": "mod",
        "dislocated": "mod",
        **dict.fromkeys(("conj", "list"), "conj"),
        **dict.fromkeys(("aux", "cop", "case", "mark", "cc"), ""),
        **_FUNCTION_WORDS,
    },
    frozenset({"nmod", "obl"}),
    replaces=True,
)

STYLES = {"stanford": STANFORD, "rasp": RASP, "be": BE}
_CONTENT = ("NOUN", "PROPN", "PRON", "VERB", "ADJ", "ADV", "NUM")


def triples(reader: SentenceReader, style: Style) -> Iterator[Triple]:
    """Return the relations of one sentence; the root has none."""
    for place, word in enumerate(reader.sentence):
        name = scheme_name(word.relation, style.names)
        if word.head >= 0 and name:
            yield reader.triple(_label(reader, place, name, style), word.head, place)


def _label(reader: SentenceReader, place: int, name: str, style: Style) -> str:
    word = reader.sentence[place]
    if style is STANFORD:
        return _stanford(reader, place)
    if style is RASP and name == "iobj" and not reader.preposition(place):
        name = "ncmod"  # a bare oblique is a modifier
    by_agent = base_relation(word.relation) == "obl" and reader.preposition(place) == "by"
    if style is RASP and by_agent and features(reader.sentence[word.head]).get("Voice") == "Pass":
        name = "arg_mod"
    marker = _marker(reader, place) if base_relation(word.relation) in style.marked else ""
    if not marker:
        return name
    return marker if style.replaces else f"{name}:{marker}"


def _stanford(reader: SentenceReader, place: int) -> str:
    relation = reader.sentence[place].relation
    if relation not in ("nmod", "obl", "acl", "advcl", "conj"):
        return relation
    marker = _marker(reader, place)
    return f"{relation}:{marker}" if marker else relation


def _marker(reader: SentenceReader, place: int) -> str:
    """Return the word that a collapsed label takes up."""
    relation = base_relation(reader.sentence[place].relation)
    if relation == "conj":
        return reader.conjunction(place)
    if relation in ("nmod", "obl"):
        return reader.preposition(place)
    return "_".join(reader.join_fixed(i) for i in reader.children(place, "mark")) or reader.preposition(place)


def heads(reader: SentenceReader) -> Iterator[Triple]:
    """Yield the heads of noun, verb, adjective and adverb phrases (BE-H)."""
    for place, word in enumerate(reader.sentence):
        if word.pos in _CONTENT and word.relation != "punct":
            yield Triple("head", reader.words[place], "", False, word.pos)
