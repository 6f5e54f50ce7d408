"""Texts: tokens are made once, and broken characters refused."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from assay.errors import InputError
from assay.text import Lexicon, Reading, Texts, tokenize

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)

tricky = st.text(st.sampled_from("aB3.,-'\" \n\t&<>$_:;%/()[]éßİK\u00a0\u3000東ア한ส\u0301👍🏽🇩🇪\u200d"), max_size=40)

mteval = st.text(st.sampled_from("ab12.,- \n&quot;<skipped>'$\u00a0é"), max_size=40)

texts = st.one_of(anything, tricky, mteval)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(InputError, match="lone surrogate"):
        tokenize("a \ud800")


def test_tokens_are_made_once():
    texts = Texts(["a b"], Lexicon())
    assert texts.tokens(Reading("rouge")) is texts.tokens(Reading("rouge"))
