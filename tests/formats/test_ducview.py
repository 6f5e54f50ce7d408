"""DucView's files: what is read, what is written back, and each trap seen in real ones."""

from __future__ import annotations

import html
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import assay
from assay.data.content_units import (
    ContentUnit,
    Contributor,
    PeerAnnotation,
    PeerUnit,
    Pyramid,
    TextSpan,
    add_pyramid,
    read_pyramid,
)
from assay.errors import FormatError

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics

# Written for these tests with the traps of real files: an index on the first line, a header that begins with a blank,
# a part that crosses a line break (its label does not), parts out of order, quotes, comments, an empty peerscu.
PYRAMID = """<pyramid>
<startDocumentRegEx><![CDATA[[-]*\\n D[0-9]*-[A-Z]\\.M\\.100\\.[A-Z]\\.[A-Z]\\n[-]*\\n]]></startDocumentRegEx>
 <text>
  <line>#4</line>
  <line></line>
  <line>-----</line>
  <line> D07-A.M.100.B.B</line>
  <line>-----</line>
  <line></line>
  <line>The dam broke after a &quot;calm&quot; night.</line>
  <line>His warning came late.</line>
  <line></line>
  <line>-----</line>
  <line> D07-A.M.100.B.D</line>
  <line>-----</line>
  <line>At dawn the dam gave way.</line>
 </text>
 <scu uid="3" label="the dam broke (1.1)">
  <contributor label="The dam broke">
   <part label="The dam broke" start="34" end="47"/>
  </contributor>
  <contributor label="At dawn...the dam gave way" comment="early">
   <part label="the dam gave way" start="131" end="147"/>
   <part label="At dawn" start="123" end="130"/>
  </contributor>
 </scu>
 <scu uid="8" label="a calm night" comment="weak">
  <contributor label="&quot;calm&quot; night.His warning">
   <part label="&quot;calm&quot; night.His warning" start="56" end="81"/>
  </contributor>
 </scu>
</pyramid>"""
PEER = """<annotation>
 <text>
  <line>The dam broke.</line>
  <line>Nobody slept.</line>
 </text>
 <peerscu uid="3" label="(2) the dam broke (1.1)">
  <contributor label="The dam broke">
   <part label="The dam broke" start="0" end="13"/>
  </contributor>
 </peerscu>
 <peerscu uid="8" label="(1) a calm night" comment="no">
 </peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Nobody slept">
   <part label="Nobody slept" start="15" end="27"/>
  </contributor>
 </peerscu>
</annotation>"""
PAN = f'<?xml version="1.0"?>\n<peerAnnotation>\n{PYRAMID}\n{PEER}\n</peerAnnotation>\n'
PYR = f'<?xml version="1.0"?>\n{PYRAMID}\n'


def write_file(folder, name, content):
    path = folder / name
    path.write_text(content, "utf-8")
    return path


def read_one(folder, content, name="D07-A.M.100.B.14.pan"):
    return assay.read(write_file(folder, name, content))


def test_a_peer_file_is_read_with_its_pyramid(tmp_path):
    data = read_one(tmp_path, PAN)
    assert data.items == ("D07-A",)
    assert data.systems == ("14",)
    item = data["D07-A"]
    assert [reference.id for reference in item.references] == ["B", "D"]
    assert item.references[0].text == 'The dam broke after a "calm" night.\nHis warning came late.'
    pyramid = read_pyramid(item)
    first, second = pyramid.units
    assert (first.id, first.aspects, first.weight()) == ("3", ("1.1",), 2)
    assert [c.comment for c in first.contributors] == ["", "early"]
    text = item.references[1].text
    assert [text[s:e] for s, e in first.contributors[1].spans] == ["the dam gave way", "At dawn"]
    start, end = second.contributors[0].spans[0]
    assert item.references[0].text[start:end] == '"calm" night.\nHis warning'
    assert second.comment == "weak"
    [peer] = pyramid.peers
    assert (peer.unit_ids, peer.other_units, peer.exhaustive) == (("3",), 1, True)


def strip_layout(text):
    return [html.unescape(line.strip()) for line in text.splitlines() if line.strip()]


