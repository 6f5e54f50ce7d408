"""Perplexity by hand, and on shuffled words."""

from __future__ import annotations

import pytest

import assay


def one(name: str, text: str) -> float:
    return assay.score(assay.EvalSet.from_texts([text]), name).values.item()


def test_perplexity_by_hand(tmp_path):
    """A model in ARPA's format with p(a) = 1/2, p(</s>) = 1/4, p(<unk>) = 1/4, whatever comes before."""
    (tmp_path / "made.arpa").write_text(
        "\\data\\\nngram 1=4\n\n\\1-grams:\n-0.60206\t<unk>\n-99\t<s>\n-0.60206\t</s>\n-0.30103\ta\n\n\\end\\\n"
    )
    name = f"perplexity(model={tmp_path}/made.arpa"
    assert one(f"{name})", "a a") == pytest.approx((2 * 2 * 4) ** (1 / 3), rel=1e-5)
    assert one(f"{name})", "a b") == pytest.approx((2 * 4 * 4) ** (1 / 3), rel=1e-5)
    assert one(f"{name}, unknown=out)", "a b") == pytest.approx((2 * 4) ** (1 / 2), rel=1e-5)
    assert one(f"{name})", "a\na") == pytest.approx((2 * 4 * 2 * 4) ** (1 / 4), rel=1e-5)
    assert one(f"{name})", "") == pytest.approx(4, rel=1e-5)
    with pytest.raises(assay.AssayError, match="no language model nowhere"):
        one("perplexity(model=nowhere.npz)", "a")


def test_perplexity_tells_order():
    assert one("perplexity", "He said that it was late.") < one("perplexity", "Late was it that said he.")


def test_half_a_character_is_refused():
    with pytest.raises(assay.errors.InputError, match="half a character"):
        assay.score(["a \ud800 b"], ["a"], "perplexity")
