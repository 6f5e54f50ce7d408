// The rater's page: where the rater stands, the screen of the current task, and what leads from one to the next.

import { ActiveClock } from "./activity.js";
import { getJson, makeEvent, postJson } from "./api.js";
import { ask, showInstructions, showKeys } from "./dialogs.js";
import { element } from "./dom.js";
import { Frame } from "./frame.js";
import { Keys } from "./keys.js";
import { has, say, useLanguage } from "./language.js";
import { EventQueue } from "./queue.js";
import { drawStage, instructionsOf } from "./stages.js";

const SCREENS = new Set([
  "absolute",
  "compare",
  "cut",
  "esa",
  "factoids",
  "pyramid",
  "rank",
  "rate",
  "shorten",
  "spans",
]);
const ADVANCE_MS = 180; // so that a choice is seen before the next task comes
const POLL_MS = 10_000;
// Refusals that stay, and the page that says so: nothing more is sent from there.
const ENDS = {
  closed: "closed",
  failed: "failed",
  finished: "done",
  full: "full",
  place_taken: "place_taken",
  withdrawn: "withdrawn",
};

export class StudyPage {
  constructor(study, session, drawScreen) {
    this.study = study;
    this.session = session;
    this.drawScreen = drawScreen;
    this.next = null; // the screen of the task after the current one
    this.last = null; // {screen, answer} of the task before
    this.current = null; // {screen, form} while a task is shown
    this.stage = null; // what is shown instead of a task
    this.isOver = false; // nothing will be accepted any more
    this.refusal = null; // the last one: the same again, with nothing saved between, will not change
    this.durations = [];
    this.keys = new Keys();
    this.clock = new ActiveClock(study.idle_seconds);
    this.frame = new Frame(study, {
      submit: () => this.submit(),
      undo: () => this.undo(),
      skip: () => this.skip(),
      leave: () => this.leave(),
      signOut: () => this.signOut(),
      instructions: () => showInstructions(instructionsOf(this.study)),
      keys: () => showKeys(this.keys.list()),
    });
    this.queue = new EventQueue(session.rater, {
      saved: (body, events) => this.onSaved(body, events),
      refused: (body, ack, dropped) => this.onRefused(body, ack, dropped),
      trouble: (kind) => this.onTrouble(kind),
    });
    this.keys.setPage(this.pageKeys());
    addEventListener("pagehide", () => this.current?.form.flush?.());
    document.addEventListener("visibilitychange", () => document.hidden && this.current?.form.flush?.());
    addEventListener("beforeunload", (event) => this.queue.answers && event.preventDefault());
    addEventListener("focus", () => this.current?.form.isBehind && this.poll(true));
    setInterval(() => this.poll(), POLL_MS);
  }

  pageKeys() {
    const hasTask = () => this.current !== null;
    return [
      { keys: ["Enter"], label: say("key_submit"), onButton: false, run: () => hasTask() && this.submit() },
      { keys: ["Ctrl+Enter"], typing: true, run: () => hasTask() && this.submit() },
      { keys: ["u", "Ctrl+z"], shown: ["u"], label: say("key_undo"), run: () => this.undo() },
      ...(this.study.allow_skip ? [{ keys: ["s"], label: say("key_skip"), run: () => this.skip() }] : []),
      { keys: ["i"], label: say("key_instructions"), run: () => showInstructions(instructionsOf(this.study)) },
      { keys: ["?"], label: say("key_help"), run: () => showKeys(this.keys.list()) },
    ];
  }

  async start(body) {
    if (body.session.stage === "withdrawn") this.forget();
    if (this.queue.size) {
      this.wait();
      await this.queue.send(); // what an earlier page could not send
    } else this.adopt(body);
  }

  // What the server said

  onSaved(body, events) {
    if (events.length) this.refusal = null;
    const isWork = events.some((event) => event.kind === "answered" || event.kind === "edited");
    if (isWork && !this.queue.size) this.frame.showSaved();
    this.adopt(body);
    if (events.some((event) => event.kind === "answered")) this.frame.announce(say("saved"));
  }

  onRefused(body, ack, dropped) {
    const isAnswer = dropped.some((event) => event.kind === "answered");
    const reason = has(`refused_${ack.code}`) ? say(`refused_${ack.code}`) : (ack.message ?? ack.code);
    this.frame.clearSaved();
    const refusal = `${ack.code} ${dropped.map(({ kind, task }) => `${kind} ${task}`)}`;
    const isAgain = refusal === this.refusal;
    this.refusal = refusal;
    this.current = this.last = this.stage = null;
    if (ack.code in ENDS)
      return this.end(ENDS[ack.code], body.session, isAnswer ? say("answer_refused", { reason }) : null);
    if (isAgain) return this.end("stuck", body.session, null, reason);
    this.frame.showNotice(isAnswer ? say("answer_refused", { reason }) : reason);
    if (body.session) this.adopt(body);
    else this.poll(true);
  }

