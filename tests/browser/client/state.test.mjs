// The state machine of the rater's page, without a browser: the queue of events, and what is shown after each answer.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const CLIENT = new URL("../../../src/assay/study/server/static/", import.meta.url);
const stored = new Map();
globalThis.localStorage = new Proxy(
  {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
    removeItem: (name) => stored.delete(name),
  },
  {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  },
);
globalThis.addEventListener = () => {};
globalThis.document = { documentElement: { lang: "en", dataset: { csrf: "token" } }, cookie: "", addEventListener() {} };
globalThis.location = { reload: mock.fn() };
globalThis.fetch = () => new Promise(() => {}); // study.js starts by asking for the words of the interface

const { EventQueue } = await import(new URL("queue.js", CLIENT));
const { StudyPage } = await import(new URL("study.js", CLIENT));

const answer = (status, body, wait = "") => ({ status, json: async () => body, headers: { get: () => wait } });
const saved = (count, more = {}) => answer(200, { acks: Array(count).fill({ saved: true }), ...more });

// A server that answers from a list; the last answer stays.
function serve(...answers) {
  const sent = [];
  globalThis.fetch = async (path, { body }) => {
    sent.push(JSON.parse(body).events.map((event) => event.kind));
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next === "offline") throw new TypeError("failed to fetch");
    return next;
  };
  return sent;
}

function listen() {
  const calls = { saved: [], refused: [], trouble: [] };
  const on = {
    saved: (body, events) => calls.saved.push(events.map((event) => event.kind)),
    refused: (body, ack, dropped) => calls.refused.push([ack.code, dropped.map((event) => event.kind)]),
    trouble: (kind) => calls.trouble.push(kind),
  };
  return { calls, on };
}

const event = (kind) => ({ key: kind, kind });

beforeEach(() => {
  stored.clear();
  mock.timers.reset();
});

test("events that are added together leave together, in order, and are forgotten when saved", async () => {
  const sent = serve(saved(2));
  const { calls, on } = listen();
  const queue = new EventQueue("r1", on);
  queue.add(event("shown"), event("answered"));
  assert.equal(queue.size, 2);
  assert.equal(queue.answers, 1);
  assert.equal(stored.size, 2);
  await queue.send();
  assert.deepEqual(sent, [["shown", "answered"]]);
  assert.deepEqual(calls.saved, [["shown", "answered"]]);
  assert.deepEqual(calls.trouble, [null]);
  assert.equal(queue.size + stored.size, 0);
});

test("what was not sent survives a reload, by rater", async () => {
  serve("offline");
  mock.timers.enable({ apis: ["setTimeout"] });
  const queue = new EventQueue("r1", listen().on);
  queue.add(event("shown"), event("answered"));
  await queue.send();
  const again = new EventQueue("r1", listen().on);
  assert.deepEqual(again.entries.map((entry) => entry.event.kind), ["shown", "answered"]);
  assert.equal(new EventQueue("r2", listen().on).size, 0);
});

test("a server that cannot be reached is asked again later, each time after a longer wait", async () => {
  const sent = serve("offline");
  const { calls, on } = listen();
  mock.timers.enable({ apis: ["setTimeout"] });
  const queue = new EventQueue("r1", on);
  queue.add(event("answered"));
  await queue.send();
  queue.add(event("shown"));
  await queue.sending;
  assert.equal(sent.length, 1); // what is added meanwhile waits too
  for (const [seconds, attempts] of [[1, 2], [2, 3], [4, 4], [8, 5], [15, 6], [15, 7]]) {
    mock.timers.tick(seconds * 1000 - 1);
    await queue.sending;
    assert.equal(sent.length, attempts - 1);
    mock.timers.tick(1);
    await queue.sending;
    assert.equal(sent.length, attempts);
  }
  assert.equal(calls.trouble.at(-1), "offline");
  assert.equal(queue.size, 2);
});

test("a wait that the server asks for is kept", async () => {
  const sent = serve(answer(503, {}, "30"), saved(1));
  mock.timers.enable({ apis: ["setTimeout"] });
  const queue = new EventQueue("r1", listen().on);
  queue.add(event("answered"));
  await queue.send();
  mock.timers.tick(29_999);
  await queue.sending;
  assert.equal(sent.length, 1);
  mock.timers.tick(1);
  await queue.sending;
  assert.equal(sent.length, 2);
  assert.equal(queue.size, 0);
});

