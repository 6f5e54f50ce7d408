"""The web app that collects judgments from people.

A study is a folder: `study.json` (settings), `set.jsonl` (the texts, which never change), `instructions.md`,
`consent.md`, a secret, and the database. Everything that happens is an event in an append-only log (`events`), kept by
`store`; `state` derives from it where every rater stands; `protocols` say what is visible when and what an answer is;
`design` says who sees what; `service` joins them; `server` speaks HTTP (its docstring states the interface); `export`
writes an evaluation set with judgments.
"""
