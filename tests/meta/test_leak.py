"""Outputs among their own references."""

from __future__ import annotations

import pytest
from made import noisy, people, scores

from assay.errors import InputError
from assay.meta import leak_effect, leaks

TEXT = " ".join(f"word{k}" for k in range(40))


def rows(*given):
    return [(f"i{k}", system, output, references) for k, (system, output, references) in enumerate(given)]


def test_same_text_after_folding():
    found = leaks(rows(("A", "The  Cat\nsat.", ["a dog", "the cat sat."]), ("B", "the cat", ["the cat sat."])))
    assert [(leak.system, leak.reference, leak.overlap) for leak in found.found] == [("A", 1, 1.0)]
    assert found.systems == ("A",)
    assert (found.n, found.value) == (2, 0.5)


def test_nearly_the_same():
    near, far = TEXT.replace("word3 ", "other "), TEXT.replace("word", "other", 6)
    found = leaks(rows(("A", near, [TEXT]), ("B", far, [TEXT])))
    assert [leak.system for leak in found.found] == ["A"]
    assert found.found[0].overlap == pytest.approx(39 / 40)


def test_empty_outputs_and_missing_references_never_match():
    assert not leaks(rows(("A", "", [""]), ("A", "x", []))).found
    with pytest.raises(InputError, match="near must be"):
        leaks([], near=2)


def test_a_chance_meeting_is_no_leak():
    found = leaks(rows(("A", "Yes.", ["yes."]), ("A", "a b c", ["d"]), ("A", "e f", ["g"])))
    assert len(found.found) == 1
    assert found.systems == ()
    assert "short texts meet by chance" in found.sentence()


def test_what_it_does_to_the_correlation():
    human = people(6, 10)
    honest = noisy(human, 2.0, name="rouge2")
    kept = scores(honest.values.copy(), "rouge2")
    kept.values[5] += 10 * human.values[5]
    found = leak_effect(leaks(rows(*[("s5", "a b", ["a b"])] * 10)), kept, honest, human)
    assert found.kept.value != found.skipped.value
    assert found.left_out.n == 5
    assert "Scored against themselves" in found.sentence()
    assert "No output" in leaks([]).sentence()
