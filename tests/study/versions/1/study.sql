BEGIN TRANSACTION;
CREATE TABLE events (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	rater INTEGER, 
	kind TEXT NOT NULL, 
	task INTEGER, 
	at TEXT NOT NULL, 
	client_at TEXT, 
	version INTEGER NOT NULL, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT events_once UNIQUE (rater, "key")
);
INSERT INTO "events" VALUES(1,'key-00001',1,'started',NULL,'2026-11-19T04:54:41.931Z',NULL,1,'{"list":0,"tasks":[{"item":"2","systems":["A"]},{"item":"1","systems":["A"]}]}');
INSERT INTO "events" VALUES(2,'key-00002',1,'shown',1,'2026-11-19T04:54:41.955Z',NULL,1,'{"page":1}');
INSERT INTO "events" VALUES(3,'key-00003',1,'answered',1,'2026-11-19T04:54:41.967Z',NULL,1,'{"active":0.013,"answer":{"ratings":{"meaning":2.0}}}');
CREATE TABLE facts (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('schema_version','1');
INSERT INTO "facts" VALUES('study','bc72630dd660');
CREATE TABLE raters (
	number INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	external TEXT, 
	created TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (code), 
	UNIQUE (external)
);
INSERT INTO "raters" VALUES(1,'ann',NULL,'2026-11-19T04:54:41.653Z');
CREATE TABLE sessions (
	hash TEXT NOT NULL, 
	rater INTEGER, 
	expires TEXT NOT NULL, 
	PRIMARY KEY (hash)
);
CREATE TABLE versions (
	number INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "versions" VALUES(1,'2026-11-19T04:54:41.848Z','{"fixed":{"id":"bc72630dd660","protocol":"rate(reveal=false, source=true, reference=false)","items":2,"texts_sha256":"2901cfdf731a1d7c5f816d34f8c5355a9538b603e94f5503fdffaacc4c480b2b","design":{},"tries":2,"pass_mark":0.8,"dimensions":["meaning"]},"settings":{"id":"bc72630dd660","protocol":"rate(reveal=false, source=true, reference=false)","items":2,"texts_sha256":"2901cfdf731a1d7c5f816d34f8c5355a9538b603e94f5503fdffaacc4c480b2b","dimensions":[{"name":"meaning","high":3.0}],"design":{},"pass_mark":0.8,"created":"2026-11-19T04:54:39.089Z"},"instructions":"","consent":""}');
CREATE INDEX ix_events_rater ON events (rater);
COMMIT;
