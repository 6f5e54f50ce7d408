"""Outputs among their own references."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made import noisy, people, scores

from assay.errors import InputError
from assay.meta import find_leaks, measure_leak

TEXT = " ".join(f"word{k}" for k in range(40))


def rows(*given):
    return [(f"i{k}", system, output, references) for k, (system, output, references) in enumerate(given)]


def test_same_text_after_folding():
    found = find_leaks(rows(("A", "The  Cat\nsat.", ["a dog", "the cat sat."]), ("B", "the cat", ["the cat sat."])))
    assert [(leak.system, leak.reference, leak.overlap) for leak in found.leaks] == [("A", 1, 1.0)]
    assert found.systems == ("A",)
    assert (found.n, found.value) == (2, 0.5)


def test_nearly_the_same():
    near, far = TEXT.replace("word3 ", "other "), TEXT.replace("word", "other", 6)
    found = find_leaks(rows(("A", near, [TEXT]), ("B", far, [TEXT])))
    assert [leak.system for leak in found.leaks] == ["A"]
    assert found.leaks[0].overlap == pytest.approx(39 / 40)


def test_empty_outputs_and_missing_references_never_match():
    assert not find_leaks(rows(("A", "", [""]), ("A", "x", []))).leaks
    with pytest.raises(InputError, match="near must be"):
        find_leaks([], near=2)


def test_a_chance_meeting_is_no_leak():
    found = find_leaks(rows(("A", "Yes.", ["yes."]), ("A", "a b c", ["d"]), ("A", "e f", ["g"])))
    assert len(found.leaks) == 1
    assert found.systems == ()
    assert "short texts match by chance" in found.view().headline


def test_what_it_does_to_the_correlation():
    human = people(6, 10)
    honest = noisy(human, 2.0, name="rouge2")
    kept = scores(honest.values.copy(), "rouge2")
    kept.values[5] += 10 * human.values[5]
    leaks = find_leaks(rows(*[("s5", "a b", ["a b"])] * 10))
    found = measure_leak(leaks.systems, kept, honest, human)
    assert found.all_references != found.other_references
    assert found.systems_left == 5
    assert "scored against themselves" in str(replace(leaks, effects=(found,)))
    assert "No output" in find_leaks([]).view().headline


def test_the_limits_of_near():
    """With 1 only the same text is found, as no overlap is above it."""
    rows = [("1", "A", "a b c", ["A b  c"]), ("2", "A", "a b c d", ["a b c e"])]
    assert [leak.item for leak in find_leaks(rows, near=1).leaks] == ["1"]
    assert [leak.item for leak in find_leaks(rows, near=0.7).leaks] == ["1", "2"]
    for wrong in (0, 1.01):
        with pytest.raises(InputError, match=f"near must be above 0 and at most 1, got {wrong}"):
            find_leaks(rows, near=wrong)
