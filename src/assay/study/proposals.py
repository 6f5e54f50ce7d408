"""Which units may some words belong to: ranked by shared words, and by vectors where the sentence encoder is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..errors import AssayError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_CHARACTERS = 2000  # of a text that is compared


def rank_units(words: str, units: Mapping[str, Sequence[str]], *, use_vectors: bool = True) -> list[str]:
    """Return the ids of units, most similar first; `units` has for each the texts that state it.

    The similarity of two texts is the F of their content words' stems, and its mean with the cosine of their vectors
    where an encoder is installed (extra `vectors`). A unit is as similar as the most similar of its texts.

    >>> rank_units("a ferry went down", {"1": ["divers searched"], "2": ["the ferry sank"]}, use_vectors=False)
    ['2', '1']
    """
    distinct = list(dict.fromkeys(text for texts in units.values() for text in texts))
    similarity = dict(zip(distinct, _similarities(words, distinct, use_vectors), strict=True))
    scores = {id: max((similarity[text] for text in texts), default=0.0) for id, texts in units.items()}
    return sorted(scores, key=lambda id: -scores[id])  # stable: equal units keep their order


def _similarities(words: str, texts: Sequence[str], use_vectors: bool) -> list[float]:
    own = _stems(words)
    lexical = np.array([_overlap(own, _stems(text)) for text in texts])
    vectors = _vectors([words, *texts]) if use_vectors and texts else None
    return list(lexical if vectors is None else (lexical + vectors[1:] @ vectors[0]) / 2)


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Return the stems of the content words; of all words where there is no other."""
    from ..text.align.word_features import CONTENT, stem_of, word_class
    from ..text.tokens.offsets import is_punctuation, split_lexical_tokens

    tokens = split_lexical_tokens(text[:_MAX_CHARACTERS])
    forms = [token.text.lower() for token in tokens if not is_punctuation(token.text)]
    content = [form for form in forms if word_class(form) == CONTENT]
    return frozenset(stem_of(form) for form in content or forms)


def has_vectors() -> bool:
    """Check if the sentence encoder is installed."""
    return _vectors(["a"]) is not None


def _vectors(texts: Sequence[str]) -> NDArray[np.float32] | None:
    """Return a vector for each text; None where no encoder is installed."""
    try:
        return np.array([_vector(text[:_MAX_CHARACTERS]) for text in texts])
    except AssayError:  # the extra is not there: words alone decide
        return None


@lru_cache(maxsize=8192)
def _vector(text: str) -> NDArray[np.float32]:
    from ..text.vectors.encoder import encoder

    vector: NDArray[np.float32] = encoder().sentences([text])[0]
    return vector