  // Where nothing will be accepted any more: the page says why, and sends nothing from here on.
  end(stage, session, notice = null, reason = "") {
    this.session = session ?? this.session;
    if (stage === "withdrawn") this.forget();
    if (notice) this.frame.showNotice(notice);
    this.showStage(stage, reason);
    this.isOver = true;
    this.frame.showProgress(this.progress());
  }

  // Who left leaves nothing in this browser.
  forget() {
    this.queue.clear();
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(`assay-steps:${this.session.rater}:`));
      for (const name of names) localStorage.removeItem(name);
    } catch {
      // there is no storage
    }
  }

  onTrouble(kind) {
    this.frame.showTrouble(kind, this.queue.answers);
    if (this.stage === "waiting") this.wait(); // says now why
  }

  async poll(always = false) {
    if (!always && !["paused", "waiting"].includes(this.stage)) return;
    if (this.queue.size) return;
    const answer = await getJson("/api/session").catch(() => null);
    if (answer?.status === 200 && !this.queue.size) this.adopt(answer.body);
  }

  // Show what the server says is to be seen, unless it is there already or more has happened here since.
  adopt(body) {
    if (this.isOver) return;
    const before = this.session;
    this.session = body.session;
    if (body.session.version !== this.study.version) return location.reload();
    if (body.session.check_failed && body.session.check_failed !== before.check_failed)
      this.frame.showNotice(say("check_failed"));
    if (this.queue.size && body.session.stage === "task") return this.frame.showProgress(this.progress());
    this.next = body.next;
    if (body.session.stage === "withdrawn") this.end("withdrawn", body.session);
    else if (body.session.stage !== "task") this.showStage(body.session.stage);
    else if (before.practice && !body.session.practice) this.between("practice_passed", body.screen);
    else if (body.session.practice && before.tries_left > body.session.tries_left)
      this.between("practice_again", body.screen);
    else if (!isSame(this.current?.screen, body.screen)) this.showTask(body.screen);
    else if (this.current.form.isBehind?.(body.screen.draft)) this.showTask(body.screen); // another window went on
    this.frame.showProgress(this.progress());
  }

  progress() {
    const shown = this.current?.screen.task;
    const ahead = shown && this.session.task ? shown - this.session.task : 0;
    const { answered, total, practice } = this.session;
    const done = Math.max(0, Math.min(total, answered + ahead));
    const canUndo = Boolean(this.current?.form.canUndo?.() || this.undoTask());
    return { done, total, practice, canUndo, secondsLeft: this.secondsLeft(total - done) };
  }

  // Honest: by the median of this rater's own times, and not before there are some.
  secondsLeft(tasks) {
    if (this.durations.length < 3) return null;
    const sorted = [...this.durations].sort((a, b) => a - b);
    return tasks * sorted[Math.floor(sorted.length / 2)];
  }

  // What is shown

  showStage(stage, reason = "") {
    if (this.stage === stage) return;
    this.current = null;
    this.stage = stage;
    const send = (kind) => this.queue.add(makeEvent(kind));
    const view = drawStage(stage, { study: this.study, session: this.session, send, queue: this.queue, reason });
    this.keys.setScreen(view.bindings);
    this.frame.showPage(view.node, { stage, canUndo: stage === "finish" && Boolean(this.undoTask()) });
  }

  between(name, screen) {
    this.current = this.last = this.stage = null;
    this.stage = name;
    const go = () => this.showTask(screen);
    const view = drawStage(name, { study: this.study, session: this.session, go });
    this.keys.setScreen(view.bindings);
    this.frame.showPage(view.node, { stage: name });
  }

  wait() {
    this.current = null;
    this.stage = "waiting";
    const view = drawStage("waiting", { study: this.study, session: this.session, queue: this.queue });
    this.keys.setScreen([]);
    this.frame.showPage(view.node, { stage: "waiting" });
  }

  showTask(screen, restored = null) {
    const isOn = this.current?.screen.task === screen.task; // revealed, or the next page
    const context = {
      study: this.study,
      screen,
      restored,
      storage: `assay-steps:${this.session.rater}:${screen.task}`,
      announce: (text) => this.frame.announce(text),
      reveal: () => this.queue.add(makeEvent("revealed", screen.task)),
      page: (page) => this.queue.add(makeEvent("paged", screen.task, { page })),
      edited: (deltas) => this.edited(screen, deltas),
      settled: () => this.queue.send(), // when the server knows everything, or cannot be reached
      changed: (auto = false) => this.changed(auto),
      submit: () => this.submit(),
      undo: () => this.undo(),
    };
    const form = this.drawScreen(context);
    this.stage = null;
    this.current = { screen, form, isRestored: restored !== null };
    this.keys.setScreen(form.bindings ?? []);
    this.frame.showTask(form.view, {
      task: screen.task,
      page: screen.page,
      canSkip: this.study.allow_skip && !screen.practice,
      typing: form.typing,
      canSubmit: form.canSubmit,
    });
    if (!isOn) {
      this.queue.add(makeEvent("shown", screen.task));
      this.clock.reset();
    } else if (this.study.settings.reveal) this.clock.reset(); // time counts from when the text can be read
    this.changed();
    this.frame.showProgress(this.progress());
    form.focus?.();
  }

  edited(screen, deltas) {
    this.frame.showSaving();
    this.queue.add(makeEvent("edited", screen.task, { deltas }));
  }

  // The form says that something was chosen; `auto` if that may lead on by itself.
  changed(auto = false) {
    if (!this.current) return;
    const { form, isRestored } = this.current;
    const reason = form.missing();
    this.frame.showReason(form.canSubmit === false ? null : reason);
    if (form.canUndo) this.frame.showProgress(this.progress());
    if (auto && !reason && this.study.auto_advance && !isRestored) {
      const shown = this.current;
      setTimeout(() => this.current === shown && this.submit(), ADVANCE_MS);
    }
  }

  // What the rater does

  submit() {
    if (!this.current) return;
    const { screen, form } = this.current;
    const reason = form.missing();
    if (reason) return this.frame.insist(reason);
    form.flush?.();
    const answer = form.read();
    this.answer(screen, { answer }, answer);
  }

  async skip() {
    if (!this.current || !this.study.allow_skip || this.current.screen.practice) return;
    const { screen } = this.current;
    const reason = await ask(say("skip"), say("skip_text"), { confirm: say("skip"), field: say("skip_reason") });
    if (reason && this.current?.screen === screen) this.answer(screen, { skip: reason }, null);
  }

  answer(screen, payload, answer) {
    const active = this.clock.seconds();
    this.durations.push(active);
    this.last = { screen: { ...screen, ...this.current.form.keep?.() }, answer };
    this.frame.showSaving();
    this.queue.add(makeEvent("answered", screen.task, { ...payload, active }));
    const next = this.next?.task === screen.task + 1 ? this.next : null;
    this.next = null;
    if (next) this.showTask(next);
    else this.wait();
  }

  // The number of the task with the answer that can be taken back, or null.
  undoTask() {
    if (this.current) {
      const { screen } = this.current;
      if (this.last && screen.pages === 1 && this.last.screen.practice === screen.practice) return screen.task - 1;
      return this.session.can_undo && this.session.task === screen.task ? this.session.last_task : null;
    }
    return this.stage === "finish" && this.session.can_undo ? this.session.last_task : null;
  }

  // A form takes back its own edits first, then the page the last answer.
  undo() {
    if (this.current?.form.undo?.()) return;
    const task = this.undoTask();
    if (!task) return this.frame.announce(say("no_undo"));
    this.current?.form.flush?.();
    this.queue.add(makeEvent("undone", task));
    const { last } = this;
    this.last = this.next = null;
    this.durations.pop();
    if (last?.screen.task === task) this.showTask(last.screen, last.answer);
    else this.wait();
    this.frame.announce(say("undone"));
  }

  async signOut() {
    const answer = await getJson("/api/link").catch(() => null);
    if (answer?.status !== 200) return this.frame.showNotice(say("no_connection"));
    const { link, browsers } = answer.body;
    const everywhere = element("input", { type: "checkbox", id: "everywhere" });
    const more = [
      element("p", {}, element("code", { id: "own-link" }, new URL(link, location.href).href)),
      browsers > 1 &&
        element("label", { for: "everywhere" }, everywhere, say("sign_out_everywhere", { count: browsers })),
    ];
    if ((await ask(say("sign_out"), say("sign_out_text"), { confirm: say("sign_out"), more })) === null) return;
    this.current?.form.flush?.();
    await this.queue.send();
    if (this.queue.size) return this.frame.showNotice(say("sign_out_wait"));
    const result = await postJson("/api/logout", { everywhere: everywhere.checked }).catch(() => null);
    if (result?.status === 200 || result?.status === 401) this.end("signed_out");
    else this.frame.showNotice(say("no_connection"));
  }

  async leave() {
    const options = { confirm: say("leave_confirm"), danger: true };
    const text = await ask(say("leave"), say("leave_text"), options);
    if (text !== null) this.queue.add(makeEvent("withdrawn"));
  }
}

// Whether a screen shows already what the server says is to be seen.
function isSame(shown, wanted) {
  return shown && shown.task === wanted.task && shown.page === wanted.page && shown.hidden === wanted.hidden;
}

async function read(path) {
  for (;;) {
    const answer = await getJson(path).catch(() => null);
    if (answer?.status === 200) return answer.body;
    if (answer?.status === 401) location.assign("/");
    document.getElementById("study").textContent = say("no_connection");
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}

async function main() {
  await useLanguage(document.documentElement.lang || "en");
  const study = await read("/api/study");
  if (!SCREENS.has(study.protocol)) throw new Error(`no screen for ${study.protocol}`);
  const [{ draw }, body] = await Promise.all([import(`./screens/${study.protocol}.js`), read("/api/session")]);
  document.getElementById("study").replaceWith(element("div", { id: "study" }));
  const page = new StudyPage(study, body.session, draw);
  await page.start(body);
  document.documentElement.dataset.study = "ready";
}

main();
