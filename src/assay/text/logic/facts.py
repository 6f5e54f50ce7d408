"""Facts about the words of a parsed text that the rules of natural logic ask for: classes, connectives and more."""

from __future__ import annotations

from functools import cached_property

from ..parse.flat import ParsedText
from .lexicon import bounds, connectives, find_phrases, modifiers, nouns, predicates, quantifiers

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
BREAKS = frozenset({",", ";", ":", "(", ")", "-", "—", "–", "--"})
DEONTIC = frozenset({"must", "should", "shall", "may", "can"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_DOWNWARD_BOUNDS = frozenset(
    {"at most", "fewer than", "less than", "no more than", "not more than", "under", "below", "up to", "at the most"}
)
_EXACT_BOUNDS = frozenset({"exactly", "precisely", "only", "just"})
_RULES = frozenset({"allow", "permit", "forbid", "prohibit", "require", "oblige", "entitle", "ban", "bar"})
_HEDGES = frozenset({"only", "even", "just", "not", "except", "and", "but"})


def base(relation: str) -> str:
    """Return a relation without its subtype."""
    return relation.partition(":")[0]


class Facts:
    """What is known of each word of a text before its polarity is."""

    def __init__(self, a: ParsedText) -> None:
        self.a = a
        self.forms = [token.text.lower().replace("’", "'") for token in a.tokens]
        self.lemmas = [word.lemma.lower() for word in a.words]
        self.kinds = [base(word.relation) for word in a.words]

    @cached_property
    def connectives(self) -> dict[int, tuple[int, frozenset[str]]]:
        """Phrases of prepositions and conjunctions: start -> end, classes."""
        return find_phrases(self.forms, connectives())

    @cached_property
    def bounds(self) -> dict[int, tuple[int, frozenset[str]]]:
        """Phrases that bound a number: start -> end, before or after it."""
        return find_phrases(self.forms, bounds())

    @cached_property
    def is_question(self) -> bool:
        """Whether the text asks something."""
        return any(form == "?" for form in self.forms[-3:])

    def children(self, i: int, *kinds: str) -> list[int]:
        """Return the dependents of a word, of these relations if any are given."""
        return [k for k in self.a.children[i] if not kinds or self.kinds[k] in kinds]

    def modifier(self, i: int) -> str:
        """Return the class of an adjective or adverb, "" outside the lexicon."""
        word = self.a.words[i]
        hyphen_word = self.hyphen_word(i)
        parts = ("adv", "adj") if word.pos in ("ADV", "PART", "SCONJ") or self.kinds[i] == "advmod" else ("adj", "adv")
        for part in parts:
            for form in (hyphen_word, self.forms[i], self.lemmas[i]):
                if (form, part) in modifiers():
                    return modifiers()[form, part]
        return ""

    def hyphen_word(self, i: int) -> str:
        """Return the whole of a word written with hyphens (so-called) that a token is part of."""
        tokens, first, last = self.a.tokens, i, i
        while first > 1 and self.forms[first - 1] == "-" and tokens[first - 2].end == tokens[first - 1].start:
            first -= 2
        while last + 2 < len(tokens) and self.forms[last + 1] == "-" and tokens[last + 1].end == tokens[last + 2].start:
            last += 2
        return "".join(self.forms[first : last + 1])

    def quantifier(self, i: int) -> tuple[str, str] | None:
        """Return the monotonicity of a word that is a quantifier."""
        return quantifiers().get(self.forms[i]) or quantifiers().get(self.lemmas[i])

    def predicate(self, i: int) -> frozenset[str]:
        """Return the classes of a predicate, with its particle if it has one (rule out)."""
        for k in self.a.children[i]:
            if (
                self.a.words[k].relation == "compound:prt"
                and (phrase := f"{self.lemmas[i]} {self.forms[k]}") in predicates()
            ):
                return predicates()[phrase]
        return predicates().get(self.lemmas[i], predicates().get(self.forms[i], frozenset()))

    def noun(self, i: int) -> frozenset[str]:
        """Return the classes of a noun."""
        form = self.forms[i].rstrip(".")
        return nouns().get(self.lemmas[i]) or nouns().get(form) or nouns().get(form.removesuffix("s"), frozenset())

    def lead(self, i: int) -> tuple[range, frozenset[str]]:
        """Find the connective that a phrase or clause begins with: its places and classes."""
        span = [k for k in self.a.subtree(i) if not self.a.punctuation[k]]
        for at in span[:2]:
            if at in self.connectives:
                end, classes = self.connectives[at]
                return range(at, end), classes
            if self.forms[at] not in _HEDGES:
                break
        leads = [k for k in self.children(i, "case", "mark", "advmod") if k < i and k in self.connectives]
        if leads:
            end, classes = self.connectives[leads[0]]
            return range(leads[0], end), classes
        return range(0), frozenset()

    def follows_break(self, i: int) -> bool:
        """Check if a phrase begins with a comma, dash or bracket, or right after one."""
        first = self.a.subtree(i)[0]
        return self.forms[first] in BREAKS or (first > 0 and self.forms[first - 1] in BREAKS)

    def nouns_before(self, i: int) -> list[int]:
        """Return the nouns with a phrase that ends right before another phrase, which may belong to any of them."""
        start = self.a.subtree(i)[0]
        end = start - 1
        while end >= 0 and self.a.words[end].pos == "ADV":
            end -= 1
        if end < 0 or self.forms[start] in BREAKS or self.forms[end] in BREAKS:
            return []
        nouns, k = [], end
        while k >= 0:
            if self.a.words[k].pos in NOMINAL and self.a.subtree(k)[-1] >= end:
                nouns.append(k)
            k = self.a.heads[k] if self.a.heads[k] < k else -1
        return nouns

    def is_restricted(self, noun: int) -> bool:
        """Check if what restricts a noun matters: after every, no, few, most, or a superlative."""
        return self.singles_out(noun) or (not self.is_referential(noun) and self.restriction(noun)[0] != "up")

    def is_number(self, i: int) -> bool:
        """Check if a word is a number, in digits or in letters."""
        return self.a.words[i].pos == "NUM" or any(c.isdigit() for c in self.forms[i])

    def is_clause(self, i: int) -> bool:
        """Check if a word is a predicate: a verb, or with a subject or copula."""
        if self.a.words[i].pos in ("VERB", "AUX"):
            return True
        return bool(self.children(i, "cop", "nsubj", "csubj", "expl"))

    def is_comparative(self, i: int) -> bool:
        """Check if a word is a comparative or modified by more, less or as."""
        if self.a.words[i].tag in ("JJR", "RBR") or self.forms[i] in ("more", "less", "fewer", "as", "rather", "other"):
            return True
        return any(self.forms[k] in ("more", "less", "as", "so", "too", "twice") for k in self.children(i, "advmod"))

    def is_identifying(self, i: int) -> bool:
        """Check if a word singles something out: superlatives, ordinals, same, only, last."""
        word = self.a.words[i]
        if word.tag in ("JJS", "RBS") and self.forms[i] not in ("most", "least"):
            return True
        if any(self.forms[k] in ("most", "least") for k in self.children(i, "advmod")) and word.pos in ("ADJ", "ADV"):
            return True
        return self.modifier(i) == "identity" and word.pos == "ADJ"

    def singles_out(self, noun: int) -> bool:
        """Check if a noun is singled out by such a word before it."""
        if any(self.is_identifying(k) for k in self.children(noun, "amod")) or self.is_identifying(noun):
            return True
        return any(self.forms[j] == "only" for k in self.children(noun, "amod") for j in self.children(k, "advmod"))

    def is_referential(self, i: int) -> bool:
        """Check if a noun names something given: a proper name, or with the, this or a possessor."""
        if self.a.words[i].pos == "PROPN":
            return True
        if any(self.forms[k] in _DEFINITE for k in self.children(i, "det")):
            # the killing of whales: no more definite than whales
            weak = any(self._is_weak(k) for k in self.children(i, "nmod"))
            return not weak and not any(self.quantifier(k) for k in self.children(i, "det", "advmod"))
        return any(self.a.words[k].relation == "nmod:poss" for k in self.a.children[i])

    def _is_weak(self, complement: int) -> bool:
        of = any(self.forms[k] == "of" for k in self.children(complement, "case"))
        bare = not self.children(complement, "det", "nummod") and self.a.words[complement].pos == "NOUN"
        return of and bare and not any(self.a.words[k].relation == "nmod:poss" for k in self.a.children[complement])

    def is_generic(self, i: int) -> bool:
        """Check if a noun is a bare plural that may stand for its kind."""
        return (
            self.a.words[i].tag == "NNS"
            and self.kinds[i] in ("nsubj", "root")
            and not self.children(i, "det", "nummod")
        )

    def is_definite(self, i: int) -> bool:
        """Check if it is open what follows without a noun's modifiers: it is given, or may stand for its kind."""
        return self.is_referential(i) or self.is_generic(i)

    def restriction(self, i: int) -> tuple[str, str]:
        """Return the monotonicity of a noun's quantifier in its restrictor and scope; up in both without one."""
        own = self.quantifier(i) if self.a.words[i].pos in ("PRON", "DET", "NOUN", "ADV", "ADJ", "NUM") else None
        if own is not None and self.kinds[i] not in ("det", "advmod", "amod"):
            return own
        for k in self.children(i, "det", "amod", "advmod", "nummod", "cc"):
            if self.kinds[k] == "nummod":
                if (bound := self._bound_before(k)) is not None:
                    return bound
                continue
            if self.forms[k] == "not" and k < i and any(k < d for d in self.children(i, "det")):
                return ("down", "down")  # not a single witness
            if self.kinds[k] == "advmod" and (
                k > i or (self.quantifier(k) == ("none", "down") and self.forms[k] != "only")
            ):
                continue  # a negation of the clause
            if (monotone := self.quantifier(k)) is not None:
                return monotone
        generic = self.is_generic(i) or self._is_any_one(i)
        return ("down", "up") if generic and self.is_rule(self.a.heads[i]) else ("up", "up")

    def _is_any_one(self, i: int) -> bool:
        """Check if a noun with a or an is the subject of a rule: a witness who lies shall be fined."""
        if self.kinds[i] != "nsubj" or not any(self.forms[k] in ("a", "an") for k in self.children(i, "det")):
            return False
        auxiliaries = self.children(self.a.heads[i], "aux")
        perfect = any(self.lemmas[k] == "have" for k in auxiliaries)  # may have lied: no one's rule
        return not perfect and any(self.forms[k] in DEONTIC for k in auxiliaries)

    def is_rule(self, clause: int) -> bool:
        """Check if a clause says what must, may or must not be: its bare plurals mean all."""
        if clause < 0:
            return False
        modal = any(self.a.words[k].tag == "MD" for k in self.children(clause, "aux"))
        negated = any(self.forms[k] in ("not", "n't", "never") for k in self.children(clause, "advmod"))
        return modal or (negated and not self.is_past(clause)) or self.lemmas[clause] in _RULES

    def _bound_before(self, number: int) -> tuple[str, str] | None:
        for start in range(max(0, number - 3), number):
            end, _ = self.bounds.get(start, (0, frozenset()))
            if end == number:
                phrase = " ".join(self.forms[start:end])
                if phrase in _DOWNWARD_BOUNDS:
                    return ("down", "down")
                return ("none", "none") if phrase in _EXACT_BOUNDS else None
        return None

    def is_past(self, i: int) -> bool:
        """Check if a clause reports an event in the past, without a modal."""
        auxiliaries = self.children(i, "aux", "cop")
        if any(self.a.words[k].tag == "MD" for k in auxiliaries):
            return False
        tags = {self.a.words[k].tag for k in auxiliaries}
        if self.forms and any(
            self.lemmas[k] in ("have", "be", "do") and self.a.words[k].tag == "VBD" for k in auxiliaries
        ):
            return True
        if any(self.lemmas[k] == "have" for k in auxiliaries):
            return True
        return self.a.words[i].tag == "VBD" and not tags
