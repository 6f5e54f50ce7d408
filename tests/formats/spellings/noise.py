"""Columns of numbers and texts that are neither judgments nor outputs: real headers, with values as they have."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from .canon import RATERS, SYSTEMS, Case
from .tables import Rows, expect, long, rated, ratings, single, way, wide

Values = Callable[[int], Any]


def _digest(number: int) -> str:
    return hashlib.sha256(f"row {number}".encode()).hexdigest()


def _cycle(*values: Any) -> Values:
    return lambda number: values[number * 7 % len(values)]


SENTENCES = _cycle(
    "I was not sure about the second half of it.",
    "Short, but it says what happened and where.",
    "Would be better with the name of the river.",
    "The crust is not what the text is about, I think.",
    "Good, I have nothing to add to this one.",
    "It repeats a phrase that stands in the article.",
    "Hard to say without knowing the town at all.",
    "The number of seats seems to be right this time.",
)
# What the numbers look like: kind -> the value of a row.
NUMBERS: dict[str, Values] = {
    "ms": lambda n: 180.5 + 37.25 * (n * 5 % 11),
    "seconds": lambda n: 12 + 19 * (n * 5 % 13),
    "usd": lambda n: round(0.0012 + 0.00031 * (n * 3 % 7), 5),
    "tokens": lambda n: 31 + 17 * (n * 5 % 9),
    "small": _cycle(0, 1, 2, 1, 3),
    "flag": _cycle(0, 1, 1),
    "unix": lambda n: 1731912345 + 61 * n,
    "serial": lambda n: n,
    "big id": lambda n: 100200 + 7 * n,
    "share": lambda n: round(0.05 + 0.09 * (n * 5 % 10), 3),
    "setting": _cycle(0.7),
    "decibel": lambda n: round(-3.2 + 0.71 * (n * 3 % 8), 3),
    "score100": lambda n: round(23.5 + 6.37 * (n * 5 % 12), 2),
    "year": _cycle(2019, 2021, 2022, 2023, 2024),
    "age": _cycle(24, 31, 45, 52, 28),
}
# What the texts look like.
TEXTS: dict[str, Values] = {
    "email": lambda n: f"person{n % 4}@example.org",
    "hash": lambda n: _digest(n)[:40],
    "uuid": lambda n: str(uuid.UUID(_digest(n)[:32])),
    "url": lambda n: f"https://example.org/articles/{n * 17}?ref=feed",
    "path": lambda n: f"/data/runs/2024-11/shard-{n % 3}/part-{n:05d}.json",
    "date": lambda n: f"2024-11-{n % 28 + 1:02d}T09:{n % 60:02d}:07Z",
    "person": _cycle("Mia Brandt", "Jonas Keller", "Aylin Yildiz", "Tom Becker", "Lena Hofmann"),
    "label": _cycle("stop", "length", "stop", "content_filter", "stop"),
    "word": _cycle("news", "sports", "weather", "news", "culture"),
    "language": _cycle("en", "de"),
    "constant": _cycle("gpt-eval-v2, temperature 0"),
    "model": _cycle("gpt-4o-2024-08-06"),
    "yesno": _cycle("yes", "no", "yes"),
    "title": _cycle(
        "Bridge to go", "Bread by weight", "A night in the snow", "Tools on loan", "Wet cellars", "A new hall"
    ),
    "sentence": SENTENCES,
    "code": lambda n: f"A{_digest(n)[:12].upper()}",
    "json": lambda n: f'{{"prompt_tokens": {n + 40}, "completion_tokens": {n + 9}}}',
}
NUMBER_HEADERS: dict[str, str] = {
    "ms": "latency_ms latencyMs latency response_time_ms ttft_ms generation_time elapsed_ms inference_time "
    "runtime_ms "
    "time_to_first_token",
    "seconds": "WorkTimeInSeconds duration Duration(seconds) time_spent time_taken seconds lead_time annotation_time "
    "elapsed_seconds LifetimeInSeconds wall_time reading_time",
    "usd": "cost cost_usd price_usd Reward total_cost input_cost output_cost fee",
    "tokens": "tokens num_tokens prompt_tokens completion_tokens total_tokens n_words word_count char_count "
    "length output_len "
    "src_len reference_length num_chars usage.total_tokens context_length",
    "small": "retries attempts num_retries n_sentences error_count num_errors revision page turn round fold "
    "shard session "
    "difficulty_bucket batch position rank_in_list AssignmentCount version priority gpu_id layer",
    "flag": "is_duplicate truncated has_image cached is_control passed_attention_check native_speaker is_test "
    "flagged hidden "
    "AutoApproved gender",
    "unix": "timestamp created created_at_ts unix_time ts submitted_at updated_ms start_time",
    "serial": "Unnamed: 0 line line_no row_number row idx nr sequence order",
    "big id": "user_id prompt_id hit_id run_id paper_id account pmid zip",
    "share": "prob confidence probability perplexity compression_ratio novelty_rate toxicity_probability "
    "error_rate accept_rate "
    "overlap copy_rate top_p coverage_ratio density sim",
    "setting": "temperature frequency_penalty presence_penalty learning_rate",
    "decibel": "logprob avg_logprob loss nll z_norm mean_logprob entropy_delta",
    "score100": "xcomet comet bertscore bertscore_f1 rouge1 rougeL bleu chrf meteor sari bleurt metricx "
    "bartscore ter comet_22 "
    "sentence_bleu cometkiwi rouge2_fmeasure MetricX-24 wer",
    "year": "year pub_year Jahr",
    "age": "age rater_age Age",
}
TEXT_HEADERS: dict[str, str] = {
    "email": "email Email_Address author_email contact",
    "hash": "hash sha1 md5 checksum content_hash commit fingerprint system_fingerprint",
    "uuid": "uuid request_id trace_id session_id span_id call_id thread_id",
    "url": "url link source_url image_url permalink",
    "path": "path file filename audio_path file_name log_file",
    "date": "date created_at timestamp_utc published submitted modified SubmitTime",
    "person": "author reviewer editor name owner speaker byline assigned_to requester Bearbeiter",
    "label": "finish_reason status stop_reason error_type AssignmentStatus state",
    "word": "category genre topic domain section tag type dataset subset corpus",
    "language": "language lang lp locale src_lang target_language",
    "constant": "config settings template rubric pipeline license",
    "model": "judge_model base_model tokenizer_name embedding_model",
    "yesno": "approved is_ok verified completed consent",
    "title": "title headline subject event heading",
    "sentence": "comment comments notes note explanation rationale feedback remarks justification reasoning "
    "Answer.comment "
    "Kommentar annotator_comment error_description thoughts chain_of_thought todo free_text description",
    "code": "HITId AssignmentId WorkerId doi barcode doc_code sku token",
    "json": "usage meta metadata raw params",
}


PER_ITEM = ("word", "title", "language", "url")  # the same for all outputs of an item


def _per_item(values: Values) -> Values:
    return lambda number: values(number // len(SYSTEMS))


def list_headers(table: dict[str, str]) -> list[tuple[str, str]]:
    """Return header and kind; a name with a space in it is written whole."""
    pairs = []
    for kind, text in table.items():
        names = text.replace("Unnamed: 0", "Unnamed:\u00a00").split(" ")
        pairs += [(name.replace("\u00a0", " "), kind) for name in names]
    return pairs


def add_column(rows: Rows, header: str, values: Values, *, place: int) -> Rows:
    """Return the rows with a column more, at one of the places it may have."""
    at = place % (len(rows[0]) + 1)
    columns = [list(row.items()) for row in rows]
    return [dict([*cells[:at], (header, values(n)), *cells[at:]]) for n, cells in enumerate(columns)]


def number_cases() -> Iterator[Case]:
    """Each number in a table of outputs, and next to ratings by people."""
    for number, (header, kind) in enumerate(list_headers(NUMBER_HEADERS)):
        style, write = way(number)
        rows = add_column(single(id="id"), header, NUMBERS[kind], place=number)
        yield Case(f"number {header!r} ({style})", write(rows), expect(ids=True))
        style, write = way(number + 3)
        rows = add_column(rated(raters=RATERS[:2]), header, NUMBERS[kind], place=number)
        judged = expect(("bart", "t5"), source=False, ids=True, ratings=ratings(raters=RATERS[:2]))
        yield Case(f"number {header!r} with raters ({style})", write(rows), judged)
        if number % 3 == 0:
            style, write = way(number + 7)
            rows = add_column(wide({s: s for s in SYSTEMS}), header, NUMBERS[kind], place=number)
            yield Case(f"number {header!r} in wide ({style})", write(rows), expect(SYSTEMS, source=False, ids=True))


def text_cases() -> Iterator[Case]:
    """Each text next to a column per system, and in a table of outputs."""
    for number, (header, kind) in enumerate(list_headers(TEXT_HEADERS)):
        style, write = way(number)
        rows = add_column(wide({s: s for s in SYSTEMS}), header, TEXTS[kind], place=number)
        yield Case(f"text {header!r} in wide ({style})", write(rows), expect(SYSTEMS, source=False, ids=True))
        style, write = way(number + 3)
        if number % 2:
            rows, expected = single(id="id"), expect(ids=True)
        else:
            rows, expected = long(), expect(SYSTEMS, ids=True)
        values = TEXTS[kind]
        if kind in PER_ITEM and not number % 2:
            values = _per_item(values)
        rows = add_column(rows, header, values, place=number)
        yield Case(f"text {header!r} in long ({style})", write(rows), expected)
