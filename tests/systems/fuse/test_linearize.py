"""Linearization: complements at the shared word, coordination, repaired articles, commas, pronouns and names."""

from __future__ import annotations

import numpy as np
import pytest

from assay.systems.fuse import Cluster
from assay.systems.fuse._salience import FEATURES, PAIR_FEATURES, Estimate, Salience
from assay.systems.fuse.joint import list_candidates, read_clusters

# Every word is as likely as any other.
EVEN = Salience(Estimate(0.0, np.zeros(len(FEATURES))), Estimate(0.0, np.zeros(len(PAIR_FEATURES))))


def list_texts(*sentences: str, kind: str | None = None) -> list[str]:
    [parsed] = read_clusters([Cluster(sentences)])
    made = list_candidates(parsed, EVEN, range(len(sentences)))
    return [c.text for c in made if kind is None or c.kind == kind]


def test_complements_are_attached_at_the_shared_verb():
    texts = list_texts(
        "Reigning champion Hamilton won the race on Sunday.",
        "Hamilton won the race in Melbourne ahead of Rosberg.",
        kind="shared",
    )
    assert "Reigning champion Hamilton won the race on Sunday in Melbourne ahead of Rosberg." in texts
    assert all(text.count("won") == 1 for text in texts)


def test_an_apposition_is_attached_at_the_shared_name():
    texts = list_texts(
        "Fabien Le Coq, a photographer based in France, likes trees.",
        "Fabien Le Coq won the prize on Monday.",
        kind="shared",
    )
    assert "Fabien Le Coq, a photographer based in France, won the prize on Monday." in texts


def test_a_title_is_attached_at_the_shared_name():
    texts = list_texts("Actor Tom Hanks spoke on Monday.", "Tom Hanks resigned.", kind="shared")
    assert "Actor Tom Hanks resigned." in texts


def test_other_subjects_and_negated_verbs_share_nothing():
    assert list_texts("Hamilton won the race.", "Rosberg won the race in Oslo.", kind="shared") == []
    assert list_texts("Hamilton won the race.", "Hamilton did not win the race in Oslo.", kind="shared") == []


def test_predicates_of_one_subject_are_coordinated():
    texts = list_texts("The company bought the mill.", "The company sold two ships.", kind="coordinated")
    assert texts == ["The company bought the mill and sold two ships."]


def test_a_pronoun_is_replaced_by_the_name_before_it():
    texts = list_texts("Michael Slager shot a man on Saturday.", "He was fired on Wednesday, police said.", kind="one")
    assert "Michael Slager was fired on Wednesday, police said." in texts
    assert "Michael Slager was fired, police said." in texts  # with the comma of what police said
    two = list_texts("Ann met Bob, and Carl Lee saw Ann.", "He left on Monday.", kind="one")
    assert not any(
        text.startswith(("Carl Lee left", "Carl left", "Ann left", "Bob left")) for text in two
    )  # which of them is not clear


def test_articles_follow_the_next_word():
    assert "A mayor spoke." in list_texts("An angry mayor spoke.", "A bridge fell.")
    assert "An owl spoke." in list_texts("A tired owl spoke.", "A bridge fell.")


@pytest.mark.parametrize(
    ("sentences", "joined"),
    [
        (("Cats sleep all day.", "Lawyers met in Oslo."), False),  # nothing in common
        (("Is the bridge safe?", "The bridge was closed."), False),
        (("The bridge was closed.", "I love the bridge."), False),  # somebody's own words
        (("The bridge was closed.", "The mayor met the owners of the bridge."), True),
    ],
)
def test_what_is_joined(sentences, joined):
    assert bool(list_texts(*sentences, kind="joined")) is joined


def test_a_clause_that_says_the_same_is_not_joined():
    assert list_texts("Hamilton won the race on Sunday.", "On Sunday Hamilton won the race.", kind="joined") == []


def test_no_semicolon_is_added():
    pair = ("The old bridge was closed on Tuesday.", "The bridge, a landmark, will be sold, the mayor said.")
    assert not any(";" in text for text in list_texts(*pair))


def test_a_quotation_keeps_its_marks():
    texts = list_texts("`` The bridge is safe , '' the mayor said on Monday .", "The bridge fell .")
    assert "`` The bridge is safe , '' the mayor said ." in texts


def test_no_cut_after_an_abbreviation():
    """Feb . is taken for the end of a sentence in text with spaces around marks."""
    texts = list_texts("The second part of the novel will appear Feb . 9 , 2018 .", "The novel is long .", kind="one")
    assert not any(text.endswith("Feb .") for text in texts)
    assert "The second part of the novel will appear Feb . 9 , 2018 ." in texts


def test_a_series_keeps_its_and():
    texts = list_texts(
        "The mayor opened the bridge, praised the workers and thanked the city.", "It rained.", kind="one"
    )
    assert "The mayor opened the bridge, praised the men." not in texts


def test_a_dateline_goes_alone():
    texts = list_texts("( CNN ) The mayor opened the old bridge on Sunday .", "It rained .", kind="one")
    assert "The mayor opened the old bridge on Sunday ." in texts


def test_half_a_quotation_loses_its_mark():
    texts = list_texts(
        "The rocket was lost , '' she said .", "`` Ann Lee enriched the planet .", "`` We won , '' he said ."
    )
    assert "The rocket was lost , she said ." in texts
    assert "Ann Lee enriched the planet ." in texts
    assert "`` We won , '' he said ." in texts


def test_a_repaired_article_begins_with_a_capital():
    texts = list_texts("But an Irish fire chief told Reuters that a guard fired .", "It rained .", kind="one")
    assert not any(text.startswith("a ") for text in texts)
