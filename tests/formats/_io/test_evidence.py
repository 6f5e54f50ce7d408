"""What makes a number a rating: names, values, raters; and numbers that are none, which no command may use."""

from __future__ import annotations

import csv
import json

import pytest

import assay
from assay.formats._io.evidence import (
    are_point_lists,
    drop_container,
    find_system_text,
    group_raters,
    is_about,
    is_on_scale,
    is_rating,
    look_like_ratings,
    names_rating,
)


def split_names(text: str) -> list[str]:
    return text.split()


# Headers of numbers in tables that people have: no one rated any of them.
METADATA = split_names(
    "latency latency_ms latencyMs response_time responseTime response_time_s time_taken WorkTimeInSeconds work_time "
    "duration_sec elapsed gen_time generation_time_ms inference_time inferenceSeconds total_time timestamp "
    "created_at_ts unix_time start_time cost cost_usd costUSD total_cost price price_eur input_cost token_cost tokens "
    "n_tokens num_tokens token_count prompt_tokens completion_tokens total_tokens input_tokens output_tokens "
    "usage.total_tokens max_tokens word_count n_words words char_count num_chars length len_output output_length "
    "ref_len src_len sentence_count n_sentences line line_no row_number page index idx position rank_position offset "
    "start_char end_char prompt_id promptId doc_num seg_no run_id user_id batch_size epoch step seed temperature "
    "top_p top_k beam_size version year month day date_num age n num_ratings rating_count n_annotators rating_std "
    "fluency_std score_std ci_low ci_high variance loss logprob avg_logprob prob probability confidence perplexity "
    "ppl entropy cosine cosine_sim distance compression_ratio compression_rate error_rate pass_rate hit_rate "
    "percent_kept speed wpm retries attempts bytes size_kb memory_mb gpu_mem clicks http_status difficulty_level_id "
    "level0 quantile xcomet comet22 bertscore_f1 metricx sari bartscore gpt4_tokens stars_count price_rating_id lat "
    "lon zip elo_step cluster votes grade_level "
)
RATINGS = split_names(
    "fluency Fluency FLUENCY fluency_score fluencyRating fluency_rating rating ratings score Score human_score "
    "humanRating overall overall_quality OverallQuality quality adequacy meaning grammar grammaticality coherence "
    "consistency relevance informativeness faithfulness factuality readability naturalness simplicity clarity "
    "conciseness helpfulness harmlessness correctness completeness responsiveness linguistic_quality likert "
    "likert_score grade mark stars judgment expert_fluency crowd_coherence mean_rating avg_score fluency_mean z_score "
    "raw_score da_score mqm preference "
)
RATED = ["3", "4", "2", "5", "3", "1", "4", "2"]


def read_table(tmp_path, **columns):
    rows = [{"id": i, "output": f"the cat sat {i}", "reference": "the cat sat down"} for i in range(len(RATED))]
    for name, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    with (tmp_path / "table.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return assay.read(tmp_path / "table.csv")


@pytest.mark.parametrize("name", METADATA)
def test_numbers_that_nobody_rated_are_not_judgments(name, tmp_path):
    """Even with values that could be ratings."""
    assert not names_rating(name)
    assert read_table(tmp_path, **{name: RATED}).dimensions == ()


@pytest.mark.parametrize("name", RATINGS)
def test_listed_names_with_values_of_ratings_are_judgments(name, tmp_path):
    assert names_rating(name)
    assert len(read_table(tmp_path, **{name: RATED}).dimensions) == 1


def test_a_listed_name_with_other_values_is_not_a_judgment(tmp_path):
    assert read_table(tmp_path, rating=[str(1731900000 + i) for i in range(8)]).dimensions == ()
    assert read_table(tmp_path, score=[str(i) for i in range(8)]).dimensions == ()


def test_a_rater_makes_values_on_a_scale_a_judgment(tmp_path):
    raters = ["ann", "bob"] * 4
    assert read_table(tmp_path, rater=raters, tempo=RATED).dimensions == ("tempo",)
    assert read_table(tmp_path, tempo=RATED).dimensions == ()
    spread = ["1.07", "22.4", "3.91", "48.0", "5.5", "61.3", "7.7", "8.15"]
    assert read_table(tmp_path, rater=raters, tempo=spread).dimensions == ()
    assert read_table(tmp_path, rater=raters, WorkTimeInSeconds=RATED).dimensions == ()


@pytest.mark.parametrize("name", ["rank", "depth", "ranking"])
def test_a_place_in_an_order_is_an_opinion_where_a_rater_gave_it(name, tmp_path):
    assert read_table(tmp_path, **{name: RATED}).dimensions == ()
    assert read_table(tmp_path, rater=["ann", "bob"] * 4, **{name: RATED}).dimensions == (name,)


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ([[1, 5], [3]], True),
        ([[1, None], [4]], True),
        ([[0.5, 1.5]], False),
        ([[812.0, 3.0]], False),
        ([[3], [3]], False),
    ],
)
def test_lists_of_points(lists, expected):
    assert are_point_lists(lists) is expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("ratings.anna.fluency", "anna.fluency"),
        ("human.ratings.anna.fluency", "anna.fluency"),
        ("ratings.fluency", "ratings.fluency"),
        ("meta.ratings.fluency", "meta.ratings.fluency"),
        ("fluency", "fluency"),
    ],
)
def test_keys_that_only_say_that_ratings_follow(header, expected):
    assert drop_container(header) == expected


