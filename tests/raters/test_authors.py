"""The bottom share of editors (Toutanova et al. 2016, 3.1)."""

from __future__ import annotations

import pytest
from judges_made import ratings

from assay.errors import InputError
from assay.raters import combine_dimensions, drop_authors

ROWS = {"ann": [1, 3, 3, 2, 3], "bob": [1, 2, 3, 2, 3]}


def test_an_author_is_the_mean_of_their_outputs():
    """A wrote 1 and 2.5, B 3 and 2, C 3."""
    made = ratings(ROWS, systems="AABBC", items="12123", texts=tuple("vwxyz"))
    result = drop_authors(made, worst=1)
    assert (result.authors, result.qualities, result.remaining) == (("A",), (1.75,), 2)
    assert (result.outputs_before, result.outputs_after) == (5, 3)
    assert result.mean_before == pytest.approx(11.5 / 5)
    assert result.mean_after == pytest.approx(8 / 3)
    assert (result.ratings.systems, result.ratings.texts) == (("B", "B", "C"), ("x", "y", "z"))
    assert result.view().headline.startswith("Without the worst 1 of 3 authors, mean meaning rises from 2.300")


def test_share():
    with pytest.raises(InputError, match=r"a share of 0\.1 of 3 authors is less than one"):
        drop_authors(ratings(ROWS, systems="AABBC", items="12123"), share=0.1)


def test_msr(shared):
    """305 editors, of whom some wrote twice for a source (62#2): one editor is never counted as two."""
    both = combine_dimensions(shared("msr-compression/RawData/valid.tsv"))
    result = drop_authors(both, share=0.1, author=lambda name: name.partition("#")[0])
    assert len(result.authors) + result.remaining == 305
    assert len(result.authors) == 30
    assert result.mean_after > result.mean_before
