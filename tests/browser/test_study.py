"""Raters with known answers go through every protocol in a real browser; the export is what they answered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from study_browser import SCALES, SYSTEMS, begin, make_set, make_study, serve, texts_of, where, work_through

import assay
from assay.cli.main import main
from assay.data.item import Judgment
from assay.study.settings import RatingScale
from assay.study.text_edits import apply_deltas
from assay.study.text_length import collapse

RATERS = ("ann", "bob")


@pytest.fixture
def run_study(tab_of, tmp_path):
    """run_study(data, protocol, answer, ...) lets every rater answer by answer(tab, rater), and returns the export."""

    def run(data, protocol, answer, **options):
        folder = make_study(tmp_path / "study", data, protocol, invitations=RATERS, **options)
        with serve(folder) as served:
            for rater in RATERS:
                tab, traffic = tab_of(), []
                tab.on("response", lambda response, traffic=traffic: traffic.append(response))
                begin(tab, served.link(rater))
                work_through(tab, lambda tab, rater=rater: answer(tab, rater))
                assert tab.evaluate("window.ran") is None  # texts are texts, whatever they hold
                check_blind(traffic)
        out = tmp_path / "judged.jsonl"
        assert main(["study", "export", str(folder.path), "--out", str(out)]) == 0
        return assay.read(out, allow_missing=True), out

    return run


def check_blind(traffic) -> None:
    """No name of a system and no id of an item is in anything that the server sent, or in an address."""
    seen = [part for one in traffic for part in (one.url, str(one.headers), "" if one.status == 303 else one.text())]
    assert len(seen) > 30
    for name in (*SYSTEMS, "item 0/x", "item%200", "item 1/x"):
        assert not any(name in part for part in seen)


def judgments_of(data) -> dict:
    return {(i.id, j.system, j.rater, j.dimension): j.score for i in data for j in i.judgments}


def points(text: str, rater: str, dimension: str) -> int:
    """Return the answer of a rater: bob says otherwise about one text in three."""
    score = 1 + (len(text) + len(dimension)) % 3
    return 1 + score % 3 if rater == "bob" and len(text) % 3 == 0 else score


def rate_by_keys(tab, rater, dimensions=("meaning", "grammar")):
    if tab.locator("#reveal").count():
        tab.keyboard.press("Space")
    tab.wait_for_selector("#output")
    (text,) = texts_of(tab, "#output")
    for dimension in dimensions:
        tab.keyboard.press(str(points(text, rater, dimension)))


def test_ratings_by_key_are_what_the_export_holds_and_agree_finds_the_agreement(run_study, capsys):
    data = make_set(4)
    judged, out = run_study(data, "rate(reveal=true)", rate_by_keys, dimensions=SCALES)
    expected = {
        (item.id, system, rater, scale.name): float(points(text, rater, scale.name))
        for item in data
        for system, text in item.outputs.items()
        for rater in RATERS
        for scale in SCALES
    }
    assert judgments_of(judged) == expected
    rows = [row for item in judged for row in item.extra["judgments"]]
    assert all(row["shown"] <= row["revealed"] <= row["answered"] for row in rows)
    assert all(0 < row["active_seconds"] < 30 for row in rows)
    capsys.readouterr()
    assert main(["agree", str(out), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    alphas = {one["dimension"]: one["alpha"] for one in records if one["kind"] == "agreement"}
    for scale in SCALES:
        truth = [replace(item, judgments=judgments_for(item, scale.name, expected)) for item in data]
        assert alphas[scale.name] == pytest.approx(assay.agreement(assay.EvalSet(truth), scale.name).alpha.value)
        assert alphas[scale.name] < 0.9  # bob differs


def onward_key(text):
    return "ArrowLeft" if "\u0600" < text[0] < "\u06ff" else "ArrowRight"


def judgments_for(item, dimension, expected):
    return tuple(
        Judgment(system, rater, dimension, score)
        for (name, system, rater, which), score in expected.items()
        if name == item.id and which == dimension
    )


def test_sliders_start_unset_and_take_numbers(run_study):
    scales = [RatingScale(name="adequacy", low=0, high=100, slider=True), RatingScale(name="fluency", high=3)]

    def answer(tab, rater):
        (text,) = texts_of(tab, "#output")
        slider = tab.get_by_role("slider")
        assert slider.get_attribute("aria-valuetext") == "not set"
        tab.keyboard.press("Enter")
        assert "adequacy, fluency" in tab.locator("#reason").inner_text()
        if rater == "ann":
            tab.keyboard.type(str(len(text)))  # digits go to the field of the first scale
            tab.keyboard.press("Enter")  # and Enter to the next
            assert tab.locator(".scale.active legend").inner_text().lower() == "fluency"
        else:  # a click in the middle is an answer, too
            slider.click()
            assert slider.get_attribute("aria-valuetext") == "50"
        tab.locator("fieldset").nth(1).get_by_role("radio").nth(1).check()
        tab.locator("h1").focus()
        tab.keyboard.press("Enter")

    data = make_set(1)
    judged, _ = run_study(data, "rate", answer, dimensions=scales)
    scores = judgments_of(judged)
    for system, text in data["item 0/x"].outputs.items():
        assert scores["item 0/x", system, "ann", "adequacy"] == len(text)
        assert scores["item 0/x", system, "bob", "adequacy"] == 50
        assert scores["item 0/x", system, "bob", "fluency"] == 2


def test_ranks_by_key_and_by_dragging(run_study):
    def rank(text, rater):
        return len(text) % 2 + 1 + (rater == "bob")

    def answer(tab, rater):
        if rater == "ann":
            for _ in SYSTEMS:  # the next card that is not ranked is marked by itself
                tab.keyboard.press(str(rank(tab.locator(".card:focus .text").text_content(), rater)))
        else:
            groups = set()
            for text in texts_of(tab, ".card"):
                drag_into_group(tab, text, rank(text, rater), groups)
        assert tab.locator(".rank-status").inner_text().endswith("0 not ranked yet")
        tab.keyboard.press("Enter")

    data = make_set(3)
    judged, out = run_study(data, "rank", answer)
    for item in data:
        for rater in RATERS:
            groups = {system: rank(text, rater) for system, text in item.outputs.items()}
            order = sorted(set(groups.values()))
            for system, group in groups.items():
                assert judgments_of(judged)[item.id, system, rater, "rank"] == order.index(group) + 1
    assert main(["agree", str(out)]) == 0


def drag_into_group(tab, text, group, groups):
    """Drag a card to a group that is there, else between those that are."""
    card = tab.locator(".zone.waiting .card").filter(has=tab.get_by_text(text, exact=True))
    if group in groups:
        card.drag_to(tab.locator(".ranked .zone").nth(sorted(groups).index(group)))
    else:
        card.drag_to(tab.locator(".ranked .gap").nth(sum(other < group for other in groups)))
    groups.add(group)


def test_pairs_are_compared_by_one_key(run_study):
    def answer(tab, rater):
        left, right = (len(text) for text in texts_of(tab, ".pair"))
        key = "1" if left > right else "2"
        tab.keyboard.press("0" if rater == "bob" and (left + right) % 3 == 0 else key)

    data = make_set(2)
    judged, out = run_study(data, "compare", answer)
    pairs = {}
    for item in judged:
        for row in item.extra["judgments"]:
            pairs.setdefault((item.id, row["rater"], frozenset(row["order"])), {})[row["system"]] = row["score"]
    assert len(pairs) == 2 * 2 * 3
    for (name, rater, _), scores in pairs.items():
        lengths = {system: len(data[name].outputs[system]) for system in scores}
        if rater == "bob" and sum(lengths.values()) % 3 == 0:
            assert set(scores.values()) == {1}
        else:
            assert scores == {s: 1 if n == max(lengths.values()) else 2 for s, n in lengths.items()}
    assert main(["agree", str(out)]) == 0


def test_absolute_shows_the_reference_once_and_the_text_after_it(run_study):
    def answer(tab, rater):
        if where(tab)[1] == "1":
            assert not tab.locator("#output").count()
            tab.keyboard.press("Space")
        else:
            assert not tab.locator(".reference").count()
            assert tab.locator("#undo").is_disabled()
            rate_by_keys(tab, rater, ["score"])

    data = make_set(2)
    judged, out = run_study(data, "absolute", answer)
    for (name, system, rater, _), score in judgments_of(judged).items():
        assert score == points(data[name].outputs[system], rater, "score")
    assert len(judgments_of(judged)) == 2 * 3 * 2
    assert main(["agree", str(out)]) == 0


@pytest.mark.parametrize("mode", ["rewrite", "delete"])
def test_texts_are_shortened_and_every_edit_is_kept(run_study, mode, capsys):
    def shorten(source):
        return " ".join(source.split()[::2])

    def answer(tab, rater):
        (source,) = texts_of(tab, ".source")
        tab.keyboard.press("Control+Enter")  # too long: nothing happens but the reason
        assert tab.locator(".reason.insist").count()
        if mode == "rewrite":
            tab.locator("#editor").fill(shorten(source) + " x")
            tab.locator("#editor").press("Control+End")
            tab.keyboard.press("Backspace")
            tab.keyboard.press("Backspace")
        else:
            for place in range(1, len(source.split()), 2):
                if rater == "ann":
                    tab.locator(".word").nth(place).click()
                else:
                    tab.keyboard.press(onward_key(source))
                    tab.keyboard.press("x")  # deletes the word and goes on to the next
        assert tab.locator("#length").inner_text().endswith("✓")
        tab.keyboard.press("Control+Enter")

    data = make_set(3)
    protocol = f"shorten(mode={mode}, at_most=0.9)"
    judged, out = run_study(data, protocol, answer)
    for item in judged:
        source = data[item.id].sources[0]
        assert item.outputs == dict.fromkeys(RATERS, collapse(shorten(source)))
        for rater in RATERS:
            history = item.extra["edit_history"][rater]
            assert collapse(apply_deltas(history["start"], history["deltas"])) == item.outputs[rater]
            assert len(history["deltas"]) >= 3
    assert main(["edits", str(out)]) == 0


def test_content_units_are_cut_from_the_source(run_study):
    def cut(tab, rater):
        (source,) = texts_of(tab, ".source")
        for word in source.split()[:3]:
            tab.keyboard.type(f"{word} {rater}")
            tab.keyboard.press("Enter")
        tab.keyboard.press("Control+Enter")

    data = make_set(2)
    judged, _ = run_study(data, "cut", cut)
    for item in judged:
        words = [collapse(w) for w in item.sources[0].split()[:3]]
        assert item.extra["cuts"] == {rater: [f"{w} {rater}" for w in words] for rater in RATERS}


@pytest.mark.parametrize("together", [False, True])
def test_units_are_marked_text_by_text_or_side_by_side(run_study, together):
    units = ["the first word", "the last word", "a word between"]

    def holds(text, unit, rater):
        return (len(text) + len(unit) + (rater == "bob" and unit == units[0])) % 2 == 0

    def answer(tab, rater):
        for text in texts_of(tab, ".held-text"):
            for unit in units:
                tab.keyboard.press("y" if holds(text, unit, rater) else "n")
        tab.keyboard.press("Enter")

    data = make_set(2, units=units)
    judged, out = run_study(data, f"factoids(together={str(together).lower()})", answer)
    rows = [(item, row) for item in judged for row in item.extra["judgments"]]
    assert len(rows) == 2 * 3 * 2
    for item, row in rows:
        text = item.outputs[row["system"]]
        assert row["units"] == [holds(text, unit, row["rater"]) for unit in units]
        assert row["score"] == pytest.approx(sum(row["units"]) / 3)
    assert main(["agree", str(out)]) == 0


def test_errors_are_marked_by_keyboard_and_by_pointer(run_study):
    def answer(tab, rater):
        text = tab.locator("#marked").text_content()
        words = text.split()
        if len(text) % 2:
            tab.keyboard.press("0")  # no error
        elif rater == "ann":
            onward = onward_key(text)
            for key in (onward, onward, f"Shift+{onward}", "Enter"):
                tab.keyboard.press(key)
            tab.keyboard.press("2")
            tab.keyboard.press("3")
        else:
            select_words(tab, text, words[1], words[2])
            tab.get_by_role("button", name="Fluency").click()
            tab.get_by_role("button", name="Critical").click()
        tab.locator("h1").focus()
        tab.keyboard.press("Enter")

    data = make_set(3)
    judged, out = run_study(data, "spans", answer)
    marked = 0
    for item in judged:
        for row in item.extra["judgments"]:
            text = item.outputs[row["system"]]
            if row["spans"]:
                (span,) = row["spans"]
                assert text[span["start"] : span["end"]] == " ".join(text.split()[1:3])
                assert (span["category"], span["severity"], row["score"]) == ("fluency", "critical", -25)
                marked += 1
            else:
                assert row["score"] == 0
    expected = sum(len(text) % 2 == 0 for item in data for text in item.outputs.values()) * 2
    assert marked == expected > 0
    assert main(["agree", str(out)]) == 0


def test_a_models_errors_are_corrected_and_the_text_is_scored(run_study):
    """The keyboard alone: ann removes the mark of a model, bob adds one of his own; both type a score."""

    def answer(tab, rater):
        words = tab.locator("#marked").text_content().split()
        assert tab.locator(".span-list li").count() == 1
        if rater == "ann":
            tab.locator(".span-list button").focus()
        else:
            for key in (onward_key(" ".join(words)), "Enter", "1"):
                tab.keyboard.press(key)
            assert tab.locator(".span-list li").count() == 2
            tab.locator(".span-list button").last.focus()
        tab.keyboard.press("Enter")
        tab.keyboard.type(str(10 + len(words)))
        tab.keyboard.press("Enter")

    data = make_set(2)
    given = {name: [{"start": 0, "end": 2, "severity": "major"}] for name in SYSTEMS}
    data = assay.EvalSet([replace(item, extra={**item.extra, "error_spans": given}) for item in data])
    judged, _ = run_study(data, "esa(prefill=true)", answer)
    for item in judged:
        for row in item.extra["judgments"]:
            assert row["score"] == 10 + len(item.outputs[row["system"]].split())
            assert len(row["spans"]) == (0 if row["rater"] == "ann" else 1)


def select_words(tab, text, first, last):
    """Select from the beginning of a word to the end of another, as a pointer does, and let go."""
    tab.evaluate(
        """([from, to]) => {
          const node = document.getElementById('marked').firstChild;
          const range = document.createRange();
          range.setStart(node, node.data.indexOf(from));
          range.setEnd(node, node.data.indexOf(to) + to.length);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          document.getElementById('marked').dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
        }""",
        [first, last],
    )
