"""DucView's files: what is read, what is written back, and each trap seen in real ones."""

from __future__ import annotations

import html
import random
import re
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


# What real files have, and how it is mended: the change, the note, and the spans of the first unit's contributors.
FAULTS = {
    "words nowhere": (
        ('"The dam broke" start="34" end="47"', '"A flood" start="34" end="4800"'),
        r":22: the part 'A flood' is not at 34-4800, nor elsewhere: it stays at 'The dam broke after",
        [("B", ((0, 58),)), ("D", ((8, 24), (0, 7)))],
    ),
    "two models": (
        ('"At dawn" start="123" end="130"', '"The dam" start="34" end="41"'),
        r"the contributor 'At dawn...the dam gave way' spans models B and D: it counts once, for D",
        [("B", ((0, 13),)), ("D", ((8, 24),))],
    ),
    "overlap": (
        ('"At dawn" start="123" end="130"', '"dawn the dam" start="126" end="138"'),
        r"the parts 126-138 and 131-147 of a contributor overlap: merged",
        [("B", ((0, 13),)), ("D", ((3, 24),))],
    ),
    "no model": (
        ('"The dam broke" start="34" end="47"', '"D07-A.M.100.B.D" start="99" end="114"'),
        r"stand in no model summary: they count for",
        None,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_mended_with_a_note_or_refused(tmp_path, fault):
    change, note, spans = FAULTS[fault]
    assert change[0] in PAN
    file = write_file(tmp_path, "D07-A.M.100.B.14.pan", PAN.replace(*change))
    data = assay.read(file)
    assert len(data.reading.notes) == 1
    assert re.search(note, data.reading.notes[0])
    assert "D07-A.M.100.B.14.pan:" in data.reading.notes[0]
    pyramid = read_pyramid(data["D07-A"])
    assert pyramid.weights("contributors")["3"] == 2  # as DUCView counts
    if spans is not None:
        assert [(c.text, c.spans) for c in pyramid.units[0].contributors] == spans
    with pytest.raises(FormatError, match=note.removeprefix(":22: ")):
        assay.read(file, strict=True)


# Faults of units: the change, the note, the ids of the pyramid, and what the peer states of it and outside it.
UNITS = {
    "an id that comes twice": (
        ('uid="8"', 'uid="3"', 1),
        "unit '3' comes twice: .* is now 3#2",
        ["3", "3#2"],
        (("3",), 1),
    ),
    "a weight of no one": (('label="(2) the', 'label="(5) the'), "has weight 5, but", ["3", "8"], (("3",), 1)),
    "another label": (
        ('label="(2) the dam broke (1.1)"', 'label="(2) a flood"'),
        "unit '3' is '.2. a flood' here",
        ["3", "8"],
        (("3",), 1),
    ),
    "no such unit": (
        ('<peerscu uid="3" label="(2) the dam broke (1.1)"', '<peerscu uid="7" label="(2) a flood"'),
        "unit '7' .* is not in this pyramid: it counts as outside it",
        ["3", "8"],
        ((), 2),
    ),
    "no contributor": (
        ('<scu uid="8"', '<scu uid="9" label="empty"></scu><scu uid="8"'),
        "unit '9' has no contributor: it is left out",
        ["3", "8"],
        (("3",), 1),
    ),
}


@pytest.mark.parametrize("fault", UNITS)
def test_units_that_do_not_fit_are_noted_and_never_stop_a_folder(tmp_path, fault):
    change, note, ids, stated = UNITS[fault]
    assert change[0] in PAN
    file = write_file(tmp_path, "D07-A.M.100.B.14.pan", PAN.replace(*change))
    data = assay.read(file)
    [words] = data.reading.notes
    assert re.search(note, words)
    pyramid = read_pyramid(data["D07-A"])
    assert [unit.id for unit in pyramid.units] == ids
    assert (pyramid.peers[0].unit_ids, pyramid.peers[0].other_units) == stated
    with pytest.raises(FormatError, match=note):
        assay.read(file, strict=True)


def test_two_annotators_of_one_peer(tmp_path):
    """Their files may differ in the lines of the text and in a unit; the same file twice counts once."""
    write_file(tmp_path, "101.D07-A.M.100.B.14.pan", PAN)
    write_file(tmp_path, "101.D07-A.M.100.B.014.pan", PAN)
    lines = PAN.replace("<line>Nobody slept", "<line></line>\n  <line>Nobody slept")
    other = lines.replace("the dam broke (1.1)", "a dam broke (1.1)").replace(
        'start="15" end="27"', 'start="16" end="28"'
    )
    assert other != lines != PAN
    write_file(tmp_path, "102.D07-A.M.100.B.14.pan", other)
    data = assay.read(tmp_path)
    pyramid = read_pyramid(data["D07-A"])
    first, second = pyramid.peers
    assert (first.annotator, second.annotator) == ("101", "102")
    assert first.units == second.units
    assert len([note for note in data.reading.notes if "1 units differ" in note]) == 1


def test_a_fault_of_a_pyramid_is_noted_once(tmp_path):
    faulty = PAN.replace(*FAULTS["overlap"][0])
    for peer in ("14", "15"):
        write_file(tmp_path, f"D07-A.M.100.B.{peer}.pan", faulty)
    assert len(assay.read(tmp_path).reading.notes) == 1


def test_an_update_set_is_a_group_and_its_topic_the_cluster(tmp_path):
    item = read_one(tmp_path, PAN)["D07-A"]
    assert (item.group, item.cluster) == ("A", "D07")


def test_names_of_files_say_annotator_and_peer(tmp_path):
    write_file(tmp_path, "101.D07-A.M.100.B.04.pan", PAN)
    write_file(tmp_path, "102.D07-A.M.100.B.4.pan", PAN)
    data = assay.read(tmp_path)
    assert data.systems == ("4",)
    assert [peer.annotator for peer in read_pyramid(data["D07-A"]).peers] == ["101", "102"]
    again = tmp_path / "again"
    assay.write(data, again, format="ducview")
    assert assay.read(again) == data


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
    data = read_topics("ann", "bob").select(["fraud"])
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
    """DucView's weight: two contributors of B and one of D are (3) of 2 models; (4) is no one's count."""
    third = '<contributor label="calm"><part label="calm" start="57" end="61"/></contributor>'
    more = PAN.replace(
        ' <scu uid="3" label="the dam broke (1.1)">', f' <scu uid="3" label="the dam broke (1.1)">{third}'
    )
    pyramid = read_pyramid(read_one(tmp_path, more.replace("(2) the", "(3) the"))["D07-A"])
    assert (pyramid.unit("3").weight("contributors"), pyramid.unit("3").weight()) == (3, 2)
    data = read_one(tmp_path, more.replace("(2) the", "(4) the"))
    assert re.search("unit '3' has weight 4, but its contributors make 3", data.reading.notes[0])


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


def drop_expression(pan, draw):
    """No startDocumentRegEx: headers are names between dashes."""
    return re.sub(r"<startDocumentRegEx>.*?</startDocumentRegEx>\n", "", pan)


def write_apart(pan, draw):
    """The pyramid and the peer as two documents in one file."""
    pyramid = re.search(r"<pyramid>.*?</pyramid>\n", pan, re.DOTALL)[0]
    bare = re.sub(r"<!DOCTYPE.*?\]>", "", pan, flags=re.DOTALL).replace(pyramid, "")
    return f'<?xml version="1.0"?>\n{pyramid}{bare}'


def number_anew(pan, draw):
    """Other ids in the peer than in the pyramid."""
    return re.sub(r'<peerscu uid="([1-9])"', lambda match: f'<peerscu uid="{int(match[1]) + 700}"', pan)


def shift_offsets(pan, draw):
    """Offsets that drifted, so that only the labels say where the parts are."""
    by = draw.randrange(1, 4)
    shift = lambda match: f'start="{int(match[1]) + by}" end="{int(match[2]) + by}"'  # noqa: E731
    return re.sub(r'start="([0-9]+)" end="([0-9]+)"', shift, pan)


def add_index(pan, draw):
    """An index before everything else, which shifts all offsets in the models."""
    return pan.replace(" <text>\n", " <text>\n  <line>#4</line>\n", 1)


def curl_quotes(pan, draw):
    """Curly quotes and further blanks in the labels of parts."""
    curl = lambda match: match[0].replace("&quot;", "”").replace(" ", "  ").replace("<part  label", "<part label")  # noqa: E731
    return re.sub(r'<part label="[^"]*"', curl, pan)


def drop_weights(pan, draw):
    """Labels of the peer's units without the weight before them."""
    return re.sub(r'(<peerscu uid="[^"]*" label=")\([0-9]+\) ', r"\1", pan)


def drop_empty(pan, draw):
    """No peerscu for units that the peer does not state."""
    return re.sub(r" <peerscu [^>]*>\n </peerscu>\n", "", pan)


TRAPS = (drop_expression, write_apart, number_anew, shift_offsets, add_index, curl_quotes, drop_weights, drop_empty)


def draw_topic(draw):
    """A topic whose words all differ, so that a label stands in one place; contributors cross lines, in any order."""
    words = [f"w{n}" for n in range(200)]
    draw.shuffle(words)

    def text():
        chosen = [words.pop() if draw.random() > 0.1 else f'"{words.pop()}"' for _ in range(12)]
        return "".join(word + draw.choice((" ", " ", "\n")) for word in chosen).strip() + "."

    def contributor(name, string):
        places = [match.span() for match in re.finditer(r"w[0-9]+", string)]
        first, second = draw.randrange(0, 5), draw.randrange(6, 10)
        spans = [
            TextSpan(
                places[first][0], places[first + 1][1]
            ),  # it may cross a line break, which its label does not hold
            TextSpan(places[second][0], places[second][1]),
        ]
        draw.shuffle(spans)
        return Contributor(name, tuple(spans), comment=draw.choice(("", "unsure")))

    models, peer = {name: text() for name in "AB"}, text()
    units = tuple(
        ContentUnit(str(n), f"fact {n}", tuple(contributor(m, models[m]) for m in "AB"[: draw.randint(1, 2)]))
        for n in range(1, 5)
    )
    stated = tuple(PeerUnit(u.id, (contributor("7", peer),)) for u in units if draw.random() < 0.6)
    outside = (PeerUnit(None, (contributor("7", peer),)),) if draw.random() < 0.7 else ()
    annotation = PeerAnnotation("7", (*stated, *outside), exhaustive=bool(outside))
    return Pyramid("T1", models, units, (annotation,), {"7": peer})


@pytest.mark.parametrize("seed", range(40))
def test_generated_files_with_traps(tmp_path, seed):
    """Whatever traps a file has, it is read as what was drawn; what is written of it is read the same again."""
    draw = random.Random(seed)
    pyramid = draw_topic(draw)
    references = tuple(assay.Reference(text, name) for name, text in pyramid.models.items())
    item = add_pyramid(assay.Item("T1", references, {"7": pyramid.peer_texts["7"]}), pyramid)
    path = tmp_path / "T1.7.pan"
    assay.write(assay.EvalSet([item]), path)
    content = path.read_text("utf-8")
    for trap in draw.sample(TRAPS, draw.randint(1, len(TRAPS))) if seed >= len(TRAPS) else [TRAPS[seed]]:
        changed = trap(content, draw)
        assert changed != content or trap is drop_empty  # a peer may state every unit
        content = changed
    path.write_text(content, "utf-8")
    data = assay.read(path)
    read = read_pyramid(data["T1"])
    assert read is not None
    assert read.models == pyramid.models
    assert [strip_wording(unit) for unit in read.units] == list(pyramid.units)
    [peer] = read.peers
    assert [strip_wording(unit) for unit in peer.units] == list(pyramid.peers[0].units)
    assert peer.exhaustive == pyramid.peers[0].exhaustive
    assay.write(data, tmp_path / "again", format="ducview")
    assert read_pyramid(assay.read(tmp_path / "again")["T1"]) == replace(
        read, peer_texts={**read.models, **data["T1"].outputs}
    )


def strip_wording(unit):
    """A unit without how its file worded the labels of parts, where that drifted from the text."""
    return replace(unit, contributors=tuple(replace(c, label="", parts=()) for c in unit.contributors))
