"""Paraphrase rules by pivoting (Bannard and Callison-Burch 2005; Cohn and Lapata 2008, section 4): words that one
source word of a bitext was translated as. The bitexts at hand are test sets of WMT17, so no shipped model uses them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from t3_data import DATA, Example
from t3_learn import is_plain, may_pass_on

import assay
from assay.systems.compress.tree.rules import Pattern, TreeRule
from assay.systems.paraphrase import paraphrases

FILES = ("wmt17-de-en.jsonl.gz", "wmt17-cs-en.jsonl.gz")


def pivot_rules(examples: Iterable[Example], names: Collection[str]) -> dict[TreeRule, float]:
    """Rules for words of the examples' sources, each with its probability p(pivot | old) p(new | pivot)."""
    tags: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for word, tag in zip(example.words, example.tags, strict=True):
            tags[word.lower()].add(tag)
    rules: dict[TreeRule, float] = {}
    for name in FILES:
        equivalents = paraphrases(assay.read(DATA / name), longest=3)
        for word in tags:
            for replacement in equivalents.of(word):
                for tag in tags[word]:
                    rule = TreeRule((Pattern(tag, word),), tuple(replacement.new.split()))
                    if may_pass_on(rule, names) and is_plain(rule):
                        rules[rule] = max(rules.get(rule, 0.0), replacement.probability)
    return rules
