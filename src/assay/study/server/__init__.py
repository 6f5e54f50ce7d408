"""The web server of a study: its HTTP interface.

Pages (HTML)
    GET /                         where crowd platforms send people (?PROLIFIC_PID=...): a session cookie, then /study
    GET /join/{token}             the link for a room: every browser becomes a rater of its own, then /study
    GET /r/{token}                the link of an invited rater: a session cookie, then /study
    GET /study                    the shell that the browser's modules fill
    GET /admin/login/{token}      the admin's link: a session cookie, then /admin
    GET /admin                    the admin page
    GET /static/...               modules, styles, languages
    GET /health                   {"status": "ok"}

Rater interface (JSON, cookie `rater-ID`, ID being the study's; every POST has the header `x-csrf-token` with the value
of the cookie `csrf-ID`)
    GET /api/study                what does not change within a version:
        {"title", "language", "text_language", "protocol": "rate", "settings": {"reveal": true, ...},
         "dimensions": [{"name", "low", "high", "step", "best", "slider", "labels": {"1": "poor"}, "points": [1, 2]}],
         "allow_skip", "auto_advance", "idle_seconds", "instructions": html, "consent": html or "", "version"}
    GET /api/session              where the rater stands:
        {"session": Session, "screen": Screen or null, "next": Screen or null}
    POST /api/events              {"events": [Event, ...]}, 1 to 100, applied in order
        200 all were saved: {"acks": [Ack, ...], "session": Session, "screen": Screen or null, "next": Screen or null}
        409 some were refused: the same; events after the first refused one are refused too
        400 not understood; 401 no session (open the link again); 403 CSRF; 429 too fast (header retry-after);
        503 {"code": "not_saved"}: nothing of this request was saved; keep the events and send them again

    Event    {"key", "kind", "task", "at", "payload"}
             key: 8 to 64 of A-Z a-z 0-9 _ -, random, chosen once per event: the same key is written once, so that a
             request can be sent again; at: the browser's time, RFC 3339; task: its number, for kinds about one
             consented {}                     after the consent form
             started {}                       after the instructions; assigns the tasks
             shown {}                         the screen of the current task is visible (server time counts)
             revealed {}                      asks for hidden texts: they are in `screen` of the answer
             paged {"page": 2}                leaves page 1 for good: page 2 is in `screen` of the answer
             edited {"deltas": [[ms, start, deleted, "inserted"], ...]}   offsets in code points of the
                                              text so far, which begins as the source; of pyramid
                                              [ms, id, unit or null]
             answered {"answer": ..., "active": seconds}   or {"skip": "reason", "active": seconds}
             undone {}                        takes back the last answer: task is the number of that task
             submitted {}                     after the last answer
             withdrawn {}
    Ack      {"key", "saved": true, "event": 17, "at": server time, "duplicate": true if it was there already} or
             {"key", "saved": false, "code", "message"}
             codes to keep and send later: paused, earlier_refused; all others will not be accepted
             closed, full, failed, withdrawn, finished, place_taken, not_started, no_consent, wrong_task, wrong_page,
             not_revealed, no_undo, not_finished, invalid_answer, incomplete_answer, too_long, too_short, ...
    Session  {"stage", "task": number or null, "answered", "total", "practice": bool, "tries_left", "can_undo",
             "last_task": the one that undo takes back, "rater": a name for this rater's part of the browser's storage,
             "version", "completion": {"code", "url"} (crowd, when done)}
             stage: consent, instructions, task, finish (all answered; submit), done, failed, withdrawn, paused, closed
    Screen   {"task", "page", "pages", "practice", "hidden": true while a reveal is needed} and what the protocol shows:
             rate        source [..], references [..], texts [{"key": "a", "text"}]
             absolute    page 1: references [..]; page 2: texts
             rank        source, texts (up to 20, keys a to t)
             compare     source, texts a and b
             shorten     source [..] (one text), limit {"least", "most", "unit", "source"}, mode, and after edits
                         draft: the text so far, to go on from after a reload or undo
             cut         source
             factoids    units [..], texts, source
             spans       source, texts, categories [..], severities [..]
             pyramid     stage "models": models [{"key", "text"}], aspects [..], units it begins with; stage "peers":
                         models, units [{"id", "weight", "label", "contributors"}], texts (the peer); after edits
                         draft: units or marks so far
             `next` is the first page of the following task without what it hides.
    Answers  rate, absolute  {"ratings": {"meaning": 3}}
             rank        {"groups": {"a": 1, "b": 1, "c": 2}}
             compare     {"choices": {"preference": "a" or "b" or "tie"}}
             shorten     {"text": "..."}          (length: see `text_length`)
             cut         {"units": ["...", ...]}
             factoids    {"units": {"a": [true, false, ...]}}
             spans       {"spans": [{"start", "end", "category", "severity"}]}   (code points of the text)
             pyramid     {"units": [{"id", "label", "aspects", "contributors": [{"text": letter, "spans": [[0, 8]]}]}]},
                         or {"marks": [{"id", "unit": number or null, "spans", "suggested"}], "complete": bool}
    GET /api/proposals            ?task=1&text=a&spans=[[0,8]] -> {"units": [ids]}, most similar to these words first
    GET /api/suggestions          ?task=1 -> {"suggestions": [{"unit", "spans", "suggested": "exact"}]} for the peer

Admin interface (JSON, cookie `admin-ID`, CSRF as above)
    GET  /api/admin/progress      {"status", "title", "protocol", "places", "complete", "rating", "left", "answers",
                                   "raters": [{"number", "code", "list", "stage", "answered", "total", "seconds",
                                   "checks_failed", "checks_answered", "last_at", "link"}], "join_link"}
    GET  /api/admin/agreement     {"dimensions": [{"dimension", "measure": "alpha" or "tau", "value", "low", "high",
                                   "raters", "outputs"}]}; value is null where it is undefined
    GET  /api/admin/items         {"items": [{"item", "answers", "seconds", "longest"}]}, the 50 slowest
    POST /api/admin/status        {"action": "pause" | "reopen" | "close"} or {"action": "extend", "places": 3}
    POST /api/admin/invite        {"codes": ["ann"]} -> {"raters": [{"number", "code", "link"}]}
    POST /api/admin/withdraw      {"rater": 3}
    POST /api/admin/erase         {"rater": 3} -> {"backups": [names of those that still hold the rater]}
    POST /api/admin/backup        {} -> {"name", "bytes"}
    GET  /api/admin/export        the judged set as JSON Lines, ?anonymize=true
    GET  /api/admin/edits/{rater}/{task}   {"start": text, "deltas": [[ms, start, deleted, inserted]], "final": text}
    GET  /api/admin/annotators    {"items": [{"item", "annotators": [names]}]}, of pyramid
    GET  /api/admin/comparison    ?item=D1&first=ann&second=bob -> texts, both sides, pairs of units, agreement
    GET  /schema/openapi.json     the interface as OpenAPI
"""
