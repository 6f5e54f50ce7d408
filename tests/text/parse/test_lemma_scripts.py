"""Lemmas by edit scripts."""

from __future__ import annotations

import pytest

from assay.text.parse.lemma_scripts import apply_script


@pytest.mark.parametrize(
    ("script", "form", "lemma"),
    [
        ("lower -1+", "Dogs", "dog"),
        ("same -0+", "I", "I"),
        ("upper -0+", "ibm", "IBM"),
        ("title -1+", "PARIS2", "Paris"),
        ("lower =good", "Better", "good"),
        ("exact =iPod", "ipods", "iPod"),
        ("lower -3+", "as", "as"),  # more than there is
        ("lower -3+y", "as", "y"),
    ],
)
def test_scripts(script, form, lemma):
    assert apply_script(script, form) == lemma
