"""Show a study: its design, its links, how far it is, and what was exported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import MISSING, format_count, format_decimals, join_names

if TYPE_CHECKING:
    from ..study.replay import ReplayedLog
    from ..study.status import (
        DesignList,
        DesignTable,
        ErasedRater,
        ExportedStudy,
        RaterProgress,
        ServedStudy,
        StudyLinks,
        StudyProgress,
    )

_MAX_LINKS = 30


def view_served_study(result: ServedStudy) -> View:
    """Say where to send raters, and where the admin page is."""
    if result.join is None:
        send = f"Send raters to {result.address}/?{result.id_parameter}=..."
    else:
        send = f"Raters open {result.join}"
    raters = result.raters[:_MAX_LINKS]
    tables = [Table([text_column("rater", [r.code for r in raters]), text_column("link", [r.link for r in raters])])]
    more = len(result.raters) - len(raters)
    notes = [f"{format_count(more, 'more link')} on the admin page."] if more else []
    return View(
        [f"{result.title} is served at {result.address}.", f"{send}", f"Admin: {result.admin}"],
        tables if raters else [],
        notes=[*notes, "Stop with Ctrl-C."],
    )


def view_study_links(result: StudyLinks) -> View:
    """List the links of a study."""
    old = "The old ones are not valid any more, and the sessions they opened ended."
    renewal = [f"Made {format_count(result.renewed, 'link')} anew. {old}"] if result.renewed else []
    join = [f"Raters open {result.join}"] if result.join else []
    codes, links = [r.code for r in result.raters], [r.link for r in result.raters]
    table = Table([text_column("rater", codes), text_column("link", links)])
    return View([*renewal, *join, f"Admin: {result.admin}"], [table] if result.raters else [])


def view_study_design(result: DesignTable) -> View:
    """Say how many ratings each output gets and whether that is balanced; then the lists."""
    ratings = _span(result.ratings_fewest, result.ratings_most, "rating")
    tasks = _span(result.tasks_fewest, result.tasks_most, "task")
    who = f"{format_count(result.places, 'rater')}{' (more may come)' if result.is_open else ''}"
    sentences = [
        f"With {who}, each of {format_count(result.units, _unit_name(result))} gets {ratings}; a rater has {tasks}.",
        _describe_balance(result),
        _describe_overlap(result),
    ]
    return View([s for s in sentences if s], [_list_table(result)], notes=_design_notes(result), title="Design")


def _unit_name(result: DesignTable) -> str:
    """Return what is judged at once."""
    together = {"compare": "pair", "rank": "item", "shorten": "source", "cut": "source"}
    name = result.protocol.partition("(")[0]
    if name == "pyramid":
        return "topic" if "stage=models" in result.protocol else "peer"
    return "item" if "together=true" in result.protocol else together.get(name, "output")


def _span(fewest: int, most: int, noun: str) -> str:
    return format_count(most, noun) if fewest == most else f"{fewest} to {format_count(most, noun)}"


def _describe_balance(result: DesignTable) -> str:
    faults = []
    if result.short:
        units = format_count(result.short, _unit_name(result))
        faults.append(f"{units} fall short of {format_count(result.wanted, 'rating')}")
    if result.unbalanced:
        faults.append(f"systems differ by more than one in {result.unbalanced} of {len(result.lists)} rows below")
    if result.uneven:
        faults.append(f"lists differ by {format_count(result.uneven, 'rater')}")
    return f"Remainder: {'; '.join(faults)}." if faults else "The design is balanced."


def _describe_overlap(result: DesignTable) -> str:
    if not result.rater_pairs:
        return ""
    if result.pairs_apart == result.rater_pairs:
        return "No two raters judge the same: agreement cannot be computed."
    shared = _span(result.shared_fewest, result.shared_most, _unit_name(result))
    apart = f"; {result.pairs_apart} of {result.rater_pairs} pairs of raters share none" if result.pairs_apart else ""
    sentence = f"Any two raters share {shared}{apart}."
    if result.rater_groups < 2 or result.assignment != "random":  # lists of a Latin square are apart by design
        return sentence
    return (
        f"{sentence} They fall into {result.rater_groups} groups that nothing links, so how severe raters are cannot "
        "be compared between groups: show each output to more raters (--per-output, --overlap)."
    )


def _list_table(result: DesignTable) -> Table:
    rows: Sequence[DesignList] = result.lists
    columns = [Column("list", [str(row.number) for row in rows])]
    if any(row.group is not None for row in rows):
        columns.append(text_column("group", [row.group or "all" for row in rows]))
    columns += [
        Column("raters", [str(row.raters) for row in rows]),
        Column(f"{_unit_name(result)}s", [str(row.tasks) for row in rows]),
    ]
    if any(row.most for row in rows):  # where outputs are judged
        columns.append(Column("per system", [_range(row.fewest, row.most) for row in rows]))
    return Table(columns)


def _range(fewest: int, most: int) -> str:
    return str(most) if fewest == most else f"{fewest} to {most}"


def _design_notes(result: DesignTable) -> list[str]:
    notes = [f"{result.protocol}, {result.assignment}, {result.items} items, {result.systems} systems."]
    if result.repeats_most:
        notes.append(f"Of a rater's tasks, {_range(result.repeats_fewest, result.repeats_most)} come a second time.")
    if result.practice or result.checks:
        notes.append(f"With {result.practice} practice tasks and {result.checks} attention checks for each rater.")
    return notes


def view_study_progress(result: StudyProgress) -> View:
    """Say how many completed, and list the raters."""
    of = "" if result.places is None else f" of {result.places}"
    headline = (
        f"{result.title} is {result.status}: {result.complete}{of} raters completed, {result.rating} are rating, "
        f"{result.left} left; {format_count(result.answers, 'answer')}."
    )
    version = f"Version {result.version} of instructions and scales" if result.version else "Not served yet"
    rows: Sequence[RaterProgress] = result.raters
    table = Table(
        [
            text_column("rater", [row.code for row in rows]),
            text_column("stage", [row.stage for row in rows]),
            Column("list", [MISSING if row.list is None else str(row.list) for row in rows]),
            Column("answered", [f"{row.answered} of {row.total}" if row.total else MISSING for row in rows]),
            Column("s per task", [format_decimals(row.seconds, 1) for row in rows]),
            Column("checks failed", [f"{row.checks_failed} of {row.checks_answered}" for row in rows]),
        ]
    )
    return View([headline], [table] if rows else [], notes=[f"{version}; {result.protocol}."])


def view_exported_study(result: ExportedStudy) -> View:
    """Say what was written, and what to do with it."""
    people = format_count(len(result.raters), "rater")
    if result.content_units:
        return _view_annotations(result)
    if not result.judgments:
        texts = f"{format_count(result.items, 'item')} with texts of {format_count(result.systems, 'editor')}"
        return View([f"Wrote {result.path}: {texts}.", f"Next: assay edits {result.path}"])
    judged = f"{format_count(result.judgments, 'judgment')} of {join_names(result.dimensions)} by {people}"
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    return View([f"Wrote {result.path}: {judged}{skipped}.", f"Next: assay agree {result.path}"])


def _view_annotations(result: ExportedStudy) -> View:
    """Say which annotator's content units were written, and who made others."""
    names, topics = join_names(result.annotators), format_count(result.items, "topic")
    if result.peers:
        marks = f"marks of {format_count(result.content_units, 'content unit')} in {format_count(result.peers, 'peer')}"
        return View([f"Wrote {result.path}: {marks} by {names}.", f"Next: assay pyramid score {result.path}"])
    units = f"{format_count(result.content_units, 'content unit')} in {topics} by {names}"
    others = f"{join_names(result.others)} made pyramids too: --annotator {result.others[0]}." if result.others else ""
    following = f"Next: assay study new {result.path} --protocol pyramid --out FOLDER (marks these units in peers)"
    return View([sentence for sentence in (f"Wrote {result.path}: {units}.", others, following) if sentence])