def test_writing_back_keeps_every_unit_span_label_and_comment(tmp_path):
    data = read_one(tmp_path, PAN)
    written = tmp_path / "D07-A.14.pan"
    assay.write(data, written)
    lines = strip_layout(written.read_text("utf-8"))
    for line in strip_layout(PAN):
        assert line in lines, line
    assert assay.read(written) == data
    folder = tmp_path / "topics"
    assay.write(data, folder, format="ducview")
    assert sorted(path.name for path in folder.iterdir()) == ["D07-A.14.pan", "D07-A.pyr"]
    assert assay.read(folder) == data


def in_order(peer, pyramid):
    """The marks of a peer as DucView lists them: by the pyramid, those outside it last."""
    order = [unit.id for unit in pyramid.units] + [None]
    return tuple(sorted(peer.units, key=lambda marks: order.index(marks.unit)))


def test_a_set_without_headers_gets_them(tmp_path):
    data = read_topics()
    folder = tmp_path / "topics"
    assay.write(data, folder, format="ducview")
    again = assay.read(folder)
    for item in data:
        before, after = read_pyramid(item), read_pyramid(again[item.id])
        assert after.models == dict(before.models)
        assert after.units == before.units  # aspects survive in comments
        assert after.peers == tuple(replace(peer, units=in_order(peer, before)) for peer in before.peers)
    before, after = (assay.score(each, "pyramid") for each in (data, again))
    assert {s: before.row(s).sum() for s in data.systems} == {s: after.row(s).sum() for s in data.systems}


def test_spans_that_drifted_are_put_where_their_words_are(tmp_path):
    drifted = PAN.replace('start="34" end="47"', 'start="32" end="45"').replace(
        '<part label="Nobody slept" start="15" end="27"/>', '<part label="Nobody  slept" start="14" end="26"/>'
    )
    pyramid = read_pyramid(read_one(tmp_path, drifted)["D07-A"])
    assert pyramid.units[0].contributors[0].spans == ((0, 13),)
    assert pyramid.peers[0].units[-1].contributors[0].spans == ((15, 27),)


def test_units_that_are_numbered_anew_are_found_by_label(tmp_path):
    anew = PAN.replace('<peerscu uid="3"', '<peerscu uid="103"')
    assert read_pyramid(read_one(tmp_path, anew)["D07-A"]).peers[0].unit_ids == ("3",)


def test_two_documents_in_one_file(tmp_path):
    both = f'{PYR}<?xml version="1.0"?>\n<peerAnnotation>\n{PEER}\n</peerAnnotation>\n'
    assert read_pyramid(read_one(tmp_path, both)["D07-A"]).peers[0].unit_ids == ("3",)


def test_without_an_expression_names_between_dashes_are_headers(tmp_path):
    start, end = PYR.index("<startDocument"), PYR.index(" <text>")
    item = read_one(tmp_path, PYR[:start] + PYR[end:], "D07-A.pyr")["D07-A"]
    assert [reference.id for reference in item.references] == ["B", "D"]