@pytest.mark.parametrize(
    ("header", "pair"),
    [
        ("rater_anna_fluency", ("fluency", "anna")),
        ("ratings.anna.fluency", ("fluency", "anna")),
        ("fluency_rater_2", ("fluency", "rater2")),
    ],
)
def test_raters_in_headers(header, pair):
    assert group_raters([header, header.replace("anna", "ben").replace("2", "3")])[header] == pair


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"model": "bart", "summary": "a b"}, ("bart", "a b")),
        ({"name": "t5", "output": "c"}, ("t5", "c")),
        ({"system": 3, "text": "c"}, ("3", "c")),
        ({"text": "c"}, None),
        ({"model": "bart", "score": 3}, None),
        ({"model": "bart", "text": "bart"}, None),
    ],
)
def test_objects_with_a_system_and_a_text(entry, expected):
    assert find_system_text(entry) == expected


def test_the_user_decides(tmp_path):
    read_table(tmp_path, latency_ms=RATED)
    data = assay.read(tmp_path / "table.csv", columns={"score": "latency_ms"})
    assert data.dimensions == ("latency_ms",)


def test_what_is_not_used_is_named_with_the_option_that_uses_it(tmp_path, capsys):
    from assay.cli.main import main

    read_table(tmp_path, tempo=RATED, cost_usd=RATED)
    assert main(["score", str(tmp_path / "table.csv"), "-m", "rouge1"]) == 0
    assert (
        "not used: tempo, cost_usd (if a number among these is a rating: --columns score=tempo)"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 3, 4, 5], True),
        ([0, 1], True),
        ([1, 1.5, 3], True),
        ([1, 3, 5], True),
        ([-3, 0, 3], True),
        (list(range(11)), True),
        (list(range(12)), False),
        ([0, 100], True),
        ([1, 100, 2], False),
        ([3, 3, 3], False),
        ([0.1, 0.25, 0.7], False),
        ([1, float("nan"), 2], False),
        ([], False),
    ],
)
def test_scales(values, expected):
    assert is_on_scale(values) is expected


def test_values_of_ratings():
    assert look_like_ratings([0, 100, 50])
    assert not look_like_ratings([0, 101])
    assert look_like_ratings([1, 2, 3, 4])
    assert not look_like_ratings([1, 2, 3, 4, 5])
    assert is_about("TimeSpent")
    assert not is_rating("time", [1, 2, 3], has_rater=True)


# Headers of texts that are not outputs of a system, with values as tools write them.
OTHER_TEXTS = {
    "email": "ann{}@example.org",
    "hash": "9f86d081884c7d65{}a",
    "uuid": "123e4567-e89b-12d3-a456-42661417400{}",
    "finish_reason": "stop",
    "reviewer": "ann",
    "status": "completed",
    "file": "/data/runs/a{}.json",
    "homepage": "https://example.org/{}",
    "when": "2026-11-0{}T10:00:00",
    "license": "CC BY 4.0",
    "doc_name": "doc_00{}",
    "explanation": "{} " + "The answer is right because it repeats what the reference says, and adds nothing. " * 3,
}


@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_a_text_that_no_system_wrote_is_not_a_system(name, tmp_path):
    """It is not used, by its name; else it is refused, with the line that reads the table right."""
    (tmp_path / "wide.csv").write_text(
        f"id,reference,bart,t5,{name}\n"
        + "".join(f'{i},the cat sat {i},a cat sat {i},the cats {i},"{OTHER_TEXTS[name].format(i)}"\n' for i in range(8))
    )
    if name in ("homepage", "when"):
        with pytest.raises(
            assay.AssayError, match=rf"'{name}' is not like texts of a system; .*--columns output=bart\+t5 "
        ):
            assay.read(tmp_path / "wide.csv")
    else:
        assert assay.read(tmp_path / "wide.csv").systems == ("bart", "t5")
    data = assay.read(tmp_path / "wide.csv", columns={"output": ["bart", "t5"]})
    assert data.systems == ("bart", "t5")


def test_columns_of_systems_that_are_alike_are_read(tmp_path):
    rows = "".join(f"{i},the cat sat {i},a cat sat {i},the cats {i}\n" for i in range(8))
    (tmp_path / "wide.csv").write_text(f"id,reference,bart,t5\n{rows}")
    assert assay.read(tmp_path / "wide.csv").systems == ("bart", "t5")


def test_lists_of_objects_are_ratings_only_under_names_of_ratings(tmp_path):
    """Error spans of COMET have a confidence and a weight; annotations have times beside what was rated."""
    span = {"text": "cat", "severity": "minor", "confidence": 0.4, "weight": 5}
    rated = {"annotator": "Ann", "fluency": 4, "seconds": 12}
    for key, entry, expected in (("error_spans", span, ()), ("annotations", rated, ("fluency",))):
        rows = [{"id": str(i), "prediction": "the cat", "reference": "a cat", key: [entry]} for i in range(3)]
        (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert assay.read(tmp_path / "x.jsonl").dimensions == expected


def test_a_rank_is_a_rating_only_next_to_a_rater():
    assert not is_rating("relevance_rank", [1, 3, 2, 1], has_rater=False)
    assert is_rating("relevance_rank", [1, 3, 2, 1], has_rater=True)
