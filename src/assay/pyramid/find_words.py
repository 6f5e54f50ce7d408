"""Look for the words of a contributor in another text: the same string, its dictionary forms, or most of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..data.content_units import TextSpan
from ..errors import UnknownName

METHODS = ("exact", "lemma", "partial")
_MIN_SHARE = 0.8  # share of a contributor's content words that must be aligned for a partial match
_WEAK = "context"  # links of words that only stand in like places: no evidence that a fact is stated
_MIN_WORDS = 2  # content words of a contributor that is matched in part


def list_steps(method: str) -> tuple[str, ...]:
    """Return the methods that are tried, in order: each adds to those before it.

    >>> list_steps("lemma")
    ('exact', 'lemma')
    """
    if method not in METHODS:
        raise UnknownName("method", method, METHODS, hint=f"(there are {', '.join(METHODS)})")
    return METHODS[: METHODS.index(method) + 1]


def find_words(text: str, parts: Sequence[str], step: str) -> tuple[TextSpan, ...]:
    """Return where a text has all parts of a contributor, by one method; nothing if it does not have them.

    exact: the words as they stand. lemma: their dictionary forms in the same order. partial: a sentence in which the
    aligner finds most content words.

    >>> find_words("The schools were closed.", ["school was closed"], "exact")
    ()
    >>> find_words("The schools are closed.", ["schools", "closed"], "exact")
    (TextSpan(start=4, end=11), TextSpan(start=16, end=22))
    """
    return {"exact": _find_exact, "lemma": _find_lemmas, "partial": _find_partial}[step](text, parts)


def _find_exact(text: str, parts: Sequence[str]) -> tuple[TextSpan, ...]:
    """Return where all parts stand as whole words; nothing if one does not."""
    spans = []
    for part in parts:
        pattern = rf"(?<!\w){re.escape(part)}(?!\w)"
        match = re.search(pattern, text)
        if match is None or not part:
            return ()
        spans.append(TextSpan(match.start(), match.end()))
    return merge_spans(spans)


def _find_lemmas(text: str, parts: Sequence[str]) -> tuple[TextSpan, ...]:
    """Return where the dictionary forms of all parts stand in the same order; articles do not count."""
    words = _lemmas(text)
    forms = [lemma for lemma, _ in words]
    spans = []
    for part in parts:
        wanted = [lemma for lemma, _ in _lemmas(part)]
        place = next((k for k in range(len(forms)) if wanted and forms[k : k + len(wanted)] == wanted), None)
        if place is None:
            return ()
        spans.append(TextSpan(words[place][1].start, words[place + len(wanted) - 1][1].end))
    return merge_spans(spans)


def _find_partial(text: str, parts: Sequence[str]) -> tuple[TextSpan, ...]:
    """Return the words of the sentence with which the aligner links most content words of the contributor."""
    from ..text import split_sentences
    from ..text.align.monolingual import align

    wanted = _analysis(" ".join(parts))
    content = _content_places(wanted)
    if len(content) < _MIN_WORDS:
        return ()
    best: tuple[float, tuple[TextSpan, ...]] = (0.0, ())
    start = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, start)
        links = [link for link in align(wanted, _analysis(sentence)).links if link.a in content and link.kind != _WEAK]
        share = len({link.a for link in links}) / len(content)
        if share >= _MIN_SHARE and share > best[0]:
            tokens = [_analysis(sentence).tokens[link.b] for link in links]
            best = share, merge_spans([TextSpan(start + token.start, start + token.end) for token in tokens])
        start += len(sentence)
    return best[1]


@lru_cache(maxsize=4096)
def _analysis(text: str):  # type: ignore[no-untyped-def]  # an AnalysedText; the aligner is imported when it is needed
    from ..text.align.monolingual import analyse

    return analyse(text)


def _content_places(analysed) -> set[int]:  # type: ignore[no-untyped-def]
    from ..text.align.word_features import CONTENT, word_class

    return {k for k, token in enumerate(analysed.tokens) if word_class(token.text.lower()) == CONTENT}


@lru_cache(maxsize=4096)
def _lemmas(text: str) -> list[tuple[str, TextSpan]]:
    from ..text.align.word_features import stem_of
    from ..text.tokens.offsets import is_punctuation, split_lexical_tokens

    tokens = [token for token in split_lexical_tokens(text) if not is_punctuation(token.text)]
    forms = [(stem_of(token.text.lower()), TextSpan(token.start, token.end)) for token in tokens]
    return [form for form in forms if form[0] not in ("a", "an", "the")]


def merge_spans(spans: Sequence[TextSpan]) -> tuple[TextSpan, ...]:
    """Join spans that overlap or touch, so that a suggestion can be stored as a contributor."""
    joined: list[TextSpan] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end + 1:
            joined[-1] = TextSpan(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return tuple(joined)
