"""Views of compound splitting: the headline quotes the table."""

from __future__ import annotations

from assay.systems.compounds.build import BuiltLexicon
from assay.systems.compounds.evaluate import GuesserEvaluation, GuesserSetting, SettingCorrelation
from assay.views import draw_text


def test_the_guesser_is_shown_with_its_settings_and_correlations():
    settings = (GuesserSetting(2, 8, 5, 3, 0.5), GuesserSetting(3, 8, 5, 3, 0.4))
    correlations = (SettingCorrelation("parts", -0.21), SettingCorrelation("word", float("nan")))
    result = GuesserEvaluation("Dutch", 10, 9, 30, 0.7, 0.5, 0.9, 0.31, settings, correlations, 100, 0)
    text = draw_text(result.view())
    assert "70.0% of 10 compounds" in text
    assert "50.0%" in text
    assert "−0.21" in text or "-0.21" in text
    assert "9 lemmas removed" in text


def test_a_built_lexicon_says_where_it_is():
    text = draw_text(BuiltLexicon("Estonian", "/c/et.lex", 1200, 34_000, ("simplemma",)).view())
    assert "1,200 entries from simplemma" in text
    assert "/c/et.lex" in text
