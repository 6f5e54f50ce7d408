"""A log that was damaged is found out."""

from __future__ import annotations

import sqlalchemy as sa

from assay.cli.main import main
from assay.study.content import StudyContent
from assay.study.replay import replay_log
from assay.study.settings import RatingScale
from assay.study.store import EVENTS

SCALES = (RatingScale(name="meaning", high=3),)


def test_replay_finds_what_is_missing_and_what_is_wrong(make_study, serve, three_systems, capsys):
    folder = make_study(three_systems, dimensions=SCALES, invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        for _ in range(3):
            rater.answer({"ratings": {"meaning": 2}})
    content, database = StudyContent(folder), folder.database()
    sound = replay_log(content, database)
    assert sound.is_sound
    assert (sound.events, sound.answers, sound.kinds["answered"]) == (7, 3, 3)
    with database.engine.begin() as connection:
        connection.execute(sa.delete(EVENTS).where(EVENTS.c.kind == "shown"))
        wrong = '{"answer":{"ratings":{"meaning":9}}}'
        connection.execute(sa.update(EVENTS).where(EVENTS.c.id == 3).values(payload=wrong))
    damaged = replay_log(content, database)
    assert (damaged.gaps, damaged.refused, damaged.is_sound) == (3, 1, False)
    assert main(["study", "replay", str(folder.path)]) == 2
    assert "The log is damaged: 3 missing events, 1 answers" in " ".join(capsys.readouterr().out.split())
