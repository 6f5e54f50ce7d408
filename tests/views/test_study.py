"""Sentences about a study."""

from __future__ import annotations

from assay.study.status import ErasedRater, ExportedStudy, RaterLink, ServedStudy


def test_links_are_printed_with_what_to_do():
    study = ServedStudy(
        "My study", "http://a", "http://a/admin/login/t", "http://a/join/t", None, (RaterLink("ann", "http://a/r/1"),)
    )
    text = str(study)
    assert "My study is served at http://a." in text
    assert "Raters open http://a/join/t" in text
    assert "Admin: http://a/admin/login/t" in text
    assert "ann" in text
    crowd = ServedStudy("My study", "http://a", "http://a/x", None, "PROLIFIC_PID", ())
    assert "http://a/?PROLIFIC_PID=" in str(crowd)


def test_backups_that_hold_somebody_are_named():
    assert "No backup" in str(ErasedRater(1, (), "sqlite", 0.1))
    assert "1 backup still holds them" in str(ErasedRater(1, ("a.db",), "sqlite", 0.1))
    assert "2 backups still hold them" in str(ErasedRater(1, ("a.db", "b.db"), "sqlite", 0.1))


def test_where_an_erased_person_may_still_be_is_said():
    assert "snapshots of the disk" in str(ErasedRater(1, (), "sqlite", 0.1))
    text = " ".join(str(ErasedRater(1, (), "postgresql", 0.1)).split())
    assert "the tables were rewritten in 0.1 s" in text
    assert "write-ahead log, its archives, replicas" in text


def test_an_export_of_texts_leads_to_edits():
    assert "Next: assay edits x.jsonl" in str(ExportedStudy("x.jsonl", 3, 2, 0, 0, (), ()))


def test_an_export_of_content_units_says_whose_they_are_and_what_comes_next():
    both = ExportedStudy("x.jsonl", 3, 2, 0, 0, (), (), content_units=22, annotators=("ann",), others=("bob",))
    text = " ".join(str(both).split())
    assert "Wrote x.jsonl: 22 content units in 3 topics by ann." in text
    assert "bob made pyramids too: --annotator bob." in text
    assert "Next: assay study new x.jsonl --protocol pyramid" in text
    marks = ExportedStudy("x.jsonl", 3, 2, 9, 0, (), (), content_units=22, peers=6, annotators=("ann", "bob"))
    assert "marks of 22 content units in 6 peers by ann and bob. Next: assay pyramid score x.jsonl" in " ".join(
        str(marks).split()
    )
