"""Each segmenter equals sacreBLEU's tokenizer of the same name, where its packages are installed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

import assay
from assay.errors import MissingExtra
from assay.text import tokenize
from assay.text.tokens import segmenters

CHINESE = "我是学生，你呢？“他”说：3.5公斤 -5 a.b,c &amp; ②→—…\u2000\u2a6d\u2f81\u3000ｆ ab12.,-"
JAPANESE = "今日は天気がいいから、散歩しましょう。東京タワーの高さは333mです。Assay 1.0!カタカナ"
KOREAN = "오늘은 날씨가 좋아서 산책을 했다. 서울의 인구는 약 940만 명이다. Assay 1.0!"
relaxed = settings(deadline=None, max_examples=200)


@relaxed
@given(st.text(st.sampled_from(CHINESE), max_size=40))
def test_zh_as_sacrebleu(text):
    assert tokenize(text, "zh") == TokenizerZh()(text.rstrip()).split()


@relaxed
@given(st.characters(exclude_categories=["Cs"]))
def test_zh_sets_the_same_characters_apart(character):
    assert tokenize(f"a{character}b", "zh") == TokenizerZh()(f"a{character}b").split()


@pytest.mark.parametrize(
    ("name", "module", "letters"),
    [("ja-mecab", "MeCab", JAPANESE), ("ko-mecab", "mecab_ko", KOREAN)],
)
def test_mecab_as_sacrebleu(name, module, letters):
    pytest.importorskip(module, reason=f"{name} needs {module}")
    theirs = BLEU(tokenize=name, effective_order=True)

    @relaxed
    @given(st.text(st.sampled_from(letters), max_size=40))
    def check(text):
        assert tokenize(text, name) == theirs.tokenizer(text.rstrip()).split()

    check()
    output, reference = letters[:-4], letters[2:]
    data = assay.EvalSet.from_texts([output], [[reference]])
    ours = assay.score(data, f"bleu(tokenizer={name})").values.item()
    assert ours == pytest.approx(theirs.sentence_score(output, [reference]).score, abs=1e-9)


def test_pieces_as_sacrebleu(tmp_path, monkeypatch):
    """A small model stands for the one of FLORES, in the folder where sacreBLEU looks."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="flores200 needs sentencepiece")
    from sacrebleu.tokenizers import tokenizer_spm

    lines = ["the cat sat on the mat", "a dog lay on the rug", "cats and dogs sleep"] * 20
    prefix = tmp_path / "models" / "small"
    prefix.parent.mkdir()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(lines), model_prefix=str(prefix), vocab_size=24, minloglevel=2
    )
    prefix.with_suffix(".model").rename(prefix.with_name("flores200sacrebleuspm"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    segmenters._load.cache_clear()
    text = "the cats sat on a dog"
    assert tokenize(text, "flores200") == tokenizer_spm.Flores200Tokenizer()(text).split()
    segmenters._load.cache_clear()


def test_a_model_that_is_not_there_is_named(tmp_path, monkeypatch):
    pytest.importorskip("sentencepiece", reason="flores101 needs sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(MissingExtra, match=r"tokenizer 'flores101' needs the model .*sacrebleu_tokenizer_spm.model"):
        tokenize("a", "flores101")


def test_line_breaks_stay():
    assert segmenters.segment_texts(["我\n你"], "zh")[0].count("\n") == 1
