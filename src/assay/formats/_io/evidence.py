"""Evidence: what makes a column of numbers a rating, and one of texts the outputs of a system.

Without evidence a number is metadata, and is not used.

A rating has (a) a format that says so, (b) a rater next to it and a listed name or values on a scale, (c) a listed name
and values that look like ratings, or (d) the user's word (`--columns score=NAME`). Names of time, cost, count, rate,
size, position and id are metadata in every case but the last.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from .roles import CORES, LLM_NAME, METRIC_SCORE, NAMES, WEAK_TEXTS, fold, role_of_header, split_names, split_words

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
    "understandable usefulness useful da esa mqm accuracy accurate coverage preservation preserving redundant non "
    "judgment acceptability acceptable hallucination toxicity fairness bias persuasiveness relevancy groundedness"
)
# Words for the rating itself, which alone are a name too (score, human_rating).
RATINGS = split_names(
    "rating ratings score scores likert grade grades mark marks judgment judgments judgement judgements "
    "annotation annotations annotator rater judge worker evaluator assessor stars human vote label"
)
# Words that may stand next to them.
FILLERS = split_names(
    "of the a is mean avg average expert experts crowd turker scale value level raw z norm normalized modified by q "
    "question answer input"
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
    "clicks wpm bytes kb mb gb memory cpu gpu revision turn round fold shard session bucket assignment priority layer "
    "duplicate truncated image cached control attention check speaker test flagged hidden approved gender list account "
    "pmid zip nr sequence order overlap density sim similarity penalty reward nll jahr created updated submitted ts "
    "unix delta has runtime ttft votes upvotes downvotes likes shares views hits threshold gradelevel readinglevel"
)
AMBIGUOUS = split_names("rank ranking depth")  # places in an order or a tree as often as opinions
# What a column says about several ratings: no rater of its own.
STATISTICS = split_names("mean avg average std stdev sd var n count min max median sum total time se sem ci low high")
RATERS = CORES["rater"] | split_names("r a ann anno expert experts turker turkers human")
SYSTEM_KEYS = NAMES["output"] | NAMES["system"]  # a dict of texts under one of these is a text per system
ENTRY_TEXTS = SYSTEM_KEYS | {"text", "content", *WEAK_TEXTS}
MAX_LENGTHS = 4.0  # how many times as long as the references, or as each other, outputs of systems may be
MIN_DISTINCT = 0.5  # share of the outputs of a system that differ from each other, from MIN_ROWS on
MIN_ROWS = 4
# Addresses, paths, hashes, ids and dates, which are texts but no one wrote them as an answer.
_CODE = re.compile(
    r"\S+@\S+\.\w+|\w+://\S+|(?:[~.]?/|[A-Za-z]:\\)\S+|[0-9a-fA-F]{8,}|[0-9a-fA-F]{4,}(?:-[0-9a-fA-F]{2,})+"
    r"|\d{4}-\d\d-\d\d.*|\d[\d.,:/-]*|[A-Za-z]*[_-]?\d{3,}"
)


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


def are_point_lists(lists: Sequence[Sequence[float | None]]) -> bool:
    """Check if lists of numbers hold whole points of a scale, and no shares or logarithms."""
    values = [value for numbers in lists for value in numbers if value is not None]
    return is_on_scale(values) and all(value == round(value) for value in values)


def look_like_ratings(values: Sequence[float]) -> bool:
    """Check if values may be ratings: none beyond 100, and not the numbers of rows.

    >>> look_like_ratings([3, 4, 3]), look_like_ratings([1, 2, 3, 4, 5, 6]), look_like_ratings([1731912345.0])
    (True, False, False)
    """
    counts = len(values) >= MIN_COUNTER and all(b - a == 1 for a, b in pairwise(values))
    return not counts and all(abs(value) <= MAX_RATING for value in values if math.isfinite(value))


def is_rating(header: str, values: Sequence[float], *, has_rater: bool) -> bool:
    """Check if a column of numbers holds ratings, by its name, its values and a rater next to it."""
    if is_about(header):
        return False
    if has_rater:  # two values without a listed name are a flag
        return names_rating(header) or (is_on_scale(values) and len(set(values)) > 2)
    return names_rating(header) and AMBIGUOUS.isdisjoint(split_words(header)) and look_like_ratings(values)


def group_raters(headers: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return dimension and rater of columns that name a rater: the stem is a listed dimension that two of them share.

    >>> group_raters(["fluency_anna", "fluency_ben", "fluency_mean", "rating1", "rating2"])["fluency_ben"]
    ('fluency', 'ben')
    >>> group_raters(["fluency_anna", "adequacy"]), group_raters(["annotator_1", "annotator_2"])["annotator_1"]
    ({}, ('score', 'annotator_1'))
    """
    parts = {header: pair for header in headers if (pair := _split_rater(header))}
    stems = Counter(fold(stem) for stem, _ in set(parts.values()))
    return {
        header: (stem, rater)
        for header, (stem, rater) in parts.items()
        if stems[fold(stem)] > 1 or LLM_NAME.fullmatch(fold(rater))
    }


