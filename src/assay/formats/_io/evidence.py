"""Evidence: what makes a column of numbers a rating, and one of texts the outputs of a system.

Without evidence a number is metadata, and is not used.

A rating has (a) a format that says so, (b) a rater beside it and a listed name or values on a scale, (c) a listed name
and values that look like ratings, or (d) the user's word (`--columns score=NAME`). Names of time, cost, count, rate,
size, position and id are metadata in every case but the last.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from .roles import split_names

MAX_POINTS = 11  # of a scale: distinct, equally spaced values
STEPS = (0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 25, 50)  # between the points of a scale
MAX_RATING = 100.0  # the largest value that a rating without a rater may have
MIN_COUNTER = 5  # values from which a run of numbers that rises by one counts rows

# What people rate, as a noun or an adjective.
DIMENSIONS = split_names(
    "adequacy adequate appropriateness appropriate clarity clear coherence coherent completeness complete "
    "conciseness concise concision consistency consistent content correctness correct creativity depth empathy "
    "engagement engagingness engaging equivalence factuality factual faithfulness faithful fluency fluent focus "
    "grammar grammaticality grammatical harmlessness harmless helpfulness helpful honesty humor importance "
    "informativeness informative informativity interestingness interesting likability likeability linguistic "
    "meaning naturalness natural originality overall plausibility preference pyramid quality rank ranking "
    "readability readable redundancy nonredundancy referential relevance relevant responsiveness safety "
    "satisfaction simplicity simple specificity structure style tone truthfulness understandability "
    "understandable usefulness useful da esa mqm"
)
# Words for the rating itself, which alone are a name too (score, human_rating).
RATINGS = split_names(
    "rating ratings score scores likert grade grades mark marks judgment judgments judgement judgements "
    "annotation annotations annotator rater judge worker evaluator assessor stars human vote votes label"
)
# Words that may stand beside them.
FILLERS = split_names(
    "of the a is mean avg average expert experts crowd turker scale value level raw z norm normalized modified by"
)
# Words that say that a number is about the row, and not an opinion of its text.
ABOUT = split_names(
    "time times timestamp seconds second secs sec minutes minute min hours hour ms millis latency duration "
    "elapsed date year month day week cost costs price usd eur dollars cents fee budget count counts num number "
    "numbers n total size sizes length len tokens token words word chars char characters sentences lines line row "
    "rows page pages index idx position pos offset start end id ids uid key hash rate ratio percent pct share "
    "speed seed step steps epoch iteration batch version temperature topp topk maxtokens beam port lat lon "
    "longitude latitude age std stdev sd sem se var variance ci low high lower upper loss logprob logprobs prob "
    "probability probabilities entropy perplexity ppl confidence cosine distance attempts attempt retries visits "
    "clicks wpm bytes kb mb gb memory cpu gpu"
)
MAX_LENGTHS = 4.0  # how many times as long as the references, or as each other, outputs of systems may be
MIN_DISTINCT = 0.5  # share of the outputs of a system that differ from each other, from MIN_ROWS on
MIN_ROWS = 4
# Addresses, paths, hashes, ids and dates, which are texts but nobody wrote them as an answer.
_CODE = re.compile(
    r"\S+@\S+\.\w+|\w+://\S+|(?:[~.]?/|[A-Za-z]:\\)\S+|[0-9a-fA-F]{8,}|[0-9a-fA-F]{4,}(?:-[0-9a-fA-F]{2,})+"
    r"|\d{4}-\d\d-\d\d.*|\d[\d.,:/-]*|[A-Za-z]*[_-]?\d{3,}"
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_]+")


def split_words(header: str) -> list[str]:
    """Return the words of a header in lower case, numbers apart.

    >>> split_words("WorkTimeInSeconds"), split_words("human_rating(2)")
    (['work', 'time', 'in', 'seconds'], ['human', 'rating', '2'])
    """
    return [word.lower() for word in _WORDS.findall(header)]


def is_about(header: str) -> bool:
    """Check if a header names a time, cost, count, rate, size, position, id or another number about the row.

    >>> is_about("latency_ms"), is_about("promptId"), is_about("fluency")
    (True, True, False)
    """
    words = [word for word in split_words(header) if not word.isdigit()]
    return any(word in ABOUT for word in words) or "".join(words) in ABOUT


def names_rating(header: str) -> bool:
    """Check if a header is the name of a rating: a listed dimension, or a word for ratings, perhaps with both.

    >>> names_rating("Fluency"), names_rating("human_score"), names_rating("overall quality 2"), names_rating("tempo")
    (True, True, True, False)
    """
    words = [word for word in split_words(header) if not word.isdigit() and word not in FILLERS]
    return bool(words) and not is_about(header) and all(word in DIMENSIONS or word in RATINGS for word in words)


def is_on_scale(values: Sequence[float]) -> bool:
    """Check if values are the points of a scale: at most eleven, equally spaced, with points left out or not.

    >>> is_on_scale([1, 5, 3, 3]), is_on_scale([0.5, 1.0, 2.5]), is_on_scale([812.0, 77.5, 3.1])
    (True, True, False)
    """
    points = sorted(set(values))
    if not 2 <= len(points) <= MAX_POINTS or not all(map(math.isfinite, points)):
        return False
    return any(_is_on_grid(points, step) for step in STEPS)


def _is_on_grid(points: Sequence[float], step: float) -> bool:
    whole = all(abs(point / step - round(point / step)) < 1e-6 for point in points)
    return whole and round((points[-1] - points[0]) / step) < MAX_POINTS


def look_like_ratings(values: Sequence[float]) -> bool:
    """Check if values may be ratings: none beyond 100, and not the numbers of rows.

    >>> look_like_ratings([3, 4, 3]), look_like_ratings([1, 2, 3, 4, 5, 6]), look_like_ratings([1731912345.0])
    (True, False, False)
    """
    counts = len(values) >= MIN_COUNTER and all(b - a == 1 for a, b in pairwise(values))
    return not counts and all(abs(value) <= MAX_RATING for value in values if math.isfinite(value))


def is_rating(header: str, values: Sequence[float], *, has_rater: bool) -> bool:
    """Check if a column of numbers holds ratings, by its name, its values and a rater beside it."""
    if is_about(header):
        return False
    if has_rater:
        return names_rating(header) or is_on_scale(values)
    return names_rating(header) and look_like_ratings(values)


def list_outputs(columns: Mapping[str, Sequence[str]], references: Sequence[str]) -> list[str]:
    """Return the columns that may be outputs of systems: texts, mostly distinct, about as long as the references.

    Without references, as long as the longest of them.

    >>> list_outputs({"bart": ["the cat sat", "a dog ran"], "by": ["x@y.org", "z@y.org"]}, ["a cat sat", "dogs ran"])
    ['bart']
    """
    written = {name: _median_length(texts) for name, texts in columns.items() if _are_written(texts)}
    middle = _median_length(references) or max(written.values(), default=0.0)
    return [name for name, length in written.items() if middle / MAX_LENGTHS <= length <= middle * MAX_LENGTHS]


def _are_written(texts: Sequence[str]) -> bool:
    codes = sum(bool(_CODE.fullmatch(text.strip())) for text in texts)
    distinct = len(set(texts)) >= MIN_DISTINCT * len(texts) or len(texts) < MIN_ROWS
    return bool(texts) and codes < len(texts) / 2 and distinct


def _median_length(texts: Sequence[str]) -> float:
    return float(median(map(len, texts))) if texts else 0.0
