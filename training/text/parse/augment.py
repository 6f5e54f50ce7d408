"""Cut a treebank into training documents and vary them: runs of sentences, one case, no full stop, phrases."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from treebanks import Sentence, Word

LOWER, UPPER, UNSTOPPED, FRAGMENT, NEWLINE = 0.06, 0.04, 0.10, 0.02, 0.15  # shares of the augmented documents


def groups(bank: Iterable[Sentence], rng: random.Random) -> Iterator[list[Sentence]]:
    """Cut a treebank into runs of neighbouring sentences: about half of them single, the others two to eight."""
    run: list[Sentence] = []
    wanted = 1
    for sentence in bank:
        if run and (len(run) == wanted or sentence.new_document):
            yield run
            run = []
        if not run:
            wanted = 1 if rng.random() < 0.5 else rng.randint(2, 8)
        run.append(sentence)
    if run:
        yield run


def recase(words: list[Word], upper: bool) -> list[Word]:
    """Text in one case, with lemmas to match (an edit tree cannot restore capitals); the pronoun I stays I."""
    if upper:
        return [replace(word, form=word.form.upper(), lemma=word.lemma.upper()) for word in words]
    return [replace(w, form=w.form.lower(), lemma=w.lemma if w.lemma == "I" else w.lemma.lower()) for w in words]


def unstop(words: list[Word]) -> list[Word]:
    """The sentence without its final punctuation, where nothing hangs from that."""
    last = len(words) - 1
    if last < 1 or words[last].pos != "PUNCT" or any(word.head == last for word in words):
        return words
    return words[:last]


def fragment(words: list[Word], rng: random.Random) -> list[Word]:
    """A phrase of two to ten words: the whole subtree of a word, where it has no gap."""
    children: list[list[int]] = [[] for _ in words]
    for i, word in enumerate(words):
        if word.head != i:
            children[word.head].append(i)

    def subtree(i: int) -> list[int]:
        return [i] + [k for j in children[i] for k in subtree(j)]

    for root in rng.sample(range(len(words)), len(words)):
        span = sorted(subtree(root))
        low, high = span[0], span[-1]
        if words[root].pos in ("NOUN", "PROPN", "VERB", "ADJ") and 2 <= len(span) <= 10 and high - low == len(span) - 1:
            phrase = [replace(word, head=word.head - low) for word in words[low : high + 1]]
            phrase[root - low] = replace(words[root], head=root - low, dep="ROOT")
            return phrase
    return words


def augment(run: list[Sentence], rng: random.Random) -> list[Sentence]:
    """With small probability: one case throughout, no full stop, or only a phrase of a sentence."""
    draw = rng.random()
    if len(run) == 1:
        words = run[0].words
        if draw < FRAGMENT:
            run = [Sentence(fragment(words, rng))]
        elif draw < FRAGMENT + UNSTOPPED:
            run = [Sentence(unstop(words))]
    draw = rng.random()
    if draw < LOWER + UPPER:
        run = [replace(sentence, words=recase(sentence.words, upper=draw < UPPER)) for sentence in run]
    return run