def drop_container(header: str) -> str:
    """Return the path of a nested rating without the keys that only say that ratings follow.

    >>> drop_container("human.ratings.anna.fluency"), drop_container("ratings.3"), drop_container("fluency.anna")
    ('anna.fluency', 'ratings.3', 'fluency.anna')
    """
    parts = header.split(".")
    while len(parts) > 2 and all(word in RATINGS for word in split_words(parts[0])):
        del parts[0]
    return ".".join(parts)


def _split_rater(header: str) -> tuple[str, str] | None:
    tokens = [token for token in re.split(r"(?:['’]s\b)?[\s_\-.:/()\[\]@|=]+", drop_container(header)) if token]
    if len(tokens) == 1 and (match := re.fullmatch(r"([^\W\d]+)(\d{1,3})|([a-z]{2,})([A-Z])", tokens[0])):
        tokens = [part for part in match.groups() if part]
    named = [token for token in tokens if token.lower() in DIMENSIONS or token.lower() in RATINGS - RATERS]
    rest = [token for token in tokens if token not in named and token.lower() != "by"]
    if not rest or any(token.lower() in STATISTICS or token.lower() in ABOUT for token in rest):
        return None
    numbers = [token for token in rest if token.isdigit()]
    if not named:
        is_rater = len(rest) == 2 and rest[0].lower() in RATERS and (rest[1].isdigit() or len(rest[1]) == 1)
        return ("score", header.strip()) if is_rater else None
    if all(token.isdigit() or token.lower() in RATERS for token in rest):
        if not numbers:
            return None  # expert_fluency: a kind of rater, and no name
        return "_".join(named), f"rater{numbers[0]}"
    own = [token for token in rest if token.lower() not in RATERS]  # rater_anna is anna
    return "_".join(named), "_".join(own)


def is_statistic(header: str, groups: Mapping[str, tuple[str, str]]) -> bool:
    """Check if a column is the mean or the like of ratings that stand in other columns, a rater each."""
    words = split_words(header)
    stems = {fold(stem) for stem, _ in groups.values()}
    return any(word in STATISTICS for word in words) and any(fold(word) in stems for word in words)


def judge_of(header: str) -> str:
    """Return the kind of judge that a column of numbers names: metric or llm; "" where it names none.

    >>> judge_of("COMET-22"), judge_of("bertscore_f1"), judge_of("gpt4_score"), judge_of("fluency")
    ('metric', 'metric', 'llm', '')
    """
    if METRIC_SCORE.fullmatch(fold(header)):
        return "metric"
    if fold(header).startswith("geval"):
        return "llm"
    words = [word for word in re.split(r"[\s_\-.]+", header.lower()) if word and word not in RATINGS]
    models = [word for word in words if LLM_NAME.fullmatch(word)]
    others = [word for word in words if word not in models and not word.isdigit() and word not in ("as", "a", "eval")]
    return "llm" if models and not others else ""


def list_outputs(columns: Mapping[str, Sequence[str]], references: Sequence[str]) -> list[str]:
    """Return the columns that may be outputs of systems: texts, mostly distinct, about as long as the references.

    Without references, as long as the longest of them.

    >>> list_outputs({"bart": ["the cat sat", "a dog ran"], "by": ["x@y.org", "z@y.org"]}, ["a cat sat", "dogs ran"])
    ['bart']
    """
    written = {name: _median_length(texts) for name, texts in columns.items() if _are_written(texts)}
    middle = _median_length(references) or max(written.values(), default=0.0)
    return [name for name, length in written.items() if middle / MAX_LENGTHS <= length <= middle * MAX_LENGTHS]


def find_system_text(entry: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return system and text of an object in a list of outputs; None where it does not say both.

    >>> find_system_text({"model": "bart", "summary": "a b"}), find_system_text({"text": "a b"})
    (('bart', 'a b'), None)
    """
    named = [key for key in entry if role_of_header(key) == ("system", None) or fold(key) == "name"]
    name = next((entry[key] for key in named if isinstance(entry[key], str | int)), None)
    texts = (entry[key] for key in entry if fold(key) in ENTRY_TEXTS)
    text = next((text for text in texts if isinstance(text, str) and text != name), None)
    return None if name is None or text is None else (str(name), text)


def _are_written(texts: Sequence[str]) -> bool:
    codes = sum(bool(_CODE.fullmatch(text.strip())) for text in texts)
    distinct = len(set(texts)) >= MIN_DISTINCT * len(texts) or len(texts) < MIN_ROWS
    return bool(texts) and codes < len(texts) / 2 and distinct


def _median_length(texts: Sequence[str]) -> float:
    return float(median(map(len, texts))) if texts else 0.0
