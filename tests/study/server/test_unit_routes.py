"""Proposals and suggestions for the workbench, and the comparison for the admin."""

from __future__ import annotations

import json
from dataclasses import replace

import httpx
from unit_annotators import annotated_set, bare_set, make_units, send_edits, units_of, units_only

import assay


def ask(client, path, **query):
    return client.keep(client.http.get(path, params=query))


def test_proposals_rank_the_units_that_are_there(make_study, serve):
    data = annotated_set()
    folder = make_study(bare_set(), "pyramid", invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        assert ask(rater, "/api/proposals", task=1, text="a", spans="[[0, 7]]").json() == {"units": []}
        send_edits(rater, units_of(data.entries[0]))
        units = {unit["id"]: unit for unit in units_of(data.entries[0])}
        for id, unit in units.items():
            last = unit["contributors"][-1]
            query = {"text": last["text"], "spans": json.dumps(last["spans"])}
            assert ask(rater, "/api/proposals", task=1, **query).json()["units"][0] == id
        for wrong in (
            {"text": "x"},
            {"spans": "[[0, 9999]]"},
            {"spans": "["},
            {"task": 2},
            {"spans": "7"},
            {"spans": "[" * 5000},
        ):
            response = ask(rater, "/api/proposals", **{"task": 1, "text": "a", "spans": "[[0, 1]]", **wrong})
            assert response.status_code == 400
        assert ask(rater, "/api/suggestions", task=1).json() == {"suggestions": []}


def test_suggestions_come_from_models_and_earlier_peers_and_name_nobody(make_study, serve):
    data = assay.EvalSet([replace(item, id="zebra-topic") for item in units_only()], allow_missing=True)
    folder = make_study(data, "pyramid(suggest=exact)", invitations=["ann"])
    with serve(folder) as served:
        rater = served.rater("ann")
        rater.start()
        count = 0
        while rater.stage == "task":
            suggestions = ask(rater, "/api/suggestions", task=rater.screen["task"]).json()["suggestions"]
            count += len(suggestions)
            text = rater.screen["texts"][0]["text"]
            labels = {unit["id"]: unit["label"] for unit in rater.screen["units"]}
            for one in suggestions:
                assert one.keys() == {"unit", "spans", "suggested"}
                assert one["unit"] in labels
                assert all(text[start:end].strip() for start, end in one["spans"])
            rater.answer({"marks": [{"id": str(n), **one} for n, one in enumerate(suggestions)]})
        assert count >= 8
    assert "zebra-topic" not in "".join(rater.traffic)


def test_the_comparison_is_the_admins(make_study, serve):
    folder = make_study(bare_set(), "pyramid", invitations=["ann", "bob"])
    with serve(folder) as served:
        for number, name in ((1, "ann"), (2, "bob")):
            make_units(served.rater(name), served, number, annotated_set())
        item = annotated_set().items[0]
        query = {"item": item, "first": "ann", "second": "bob"}
        with httpx.Client(base_url=served.address) as http:
            assert http.get("/api/admin/comparison", params=query).status_code == 401
            assert http.get("/api/proposals", params={"task": 1, "text": "a", "spans": "[]"}).status_code == 401
        admin = served.admin()
        assert admin.http.get("/api/admin/annotators").json() == {
            "items": [{"item": item, "annotators": ["ann", "bob"]}]
        }
        body = admin.http.get("/api/admin/comparison", params=query).json()
        assert body["measures"]["alpha_masi"] == 1
        assert admin.http.get("/api/admin/comparison", params={**query, "first": "cat"}).status_code == 404
        assert "annotators.js" in admin.http.get("/admin/annotators").text
        assert admin.http.get("/api/admin/agreement").json() == {"dimensions": []}
        assert admin.http.get("/api/admin/export").status_code == 200
        assert admin.http.get("/api/admin/edits/1/1").status_code == 404


def test_other_studies_have_no_workbench(make_study, serve, three_systems):
    with serve(make_study(three_systems, invitations=["ann"])) as served:
        rater = served.rater("ann")
        rater.start()
        assert ask(rater, "/api/suggestions", task=1).status_code == 404
        assert served.admin().http.get("/api/admin/annotators").status_code == 404