def view_erased_rater(result: ErasedRater) -> View:
    """Say that a person's data is gone, and where it still is."""
    took = f"{format_decimals(result.seconds, 1)} s"
    if result.database == "postgresql":
        headline = f"Removed the answers and the name of rater {result.rater}; the tables were rewritten in {took}."
        rest = (
            "PostgreSQL's write-ahead log, its archives, replicas and backups made with other programs may still hold "
            "them until the server recycles them or you delete them."
        )
    else:
        headline = f"Removed the answers and the name of rater {result.rater} from the database's file in {took}."
        rest = "Copies of the file made with other programs, snapshots of the disk among them, may still hold them."
    if not result.backups:
        return View([headline, "No backup in the folder holds them.", rest])
    backups = f"{format_count(len(result.backups), 'backup')} still holds them; delete:"
    return View([headline, backups.replace("s still holds", "s still hold"), *result.backups, rest])


def view_replayed_log(result: ReplayedLog) -> View:
    """Say whether the log is sound, and what it holds."""
    holds = f"{format_count(result.events, 'event')} of {format_count(result.raters, 'rater')}"
    counts = "counts" if result.answers == 1 else "count"
    complete = format_count(result.complete, "rater")
    answers = f"{format_count(result.answers, 'answer')} {counts}, {complete} completed"
    faults = {
        "missing events": result.gaps,
        "answers that count twice": result.twice,
        "answers that the protocol refuses": result.refused,
    }
    wrong = ", ".join(f"{count} {what}" for what, count in faults.items() if count)
    sentences = [f"The log is sound: {holds}; {answers}." if not wrong else f"The log is damaged: {wrong} ({holds})."]
    if result.unlike:
        sentences.append(f"{format_count(result.unlike, 'text')} differ from what the recorded edits give.")
    table = Table(
        [text_column("event", list(result.kinds)), Column("count", [str(count) for count in result.kinds.values()])]
    )
    return View(sentences, [table] if result.kinds else [], notes=[f"From {result.first_at} to {result.last_at}."])