BILLION = '<?xml version="1.0"?><!DOCTYPE pyramid [<!ENTITY a "ha">]><pyramid><text><line>&a;</line></text></pyramid>'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s[: len(s) // 2], "is not whole XML"),
        (lambda s: BILLION, "declares the entity 'a'"),
        (lambda s: s.replace("<peerAnnotation>", '<!DOCTYPE x SYSTEM "http://x/y.dtd"><peerAnnotation>'), "outside"),
        (
            lambda s: s.replace('"The dam broke" start="34" end="47"', '"A flood" start="34" end="4800"'),
            "nor elsewhere",
        ),
        (
            lambda s: s.replace('"At dawn" start="123" end="130"', '"The dam" start="34" end="41"'),
            "spans models B and D",
        ),
        (lambda s: s.replace('uid="8"', 'uid="3"', 1), "unit '3' comes twice"),
        (lambda s: s.replace('label="(2) the', 'label="(5) the'), "has weight 5, but there are 2 models"),
        (lambda s: s.replace('label="(2) the dam broke (1.1)"', 'label="(2) a flood"'), "is it another topic's"),
        (lambda s: s.replace("D[0-9]*-[A-Z]", "(D+)+"), "repeats a part that itself repeats"),
        (lambda s: s.replace("M\\.100", "M\\.999"), "cannot be told apart"),
        (lambda s: s.replace('start="15"', 'start="one"'), "start must be a number"),
        (lambda s: s.replace("peerAnnotation", "report"), "holds <report>"),
        (lambda s: "", "is empty"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, change, message):
    with pytest.raises(FormatError, match=message) as error:
        read_one(tmp_path, change(PAN))
    assert "\n" not in str(error.value)
    assert "D07-A.M.100.B.14.pan" in str(error.value)


def test_a_peer_of_another_topic_is_refused(tmp_path):
    write_file(tmp_path, "D07-A.pyr", PYR)
    write_file(
        tmp_path,
        "D07-A.M.100.B.14.pan",
        PAN.replace("At dawn the dam gave way", "At dusk the dam gave way").replace("At dawn", "At dusk"),
    )
    with pytest.raises(FormatError, match="the model summaries differ"):
        assay.read(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"), [("set.pyr", "one .pyr file cannot hold 3 topics"), ("set.pan", "cannot hold 3 topics")]
)
def test_what_a_file_cannot_hold_is_refused(tmp_path, name, message):
    with pytest.raises(FormatError, match=message):
        assay.write(read_topics(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_outputs_that_were_not_annotated_are_not_lost_in_silence(tmp_path):
    data = assay.EvalSet.from_texts({"A": ["a"]}, ["b"])
    with pytest.raises(FormatError, match="has no content units"):
        assay.write(data, tmp_path / "x.pyr")


@pytest.mark.parametrize("seed", range(20))
def test_round_trips_of_files_with_random_spans_and_hostile_labels(tmp_path, seed):
    """What is written is read back the same, whatever the spans, labels, comments and texts."""

    draw = random.Random(seed)
    letters = ["a", "Bc", "<d>", "&", '"', "'", "é", "\n", " ", "]]>", "-", "(2)", "..."]

    def text(n):
        return "x" + "".join(draw.choice(letters) for _ in range(n)) + "y"

    def spans(string):
        edges = sorted(draw.sample(range(len(string) + 1), 4))
        parts = [TextSpan(*edges[:2]), TextSpan(*edges[2:])]
        draw.shuffle(parts)
        parts = [p for p in parts if string[p.start : p.end].strip()]
        return tuple(parts) or (TextSpan(0, 1),)

    models = {name: text(30).replace("\n\n", "\n") for name in "AB"}
    peer_text = text(40).replace("\n", " ")
    label = lambda: text(6).replace("\n", " ")  # noqa: E731
    units = tuple(
        ContentUnit(
            str(k + 1),
            f"{k} {label()}",
            tuple(Contributor(m, spans(models[m]), comment=label()) for m in "AB"),
            comment=label(),
        )
        for k in range(4)
    )
    marks = tuple(PeerUnit(u.id, (Contributor("p", spans(peer_text)),), label()) for u in units[:2])
    other = PeerUnit(None, (Contributor("p", spans(peer_text)),))
    peer = PeerAnnotation("p", (*marks, other), exhaustive=True)
    pyramid = Pyramid("T1", models, units, (peer,), {"p": peer_text})
    references = tuple(assay.Reference(t, m) for m, t in models.items())
    data = assay.EvalSet([add_pyramid(assay.Item("T1", references, {"p": peer_text}), pyramid)])
    assay.write(data, tmp_path / "out", format="ducview")
    after = read_pyramid(assay.read(tmp_path / "out")["T1"])
    assert after.models == models
    assert after.units == units
    assert after.peers == (peer,)


def test_a_set_of_two_annotators_comes_back(tmp_path):
    """Category, annotators and what was marked outlive the way through DucView's files."""
    data = read_topics("ann", "bob")
    assay.write(data, tmp_path / "topics", format="ducview")
    again = assay.read(tmp_path / "topics")
    for item in data:
        before, after = read_pyramid(item), read_pyramid(again[item.id])
        assert after.group == item.group
        by = {(peer.peer, peer.annotator): peer for peer in after.peers}
        assert by == {(p.peer, p.annotator): replace(p, units=in_order(p, before)) for p in before.peers}
    assay.write(again, tmp_path / "second", format="ducview")
    assert sorted(f.read_bytes() for f in (tmp_path / "second").iterdir()) == sorted(
        f.read_bytes() for f in (tmp_path / "topics").iterdir()
    )


@pytest.mark.parametrize("exhaustive", [True, False])
@pytest.mark.parametrize("others", [True, False])
def test_names_that_headers_cannot_hold(tmp_path, exhaustive, others):
    """Blanks and dots in the names of topic, models and peer; a peer marked in full or not."""
    marks = (PeerUnit("u", (Contributor("gpt-4.1", (TextSpan(0, 2),)),), "sure"),)
    marks += (PeerUnit(None, (Contributor("gpt-4.1", (TextSpan(3, 5),)),)),) if others else ()
    twice = (Contributor("ref.1", (TextSpan(0, 2),)), Contributor("ref.1", (TextSpan(3, 5),)))
    pyramid = Pyramid(
        item="my topic",
        models={"ref.1": "It rained.", "ref 2": "Rain."},
        units=(ContentUnit("u", "rain", (*twice, Contributor("ref 2", (TextSpan(0, 4),)))),),
        peers=(PeerAnnotation("gpt-4.1", marks, "ann b.", exhaustive),),
        peer_texts={"gpt-4.1": "It rained a lot."},
        group="Health",
        annotator="carl",
    )
    references = tuple(assay.Reference(text, name) for name, text in pyramid.models.items())
    item = assay.Item("my topic", references, {"gpt-4.1": "It rained a lot."}, group="Health")
    data = assay.EvalSet([add_pyramid(item, pyramid)])
    for name in ("folder", "one.pan"):
        assay.write(data, tmp_path / name, format="ducview")
        after = read_pyramid(assay.read(tmp_path / name)["my topic"])
        assert (after.models, after.units, after.peers) == (dict(pyramid.models), pyramid.units, pyramid.peers)
        assert (after.group, after.annotator) == ("Health", "carl")


def test_a_weight_of_contributors_may_exceed_the_models(tmp_path):
    """DucView's weight: two contributors of B and one of D are (3) of 2 models; (4) is nobody's count."""
    third = '<contributor label="calm"><part label="calm" start="57" end="61"/></contributor>'
    more = PAN.replace(
        ' <scu uid="3" label="the dam broke (1.1)">', f' <scu uid="3" label="the dam broke (1.1)">{third}'
    )
    pyramid = read_pyramid(read_one(tmp_path, more.replace("(2) the", "(3) the"))["D07-A"])
    assert (pyramid.unit("3").weight("contributors"), pyramid.unit("3").weight()) == (3, 2)
    with pytest.raises(FormatError, match="unit '3' has weight 4, but there are 2 models"):
        read_one(tmp_path, more.replace("(2) the", "(4) the"))


def test_what_the_files_have_no_place_for_is_an_error(tmp_path):
    [item] = [i for i in read_topics() if i.id == "ferry"]
    judged = replace(item, judgments=(assay.Judgment("1", "r", "quality", 1.0),))
    with pytest.raises(FormatError, match=r"no place for judgments \(1\); write JSON Lines"):
        assay.write(assay.EvalSet([judged]), tmp_path / "out", format="ducview")
    aspects = replace(
        item, extra={**item.extra, "units": [{**item.extra["units"][0], "aspects": ["a, b"]}], "peers": []}
    )
    with pytest.raises(FormatError, match="cannot hold its units as they are"):
        assay.write(
            assay.EvalSet([replace(aspects, outputs={})], allow_missing=True), tmp_path / "out", format="ducview"
        )
    assert not (tmp_path / "out").exists()


def test_a_peer_with_two_texts_is_refused(tmp_path):
    write_file(tmp_path, "a.14.pan", PAN)
    other = PAN.replace("Nobody slept", "Nobody swept").replace('comment="no"', 'comment="annotator: x"')
    write_file(tmp_path, "b.14.pan", other.replace('go here">', 'go here" comment="annotator: bob">'))
    with pytest.raises(FormatError, match=r"b\.14\.pan: peer '14' of topic 'D07-A' has another text"):
        assay.read(tmp_path)