test("the event that is not understood is found, and what was before it is kept", async () => {
  const sent = serve(answer(400, {}), saved(1), answer(400, { message: "no such kind" }), saved(1));
  const { calls, on } = listen();
  const queue = new EventQueue("r1", on);
  queue.add(event("shown"), event("odd"), event("answered"));
  await queue.send();
  assert.deepEqual(sent, [["shown", "odd", "answered"], ["shown"], ["odd"], ["answered"]]);
  assert.deepEqual(calls.refused, [["bad_request", ["odd"]]]);
  assert.equal(queue.size, 0);
});

test("what follows a refused event goes too", async () => {
  serve(answer(409, { acks: [{ saved: true }, { saved: false, code: "wrong_task" }, { saved: false, code: "x" }] }));
  const { calls, on } = listen();
  const queue = new EventQueue("r1", on);
  queue.add(event("shown"), event("answered"), event("shown"));
  await queue.send();
  assert.deepEqual(calls.refused, [["wrong_task", ["answered", "shown"]]]);
  assert.equal(queue.size, 0);
});

test("a paused study keeps what was not saved", async () => {
  serve(answer(409, { acks: [{ saved: true }, { saved: false, code: "paused" }] }));
  const { calls, on } = listen();
  mock.timers.enable({ apis: ["setTimeout"] });
  const queue = new EventQueue("r1", on);
  queue.add(event("shown"), event("answered"));
  await queue.send();
  assert.deepEqual(calls.saved, [["shown"]]);
  assert.deepEqual(calls.trouble, ["paused"]);
  assert.deepEqual(queue.entries.map((entry) => entry.event.kind), ["answered"]);
});

// The page, with everything that draws replaced by a list of what was drawn.

function openPage(session = {}, study = {}) {
  const page = Object.create(StudyPage.prototype);
  const drawn = [];
  const note = (name) => (...values) => void drawn.push([name, ...values]);
  const names = "announce showNotice showPage showProgress showReason showSaved showSaving showTask showTrouble insist clearSaved";
  page.frame = Object.fromEntries(names.split(" ").map((name) => [name, note(name)]));
  page.queue = { size: 0, events: [], add: (...events) => page.queue.events.push(...events), send: async () => {}, clear() {} };
  page.keys = { setScreen() {} };
  page.clock = { reset() {}, seconds: () => 7 };
  page.study = { version: 1, settings: {}, allow_skip: true, ...study };
  page.session = { version: 1, stage: "task", rater: "r1", answered: 0, total: 3, ...session };
  page.form = { missing: () => null, read: () => "yes", view: {} };
  page.drawScreen = (context) => ({ ...page.form, context });
  Object.assign(page, { next: null, last: null, current: null, stage: null, durations: [], drawn });
  page.wait = () => Object.assign(page, { current: null, stage: "waiting" }); // draws elements
  page.showStage = (stage) => Object.assign(page, { current: null, stage });
  page.between = (stage, screen) => Object.assign(page, { current: null, stage, later: screen });
  return page;
}

const screenOf = (task, more = {}) => ({ task, page: 1, pages: 1, hidden: false, ...more });
const kinds = (page) => page.queue.events.map((one) => `${one.kind} ${one.task ?? ""}`.trim());
const state = (task, more = {}) => ({ version: 1, stage: "task", rater: "r1", answered: 0, total: 3, task, ...more });

test("an answer leads to the next screen where it is known, else to waiting", () => {
  const page = openPage();
  page.adopt({ session: state(1), screen: screenOf(1), next: screenOf(2) });
  assert.deepEqual(kinds(page), ["shown 1"]);
  page.submit();
  assert.deepEqual(kinds(page), ["shown 1", "answered 1", "shown 2"]);
  assert.deepEqual(page.queue.events[1].payload, { answer: "yes", active: 7 });
  assert.equal(page.current.screen.task, 2);
  page.submit();
  assert.equal(page.stage, "waiting");
});

test("an incomplete answer is not sent", () => {
  const page = openPage();
  page.form.missing = () => "choose one";
  page.adopt({ session: state(1), screen: screenOf(1), next: null });
  page.submit();
  assert.deepEqual(kinds(page), ["shown 1"]);
  assert.deepEqual(page.drawn.at(-1), ["insist", "choose one"]);
});

