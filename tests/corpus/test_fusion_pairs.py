"""Pairs from documents and abstracts: what is a fusion, what is not, and folders that are incomplete."""

from __future__ import annotations

import json

import pytest

from assay.corpus import SentenceCounts, align_abstract
from assay.errors import FormatError, InputError
from assay.formats import documents

DOCUMENT = (
    "The storm reached the coast on Sunday evening. Nobody had expected so much rain. It destroyed about forty "
    "fishing boats in the old harbour. The mayor of the town asked the government for help. Schools stay closed."
)


def align(abstract, **options):
    counts = SentenceCounts()
    return list(align_abstract(DOCUMENT, abstract, counts=counts, **options)), counts


def test_a_fusion_of_two_sentences():
    [fusion], seen = align("The storm reached the coast and destroyed forty fishing boats.", name="d")
    assert fusion.first.startswith("The storm")
    assert fusion.second.startswith("It destroyed")
    assert DOCUMENT[fusion.first_place :].startswith(fusion.first)
    assert DOCUMENT[fusion.second_place :].startswith(fusion.second)
    assert fusion.aligned == pytest.approx(fusion.first_share + fusion.second_share)
    assert fusion.aligned >= 0.8
    assert min(fusion.first_share, fusion.second_share) >= 0.2
    assert (seen.abstracts, seen.sentences, seen.from_two) == (1, 1, 1)


@pytest.mark.parametrize(
    ("abstract", "field"),
    [
        ("The storm reached the coast on Sunday.", "from_one"),
        ("Storms reached coasts, the mayor asked, and schools closed with forty boats.", "other"),
        ("Nothing of this is in there at all, my friend.", "other"),
        ("The storm reached the coast on Sunday evening with rain and wild wind.", "other"),
    ],
)
def test_what_is_no_fusion(abstract, field):
    pairs, seen = align(abstract)
    assert pairs == []
    assert getattr(seen, field) == 1


def test_shares_can_be_asked_for():
    text = "The storm reached the coast and destroyed forty fishing boats."
    assert align(text, aligned=0.95)[0] == []
    assert align(text, each=0.5)[0] == []
    with pytest.raises(InputError, match=r"each in \(0, 0.5\]"):
        align(text, each=0.7)


def test_empty_texts():
    assert (
        list(align_abstract("", ""))
        == list(align_abstract(DOCUMENT, ""))
        == list(align_abstract("", "A sentence."))
        == []
    )
    assert list(align_abstract(DOCUMENT, "... !")) == []


def test_documents_of_a_folder_and_a_file(tmp_path):
    (tmp_path / "b.doc").write_text(DOCUMENT, "utf-8")
    (tmp_path / "b.abstract").write_text("A storm.", "utf-8")
    assert [(d.name, d.abstracts) for d in documents(tmp_path)] == [("b", ("A storm.",))]
    file = tmp_path / "set.jsonl"
    lines = [
        {"id": "1", "source": "x", "references": ["r1", "r2"]},
        {"id": "2", "source": "y", "summary": "s"},
        {"id": "3", "source": "z"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert [(d.name, d.abstracts) for d in documents(file)] == [("1", ("r1", "r2")), ("2", ("s",))]
    (tmp_path / "c.doc").write_text("x", "utf-8")
    with pytest.raises(FormatError, match=r"c.abstract is missing"):
        list(documents(tmp_path))
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"holds no NAME.doc"):
        list(documents(tmp_path / "empty"))


def test_each_sentence_must_add_words_of_its_own():
    text = "The storm reached the coast and destroyed forty boats."  # storm, reached, coast; destroyed, forty, boats
    assert len(align(text)[0]) == 1
    pairs, seen = align(text, own=4)
    assert pairs == []
    assert seen.uneven == 1
    assert len(align(text, own=0)[0]) == 1
    with pytest.raises(InputError, match="own must be 0 or more"):
        align(text, own=-1)
