"""Units: what a fusion may leave out of a sentence; each unit hangs on another, and a root is never left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...text.logic.bonds import Bonds
from ...text.parse.flat import ParsedText
from ..compress._rendering import is_clitic
from ..compress.truth.constraints import base, is_negation
from ..compress.truth.dependency_tree import find_unspaced
from ._word_sets import word_set

# Adjuncts by preposition; the others (accuse of, depend on, turn into) are read as complements.
_ADJUNCT = word_set(
    "ahead in on at during after before since until by with for over near outside inside amid despite following across "
    "around through throughout within alongside along behind beside between among amongst while because due"
)
_CIRCUMSTANCE = _ADJUNCT - word_set("for with by over between among through along behind because due")
_PLACING = word_set("put place set lay keep leave bring hold base treat send take see cast")  # put it on it
_OPENERS = word_set("still then also however meanwhile instead moreover besides thus so yet now")
# After a verb without an object these are adjuncts too; in, on, for, with are often what the verb needs.
_FREE = word_set("at during after before since until near outside inside amid despite following across within")
TIME = word_set(
    "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight january february march "
    "april may june july august september october november december morning afternoon evening night day week month "
    "year weekend hour minute time"
)
# Adverbs that change what is said (approximators, bounds, frequency, negation, focus) stay with their word.
_BOUND_ADVERBS = word_set(
    "almost nearly barely hardly scarcely seldom rarely only just even never not n't no longer allegedly reportedly "
    "apparently possibly probably perhaps maybe likely supposedly virtually practically about around approximately "
    "roughly more most less least at up over under as so too how when where why far well not yet still already again "
    "once twice sometimes often usually always together apart away back out down off on in here there home"
)
# Adjectives that do not narrow their noun (alleged), or count and compare (first, same), stay with it.
_BOUND_ADJECTIVES = word_set(
    "alleged former fake false possible potential likely supposed suspected accused would-be ex- future past late "
    "attempted apparent purported mock pretend artificial counterfeit first second third last next only same other "
    "such several many few more most less least own certain different various main whole entire full half double poor "
    "bad low high attorney vice deputy acting assistant prime general near possible impossible"
)
_WHEN_OR_WHY = frozenset({"after", "before", "because", "as", "while", "when", "since", "until", "following", "by"})
_DOUBT = frozenset({"if", "unless", "whether", "though", "although", "without", "lest", "than"})
SAYING = word_set(
    "say tell report announce add note claim believe think state explain argue suggest warn admit insist declare "
    "confirm reveal indicate deny stress predict estimate suspect know write acknowledge ask recall allege accord "
    "describe"
)
_BOUND = word_set(
    "case mark aux cop det fixed goeswith expl nummod flat clf compound nsubj csubj obj iobj xcomp ccomp reparandum "
    "orphan dep"
)
_MARKS = frozenset({",", "--", "—", "–", "-", ";", ":", "("})


@dataclass(frozen=True)
class Units:
    """Units of a sentence: `unit[i]` is that of token i (-1: punctuation), `parents` what it hangs on (-1: a root)."""

    unit: tuple[int, ...]
    parents: tuple[int, ...]
    heads: tuple[int, ...]  # the highest token of each unit
    idle: frozenset[int] = frozenset()  # tokens that say nothing: But at the start, well, (CNN)

    def tokens(self, unit: int) -> list[int]:
        """Return the tokens of a unit, in order."""
        return [i for i, u in enumerate(self.unit) if u == unit]


def split_units(a: ParsedText, *, faithful: bool = True) -> Units:
    """Split a sentence into what stays together; a unit's parent must stay where the unit does.

    If `faithful`, what may go follows from the sentence by natural logic, or at least does not contradict it.
    """
    size = len(a.tokens)
    quoted = _number_quotations(a)
    cut = [
        not a.punctuation[i] and (a.heads[i] < 0 or (_may_go(a, i) and not _splits_quotation(quoted, i, a.heads[i])))
        for i in range(size)
    ]
    top = [_climb(a, i, cut) for i in range(size)]
    _join_unspaced(a, top)
    if faithful:
        _join_bonds(a, top)
    words = [i for i in range(size) if not a.punctuation[i]]
    heads = sorted({top[i] for i in words})
    number = {head: n for n, head in enumerate(heads)}
    unit = tuple(-1 if a.punctuation[i] else number[top[i]] for i in range(size))
    parents = tuple(_parent(a, head, unit, number[head]) for head in heads)
    return Units(unit, parents, tuple(heads), _find_idle(a, unit, heads))


def _find_idle(a: ParsedText, unit: Sequence[int], heads: Sequence[int]) -> frozenset[int]:
    """Find words that go in any case: interjections, a conjunction at the start, the name of an agency in brackets."""
    idle = {
        i
        for i, own in enumerate(unit)
        if own >= 0 and (base(a.words[heads[own]].relation) == "discourse" or _is_opener(a, i))
    }
    forms = [token.text for token in a.tokens[:8]]
    if forms[:1] == ["("] and ")" in forms:
        idle.update(range(1, forms.index(")")))
    return frozenset(idle) if len(idle) < len(a.tokens) - sum(a.punctuation) else frozenset()


def _number_quotations(a: ParsedText) -> list[int]:
    """Return the number of the quotation that each token is in, 0 for none; the marks are those of any style."""
    numbers, number, count = [], 0, 0
    for token in a.tokens:
        if token.text in ("``", "`", "“", '"') and not number:
            count += 1
            number = count
        elif token.text in ("''", "”", '"'):
            number = 0
        numbers.append(number)
    return numbers


def _splits_quotation(quoted: Sequence[int], i: int, head: int) -> bool:
    """Check if leaving out a word would change what somebody is quoted with."""
    return quoted[i] > 0 and quoted[i] == quoted[head]


def _is_opener(a: ParsedText, i: int) -> bool:
    following = a.tokens[i + 1].text if i + 1 < len(a.tokens) else ""
    adverb = a.tokens[i].text.lower() in _OPENERS and following == "," and all(a.punctuation[k] for k in a.children[i])
    return _opens(a, i) and (a.words[i].pos == "CCONJ" or adverb)


def _climb(a: ParsedText, i: int, cut: Sequence[bool]) -> int:
    while not cut[i] and a.heads[i] >= 0:
        i = a.heads[i]
    return i


def _parent(a: ParsedText, head: int, unit: Sequence[int], own: int) -> int:
    above = a.heads[head]
    if base(a.words[head].relation) == "conj" and (last := _last_conjunct(a, above)) != head:
        above = last  # in "a, b and c" b may go alone, but c, which has the and, only with b
    while above >= 0 and (unit[above] < 0 or unit[above] == own):
        above = a.heads[above]
    return unit[above] if above >= 0 else -1


def _join_unspaced(a: ParsedText, top: list[int]) -> None:
    """Keep words without a space between them, and both halves of a contraction, in one unit."""
    clitics = [(i - 1, i) for i in range(1, len(a.tokens)) if is_clitic(a.tokens[i].text)]
    for i, j in [*find_unspaced(a), *clitics]:
        if not a.punctuation[i] and not a.punctuation[j] and top[i] != top[j]:
            _merge(a, top, i, j)


def _join_bonds(a: ParsedText, top: list[int]) -> None:
    """Join what natural logic binds: without it, what is left would not follow from the sentence."""
    for bond in Bonds(a).strict:
        at = bond.needed
        while top[at] != top[bond.word] and a.heads[top[at]] >= 0:
            at = a.heads[top[at]]
        if top[at] != top[bond.word]:  # it does not hang on the word: the head of both stays in any case
            continue
        at = bond.needed
        while top[at] != top[bond.word]:
            above = a.heads[top[at]]
            _merge(a, top, at, above)
            at = above


def _merge(a: ParsedText, top: list[int], i: int, j: int) -> None:
    one, two = top[i], top[j]
    high, low = (one, two) if _depth(a, one) <= _depth(a, two) else (two, one)
    for k, own in enumerate(top):
        if own == low:
            top[k] = high


def _depth(a: ParsedText, i: int) -> int:
    steps = 0
    while a.heads[i] >= 0:
        i, steps = a.heads[i], steps + 1
    return steps


def _may_go(a: ParsedText, i: int) -> bool:
    """Check if a word, with all below it, may be left out while its head stays."""
    relation = a.words[i].relation
    kind = base(relation)
    if kind in _BOUND or relation in ("nmod:poss", "compound:prt", "obl:agent") or is_negation(a, i):
        return False
    if kind in ("appos", "discourse", "vocative", "dislocated", "list"):
        return True
    rule = {
        "parataxis": _parataxis_goes,
        "advmod": _adverb_goes,
        "amod": _adjective_goes,
        "obl": _oblique_goes,
        "nmod": _nominal_goes,
        "advcl": _clause_goes,
        "acl": _relative_goes,
        "conj": _conjunct_goes,
        "cc": _opens,
    }.get(kind)
    return rule is not None and rule(a, i)


def _parataxis_goes(a: ParsedText, i: int) -> bool:
    """Keep who says it."""
    return a.words[i].lemma.lower() not in SAYING


def _opens(a: ParsedText, i: int) -> bool:
    """But, And at the start of a sentence."""
    return all(a.punctuation[k] for k in range(i))


def _adverb_goes(a: ParsedText, i: int) -> bool:
    word, head = a.words[i], a.words[a.heads[i]]
    if word.form.lower() in _BOUND_ADVERBS or word.tag in ("WRB", "RP") or head.pos not in ("VERB", "AUX"):
        return False
    if _is_negated(a, a.heads[i]):
        return False  # what was not chosen deliberately may have been chosen
    return not any(base(a.words[k].relation) in ("cop",) for k in a.children[a.heads[i]])


def _adjective_goes(a: ParsedText, i: int) -> bool:
    """Let an adjective go that only narrows a noun which is a thing without it: a narrow bridge is a bridge."""
    word, head = a.words[i], a.heads[i]
    if (
        {word.lemma.lower(), word.form.lower()} & _BOUND_ADJECTIVES
        or word.tag in ("JJS", "JJR")
        or "Ord" in word.features
        or i > head
    ):
        return False
    if a.words[head].pos != "NOUN" or _is_negated(a, head) or a.children[i]:
        return False
    return not any(base(a.words[k].relation) == "cop" for k in a.children[head])


def _case(a: ParsedText, i: int) -> list[str]:
    marks = [k for k in a.children[i] if base(a.words[k].relation) in ("case", "mark")]
    return [a.words[k].form.lower() for k in marks] + [
        a.words[m].form.lower() for k in marks for m in a.children[k] if base(a.words[m].relation) == "fixed"
    ]


def _is_time(a: ParsedText, i: int) -> bool:
    word = a.words[i]
    return (
        word.lemma.lower() in TIME
        or word.relation in ("obl:tmod", "obl:npmod")
        or (word.form.isdigit() and len(word.form) == 4)
    )


def _is_negated(a: ParsedText, i: int) -> bool:
    """Check if the clause above a word is negated: what modifies it there cannot go without a change."""
    while i >= 0:
        if any(is_negation(a, k) or a.words[k].form.lower() in _DOUBT for k in a.children[i]):
            return True
        i = a.heads[i]
    return False


def _oblique_goes(a: ParsedText, i: int) -> bool:
    head, case = a.heads[i], _case(a, i)
    if _is_negated(a, head) or "according" in case or "without" in case:
        return False
    if _is_time(a, i):
        return True
    if not case or case[0] not in _ADJUNCT:
        return False
    siblings = [k for k in a.children[head] if base(a.words[k].relation) in ("obj", "xcomp", "ccomp", "obl")]
    passive = any(a.words[k].relation in ("aux:pass", "nsubj:pass") for k in a.children[head])
    first = [k for k in siblings if k > head][:1]
    if i > head and a.words[head].lemma.lower() in _PLACING:
        return False
    return i < head or passive or first != [i] or case[0] in _FREE


def _nominal_goes(a: ParsedText, i: int) -> bool:
    head, case = a.words[a.heads[i]], _case(a, i)
    if case[:1] == ["of"] and head.pos == "PROPN":
        return True
    if not case or case[0] not in _CIRCUMSTANCE or head.pos in ("NUM", "PRON", "DET", "ADJ"):
        return False
    if any(base(a.words[k].relation) == "cop" for k in a.children[a.heads[i]]):
        return False
    return not _is_negated(a, a.heads[i])


def _clause_goes(a: ParsedText, i: int) -> bool:
    """Let an adverbial clause go before its verb, after a comma, or after a word that says when or why."""
    case, start = set(_case(a, i)), a.subtree(i)[0]
    if case & _DOUBT or _is_negated(a, a.heads[i]):
        return False
    if a.words[a.heads[i]].pos not in ("VERB", "AUX") and not _after_comma(a, start):
        return False  # as tough as advertised
    return start < a.heads[i] or bool(case & _WHEN_OR_WHY) or _after_comma(a, start)


def _after_comma(a: ParsedText, start: int) -> bool:
    return a.tokens[start].text in _MARKS or (start > 0 and a.tokens[start - 1].text in _MARKS)


def _relative_goes(a: ParsedText, i: int) -> bool:
    """Let a relative clause go after a comma, a name or an indefinite noun: elsewhere it says which one is meant."""
    head, start = a.heads[i], a.subtree(i)[0]
    if start > head and _after_comma(a, start):
        return True
    if start <= head or _is_negated(a, head) or base(a.words[head].relation) in ("nsubj", "csubj"):
        return False
    if any(base(a.words[k].relation) == "cop" for k in a.children[head]):
        return False
    if a.words[head].pos in ("PRON", "NUM", "DET", "ADJ"):
        return False
    return a.words[i].relation == "acl:relcl" or a.words[head].pos != "PROPN"


def _conjunct_goes(a: ParsedText, i: int) -> bool:
    """Let the last of the joined words go; not of a subject, as its verb would have to change, and not under or."""
    head = a.heads[i]
    links = {a.words[k].form.lower() for k in a.children[i] if base(a.words[k].relation) == "cc"}
    if links & {"or", "nor", "but"} or _is_negated(a, head) or base(a.words[head].relation) in ("nsubj", "csubj"):
        return False
    if a.words[head].pos == "ADJ" and base(a.words[head].relation) != "root":
        return False
    if any(a.words[k].form.lower() in ("both", "between", "either", "neither") for k in a.subtree(head)):
        return False
    if base(a.words[head].relation) == "conj" and not any(base(a.words[k].relation) == "cc" for k in a.children[head]):
        return False  # in "did a, did b and did c", c is read as joined to b, which has no and of its own
    return bool(links) or i != _last_conjunct(a, head)


def _last_conjunct(a: ParsedText, head: int) -> int:
    return max(k for k in a.children[head] if base(a.words[k].relation) == "conj")