test("what the server says is shown unless it is there already, or more has happened since", () => {
  const page = openPage();
  const body = { session: state(1), screen: screenOf(1), next: screenOf(2) };
  page.adopt(body);
  const { current } = page;
  page.adopt(body);
  assert.equal(page.current, current);
  page.submit();
  page.queue.size = 1; // the answer is on its way: the server is behind
  page.adopt(body);
  assert.equal(page.current.screen.task, 2);
  page.queue.size = 0;
  page.adopt({ ...body, screen: screenOf(1, { page: 2 }) });
  assert.equal(page.current.screen.page, 2);
  page.adopt({ session: state(null, { stage: "finish" }), screen: null, next: null });
  assert.equal(page.stage, "finish");
  assert.equal(page.current, null);
});

test("practice that was passed, or failed, is said before the next task", () => {
  const page = openPage({ practice: true, tries_left: 2 });
  page.adopt({ session: state(5, { practice: true, tries_left: 1 }), screen: screenOf(5), next: null });
  assert.equal(page.stage, "practice_again");
  page.adopt({ session: state(6, { practice: false }), screen: screenOf(6), next: null });
  assert.equal(page.stage, "practice_passed");
  assert.equal(page.later.task, 6);
});

test("the last answer can be taken back, and comes back as it was", () => {
  const page = openPage();
  page.adopt({ session: state(1), screen: screenOf(1), next: screenOf(2) });
  assert.equal(page.undoTask(), null);
  page.submit();
  assert.equal(page.undoTask(), 1);
  page.undo();
  assert.deepEqual(kinds(page).slice(-2), ["undone 1", "shown 1"]);
  assert.equal(page.current.form.context.restored, "yes");
  assert.deepEqual(page.durations, []);
  page.undo();
  assert.equal(kinds(page).filter((kind) => kind.startsWith("undone")).length, 1);
});

test("practice answers cannot be taken back from the study itself", () => {
  const page = openPage();
  page.adopt({ session: state(1), screen: screenOf(1, { practice: true }), next: screenOf(2) });
  page.submit();
  assert.equal(page.undoTask(), null);
});

test("progress counts what is shown here, and the time left is by the median of own times", () => {
  const page = openPage();
  page.adopt({ session: state(1, { answered: 0, total: 10 }), screen: screenOf(1), next: screenOf(2) });
  page.submit();
  assert.equal(page.progress().done, 1);
  assert.equal(page.progress().secondsLeft, null);
  page.durations = [30, 1, 2];
  assert.equal(page.progress().secondsLeft, 18);
});

test("a refused answer is said, and the server decides what comes next", () => {
  const page = openPage();
  page.adopt({ session: state(1), screen: screenOf(1), next: screenOf(2) });
  page.submit();
  page.onRefused({ session: state(1), screen: screenOf(1), next: null }, { code: "late" }, [event("answered")]);
  assert.equal(page.current.screen.task, 1);
  assert.equal(page.last, null);
  assert.ok(page.drawn.some(([name]) => name === "showNotice"));
});

for (const [code, stage] of Object.entries({
  closed: "closed", failed: "failed", finished: "done", full: "full", place_taken: "place_taken", withdrawn: "withdrawn",
})) {
  test(`after the refusal ${code} nothing is sent any more`, () => {
    const page = openPage();
    const here = { session: state(1), screen: screenOf(1), next: screenOf(2) };
    page.adopt(here);
    page.onRefused(here, { code }, [event("shown")]);
    assert.equal(page.stage, stage);
    const before = kinds(page);
    page.adopt(here); // what a poll says does not begin it anew
    page.onRefused(here, { code }, [event("shown")]);
    assert.deepEqual(kinds(page), before);
    assert.equal(page.current, null);
  });
}

test("the same refusal twice with nothing saved between ends the page", () => {
  const page = openPage();
  const here = { session: state(1), screen: screenOf(1), next: null };
  const refuse = () => page.onRefused(here, { code: "not_known_here" }, [{ ...event("shown"), task: 1 }]);
  page.adopt(here);
  refuse();
  assert.equal(page.current.screen.task, 1);
  page.onSaved(here, [event("shown")]);
  refuse();
  assert.equal(page.current.screen.task, 1);
  refuse();
  assert.equal(page.stage, "stuck");
  assert.equal(kinds(page).length, 3);
});

test("a study that changed is loaded anew", () => {
  const page = openPage();
  page.adopt({ session: state(1, { version: 2 }), screen: screenOf(1), next: null });
  assert.equal(location.reload.mock.callCount(), 1);
  assert.equal(page.current, null);
});
